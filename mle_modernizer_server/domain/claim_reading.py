"""Claims that a model proposes from a paper's text, each with a quote to check it."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.exchange import ChatMessage
from mle_modernizer_server.domain.proposal import Usage

MOST_READ_CLAIMS = 200
"""Largest number of claims from one paper."""


class ReadClaim(Value):
    """A claim proposed by a model; unused until the paper's text confirms it."""

    quote: str = Field(max_length=2_000)
    """The sentence, or the table row with ` | ` between its cells, verbatim."""
    number: str = Field(max_length=40)
    """The number as the paper prints it in the quote."""
    dataset: str = Field(default="", max_length=200)
    method: str = Field(default="", max_length=200)
    metric: str = Field(default="", max_length=200)
    own: bool = False


class QuoteProblem(str, Enum):
    """Reason to reject a claim that a model proposed."""

    NOT_IN_PAPER = "not-in-paper"
    """No sentence or table row of the paper contains the quote."""
    TOO_SHORT = "too-short"
    """The quote has only a word or two and confirms nothing."""
    NO_NUMBER = "no-number"
    """The quote does not contain the number."""
    AMBIGUOUS = "ambiguous"
    """The paper contains the quote, or the quote the number, more than once."""


class RefusedClaim(Value):
    """A claim that a model proposed and the paper does not confirm."""

    claim: ReadClaim
    problem: QuoteProblem


class KeptClaims(Value):
    """Claims that a model proposed, stored next to the paper; checked again at each reading."""

    version: int = Field(default=1, ge=1, le=1)
    checksum: str = Field(max_length=64)
    """SHA-256 of the paper's file; the claims are not used for a file with another one."""
    model: str = Field(max_length=200)
    asked_at: datetime
    usage: Usage = Usage()
    claims: tuple[ReadClaim, ...] = Field(max_length=MOST_READ_CLAIMS)
    unreadable: int = Field(default=0, ge=0)
    """Lines of the answer that could not be parsed as a claim."""


class ClaimCompletion(Value):
    """Result of checking the claims that a model proposed for a paper."""

    model: str
    asked_at: datetime
    usage: Usage
    confirmed: int
    """Number of claims that the paper's text confirms."""
    refused: tuple[RefusedClaim, ...] = ()
    unreadable: int = 0


class ClaimsQuestion(Value):
    """Preview of the request to a model for a paper's claims, with its estimated cost."""

    host: str
    model: str
    messages: tuple[ChatMessage, ...]
    input_tokens: int
    """Estimated from four characters a token."""
    output_tokens: int
    """Tokens of an answer of usual length."""
    cost_usd: float | None
    """Estimated cost in US dollars; None if the price is unknown."""
    masked: int = 0
    """Number of secrets replaced by placeholders."""
    left_out: tuple[str, ...] = ()
    """Parts that are too long to send, a sentence each."""
