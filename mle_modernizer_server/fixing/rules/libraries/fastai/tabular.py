"""`TabularDataBunch` and `CollabDataBunch` of fastai 1 as the `DataLoaders` of fastai 2.

https://docs.fast.ai/tabular.data.html, https://docs.fast.ai/collab.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import arguments
from mle_modernizer_server.fixing.rules.libraries.fastai.names import is_first, name_of, named

_TABULAR = ("path", "df", "dep_var", "valid_idx", "procs", "cat_names", "cont_names")
_COLLAB = ("ratings", "valid_pct", "user_name", "item_name", "rating_name")
_SAME = ("bs", "val_bs", "num_workers", "device")
_COUNTED = r"accuracy"
"""Metric of class labels: of integers fastai 1 made classes, and fastai 2 makes numbers."""


@codemod("fastai-tabular-bunch", on=cst.Call, names=("from_df",))
def bunch(context: Context, node: cst.Call) -> Answer:
    """Rewrite `TabularDataBunch.from_df(p, df, y, …)` as `TabularDataLoaders.from_df(df, p, …)`."""
    if not isinstance(node.func, cst.Attribute) or not is_first(context):
        return None
    old = name_of(context, node.func.value)
    if old not in ("TabularDataBunch", "CollabDataBunch"):
        return None
    places = _TABULAR if old == "TabularDataBunch" else _COLLAB
    extra = ("classes", "seed", "path", "test_df", "test", *_SAME)
    values = arguments(node, places)
    if values is None:
        return Unsure("its arguments cannot be told apart")
    given = {name: context.code(value) for name, value in values.items()}
    unknown = sorted(given.keys() - {*places, *extra})
    if unknown or {"test_df", "test", "classes"} & given.keys():
        return Unsure("a test set or classes come in another way in fastai 2")
    application = "tabular" if old == "TabularDataBunch" else "collab"
    today, imports = named(context, node, old.replace("Bunch", "Loaders"), application)
    if old == "CollabDataBunch":
        args = [given.pop("ratings"), *(f"{name}={code}" for name, code in given.items())]
        return one(node, expression(f"{today}.from_df({', '.join(args)})"), imports)
    if not {"df", "path", "dep_var"} <= given.keys():
        return Unsure("its arguments cannot be told apart")
    args = [given.pop("df"), given.pop("path")]
    label = given.pop("dep_var")
    args += [
        f"{name}={given[name]}" for name in ("procs", "cat_names", "cont_names") if name in given
    ]
    args.append(f"y_names={label}")
    if any(_COUNTED in cell.source for cell in context.program.cells):
        block, more = named(context, node, "CategoryBlock", application)
        args.append(f"y_block={block}()")
        imports = (*imports, *more)
    args += [f"{name}={given[name]}" for name in ("valid_idx", *_SAME) if name in given]
    return one(node, expression(f"{today}.from_df({', '.join(args)})"), imports)
