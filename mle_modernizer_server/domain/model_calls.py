"""Calls of a model: prices, budgets and estimates; requests and replies, for inspection."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from enum import Enum
from typing import Literal

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import FixScope, FixType

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


class Usage(Value):
    """Cost of a fix."""

    calls: int = 0
    input_tokens: int = 0
    """All input tokens, cached ones included."""
    cached_input_tokens: int = 0
    output_tokens: int = 0
    """All output tokens, reasoning ones included."""
    reasoning_tokens: int = 0
    """Reasoning tokens of the model; 0 if the provider does not report them."""
    cost_usd: float | None = None
    """Cost of the calls with known prices; None if there are none."""
    unpriced_calls: int = 0
    """Number of calls without a known price, which are not in `cost_usd`."""
    prices_as_of: date | None = None
    """Date of the price list behind `cost_usd`, the earliest of several; None if unknown."""
    estimated: bool = False
    """The provider reported no usage: estimated from four characters a token."""
    failed: int = 0
    """Number of calls that failed at no cost; `calls` does not include them."""

    @property
    def asked(self) -> int:
        """Return the number of all calls, failed ones included."""
        return self.calls + self.failed

    def __add__(self, other: Usage) -> Usage:
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        days = [day for day in (self.prices_as_of, other.prices_as_of) if day is not None]
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            cached_input_tokens=self.cached_input_tokens + other.cached_input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            cost_usd=sum(costs) if costs else None,
            unpriced_calls=self._unpriced + other._unpriced,
            prices_as_of=min(days) if days else None,
            estimated=self.estimated or other.estimated,
            failed=self.failed + other.failed,
        )

    @property
    def fresh_input_tokens(self) -> int:
        """Return the number of input tokens that came from no cache."""
        return max(self.input_tokens - self.cached_input_tokens, 0)

    @property
    def _unpriced(self) -> int:
        return self.calls if self.cost_usd is None else self.unpriced_calls

    def priced(self, price: Price | None) -> Usage:
        """Return the same tokens at a price; without one their cost is unknown."""
        if price is None:
            return self.model_copy(
                update={"cost_usd": None, "unpriced_calls": self.calls, "prices_as_of": None}
            )
        cost = price.cost(
            input_tokens=self.input_tokens,
            cached_input_tokens=self.cached_input_tokens,
            output_tokens=self.output_tokens,
        )
        return self.model_copy(
            update={"cost_usd": cost, "unpriced_calls": 0, "prices_as_of": price.as_of}
        )


class ChatMessage(Value):
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str


class CallEnding(str, Enum):
    """How a model call ended."""

    ANSWERED = "answered"
    BROKEN = "broken"
    """The reply is no answer, or broke off; it was not used."""
    FAILED = "failed"
    """The endpoint refused, did not respond or was unreachable."""
    CANCELLED = "cancelled"


class ModelCall(Value):
    """A request to a model as sent, and its result."""

    started_at: datetime
    seconds: float
    host: str
    model: str
    api: Literal["chat", "responses"]
    messages: tuple[ChatMessage, ...]
    """All messages sent, secrets masked."""
    reply: str = ""
    """The reply, or the part of it that arrived."""
    ending: CallEnding
    remark: str = ""
    """Reason if it ended without an answer, in a sentence."""
    usage: Usage = Usage()
    """Tokens and cost; estimated if the call broke off."""


class Exchange(Value):
    """All model calls of one proposal, repeated ones included."""

    id: str
    """Id of the proposal; an id of its own if there is no proposal."""
    calls: tuple[ModelCall, ...]


class ExchangeSummary(Value):
    """An exchange in a list."""

    id: str
    started_at: datetime
    calls: int
    proposal: bool
    """Whether the exchange led to a proposal; its id is the exchange's."""


class ExchangeList(Value):
    """Answer of `GET /sessions/{id}/exchanges`, oldest first."""

    exchanges: tuple[ExchangeSummary, ...]


class PromptPreview(Value):
    """Preview of the request to a model for a fix; nothing has been sent."""

    configured: bool
    """Whether a model is configured."""
    host: str
    model: str
    """Name of the model; empty if none is configured."""
    fix_type: FixType
    scope: FixScope
    """The effective scope: the cell scope needs a failing cell."""
    messages: tuple[ChatMessage, ...]
    characters: int
    tokens: int
    """Estimated from four characters a token."""
    masked: int
    """Number of secrets replaced by placeholders."""
    left_out: tuple[str, ...]
    """Parts that were shortened or omitted because they are too long, a sentence each."""
