"""Cells that only Python 2 can parse become Python 3 before all other rules look at them.

The grammar and the rewriting are fissix's (https://github.com/amyreese/fissix), the maintained fork
of Python's own 2to3. Only code that Python 3 cannot parse is converted here; renamed functions and
modules are rules like those of any other library, so that names are resolved and edits stay few.
The lines of a cell that is text in every Python become comments.
"""

from __future__ import annotations

import ast
import itertools
import keyword
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Protocol, cast

from mle_modernizer_server.code.ipython import is_too_large, logical_starts, parse_python
from mle_modernizer_server.code.masking import mask, parsing_error
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.rule import Python2, Rule

_ONE_AT_A_TIME = threading.Lock()
"""The tools below are shared and store the current cell."""
_FUNCTION = re.compile(r"^from __future__ import [^#\n]*\bprint_function\b", re.MULTILINE)
"""Import that makes print a function in Python 2, in its cell and, in IPython, in all later
cells."""
_RAW_UNICODE = re.compile(r"^[uU](?=[rR][\"'])")
_PLAIN_TEXT = re.compile(r"^[\"']")
_ESCAPE_OF_TEXT = re.compile(r"(?<!\\)((?:\\\\)*)\\(?=[uUN])")
_TEXT_ESCAPES = "text-escapes"
_MAGICS = "IPython"
_SPACED = re.compile(r"^(\s*%{1,2})[ \t]+(?=[A-Za-z_])")
_TAB = 8
"""Tab size of Python 2, in columns."""
_LIKE_CODE = re.compile(r"[=\[\]{}\\@;`%!]|[A-Za-z_][.(]\w|\w\(\)|:[ \t]*$|^[ \t]*[\"']")
"""Signs of code: assignments, indices, calls, attributes, blocks, strings."""
_PAIRS = re.compile(r"(?=\b([A-Za-z]{2,}) +([A-Za-z]{2,})\b)")
_NO_TEXT = frozenset(
    {*keyword.kwlist, "print", "exec", "pip", "conda", "cat", "cd", "cp", "echo", "ls", "mkdir"}
    | {"mv", "rm", "time", "timeit", "run", "who"}
)
"""Words that begin, or join, code of Python 2 or 3, or begin IPython's commands."""
_OF_SENTENCES = re.compile(r"\b(an|are|by|of|that|the|these|this|to|we)\b", re.IGNORECASE)
"""Words that names of variables, and commands such as `pip install`, do not contain."""


@dataclass
class Converted:
    """A notebook with converted cells; some may still not parse."""

    notebook: Notebook
    applied: list[tuple[Rule, str]] = field(default_factory=list)
    """Rules and the ids of the cells they changed."""

    @property
    def is_python2(self) -> bool:
        """Return whether a cell was one that only Python 2 can parse."""
        return any(_tells_python2(rule) for rule, _ in self.applied)


def _tells_python2(rule: Rule) -> bool:
    """Return whether the rule's syntax is never written in Python 3, unlike `'C:\\Users'`."""
    syntax = [fix for fix in rule.fixes if isinstance(fix, Python2)]
    return rule.library != _MAGICS and any(
        fix.fixers != (_TEXT_ESCAPES,) and not fix.comments for fix in syntax
    )


def convert(
    notebook: Notebook, rules: Sequence[Rule], editable: frozenset[str] | None = None
) -> Converted:
    """Convert the cells that only Python 2 can parse.

    Args:
        notebook: The sources.
        rules: Which rules take part.
        editable: Ids of the cells that may change; None: all.
    """
    syntax = tuple((rule, fix) for rule in rules for fix in rule.fixes if isinstance(fix, Python2))
    result = Converted(notebook)
    if not syntax:
        return result
    cells = []
    function = False
    for cell in notebook.cells:
        if cell.type.value == "code" and (editable is None or cell.id in editable):
            spaced = [rule for rule, _ in syntax if rule.library == _MAGICS]
            joined = _joined(cell.source) if spaced else None
            if joined is not None:
                result.applied.extend((rule, cell.id) for rule in spaced)
                cell = cell.model_copy(update={"source": joined})
            done = (_cell(cell.source, syntax, function=True) if function else None) or _cell(
                cell.source, syntax
            )
            if done is not None:
                source, changed = done
                result.applied.extend((rule, cell.id) for rule in changed)
                cell = cell.model_copy(update={"source": source})
        function = function or bool(cell.type.value == "code" and _FUNCTION.search(cell.source))
        cells.append(cell)
    if result.applied:
        result.notebook = notebook.model_copy(update={"cells": tuple(cells)})
    return result


Syntax = tuple[tuple[Rule, Python2], ...]


def _cell(source: str, syntax: Syntax, *, function: bool = False) -> tuple[str, list[Rule]] | None:
    """Return the cell that Python 3 can parse, and the rules that made it; None if they fail.

    Args:
        function: Whether a cell above has made print a function.
    """
    if is_too_large(source):
        return None
    masked = mask(source)
    if masked is None or is_too_large(masked.text) or "\r" in source.replace("\r\n", ""):
        return None
    failure = parsing_error(masked.text)
    wanted = [
        (rule, fix)
        for rule, fix in syntax
        if rule.library != _MAGICS
        if (failure is not None or fix.always)
        and any(re.search(sign, masked.text, re.MULTILINE) for sign in fix.signs)
    ]
    if not wanted:
        return None
    text = masked.text.replace("\r\n", "\n")
    changed: list[Rule] = []
    fixers = tuple(dict.fromkeys(name for _, fix in wanted for name in fix.fixers))
    if fixers:
        new = rewritten(text, fixers, function=function)
        if new is not None:
            text, acted = new
            changed = [rule for rule, fix in wanted if acted & set(fix.fixers)]
    if isinstance(parsing_error(text), TabError):
        tabbed = [rule for rule, fix in wanted if fix.tabs]
        if tabbed:
            text = _without_tabs(text)
            changed.extend(tabbed)
    if not changed and failure is not None and not masked.magics and _is_text(source):
        text_rules = [rule for rule, fix in wanted if fix.comments]
        return (_commented(source), text_rules) if text_rules else None
    if not changed or parsing_error(text) is not None:
        return None
    text = _without_double_brackets(text, masked.text)
    if "\r\n" in source:
        text = text.replace("\n", "\r\n")
    restored = masked.restore(text)
    return None if restored is None or restored == source else (restored, changed)


def _joined(source: str) -> str | None:
    """Return a cell with line magics right behind their sign: `% time` → `%time`; None without."""
    masked = mask(source)
    if masked is None:
        return None
    joined = {at: _SPACED.sub(r"\1", magic) for at, magic in masked.magics.items()}
    if joined == masked.magics:
        return None
    return replace(masked, magics=joined).restore(masked.text)


def _without_double_brackets(text: str, before: str) -> str:
    """Remove the brackets that fissix adds to `print(…)` of the author: `print((…))`.

    A tuple retains its own brackets: without them its output would differ.
    """
    starts = [0, *itertools.accumulate(len(line) + 1 for line in text.encode().split(b"\n"))]
    code = text.encode()
    cut: list[int] = []
    for node in ast.walk(parse_python(text)):
        if not (isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords):
            continue
        if not isinstance(node.func, ast.Name) or node.func.id != "print":
            continue
        if isinstance(node.args[0], (ast.Tuple, ast.GeneratorExp, ast.Starred)):
            continue
        assert node.end_lineno is not None and node.end_col_offset is not None
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[node.end_lineno - 1] + node.end_col_offset
        call = code[first:last].decode()
        if not call.startswith("print((") or not call.endswith("))") or call in before:
            continue
        bare = f"print({call[7:-2]})"
        if parsing_error(bare) is None and ast.dump(parse_python(bare)) == ast.dump(
            parse_python(call)
        ):
            cut += [first + 6, last - 2]
    for at in sorted(cut, reverse=True):
        code = code[:at] + code[at + 1 :]
    return code.decode()


def _without_tabs(text: str) -> str:
    """Expand tabs before code as Python 2 counted them; leave strings over several lines."""
    lines = text.split("\n")
    for number in logical_starts(text):
        line = lines[number]
        code = line.lstrip(" \t")
        lines[number] = line[: len(line) - len(code)].expandtabs(_TAB) + code
    return "\n".join(lines)


class _Leaf(Protocol):
    value: str

    def changed(self) -> None: ...


class _Tree(Protocol):
    def leaves(self) -> Sequence[_Leaf]: ...


@cache
def _fissix() -> Any:  # it has no types
    """Import fissix, which is only needed for cells that are not Python 3, without disk access.

    At its import it makes its grammar and pickles it below the user's home, which may be read-only
    or full, and a broken pickle there would break every import after it. Here the grammar is made
    in memory, which takes 20 ms.
    """
    import fissix
    from fissix.pgen2 import driver, pgen

    driver.load_grammar = pgen.generate_grammar
    import fissix.refactor

    return fissix


def _without_unicode(text: str) -> str:
    """Rewrite `ur'a'` as `r'a'`."""
    return _RAW_UNICODE.sub("", text)


def _with_backslashes(text: str) -> str:
    """Rewrite `'C:\\Users'` as `'C:\\\\Users'` if Python 3 reads the backslash as an escape."""
    if not _PLAIN_TEXT.match(text) or parsing_error(text) is None:
        return text
    return _ESCAPE_OF_TEXT.sub(r"\1\\\\", text)


_OF_LEAVES: dict[str, Callable[[str], str]] = {
    "raw-unicode": _without_unicode,
    _TEXT_ESCAPES: _with_backslashes,
}


_LABEL = "label:"
"""Prefix of a name that is no variable while fissix rewrites variables; no name has it."""


def _labels(results: Any) -> list[Any]:
    """Return the leaves of a lambda's body that only look like its parameters: `x.k` and `f(k=1)`.

    Raises:
        ValueError: A comprehension inside uses a parameter's name for its own variable.
    """
    if "body" not in results:
        return []
    names = {leaf.value for leaf in results["args"].leaves()} - set("(),")
    leaves = [None, *results["body"].leaves(), None]
    labels = []
    for before, leaf, after in zip(leaves, leaves[1:], leaves[2:], strict=False):
        if leaf is None or leaf.value not in names:
            continue
        if (before is not None and before.value == ".") or (
            after is not None and after.value == "=" and after.parent is leaf.parent
        ):
            labels.append(leaf)
        elif _is_of_comprehension(leaf):
            raise ValueError(f"{leaf.value} is a comprehension's own variable")
    return labels


def _is_of_comprehension(leaf: Any) -> bool:
    """Return whether it is between `for` and `in`."""
    below, above = leaf, leaf.parent
    while above is not None:
        children = above.children
        if str(children[0]).strip() == "for" and len(children) > 1 and children[1] is below:
            return True
        below, above = above, above.parent
    return False


class _Tool:
    """A fissix tool with some of its fixers, which records the fixers that changed something."""

    def __init__(self, fixers: tuple[str, ...]) -> None:
        self._of_leaves = [name for name in fixers if name in _OF_LEAVES]
        self.acted: set[str] = set()
        names = [name for name in fixers if name not in _OF_LEAVES]
        modules = [f"fissix.fixes.fix_{name}" for name in names]
        self._tool = _fissix().refactor.RefactoringTool(modules)
        for fixer in (*self._tool.pre_order, *self._tool.post_order):
            name = type(fixer).__module__.rpartition(".fix_")[2]
            fixer.transform = self._watched(name, fixer.transform)

    def _watched(
        self, name: str, transform: Callable[[object, object], object]
    ) -> Callable[[object, object], object]:
        def watched(node: object, results: object) -> object:
            before = str(node)
            labels = _labels(results) if name == "tuple_params" else []
            for label in labels:
                label.value = f"{_LABEL}{label.value}"
            new = transform(node, results)
            for label in labels:
                label.value = label.value.removeprefix(_LABEL)
            after = "".join(map(str, new)) if isinstance(new, list) else str(new or node)
            if after != before:
                self.acted.add(name)
            return new

        return watched

    def __call__(self, text: str) -> str:
        """Return the text after the fixers.

        Raises:
            Exception: fissix cannot parse it, or fails on it.
        """
        self.acted = set()
        tree = self._tool.refactor_string(text, "cell")
        for name in self._of_leaves:
            for leaf in cast(_Tree, tree).leaves():
                after = _OF_LEAVES[name](leaf.value)
                if after != leaf.value:
                    leaf.value = after
                    self.acted.add(name)
        return str(tree)


@cache
def _tool(fixers: tuple[str, ...]) -> _Tool:
    return _Tool(fixers)


def rewritten(
    text: str, fixers: tuple[str, ...], *, function: bool = False
) -> tuple[str, set[str]] | None:
    """Return the text after some fixers, and the names of those that changed something.

    Args:
        text: Python 2.
        fixers: Their names without `fix_`.
        function: Whether print is a function in it.

    Returns:
        None if fissix fails.
    """
    first = "from __future__ import print_function\n" if function else ""
    whole = first + (text if text.endswith("\n") else text + "\n")
    with _ONE_AT_A_TIME:
        tool = _tool(fixers)
        try:
            new = tool(whole)
        except (
            _fissix().pgen2.parse.ParseError,
            _fissix().pgen2.tokenize.TokenError,
            SyntaxError,
            ValueError,
            AttributeError,
            LookupError,
            AssertionError,
            RecursionError,
        ):
            return None  # it is no Python 2 either; the cell is left alone, with a note
        acted = set(tool.acted)
    new = new.removeprefix(first)
    return (new if text.endswith("\n") else new.removesuffix("\n")), acted


def _is_text(source: str) -> bool:
    """Return whether a cell that cannot be parsed contains text rather than faulty code.

    No line may look like code, half of the lines must have two words in a row, and one a word of
    sentences.
    """
    lines = [line for line in source.splitlines() if line.strip()]
    if any(_LIKE_CODE.search(line) or line.split()[0] in _NO_TEXT for line in lines):
        return False
    if not any(map(_OF_SENTENCES.search, lines)):
        return False
    return 2 * sum(map(_has_two_words, lines)) >= len(lines)


def _has_two_words(line: str) -> bool:
    return any(_NO_TEXT.isdisjoint(pair) for pair in _PAIRS.findall(line))


def _commented(source: str) -> str:
    """Return a cell's text with each line as a comment; empty lines stay."""
    return "".join(
        f"# {line}" if line.strip() else line for line in source.splitlines(keepends=True)
    )
