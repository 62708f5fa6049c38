"""`plot_date` took numbers for days; `plot` knows dates only by their type.

https://matplotlib.org/stable/api/dates_api.html#matplotlib.dates.num2date
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, expression, same_literal

_NUMBERS = frozenset({"date2num", "datestr2num", "epoch2num", "drange"})


@codemod("matplotlib-plot-date", on=cst.Call, names=("plot_date",))
def days(context: Context, node: cst.Call) -> Answer:
    """`plt.plot_date(date2num(x), y)` → `plt.plot(num2date(date2num(x)), y, 'o')`."""
    x, dates = argument(node, "x", 0), argument(node, "xdate", 4)
    if x is None or (dates is not None and not same_literal(dates.value, True)):
        return None
    if not _counts_days(context, x.value):
        return None
    module, imports = context.module(node, "matplotlib.dates", "mdates")
    return one(x.value, expression(f"{module}.num2date({context.code(x.value)})"), imports)


def _counts_days(context: Context, node: cst.BaseExpression) -> bool:
    made = context.written(node)
    return isinstance(made, cst.Call) and any(
        address.startswith(("matplotlib.dates.", "pylab.", "matplotlib.pylab."))
        and address.rpartition(".")[2] in _NUMBERS
        for address in context.qualnames(made.func)
    )
