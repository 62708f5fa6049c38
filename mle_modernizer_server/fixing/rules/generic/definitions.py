"""Puts a class into the notebook that behaves as a library's class did once, and uses it."""

from __future__ import annotations

import re
from collections.abc import Callable

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    NewImport,
    Unsure,
)

_MADE_OF_STEPS = re.compile(r"\bmake_(pipeline|union|column_transformer)\b")


def calls_of(context: Context, *addresses: str) -> list[cst.Call]:
    """Return all calls of some classes in the notebook, in order."""
    return [node for node in context.nodes(cst.Call) if context.refers_to(node.func, *addresses)]


def use_class(
    context: Context,
    node: cst.Call,
    address: str,
    name: str,
    text: str,
    concerned: Callable[[cst.Call], bool] = lambda call: True,
    changed: Callable[[cst.Call], cst.Call] = lambda call: call,
    imports: tuple[NewImport, ...] = (),
) -> Answer:
    """Define a subclass before the notebook's first call of a class, and call it instead.

    Args:
        node: The call the codemod examines; everything is changed at the first concerned one.
        address: The library's class.
        name: Name of the subclass.
        text: Its definition; `{base}` is replaced by the library's class.
        concerned: Which calls are changed.
        changed: Further changes in them.
        imports: Imports of the definition.
    """
    calls = [call for call in calls_of(context, address) if concerned(call)]
    if not calls or calls[0] is not node:
        return None
    if any(f"class {name}(" in cell.source for cell in context.program.cells):
        return None
    root: cst.BaseExpression = node.func
    while isinstance(root, cst.Attribute):
        root = root.value
    known = isinstance(root, cst.Name) and (
        any(True for _ in context.program.top_bindings(root.value))
        or not context.program.lookup(root.value, root).bindings
    )
    if not known:
        return Unsure("the class is imported inside a function")
    if _is_called_by_its_name(context, address):
        return Unsure("the code tells models apart by the names of their classes")
    statement = top_statement(context, node)
    if isinstance(statement, cst.SimpleStatementLine) and any(
        isinstance(part, (cst.Import, cst.ImportFrom)) for part in statement.body
    ):
        return Unsure("the model is made in the line that imports it")
    assert statement is not None
    changes = []
    for call in calls:
        new = changed(call)
        if new is call:
            changes.append(Change(call.func, cst.Name(name)))
        else:
            changes.append(Change(call, new.with_changes(func=cst.Name(name))))
    defined = define(context, text.replace("{base}", context.code(node.func)), statement)
    return Fix((*changes, defined), imports)


def define(context: Context, text: str, statement: cst.CSTNode) -> Change:
    """Return the change that defines a class or function before a statement of the cell.

    It gets two blank lines around it.
    """
    definition = cst.parse_statement(text)
    assert isinstance(definition, (cst.ClassDef, cst.FunctionDef))
    apart = definition.with_deep_changes(definition.body, footer=blank_before(statement))
    if statement is not context.cell.module.body[0]:
        apart = apart.with_changes(leading_lines=[cst.EmptyLine(indent=False)] * 2)
    return Change(statement, cst.FlattenSentinel([apart, statement]))


def _is_called_by_its_name(context: Context, address: str) -> bool:
    """Return whether the code uses the name of the class, as `make_pipeline` names its steps.

    A subclass would have another name there.
    """
    name = address.rpartition(".")[2]
    sources = [cell.source for cell in context.program.cells]
    asked = re.compile(rf"__name__.*['\"]{name}['\"]|['\"]{name}['\"].*__name__")
    step = re.compile(
        rf"\b{name.lower()}__\w|['\"]{name.lower()}['\"]|named_steps\.{name.lower()}\b"
    )
    if any(map(asked.search, sources)):
        return True
    return any(map(_MADE_OF_STEPS.search, sources)) and any(map(step.search, sources))


def blank_before(statement: cst.CSTNode) -> list[cst.EmptyLine]:
    """Return the blank lines that a statement needs for two of them after a definition."""
    there = list(getattr(statement, "leading_lines", ()))
    empty = next((at for at, line in enumerate(there) if line.comment is not None), len(there))
    return [cst.EmptyLine(indent=False)] * max(0, 2 - empty)


def top_statement(context: Context, node: cst.CSTNode) -> cst.CSTNode | None:
    """Return the statement at the cell's top level that contains a node."""
    for above in (node, *context.cell.ancestors(node)):
        if context.parent(above) is context.cell.module:
            return above
    return None
