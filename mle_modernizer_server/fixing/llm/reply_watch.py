"""Limits on a model's reply: time without a word, time in all, size.

The time-outs of HTTP run from byte to byte. An endpoint that keeps a connection busy without
answering never reaches them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import openai

from mle_modernizer_server.domain.text import duration
from mle_modernizer_server.fixing.llm.failures import BrokenAnswer, EndlessReply
from mle_modernizer_server.fixing.llm.partial_reply import Gathered
from mle_modernizer_server.fixing.llm.reply import MAX_REPLY_CHARS
from mle_modernizer_server.fixing.llm.settings import LlmSettings

MOST_BYTES = 128_000_000
"""Of a reply as it is sent: a streamed token takes about 300."""
MOST_UNREAD_BYTES = 8_000_000
"""Received since the last event of a stream, or of a reply in one piece."""
_POLL = 0.1


class HttpResponse(Protocol):
    """The HTTP library's response, as far as it is used here."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Return the reply's headers, by names in lower case."""

    @property
    def num_bytes_downloaded(self) -> int:
        """Return the bytes of the body received so far, compressed if it is."""


@dataclass
class _Progress:
    """State of a request.

    Attributes:
        words: Characters of the model's output.
        said_at: Time of the last of them, else of the request.
        pieces: Events of the stream.
        read: Bytes received up to the last of them.
    """

    words: int
    said_at: float
    pieces: int = 0
    read: int = 0


class ReplyWatch:
    """Ends requests of one client, one after the other, at the limits.

    Args:
        settings: The endpoint and its time-outs.
    """

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._request: Any = None
        self._response: HttpResponse | None = None
        self._refused: EndlessReply | None = None
        self._progress = _Progress(0, 0.0)

    async def on_request(self, request: Any) -> None:
        """Note that a request is sent."""
        self._request, self._response = request, None
        self._progress = _Progress(self._progress.words, time.monotonic())

    async def on_response(self, response: HttpResponse) -> None:
        """Note that a reply begins.

        Raises:
            EndlessReply: It is compressed; its size cannot be known before it is unpacked.
        """
        if response.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
            self._refused = self._ended(
                "compresses its replies although this is not asked for. Turn compression off "
                "there, or use another endpoint."
            )
            raise self._refused
        self._response = response

    async def complete(self, asking: Coroutine[Any, Any, None], gathered: Gathered) -> None:
        """Await a request and its reply; cancelling this cancels the request.

        Args:
            asking: The request.
            gathered: Takes the reply.

        Raises:
            EndlessReply: The reply is too long, takes too long or is compressed.
            openai.APITimeoutError: No word came in time.
            BrokenAnswer: No further word came in time.
        """
        began = time.monotonic()
        self._refused = None
        self._response = None
        self._progress = _Progress(0, began)
        task = asyncio.ensure_future(asking)
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=_POLL)
                self._check_size(gathered)
                if not task.done():
                    self._check_time(gathered, began)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if self._refused is not None:
            raise self._refused
        task.result()

    def _check_size(self, gathered: Gathered) -> None:
        progress = self._progress
        received = 0 if self._response is None else self._response.num_bytes_downloaded
        if gathered.pieces > progress.pieces:
            progress.pieces, progress.read = gathered.pieces, received
        if (
            gathered.words > MAX_REPLY_CHARS
            or received > MOST_BYTES
            or received - progress.read > MOST_UNREAD_BYTES
        ):
            raise self._ended(
                "sent a reply that does not end. Try again, or choose another model or endpoint."
            )

    def _check_time(self, gathered: Gathered, began: float) -> None:
        settings, progress, now = self._settings, self._progress, time.monotonic()
        longest = settings.timeout + settings.reply_timeout
        if gathered.words > progress.words:
            progress.words, progress.said_at = gathered.words, now
        if now - began > longest:
            raise self._ended(
                f"did not finish its reply within {duration(longest)}. Choose a model or "
                "an endpoint that answers faster."
            )
        if now - progress.said_at > settings.timeout:
            if gathered.words:
                raise BrokenAnswer(
                    f"No further word of the answer came within {duration(settings.timeout)}."
                )
            raise openai.APITimeoutError(self._request)

    def _ended(self, reason: str) -> EndlessReply:
        return EndlessReply(f"{self._settings.host} {reason}", self._request, body=None)
