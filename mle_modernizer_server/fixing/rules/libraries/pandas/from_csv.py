"""`DataFrame.from_csv` was removed in pandas 0.25; it was `read_csv` with two other defaults.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import arguments

_PARAMETERS = ("path", "header", "sep", "index_col", "parse_dates", "encoding")
_WITHOUT_EFFECT = ("tupleize_cols", "infer_datetime_format")
_DEFAULTS = {"index_col": "0", "parse_dates": "True"}


@codemod("pandas-from-csv", on=cst.Call, functions=("pandas.DataFrame.from_csv",))
def read(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.DataFrame.from_csv(f)` as `pd.read_csv(f, index_col=0, parse_dates=True)`."""
    values = arguments(node, _PARAMETERS)
    if values is None:
        return Unsure("its arguments cannot be told apart")
    given = {name: context.code(value) for name, value in values.items()}
    path = given.pop("path", None)
    if path is None:
        return Unsure("it is given no file")
    named = {name: code for name, code in given.items() if name not in _WITHOUT_EFFECT}
    pd, imports = context.module(node, "pandas", "pd")
    written = "".join(f", {name}={code}" for name, code in ({**_DEFAULTS, **named}).items())
    return one(node, expression(f"{pd}.read_csv({path}{written})"), imports)
