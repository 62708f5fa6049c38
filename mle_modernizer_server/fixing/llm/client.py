"""One question to an OpenAI-compatible endpoint (chat completions), answered piece by piece.

Endpoints differ in what they take: where one refuses an option (`stream_options`, streaming,
`temperature`, `max_completion_tokens`) the question is asked again without it.
API: https://platform.openai.com/docs/api-reference/chat/create
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

import openai
from openai import AsyncOpenAI
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionMessageParam

from mle_modernizer_server.domain.proposal import Usage
from mle_modernizer_server.fixing.llm.reply import MAX_REPLY_CHARS
from mle_modernizer_server.fixing.llm.settings import OPENAI_HOST, LlmSettings

_CHARS_PER_TOKEN = 4
_COMPLETE = frozenset({"stop", "end_turn", "eos"})


class BrokenAnswer(Exception):
    """The endpoint answered with something that is no answer; the message says what.

    Attributes:
        usage: What the attempt cost, estimated.
    """

    def __init__(self, message: str, usage: Usage) -> None:
        super().__init__(message)
        self.message = message
        self.usage = usage


@dataclass(frozen=True)
class Answer:
    """A model's answer.

    Attributes:
        text: What it said.
        complete: Whether it came to its end; None where the endpoint does not say.
        refusal: Why the model refuses to answer, else empty.
        usage: Tokens and cost of this call.
    """

    text: str
    complete: bool | None
    refusal: str
    usage: Usage


@dataclass
class _Accepted:
    """Options the endpoint has not refused so far."""

    stream: bool = True
    stream_options: bool = True
    temperature: bool = True
    modern_limit: bool = True


class ChatClient:
    """Talks to the endpoint of some settings. Use it as an async context manager."""

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._accepted = _Accepted()
        key = settings.api_key
        self._client = AsyncOpenAI(
            base_url=settings.base_url,
            # the SDK insists on a key; an endpoint without one gets no such header, see _headers
            api_key="none" if key is None else key.get_secret_value(),
            timeout=settings.timeout,
            max_retries=settings.connection_retries,
        )

    async def __aenter__(self) -> ChatClient:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._client.close()

    async def ask(
        self, messages: Sequence[ChatCompletionMessageParam], on_text: Callable[[str], None]
    ) -> Answer:
        """Put a question; cancelling the task closes the connection at once.

        Args:
            messages: The conversation so far.
            on_text: Called with the whole text so far whenever it has grown.

        Raises:
            openai.APIError: The endpoint refused or could not be reached, after all retries.
            BrokenAnswer: It answered with something that is no chat completion.
        """
        while True:
            try:
                return await self._once(messages, on_text)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if not self._give_up_option(error):
                    raise

    def _give_up_option(self, error: openai.APIStatusError) -> bool:
        """Whether the endpoint refused an option that it can do without (now given up)."""
        accepted, said = self._accepted, f"{error.message} {error.body}".lower()
        if accepted.stream and accepted.stream_options and "stream_options" in said:
            accepted.stream_options = False
        elif accepted.stream and "stream" in said:
            accepted.stream = False
        elif (
            accepted.temperature
            and self._settings.temperature is not None
            and ("temperature" in said)
        ):
            accepted.temperature = False
        elif (
            accepted.modern_limit
            and self._settings.max_output_tokens
            and ("max_completion_tokens" in said)
        ):
            accepted.modern_limit = False
        else:
            return False
        return True

    async def _once(
        self, messages: Sequence[ChatCompletionMessageParam], on_text: Callable[[str], None]
    ) -> Answer:
        gathered = _Gathered()
        async with aclosing(self._growing(messages, gathered)) as texts:
            async for text in texts:
                on_text(text)
        reason = gathered.finish_reason
        return Answer(
            text=gathered.text,
            complete=None if reason is None else reason in _COMPLETE,
            refusal=gathered.refusal,
            usage=self._usage(messages, gathered),
        )

    async def _growing(
        self, messages: Sequence[ChatCompletionMessageParam], gathered: _Gathered
    ) -> AsyncGenerator[str, None]:
        """The answer's text, again and again as it grows; all else of it goes into `gathered`."""
        try:
            if self._accepted.stream:
                async with await self._stream(messages) as stream:
                    async for chunk in stream:
                        if gathered.take_chunk(chunk):
                            yield gathered.text
                        if len(gathered.text) > MAX_REPLY_CHARS:
                            break
            if not gathered.chunks:  # also where a stream was asked for and none came
                gathered.take_completion(await self._plain(messages))
                yield gathered.text
        except (ValueError, TypeError, AttributeError, KeyError, IndexError) as error:
            # the SDK does not validate what it builds from a reply: any shape may come
            raise BrokenAnswer(
                f"The endpoint's answer is no chat completion ({type(error).__name__}).",
                self._usage(messages, gathered),
            ) from error
        except openai.APIStatusError:
            raise
        except openai.APIError as error:
            if not gathered.chunks:
                raise
            raise BrokenAnswer(
                "The connection was lost in the middle of the answer.",
                self._usage(messages, gathered),
            ) from error

    async def _stream(
        self, messages: Sequence[ChatCompletionMessageParam]
    ) -> openai.AsyncStream[ChatCompletionChunk]:
        return await self._client.chat.completions.create(
            model=self._settings.model,
            messages=list(messages),
            stream=True,
            stream_options=(
                {"include_usage": True} if self._accepted.stream_options else openai.omit
            ),
            temperature=self._temperature(),
            max_completion_tokens=self._limit(modern=True),
            max_tokens=self._limit(modern=False),
            extra_headers=self._headers(),
        )

    async def _plain(self, messages: Sequence[ChatCompletionMessageParam]) -> ChatCompletion:
        completion = await self._client.chat.completions.create(
            model=self._settings.model,
            messages=list(messages),
            temperature=self._temperature(),
            max_completion_tokens=self._limit(modern=True),
            max_tokens=self._limit(modern=False),
            extra_headers=self._headers(),
        )
        if not isinstance(completion, ChatCompletion):
            raise TypeError("not a chat completion")
        return completion

    def _headers(self) -> dict[str, str | openai.Omit]:
        """What the SDK would add of itself and this endpoint must not get."""
        headers: dict[str, str | openai.Omit] = {}
        if self._settings.api_key is None:
            headers["Authorization"] = openai.Omit()
        if self._settings.host != OPENAI_HOST:
            headers |= {"OpenAI-Organization": openai.Omit(), "OpenAI-Project": openai.Omit()}
        return headers

    def _temperature(self) -> float | openai.Omit:
        wanted = self._settings.temperature
        return wanted if wanted is not None and self._accepted.temperature else openai.omit

    def _limit(self, *, modern: bool) -> int | openai.Omit:
        limit = self._settings.max_output_tokens
        return limit if limit is not None and modern is self._accepted.modern_limit else openai.omit

    def _usage(self, messages: Sequence[ChatCompletionMessageParam], gathered: _Gathered) -> Usage:
        reported = gathered.usage
        if reported is None:
            sent = sum(len(str(message.get("content", ""))) for message in messages)
            reported = (
                sent // _CHARS_PER_TOKEN,
                0,
                (len(gathered.text) + _CHARS_PER_TOKEN - 1) // _CHARS_PER_TOKEN,
            )
        given, cached, written = reported
        return Usage(
            calls=1,
            input_tokens=given,
            cached_input_tokens=cached,
            output_tokens=written,
            estimated=gathered.usage is None,
        ).priced(self._settings.known_price)


class _Gathered:
    """What has come of an answer so far."""

    def __init__(self) -> None:
        self.chunks = 0
        self.text = ""
        self.finish_reason: str | None = None
        self.refusal = ""
        self.usage: tuple[int, int, int] | None = None
        """Input, cached input and output tokens, where the provider counted them."""

    def take_chunk(self, chunk: ChatCompletionChunk) -> bool:
        """Take a piece of a stream; whether the text has grown."""
        self.chunks += 1
        self._note_usage(chunk.usage)
        before = len(self.text)
        for choice in chunk.choices or ():
            if choice.index:
                continue  # we ask for one answer only
            self._finish(choice.finish_reason)
            if choice.delta:
                self.refusal += choice.delta.refusal or ""
                self._add(choice.delta.content)
        return len(self.text) > before

    def take_completion(self, completion: ChatCompletion) -> None:
        """Take an answer that came in one piece."""
        self.chunks += 1
        self._note_usage(completion.usage)
        choice = completion.choices[0]
        self._finish(choice.finish_reason)
        self.refusal += choice.message.refusal or ""
        self._add(choice.message.content)

    def _add(self, piece: str | None) -> None:
        # JSON can hold lone surrogates, which nothing behind us could store or send on
        self.text += (piece or "").encode("utf-8", "replace").decode("utf-8")

    def _finish(self, reason: str | None) -> None:
        if reason:
            self.finish_reason = str(reason)

    def _note_usage(self, usage: CompletionUsage | None) -> None:
        """Take the provider's count; nonsense is as none."""
        if usage is None:
            return
        details = usage.prompt_tokens_details
        cached = (details.cached_tokens if details else 0) or 0
        counts = (usage.prompt_tokens, cached, usage.completion_tokens)
        if all(isinstance(count, int) and count >= 0 for count in counts) and any(counts):
            self.usage = (counts[0], min(counts[1], counts[0]), counts[2])
