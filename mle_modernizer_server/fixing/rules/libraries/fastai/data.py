"""`ImageDataBunch` and its like of fastai 1 as the `DataLoaders` of fastai 2.

https://docs.fast.ai/vision.data.html

Split and augmentation draw other random numbers, so the experiment changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, literal, method_name
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import arguments
from mle_modernizer_server.fixing.rules.libraries.fastai.names import is_first, name_of, named
from mle_modernizer_server.fixing.rules.tables import table

_TRANSFORMS = table("fastai", "transforms", tuple[str, ...])
_SAME = ("bs", "val_bs", "num_workers", "device", "seed", "valid_pct")
"""Arguments that mean the same in both."""
_MEANINGLESS = ("no_check",)
_METHODS = {"CROP": "crop", "PAD": "pad", "SQUISH": "squish"}
_REMARK = (
    "fastai 2 splits, crops and augments with other random numbers than fastai 1: the validation "
    "set is another one."
)
_TEST_REMARK = "The test set is not part of the data any more: data.test_dl(files) makes one."


@dataclass(frozen=True)
class _Factory:
    """A way in which fastai 1 made data.

    Attributes:
        parameters: Those of fastai 1 in order.
        today: The method of `ImageDataLoaders`.
        first: Parameters of fastai 2 that are passed by place.
        renamed: Parameters with another name in fastai 2.
        taken: Further parameters that fastai 2 has, too.
    """

    parameters: tuple[str, ...]
    today: str
    first: tuple[str, ...]
    renamed: dict[str, str] = field(default_factory=dict)
    taken: tuple[str, ...] = ()


_BUNCHES = table("fastai", "data-bunches", dict[str, _Factory])
"""Labels of `from_name_*` were told from the whole path, as `from_path_*` does it today."""
_LISTS = {
    "from_folder": ("path", "extensions"),
    "from_df": ("df", "path", "cols", "folder", "suffix"),
    "from_csv": ("path", "csv_name", "header", "delimiter", "cols", "folder", "suffix"),
}
_STEPS = table("fastai", "list-steps", dict[str, tuple[str, ...]])
_OPTIONS = ("ds_tfms", "size", "resize_method", "test", *_SAME, *_MEANINGLESS)

_Given = dict[str, cst.BaseExpression]
Today = Callable[[str], str]
"""Code for a name of fastai 2."""


@codemod("fastai-get-transforms", on=cst.Call, names=("get_transforms",))
def augmentation(context: Context, node: cst.Call) -> Answer:
    """Rewrite `get_transforms(flip_vert=True)` as `aug_transforms(flip_vert=True)`."""
    if name_of(context, node.func) != "get_transforms" or not is_first(context):
        return None
    return _augmentation(context, node)


def _augmentation(context: Context, node: cst.Call) -> Answer:
    given = arguments(node, _TRANSFORMS)
    if given is None:
        return Unsure("its arguments cannot be told apart")
    extra = given.get("xtra_tfms")
    if extra is not None and not _is_none(extra):
        return Unsure("transforms of one's own are of another kind in fastai 2")
    for use in context.uses(node):
        above = context.parent(use)
        if isinstance(above, (cst.Subscript, cst.BinaryOperation)):
            return Unsure("those of training and validation are not two lists in fastai 2")
    statement = context.parent(node)
    if isinstance(statement, cst.Assign) and not isinstance(statement.targets[0].target, cst.Name):
        return Unsure("those of training and validation are not two lists in fastai 2")
    function, imports = named(context, node, "aug_transforms")
    args = ", ".join(
        f"{name}={context.code(value)}" for name, value in given.items() if name != "xtra_tfms"
    )
    return one(node, expression(f"{function}({args})"), imports)


@codemod("fastai-data-bunch", on=cst.Call, names=tuple(_BUNCHES))
def bunch(context: Context, node: cst.Call) -> Answer:
    """`ImageDataBunch.from_folder(p, size=9)` → `ImageDataLoaders.from_folder(p, item_tfms=…)`."""
    if not isinstance(node.func, cst.Attribute) or not is_first(context):
        return None
    if name_of(context, node.func.value) != "ImageDataBunch":
        return None
    factory = _BUNCHES[node.func.attr.value]
    given = arguments(node, factory.parameters)
    if given is None:
        return Unsure("its arguments cannot be told apart")
    return _written(context, node, factory, given)


@codemod("fastai-data-bunch", on=cst.Call, names=("databunch",))
def chain(context: Context, node: cst.Call) -> Answer:
    """`ImageList.from_folder(p).split_….databunch()` → `ImageDataLoaders.from_folder(p, …)`."""
    if not is_first(context):
        return None
    steps = list(_steps(node))
    before = _before(context, steps[0])
    steps = [*(list(_steps(before)) if before else ()), *steps]
    source = steps[0]
    base = source.func.value if isinstance(source.func, cst.Attribute) else source.func
    if name_of(context, base) not in ("ImageList", "ImageItemList"):
        return None
    joined = _joined(context, steps)
    if isinstance(joined, Unsure):
        return joined
    factory, given = joined
    answer = _written(context, node, factory, given)
    if before is None or not isinstance(answer, Fix):
        return answer
    cell = context.program.cell_of(before)
    line = next(up for up in cell.ancestors(before) if isinstance(up, cst.SimpleStatementLine))
    return replace(answer, changes=(*answer.changes, Change(line, cst.FlattenSentinel([]))))


def _before(context: Context, first: cst.Call) -> cst.Call | None:
    """Return the chain that the receiver of a chain was given, if it is used for nothing else."""
    receiver = first.func.value if isinstance(first.func, cst.Attribute) else None
    if not isinstance(receiver, cst.Name):
        return None
    value = context.written(receiver)
    if not isinstance(value, cst.Call):
        return None
    uses = [
        use for use in context.uses(value) if not isinstance(context.parent(use), cst.AssignTarget)
    ]
    if len(uses) != 2:  # itself and the receiver
        return None
    cell = context.program.cell_of(value)
    assign = cell.places[value].parent
    line = None if assign is None else cell.places[assign].parent
    is_plain = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    above = cell.places[line].parent if is_plain and line is not None else None
    return value if isinstance(above, cst.Module) else None


def _steps(node: cst.Call) -> Iterator[cst.Call]:
    """Yield the calls of a chain of methods, the first one first."""
    if isinstance(node.func, cst.Attribute) and isinstance(node.func.value, cst.Call):
        yield from _steps(node.func.value)
    yield node


def _joined(context: Context, steps: list[cst.Call]) -> tuple[_Factory, _Given] | Unsure:
    """Return the factory of fastai 2 for a chain of `ImageList`, with its arguments by name."""
    source = method_name(steps[0])
    if source not in _LISTS:
        return Unsure(f"fastai 2 has no method for `{source}`")
    given: _Given = {}
    labels = ""
    for step, parameters in (
        (steps[0], _LISTS[source]),
        *((step, _STEPS.get(method_name(step))) for step in steps[1:]),
    ):
        method = method_name(step)
        here = None if parameters is None else arguments(step, parameters)
        if here is None or "convert_mode" in here:
            return Unsure(f"`{method}` has no counterpart with the same meaning in fastai 2")
        if method.startswith("label_"):
            labels = method
            if "cols" in here:
                here["label_col"] = here.pop("cols")
        elif step is steps[0] and "cols" in here:
            here["fn_col"] = here.pop("cols")
        elif method == "transform":
            here = {("ds_tfms" if k == "tfms" else k): v for k, v in here.items()}
        elif method == "databunch":
            here.pop("path", None)
        given.update(here)
    methods = {method_name(step) for step in steps}
    random = methods & {"split_by_rand_pct", "random_split_by_pct"}
    if random and "valid_pct" not in given:
        given["valid_pct"] = cst.Float("0.2")
    if not random and "split_by_folder" not in methods:
        return Unsure("fastai 2 splits the data in another way")
    return _factory_of(source, labels, given, bool(random))


def _factory_of(
    source: str, labels: str, given: _Given, random: bool
) -> tuple[_Factory, _Given] | Unsure:
    if "extensions" in given or "label_cls" in given:
        return Unsure("fastai 2 takes files and kinds of labels in another way")
    if source == "from_folder" and labels == "label_from_folder":
        return _BUNCHES["from_folder"], given
    if source == "from_folder" and random and labels in ("label_from_re", "label_from_func"):
        return _OF_FILES[labels], given
    if source in ("from_df", "from_csv") and random and labels == "label_from_df":
        if "csv_name" in given:
            given["csv_labels"] = given.pop("csv_name")
        return _BUNCHES[source], given
    return Unsure("fastai 2 has no method for this way to labels")


_OF_FILES = {
    "label_from_re": _Factory((), "from_path_re", ("path", "fnames", "pat")),
    "label_from_func": _Factory((), "from_path_func", ("path", "fnames", "label_func")),
}


def _written(context: Context, node: cst.Call, factory: _Factory, given: _Given) -> Answer:
    """Return the fix that writes a call of `ImageDataLoaders`."""
    known = {*factory.first, *factory.renamed, *factory.taken, *_OPTIONS}
    unknown = sorted(given.keys() - known)
    if unknown:
        return Unsure(f"`{unknown[0]}` has no counterpart in fastai 2")
    outer, statistics = _normalized(context, node)
    imports: list[NewImport] = []

    def today(name: str) -> str:
        code, new = named(context, node, name)
        imports.extend(new)
        return code

    transforms = _transforms(context, given.get("ds_tfms"), imports)
    if isinstance(transforms, Unsure):
        return transforms
    args = []
    for name in factory.first:
        if name == "fnames" and name not in given:
            args.append(f"{today('get_image_files')}({context.code(given['path'])})")
        elif name in given:
            args.append(context.code(given[name]))
        else:
            return Unsure(f"`{name}` is missing")
    kept = [(name, value) for name, value in given.items() if name in (*_SAME, *factory.taken)]
    kept += [(factory.renamed[name], given[name]) for name in factory.renamed if name in given]
    args += [f"{name}={context.code(value)}" for name, value in kept if not _is_none(value)]
    size = given.get("size")
    if size is not None and not _is_none(size):
        resized = _resized(context, given, today)
        if isinstance(resized, Unsure):
            return resized
        args.append(f"item_tfms={resized}")
    batch = _batch(transforms, statistics, today)
    if batch:
        args.append(f"batch_tfms={batch}")
    code = f"{today('ImageDataLoaders')}.{factory.today}({', '.join(args)})"
    test = given.get("test")
    remark = _REMARK if test is None or _is_none(test) else f"{_REMARK} {_TEST_REMARK}"
    return Fix((Change(outer, expression(code)),), tuple(imports), remark=remark)


def _resized(context: Context, given: _Given, today: Today) -> str | Unsure:
    method = given.get("resize_method")
    size = context.code(given["size"])
    if method is None:
        return f"{today('Resize')}({size})"
    name = _METHODS.get(context.code(method).rpartition(".")[2])
    if name is None:
        return Unsure("the way to resize is not written out")
    return f"{today('Resize')}({size}, method='{name}')"


def _transforms(
    context: Context, given: cst.BaseExpression | None, imports: list[NewImport]
) -> str | Unsure:
    """Return the code of the transforms of a batch; empty if there are none."""
    if given is None or _is_none(given):
        return ""
    value = context.written(given)
    name = name_of(context, value.func) if isinstance(value, cst.Call) else ""
    if name not in ("get_transforms", "aug_transforms"):
        return Unsure("its transforms are not those of get_transforms")
    if value is not given:
        if name == "aug_transforms":
            return context.code(given)
        return Unsure("its transforms are those of fastai 1")
    assert isinstance(value, cst.Call)
    if name == "aug_transforms":
        return context.code(value)
    answer = _augmentation(context, value)
    if not isinstance(answer, Fix):
        return answer or Unsure("its transforms are those of fastai 1")
    new = answer.changes[0].new
    assert isinstance(new, cst.CSTNode)
    imports.extend(answer.imports)
    return cst.Module([]).code_for_node(new)


def _normalized(context: Context, node: cst.Call) -> tuple[cst.Call, str | None]:
    """Return the call with `.normalize(…)` behind it, and the code of the statistics, if any."""
    above = context.parent(node)
    if not isinstance(above, cst.Attribute) or above.attr.value != "normalize":
        return node, None
    outer = context.parent(above)
    if not isinstance(outer, cst.Call) or outer.func is not above:
        return node, None
    stats = argument(outer, "stats", 0)
    return outer, "" if stats is None else context.code(stats.value)


def _batch(transforms: str, statistics: str | None, today: Today) -> str:
    """Return the code of what is done to a batch: augmentation, then normalization."""
    if statistics is None:
        return transforms
    function = today("Normalize")
    scale = f"{function}.from_stats(*{statistics})" if statistics else f"{function}()"
    return f"[*{transforms}, {scale}]" if transforms else scale


def _is_none(value: cst.BaseExpression) -> bool:
    return literal(value) is None
