"""Costs of model calls: prices, budgets, estimates."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value

_MILLION = 1_000_000


class Price(Value):
    """USD per million tokens."""

    input: float = Field(ge=0, allow_inf_nan=False)
    cached_input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    """Reasoning tokens are output, and cost the same."""
    as_of: date | None = None
    """Date of the price list; None if the price has no date."""
    source: str = ""
    """The page or file of the price."""

    def cost(
        self, *, input_tokens: float, cached_input_tokens: float, output_tokens: float
    ) -> float:
        """Return the cost in USD; `input_tokens` includes cached, `output_tokens` reasoning
        tokens."""
        fresh = max(input_tokens - cached_input_tokens, 0)
        return (
            fresh * self.input
            + cached_input_tokens * self.cached_input
            + output_tokens * self.output
        ) / _MILLION


class Bound(str, Enum):
    """Quantity that a budget bounds."""

    FIXES = "fixes"
    TOKENS = "tokens"
    MONEY = "money"
    TIME = "time"


class Spending(Value):
    """Amount spent so far."""

    fixes: int = 0
    tokens: int = 0
    """Input tokens (cached included) and output tokens."""
    usd: float | None = 0.0
    """US dollars; None if a model was called whose price is unknown."""
    seconds: float = 0.0
    """Seconds of work; waiting in a queue does not count."""


class Budget(Value):
    """Upper bounds; None is no bound."""

    fixes: int | None = None
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None

    def spent(self, spending: Spending) -> Bound | None:
        """Return the bound that is reached, or None if work may continue.

        An unknown price reaches no bound: the caller that starts work with a bound on money must
        make sure that the price is known.
        """
        if self.fixes is not None and spending.fixes >= self.fixes:
            return Bound.FIXES
        if self.tokens is not None and spending.tokens >= self.tokens:
            return Bound.TOKENS
        if self.usd is not None and spending.usd is not None and spending.usd >= self.usd:
            return Bound.MONEY
        if self.seconds is not None and spending.seconds >= self.seconds:
            return Bound.TIME
        return None


class Range(Value):
    """Estimated range of a number."""

    low: float
    likely: float
    high: float

    @classmethod
    def of(cls, function: Callable[..., float], *ranges: Range) -> Range:
        """Return a function's values for the low, the likely and the high numbers of ranges."""
        low, likely, high = (
            function(*numbers)
            for numbers in zip(*((one.low, one.likely, one.high) for one in ranges), strict=True)
        )
        return cls(low=low, likely=likely, high=high)


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
