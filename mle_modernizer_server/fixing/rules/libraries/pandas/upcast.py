"""Since pandas 3.0 a column does not change its type for a value that does not fit.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import descendants, string
from mle_modernizer_server.code.types.type import SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.lines import around, bare, before
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import index

_Statement = cst.SimpleStatementLine | cst.For | cst.While
_REFUSED = re.compile(r"Invalid value '(.*?)' for dtype '(\w+)'", re.DOTALL)
_NUMBER = r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|nan|[-+]?inf"
_NUMBERS = re.compile(rf"\[?\s*({_NUMBER})([\s,]+({_NUMBER}|\.\.\.))*\s*\]?")
_PRINTED_SERIES = re.compile(r".*\bdtype: (?P<dtype>\w+)\Z", re.DOTALL)
"""How pandas prints a Series: its last line names the type, the lines above begin with labels."""
_WHOLE = re.compile(r"u?int\d+")


@codemod("pandas-upcasting-setitem", on=cst.Assign)
def converted(context: Context, node: cst.Assign) -> Answer:
    """`df.loc[m, 'a'] = 0.5` → `df['a'] = df['a'].astype('float64')` in the line before."""
    return _converted(context, node, node.targets[0].target)


@codemod("pandas-upcasting-setitem", on=cst.AugAssign)
def converted_for_update(context: Context, node: cst.AugAssign) -> Answer:
    """Convert before `df.loc[m, 'a'] *= 0.5` in the same way."""
    return _converted(context, node, node.target)


def _converted(context: Context, node: cst.CSTNode, target: cst.CSTNode) -> Answer:
    if not isinstance(target, cst.Subscript) or not context.evidence(node):
        return None
    refused = [found for error in context.failing() if (found := _REFUSED.search(error.evalue))]
    if not refused:
        return None
    new_type = _type_for(*refused[0].groups())
    column = _column(context, target)
    if column is None:
        return Unsure("the column cannot be told")
    return with_column_converted(context, node, column, new_type)


def _type_for(value: str, dtype: str) -> str:
    """Return the code of the type that a column needs to take a value.

    Args:
        value: The refused value, as the error prints it.
        dtype: The column's type.
    """
    if dtype == "bool":
        return "object"
    printed = _PRINTED_SERIES.fullmatch(value)
    whole = printed is not None and _WHOLE.fullmatch(printed["dtype"]) is not None
    if printed is None and _NUMBERS.fullmatch(value):
        whole = re.search(r"[.a-z]", value) is None
    elif not whole and (printed is None or not printed["dtype"].startswith("float")):
        return "object"
    narrow = _WHOLE.fullmatch(dtype) and not dtype.endswith("64")
    return "'int64'" if whole and narrow else "'float64'"


def with_column_converted(
    context: Context, node: cst.CSTNode, column: str, new_type: str
) -> Answer:
    """Insert `df['a'] = df['a'].astype(object)` before the line that writes into the column.

    Args:
        node: The assignment.
        column: Code of the column.
        new_type: Code of the type.
    """
    line = context.parent(node)
    if not isinstance(line, cst.SimpleStatementLine) or line.body[0] is not node:
        return Unsure("the line holds more than the assignment")
    statement = _outside_loops(context, line, column)
    text = f"{column} = {column}.astype({new_type})"
    above = around(context, statement)[0]
    return None if above and bare(context, above[-1]) == text else before(statement, text)


def _outside_loops(context: Context, line: _Statement, column: str) -> _Statement:
    """Return the outermost loop around a line that binds no name of the column; else the line."""
    names = {
        node.value for node in descendants(cst.parse_expression(column)) if type(node) is cst.Name
    }
    found = line
    for above in context.cell.ancestors(line):
        if isinstance(above, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            break
        if not isinstance(above, (cst.For, cst.While)):
            continue
        if names & _bound_in(above) or _makes(context, above, column):
            break
        found = above
    return found


def _makes(context: Context, loop: cst.For | cst.While, column: str) -> bool:
    """Return whether the column is made in the loop and does not exist before."""
    return any(
        isinstance(node, cst.AssignTarget)
        and context.code(node.target).replace('"', "'") == column.replace('"', "'")
        for node in descendants(loop)
    )


def _bound_in(loop: cst.For | cst.While) -> set[str]:
    """Return the plain names that a loop binds."""
    targets: list[cst.CSTNode] = []
    for node in descendants(loop):
        if isinstance(node, (cst.For, cst.AugAssign, cst.NamedExpr, cst.AnnAssign)):
            targets.append(node.target)
        elif isinstance(node, cst.Assign):
            targets.extend(target.target for target in node.targets)
        elif isinstance(node, cst.AsName):
            targets.append(node.name)
    return {
        name.value
        for target in targets
        for name in (target.elements if isinstance(target, (cst.Tuple, cst.List)) else (target,))
        for name in descendants(name)
        if isinstance(name, cst.Name) and not isinstance(target, (cst.Subscript, cst.Attribute))
    }


def _column(context: Context, target: cst.Subscript) -> str | None:
    """Return the code of the assigned column: `df['a']`, or the name of a Series."""
    base = target.value
    if isinstance(base, cst.Attribute) and base.attr.value in ("loc", "at", "iloc", "iat"):
        if len(target.slice) == 2:
            label = index(target.slice[1].slice)
            if base.attr.value in ("iloc", "iat"):
                return _column_at(context, base.value, label)
            if label is None or isinstance(label, cst.Comparison):
                return None  # `df[…]` with these takes rows
            return f"{context.code(base.value)}[{context.code(label)}]"
        base = base.value
    known = isinstance(base, (cst.Name, cst.Subscript)) and context.type_of(base) == SERIES
    return context.code(base) if known else None


def _column_at(
    context: Context, table: cst.BaseExpression, position: cst.BaseExpression | None
) -> str | None:
    """Return the code of a column by position: `df[df.columns[0]]`, or `df['a']` for `get_loc`."""
    frame = context.code(table)
    if isinstance(position, cst.Call) and context.code(position.func) == f"{frame}.columns.get_loc":
        label = position.args[0].value if len(position.args) == 1 else None
        if label is None or string(label) is None:
            return None
        return f"{frame}[{context.code(label)}]"
    if isinstance(position, cst.Integer) or (
        isinstance(position, cst.UnaryOperation) and isinstance(position.expression, cst.Integer)
    ):
        return f"{frame}[{frame}.columns[{context.code(position)}]]"
    return None
