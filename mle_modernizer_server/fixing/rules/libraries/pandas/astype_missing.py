"""`astype(str)` leaves missing values missing since pandas 3.0; they had become the text `nan`.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, descendants, string
from mle_modernizer_server.fixing.rules.types.type import FRAME, SERIES


@codemod("pandas-astype-missing", on=cst.Call, names=("astype",))
def with_the_text_nan(context: Context, node: cst.Call) -> Answer:
    """`df['a'].astype(str)` → `df['a'].astype(str).fillna('nan')`, where the run failed."""
    if not _leaves_missing(context, node) or not context.evidence(node):
        return None
    return _filled(node)


@codemod("pandas-astype-missing-input", on=cst.Call, names=("astype",))
def with_the_text_nan_before_a_model(context: Context, node: cst.Call) -> Answer:
    """The same where a model that gets it failed at missing values."""
    if not _leaves_missing(context, node):
        return None
    assert isinstance(node.func, cst.Attribute)
    if context.type_of(node.func.value) is None:
        return None
    failing = _names_at_errors(context)
    return _filled(node) if failing & _names_made_of(context, node) else None


def _leaves_missing(context: Context, node: cst.Call) -> bool:
    """Whether it is `astype(str)` of what may be a table or column, and nothing fills it."""
    dtype = argument(node, "dtype", 0)
    if dtype is None or not isinstance(node.func, cst.Attribute):
        return False
    if context.type_of(node.func.value) not in (SERIES, FRAME, None):
        return False
    is_text = string(dtype.value) == "str" or "builtins.str" in context.qualnames(dtype.value)
    above = context.parent(node)
    return is_text and not (isinstance(above, cst.Attribute) and above.attr.value == "fillna")


def _filled(node: cst.Call) -> Answer:
    filled = cst.Attribute(value=node, attr=cst.Name("fillna"))
    return one(node, cst.Call(func=filled, args=[cst.Arg(cst.SimpleString("'nan'"))]))


def _names_at_errors(context: Context) -> set[str]:
    """Names in the lines at which cells failed with the rule's symptom."""
    lines = {
        (error.cell_id, error.line) for error in context.run.errors if context.rule.matches(error)
    }
    return {
        node.value
        for cell in context.program.cells
        for cell_id, line in lines
        if cell.cell_id == cell_id
        for node in cell.places
        if isinstance(node, cst.Name) and (line is None or cell.lines(node)[0] == line)
    }


def _names_made_of(context: Context, node: cst.Call) -> set[str]:
    """Names that may stand for what came of the call, by assignments alone."""
    assigned = [
        (_target_names(assign), _names_in(assign.value), assign)
        for cell in context.program.cells
        for assign in cell.places
        if isinstance(assign, cst.Assign)
    ]
    above = set(context.cell.ancestors(node))
    found = {name for targets, _, assign in assigned if assign in above for name in targets}
    before = -1
    while len(found) > before:
        before = len(found)
        found |= {name for targets, read, _ in assigned if read & found for name in targets}
    return found


def _target_names(assign: cst.Assign) -> set[str]:
    """Names that an assignment gives, or gives a part of: `df` of `df['a'] = …`."""
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


def _names_in(node: cst.CSTNode) -> set[str]:
    return {one.value for one in descendants(node) if isinstance(one, cst.Name)}
