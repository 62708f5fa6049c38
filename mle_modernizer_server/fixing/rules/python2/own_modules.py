"""Modules next to a notebook that are Python 2's: the text of their copies for Python 3.

Two things are fixed. A module that Python 3 cannot parse, or that uses names that Python 3 lacks
(`xrange`, `urllib2`) without handling both versions, is rewritten by fissix, as 2to3 does. And
`import name` finds the module of that name in its own package, as it did before
https://peps.python.org/pep-0328/. The import of Python 3 comes first: if it finds a module, nothing
changes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from mle_modernizer_server.code.ipython import count_tokens, parse_python
from mle_modernizer_server.code.masking import parsing_error
from mle_modernizer_server.domain.files import HelperReading, HelperSource
from mle_modernizer_server.fixing.rules.python2.conversion import rewritten

_FIXERS = (
    *("apply", "basestring", "dict", "except", "exec", "execfile", "exitfunc", "filter"),
    *("funcattrs", "future", "getcwdu", "has_key", "imports", "imports2", "input", "intern"),
    *("isinstance", "itertools", "itertools_imports", "long", "map", "metaclass", "methodattrs"),
    *("ne", "next", "nonzero", "numliterals", "operator", "paren", "print", "raise", "raw_input"),
    *("reduce", "reload", "renames", "repr", "standarderror", "sys_exc", "throw", "tuple_params"),
    *("types", "unicode", "urllib", "xrange", "xreadlines", "zip"),
)
"""2to3's default fixers except `import`, which would resolve to neighbouring files."""
_GONE = frozenset(
    {"basestring", "execfile", "long", "raw_input", "reduce", "unichr", "unicode", "xrange"}
)
_GONE_MODULES = frozenset(
    {
        "ConfigParser",
        "HTMLParser",
        "Queue",
        "StringIO",
        "cPickle",
        "cStringIO",
        "urllib2",
        "urlparse",
    }
)
_BOTH = re.compile(r"\bversion_info\b|\bversion_tuple\b|\bPY[23]\b|\bsix\b|\bNameError\b")
"""Names in code that is meant for both Pythons."""
_ABSOLUTE = re.compile(r"^from\s+__future__\s+import\s[^\n]*\babsolute_import\b", re.MULTILINE)
_CATCHES = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_COMMENT = re.compile(r"[ \t]*(?:#[^\n]*)?$")
_MOST_OF_ALL = 100_000
"""Limit of the tokens to convert, in all files."""


def read_helpers(files: Iterable[HelperSource]) -> tuple[HelperReading, ...]:
    """Return the copies whose text differs from their files.

    Args:
        files: The modules of a notebook's folder. Files that are too long stay as they are.
    """
    found = []
    left = _MOST_OF_ALL
    for file in files:
        tokens = count_tokens(file.source)
        if tokens is None or tokens > left:
            continue
        left -= tokens
        reading = _read(file)
        if reading is not None:
            found.append(reading)
    return tuple(found)


def _read(file: HelperSource) -> HelperReading | None:
    source = file.source.replace("\r\n", "\n")
    translated = parsing_error(source) is not None or _names_what_is_gone(source)
    if translated:
        new = rewritten(source, _FIXERS)
        if new is None or parsing_error(new[0]) is not None:
            return None
        source = new[0]
    relative: tuple[str, ...] = ()
    if file.beside and not _ABSOLUTE.search(file.source):
        source, relative = _with_own_package(source, frozenset(file.beside))
    if not translated and not relative:
        return None
    return HelperReading(path=file.path, source=source, translated=translated, relative=relative)


def _names_what_is_gone(source: str) -> bool:
    """Return whether Python 3 can parse a module, but lacks names that it uses from Python 2."""
    if _BOTH.search(source):
        return False
    tree = parse_python(source)
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    bound |= {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    if any(node.id in _GONE - bound for node in names):
        return True
    return any(
        isinstance(node, ast.Import) and any(alias.name in _GONE_MODULES for alias in node.names)
        for node in _imports(tree)
    )


def _with_own_package(source: str, own: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    """Return the source with its imports of modules of its own package, and their names."""
    tree = parse_python(source)
    lines = source.split("\n")
    names: dict[str, None] = {}
    for node in sorted(_imports(tree), key=lambda node: node.lineno, reverse=True):
        assert node.end_lineno is not None
        first, last = node.lineno - 1, node.end_lineno
        if not _stands_alone(node, lines):
            continue
        new = _guarded(node, own, lines[first][: node.col_offset], names)
        if new is not None:
            lines[first:last] = new
    return "\n".join(lines), tuple(reversed(names))


def _imports(tree: ast.Module) -> Iterable[ast.Import | ast.ImportFrom]:
    """Return the imports outside of `try` statements with alternatives."""
    tried = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Try) and any(_catches(handler) for handler in node.handlers)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)) and id(node) not in tried:
            yield node


def _catches(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    return any(
        isinstance(node, ast.Name) and node.id in _CATCHES for node in ast.walk(handler.type)
    )


def _stands_alone(node: ast.stmt, lines: list[str]) -> bool:
    """Return whether nothing but a comment shares the lines of a statement."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    before = lines[node.lineno - 1].encode()[: node.col_offset]
    after = lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode()
    return not before.strip() and _COMMENT.fullmatch(after) is not None


def _guarded(
    node: ast.Import | ast.ImportFrom, own: frozenset[str], indent: str, names: dict[str, None]
) -> list[str] | None:
    """Return the lines of an import that tries its own package last; None if it need not."""
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
        if node.level or module.partition(".")[0] not in own:
            return None
        names[module.partition(".")[0]] = None
        inner = ast.unparse(node)
        return _tried(inner, inner.replace("from ", "from .", 1), indent)
    mine = [alias for alias in node.names if alias.name in own]
    if not mine:
        return None
    others = [alias for alias in node.names if alias.name not in own]
    new = [indent + ast.unparse(ast.Import(names=others))] if others else []
    for alias in mine:
        names[alias.name] = None
        tail = ast.unparse(ast.Import(names=[alias]))
        new += _tried(tail, f"from . {tail}", indent)
    return new


def _tried(absolute: str, relative: str, indent: str) -> list[str]:
    return [
        f"{indent}try:",
        f"{indent}    {absolute}",
        f"{indent}except ModuleNotFoundError:",
        f"{indent}    {relative}",
    ]
