"""Infer from its source the effects that a cell's statements would have on the notebook's state."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from mle_modernizer_server.code import calls
from mle_modernizer_server.code.expressions import root_name
from mle_modernizer_server.code.ipython import parsed
from mle_modernizer_server.code.names import names, names_in

_WRITES = calls.WRITERS | set(calls.WRITERS_OF_SECOND) | calls.OPENERS | calls.MAKERS
_WRITES |= calls.UNPACKERS
_RUN = re.compile(r"^[ \t]*(?:%run[ \t]|execfile\()", re.MULTILINE)
"""Statements that define the names of another file."""
_PLACEHOLDER = re.compile(r"\{[^{}]*\}|%[-+#0 \d.]*[a-zA-Z]")


@dataclass
class Effects:
    """Bindings, changes and writes of statements.

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
        own = names_in(source)
        found = Effects(names=set(own.bound), everything=own.star)
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
    body = list(statements)
    own = names(body)
    reader = _Reader(Effects(names=set(own.bound), everything=own.star))
    for statement in body:
        with suppress(RecursionError):  # nested too deeply for a visitor: only its names are known
            reader.visit(statement)
    return reader.found


def made_from(source: str, stale: set[str]) -> set[str]:
    """Return the names that a cell binds to results from some names, directly or in steps."""
    tree = parsed(source)
    found: set[str] = set()
    for statement in tree.body if tree is not None and stale else ():
        if isinstance(statement, ast.Assign) and names(statement.value).read.keys() & (
            stale | found
        ):
            found.update(names(statement).bound)
    return found


def names_used(source: str, line: int | None) -> set[str]:
    """Return the names that the statement at a line reads; without a line, the whole cell."""
    tree = parsed(source)
    if tree is None:
        return set(re.findall(r"[A-Za-z_]\w*", source))
    return {node.id for node in _nodes_at(tree, line) if isinstance(node, ast.Name)}


def attribute_holders(source: str, line: int | None, attribute: str) -> set[str]:
    """Return the names whose attribute the statement at a line (or the whole cell) reads."""
    return {
        node.value.id
        for node in _nodes_at(parsed(source), line)
        if isinstance(node, ast.Attribute)
        and node.attr == attribute
        and isinstance(node.value, ast.Name)
    }


def calls_attribute(source: str, line: int | None, attribute: str) -> bool:
    """Return whether the statement at a line calls an attribute; without a line, any statement."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == attribute
        for node in _nodes_at(parsed(source), line)
    )


def names_bound_before(source: str, line: int | None) -> set[str]:
    """Return the names bound by the statements above the one at a line; none without a line."""
    tree = parsed(source)
    body = () if tree is None or line is None else tree.body
    return effects(one for one in body if (one.end_lineno or one.lineno) < (line or 0)).names


def _nodes_at(tree: ast.Module | None, line: int | None) -> Iterator[ast.AST]:
    body = [] if tree is None else tree.body
    at_line = [
        statement
        for statement in body
        if line is None or statement.lineno <= line <= (statement.end_lineno or statement.lineno)
    ]
    for statement in at_line or body:
        yield from ast.walk(statement)


class _Reader(ast.NodeVisitor):
    """Collector of effects; code inside functions and classes runs only when they are used."""

    def __init__(self, found: Effects) -> None:
        self.found = found

    def _skip(self, node: ast.AST) -> None:
        return

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _skip  # noqa: N815  # as `ast` calls them
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _skip  # noqa: N815  # as above

    def visit_Assign(self, node: ast.Assign) -> None:
        read = names(node.value).read
        if isinstance(node.value, ast.Call):
            self.found.remade.update(
                target.id
                for target in node.targets
                if isinstance(target, ast.Name) and target.id in read
            )
        self.generic_visit(node)

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

    def _change(self, node: ast.AST) -> None:
        if name := root_name(node, calls=True):
            self.found.changed.add(name)


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
