"""`astype(str)` leaves missing values missing since pandas 3.0; they had become the text `nan`.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, string
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.reaching import names_at_errors, names_made_of


@codemod("pandas-astype-missing", on=cst.Call, names=("astype",))
def with_the_text_nan(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df['a'].astype(str)` as `df['a'].astype(str).fillna('nan')` if the run failed."""
    if not _leaves_missing(context, node) or not context.evidence(node):
        return None
    return _filled(node)


@codemod("pandas-astype-missing-input", on=cst.Call, names=("astype",))
def with_the_text_nan_before_a_model(context: Context, node: cst.Call) -> Answer:
    """Do the same if a model that gets it failed at missing values."""
    if not _leaves_missing(context, node):
        return None
    assert isinstance(node.func, cst.Attribute)
    if context.type_of(node.func.value) is None:
        return None
    failing = names_at_errors(context)
    return _filled(node) if failing & names_made_of(context, node) else None


def _leaves_missing(context: Context, node: cst.Call) -> bool:
    """Return whether it is `astype(str)` of a possible table or column, without a `fillna`."""
    dtype = argument(node, "dtype", 0)
    if dtype is None or not isinstance(node.func, cst.Attribute):
        return False
    if context.type_of(node.func.value) not in (SERIES, FRAME, None):
        return False
    is_text = string(dtype.value) == "str" or context.refers_to(dtype.value, "builtins.str")
    above = context.parent(node)
    return is_text and not (isinstance(above, cst.Attribute) and above.attr.value == "fillna")


def _filled(node: cst.Call) -> Answer:
    filled = cst.Attribute(value=node, attr=cst.Name("fillna"))
    return one(node, cst.Call(func=filled, args=[cst.Arg(cst.SimpleString("'nan'"))]))
