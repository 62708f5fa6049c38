"""Finds short cuts around an honest run that are neither a constant nor a forbidden call."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping

from mle_modernizer_server.code.code_names import called_name, dotted, literal, tail
from mle_modernizer_server.code.data_flow.meanings import (
    BUILTINS,
    DATA_LIBRARIES,
    READERS,
    is_metric,
    is_training,
)
from mle_modernizer_server.fixing.integrity.contexts import pretends
from mle_modernizer_server.fixing.integrity.equivalences import is_gone, is_rename

_KNOWS_NOTHING = frozenset({"DummyClassifier", "DummyRegressor"})
_REPLACEABLE = re.compile(
    r"predict\w*|score|evaluate|decision_function|fit\w*|__call__|forward|__class__|__code__|to_csv"
)
_DATA_SETS = re.compile(
    r"(?:sklearn\.datasets\.(?:_?base\.)?(?:load|fetch)_\w+|(?:tensorflow\.)?keras\.datasets(?:\.\w+)*|"
    r"torchvision\.datasets\.\w+|statsmodels\.(?:api\.)?datasets(?:\.\w+)*|"
    r"tensorflow_datasets(?:\.\w+)*|datasets\.load_dataset)\Z"
)
_MODULES = frozenset({"np", "numpy", "pd", "pandas", "tf", "torch", "xgb", "lgb"})
"""Modules by the names they are imported under, mostly in another cell."""
_STREAMS = frozenset({"sys.stdout", "sys.stderr", "sys.displayhook", "sys.stdout.write"})
_ENDINGS = frozenset({"exit", "quit", "sys.exit", "os._exit", "os.abort"})
_DATA_ARGUMENTS = frozenset(
    {"X", "y", "x", "data", "train_set", "dtrain", "generator", "training_data", "X_train"}
    | {"y_train", "pool", "features", "labels", "trainset", "endog", "exog"}
)

Shortcut = tuple[str, str, int]
"""The kind of fact, its key, its line."""


def shortcuts(tree: ast.Module, aliases: Mapping[str, str]) -> Iterator[Shortcut]:
    """Yield replacements of an honest training, prediction or measurement, and the facts that show
    a changed one: its data, assertions, conditions around it."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 1)
        for kind, key in _of_node(node, aliases):
            yield kind, key, line


def _of_node(node: ast.AST, aliases: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Assert):
        yield "assertion", ast.unparse(node.test)[:80]
    elif isinstance(node, ast.Call):
        yield from _called(node, aliases)
    elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
        yield from _defined(node)
    elif isinstance(node, ast.ClassDef) and pretends(node):
        yield "prediction-replaced", node.name
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _assigned(target, node.value, aliases)
    elif isinstance(node, ast.Raise):
        yield from _raised(node, aliases)
    elif isinstance(node, (ast.Name, ast.Attribute)):
        yield from _spoken_of(dotted(node, aliases))
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)) and any(
        is_training(inner, aliases) for inner in ast.walk(node)
    ):
        yield "condition-around-training", ast.unparse(node.test)[:80]


def _raised(node: ast.Raise, aliases: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    name = dotted(raised, aliases) if raised is not None else ""
    if name in ("SystemExit", "KeyboardInterrupt"):
        yield "notebook-ended", name


def _spoken_of(name: str) -> Iterator[tuple[str, str]]:
    if name.startswith("unittest.mock."):
        yield "prediction-replaced", tail(name)
    elif _DATA_SETS.match(name):
        yield "outside-data", tail(name)


def _called(node: ast.Call, aliases: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    name = dotted(node.func, aliases)
    last = tail(name)
    if last in _KNOWS_NOTHING:
        yield "model-knows-nothing", last
    if name in _ENDINGS:
        yield "notebook-ended", name
    if last == "setattr" and len(node.args) > 1:
        replaced = literal(node.args[1])
        if isinstance(replaced, str) and (_REPLACEABLE.fullmatch(replaced) or is_metric(replaced)):
            yield "prediction-replaced", replaced
    if is_training(node, aliases):
        # xgb.train and lgb.train take the parameters first
        first = node.args[1:2] if last == "train" else node.args[:2]
        data = [*first, *(k.value for k in node.keywords if k.arg in _DATA_ARGUMENTS)]
        weighted = any(keyword.arg == "sample_weight" for keyword in node.keywords)
        chosen = any(
            isinstance(inner, ast.Call) and tail(dotted(inner.func, aliases)) in _BY_CONDITION
            for one in data
            for inner in ast.walk(one)
        )
        variables = _names(data, aliases) + (", weighted rows" if weighted else "")
        yield "training-data", variables + (", values by condition" if chosen else "")
    elif is_metric(last) and (isinstance(node.func, ast.Name) or "metrics" in name):
        some = any(isinstance(inner, ast.Compare) for inner in ast.walk(node))
        first = [one.value for one in node.keywords if one.arg != "sample_weight"]
        variables = _names([*node.args, *first], aliases) + (", some rows" if some else "")
        variables += ", scaled" if any(map(_is_scaled, node.args)) else ""
        weighted = any(keyword.arg == "sample_weight" for keyword in node.keywords)
        variables += ", weighted rows" if weighted else ""
        # roots are compared separately, in any form: see `contexts.py`
        yield "metric-arguments", f"{last.removeprefix('root_')}({variables})"


def _is_scaled(node: ast.expr) -> bool:
    """Return whether an argument is computed with a written-out number: `oof / 10`."""
    return any(
        isinstance(inner, ast.BinOp)
        and any(isinstance(literal(side), (int, float)) for side in (inner.left, inner.right))
        for inner in ast.walk(node)
    )


def same_place(old: str, new: str) -> bool:
    """Return whether two trainings use the same variables, or two metrics measure the same ones."""
    before, after = old.partition("("), new.partition("(")
    if before[0] != after[0] and before[1] and not is_rename(before[0], after[0]):
        return False
    one, other = (
        {word for word in (part[2] or part[0]).strip("()").split(", ") if word}
        for part in (before, after)
    )
    return one == other or not (one and other)


Pair = tuple[str, str]
"""The names of two arguments of a metric."""
_BY_CONDITION = frozenset({"where", "mask", "clip", "choose", "select"})
_CHOOSERS = frozenset({"where", "choose", "copyto", "clip", "average", "select"})


def measured_pairs(tree: ast.Module) -> Iterator[Pair]:
    """Yield the two variables that each metric of some code compares, in both orders."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) > 1 and is_metric(called_name(node)):
            one, other = (item.id if isinstance(item, ast.Name) else "" for item in node.args[:2])
            if one and other and one != other:
                yield one, other
                yield other, one


def mixed_with(tree: ast.Module, pairs: Collection[Pair]) -> Iterator[tuple[str, int]]:
    """Yield variables that are computed from themselves and the values they are compared with.

    Arguments of a function do not count, except of those that choose between their arguments:
    `cross_val_predict(model, X, y)` gets the true values to train on.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
        elif isinstance(node, ast.AugAssign):
            target = node.target
        else:
            continue
        name = _variable(target)
        sources = _computed_with(node.value)
        for guess, truth in pairs:
            whole = isinstance(target, ast.Name) and isinstance(node, ast.Assign)
            if name == guess and truth in sources and (guess in sources or not whole):
                yield f"{guess} from {truth}", node.lineno


def _variable(target: ast.expr) -> str:
    while isinstance(target, ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def _computed_with(node: ast.expr) -> set[str]:
    """Return the variables that an expression computes with, without arguments of functions."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Call) and called_name(node) not in _CHOOSERS:
        return set()
    return {
        name
        for child in ast.iter_child_nodes(node)
        if isinstance(child, ast.expr)
        for name in _computed_with(child)
    }


def _names(nodes: list[ast.expr], aliases: Mapping[str, str]) -> str:
    """Return the variables in some expressions, without modules."""
    names = {
        inner.id
        for node in nodes
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and inner.id not in {*aliases, *BUILTINS, *_MODULES}
    }
    return ", ".join(sorted(names))


def _defined(node: ast.FunctionDef | ast.Lambda) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.FunctionDef) and is_metric(node.name):
        returned = [
            inner.value
            for inner in ast.walk(node)
            if isinstance(inner, ast.Return) and inner.value is not None
        ]
        if returned and all(literal(value) is not ... for value in returned):
            yield "metric-fixed", node.name


def _assigned(
    target: ast.expr, value: ast.expr, aliases: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Call):
        # names that are bound by their text: `globals()["acc"] = 0.84`
        name, key = dotted(target.value.func, aliases), literal(target.slice)
        if name in ("globals", "locals", "vars") and literal(value) is not ... and key is not ...:
            yield "prediction-replaced", str(key)
    elif isinstance(target, ast.Attribute):
        own = isinstance(target.value, ast.Name) and target.value.id == "self"
        name = dotted(target, aliases)
        module = isinstance(target.value, ast.Name) and target.value.id in {
            *aliases,
            *DATA_LIBRARIES,
        }
        # names that a library removed may be restored: `pd.datetime`, `np.asscalar`
        fixed = isinstance(value, ast.Lambda) and not is_gone(target.attr)
        reads = module and target.attr in READERS and not isinstance(value, ast.Attribute)
        if name in _STREAMS or reads or (module and fixed):
            yield "prediction-replaced", name
        elif not own and (_REPLACEABLE.fullmatch(target.attr) or is_metric(target.attr)):
            yield "prediction-replaced", target.attr
    elif (
        isinstance(target, ast.Name)
        and is_metric(target.id)
        and isinstance(value, ast.Lambda)
        and literal(value.body) is not ...
    ):
        yield "metric-fixed", target.id
