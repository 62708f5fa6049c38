"""What a model reads in a paper's text: proposals for claims, each with words to check it by."""

from __future__ import annotations

from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.paper_reading import PaperReading
from mle_modernizer_server.domain.proposal import Usage

MOST_READ_CLAIMS = 200
"""Of one paper."""


class ReadClaim(Value):
    """A claim as a model names it; nothing of it counts before the paper's text confirms it."""

    quote: str = Field(max_length=2_000)
    """The sentence, or the table's row with ` | ` between its cells, letter by letter."""
    number: str = Field(max_length=40)
    """As the paper prints it in the quote."""
    dataset: str = Field(default="", max_length=200)
    method: str = Field(default="", max_length=200)
    metric: str = Field(default="", max_length=200)
    own: bool = False


class QuoteProblem(str, Enum):
    """Why a claim that a model named is refused."""

    NOT_IN_PAPER = "not-in-paper"
    """No sentence and no row of the paper has the quote."""
    NO_NUMBER = "no-number"
    """The quote does not have the number."""
    AMBIGUOUS = "ambiguous"
    """The paper has the quote, or the quote the number, more than once."""


class RefusedClaim(Value):
    """A claim that a model named and the paper does not confirm."""

    claim: ReadClaim
    problem: QuoteProblem


class CompletionEstimate(Value):
    """What asking a model for the claims will probably cost: one question."""

    model: str
    input_tokens: int
    cost_usd: float | None
    """None where the price is not known."""
    left_out: bool = False
    """The paper is longer than what is sent."""


class Completion(Value):
    """A paper's reading with what a model read, as far as the paper confirms it."""

    reading: PaperReading
    found: tuple[ReadClaim, ...]
    """Those that are confirmed: sent back with what is to be reproduced."""
    refused: tuple[RefusedClaim, ...]
    usage: Usage
