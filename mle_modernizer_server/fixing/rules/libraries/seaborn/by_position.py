"""Since seaborn 0.12 `kdeplot`, `lineplot` and similar functions take only the data by position.

https://seaborn.pydata.org/whatsnew/v0.12.0.html

One variable of `lineplot`, `scatterplot` or `relplot` was meaningless before: a single argument is
the data of newer code. `orient='v'` made any one variable the vertical one; today its name decides.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, positional, string
from mle_modernizer_server.code.types.type import FRAME
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.calls import fix_call
from mle_modernizer_server.fixing.rules.rule import CallFix

_FIX = CallFix(
    do="call",
    functions=("seaborn.kdeplot", "seaborn.rugplot"),
    parameters=("x", "y"),
    keyword_after=0,
)
_CATEGORY = CallFix(
    do="call",
    functions=("seaborn.countplot", "seaborn.catplot"),
    parameters=("x", "y", "hue", "data"),
    keyword_after=0,
)
_COLUMNS = ("x", "y", "hue", "size", "style", "row", "col")
_RELATIONS = ("lineplot", "relplot", "scatterplot")
_RELATION = CallFix(
    do="call",
    functions=tuple(f"seaborn.{name}" for name in _RELATIONS),
    parameters=("x", "y", "hue"),
    keyword_after=0,
)


@codemod("seaborn-positional", on=cst.Call)
def oriented(context: Context, node: cst.Call) -> Answer:
    """`sns.boxplot(a, orient='v')` → `sns.boxplot(y=a, orient='v')` for the rule's functions."""
    orient = argument(node, "orient")
    if orient is None:
        return None
    fixes = (fix for fix in context.rule.fixes if isinstance(fix, CallFix))
    fix = next(fix for fix in fixes if "orient" in fix.unless)
    alone = len(positional(node)) == 1 and argument(node, "y") is None
    direction = string(orient.value) if alone else "h"
    if direction is None:
        return Unsure("the direction of the plot is not written here")
    names = ("y",) if direction.startswith("v") else fix.parameters
    return fix_call(context, node, fix.model_copy(update={"unless": (), "parameters": names}))


@codemod("seaborn-positional", on=cst.Call, names=("kdeplot",))
def two_variables(context: Context, node: cst.Call) -> Answer:
    """Rewrite `sns.kdeplot(a, b)` as `sns.kdeplot(x=a, y=b)`; leave a single variable unchanged."""
    return fix_call(context, node, _FIX) if len(positional(node)) == 2 else None


@codemod("seaborn-positional", on=cst.Call, names=("kdeplot", "rugplot"))
def variable_of_data(context: Context, node: cst.Call) -> Answer:
    """`sns.kdeplot('a', data=d)` → `sns.kdeplot(x='a', data=d)`: the first place is the data's."""
    if len(positional(node)) != 1 or argument(node, "data") is None:
        return None
    return fix_call(context, node, _FIX)


@codemod("seaborn-positional", on=cst.Call, names=_RELATIONS)
def related(context: Context, node: cst.Call) -> Answer:
    """Rewrite `sns.lineplot(a, b)` as `sns.lineplot(x=a, y=b)`; not `sns.lineplot(table)`."""
    if _is_alone(node) and (argument(node, "y") is None or _names_columns(node)):
        return None
    return fix_call(context, node, _RELATION)


@codemod("seaborn-positional", on=cst.Call, names=("countplot", "catplot"))
def category(context: Context, node: cst.Call) -> Answer:
    """`sns.countplot(d['a'])` → `sns.countplot(x=d['a'])`; not `sns.countplot(table, y='a')`.

    `catplot` could draw no variable without a table, so a single argument is one.
    """
    if _is_alone(node):
        table = context.type_of(positional(node)[0].value) == FRAME or _names_columns(node)
        if table or context.refers_to(node.func, "seaborn.catplot"):
            return None
    return fix_call(context, node, _CATEGORY)


def _is_alone(node: cst.Call) -> bool:
    """Return whether all data are in one positional argument."""
    return len(positional(node)) == 1 and argument(node, "data") is None


def _names_columns(node: cst.Call) -> bool:
    """Return whether an argument names a column, which must belong to the positional argument."""
    given = (argument(node, name) for name in _COLUMNS)
    return any(arg is not None and string(arg.value) is not None for arg in given)
