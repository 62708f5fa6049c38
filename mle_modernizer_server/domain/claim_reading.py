"""What a model reads in a paper's text: proposals for claims, each with words to check it by."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.exchange import ChatMessage
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
    TOO_SHORT = "too-short"
    """The quote is a word or two: it confirms nothing."""
    NO_NUMBER = "no-number"
    """The quote does not have the number."""
    AMBIGUOUS = "ambiguous"
    """The paper has the quote, or the quote the number, more than once."""


class RefusedClaim(Value):
    """A claim that a model named and the paper does not confirm."""

    claim: ReadClaim
    problem: QuoteProblem


class KeptClaims(Value):
    """What a model read in a paper, kept beside it; judged anew whenever the paper is read."""

    version: int = Field(default=1, ge=1, le=1)
    checksum: str = Field(max_length=64)
    """SHA-256 of the paper's file: of another one nothing here is used."""
    model: str = Field(max_length=200)
    asked_at: datetime
    usage: Usage = Usage()
    claims: tuple[ReadClaim, ...] = Field(max_length=MOST_READ_CLAIMS)
    unreadable: int = Field(default=0, ge=0)
    """Lines of the answer that are no claim."""


class ClaimCompletion(Value):
    """What became of the claims that a model named for a paper."""

    model: str
    asked_at: datetime
    usage: Usage
    confirmed: int
    """How many the paper's text confirms."""
    refused: tuple[RefusedClaim, ...] = ()
    unreadable: int = 0


class ClaimsQuestion(Value):
    """What a model would be sent for a paper's claims, and what that will probably cost."""

    host: str
    model: str
    messages: tuple[ChatMessage, ...]
    input_tokens: int
    """About: four characters a token."""
    output_tokens: int
    """Of an answer of usual length."""
    cost_usd: float | None
    """None where the price is not known."""
    masked: int = 0
    """Secrets that were replaced by placeholders."""
    left_out: tuple[str, ...] = ()
    """What is not sent because it is too long, a sentence each."""
