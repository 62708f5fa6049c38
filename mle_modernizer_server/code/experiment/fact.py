"""A fact of some code that matters to the honesty of an experiment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class FactKind(str, Enum):
    """Kinds of facts."""

    PRIVATE = "private-answers"
    OLD_SUBMISSION = "existing-submission"
    CONSTANT_PREDICTION = "constant-prediction"
    FIXED_SCORE = "hard-coded-score"
    NETWORK = "network"
    PROCESS = "process"
    DELETION = "deletion"
    SWALLOWED = "swallowed-error"
    KNOWS_NOTHING = "model-knows-nothing"
    REPLACED = "prediction-replaced"
    FIXED_METRIC = "metric-fixed"
    OTHER_DATA = "outside-data"
    ENDED = "notebook-ended"
    LIBRARY_FUNCTION = "library-function-replaced"
    """By a lambda: a name that a library removed may be restored so."""
    CONSTANT_COLUMN = "constant-column"
    """Of any table: a prediction only if the competition names the column."""
    TRAINING = "training-step"
    FEATURE = "feature-step"
    TRANSFORMER = "transformer"
    """A step that scales, selects or makes features before a model, in a pipeline mostly."""
    MODEL = "model"
    THINNING = "data-thinned"
    PARAMETER = "parameter"
    ASSERTION = "assertion"
    TRAINED_ON = "training-data"
    MEASURED = "metric-arguments"
    CONDITION = "condition-around-training"
    ARGUMENT = "argument"
    """A named argument: `function.name`."""
    WRITTEN = "written"
    """A literal that is an argument by place."""


@dataclass(frozen=True)
class Fact:
    """A fact: `key` identifies it among others of its kind, `value` is a parameter's value."""

    kind: FactKind
    key: str = ""
    value: str = ""
