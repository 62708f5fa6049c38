"""The modules of fastai 1 in fastai 2: `fastai.vision` is empty, `fastai.vision.all` has its names.

https://docs.fast.ai/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted, dotted_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_aliases
from mle_modernizer_server.fixing.rules.generic.templates import leave_out_of_import
from mle_modernizer_server.fixing.rules.libraries.fastai.names import is_first, module_of
from mle_modernizer_server.fixing.rules.tables import table

_TODAY = table("fastai", "modules", dict[str, str])
"""Module of fastai 2 with the names, by the module of fastai 1."""
_EVERYWHERE = table("fastai", "names-everywhere", frozenset[str])
_WITH_ALL = ("fastai.vision.all", "fastai.text.all", "fastai.tabular.all", "fastai.basics")
"""Modules that have the names that are everywhere."""
_KEPT = {
    module: names | _EVERYWHERE if module in _WITH_ALL else names
    for module, names in table("fastai", "names", dict[str, frozenset[str]]).items()
}
"""Names that fastai 1 had and fastai 2 has, by the module of fastai 2."""
GONE = tuple(
    f"{module}.{name}"
    for module in ("fastai.vision", "fastai.vision.data", "fastai.text", "fastai.tabular")
    for name in (
        "ImageDataBunch",
        "ImageList",
        "ImageItemList",
        "TabularDataBunch",
        "CollabDataBunch",
        "create_cnn",
        "get_transforms",
        "open_image",
        "open_mask",
    )
)
"""Addresses that rules replace."""


@codemod("fastai-modules", on=cst.ImportFrom)
def module_of_today(context: Context, node: cst.ImportFrom) -> Answer:
    """Rewrite `from fastai.vision import *` as `from fastai.vision.all import *`."""
    new = _TODAY.get(module_of(node))
    if new is None or not is_first(context):
        return None
    if isinstance(node.names, cst.ImportStar):
        return one(node, node.with_changes(module=dotted(new)))
    kept = [alias for alias in node.names if dotted_name(alias.name) in _KEPT[new]]
    if not kept:
        return None
    if len(kept) == len(node.names):
        return one(node, node.with_changes(module=dotted(new)))
    rest = [alias for alias in node.names if alias not in kept]
    line = context.parent(node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return None
    first = node.with_changes(module=dotted(new), names=_listed(kept, node))
    second = node.with_changes(names=_listed(rest, node))
    lines = [
        line.with_changes(body=[first]),
        cst.SimpleStatementLine([second]),
    ]
    return Fix((Change(line, cst.FlattenSentinel(lines)),))


@codemod("fastai-modules", on=cst.Import)
def whole_module(context: Context, node: cst.Import) -> Answer:
    """Rewrite `import fastai.vision as fv` as `import fastai.vision.all as fv`."""
    answer = with_aliases(
        node,
        lambda alias: (
            alias.with_changes(name=dotted(_TODAY[dotted_name(alias.name)]))
            if alias.asname is not None and dotted_name(alias.name) in _TODAY
            else alias
        ),
    )
    return answer if is_first(context) else None


def _listed(aliases: list[cst.ImportAlias], node: cst.ImportFrom) -> list[cst.ImportAlias]:
    """Return names as they are listed in an import, the last without a comma."""
    return [*aliases[:-1], aliases[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]


@codemod("fastai-data-bunch", on=cst.ImportFrom)
@codemod("fastai-tabular-bunch", on=cst.ImportFrom)
@codemod("fastai-learner", on=cst.ImportFrom)
@codemod("fastai-get-transforms", on=cst.ImportFrom)
@codemod("fastai-open-image", on=cst.ImportFrom)
def left_out(context: Context, node: cst.ImportFrom) -> Answer:
    """Leave a name out of the import when nothing uses it any more."""
    if not module_of(node).startswith("fastai.") or not is_first(context):
        return None
    return leave_out_of_import(context, node, GONE)
