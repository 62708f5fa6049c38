"""Properties of artists are case-sensitive since matplotlib 3.5: `Label=` is `label=`.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.3.0.html#case-insensitive-properties
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_FUNCTIONS = (
    *("plot", "scatter", "hist", "bar", "barh", "step", "errorbar", "fill_between", "pie", "stem"),
    *("title", "suptitle", "xlabel", "ylabel", "set_title", "set_xlabel", "set_ylabel", "set"),
    *("text", "annotate", "axhline", "axvline", "hlines", "vlines", "legend", "xticks", "yticks"),
)
_PROPERTIES = frozenset(
    {
        *("label", "color", "linewidth", "linestyle", "marker", "markersize", "alpha", "rotation"),
        *("fontsize", "fontweight", "fontname", "fontstyle", "fontfamily", "facecolor"),
        *("edgecolor", "markerfacecolor", "markeredgecolor", "markeredgewidth", "zorder"),
    }
)


@codemod("matplotlib-lower-case", on=cst.Call, names=_FUNCTIONS)
def lower_case(context: Context, node: cst.Call) -> Answer:
    """Rewrite `plt.plot(x, Label='a', LineWidth=2)` as `plt.plot(x, label='a', linewidth=2)`."""
    pyplot = context.comes_from(node.func, "matplotlib")
    if not pyplot and not context.evidence(node):
        return None
    given = {arg.keyword.value for arg in node.args if arg.keyword is not None}
    args = []
    for arg in node.args:
        name = arg.keyword.value if arg.keyword is not None else ""
        lower = name.lower()
        if lower != name and lower in _PROPERTIES and lower not in given:
            arg = arg.with_changes(keyword=cst.Name(lower))
        args.append(arg)
    if all(new is old for new, old in zip(args, node.args, strict=True)):
        return None
    return one(node, node.with_changes(args=args))
