"""Price of a model's tokens, with its date."""

from __future__ import annotations

from datetime import date

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
