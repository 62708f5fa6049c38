"""Which parameters an experiment sets, and which of them matter to its result."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from mle_modernizer_server.code.code_names import dotted, literal, tail

# Names that libraries have for one thing, so that a renamed argument is no changed one.
_SAME = {
    "lr": "learning_rate",
    "eta": "learning_rate",
    "nb_epoch": "epochs",
    "n_epochs": "epochs",
    "num_epochs": "epochs",
    "nb_epochs": "epochs",
    "num_boost_round": "n_estimators",
    "num_round": "n_estimators",
    "num_rounds": "n_estimators",
    "num_iterations": "n_estimators",
    "iterations": "n_estimators",
    "seed": "random_state",
    "random_seed": "random_state",
    "n_folds": "n_splits",
    "nfold": "n_splits",
    "folds": "n_splits",
    "stopping_rounds": "early_stopping_rounds",
    "num_folds": "n_splits",
    "n_iter": "max_iter",
    "samples_per_epoch": "steps_per_epoch",
    "nb_val_samples": "validation_steps",
    "output_dim": "units",
    "nb_filter": "filters",
}
TRAINING_LENGTH = frozenset(
    [
        "epochs",
        "n_estimators",
        "n_splits",
        "max_iter",
        "cv",
        "steps_per_epoch",
        "early_stopping_rounds",
        "n_init",
        "train_size",
        "max_samples",
        "patience",
    ]
)
SEEDS = frozenset({"random_state"})
SPLITS = frozenset(
    ["test_size", "train_size", "n_splits", "shuffle", "stratify", "cv", "validation_split"]
)
HYPER = frozenset(
    [
        "learning_rate",
        "max_depth",
        "num_leaves",
        "subsample",
        "colsample_bytree",
        "colsample_bylevel",
        "C",
        "gamma",
        "alpha",
        "l1_ratio",
        "reg_alpha",
        "reg_lambda",
        "min_child_weight",
        "min_samples_leaf",
        "min_samples_split",
        "kernel",
        "penalty",
        "batch_size",
        "optimizer",
        "loss",
        "objective",
        "activation",
        "dropout",
        "rate",
        "hidden_layer_sizes",
        "criterion",
        "max_features",
        "n_neighbors",
        "units",
        "filters",
        "kernel_size",
        "booster",
        "solver",
        "tol",
        "weights",
        "n_components",
        "boosting_type",
        "bagging_fraction",
        "feature_fraction",
        "min_data_in_leaf",
        "scale_pos_weight",
        "class_weight",
        "momentum",
        "decay",
    ]
)
MATTERS = TRAINING_LENGTH | SEEDS | SPLITS | HYPER

# Old and new value that mean the same, from the libraries' release notes.
_SAME_VALUES = {
    ("loss", "'deviance'"): "'log_loss'",
    ("loss", "'ls'"): "'squared_error'",
    ("loss", "'lad'"): "'absolute_error'",
    ("loss", "'log'"): "'log_loss'",
    ("loss", "'squared_loss'"): "'squared_error'",
    ("loss", "'huber_loss'"): "'huber'",
    ("loss", "'mse'"): "'mean_squared_error' 'squared_error'",
    ("loss", "'mae'"): "'mean_absolute_error' 'absolute_error'",
    ("criterion", "'mse'"): "'squared_error'",
    ("criterion", "'mae'"): "'absolute_error'",
    ("objective", "'reg:linear'"): "'reg:squarederror'",
    ("penalty", "'none'"): "None",
    ("max_features", "'auto'"): "'sqrt' 1.0 None",
    ("class_weight", "'auto'"): "'balanced'",
    ("solver", "'warn'"): "'liblinear'",
}
# Defaults of their time that are honestly written out: scikit-learn 0.20–1.1, XGBoost 0.90,
# LightGBM 2, Keras 2.
_OLD_DEFAULTS = frozenset(
    {
        ("n_estimators", "10"),
        ("n_estimators", "100"),
        ("cv", "3"),
        ("n_splits", "3"),
        ("max_iter", "5"),
        ("max_iter", "100"),
        ("max_iter", "1000"),
        ("n_init", "10"),
        ("random_state", "None"),
        ("shuffle", "True"),
        ("shuffle", "False"),
        ("test_size", "0.25"),
        ("test_size", "0.1"),
        ("learning_rate", "0.1"),
        ("learning_rate", "0.01"),
        ("learning_rate", "0.001"),
        ("learning_rate", "0.002"),
        ("learning_rate", "1.0"),
        ("max_depth", "3"),
        ("max_depth", "None"),
        ("num_leaves", "31"),
        ("subsample", "1"),
        ("subsample", "1.0"),
        ("colsample_bytree", "1"),
        ("colsample_bylevel", "1"),
        ("C", "1.0"),
        ("gamma", "'auto'"),
        ("gamma", "0"),
        ("alpha", "1.0"),
        ("alpha", "0.0001"),
        ("reg_alpha", "0"),
        ("reg_lambda", "1"),
        ("min_child_weight", "1"),
        ("min_samples_leaf", "1"),
        ("min_samples_split", "2"),
        ("kernel", "'rbf'"),
        ("penalty", "'l2'"),
        ("penalty", "None"),
        ("batch_size", "32"),
        ("batch_size", "128"),
        ("optimizer", "'adam'"),
        ("optimizer", "'rmsprop'"),
        ("loss", "'hinge'"),
        ("loss", "'squared_error'"),
        ("loss", "'log_loss'"),
        ("objective", "'reg:squarederror'"),
        ("objective", "'binary:logistic'"),
        ("objective", "'multi:softprob'"),
        ("activation", "'linear'"),
        ("activation", "'tanh'"),
        ("criterion", "'gini'"),
        ("criterion", "'squared_error'"),
        ("criterion", "'friedman_mse'"),
        ("max_features", "'sqrt'"),
        ("max_features", "1.0"),
        ("max_features", "None"),
        ("n_neighbors", "5"),
        ("booster", "'gbtree'"),
        ("solver", "'liblinear'"),
        ("solver", "'svd'"),
        ("tol", "None"),
        ("tol", "0.001"),
        ("tol", "0.0001"),
        ("weights", "None"),
        ("weights", "'imagenet'"),
        ("class_weight", "None"),
        ("scale_pos_weight", "1"),
        ("momentum", "0.0"),
        ("momentum", "0.99"),
        ("decay", "0.0"),
        ("dropout", "0.0"),
        ("boosting_type", "'gbdt'"),
    }
)
_POSITIONAL = {
    "KFold": ("n_splits", "shuffle", "random_state"),
    "StratifiedKFold": ("n_splits", "shuffle", "random_state"),
    "GroupKFold": ("n_splits",),
    "Dense": ("units",),
    "LSTM": ("units",),
    "GRU": ("units",),
    "Conv2D": ("filters",),
    "Dropout": ("dropout",),
    "Adam": ("learning_rate",),
    "SGD": ("learning_rate",),
    "RandomForestClassifier": ("n_estimators",),
    "RandomForestRegressor": ("n_estimators",),
    "seed": ("random_state",),
    "set_seed": ("random_state",),
    "set_random_seed": ("random_state",),
    "manual_seed": ("random_state",),
    "RandomState": ("random_state",),
    "default_rng": ("random_state",),
    "early_stopping": ("early_stopping_rounds",),
}
_DRAWN = frozenset(
    {
        *("plot", "scatter", "hist", "bar", "barh", "fill_between", "axvspan", "axhspan"),
        *("axvline", "axhline", "imshow", "contourf", "pcolormesh", "grid", "scatter_matrix"),
        *("histplot", "kdeplot", "distplot", "scatterplot", "lineplot", "regplot", "stripplot"),
        *("geom_point", "geom_line", "geom_bar", "geom_histogram", "candlestick_ohlc"),
    }
)
"""Functions that draw, by the last part of their name."""
_DRAWN_WITH = frozenset(
    {
        *("color", "colour", "marker", "markersize", "cmap", "bins", "linewidth", "lw"),
        *("linestyle", "edgecolor", "edgecolors", "facecolor"),
    }
)
"""Arguments that only what draws takes."""
_OPTIMIZERS = frozenset({"Adam", "SGD"})
_OLD_SPLITTERS = frozenset({"KFold", "StratifiedKFold", "ShuffleSplit", "StratifiedShuffleSplit"})
_NAME = re.compile(r"(?:^|_)(epochs?|seed|folds?|estimators|rounds?|lr|batch_size)(?:$|_)", re.I)
_NAMED = {
    "epoch": "epochs",
    "epochs": "epochs",
    "seed": "random_state",
    "fold": "n_splits",
    "folds": "n_splits",
    "estimators": "n_estimators",
    "round": "n_estimators",
    "rounds": "n_estimators",
    "lr": "learning_rate",
    "batch_size": "batch_size",
}


def parameter_name(name: str) -> str:
    """Return one name for the names that libraries have for a parameter.

    The path to a step of a pipeline or to a wrapped model (`estimator__C`) is no part of it.
    """
    name = name.rpartition("__")[2]
    return _SAME.get(name, name)


def parameters(tree: ast.AST, aliases: Mapping[str, str]) -> Iterator[tuple[str, str, int]]:
    """Name, value and line of every parameter that matters and is written out: arguments, entries
    of parameter dictionaries, constants named after one (`EPOCHS = 20`).

    A value that is computed is `…`.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found = _arguments(node, aliases)
        elif isinstance(node, ast.Dict):
            found = _entries(node)
        elif isinstance(node, ast.Assign):
            found = _constants(node)
        else:
            continue
        for name, value in found:
            yield name, value, getattr(node, "lineno", 1)


def _entries(node: ast.Dict) -> Iterator[tuple[str, str]]:
    for key, value in zip(node.keys, node.values, strict=True):
        name = literal(key)
        if isinstance(name, str):
            yield from _one(name, value)


def _constants(node: ast.Assign) -> Iterator[tuple[str, str]]:
    if literal(node.value) is ...:
        return
    for target in node.targets:
        if isinstance(target, ast.Name):
            yield from _constant(target.id, node.value)
        elif isinstance(target, ast.Attribute) and getattr(target.value, "id", "") != "self":
            yield from _one(target.attr, node.value)  # model.max_depth = 9


def same_value(name: str, old: str, new: str) -> bool:
    """Whether two values are equal, or a library only renamed the one to the other."""
    if old == new or new in _SAME_VALUES.get((name, old), "").split():
        return True
    if {old, new} in ({"True", "1"}, {"False", "0"}):
        return True
    try:
        return float(old) == float(new)
    except ValueError:
        return False


def is_old_default(name: str, value: str) -> bool:
    """Whether a value is one that was once the default."""
    return (name, value) in _OLD_DEFAULTS


def is_less(old: str, new: str) -> bool:
    """Whether a number became smaller."""
    try:
        return float(new) < float(old)
    except ValueError:
        return False


def _arguments(node: ast.Call, aliases: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    callee = tail(dotted(node.func, aliases))
    given = [keyword for keyword in node.keywords if keyword.arg]
    if callee in _DRAWN or _DRAWN_WITH & {keyword.arg for keyword in given}:
        given = [keyword for keyword in given if keyword.arg != "alpha"]  # how opaque it is
    if callee in _OLD_SPLITTERS and not callee.endswith("ShuffleSplit") and not _shuffles(node):
        # without shuffling there is nothing to seed: scikit-learn 0.24 refuses such a seed
        given = [keyword for keyword in given if keyword.arg != "random_state"]
    for keyword in node.keywords:
        if keyword.arg is None and not isinstance(keyword.value, (ast.Name, ast.Dict)):
            yield from _put_together(keyword.value)
    for keyword in given:
        of_splitter = keyword.arg == "n_iter" and callee.endswith("ShuffleSplit")
        yield from _one("n_splits" if of_splitter else keyword.arg or "", keyword.value)
    names = {parameter_name(keyword.arg or "") for keyword in given}
    arguments = _behind_the_data(callee, node.args, "n_splits" in names)
    for name, value in zip(_POSITIONAL.get(callee, ()), arguments, strict=False):
        if name not in names:
            yield from _one(name, value)


def _behind_the_data(
    callee: str, arguments: Sequence[ast.expr], folds_named: bool
) -> Sequence[ast.expr]:
    """The arguments by place, without the data that some functions take first."""
    data_first = bool(arguments) and literal(arguments[0]) is ...
    length_first = len(arguments) > 1 and type(literal(arguments[1])) is int
    if callee in _OLD_SPLITTERS and (folds_named or data_first or length_first):
        return arguments[1:]  # before 0.18 the data, or its length, came first
    if callee in _OPTIMIZERS and data_first and len(arguments) > 1:
        # torch's take what they train first; with two computed ones it is an author's function
        return () if literal(arguments[1]) is ... else arguments[1:]
    return arguments


def _put_together(node: ast.expr) -> Iterator[tuple[str, str]]:
    """Parameters whose names stand as texts in what a call unpacks: their values are computed."""
    for inner in ast.walk(node):
        name = literal(inner) if isinstance(inner, ast.expr) else None
        if isinstance(name, str) and parameter_name(name) in MATTERS:
            yield parameter_name(name), "computed"


def _shuffles(node: ast.Call) -> bool:
    for keyword in node.keywords:
        if keyword.arg == "shuffle":
            return literal(keyword.value) not in (False, None)
    return any(literal(argument) is True for argument in node.args)


def _constant(variable: str, value: ast.expr) -> Iterator[tuple[str, str]]:
    match = _NAME.search(variable)
    if match:
        yield from _one(_NAMED[match.group(1).lower()], value)


def _one(name: str, value: ast.expr) -> Iterator[tuple[str, str]]:
    name = parameter_name(name)
    if name in MATTERS:
        written = literal(value)
        yield name, "…" if written is ... else repr(written)


def was_set(source: str, name: str, value: str) -> bool:
    """Whether some text sets a parameter to a value, under any of its names."""
    names = [name, *(other for other, known in _SAME.items() if known == name)]
    pattern = rf"\b(?:{'|'.join(map(re.escape, names))})\s*=\s*{re.escape(value)}(?![\w.])"
    return bool(re.search(pattern, source))
