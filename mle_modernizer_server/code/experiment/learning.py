"""Models and training steps in code, their data, and replacements of an honest result."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from mle_modernizer_server.code.calls import PREPARING_FITTERS, facts
from mle_modernizer_server.code.canonical.equal_scales import scaling
from mle_modernizer_server.code.data_flow.meanings import (
    BUILTINS,
    DATA_LIBRARIES,
    READERS,
    is_metric,
    is_training,
)
from mle_modernizer_server.code.experiment.fact import Fact, FactKind
from mle_modernizer_server.code.expressions import called_name, dotted, literal, tail

MODEL_NAME = re.compile(
    r"(?:Classifier|Regressor|Regression|RegressionCV|SVC|SVR|NB|Lasso|LassoCV|Ridge|RidgeCV|"
    r"ElasticNet|ElasticNetCV|Sequential|Prophet|KMeans)\Z"
)
_FEATURE_STEPS = facts("models", "feature_steps")
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
_BY_CONDITION = frozenset({"where", "mask", "clip", "choose", "select"})
_CHOOSERS = frozenset({"where", "choose", "copyto", "clip", "average", "select"})
_NUMBERS_AND_TEXTS = frozenset({"float", "int", "complex", "str", "float64", "float32"})
_SHOWING = frozenset(
    f"__{name}__"
    for name in [
        "float",
        "format",
        "str",
        "repr",
        "round",
        "int",
        "index",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "sub",
        "rsub",
    ]
)
"""Methods by which an object displays or compares."""


def learned(node: ast.AST, aliases: Mapping[str, str]) -> Iterator[Fact]:
    """Yield the facts of a node about training, prediction and measurement.

    Args:
        node: A node of a cell's tree.
        aliases: Full names by the notebook's names, see `import_aliases`.
    """
    if isinstance(node, ast.Call):
        yield from _called(node, aliases)
    elif isinstance(node, (ast.Name, ast.Attribute)):
        name = dotted(node, aliases)
        if name.startswith("unittest.mock."):
            yield Fact(FactKind.REPLACED, tail(name))
        elif _DATA_SETS.match(name):
            yield Fact(FactKind.OTHER_DATA, tail(name))
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)) and _trains([node], aliases):
        yield Fact(FactKind.CONDITION, ast.unparse(node.test)[:80])
    elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield from _defined(node)
    elif isinstance(node, (ast.Try, ast.With, ast.AsyncWith)):
        yield from _swallowed(node, aliases)
    elif isinstance(node, ast.stmt):
        yield from _stated(node, aliases)


def _stated(node: ast.stmt, aliases: Mapping[str, str]) -> Iterator[Fact]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _assigned(target, node.value, aliases)
    elif isinstance(node, ast.Assert):
        yield Fact(FactKind.ASSERTION, ast.unparse(node.test)[:80])
    elif isinstance(node, ast.Raise) and node.exc is not None:
        name = dotted(node.exc.func if isinstance(node.exc, ast.Call) else node.exc, aliases)
        if name in ("SystemExit", "KeyboardInterrupt"):
            yield Fact(FactKind.ENDED, name)


def _defined(node: ast.FunctionDef | ast.ClassDef) -> Iterator[Fact]:
    """Yield a metric that returns literals, or a class that is a number or a text but displays or
    compares as another one."""
    if isinstance(node, ast.FunctionDef):
        returned = (one.value for one in ast.walk(node) if isinstance(one, ast.Return))
        values = [literal(value) for value in returned if value is not None]
        if is_metric(node.name) and values and ... not in values:
            yield Fact(FactKind.FIXED_METRIC, node.name)
        return
    methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    bases = {tail(dotted(base, {})) for base in node.bases}
    if bases & _NUMBERS_AND_TEXTS and methods & _SHOWING:
        yield Fact(FactKind.REPLACED, node.name)


def _called(node: ast.Call, aliases: Mapping[str, str]) -> Iterator[Fact]:
    name = dotted(node.func, aliases)
    last = tail(name)
    if is_training(node, aliases):
        yield Fact(FactKind.TRAINING)
        yield Fact(FactKind.TRAINED_ON, _trained_on(node, last, aliases))
    elif last in PREPARING_FITTERS:
        yield Fact(FactKind.FEATURE)
    elif is_metric(last) and (isinstance(node.func, ast.Name) or "metrics" in name):
        yield Fact(FactKind.MEASURED, _measured(node, last, aliases))
    if MODEL_NAME.search(last):
        yield Fact(FactKind.MODEL, last)
    if last in _FEATURE_STEPS:
        yield Fact(FactKind.TRANSFORMER, last)
    elif scaling(node):
        yield Fact(FactKind.TRANSFORMER, scaling(node))
    if last in _KNOWS_NOTHING:
        yield Fact(FactKind.KNOWS_NOTHING, last)
    if name in _ENDINGS:
        yield Fact(FactKind.ENDED, name)
    if last == "setattr" and len(node.args) > 1:
        replaced = literal(node.args[1])
        if isinstance(replaced, str) and _is_replaceable(replaced):
            yield Fact(FactKind.REPLACED, replaced)


def _trained_on(node: ast.Call, name: str, aliases: Mapping[str, str]) -> str:
    """Return the variables that a training gets, and how their rows are chosen."""
    # xgb.train and lgb.train take the parameters first
    first = node.args[1:2] if name == "train" else node.args[:2]
    data = [*first, *(one.value for one in node.keywords if one.arg in _DATA_ARGUMENTS)]
    variables = _names(data, aliases) + _weights(node)
    inner = (one for part in data for one in ast.walk(part) if isinstance(one, ast.Call))
    chosen = any(tail(dotted(one.func, aliases)) in _BY_CONDITION for one in inner)
    return variables + (", values by condition" if chosen else "")


def _measured(node: ast.Call, name: str, aliases: Mapping[str, str]) -> str:
    """Return a metric with the variables that it measures, and how they are chosen."""
    named = [one.value for one in node.keywords if one.arg != "sample_weight"]
    variables = _names([*node.args, *named], aliases)
    if any(isinstance(inner, ast.Compare) for inner in ast.walk(node)):
        variables += ", some rows"
    variables += ", scaled" if any(map(_is_scaled, node.args)) else ""
    # roots are compared separately, in any form: see `scores.py`
    return f"{name.removeprefix('root_')}({variables}{_weights(node)})"


def _weights(node: ast.Call) -> str:
    return ", weighted rows" if any(one.arg == "sample_weight" for one in node.keywords) else ""


def _is_scaled(node: ast.expr) -> bool:
    """Return whether an argument is computed with a written-out number: `oof / 10`."""
    return any(
        isinstance(literal(side), (int, float))
        for inner in ast.walk(node)
        if isinstance(inner, ast.BinOp)
        for side in (inner.left, inner.right)
    )


def _names(nodes: Iterable[ast.expr], aliases: Mapping[str, str]) -> str:
    """Return the variables in some expressions, without modules."""
    names = {inner.id for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return ", ".join(sorted(names - {*aliases, *BUILTINS, *_MODULES}))


def _assigned(target: ast.expr, value: ast.expr, aliases: Mapping[str, str]) -> Iterator[Fact]:
    by_lambda = isinstance(value, ast.Lambda)
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Call):
        # names that are bound by their text: `globals()["acc"] = 0.84`
        name, key = dotted(target.value.func, aliases), literal(target.slice)
        if name in ("globals", "locals", "vars") and literal(value) is not ... and key is not ...:
            yield Fact(FactKind.REPLACED, str(key))
    elif isinstance(target, ast.Attribute):
        name, owner = dotted(target, aliases), getattr(target.value, "id", "")
        module = owner in {*aliases, *DATA_LIBRARIES}
        reads = module and target.attr in READERS and not isinstance(value, ast.Attribute)
        if name in _STREAMS or reads:
            yield Fact(FactKind.REPLACED, name)
        elif owner != "self" and _is_replaceable(target.attr):
            yield Fact(FactKind.REPLACED, name if module and by_lambda else target.attr)
        elif module and by_lambda:
            yield Fact(FactKind.LIBRARY_FUNCTION, name)
    elif isinstance(target, ast.Name) and isinstance(value, ast.Lambda):
        is_fixed = is_metric(target.id) and literal(value.body) is not ...
        yield from [Fact(FactKind.FIXED_METRIC, target.id)] if is_fixed else []


def _is_replaceable(name: str) -> bool:
    return bool(_REPLACEABLE.fullmatch(name)) or is_metric(name)


# -- errors that are ignored ---------------------------------------------------------------------


def _swallowed(
    node: ast.Try | ast.With | ast.AsyncWith, aliases: Mapping[str, str]
) -> Iterator[Fact]:
    """Yield the failing step that handlers, or `suppress`, ignore."""
    if not isinstance(node, ast.Try):
        managers = [item.context_expr for item in node.items]
        called = [one.func if isinstance(one, ast.Call) else one for one in managers]
        suppresses = any(tail(dotted(one, aliases)) == "suppress" for one in called)
        if suppresses and _trains(node.body, aliases):
            yield Fact(FactKind.SWALLOWED, "training")
    elif all(any(isinstance(one, ast.Raise) for one in ast.walk(h)) for h in node.handlers):
        return
    elif _trains(node.body, aliases):
        yield Fact(FactKind.SWALLOWED, "training")
    elif _predicts(node.body) and not all(_predicts(one.body) for one in node.handlers):
        yield Fact(FactKind.SWALLOWED, "prediction")
    elif _fills_a_column(node.body) and all(map(_does_nothing, node.handlers)):
        yield Fact(FactKind.SWALLOWED, "assignment")


def _nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    return (inner for statement in body for inner in ast.walk(statement))


def _trains(body: Iterable[ast.AST], aliases: Mapping[str, str]) -> bool:
    return any(is_training(inner, aliases) for inner in _nodes(body))


def _predicts(body: Iterable[ast.AST]) -> bool:
    attributes = (one.attr for one in _nodes(body) if isinstance(one, ast.Attribute))
    return any(name.startswith("predict") for name in attributes)


def _fills_a_column(body: Iterable[ast.AST]) -> bool:
    """Return whether some statements write into a table or an array."""
    assigned = (inner for inner in _nodes(body) if isinstance(inner, ast.Assign))
    return any(isinstance(target, ast.Subscript) for one in assigned for target in one.targets)


def _does_nothing(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler ignores any error at all: `errors="ignore"` names its own."""
    broad = handler.type is None or tail(dotted(handler.type, {})) in ("Exception", "BaseException")
    return broad and all(isinstance(one, (ast.Pass, ast.Continue)) for one in handler.body)


# -- predictions and the values they are compared with -------------------------------------------

Pair = tuple[str, str]
"""The names of two arguments of a metric."""


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
        while isinstance(target, ast.Subscript):
            target = target.value
        name = target.id if isinstance(target, ast.Name) else ""
        whole = isinstance(node, ast.Assign) and node.targets[0] is target
        sources = _computed_with(node.value)
        for guess, truth in pairs:
            if name == guess and truth in sources and (guess in sources or not whole):
                yield f"{guess} from {truth}", node.lineno


def _computed_with(node: ast.expr) -> set[str]:
    """Return the variables that an expression computes with, without arguments of functions."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Call) and called_name(node) not in _CHOOSERS:
        return set()
    parts = (one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr))
    return set[str]().union(*map(_computed_with, parts))
