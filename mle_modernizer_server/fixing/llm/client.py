"""One request to an OpenAI-compatible endpoint, with a streamed answer and retries.

Endpoints differ in their options: if one refuses an option or the Responses API, the request is
repeated without it. If one is busy or briefly unavailable, it is repeated later.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import count
from typing import Literal, Protocol

import openai

from mle_modernizer_server.domain.model_calls import CallEnding, ChatMessage, ModelCall, Usage
from mle_modernizer_server.fixing.fixer import OnCall
from mle_modernizer_server.fixing.llm.chat import ChatCompletions
from mle_modernizer_server.fixing.llm.connection import connect
from mle_modernizer_server.fixing.llm.endpoint_options import Accepted
from mle_modernizer_server.fixing.llm.failures import (
    BrokenAnswer,
    EndlessReply,
    explain_failure,
    is_too_long,
    waiting,
)
from mle_modernizer_server.fixing.llm.partial_reply import Gathered
from mle_modernizer_server.fixing.llm.reply import is_closed
from mle_modernizer_server.fixing.llm.reply_watch import ReplyWatch
from mle_modernizer_server.fixing.llm.responses import Responses
from mle_modernizer_server.fixing.llm.retry import wait_before, was_silent
from mle_modernizer_server.fixing.llm.settings import Api, LlmSettings
from mle_modernizer_server.fixing.llm.usage import usage_of

_NO_REPLY = (ValueError, TypeError, AttributeError, KeyError, IndexError, RecursionError)
"""The SDK does not validate a reply: any shape of it, however deep, gets as far as here."""


@dataclass(frozen=True)
class Answer:
    """A model's answer.

    Attributes:
        text: Its text.
        complete: Whether it came to its end; None if the endpoint does not report it.
        refusal: Why the model refuses to answer, else empty.
    """

    text: str
    complete: bool | None
    refusal: str


class _Form(Protocol):
    """A question in the form of one of the two APIs."""

    @property
    def options(self) -> frozenset[str]: ...

    def stream(
        self, messages: Sequence[ChatMessage], gathered: Gathered
    ) -> AsyncGenerator[None, None]: ...

    async def whole(self, messages: Sequence[ChatMessage], gathered: Gathered) -> None: ...


class ModelClient:
    """Talks to the endpoint of some settings. Use it as an async context manager."""

    def __init__(self, settings: LlmSettings, accepted: Accepted, on_call: OnCall) -> None:
        """
        Args:
            settings: Endpoint, model, key and patience.
            accepted: Options the endpoint takes; refused ones are added.
            on_call: Called with each request when it has ended, also of a failed or cancelled one.
        """
        self._settings = settings
        self._accepted = accepted
        self._on_call = on_call
        self._watch = ReplyWatch(settings)
        self._client = connect(settings, self._watch)

    async def __aenter__(self) -> ModelClient:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._client.close()

    async def ask(
        self,
        messages: Sequence[ChatMessage],
        on_text: Callable[[str], None],
        on_wait: Callable[[str], None],
    ) -> Answer:
        """Put a question; cancelling the task closes the connection at once.

        Args:
            messages: The conversation so far.
            on_text: Called with the whole text so far whenever it has grown.
            on_wait: Called with a sentence before a request is repeated after a while.

        Raises:
            openai.APIError: The endpoint refused or could not be reached, after all retries.
            BrokenAnswer: It answered with something that is none, or broke off in the middle.
        """
        for failures in count(1):
            try:
                return await self._negotiated(messages, on_text)
            except openai.APIError as error:
                wait = wait_before(error, failures, self._settings.connection_retries)
                if wait is None:
                    raise
                on_wait(waiting(error, self._settings, wait))
                await asyncio.sleep(wait)
        raise AssertionError("counting ends nowhere")

    async def _negotiated(
        self, messages: Sequence[ChatMessage], on_text: Callable[[str], None]
    ) -> Answer:
        """Ask in a form that the endpoint takes."""
        while True:
            by_chat = self._settings.api_used is Api.CHAT or not self._accepted.responses
            form: _Form = (ChatCompletions if by_chat else Responses)(
                self._client, self._settings, self._accepted
            )
            try:
                return await self._once(form, "chat" if by_chat else "responses", messages, on_text)
            except openai.APIStatusError as error:
                if is_too_long(error) or not self._accepted.learn(
                    error, form.options, chat=by_chat
                ):
                    raise

    async def _once(
        self,
        form: _Form,
        api: Literal["chat", "responses"],
        messages: Sequence[ChatMessage],
        on_text: Callable[[str], None],
    ) -> Answer:
        """Send one request and notify the listener of its outcome."""
        gathered = Gathered()
        started_at, started = datetime.now(timezone.utc), time.monotonic()
        ending, remark, billed = CallEnding.CANCELLED, "", True
        try:
            await self._watch.complete(self._told(form, messages, gathered, on_text), gathered)
            ending = CallEnding.ANSWERED
        except BrokenAnswer as broken:
            ending, remark = CallEnding.BROKEN, broken.message
            raise
        except openai.APIError as error:
            ending, remark = CallEnding.FAILED, explain_failure(error, self._settings)
            # it has got the question, and may be at work on it
            billed = was_silent(error) or isinstance(error, EndlessReply)
            raise
        finally:
            settings = self._settings
            price = settings.known_price
            self._on_call(
                ModelCall(
                    started_at=started_at,
                    seconds=time.monotonic() - started,
                    host=settings.host,
                    model=settings.model,
                    api=api,
                    messages=tuple(messages),
                    reply=gathered.text or gathered.refusal,
                    ending=ending,
                    remark=remark,
                    usage=(
                        usage_of(gathered.counts, messages, gathered.words, price)
                        if billed
                        else Usage(failed=1)
                    ),
                )
            )
        return Answer(gathered.text, gathered.complete, gathered.refusal)

    async def _told(
        self,
        form: _Form,
        messages: Sequence[ChatMessage],
        gathered: Gathered,
        on_text: Callable[[str], None],
    ) -> None:
        """Send a request and report the answer's text as it grows."""
        async with aclosing(self._growing(form, messages, gathered)) as texts:
            async for text in texts:
                on_text(text)

    async def _growing(
        self, form: _Form, messages: Sequence[ChatMessage], gathered: Gathered
    ) -> AsyncGenerator[str, None]:
        """Yield the answer's text as it grows; all else of it goes into `gathered`."""
        try:
            if self._accepted.takes("stream"):
                async with aclosing(_streamed(form, messages, gathered)) as texts:
                    async for text in texts:
                        yield text
                if gathered.pieces and gathered.complete is None and not is_closed(gathered.text):
                    raise BrokenAnswer("The answer broke off before its end.")
            if not gathered.pieces:  # also if a stream was requested and none came
                await form.whole(messages, gathered)
                yield gathered.text
        except _NO_REPLY as error:
            raise BrokenAnswer(
                f"The endpoint's answer is no reply of a model ({type(error).__name__})."
            ) from error
        except openai.APIStatusError:
            raise
        except openai.APIConnectionError as error:
            if not gathered.pieces:
                raise
            raise BrokenAnswer("The connection was lost in the middle of the answer.") from error
        except openai.APIError as error:
            if is_too_long(error):
                raise
            raise BrokenAnswer(explain_failure(error, self._settings)) from error


async def _streamed(
    form: _Form, messages: Sequence[ChatMessage], gathered: Gathered
) -> AsyncGenerator[str, None]:
    """Yield a streamed answer's text each time it has grown."""
    shown = 0
    async with aclosing(form.stream(messages, gathered)) as pieces:
        async for _ in pieces:
            if len(gathered.text) > shown:
                shown = len(gathered.text)
                yield gathered.text
