"""Budget for modernizing a notebook, and the amount spent."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value


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
