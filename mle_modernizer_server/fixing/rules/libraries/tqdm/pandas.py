"""`tqdm.pandas(tqdm(...))`: it takes the arguments of the bar, no longer the bar.

https://tqdm.github.io/docs/tqdm/#pandas
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_BARS = ("tqdm.tqdm", "tqdm.tqdm_notebook", "tqdm.auto.tqdm", "tqdm.notebook.tqdm")


@codemod("tqdm-pandas-argument", on=cst.Call, names=("pandas",))
def by_arguments(context: Context, node: cst.Call) -> Answer:
    """Rewrite `tqdm.pandas(tqdm(desc='x'))` as `tqdm.pandas(desc='x')`."""
    if not isinstance(node.func, cst.Attribute) or len(node.args) != 1:
        return None
    owners = (f"{bar}.pandas" for bar in _BARS)
    if not context.refers_to(node.func, *owners):
        return None
    bar = node.args[0]
    if bar.keyword is not None or bar.star:
        return None
    value = bar.value
    if isinstance(value, (cst.Name, cst.Attribute)):
        return one(node, node.with_changes(args=[]))
    if not isinstance(value, cst.Call) or any(arg.keyword is None for arg in value.args):
        return Unsure("the bar's arguments are not given by name")
    return one(node, node.with_changes(args=value.args))
