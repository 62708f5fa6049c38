"""Imports, numbers, texts and shell commands in a cell's code; definitions in a module's."""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from mle_modernizer_server.code.expressions import called_name
from mle_modernizer_server.code.ipython import nodes, parse_python, parsed

_SYSTEM = frozenset({"os.system", "get_ipython().system"})


@dataclass(frozen=True)
class Import:
    """An imported module.

    Attributes:
        module: Its dotted name; that of the package for `from package import module`.
        optional: Whether the import is within `try`.
    """

    module: str
    optional: bool

    @property
    def root(self) -> str:
        """Return the name of its top-level package."""
        return self.module.partition(".")[0]


@dataclass(frozen=True)
class ShellCall:
    """A call of `os.system` or `get_ipython().system` with a text.

    Attributes:
        command: The text.
        line: Its line, from 1; None if it has several.
        start: Column at which the call begins, in bytes.
        end: Column behind it.
        alone: Whether the command is the only argument.
    """

    command: str
    line: int | None
    start: int
    end: int
    alone: bool


@dataclass(frozen=True)
class Definition:
    """A class or function of a module.

    Attributes:
        name: Its name.
        is_function: Whether it is a function.
        docstring: As it is written; empty without one.
        code: All of its code.
    """

    name: str
    is_function: bool
    docstring: str
    code: str


def definitions(text: str) -> list[Definition]:
    """Return the classes and functions at the top level of a module.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: It cannot be parsed.
    """
    return [
        Definition(
            node.name,
            isinstance(node, ast.FunctionDef),
            ast.get_docstring(node, clean=False) or "",
            ast.get_source_segment(text, node) or "",
        )
        for node in parse_python(text).body
        if isinstance(node, (ast.ClassDef, ast.FunctionDef))
    ]


def field_texts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the fields that a class has a text under, with the text.

    Args:
        text: The code of the class, without an indent.

    Raises:
        SyntaxError, ValueError: It cannot be parsed, or is something else.
    """
    (defined,) = parse_python(text).body
    if not isinstance(defined, ast.ClassDef):
        raise ValueError("the code is not that of a class")
    for field, below in pairwise(defined.body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(description))):
                yield name, inspect.cleandoc(description)


def source_encoding(content: bytes) -> str | None:
    """Return the encoding that a Python file declares; None if it declares an unknown one."""
    try:
        return tokenize.detect_encoding(io.BytesIO(content).readline)[0]
    except (SyntaxError, UnicodeDecodeError):
        return None


def imports(source: str) -> tuple[Import, ...] | None:
    """Return the modules that a cell imports by absolute names; None if it is no Python 3."""
    tree = parsed(source)
    if tree is None:
        return None
    tried = {
        id(inner)
        for node in nodes(tree)
        if isinstance(node, ast.Try)
        for part in (*node.body, *node.handlers)
        for inner in ast.walk(part)
    }
    found: list[Import] = []
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            found += [Import(alias.name, id(node) in tried) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append(Import(node.module, id(node) in tried))
    return tuple(found)


def module_names(sources: Iterable[str]) -> frozenset[str]:
    """Return the names that cells bind to modules by `import`."""
    return frozenset(
        alias.asname or alias.name.partition(".")[0]
        for node in _nodes(sources)
        if isinstance(node, ast.Import)
        for alias in node.names
    )


def class_names(sources: Iterable[str]) -> frozenset[str]:
    """Return the names of the classes that cells define."""
    return frozenset(node.name for node in _nodes(sources) if isinstance(node, ast.ClassDef))


def words(source: str) -> frozenset[str]:
    """Return the names and attributes in a cell; none if it is no Python 3."""
    found = list(_nodes([source]))
    names = {node.id for node in found if isinstance(node, ast.Name)}
    return frozenset(names | {node.attr for node in found if isinstance(node, ast.Attribute)})


def whole_numbers(source: str) -> frozenset[int] | None:
    """Return the whole numbers in a cell; None if it is no Python 3."""
    if parsed(source) is None:
        return None
    numbers = (node.value for node in _nodes([source]) if isinstance(node, ast.Constant))
    return frozenset(one for one in numbers if type(one) is int)


def texts_passed(source: str, functions: Collection[str]) -> Iterator[str]:
    """Yield the texts that a cell passes to functions of some names."""
    for node in _nodes([source]):
        if isinstance(node, ast.Call) and called_name(node) in functions:
            for argument in (*node.args, *(item.value for item in node.keywords)):
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def shell_calls(source: str) -> Iterator[ShellCall]:
    """Yield the shell commands that a cell runs by a function call."""
    for node in _nodes([source]):
        if not isinstance(node, ast.Call) or called_name(node) != "system" or not node.args:
            continue
        given = node.args[0]
        text = given.value if isinstance(given, ast.Constant) else None
        if isinstance(text, str) and ast.unparse(node.func) in _SYSTEM:
            line = node.lineno if node.end_lineno == node.lineno else None
            end, alone = node.end_col_offset or node.col_offset, len(node.args) == 1
            yield ShellCall(text, line, node.col_offset, end, alone)


def last_line(source: str, line: int) -> int | None:
    """Return the last line of the innermost statement that contains a line.

    Args:
        source: The cell.
        line: From 1.

    Returns:
        None if the cell is no Python 3; the line itself if no statement contains it.
    """
    if parsed(source) is None:
        return None
    ends = (
        node.end_lineno or node.lineno
        for node in _nodes([source])
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and node.lineno <= line
    )
    return max((end for end in ends if end >= line), default=line)


def _nodes(sources: Iterable[str]) -> Iterator[ast.AST]:
    for source in sources:
        tree = parsed(source)
        if tree is not None:
            yield from nodes(tree)
