"""Whether the result of a call may have reached a line at which the notebook failed."""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import names_in
from mle_modernizer_server.fixing.rules.engine.context import Context


def names_at_errors(context: Context) -> set[str]:
    """Return the names in the lines at which cells failed with the rule's symptom."""
    lines = {
        (error.cell_id, error.line) for error in context.run.errors if context.rule.matches(error)
    }
    return {
        node.value
        for cell in context.program.cells
        for cell_id, line in lines
        if cell.cell_id == cell_id
        for node in cell.nodes(cst.Name)
        if (line is None or cell.lines(node)[0] == line)
    }


def names_made_of(context: Context, node: cst.Call) -> set[str]:
    """Return the names that may refer to the result of the call, by assignments alone."""
    assigned = [
        (_target_names(assign), names_in(assign.value), assign)
        for assign in context.nodes(cst.Assign)
    ]
    above = set(context.cell.ancestors(node))
    found = {name for targets, _, assign in assigned if assign in above for name in targets}
    before = -1
    while len(found) > before:
        before = len(found)
        found |= {name for targets, read, _ in assigned if read & found for name in targets}
    return found


def _target_names(assign: cst.Assign) -> set[str]:
    """Return the names that an assignment binds or changes a part of: `df` of `df['a'] = …`."""
    names: set[str] = set()
    for target in assign.targets:
        parts: list[cst.BaseExpression] = [target.target]
        while parts:
            part = parts.pop()
            if isinstance(part, (cst.Tuple, cst.List)):
                parts += [element.value for element in part.elements]
            elif isinstance(part, (cst.Subscript, cst.Attribute)):
                parts.append(part.value)
            elif isinstance(part, cst.Name):
                names.add(part.value)
    return names
