"""`convert_objects` was removed in pandas 0.25.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, literal, receiver_text
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_OF_TABLE = (
    "{table}.apply(lambda column: numbers if column.dtype.kind == 'O' and "
    "(numbers := {pd}.to_numeric(column, errors='coerce')).notna().any() else column)"
)
"""A column without any number stayed unchanged."""


@codemod("pandas-convert-objects", on=cst.Call, names=("convert_objects",))
def converted(context: Context, node: cst.Call) -> Answer:
    """Rewrite `s.convert_objects(convert_numeric=True)` as `pd.to_numeric(s, errors='coerce')`."""
    if not isinstance(node.func, cst.Attribute) or context.qualnames(node.func):
        return None
    values = node.func.value
    if not node.args:
        return one(node, expression(f"{receiver_text(values)}.infer_objects()"))
    numbers = argument(node, "convert_numeric", 1)
    if len(node.args) != 1 or numbers is None or literal(numbers.value) is not True:
        return Unsure("only numbers can be told to be wanted")
    if context.type_of(values) == FRAME:
        pd, imports = context.module(node, "pandas", "pd")
        text = _OF_TABLE.format(table=receiver_text(values), pd=pd)
        return one(node, expression(text), imports)
    if context.type_of(values) != SERIES:
        return Unsure(f"it is not known that `{context.code(values)}` is a column of numbers")
    pd, imports = context.module(node, "pandas", "pd")
    text = f"{pd}.to_numeric({context.code(values)}, errors='coerce')"
    return one(node, expression(text), imports)
