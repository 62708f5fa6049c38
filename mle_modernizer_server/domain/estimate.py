"""What a run in auto mode will probably cost."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.price import Price


class Range(Value):
    """A number that is not known yet."""

    low: float
    likely: float
    high: float


class Basis(str, Enum):
    """What an estimate rests on."""

    HISTORY = "history"
    """Earlier sessions of this user with the same model."""
    PUBLISHED = "published"
    """The paper's figures: there are too few such sessions."""


class Estimate(Value):
    """Tokens and money of the model's part; what the rules mend costs nothing."""

    model: str
    prompt_tokens: int
    """Of one question about this notebook, about."""
    fixes: Range
    """How often the model is asked for a fix."""
    input_tokens: Range
    """Cached ones included."""
    cached_input_tokens: Range
    output_tokens: Range
    """Reasoning included."""
    cost_usd: Range | None
    """None where the price of the model is not known."""
    price: Price | None
    basis: Basis
    sessions: int
    """Earlier sessions it rests on; 0 for published figures."""
    rests_on: str
    """The same as a sentence."""
