"""Infer from its source the effects that a cell's statements would have on the notebook's state."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mle_modernizer_server.code import calls
from mle_modernizer_server.code.ipython import parsed, python_only

_BOUND = re.compile(
    r"^[ \t]*(?P<names>[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*=(?!=)", re.MULTILINE
)
_DEFINED = re.compile(r"^[ \t]*(?:def|class|for)\s+([A-Za-z_]\w*)", re.MULTILINE)
_IMPORTED = re.compile(r"^[ \t]*(?:from\s+[\w.]+\s+)?import\s+(.+)$", re.MULTILINE)
_WRITES = calls.WRITERS | set(calls.WRITERS_OF_SECOND) | calls.OPENERS | calls.MAKERS
_WRITES |= calls.UNPACKERS
_RUN = re.compile(r"^[ \t]*(?:%run[ \t]|execfile\()", re.MULTILINE)
"""Statements that define the names of another file."""
_PLACEHOLDER = re.compile(r"\{[^{}]*\}|%[-+#0 \d.]*[a-zA-Z]")


@dataclass
class Effects:
    """What statements bind, change and write.

    Attributes:
        names: Names they bind in the notebook's namespace.
        everything: A `from … import *` is among them, or `%run` of another file.
        changed: Names whose objects they change in place or by a method call.
        remade: Names they bind to something made of the name's earlier object: a table with other
            columns.
        filled: Names of lists, dicts and tables to which they add items that are in no source.
        keys: Columns, keys and attributes they set.
        files: Paths they may write, with `*` for unknown parts.
    """

    names: set[str] = field(default_factory=set)
    everything: bool = False
    changed: set[str] = field(default_factory=set)
    remade: set[str] = field(default_factory=set)
    filled: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)


def lost_effects(source: str, failed_at: int | None) -> Effects:
    """Return the effects a failing cell lacks: those of its statements from the failing one on.

    Args:
        source: The cell.
        failed_at: Line (from 1) of the failing statement at the cell's top level; None if no
            statement took effect or it is unknown.
    """
    tree = parsed(source)
    if tree is None:
        found = _effects_of_text(python_only(source))
    else:
        found = effects(
            statement
            for statement in tree.body
            if failed_at is None or (statement.end_lineno or statement.lineno) >= failed_at
        )
    lost = "\n".join(source.splitlines()[(failed_at or 1) - 1 :])
    found.everything = found.everything or _RUN.search(lost) is not None
    return found


def effects(statements: Iterable[ast.stmt]) -> Effects:
    """Return the effects of statements at a cell's top level."""
    reader = _Reader()
    for statement in statements:
        try:
            reader.visit(statement)
        except RecursionError:  # nested too deeply for a visitor: only its bindings are reported
            reader.found.names.update(
                node.id
                for node in ast.walk(statement)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            )
    return reader.found


def made_from(source: str, stale: set[str]) -> set[str]:
    """Return the names that a cell binds to results from some names, directly or in steps."""
    tree = parsed(source)
    found: set[str] = set()
    for statement in tree.body if tree is not None and stale else ():
        if not isinstance(statement, ast.Assign) or not _read(statement.value) & (stale | found):
            continue
        found.update(
            node.id
            for target in statement.targets
            for node in ast.walk(target)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )
    return found


def names_used(source: str, line: int | None) -> set[str]:
    """Return the names that the statement at a line reads; without a line, the whole cell."""
    tree = parsed(source)
    if tree is None:
        return set(re.findall(r"[A-Za-z_]\w*", source))
    return {node.id for node in _nodes_at(tree, line) if isinstance(node, ast.Name)}


def attribute_holders(source: str, line: int | None, attribute: str) -> set[str]:
    """Return the names whose attribute the statement at a line (or the whole cell) reads."""
    tree = parsed(source)
    return {
        node.value.id
        for node in (() if tree is None else _nodes_at(tree, line))
        if isinstance(node, ast.Attribute)
        and node.attr == attribute
        and isinstance(node.value, ast.Name)
    }


def calls_attribute(source: str, line: int | None, attribute: str) -> bool:
    """Return whether the statement at a line calls an attribute; without a line, any statement."""
    tree = parsed(source)
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == attribute
        for node in (() if tree is None else _nodes_at(tree, line))
    )


def names_bound_before(source: str, line: int | None) -> set[str]:
    """Return the names bound by the statements above the one at a line; none without a line."""
    tree = parsed(source)
    body = () if tree is None or line is None else tree.body
    return effects(one for one in body if (one.end_lineno or one.lineno) < (line or 0)).names


def _nodes_at(tree: ast.Module, line: int | None) -> Iterator[ast.AST]:
    at_line = [
        statement
        for statement in tree.body
        if line is None or statement.lineno <= line <= (statement.end_lineno or statement.lineno)
    ]
    for statement in at_line or tree.body:
        yield from ast.walk(statement)


def _effects_of_text(text: str) -> Effects:
    """Return the names of a cell that is no Python 3, such as one with `print x`."""
    found = Effects()
    for match in _BOUND.finditer(text):
        found.names.update(name.strip() for name in match["names"].split(","))
    found.names.update(_DEFINED.findall(text))
    for imported in _IMPORTED.findall(text):
        found.everything = found.everything or imported.strip() == "*"
        for part in imported.strip("() ").split(","):
            words = part.split()
            if words:
                found.names.add(words[-1].partition(".")[0])
    return found


class _Reader(ast.NodeVisitor):
    """Collector of effects; code inside functions and classes runs only when they are used."""

    def __init__(self) -> None:
        self.found = Effects()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.found.names.add(node.name)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.found.names.add(node.name)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.found.names.add(node.name)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        return

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.found.names.add(alias.asname or alias.name.partition(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self.found.everything = True
            else:
                self.found.names.add(alias.asname or alias.name)

    def visit_Assign(self, node: ast.Assign) -> None:
        read = _read(node.value)
        if isinstance(node.value, ast.Call):
            self.found.remade.update(
                target.id
                for target in node.targets
                if isinstance(target, ast.Name) and target.id in read
            )
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.found.names.add(node.id)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.found.filled.add(node.target.id)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.ctx, ast.Store):
            self._change(node.value)
            keys = _strings(node.slice)
            self.found.keys.update(keys)
            if not keys and isinstance(node.value, ast.Name):
                self.found.filled.add(node.value.id)
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Store):
            self._change(node.value)
            self.found.keys.add(node.attr)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name:
            self.found.names.add(node.name)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if isinstance(node.func, ast.Attribute):
            self._change(node.func.value)
            if called in calls.FILLS and isinstance(node.func.value, ast.Name):
                self.found.filled.add(node.func.value.id)
        elif isinstance(node.func, ast.Name):
            called = node.func.id
            # A function of the notebook may change its arguments.
            for argument in node.args:
                self._change(argument)
        if called in _WRITES:
            for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                self.found.files.update(_paths(argument))
        self.found.keys.update(_keys_named(called, node))
        self.generic_visit(node)

    def _comprehension(self, node: ast.AST) -> None:
        """Visit a comprehension: its own targets vanish at its end; bindings by `:=` stay."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.NamedExpr) and isinstance(inner.target, ast.Name):
                self.found.names.add(inner.target.id)

    def _change(self, node: ast.AST) -> None:
        while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
            node = node.func if isinstance(node, ast.Call) else node.value
        if isinstance(node, ast.Name):
            self.found.changed.add(node.id)


def _keys_named(called: str, node: ast.Call) -> set[str]:
    """Return the columns and keys that a call of a method brings, by the names in its arguments."""
    if called == "assign":
        return {keyword.arg for keyword in node.keywords if keyword.arg}
    if called == "rename":
        given = [keyword.value for keyword in node.keywords]
        values = [value for one in given if isinstance(one, ast.Dict) for value in one.values]
    elif called in ("insert", "setdefault"):
        values = node.args[:2]
    else:
        return set()
    return {name for value in values for name in _strings(value)}


def _read(node: ast.AST) -> set[str]:
    return {
        inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)
    }


def _strings(node: ast.AST) -> set[str]:
    return {
        inner.value
        for inner in ast.walk(node)
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
    }


def _paths(node: ast.AST) -> set[str]:
    """Return the texts of an expression, with `*` for each inserted value."""
    found = _strings(node)
    for inner in ast.walk(node):
        if isinstance(inner, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "*" for part in inner.values)
            found.add("".join(map(str, parts)))
    return {_PLACEHOLDER.sub("*", text) for text in found}
