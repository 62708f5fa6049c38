"""Delays before retries, and failures without a retry."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import openai

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
LONGEST_ASKED_FOR = 300.0
"""Seconds an endpoint may ask us to wait (`Retry-After`); beyond, the person decides."""
_PASSING = frozenset({408, 409, 425, 429})


def wait_before(error: openai.APIError, failures: int, retries: int) -> float | None:
    """Return the seconds to wait before a retry; None if the failure is final.

    An endpoint's `Retry-After` is respected; else the time doubles from half a second on, with a
    quarter of jitter, so that many clients do not come back at once.

    Args:
        error: Why the call failed before there was any answer.
        failures: How often it has failed by now, from 1.
        retries: How often it may be repeated.
    """
    if failures > retries:
        return None
    if isinstance(error, openai.APIStatusError):
        headers = error.response.headers
        if not _passes(error, headers):
            return None
        asked = asked_to_wait(headers)
        if asked is not None:
            wait = asked * (1 + random.random() / 10)
            return wait if asked <= LONGEST_ASKED_FOR else None
    elif not isinstance(error, openai.APIConnectionError) or (
        # A human who answers manually would get the same request again: once is enough.
        was_silent(error) and failures > 1
    ):
        return None
    doubled = min(_FIRST_WAIT * 2 ** (failures - 1), _LONGEST_WAIT)
    return float(doubled * (0.75 + random.random() / 4))


def was_silent(error: openai.APIError) -> bool:
    """Return whether the endpoint took the request and then did not answer in time."""
    connecting = type(error.__cause__).__name__ in ("ConnectTimeout", "PoolTimeout")
    return isinstance(error, openai.APITimeoutError) and not connecting


def asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds an endpoint asks to wait, None if it does not say.

    `retry-after-ms` is OpenAI's; `Retry-After` has seconds or a date:
    https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or not text:
        return seconds
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=timezone.utc)
    return max((until - datetime.now(timezone.utc)).total_seconds(), 0.0)


def _passes(error: openai.APIStatusError, headers: Mapping[str, str]) -> bool:
    """Return whether such a refusal may be over soon."""
    if error.code == "insufficient_quota" or headers.get("x-should-retry") == "false":
        return False
    return error.status_code in _PASSING or (error.status_code >= 500 and error.status_code != 501)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
