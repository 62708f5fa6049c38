"""Prompt that completes the claims of a paper, and the parser of its answer."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from mle_modernizer_server.domain.model_calls import ChatMessage, Usage
from mle_modernizer_server.domain.paper import (
    MOST_READ_CLAIMS,
    ClaimsQuestion,
    ReadClaim,
)
from mle_modernizer_server.fixing.llm.prompt import Quotes
from mle_modernizer_server.fixing.llm.redaction import Redactor, masked_in
from mle_modernizer_server.fixing.llm.reply import is_closed
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.llm.templates import templates
from mle_modernizer_server.fixing.llm.usage import tokens_in
from mle_modernizer_server.untrusted.parsing import read_json

_USUAL_ANSWER = 4_000
"""Tokens: some fifty claims."""
_LONGEST_LINE = 8_000


@dataclass(frozen=True)
class ClaimsBrief:
    """Input of a prompt about a paper.

    Attributes:
        paper: Its text.
        known: The claims that rules have found, a line each.
    """

    paper: str
    known: Sequence[str] = ()


@dataclass(frozen=True)
class ClaimsPrompt:
    """Messages of a request.

    Attributes:
        messages: In their order.
        redactor: Restores in the answer the texts it removed from the paper.
        left_out: Omitted parts, a sentence each.
    """

    messages: tuple[ChatMessage, ...]
    redactor: Redactor
    left_out: tuple[str, ...]


def claims_prompt(settings: LlmSettings, brief: ClaimsBrief, share: float = 1.0) -> ClaimsPrompt:
    """Return the prompt for the claims of a paper.

    Args:
        settings: Endpoint, model and key; the key is taken out of the text.
        brief: Input of the prompt.
        share: Of the longest prompt; less if an endpoint takes less.
    """
    key = settings.api_key
    redactor = Redactor([key.get_secret_value()] if key else [])
    mark = secrets.token_hex(4)
    longest = int(settings.max_prompt_chars * share)
    quotes = Quotes(mark, redactor, longest * 5 // 6)
    text = (
        templates()
        .get_template("claims.j2")
        .render(
            paper=quotes.quote("the paper", brief.paper),
            known=quotes.quote("known claims", "\n".join(brief.known), longest // 8),
        )
    )
    system = templates().get_template("claims_system.j2")
    return ClaimsPrompt(
        messages=(
            ChatMessage(role="system", text=system.render(mark=mark, most=MOST_READ_CLAIMS)),
            ChatMessage(role="user", text=text.encode("utf-8", "replace").decode("utf-8")),
        ),
        redactor=redactor,
        left_out=tuple(quotes.left_out),
    )


def claims_question(settings: LlmSettings, brief: ClaimsBrief) -> ClaimsQuestion:
    """Return the prompt and its estimated cost; nothing is sent."""
    prompt = claims_prompt(settings, brief)
    tokens = tokens_in(sum(len(message.text) for message in prompt.messages))
    usage = Usage(calls=1, input_tokens=tokens, output_tokens=_USUAL_ANSWER)
    return ClaimsQuestion(
        host=settings.host,
        model=settings.model,
        messages=prompt.messages,
        input_tokens=tokens,
        output_tokens=_USUAL_ANSWER,
        cost_usd=usage.priced(settings.known_price).cost_usd,
        masked=masked_in(message.text for message in prompt.messages),
        left_out=prompt.left_out,
    )


@dataclass(frozen=True)
class ClaimsReply:
    """An answer, line by line.

    Attributes:
        claims: The claims it names; at most `MOST_READ_CLAIMS`.
        unreadable: How many of its lines are no claim.
        usable: Whether it is an answer at all: with a claim, or an end that states there is none.
    """

    claims: tuple[ReadClaim, ...]
    unreadable: int
    usable: bool


def read_reply(text: str, redactor: Redactor) -> ClaimsReply:
    """Return the claims in a model's answer."""
    found: list[ReadClaim] = []
    unreadable = 0
    for line in text.splitlines():
        line = line.strip().rstrip(",")
        if not line.startswith("{"):
            continue
        claim = _claim(redactor.restore(line)) if len(line) <= _LONGEST_LINE else None
        if claim is None:
            unreadable += 1
        elif len(found) < MOST_READ_CLAIMS and claim not in found:
            found.append(claim)
    usable = bool(found) or (not unreadable and is_closed(text))
    return ClaimsReply(tuple(found), unreadable, usable)


def _claim(line: str) -> ReadClaim | None:
    try:
        # A number stays as it is written: 98.90 has two digits.
        return ReadClaim.model_validate(read_json(line, numbers_as_text=True))
    except ValueError:
        return None  # counted by the caller: a line that is no claim
