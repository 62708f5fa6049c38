"""`factorplot` was renamed in seaborn 0.9 and removed in 0.12: `catplot(kind='point')`.

https://seaborn.pydata.org/whatsnew/v0.9.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    dotted_name,
    expression,
    has_double_star,
    keyword_arg,
    with_keyword,
)
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_aliases

_PARAMETERS = ("x", "y", "hue", "data", "row", "col", "col_wrap", "estimator", "ci", "n_boot")


@codemod("seaborn-factorplot", on=cst.Call, functions=("seaborn.factorplot",))
def catplot(context: Context, node: cst.Call) -> Answer:
    """`sns.factorplot('a', 'b', data=d)` → `sns.catplot(x='a', y='b', data=d, kind='point')`."""
    args = []
    for index, arg in enumerate(node.args):
        if arg.star == "*" or (arg.keyword is None and index >= len(_PARAMETERS)):
            return Unsure("its arguments cannot be told apart")
        new = arg
        if arg.keyword is None and not arg.star:
            named = keyword_arg(_PARAMETERS[index], arg.value)
            new = arg.with_changes(keyword=named.keyword, equal=named.equal)
        elif arg.keyword is not None and arg.keyword.value == "size":
            new = arg.with_changes(keyword=cst.Name("height"))
        args.append(new)
    call = node.with_changes(args=args)
    if argument(call, "kind") is None:
        call = with_keyword(call, "kind", cst.SimpleString(f"'{_usual_kind(call)}'"))
    if isinstance(node.func, cst.Attribute):
        return one(node, call.with_changes(func=node.func.with_changes(attr=cst.Name("catplot"))))
    name, imports = context.imported(node, "seaborn", "catplot", "catplot")
    return Fix((Change(node, call.with_changes(func=expression(name))),), imports)


def _usual_kind(call: cst.Call) -> str:
    """Return the default of `kind`; without values it was a count of each category.

    Seaborn 0.6 made `'point'` the default, which plots nothing for a single column of categories.
    """
    if has_double_star(call):
        return "point"
    given = [name for name in ("x", "y") if argument(call, name) is not None]
    return "count" if len(given) == 1 else "point"


@codemod("seaborn-factorplot", on=cst.ImportFrom)
def imported(context: Context, node: cst.ImportFrom) -> Answer:
    """Import `catplot` instead: `from seaborn import factorplot` would fail."""
    if dotted_name(node.module) != "seaborn":
        return None
    return with_aliases(
        node,
        lambda alias: (
            alias.with_changes(name=cst.Name("catplot"))
            if alias.evaluated_name == "factorplot" and alias.asname is None
            else alias
        ),
    )
