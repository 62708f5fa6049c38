"""Learners, callbacks and images of fastai 1 as those of fastai 2.

https://docs.fast.ai/vision.learner.html, https://docs.fast.ai/callback.tracker.html
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.code.tree import (
    args_text,
    binds_less,
    expression,
    literal,
    receiver_text,
    string,
)
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import arguments
from mle_modernizer_server.fixing.rules.libraries.fastai.names import (
    is_alone,
    is_first,
    modules,
    name_of,
    named,
)

_LEARNERS = {
    "create_cnn": "vision_learner",
    "cnn_learner": "vision_learner",
    "unet_learner": "unet_learner",
    "tabular_learner": "tabular_learner",
    "text_classifier_learner": "text_classifier_learner",
    "language_model_learner": "language_model_learner",
    "Learner": "Learner",
}
_OF_LEARNERS = {"data": "dls", "base_arch": "arch", "callback_fns": "cbs", "callbacks": "cbs"}
_UNKNOWN = ("split_on", "split_func", "true_wd", "bn_wd", "layer_groups", "norm_type", "bottle")
"""Arguments of learners without a counterpart of the same meaning."""
_CALLBACKS = {
    "ShowGraph": "ShowGraphCallback",
    "CSVLogger": "CSVLogger",
    "EarlyStoppingCallback": "EarlyStoppingCallback",
    "SaveModelCallback": "SaveModelCallback",
    "ReduceLROnPlateauCallback": "ReduceLROnPlateau",
    "GradientClipping": "GradientClip",
    "TerminateOnNaNCallback": "TerminateOnNaNCallback",
}
_PARAMETERS = {
    "ShowGraph": (),
    "CSVLogger": ("filename", "append"),
    "EarlyStoppingCallback": ("monitor", "mode", "min_delta", "patience"),
    "SaveModelCallback": ("monitor", "mode", "every", "name"),
    "ReduceLROnPlateauCallback": ("monitor", "mode", "patience", "factor", "min_delta", "min_lr"),
    "GradientClipping": ("clip",),
    "TerminateOnNaNCallback": (),
}
"""Of fastai 1, behind the learner."""
_DEFAULTS = {
    "EarlyStoppingCallback": {"patience": "1"},
    "ReduceLROnPlateauCallback": {"patience": "1", "factor": "1 / 0.2", "min_lr": "0.001"},
    "SaveModelCallback": {"fname": "'bestmodel'"},
}
"""Arguments of fastai 2 that do what fastai 1 did by default."""
_RENAMED = {"name": "fname", "filename": "fname", "clip": "max_norm"}
_FITS = {"max_lr": "lr_max", "cyc_len": "n_epoch", "div_factor": "div", "callbacks": "cbs"}
_PLOTS = {"plot": "plot_lr_find", "plot_losses": "plot_loss", "plot_lr": "plot_sched"}
_COMPARED = {"min": "np.less", "max": "np.greater"}


@codemod("fastai-learner", on=cst.Call, names=tuple(_LEARNERS))
def learner(context: Context, node: cst.Call) -> Answer:
    """`create_cnn(data, arch, callback_fns=ShowGraph)` → `vision_learner(data, arch, cbs=…)`."""
    old = name_of(context, node.func)
    if old not in _LEARNERS or not is_first(context):
        return None
    keywords = {arg.keyword.value: arg for arg in node.args if arg.keyword}
    if not (old in ("create_cnn", "cnn_learner") or keywords.keys() & set(_OF_LEARNERS)):
        return None
    unknown = [name for name in _UNKNOWN if name in keywords]
    if unknown or {"callback_fns", "callbacks"} <= keywords.keys():
        return Unsure(f"`{(*unknown, 'callbacks')[0]}` has no counterpart in fastai 2")
    imports: list[NewImport] = []
    args = []
    for arg in node.args:
        new = arg
        name = arg.keyword.value if arg.keyword else ""
        if name in _OF_LEARNERS:
            value = arg.value
            if _OF_LEARNERS[name] == "cbs":
                text = _listed(context, value, imports)
                if text is None:
                    return Unsure("its callbacks are of another kind in fastai 2")
                value = expression(text)
            new = arg.with_changes(keyword=cst.Name(_OF_LEARNERS[name]), value=value)
        args.append(new)
    today, added = named(context, node, _LEARNERS[old])
    if isinstance(node.func, cst.Name) and _LEARNERS[old] != old:
        func: cst.BaseExpression = cst.Name(today)
        imports.extend(added)
    elif isinstance(node.func, cst.Attribute):
        func = node.func.with_changes(attr=cst.Name(_LEARNERS[old]))
    else:
        func = node.func
    return one(node, node.with_changes(func=func, args=args), imports)


def _listed(context: Context, value: cst.BaseExpression, imports: list[NewImport]) -> str | None:
    """Return the code of a list of callbacks, or of one; None if one of them is not known."""
    if isinstance(value, (cst.List, cst.Tuple)):
        codes = [_callback(context, element.value, imports) for element in value.elements]
        known = [code for code in codes if code is not None]
        return f"[{', '.join(known)}]" if len(known) == len(codes) else None
    return _callback(context, value, imports)


def _callback(context: Context, value: cst.BaseExpression, imports: list[NewImport]) -> str | None:
    """Return the code of a callback of fastai 2 for a class, `partial`, or object of fastai 1."""
    arguments: list[cst.Arg] = []
    kind: cst.BaseExpression = value
    if isinstance(value, cst.Call):
        kind, arguments = value.func, list(value.args)
        is_partial = context.refers_to(kind, "functools.partial") or (
            isinstance(kind, cst.Name) and kind.value == "partial"
        )
        if is_partial and arguments:
            kind, arguments = arguments[0].value, arguments[1:]
        elif arguments and arguments[0].keyword is None and not arguments[0].star:
            arguments = arguments[1:]  # the learner
    old = name_of(context, kind)
    if old not in _CALLBACKS:
        return None
    given = dict(_named(context, old, arguments))
    if None in given:
        return None
    new = _arguments(old, {str(name): code for name, code in given.items()})
    if new is None:
        return None
    today, added = named(context, value, _CALLBACKS[old])
    imports.extend(added)
    return f"{today}({', '.join(f'{name}={code}' for name, code in new.items())})"


def _named(
    context: Context, old: str, arguments: list[cst.Arg]
) -> Iterator[tuple[str | None, str]]:
    """Yield name and code of each argument; the name is None if it cannot be told."""
    names = _PARAMETERS[old]
    for index, arg in enumerate(arguments):
        code = context.code(arg.value)
        if arg.keyword is not None:
            if arg.keyword.value == "learn":
                continue
            yield (arg.keyword.value if arg.keyword.value in names else None), code
        else:
            yield (names[index] if index < len(names) and not arg.star else None), code


def _arguments(old: str, given: dict[str, str]) -> dict[str, str] | None:
    """Return the arguments of fastai 2 by name; None if one has no counterpart."""
    new = dict(_DEFAULTS.get(old, {}))
    for name, code in given.items():
        argument = _argument(name, code)
        if argument is None:
            return None
        new.update(argument)
    if old == "CSVLogger" and "fname" in new:
        text = literal(expression(new["fname"]))
        if not isinstance(text, str):
            return None
        new["fname"] = f"'{text}.csv'"
    return new


def _argument(name: str, code: str) -> dict[str, str] | None:
    """Return one argument of a callback as fastai 2 takes it; None if it takes none like it."""
    value = literal(expression(code))
    if name == "monitor":
        return {name: "'valid_loss'" if value == "val_loss" else code}
    if name == "mode":
        comparison = _COMPARED.get(str(value))
        return {"comp": comparison} if comparison else ({} if value == "auto" else None)
    if name == "every":
        return {"improvement": {}, "epoch": {"every_epoch": "True"}}.get(str(value))
    if name == "patience":  # epochs that may pass; today the one that ends it
        return {name: str(value + 1) if isinstance(value, int) else f"{code} + 1"}
    if name == "factor":
        return {name: f"1 / {f'({code})' if binds_less(expression(code)) else code}"}
    return {_RENAMED.get(name, name): code}


@codemod("fastai-fit", on=cst.Call, names=("fit_one_cycle", "fit"))
def fit(context: Context, node: cst.Call) -> Answer:
    """Rewrite `learn.fit_one_cycle(4, max_lr=1e-3)` as `learn.fit_one_cycle(4, lr_max=1e-3)`."""
    if not isinstance(node.func, cst.Attribute) or not is_first(context) or not is_alone(context):
        return None
    names = _FITS if node.func.attr.value == "fit_one_cycle" else {"callbacks": "cbs"}
    imports: list[NewImport] = []
    args = []
    for arg in node.args:
        name = arg.keyword.value if arg.keyword else ""
        new = arg
        if name in names:
            value = arg.value
            if names[name] == "cbs":
                text = _listed(context, value, imports)
                if text is None:
                    return Unsure("its callbacks are of another kind in fastai 2")
                value = expression(text)
            new = arg.with_changes(keyword=cst.Name(names[name]), value=value)
        elif name == "moms" and isinstance(arg.value, cst.Tuple) and len(arg.value.elements) == 2:
            first, low = (context.code(element.value) for element in arg.value.elements)
            new = arg.with_changes(value=expression(f"({first}, {low}, {first})"))
        args.append(new)
    if all(new is old for new, old in zip(args, node.args, strict=True)):
        return None
    if sum(arg.keyword is None for arg in node.args) > 2:
        return Unsure("its arguments come in another order in fastai 2")
    return one(node, node.with_changes(args=args), imports)


@codemod("fastai-recorder", on=cst.Call, names=tuple(_PLOTS))
def plot(context: Context, node: cst.Call) -> Answer:
    """Rewrite `learn.recorder.plot()` as `learn.recorder.plot_lr_find()`."""
    func = node.func
    if not isinstance(func, cst.Attribute) or not is_first(context):
        return None
    recorder = func.value
    if not isinstance(recorder, cst.Attribute) or recorder.attr.value != "recorder":
        return None
    old = func.attr.value
    kept = [
        arg
        for arg in node.args
        if old == "plot" and arg.keyword and arg.keyword.value == "skip_end"
    ]
    new = f"{context.code(recorder)}.{_PLOTS[old]}({args_text(kept)})"
    return one(node, expression(new))


@codemod("fastai-show-batch", on=cst.Call, names=("show_batch", "show_results"))
def shown(context: Context, node: cst.Call) -> Answer:
    """Rewrite `data.show_batch(rows=3)` as `data.show_batch(max_n=9)`."""
    if not isinstance(node.func, cst.Attribute) or not is_first(context):
        return None
    args = list(node.args)
    for index, arg in enumerate(args):
        by_place = index == 0 and arg.keyword is None and not arg.star
        by_place = by_place and node.func.attr.value == "show_batch"
        if by_place or (arg.keyword is not None and arg.keyword.value == "rows"):
            count = literal(arg.value)
            if not isinstance(count, int):
                return Unsure("the number of rows is not written out")
            square = any(name.startswith("fastai.vision") for name in modules(context))
            text = f"max_n={count * count if square else count}"
            call = expression(f"f({text})")
            assert isinstance(call, cst.Call)
            args[index] = call.args[0].with_changes(comma=arg.comma)
            return one(node, node.with_changes(args=args))
    return None


@codemod("fastai-predictions", on=cst.Call, names=("get_preds", "TTA"))
def predictions(context: Context, node: cst.Call) -> Answer:
    """Rewrite `learn.get_preds(ds_type=DatasetType.Valid)` as `learn.get_preds()`."""
    if not is_first(context):
        return None
    for arg in node.args:
        by_place = arg is node.args[0] and arg.keyword is None
        if not (by_place or (arg.keyword is not None and arg.keyword.value == "ds_type")):
            continue
        if not isinstance(arg.value, cst.Attribute):
            return None
        if name_of(context, arg.value.value) != "DatasetType":
            return None
        kind = arg.value.attr.value
        if kind not in ("Valid", "Train"):
            return Unsure("fastai 2 predicts for a test set that it is given: data.test_dl(files)")
        index = "1" if kind == "Valid" else "0"
        call = expression(f"f(ds_idx={index})")
        assert isinstance(call, cst.Call)
        new = call.args[0].with_changes(comma=arg.comma)
        args = [new if other is arg else other for other in node.args]
        return one(node, node.with_changes(args=args))
    return None


@codemod("fastai-open-image", on=cst.Call, names=("open_image", "open_mask"))
def opened(context: Context, node: cst.Call) -> Answer:
    """Rewrite `open_image(f)` as `PILImage.create(f)`."""
    old = name_of(context, node.func)
    if old not in ("open_image", "open_mask") or not is_first(context):
        return None
    if len(node.args) != 1 or node.args[0].star or node.args[0].keyword:
        return Unsure("PILImage.create takes the file only")
    today, imports = named(context, node, "PILImage" if old == "open_image" else "PILMask")
    return one(node, expression(f"{today}.create({context.code(node.args[0].value)})"), imports)


@codemod("fastai-download-images", on=cst.Call, names=("download_images",))
def downloaded(context: Context, node: cst.Call) -> Answer:
    """Rewrite `download_images(urls, dest)` as `download_images(dest, url_file=urls)`."""
    if name_of(context, node.func) != "download_images" or not is_first(context):
        return None
    places = ("urls", "dest", "max_pics", "max_workers", "timeout")
    values = arguments(node, places)
    if values is None:
        return Unsure("its arguments cannot be told apart")
    given = {name: context.code(value) for name, value in values.items()}
    if not {"urls", "dest"} <= given.keys() or not given.keys() <= set(places):
        return None
    urls = given.pop("urls")
    if string(expression(urls)) is not None:
        path, _ = named(context, node, "Path")
        urls = f"{path}({urls})"
    rest = {"n_workers" if name == "max_workers" else name: code for name, code in given.items()}
    dest = rest.pop("dest")
    options = "".join(f", {name}={code}" for name, code in rest.items())
    call = f"{context.code(node.func)}({dest}, url_file={urls}{options})"
    return one(node, expression(call))


@codemod("fastai-verify-images", on=cst.Call, names=("verify_images",))
def verified(context: Context, node: cst.Call) -> Answer:
    """`verify_images(p, delete=True)` → `verify_images(get_image_files(p)).map(Path.unlink)`."""
    if name_of(context, node.func) != "verify_images" or not is_first(context):
        return None
    folder = next((arg for arg in node.args if not arg.keyword and not arg.star), None)
    if folder is None or folder is not node.args[0]:
        return None
    if "get_image_files" in context.code(folder.value):
        return None  # files already
    rest = {arg.keyword.value: arg.value for arg in node.args[1:] if arg.keyword}
    delete = literal(rest["delete"]) if "delete" in rest else True
    if delete is not True or len(rest) < len(node.args) - 1:
        return Unsure("fastai 2 gives the files that cannot be opened, and deletes none")
    files, more = named(context, node, "get_image_files")
    path, other = named(context, node, "Path")
    call = f"{context.code(node.func)}({files}({context.code(folder.value)})).map({path}.unlink)"
    return one(node, expression(call), (*more, *other))


@codemod("fastai-classes", on=cst.Attribute, names=("classes",))
def classes(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `data.classes` as `data.vocab`."""
    if not is_first(context) or not is_data(context, node.value):
        return None
    return one(node, node.with_changes(attr=cst.Name("vocab")))


def is_data(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether an expression stands for the data that a bunch was made of."""
    if isinstance(node, cst.Attribute) and node.attr.value == "data":
        return receiver_text(node.value) == "learn"
    value = context.written(node)
    code = context.code(value) if isinstance(value, cst.Call) and value is not node else ""
    return code.startswith(("ImageDataBunch.", "ImageDataLoaders.")) or ".databunch(" in code
