"""The parameters that an experiment sets, and which of them a patch really changes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mle_modernizer_server.code.calls import DRAWING, table
from mle_modernizer_server.code.expressions import dotted, keyword, literal, tail

_TABLE: dict[str, Any] = table(__file__)
_SPELLINGS: dict[str, str] = {
    old: name for name, names in _TABLE["spellings"].items() for old in names.split()
}
TRAINING_LENGTH = frozenset(_TABLE["training_length"].split())
SEEDS = frozenset(_TABLE["seeds"].split())
SPLITS = frozenset(_TABLE["splits"].split())
MATTERS = TRAINING_LENGTH | SEEDS | SPLITS | frozenset(_TABLE["hyper"].split())
_POSITIONAL: Mapping[str, str] = _TABLE["positional"]
_DRAWN_WITH = frozenset(_TABLE["drawing_arguments"].split())
_NAMED: Mapping[str, str] = _TABLE["constants"]
_OPTIMIZERS = frozenset({"Adam", "SGD"})
_OLD_SPLITTERS = frozenset({"KFold", "StratifiedKFold", "ShuffleSplit", "StratifiedShuffleSplit"})
_NAME = re.compile(r"(?:^|_)(epochs?|seed|folds?|estimators|rounds?|lr|batch_size)(?:$|_)", re.I)
_Settings = Iterator[tuple[str, ast.expr | None]]
"""Parameters by any of their names, with their values; None if only the name is written out."""


def parameter_name(name: str) -> str:
    """Return one name for the names that libraries have for a parameter.

    The path to a step of a pipeline or to a wrapped model (`estimator__C`) is no part of it.
    """
    name = name.rpartition("__")[2]
    return _SPELLINGS.get(name, name)


def spellings(name: str) -> list[str]:
    """Return all names that libraries have for a parameter."""
    return [name, *(old for old, new in _SPELLINGS.items() if new == name)]


def parameters(tree: ast.AST, aliases: Mapping[str, str]) -> Iterator[tuple[str, str, int]]:
    """Yield name, value and line of every parameter that matters and is written out: arguments,
    entries of parameter dictionaries, constants named after one (`EPOCHS = 20`).

    A value that is computed is `…`, and `computed` if its name is a text in an unpacked argument.
    """
    drawn: set[ast.AST] = set()
    for node in ast.walk(tree):  # calls come before their arguments
        if isinstance(node, ast.Call):
            if _draws(node, aliases):
                drawn.update(ast.walk(node))
            settings = _arguments(node, aliases, is_drawn=node in drawn)
        elif isinstance(node, (ast.Dict, ast.Assign)):
            settings = _entries(node) if isinstance(node, ast.Dict) else _constants(node)
        else:
            continue
        for name, value in settings:
            if (name := parameter_name(name)) in MATTERS:
                written = literal(value)
                unknown = "computed" if value is None else "…"
                yield name, unknown if written is ... else repr(written), node.lineno


def _entries(node: ast.Dict) -> _Settings:
    for key, value in zip(node.keys, node.values, strict=True):
        name = literal(key)
        if isinstance(name, str):
            yield name, value


def _constants(node: ast.Assign) -> _Settings:
    for target in node.targets if literal(node.value) is not ... else ():
        if isinstance(target, ast.Name):
            if found := _NAME.search(target.id):
                yield _NAMED[found[1].lower()], node.value
        elif isinstance(target, ast.Attribute) and getattr(target.value, "id", "") != "self":
            yield target.attr, node.value  # model.max_depth = 9


def _draws(node: ast.Call, aliases: Mapping[str, str]) -> bool:
    callee = tail(dotted(node.func, aliases))
    return callee in DRAWING or any(one.arg in _DRAWN_WITH for one in node.keywords)


def _arguments(node: ast.Call, aliases: Mapping[str, str], *, is_drawn: bool) -> _Settings:
    callee = tail(dotted(node.func, aliases))
    keywords = {one.arg: one.value for one in node.keywords if one.arg}
    if is_drawn:
        keywords.pop("alpha", None)  # of colours
    if callee in _OLD_SPLITTERS and not callee.endswith("ShuffleSplit") and not _shuffles(node):
        # without shuffling there is nothing to seed: scikit-learn 0.24 refuses such a seed
        keywords.pop("random_state", None)
    for one in node.keywords:
        if one.arg is None and not isinstance(one.value, (ast.Name, ast.Dict)):
            texts = map(literal, ast.walk(one.value))
            yield from ((text, None) for text in texts if isinstance(text, str))
    for name, value in keywords.items():
        of_splitter = name == "n_iter" and callee.endswith("ShuffleSplit")
        yield "n_splits" if of_splitter else name, value
    names = {parameter_name(name) for name in keywords}
    arguments = _behind_the_data(callee, node.args, "n_splits" in names)
    for name, value in zip(_POSITIONAL.get(callee, "").split(), arguments, strict=False):
        if name not in names:
            yield name, value


def _behind_the_data(
    callee: str, arguments: Sequence[ast.expr], folds_named: bool
) -> Sequence[ast.expr]:
    """Return the positional arguments without the data that some functions take first."""
    data_first = bool(arguments) and literal(arguments[0]) is ...
    length_first = len(arguments) > 1 and type(literal(arguments[1])) is int
    if callee in _OLD_SPLITTERS and (folds_named or data_first or length_first):
        return arguments[1:]  # before 0.18 the data, or its length, came first
    if callee in _OPTIMIZERS and data_first and len(arguments) > 1:
        # torch's take the weights to train first; with two computed ones it is an author's function
        return () if literal(arguments[1]) is ... else arguments[1:]
    return arguments


def _shuffles(node: ast.Call) -> bool:
    named = keyword(node, "shuffle")
    if named is not None:
        return literal(named) not in (False, None)
    return any(literal(argument) is True for argument in node.args)
