"""Reads a cell as IPython would: magics and shell lines become calls, then it is plain Python."""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Iterable
from functools import lru_cache

from mle_modernizer_server.code.expressions import literal
from mle_modernizer_server.code.ipython import (
    PYTHON_CELL_MAGICS,
    Escape,
    escapes,
    is_too_large,
    parse_python,
    replace_escapes,
)

_WARNINGS = threading.RLock()
"""Filters for warnings are the whole process's: one thread at a time may change them."""
_NEEDS_IPYTHON = re.compile(
    r"\A\s|^\s*(?:[?,;/]|>>>|\.\.\.|In \[|\[(?:ins|nav)\])|^(?!\s*#).*\?\s*$"
    r"|[\f\v\r\x1c-\x1e\x85\u2028\u2029]",
    re.MULTILINE,
)
"""What IPython may change besides magics and commands: indents, prompts, questions, calls."""
_LEADING = re.compile(r"\A(?:[ \t]*\n)+(?=[ \t]*\S)")
"""Blank lines before the code, which IPython leaves out."""
_BLANK = re.compile(r"^[ \t]+$", re.MULTILINE)
_MORE_SIGNS = ("!", "%", " ", "\t", "")
_PYTHON_LINE_MAGICS = frozenset({"time", "timeit", "prun"})


def parse_cell(source: str) -> ast.Module:
    """Return the syntax tree of a cell; the code that `%%time` and the like wrap is part of it.

    `!command` and `%magic` lines are calls of `get_ipython()`'s methods, see
    https://ipython.readthedocs.io/en/stable/config/inputtransforms.html.

    Raises:
        SyntaxError: It is not Python (of the version this runs on), or too deeply nested or too
            large to parse.
    """
    if is_too_large(source):
        raise SyntaxError("the cell is too large to be looked into")
    try:
        with _WARNINGS, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in old strings are not our matter
            text = _without_magics(source)
            tree = parse_python(text)
            if "get_ipython" not in text:
                return tree
            unwrapped = _Unwrap().visit(tree)
            assert isinstance(unwrapped, ast.Module)
            return ast.fix_missing_locations(unwrapped)
    except SyntaxError:
        raise
    except (ValueError, RuntimeError, MemoryError, IndexError, SystemError) as error:
        # null bytes, lone surrogates, nesting beyond the parser, magics that IPython trips over
        raise SyntaxError(f"the code cannot be read ({type(error).__name__})") from error


@lru_cache(maxsize=512)
def _without_magics(source: str) -> str:
    """Return a cell's text as IPython compiles it.

    IPython loads slowly: it is asked only if a cell has more than magics and commands of one line.
    """
    source = _LEADING.sub("", source)
    found = escapes(source)
    calls = {escape: _called(escape) for escape in found}
    if not _NEEDS_IPYTHON.search(source) and all(calls.values()):
        return _BLANK.sub("", replace_escapes(source, calls))
    from IPython.core.inputtransformer2 import TransformerManager  # loads much

    transform = TransformerManager()  # type: ignore[no-untyped-call]  # IPython's own
    return str(transform.transform_cell(source))


def _called(escape: Escape) -> str | None:
    """Return the call that IPython makes of a magic or command; None if it is of another form."""
    text, assigned = escape.text.rstrip(), f"{escape.assigned} = " if escape.assigned else ""
    if escape.first != escape.last or text.endswith("?") or text[1:2] in _MORE_SIGNS:
        return None
    if text.startswith("!"):
        method = "getoutput" if assigned else "system"
        return f"{assigned}get_ipython().{method}({text[1:]!r})"
    name, _, rest = text[1:].partition(" ")
    return f"{assigned}get_ipython().run_line_magic({name!r}, {rest!r})"


def magic_of(node: ast.expr) -> tuple[str, tuple[str, ...]] | None:
    """Return method and text arguments if a node is `get_ipython().method("…")`, else None."""
    match node:
        case ast.Call(ast.Attribute(ast.Call(ast.Name("get_ipython")), method), arguments):
            texts = (literal(argument) for argument in arguments)
            return method, tuple(one if isinstance(one, str) else "" for one in texts)
    return None


class _Unwrap(ast.NodeTransformer):
    """Inserts Python code that is inside a magic into the tree."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        magic = magic_of(node.value)
        if magic is not None:
            method, texts = magic
            name = texts[0] if texts else ""
            if method == "run_cell_magic" and name in PYTHON_CELL_MAGICS and len(texts) == 3:
                return parse_cell(texts[2]).body
            if method == "run_line_magic" and name in _PYTHON_LINE_MAGICS and len(texts) == 2:
                code = texts[1].split("-")[0] if texts[1].startswith("-") else texts[1]
                return parse_cell(code).body if code.strip() else node
        return node


def parse_what_can_be_read(source: str) -> ast.Module:
    """Return the syntax tree of the readable parts of a cell that may be broken (Python 2, say).

    Statements that do not parse are omitted, except for the lines in them that do.
    """
    try:
        return parse_cell(source)
    except SyntaxError:
        return _readable_parts(source)


def _readable_parts(source: str) -> ast.Module:
    body: list[ast.stmt] = []
    for chunk in _top_level_chunks(source):
        for text in (chunk, *(line.strip() for line in chunk.splitlines())):
            try:
                body += parse_cell(text).body
            except SyntaxError:
                continue
            if text is chunk:
                break
    return ast.Module(body=body, type_ignores=[])


@lru_cache(maxsize=512)
def shared_tree(source: str) -> ast.Module:
    """Return the same as `parse_what_can_be_read`, as one shared tree for the same text.

    Its nodes must not be changed, nor distinguished by their identity.
    """
    return shared_cell(source) or _readable_parts(source)


@lru_cache(maxsize=512)
def shared_cell(source: str) -> ast.Module | None:
    """Return the same as `parse_cell`, as one shared tree for the same text; None if it is broken.

    Its nodes must not be changed, nor distinguished by their identity.
    """
    try:
        return parse_cell(source)
    except SyntaxError:
        return None


def separate_trees(sources: Iterable[str]) -> list[ast.Module]:
    """Return the trees of cells as `shared_tree` does, each with nodes of its own."""
    found: list[ast.Module] = []
    known: set[str] = set()
    for source in sources:
        found.append(parse_what_can_be_read(source) if source in known else shared_tree(source))
        known.add(source)
    return found


def _top_level_chunks(source: str) -> list[str]:
    chunks: list[list[str]] = []
    for line in source.splitlines():
        if chunks and (line[:1].isspace() or not line.strip()):
            chunks[-1].append(line)
        else:
            chunks.append([line])
    return ["\n".join(chunk) for chunk in chunks]
