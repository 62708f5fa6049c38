"""`tsplot` was removed in seaborn 0.10: `lineplot` draws series over time.

https://seaborn.pydata.org/whatsnew/v0.9.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, literal, string
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NAMES = {"time": "x", "value": "y", "condition": "hue"}
_KEPT = ("color", "ax", "legend", "estimator", "n_boot")
_TRACES = ("unit_traces", "unit_points", "boot_traces", "boot_kde")
_ORDER = ("data", "time", "unit", "condition", "value")


@codemod("seaborn-tsplot", on=cst.Call, functions=("seaborn.tsplot",))
def lineplot(context: Context, node: cst.Call) -> Answer:
    """`sns.tsplot(d, time='t', unit='u', value='v')` → `sns.lineplot(data=d, x='t', y='v', …)`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    if any(arg.star for arg in node.args):
        return Unsure("its arguments cannot be told apart")
    given = {
        name: arg.value
        for at, name in enumerate(_ORDER)
        if (arg := argument(node, name, at)) is not None
    }
    for name in (*_KEPT, "ci", "err_style", "interpolate"):
        if (arg := argument(node, name)) is not None:
            given[name] = arg.value
    traces = string(given.get("err_style")) in _TRACES
    if traces or len(given) != len(node.args) or "data" not in given:
        return Unsure("it has arguments that lineplot does not know")
    imports: tuple[NewImport, ...] = ()
    words = _of_one_series(context, given) or _of_table(context, given)
    if words is None:
        words, imports = _of_units(context, node, given)
    if words is None:
        return Unsure("the shape of its data cannot be told")
    words += [f"{name}={_code(context, name, given[name])}" for name in _KEPT if name in given]
    text = f"{context.code(node.func.value)}.lineplot({', '.join(words)})"
    return one(node, expression(text), imports)


def _code(context: Context, name: str, value: cst.BaseExpression) -> str:
    """Return the code of a value; of a palette with one colour, the colour."""
    code = context.code(value)
    palette = name == "color" and context.refers_to(
        value.func if isinstance(value, cst.Call) else value, "seaborn.color_palette"
    )
    return f"{code}[0]" if palette else code


def _of_one_series(context: Context, given: dict[str, cst.BaseExpression]) -> list[str] | None:
    """Return the arguments that plot a series over 0, 1, …, as one line without an estimate."""
    data = given["data"]
    values = literal(data)
    plain = isinstance(values, list) and not any(isinstance(one, list) for one in values)
    label = _label(context, given)
    if label is None or not (plain or context.type_of(data) == SERIES):
        return None
    code = context.code(data)
    return [f"x=range(len({code}))", f"y={code}", *label]


def _label(context: Context, given: dict[str, cst.BaseExpression]) -> list[str] | None:
    """Return the name in the legend if the data are no table; None if they are one."""
    if any(name in given for name in ("time", "unit", "value")):
        return None
    condition = given.get("condition")
    return [] if condition is None else [f"label={context.code(condition)}"]


def _of_units(
    context: Context, node: cst.Call, given: dict[str, cst.BaseExpression]
) -> tuple[list[str] | None, tuple[NewImport, ...]]:
    """Return the arguments for an array: a row for each unit, or one row for all."""
    label = _label(context, given)
    if label is None or context.type_of(given["data"]) == FRAME:
        return None, ()
    np, first = context.module(node, "numpy", "np")
    pd, second = context.module(node, "pandas", "pd")
    table = f"{pd}.DataFrame({np}.atleast_2d({context.code(given['data'])})).melt()"
    words = [f"data={table}", "x='variable'", "y='value'", *_spread(context, given), *label]
    return words, (*first, *second)


def _of_table(context: Context, given: dict[str, cst.BaseExpression]) -> list[str] | None:
    if string(given.get("time")) is None or string(given.get("value")) is None:
        return None
    if string(given.get("condition", given["time"])) is None:
        return None
    words = [f"data={context.code(given['data'])}"]
    words += [f"{new}={context.code(given[old])}" for old, new in _NAMES.items() if old in given]
    return words + _spread(context, given)


def _spread(context: Context, given: dict[str, cst.BaseExpression]) -> list[str]:
    """Return the arguments for the confidence interval: 68 % by default."""
    level = given.get("ci")
    bars = ["err_style='bars'"] if string(given.get("err_style")) == "ci_bars" else []
    return [*bars, f"errorbar=('ci', {context.code(level) if level is not None else 68})"]
