"""The `openai` package's client for the endpoint of some settings, without headers that it must not
send.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import openai
from openai import AsyncAzureOpenAI, AsyncOpenAI

from mle_modernizer_server.fixing.llm.reply_watch import ReplyWatch
from mle_modernizer_server.fixing.llm.settings import OPENAI_HOST, LlmSettings
from mle_modernizer_server.untrusted.parsing import read_json

_SPARE = 5.0


def connect(settings: LlmSettings, watch: ReplyWatch) -> AsyncOpenAI:
    """Return a client for the endpoint.

    It does not repeat requests by itself, so that each one is known to us, and follows no
    redirects: they would take the prompt, and perhaps the key, to another host.

    Args:
        settings: Endpoint, key and time-outs.
        watch: Hears of each request and response.
    """
    http = openai.DefaultAsyncHttpxClient(
        follow_redirects=False,
        headers={"Accept-Encoding": "identity"},
        event_hooks={"request": [watch.on_request], "response": [watch.on_response]},
    )
    # the SDK insists on a key; an endpoint without one gets no such header, see `headers`
    key = "none" if settings.api_key is None else settings.api_key.get_secret_value()
    # the watch ends silence at the time-out; the effect of HTTP's timeout depends on the SDK's
    # version
    timeout = openai.Timeout(settings.timeout + _SPARE, connect=settings.connect_timeout)
    if settings.azure_deployments:
        return AsyncAzureOpenAI(
            azure_endpoint=settings.base_url.rstrip("/"),
            api_version=settings.api_version,
            api_key=key,
            timeout=timeout,
            max_retries=0,
            http_client=http,
        )
    return AsyncOpenAI(
        base_url=settings.address, api_key=key, timeout=timeout, max_retries=0, http_client=http
    )


def headers(settings: LlmSettings) -> dict[str, str | openai.Omit]:
    """Return the SDK's headers from the environment that this endpoint must not get."""
    found: dict[str, str | openai.Omit] = {}
    if settings.api_key is None:
        found |= {"Authorization": openai.Omit(), "api-key": openai.Omit()}
    if settings.host != OPENAI_HOST:
        found |= {"OpenAI-Organization": openai.Omit(), "OpenAI-Project": openai.Omit()}
    return found


class _HttpResponse(Protocol):
    """The part of the HTTP library's response that is used here."""

    @property
    def request(self) -> Any: ...

    async def aread(self) -> bytes: ...


async def body_of(response: _HttpResponse) -> Mapping[str, Any]:
    """Return the JSON body of an answer that came in one piece although a stream was requested.

    Raises:
        ValueError, TypeError: It is no JSON object.
        openai.APIConnectionError: It could not be read to its end.
    """
    try:
        body = await response.aread()
    except Exception as error:  # the HTTP library's: the SDK translates them in streams only
        if "Timeout" in type(error).__name__:
            raise openai.APITimeoutError(response.request) from error
        raise openai.APIConnectionError(request=response.request) from error
    data = read_json(body)
    if not isinstance(data, dict):
        raise TypeError("not an object")
    return data
