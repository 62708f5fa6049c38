"""Estimated cost of a run in auto mode."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.price import Price


class Range(Value):
    """Estimated range of a number."""

    low: float
    likely: float
    high: float


class Basis(str, Enum):
    """Source of an estimate."""

    HISTORY = "history"
    """Earlier sessions of this user with the same model."""
    PUBLISHED = "published"
    """The paper's figures: there are too few earlier sessions."""


class Estimate(Value):
    """Tokens and cost of the model calls; fixes by rules cost nothing."""

    model: str
    prompt_tokens: int
    """Approximate tokens of one prompt about this notebook."""
    fixes: Range
    """Number of requests for a fix to the model."""
    input_tokens: Range
    """Cached tokens included."""
    cached_input_tokens: Range
    output_tokens: Range
    """Reasoning tokens included."""
    cost_usd: Range | None
    """US dollars; None if the model's price is unknown."""
    price: Price | None
    basis: Basis
    sessions: int
    """Number of earlier sessions used; 0 for published figures."""
    rests_on: str
    """The basis as a sentence."""
