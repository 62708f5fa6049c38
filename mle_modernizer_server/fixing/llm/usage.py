"""Usage of a call: the provider's count, in the form of either API, or an estimate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mle_modernizer_server.domain.model_calls import ChatMessage, Price, Usage

_CHARS_PER_TOKEN = 4


@dataclass(frozen=True)
class Counts:
    """Tokens of one call.

    Attributes:
        given: Input, cached tokens included.
        cached: Input that the provider had in its cache.
        written: Output, reasoning included.
        reasoned: Output that was reasoning.
    """

    given: int
    cached: int
    written: int
    reasoned: int


def counts_of(usage: object) -> Counts | None:
    """Return the provider's count of a call, or None if it is missing or nonsense.

    Reads chat completions' `CompletionUsage` and the Responses API's `ResponseUsage`; providers
    leave out details or fill them with null.
    https://platform.openai.com/docs/api-reference/chat/object,
    https://platform.openai.com/docs/api-reference/responses/object
    """
    given = _first(usage, "input_tokens", "prompt_tokens")
    written = _first(usage, "output_tokens", "completion_tokens")
    cached = _first(_first(usage, "input_tokens_details", "prompt_tokens_details"), "cached_tokens")
    details = _first(usage, "output_tokens_details", "completion_tokens_details")
    reasoned = _first(details, "reasoning_tokens")
    found: list[int] = []
    for count in (given, cached or 0, written, reasoned or 0):
        if not isinstance(count, int) or count < 0:
            return None
        found.append(count)
    if not any(found):
        return None
    return Counts(found[0], min(found[1], found[0]), found[2], min(found[3], found[2]))


def _first(thing: object, *names: str) -> object:
    """Return the first of some attributes that is there and not null."""
    values = (getattr(thing, name, None) for name in names)
    return next((value for value in values if value is not None), None)


def tokens_in(characters: int) -> int:
    """Estimate how many tokens a text has."""
    return (characters + _CHARS_PER_TOKEN - 1) // _CHARS_PER_TOKEN


def usage_of(
    counts: Counts | None, messages: Sequence[ChatMessage], written: int, price: Price | None
) -> Usage:
    """Return the cost of a call.

    Args:
        counts: The provider's count; None: it is estimated.
        messages: The prompt.
        written: Characters of the reply, reasoning included.
        price: Of the model.
    """
    known = counts or Counts(
        tokens_in(sum(len(message.text) for message in messages)), 0, tokens_in(written), 0
    )
    return Usage(
        calls=1,
        input_tokens=known.given,
        cached_input_tokens=known.cached,
        output_tokens=known.written,
        reasoning_tokens=known.reasoned,
        estimated=counts is None,
    ).priced(price)
