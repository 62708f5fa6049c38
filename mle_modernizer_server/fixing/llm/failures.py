"""What went wrong at the endpoint, in a sentence with the next step; never with the key in it."""

from __future__ import annotations

import re

import openai

from mle_modernizer_server.fixing.llm.settings import LlmSettings

_TOO_LONG = re.compile(
    r"context[ _]length|context window|maximum context|too many tokens|prompt is too long|"
    r"input is too long|exceeds? the (?:model|maximum)",
    re.IGNORECASE,
)


def explain_failure(error: openai.APIError, settings: LlmSettings) -> str:
    """One or two sentences on an error of the `openai` package."""
    host, model = settings.host, settings.model
    body = f"{error.message} {error.code or ''}"
    if isinstance(error, openai.AuthenticationError):
        if settings.api_key is None:
            return f"{host} wants an API key. Set MLE_MODERNIZER_API_KEY where the server starts."
        return (
            f"{host} refused the API key. Check MLE_MODERNIZER_API_KEY (or OPENAI_API_KEY) where "
            "the server starts."
        )
    if isinstance(error, openai.PermissionDeniedError):
        return f"The key may not use the model {model!r} at {host}. Choose another model or key."
    if isinstance(error, openai.NotFoundError) or error.code == "model_not_found":
        return (
            f"{host} does not know the model {model!r}, or the address is not that of its API. "
            "Check MLE_MODERNIZER_MODEL, and that the base URL is complete (most end in /v1)."
        )
    if _TOO_LONG.search(body) or getattr(error, "status_code", None) == 413:
        return (
            f"The notebook is too long for {model!r}. Ask for a fix of the failing cell only "
            "(scope: cell), or configure a model that reads more."
        )
    if isinstance(error, openai.RateLimitError):
        if error.code == "insufficient_quota":
            return f"The account at {host} has no credit left. Add some, or use another key."
        return f"{host} takes no more requests for now (rate limit). Try again in some minutes."
    if isinstance(error, openai.APITimeoutError):
        return (
            f"{host} did not answer within {settings.timeout:g} seconds. Try again, or raise the "
            "time-out."
        )
    if isinstance(error, openai.APIConnectionError):
        return f"{host} cannot be reached. Check the base URL and the network of the server."
    if isinstance(error, openai.InternalServerError):
        return f"{host} has trouble of its own (HTTP {error.status_code}). Try again later."
    status = getattr(error, "status_code", None)
    said = _quoted(error.message, settings)
    return (
        f"{host} refused the request{f' (HTTP {status})' if status else ''}{said}. "
        "Check the model and the endpoint's settings."
    )


def _quoted(message: str, settings: LlmSettings) -> str:
    """The endpoint's own words, short and without the key."""
    if settings.api_key is not None:
        message = message.replace(settings.api_key.get_secret_value(), "…")
    words = " ".join(message.split())
    return f": {words[:200]!r}" if words else ""
