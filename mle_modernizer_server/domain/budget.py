"""What the modernization of a notebook may cost, and what it has cost."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value


class Bound(str, Enum):
    """What a budget bounds."""

    FIXES = "fixes"
    TOKENS = "tokens"
    MONEY = "money"
    TIME = "time"


class Spending(Value):
    """What was spent so far."""

    fixes: int = 0
    tokens: int = 0
    """Input (cached included) and output."""
    usd: float | None = 0.0
    """None where models were asked whose price is not known."""
    seconds: float = 0.0
    """Of work; waiting in line does not count."""


class Budget(Value):
    """Upper bounds; None is no bound."""

    fixes: int | None = None
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None

    def spent(self, spending: Spending) -> Bound | None:
        """The bound that is reached, or None where work may go on.

        A price that is not known reaches no bound: whoever starts work with a bound on money has
        to see to it that the price is known.
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
