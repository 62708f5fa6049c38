"""Chat completions, the API that every compatible endpoint has.

https://platform.openai.com/docs/api-reference/chat/create
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

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
        limit = settings.max_output_tokens
        self._options = accepted.of(
            {"temperature": settings.temperature, "max_completion_tokens": limit}
        )
        if "max_completion_tokens" not in self._options:
            self._options |= accepted.of({"max_tokens": limit})
        self._counted = accepted.of({"stream_options": {"include_usage": True}})

    @property
    def options(self) -> frozenset[str]:
        """Return the names of the options that are sent and that an endpoint may refuse."""
        return frozenset({"stream", *self._options, *self._counted})

    async def stream(
        self, messages: Sequence[ChatMessage], gathered: Gathered
    ) -> AsyncGenerator[None, None]:
        """Stream the answer piece by piece; nothing comes if the endpoint does not stream."""
        async with await self._client.chat.completions.create(
            model=self._settings.model,
            messages=_sendable(messages),
            stream=True,
            extra_body={**self._options, **self._counted},
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
            extra_body=self._options,
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
