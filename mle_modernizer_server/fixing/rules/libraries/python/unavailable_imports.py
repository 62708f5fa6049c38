"""An import that fails stops its cell: the imports after it never run.

https://docs.python.org/3/reference/import.html#searching

Unused imports are removed. Used ones move down to the first statement of the cell that needs them,
or to the cell's end: then only code that needs the module fails.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import libcst as cst

from mle_modernizer_server.code.cell_code import Place
from mle_modernizer_server.code.tree import dotted_name, names_in
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.removal import without_statement

_MODULE = re.compile(r"^No module named '(?P<module>[\w.]+)'")
_NAME = re.compile(r"^cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'")

Import = cst.Import | cst.ImportFrom
_PARTS = (cst.Attribute, cst.AsName, cst.ImportAlias)


@codemod("python-unavailable-import", on=cst.Import)
def modules(context: Context, node: cst.Import) -> Answer:
    """`import json, gone, os` → `import json, os`, with `import gone` before its first use."""
    return _rest_first(context, node)


@codemod("python-unavailable-import", on=cst.ImportFrom)
def names(context: Context, node: cst.ImportFrom) -> Answer:
    """Move `from gone import f` down to the first use of `f`."""
    return _rest_first(context, node)


def _rest_first(context: Context, node: Import) -> Answer:
    line = context.parent(node)
    gone = _not_there(context, node)
    if not gone or not context.evidence(node) or not isinstance(line, cst.SimpleStatementLine):
        return None
    if context.parent(line) is not context.cell.module:
        return None
    if context.program.unparsed:
        return Unsure("cells that cannot be read may use it")
    kept = [alias for alias in _aliases(node) if alias not in gone]
    names = {_bound(alias) for alias in gone}
    cells = [cell.number for cell in context.program.cells if _is_used(cell.places, names)]
    if not cells:
        return one(node, _with(node, kept)) if kept else without_statement(context, node)
    if len(line.body) > 1:
        return Unsure("the import shares its line with other statements")
    answer = _lower(context, line, node, kept, gone)
    where = f"cell{'s' if len(cells) > 1 else ''} {', '.join(map(str, cells))}"
    lost = _lost(context)
    there = "is not installed" if all(one.isidentifier() for one in lost) else "cannot be imported"
    remark = f"{', '.join(sorted(lost))} {there}; {where} need{'' if len(cells) > 1 else 's'} it."
    return replace(answer, remark=remark) if isinstance(answer, Fix) else None


def _lost(context: Context) -> set[str]:
    """Return the addresses of modules, and of names in modules, that the cell missed."""
    found = set()
    for error in context.failing():
        if match := _MODULE.match(error.evalue):
            found.add(match["module"])
        elif match := _NAME.match(error.evalue):
            found.add(f"{match['module']}.{match['name']}")
    return found


def _not_there(context: Context, node: Import) -> list[cst.ImportAlias]:
    """Return the names that a statement imports and the cell missed."""
    lost = _lost(context)
    if isinstance(node, cst.Import):
        return [one for one in node.names if _parts(dotted_name(one.name)) & lost]
    module = dotted_name(node.module)
    if node.relative:
        return []
    if _parts(module) & lost:
        return _aliases(node)
    return [one for one in _aliases(node) if f"{module}.{dotted_name(one.name)}" in lost]


def _parts(module: str) -> set[str]:
    """Return a module's address and those of its parent packages."""
    names = module.split(".")
    return {".".join(names[:end]) for end in range(1, len(names) + 1)}


def _aliases(node: Import) -> list[cst.ImportAlias]:
    return [] if isinstance(node.names, cst.ImportStar) else list(node.names)


def _bound(alias: cst.ImportAlias) -> str:
    """Return the name that an import binds."""
    local = alias.asname.name if alias.asname else alias.name
    return dotted_name(local).partition(".")[0]


def _is_used(places: Mapping[cst.CSTNode, Place], names: set[str]) -> bool:
    """Return whether one of the names is used in a cell outside its imports."""
    return any(
        isinstance(node, cst.Name) and node.value in names and not _inside_import(places, node)
        for node in places
    )


def _inside_import(places: Mapping[cst.CSTNode, Place], node: cst.CSTNode) -> bool:
    above = places[node].parent
    while isinstance(above, _PARTS):
        above = places[above].parent
    return isinstance(above, (cst.Import, cst.ImportFrom))


def _with(node: Import, aliases: Sequence[cst.ImportAlias]) -> Import:
    last = aliases[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return node.with_changes(names=[*aliases[:-1], last])


def _lower(
    context: Context,
    line: cst.SimpleStatementLine,
    node: Import,
    kept: Sequence[cst.ImportAlias],
    gone: Sequence[cst.ImportAlias],
) -> Fix | None:
    """Move the import before the first statement in its cell that needs it, or to the end."""
    names = {_bound(alias) for alias in gone}
    body = list(context.cell.module.body)
    behind = body[body.index(line) + 1 :]
    free = next(
        (at for at, statement in enumerate(behind) if names_in(statement) & names), len(behind)
    )
    if all(_fails_too(context, statement) for statement in behind[:free]):
        free = 0
    order = _aliases(node)
    if free == 0 and all(order.index(alias) < order.index(gone[0]) for alias in kept):
        return None  # no later statement works without it
    stays = [line.with_changes(body=[_with(node, kept)])] if kept else []
    leading = [] if kept else line.leading_lines
    moved = line.with_changes(body=[_with(node, gone)], leading_lines=leading)
    if free == 0:
        return Fix((Change(line, cst.FlattenSentinel([*stays, moved])),))
    anchor = behind[free - 1]
    return Fix(
        (
            Change(line, cst.FlattenSentinel(stays)),
            Change(anchor, cst.FlattenSentinel([anchor, moved])),
        )
    )


def _fails_too(context: Context, statement: cst.CSTNode) -> bool:
    """Return whether a statement only imports names that the cell missed."""
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(part, (cst.Import, cst.ImportFrom))
        and len(_not_there(context, part)) == len(_aliases(part)) > 0
        for part in statement.body
    )
