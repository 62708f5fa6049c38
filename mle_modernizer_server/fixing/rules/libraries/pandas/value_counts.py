"""`value_counts` names its result differently since pandas 2.0.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#value-counts-sets-the-resulting-name-to-count

It matters if the names become columns: `reset_index()`, `to_frame()`, `pd.DataFrame(counts)`.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import args_text, argument, expression, receiver_text
from mle_modernizer_server.code.types.type import SERIES
from mle_modernizer_server.fixing.rules.engine.columns import Column, column_of
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.lines import around, own_line
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_KEEPS = ("head", "tail", "sort_index", "sort_values", "nlargest", "nsmallest", "copy", "iloc")
_COUNT = re.compile(r"""(['"])(count|proportion)\1""")
_INDEX = re.compile(r"""(['"])index\1|\.index\b""")
_GIVES_NAMES = re.compile(
    r"""\bnames?\s*=|\bcolumns\s*=\s*\[|\bagg\("""
    r"""|(to_frame|rename|reset_index)\(\s*['"]|:\s*['"](count|proportion)"""
)
"""Code that may have set that column name before."""


@codemod("pandas-value-counts", on=cst.Call, functions=("pandas.value_counts",))
def function(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.value_counts(df['a'], sort=True)` as `df['a'].value_counts(sort=True)`."""
    if not node.args:
        return None
    values = node.args[0]
    if values.star or (values.keyword is not None and values.keyword.value != "values"):
        return None
    if any(arg.keyword is None for arg in node.args[1:]):
        return None
    called_on = receiver_text(values.value)
    if context.type_of(values.value) != SERIES and not isinstance(
        column_of(context, values.value), Column
    ):
        if not isinstance(node.func, cst.Attribute):
            return None
        called_on = f"{context.code(node.func.value)}.Series({context.code(values.value)})"
    return one(node, expression(f"{called_on}.value_counts({args_text(node.args[1:])})"))


@codemod("pandas-value-counts-names", on=cst.Call, names=("reset_index", "to_frame"))
def as_table(context: Context, node: cst.Call) -> Answer:
    """`df['a'].value_counts().reset_index()`: restore the columns `index` and `a`."""
    if not isinstance(node.func, cst.Attribute) or _named_next(context, node):
        return None
    return _named(context, node, node.func.value)


@codemod("pandas-value-counts-names", on=cst.Call, functions=("pandas.DataFrame",))
def made_table(context: Context, node: cst.Call) -> Answer:
    """`pd.DataFrame(df['a'].value_counts())`: restore the column `a`."""
    if not node.args:
        return None
    if _named_next(context, node):
        return None
    return _named(context, node, node.args[0].value)


def _named_next(context: Context, node: cst.Call) -> bool:
    """Return whether the next line renames all columns: `t = ….reset_index(); t.columns = […]`."""
    assignment = context.parent(node)
    below = around(context, own_line(context, assignment))[1]
    if not isinstance(assignment, cst.Assign) or not below:
        return False
    target = context.code(assignment.targets[0].target).strip()
    first = below[0].body[0] if isinstance(below[0], cst.SimpleStatementLine) else None
    return (
        isinstance(first, cst.Assign)
        and any(context.code(one.target).strip() == f"{target}.columns" for one in first.targets)
        and isinstance(first.value, cst.List)
    )


def _named(context: Context, table: cst.Call, node: cst.BaseExpression) -> Answer:
    counts = _counts(context, node)
    if counts is None:
        return None
    assert isinstance(counts.func, cst.Attribute)
    parent = context.parent(counts)
    if isinstance(parent, cst.Attribute) and parent.attr.value in ("rename_axis", "rename"):
        return None
    column = counts.func.value
    inferred = context.type_of(column)
    if inferred is not None and inferred != SERIES:
        return None
    if _asks_for_count(context, table):
        return Unsure("a column `count` is asked for, which is its name since pandas 2.0")
    found = column_of(context, _source(column))
    if isinstance(found, Column) and _asks_for_values(context, table, found.name):
        return Unsure("the column is asked for by the name that it has since pandas 2.0")
    if isinstance(found, Column):
        name = found.name
    elif inferred == SERIES:
        code = receiver_text(column)
        if len(code) > 60:
            return Unsure("the name of the column is not written out")
        name = f"{code}.name"
    else:
        return Unsure(f"what `{context.code(column)}` is cannot be told")
    code = context.code(counts)
    return one(counts, expression(f"{code}.rename_axis(None).rename({name})"))


def _asks_for_count(context: Context, table: cst.Call) -> bool:
    """Return whether lines that use the table use pandas 2.0's column name, and none sets it."""
    made = _whole(context, table)
    lines = [_line(context, use) for use in context.uses(made)]
    return any(map(_COUNT.search, lines)) and not any(map(_GIVES_NAMES.search, lines))


def _asks_for_values(context: Context, table: cst.Call, name: str) -> bool:
    """Return whether the counts get a name, and uses of the table expect the new column of values.

    `t = df['a'].value_counts().reset_index(name='n')`, `t.merge(other, on='a')`: the old name was
    `index`.
    """
    assert isinstance(table.func, cst.Attribute)
    position = {"reset_index": 2, "to_frame": 0}.get(table.func.attr.value)
    if position is None or argument(table, "name", position) is None:
        return False
    own = _line(context, table)
    used = [_line(context, use) for use in context.uses(_whole(context, table))]
    lines = [own.replace(context.code(table), ""), *(line for line in used if line != own)]
    if any(_INDEX.search(line) or _GIVES_NAMES.search(line) for line in lines):
        return False
    own_name = re.escape(name.strip("'\""))
    asked = re.compile(rf"""(['"]){own_name}\1""")
    return any(map(asked.search, lines))


def _whole(context: Context, table: cst.Call) -> cst.BaseExpression:
    """Return the whole chain of calls on the table, as assigned to a name."""
    made: cst.BaseExpression = table
    above = context.parent(made)
    while isinstance(above, (cst.Attribute, cst.Call)):
        made, above = above, context.parent(above)
    return made


def _line(context: Context, node: cst.BaseExpression) -> str:
    """Return the code of the statement around an expression; the first line of a compound one."""
    cell = context.program.cell_of(node)
    for above in cell.ancestors(node):
        if isinstance(above, cst.SimpleStatementLine):
            return cell.code(above)
        if isinstance(above, cst.BaseCompoundStatement):
            return cell.code(above).strip().split("\n")[0]
    return ""


def _source(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return the column behind methods that preserve its name: `df['a'].str.lower().fillna('')`."""
    while True:
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            node = node.func.value
        elif isinstance(node, cst.Attribute) and node.attr.value in ("str", "dt"):
            node = node.value
        else:
            return node


def _counts(context: Context, node: cst.BaseExpression) -> cst.Call | None:
    """Return the call of `value_counts` whose result this is, perhaps cut or sorted."""
    for _ in range(8):
        if isinstance(node, cst.Name):
            node = context.written(node)
        elif isinstance(node, cst.Subscript) or (
            isinstance(node, cst.Attribute) and node.attr.value == "iloc"
        ):
            node = node.value
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            if node.func.attr.value == "value_counts":
                return None if context.qualnames(node.func) else node
            if node.func.attr.value not in _KEEPS:
                return None
            node = node.func.value
        else:
            return None
    return None
