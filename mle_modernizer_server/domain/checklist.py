"""The requirements of a paper's method, each stated, taken from a cited work, or not stated."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.paper import Place


class Topic(str, Enum):
    """Subject of a requirement."""

    DATA = "data"
    MODEL = "model"
    TRAINING = "training"
    EVALUATION = "evaluation"


class Statement(str, Enum):
    """Whether a paper states a requirement."""

    STATED = "stated"
    CITED = "cited"
    """The paper refers to a cited work for it."""
    NOT_STATED = "not_stated"


class Evidence(Value):
    """A passage in which a paper states a requirement."""

    value: str = ""
    """The stated value, if rules can parse it: "0.001", "Adam"."""
    quote: str
    place: Place
    references: tuple[str, ...] = ()
    """Keys of the works cited in the sentence."""


class Requirement(Value):
    """One item of the checklist."""

    name: str
    """Identifier: "learning_rate"."""
    topic: Topic
    statement: Statement
    value: str = ""
    """Value of the best evidence; empty if none can be parsed."""
    evidence: tuple[Evidence, ...] = ()
    """Best first."""
    assumption: str = ""
    """Python expression to assume if the paper states no value; empty if there is none."""
