"""The Responses API, OpenAI's own successor of chat completions.

https://platform.openai.com/docs/api-reference/responses/create
Nothing is stored at the provider (`store` is false), and no tool is offered.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

import openai
from openai import AsyncOpenAI
from openai.types.responses import Response, ResponseInputParam, ResponseStreamEvent

from mle_modernizer_server.domain.model_calls import ChatMessage
from mle_modernizer_server.fixing.llm.connection import body_of, headers
from mle_modernizer_server.fixing.llm.endpoint_options import Accepted
from mle_modernizer_server.fixing.llm.partial_reply import Gathered
from mle_modernizer_server.fixing.llm.settings import LlmSettings


class Responses:
    """One request to the Responses API."""

    def __init__(self, client: AsyncOpenAI, settings: LlmSettings, accepted: Accepted) -> None:
        self._client = client
        self._settings = settings
        self._temperature: float | openai.Omit = openai.omit
        self._limit: int | openai.Omit = openai.omit
        self._store: bool | openai.Omit = False if accepted.takes("store") else openai.omit
        if settings.temperature is not None and accepted.takes("temperature"):
            self._temperature = settings.temperature
        if settings.max_output_tokens is not None and accepted.takes("max_output_tokens"):
            self._limit = settings.max_output_tokens

    @property
    def options(self) -> frozenset[str]:
        """Return the names of the options that are sent and that an endpoint may refuse."""
        return frozenset(
            {"stream"}
            | ({"store"} if self._store is not openai.omit else set())
            | ({"temperature"} if self._temperature is not openai.omit else set())
            | ({"max_output_tokens"} if self._limit is not openai.omit else set())
        )

    async def stream(
        self, messages: Sequence[ChatMessage], gathered: Gathered
    ) -> AsyncGenerator[None, None]:
        """Stream the answer piece by piece; nothing comes if the endpoint does not stream.

        Raises:
            openai.APIError: The provider reports in the stream that it failed.
        """
        async with await self._client.responses.create(
            model=self._settings.model,
            input=_sendable(messages),
            stream=True,
            store=self._store,
            temperature=self._temperature,
            max_output_tokens=self._limit,
            extra_headers=headers(self._settings),
        ) as stream:
            if "json" in stream.response.headers.get("content-type", ""):
                # it ignores `stream`: the answer is here, in one piece
                _end(Response.construct(**await body_of(stream.response)), gathered)
                yield
                return
            async for event in stream:
                failure = _take(event, gathered)
                if failure is not None:
                    code, message = failure
                    raise openai.APIError(
                        message, stream.response.request, body={"code": code, "message": message}
                    )
                yield

    async def whole(self, messages: Sequence[ChatMessage], gathered: Gathered) -> None:
        """Return the answer in one piece."""
        response = await self._client.responses.create(
            model=self._settings.model,
            input=_sendable(messages),
            store=self._store,
            temperature=self._temperature,
            max_output_tokens=self._limit,
            extra_headers=headers(self._settings),
        )
        if not isinstance(response, Response):
            raise TypeError("not a response")
        _end(response, gathered)


def _sendable(messages: Sequence[ChatMessage]) -> ResponseInputParam:
    return [{"role": message.role, "content": message.text} for message in messages]


def _take(event: ResponseStreamEvent, gathered: Gathered) -> tuple[str, str] | None:
    """Process an event; return code and message if it reports that the provider failed."""
    if event.type == "error":
        return str(event.code or ""), str(event.message)
    if event.type == "response.failed":
        _end(event.response, gathered)
        error = event.response.error
        return (error.code, error.message) if error else ("", "the response failed")
    if event.type == "response.output_text.delta":
        gathered.pieces += 1
        gathered.add(event.delta)
    elif event.type == "response.refusal.delta":
        gathered.pieces += 1
        gathered.add_refusal(event.delta)
    elif event.type in ("response.reasoning_text.delta", "response.reasoning_summary_text.delta"):
        gathered.add_reasoning(event.delta)
    elif event.type in ("response.completed", "response.incomplete"):
        _end(event.response, gathered)
    return None


def _end(response: Response, gathered: Gathered) -> None:
    """Take the whole response: all of an answer in one piece, the end of a streamed one."""
    gathered.pieces += 1
    gathered.count(response.usage)
    gathered.complete = response.status == "completed"
    if gathered.text or gathered.refusal:
        return
    for item in response.output:
        if item.type == "message":
            for part in item.content:
                if part.type == "output_text":
                    gathered.add(part.text)
                else:
                    gathered.add_refusal(part.refusal)
