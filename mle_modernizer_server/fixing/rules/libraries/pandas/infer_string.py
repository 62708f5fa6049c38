"""pandas 3.0 reads text into columns of type `str`, no longer `object`.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#dedicated-string-data-type-by-default

Loops over `dtype == 'object'` find no text column any more, and a number cannot be written into
such a column. One option restores the old type for the whole notebook.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import descendants, receiver, string
from mle_modernizer_server.fixing.rules.engine.columns import Column, column_of
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.lines import behind_import
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key
from mle_modernizer_server.fixing.rules.libraries.pandas.written_numbers import is_number

_ACCESSORS = ("loc", "iloc", "at", "iat", "ix")
_OPTION = "future.infer_string"


@codemod("pandas-infer-string", on=cst.ComparisonTarget)
def compared(context: Context, node: cst.ComparisonTarget) -> Answer:
    """`df[c].dtype == 'object'`, `t in ['object']`: text columns are no longer `object`."""
    comparison = context.parent(node)
    assert isinstance(comparison, cst.Comparison)
    sides = [comparison.left, *(part.comparator for part in comparison.comparisons)]
    if not any(_is_object(context, side) for side in sides):
        return None
    if not any(_is_dtype(context, side) for side in sides):
        return None
    return switch(context)


@codemod("pandas-infer-string", on=cst.Assign)
def numbered(context: Context, node: cst.Assign) -> Answer:
    """`df.loc[df['a'] == 'x', 'a'] = 1`: a column compared with a text is text."""
    target = node.targets[0].target
    if not isinstance(target, cst.Subscript) or not is_number(node.value):
        return None
    if _is_asked_about(context, node, target):
        return switch(context)
    compared_texts = [
        compared
        for compared in descendants(target)
        if isinstance(compared, cst.Comparison)
        and isinstance(compared.comparisons[0].operator, cst.Equal)
        and string(compared.comparisons[0].comparator) is not None
    ]
    for comparison in compared_texts:
        column = column_of(context, comparison.left)
        if isinstance(column, Column) and context.code(target).count(column.name) >= 2:
            return switch(context)
    return None


def _is_asked_about(context: Context, node: cst.Assign, target: cst.Subscript) -> bool:
    """Return whether the replaced value was compared with a text before.

    `if df['a'][i] == 'x': df['a'][i] = 1`.
    """
    part_of_table = (
        isinstance(target.value, cst.Attribute) and target.value.attr.value in _ACCESSORS
    )
    if not part_of_table and not isinstance(column_of(context, target.value), Column):
        return False
    tests = [above.test for above in context.cell.ancestors(node) if isinstance(above, cst.If)]
    replaced = _squeezed(context.code(target))
    return any(
        isinstance(one, cst.Comparison)
        and isinstance(one.comparisons[0].operator, (cst.Equal, cst.NotEqual))
        and string(one.comparisons[0].comparator) is not None
        and _squeezed(context.code(one.left)) == replaced
        for where in (*tests, node.value)
        for one in descendants(where)
    )


def _squeezed(code: str) -> str:
    return code.replace(" ", "").replace('"', "'")


@codemod("pandas-infer-string", on=cst.Module)
def refused(context: Context, node: cst.Module) -> Answer:
    """Switch if the run failed at a text column that takes no numbers."""
    return switch(context) if context.failing() else None


@codemod(
    "pandas-infer-string",
    on=cst.Call,
    names=("eq", "ne", "isin", "pipe", "apply", "map", "groupby", "is_object_dtype"),
)
def asked(context: Context, node: cst.Call) -> Answer:
    """`df.dtypes.eq('object')`, `df.dtypes.pipe(lambda t: …)`, `columns.groupby(df.dtypes)`."""
    if any(name.endswith(".is_object_dtype") for name in context.qualnames(node.func)):
        return switch(context)
    if not isinstance(node.func, cst.Attribute):
        return None
    values = [arg.value for arg in node.args]
    if node.func.attr.value == "groupby":
        return switch(context) if any(_is_dtype(context, value) for value in values) else None
    if not _is_dtype(context, node.func.value):
        return None
    inner = [part for value in values for part in descendants(value)]
    said = any(isinstance(one, cst.BaseExpression) and _is_object(context, one) for one in inner)
    return switch(context) if said else None


@codemod("pandas-infer-string", on=cst.Subscript)
def counted(context: Context, node: cst.Subscript) -> Answer:
    """`df.dtypes.value_counts()['object']`."""
    counted_by, label = receiver(node.value, "value_counts"), key(node)
    if counted_by is None or label is None:
        return None
    if not _is_dtype(context, counted_by) or not _is_object(context, label):
        return None
    return switch(context)


def _is_object(context: Context, node: cst.BaseExpression) -> bool:
    if isinstance(node, (cst.List, cst.Tuple, cst.Set)):
        return any(_is_object(context, element.value) for element in node.elements)
    if isinstance(node, cst.Call) and context.refers_to(node.func, "numpy.dtype"):
        return any(_is_object(context, arg.value) for arg in node.args)
    if string(node) in ("object", "O", "|O"):
        return True
    names = context.qualnames(node)
    return bool({"builtins.object", "numpy.object", "numpy.object_"} & set(names))


def _is_dtype(context: Context, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Attribute):
        if node.attr.value in ("name", "kind", "type", "values"):
            return _is_dtype(context, node.value)
        return node.attr.value in ("dtype", "dtypes")
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
        return node.func.value in ("str", "type") and any(
            _is_dtype(context, arg.value) for arg in node.args
        )
    if isinstance(node, cst.Subscript):
        return _is_dtype(context, node.value)
    if isinstance(node, cst.Name):
        found = context.program.lookup(node.value, node)
        values = [getattr(binding.bound, "value", None) for binding in found.bindings]
        return any(value is not None and "dtype" in context.code(value) for value in values)
    return False


def switch(context: Context) -> Answer:
    """Put `pd.options.future.infer_string = False` behind the notebook's pandas import."""
    if any(_OPTION in cell.source for cell in context.program.cells):
        return None
    return behind_import(context, "pandas", lambda local: f"{local}.options.{_OPTION} = False")
