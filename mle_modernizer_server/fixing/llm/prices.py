"""What a model's tokens cost.

List prices in USD per million tokens as OpenAI published them (https://openai.com/api/pricing,
December 2025). Prices change and endpoints have their own: a setting overrides the table, and the
cost of a model that is not in it is unknown, never guessed.
"""

from __future__ import annotations

import re

from pydantic import Field

from mle_modernizer_server.domain.base import Value

_MILLION = 1_000_000
_SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}\Z")


class Price(Value):
    """USD per million tokens."""

    input: float = Field(ge=0)
    cached_input: float = Field(ge=0)
    output: float = Field(ge=0)

    def cost(self, *, input_tokens: int, cached_input_tokens: int, output_tokens: int) -> float:
        """USD for one call; `input_tokens` includes the cached ones."""
        fresh = max(input_tokens - cached_input_tokens, 0)
        return (
            fresh * self.input
            + cached_input_tokens * self.cached_input
            + output_tokens * self.output
        ) / _MILLION


LIST_PRICES: dict[str, Price] = {
    "gpt-5.2": Price(input=1.75, cached_input=0.175, output=14.0),
    "gpt-5.1": Price(input=1.25, cached_input=0.125, output=10.0),
    "gpt-5": Price(input=1.25, cached_input=0.125, output=10.0),
    "gpt-5-mini": Price(input=0.25, cached_input=0.025, output=2.0),
    "gpt-5-nano": Price(input=0.05, cached_input=0.005, output=0.4),
    "gpt-4.1": Price(input=2.0, cached_input=0.5, output=8.0),
    "gpt-4.1-mini": Price(input=0.4, cached_input=0.1, output=1.6),
    "gpt-4.1-nano": Price(input=0.1, cached_input=0.025, output=0.4),
    "gpt-4o": Price(input=2.5, cached_input=1.25, output=10.0),
    "gpt-4o-mini": Price(input=0.15, cached_input=0.075, output=0.6),
    "o3": Price(input=2.0, cached_input=0.5, output=8.0),
    "o4-mini": Price(input=1.1, cached_input=0.275, output=4.4),
}


def price_of(model: str) -> Price | None:
    """The list price of a model (`gpt-5.2`, or a dated snapshot of it), or None if unknown."""
    return LIST_PRICES.get(_SNAPSHOT.sub("", model))
