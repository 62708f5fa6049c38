"""The requirements of a paper's method, each stated, taken from a cited work, or not stated."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.paper import Place


class Topic(str, Enum):
    """What a requirement is about."""

    DATA = "data"
    MODEL = "model"
    TRAINING = "training"
    EVALUATION = "evaluation"


class Statement(str, Enum):
    """Whether a paper says what is required."""

    STATED = "stated"
    CITED = "cited"
    """It says that it follows a cited work."""
    NOT_STATED = "not_stated"


class Evidence(Value):
    """One place where a paper states a requirement."""

    value: str = ""
    """What it states, as far as rules can read it: "0.001", "Adam"."""
    quote: str
    place: Place
    references: tuple[str, ...] = ()
    """Keys of the works that the sentence cites."""


class Requirement(Value):
    """One item of the checklist."""

    name: str
    """Identifier: "learning_rate"."""
    topic: Topic
    statement: Statement
    value: str = ""
    """Of the best evidence; empty where none is readable."""
    evidence: tuple[Evidence, ...] = ()
    """Best first."""
    assumption: str = ""
    """Python expression that stands in where nothing is stated; empty where none can."""
