"""`tsplot` was removed in seaborn 0.10: `lineplot` draws series over time.

https://seaborn.pydata.org/whatsnew/v0.9.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.kind import SERIES
from mle_modernizer_server.fixing.rules.registry import codemod
from mle_modernizer_server.fixing.rules.scene import Answer, Scene, Unsure, one
from mle_modernizer_server.fixing.rules.tree import argument, expression, literal, string

_NAMES = {"time": "x", "value": "y", "condition": "hue"}
_KEPT = ("color", "ax", "legend", "estimator", "n_boot")
_ORDER = ("data", "time", "unit", "condition", "value")


@codemod(cst.Call, "tsplot")
def lineplot(scene: Scene, node: cst.Call) -> Answer:
    """`sns.tsplot(d, time='t', unit='u', value='v')` → `sns.lineplot(data=d, x='t', y='v', …)`."""
    if "seaborn.tsplot" not in scene.qualnames(node.func) or not isinstance(
        node.func, cst.Attribute
    ):
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
    if len(given) != len(node.args) or "data" not in given:
        return Unsure("it has arguments that lineplot does not know")
    words = _of_one_series(scene, given) or _of_table(scene, given)
    if words is None:
        return Unsure("the shape of its data cannot be told")
    words += [f"{name}={scene.code(given[name])}" for name in _KEPT if name in given]
    return one(node, expression(f"{scene.code(node.func.value)}.lineplot({', '.join(words)})"))


def _of_one_series(scene: Scene, given: dict[str, cst.BaseExpression]) -> list[str] | None:
    """Over its numbers from 0 on, as one line; there is nothing to estimate."""
    data = given["data"]
    values = literal(data)
    plain = isinstance(values, list) and not any(isinstance(one, list) for one in values)
    if any(name in given for name in _ORDER[1:]) or not (plain or scene.kind(data) == SERIES):
        return None
    code = scene.code(data)
    return [f"x=range(len({code}))", f"y={code}"]


def _of_table(scene: Scene, given: dict[str, cst.BaseExpression]) -> list[str] | None:
    if string(given.get("time")) is None or string(given.get("value")) is None:
        return None
    if string(given.get("condition", given["time"])) is None:
        return None
    words = [f"data={scene.code(given['data'])}"]
    words += [f"{new}={scene.code(given[old])}" for old, new in _NAMES.items() if old in given]
    level = given.get("ci")
    style = string(given.get("err_style"))
    if style in ("unit_traces", "unit_points", "boot_traces", "boot_kde"):
        return None
    if style == "ci_bars":
        words.append("err_style='bars'")
    return [*words, f"errorbar=('ci', {scene.code(level) if level is not None else 68})"]
