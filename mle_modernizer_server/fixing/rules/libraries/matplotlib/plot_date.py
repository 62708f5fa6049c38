"""`plot_date` took numbers for days; `plot` knows dates only by their type.

https://matplotlib.org/stable/api/dates_api.html#matplotlib.dates.num2date
https://matplotlib.org/3.10.0/api/_as_gen/matplotlib.axes.Axes.xaxis_date.html, which it called
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, same_literal
from mle_modernizer_server.code.types.type import INDEX, SERIES
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    Fix,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.lines import around, bare, before
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.templates import fix_template
from mle_modernizer_server.fixing.rules.rule import Template

_NUMBERS = frozenset({"date2num", "datestr2num", "epoch2num", "drange"})
_TEMPLATES = tuple(
    Template(
        do="template",
        parameters=parameters,
        drop={"xdate": ("True",)},
        write=f"{owner}.plot({{x}}, {{y}}, {marker}{{rest}})",
        functions=("matplotlib.pyplot.plot_date",) if owner == "{plt}" else (),
        imports={"matplotlib.pyplot": "plt"} if owner == "{plt}" else {},
        methods=() if owner == "{plt}" else ("plot_date",),
        distinctive=owner != "{plt}",
    )
    for owner in ("{plt}", "{self}")
    for parameters, marker in ((("x", "y", "fmt"), "{fmt}"), (("x", "y"), "'o'"))
)
_DATES = re.compile(r"datetime|strptime|date_range|num2date|Timestamp|\.index\b|\.date\b|\bdate\(")


@codemod("matplotlib-plot-date", on=cst.Call, names=("plot_date",))
def days(context: Context, node: cst.Call) -> Answer:
    """Rewrite `plt.plot_date(date2num(x), y)` as `plt.plot(num2date(date2num(x)), y, 'o')`.

    If they may be dates or numbers of days, insert `xaxis_date()` before.
    """
    x, dates = argument(node, "x", 0), argument(node, "xdate", 4)
    if x is None or (dates is not None and not same_literal(dates.value, True)):
        return None
    if _counts_days(context, x.value):
        module, imports = context.module(node, "matplotlib.dates", "mdates")
        return one(x.value, expression(f"{module}.num2date({context.code(x.value)})"), imports)
    if not _is_dates(context, x.value) and (answer := _on_dated_axis(context, node)):
        return answer
    answers = (fix_template(context, node, template) for template in _TEMPLATES)
    return next((answer for answer in answers if isinstance(answer, Fix)), None)


def _counts_days(context: Context, node: cst.BaseExpression) -> bool:
    made = context.written(node)
    if isinstance(made, cst.Attribute):
        return made.attr.value == "plot_date"  # of a Time of astropy
    return isinstance(made, cst.Call) and any(
        address.startswith(("matplotlib.dates.", "pylab.", "matplotlib.pylab."))
        and address.rpartition(".")[2] in _NUMBERS
        for address in context.qualnames(made.func)
    )


def _is_dates(context: Context, node: cst.BaseExpression) -> bool:
    made = context.written(node)
    if context.type_of(node) in (SERIES, INDEX):
        return True
    return bool(_DATES.search(context.cell.code(node) + context.code(made)))


def _on_dated_axis(context: Context, node: cst.Call) -> Answer:
    """Insert `ax.xaxis_date()` before the line that draws."""
    line = context.statement(node)
    imports: tuple[NewImport, ...] = ()
    if context.refers_to(node.func, "matplotlib.pyplot.plot_date"):
        pyplot, imports = context.module(node, "matplotlib.pyplot", "plt")
        text = f"{pyplot}.gca().xaxis_date()"
    elif isinstance(node.func, cst.Attribute):
        text = f"{context.code(node.func.value)}.xaxis_date()"
    else:
        return None
    if line is None or "(" in text.replace(".gca()", "")[: -len("()")]:
        return Unsure("whether they are dates or numbers of days cannot be told")
    above = around(context, line)[0]
    if above and bare(context, above[-1]) == text:
        return None
    return before(line, text, imports=imports)
