"""Chat completions, the API that every compatible endpoint has.

https://platform.openai.com/docs/api-reference/chat/create
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

import openai
from openai import AsyncOpenAI
from openai.types.chat import (
    ChatCompletion,
    ChatCompletionChunk,
    ChatCompletionMessageParam,
)

from mle_modernizer_server.domain.model_calls import ChatMessage
from mle_modernizer_server.fixing.llm.connection import body_of, headers
from mle_modernizer_server.fixing.llm.endpoint_options import Accepted
from mle_modernizer_server.fixing.llm.partial_reply import Gathered
from mle_modernizer_server.fixing.llm.settings import LlmSettings

_COMPLETE = frozenset({"stop", "end_turn", "eos"})
_REASONING = ("reasoning_content", "reasoning")
"""Fields of a piece that hold a model's reasoning, of DeepSeek and vLLM, and of OpenRouter."""


class ChatCompletions:
    """One request for a chat completion."""

    def __init__(self, client: AsyncOpenAI, settings: LlmSettings, accepted: Accepted) -> None:
        self._client = client
        self._settings = settings
        self._temperature: float | openai.Omit = openai.omit
        self._modern_limit: int | openai.Omit = openai.omit
        self._old_limit: int | openai.Omit = openai.omit
        self._counted = accepted.takes("stream_options")
        limit = settings.max_output_tokens
        if settings.temperature is not None and accepted.takes("temperature"):
            self._temperature = settings.temperature
        if limit is not None and accepted.takes("max_completion_tokens"):
            self._modern_limit = limit
        elif limit is not None and accepted.takes("max_tokens"):
            self._old_limit = limit

    @property
    def options(self) -> frozenset[str]:
        """Return the names of the options that are sent and that an endpoint may refuse."""
        return frozenset(
            {"stream"}
            | ({"stream_options"} if self._counted else set())
            | ({"temperature"} if self._temperature is not openai.omit else set())
            | ({"max_completion_tokens"} if self._modern_limit is not openai.omit else set())
            | ({"max_tokens"} if self._old_limit is not openai.omit else set())
        )

    async def stream(
        self, messages: Sequence[ChatMessage], gathered: Gathered
    ) -> AsyncGenerator[None, None]:
        """Stream the answer piece by piece; nothing comes if the endpoint does not stream."""
        async with await self._client.chat.completions.create(
            model=self._settings.model,
            messages=_sendable(messages),
            stream=True,
            stream_options={"include_usage": True} if self._counted else openai.omit,
            temperature=self._temperature,
            max_completion_tokens=self._modern_limit,
            max_tokens=self._old_limit,
            extra_headers=headers(self._settings),
        ) as stream:
            if "json" in stream.response.headers.get("content-type", ""):
                # it ignores `stream`: the answer is here, in one piece
                _take_whole(ChatCompletion.construct(**await body_of(stream.response)), gathered)
                yield
                return
            async for chunk in stream:
                _take_piece(chunk, gathered)
                yield

    async def whole(self, messages: Sequence[ChatMessage], gathered: Gathered) -> None:
        """Return the answer in one piece."""
        completion = await self._client.chat.completions.create(
            model=self._settings.model,
            messages=_sendable(messages),
            temperature=self._temperature,
            max_completion_tokens=self._modern_limit,
            max_tokens=self._old_limit,
            extra_headers=headers(self._settings),
        )
        if not isinstance(completion, ChatCompletion):
            raise TypeError("not a chat completion")
        _take_whole(completion, gathered)


def _sendable(messages: Sequence[ChatMessage]) -> list[ChatCompletionMessageParam]:
    sendable: list[ChatCompletionMessageParam] = []
    for message in messages:
        if message.role == "system":
            sendable.append({"role": "system", "content": message.text})
        elif message.role == "user":
            sendable.append({"role": "user", "content": message.text})
        else:
            sendable.append({"role": "assistant", "content": message.text})
    return sendable


def _take_piece(chunk: ChatCompletionChunk, gathered: Gathered) -> None:
    gathered.pieces += 1
    gathered.count(chunk.usage)
    for choice in chunk.choices or ():
        if choice.index:
            continue  # we ask for one answer only
        _finish(choice.finish_reason, gathered)
        if choice.delta:
            gathered.add_refusal(choice.delta.refusal)
            gathered.add(choice.delta.content)
            for name in _REASONING:
                gathered.add_reasoning(getattr(choice.delta, name, None))


def _take_whole(completion: ChatCompletion, gathered: Gathered) -> None:
    gathered.pieces += 1
    gathered.count(completion.usage)
    choice = completion.choices[0]
    _finish(choice.finish_reason, gathered)
    gathered.add_refusal(choice.message.refusal)
    gathered.add(choice.message.content)


def _finish(reason: str | None, gathered: Gathered) -> None:
    if reason:
        gathered.complete = str(reason) in _COMPLETE
