"""Look up the meaning of names: training, predicting, reading, writing, measuring."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from mle_modernizer_server.code import calls
from mle_modernizer_server.code.calls import (
    FILLS,
    FITTERS,
    PREPARING_FITTERS,
    SCORED_ON_FOLDS,
    facts,
)
from mle_modernizer_server.code.data_flow.values import Origin
from mle_modernizer_server.code.expressions import dotted, tail

TRAINING = FITTERS | facts("flow", "other_fitters")
TRAINING_FUNCTIONS = facts("flow", "training_functions")
PREPARING = facts("flow", "preparing")
"""Methods that return prepared data, no prediction."""
PREDICTING = facts("flow", "predicting")
FITTING_AND_PREDICTING = SCORED_ON_FOLDS | facts("flow", "fitting_and_predicting")
"""Functions that take a model and data."""
OPTIMIZING = facts("flow", "optimizing")
LOADING = facts("flow", "loading")
READERS = (calls.READERS | facts("flow", "contents")) - LOADING
ONLY_SHAPE = facts("flow", "only_shape")
"""Functions whose result does not depend on the content of their first argument."""
SHAPES = facts("flow", "shapes")
SAME_TABLE = facts("flow", "same_table")
JOINING = facts("flow", "joining")
INDEXERS = facts("flow", "indexers")
MUTATORS = FILLS | facts("flow", "adding")
PART_OF = facts("flow", "parts")
WRITERS = facts("flow", "file_writers")
SHOWING = facts("flow", "showing")
BUILTINS = (calls.BUILTINS - ONLY_SHAPE) | facts("flow", "builtins")
DATA_LIBRARIES = facts("flow", "data_libraries")
"""Modules whose functions return results of nothing but their arguments."""

_METRIC = re.compile(
    r"(?:_score|_error|_loss|log_loss|_auc|auc|logloss|kappa|rmse|rmsle|mape|smape|gini|"
    r"_deviance|matthews_corrcoef|classification_report|confusion_matrix|spearmanr|pearsonr)\Z",
    re.IGNORECASE,
)
_NO_METRIC = FITTING_AND_PREDICTING | {"zero_one_loss_", "total_loss"}
_SAMPLE = re.compile(r"sample|gender_?sub|example|template|submission_?format", re.IGNORECASE)
_SUBMISSION = re.compile(r"submi(?:ssion|t)", re.IGNORECASE)
_TEST = re.compile(r"test", re.IGNORECASE)
_TRAIN = re.compile(r"train", re.IGNORECASE)
_OF_A_DISTRIBUTION = re.compile(r"(?:scipy\.)?stats\.[a-z]\w*\.fit\Z")
"""`scipy.stats.norm.fit`, also if another cell imports `stats`."""


def is_metric(name: str) -> bool:
    """Return whether a function of that name measures predictions; `plot_confusion_matrix`
    draws."""
    measures = bool(_METRIC.search(name)) and not name.startswith("plot_")
    return measures and name not in _NO_METRIC


def is_predicting(name: str) -> bool:
    """Return whether a method of that name predicts."""
    return name.startswith("predict") or name in PREDICTING


def is_training(node: ast.AST, aliases: Mapping[str, str]) -> bool:
    """Return whether a node is a call that trains a model."""
    if not isinstance(node, ast.Call):
        return False
    name = dotted(node.func, aliases)
    if _OF_A_DISTRIBUTION.match(name):
        return False  # it fits parameters, and no model
    if tail(name) == "train":  # without arguments it is PyTorch's switch, not a training
        return bool(node.args or node.keywords)
    return tail(name) in TRAINING - PREPARING_FITTERS


def origin_of_file(path: str) -> Origin:
    """Return the origin of the data in a file of the competition, by its name."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    if _SAMPLE.search(name):
        return Origin.SAMPLE
    if _SUBMISSION.search(name):
        return Origin.OLD
    if _TEST.search(name) and not _TRAIN.search(name):
        return Origin.TEST
    return Origin.TRAIN


def file_name(path: str) -> str:
    """Return the last part of a path."""
    return path.replace("\\", "/").rpartition("/")[2]


def is_submission(path: str) -> bool:
    """Return whether a file's name is that of a submission."""
    name = file_name(path)
    return bool(_SUBMISSION.search(name) or re.match(r"sub\b|sub[_\d.]", name, re.IGNORECASE))
