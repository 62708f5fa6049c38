"""Errors of the endpoint in a sentence with the next step; never with the key in it."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import openai

from mle_modernizer_server.domain.text import duration
from mle_modernizer_server.fixing.llm.retry import (
    LONGEST_ASKED_FOR,
    asked_to_wait,
    was_silent,
)
from mle_modernizer_server.fixing.llm.settings import LlmSettings

_TOO_LONG = re.compile(
    r"context[ _]length|context window|maximum context|too many tokens|prompt is too long|"
    r"input is too long|input length|exceeds? the (?:model|maximum)|reduce the length",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"\b\d{4,8}\b")
_DAY = 86_400.0


class BrokenAnswer(Exception):
    """The endpoint's reply is no valid answer; the message has the reason."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class EndlessReply(openai.APIError):
    """The endpoint's reply was not read to its end; the message has the reason. No retry."""


def is_too_long(error: openai.APIError) -> bool:
    """Return whether the endpoint refused the prompt as longer than the model can read."""
    if isinstance(error, openai.RateLimitError):
        return False
    status = getattr(error, "status_code", None)
    return status == 413 or bool(_TOO_LONG.search(f"{error.message} {error.code or ''}"))


def fitting_share(error: openai.APIError) -> float:
    """Return the share of a prompt that was too long that can be sent; a half if unknown.

    Most endpoints report how many tokens they read and how many there were.
    """
    numbers = [int(found) for found in _TOKENS.findall(error.message)]
    limit = min(numbers, default=0)
    given = max(numbers, default=0)
    # A quarter is left to the reply and to the error of counting by characters.
    return min(limit / given * 0.75, 0.5) if 0 < limit < given else 0.5


def waiting(error: openai.APIError, settings: LlmSettings, seconds: float) -> str:
    """Return why and how long we wait before the request is repeated."""
    if isinstance(error, openai.RateLimitError):
        why = f"{settings.host} takes no more requests for now"
    elif isinstance(error, openai.APIStatusError):
        why = f"{settings.host} reports a server error (HTTP {error.status_code})"
    elif was_silent(error):
        why = f"{settings.host} did not answer within {duration(settings.timeout)}"
    else:
        why = f"{settings.host} cannot be reached"
    after = f"in {duration(round(seconds))}" if seconds >= 1.5 else "at once"
    return f"{why}; asking again {after}"


def explain_failure(error: openai.APIError, settings: LlmSettings) -> str:
    """Return one or two sentences on an error of the `openai` package."""
    host, model = settings.host, settings.model
    if isinstance(error, openai.AuthenticationError):
        if settings.api_key is None:
            return f"{host} wants an API key. Set MLE_MODERNIZER_API_KEY where the server starts."
        return (
            f"{host} refused the API key. Check MLE_MODERNIZER_API_KEY (or OPENAI_API_KEY, "
            "AZURE_OPENAI_API_KEY) where the server starts."
        )
    if isinstance(error, openai.PermissionDeniedError):
        return f"The key may not use the model {model!r} at {host}. Choose another model or key."
    if isinstance(error, openai.NotFoundError) or error.code == "model_not_found":
        if settings.azure:
            return (
                f"{host} has no deployment {model!r}, or not with that API version. Check "
                "MLE_MODERNIZER_MODEL (the deployment's name) and OPENAI_API_VERSION."
            )
        return (
            f"{host} does not know the model {model!r}, or the address is not that of its API. "
            "Check MLE_MODERNIZER_MODEL, and that the base URL is complete (most end in /v1)."
        )
    if is_too_long(error):
        return (
            f"The notebook is too long for {model!r}. Ask for a fix of the failing cell only "
            "(scope: cell), or configure a model that reads more."
        )
    if isinstance(error, openai.RateLimitError):
        if error.code == "insufficient_quota":
            return f"The account at {host} has no credit left. Add some, or use another key."
        later = _later(asked_to_wait(error.response.headers))
        return f"{host} takes no more requests for now (rate limit). Try again {later}."
    if was_silent(error):
        return (
            f"{host} did not answer within {duration(settings.timeout)}. Try again, or raise the "
            "time-out (MLE_MODERNIZER_TIMEOUT where the server starts)."
        )
    if isinstance(error, openai.APIConnectionError):
        return (
            f"The model at {host} cannot be reached. Check MLE_MODERNIZER_BASE_URL and the network "
            "of the server."
        )
    if isinstance(error, openai.InternalServerError):
        return f"{host} reports a server error (HTTP {error.status_code}). Try again later."
    return _other_failure(error, settings)


def _other_failure(error: openai.APIError, settings: LlmSettings) -> str:
    """Return a sentence on a reply that was not read, a redirect or a refused request."""
    if isinstance(error, EndlessReply):
        return error.message
    status = getattr(error, "status_code", None)
    if isinstance(error, openai.APIStatusError) and 300 <= error.status_code < 400:
        return (
            f"{settings.host} redirects requests to {_redirected(error)}. Nothing was sent there. "
            "If this is the right endpoint, set its address as the base URL "
            "(MLE_MODERNIZER_BASE_URL)."
        )
    said = _quoted(error.message, settings)
    return (
        f"{settings.host} refused the request{f' (HTTP {status})' if status else ''}{said}. "
        "Check the model and the endpoint's settings."
    )


def _later(seconds: float | None) -> str:
    """Return when to try again, for a wait that the endpoint requested."""
    if seconds is None or seconds <= LONGEST_ASKED_FOR:
        return "in some minutes"
    if seconds <= 2 * _DAY:
        return f"in {duration(round(seconds))}"
    return "in some days, or use another model or key"


def _redirected(error: openai.APIStatusError) -> str:
    """Return the address that a redirect names, short and without its query."""
    named = error.response.headers.get("location", "")
    try:
        there = urljoin(str(error.request.url), named).partition("?")[0]
    except ValueError:
        there = ""
    shown = "".join(char for char in there if char.isprintable())[:200]
    return shown if named and shown else "another address"


def _quoted(message: str, settings: LlmSettings) -> str:
    """Return the endpoint's own words, short and without the key."""
    for secret in settings.secrets:
        message = message.replace(secret, "…")
    words = " ".join(message.split())
    return f": {words[:200]!r}" if words else ""
