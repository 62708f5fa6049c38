"""Run the workflow's work from synchronous code, and let a signal cancel it cleanly."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.workflow.service import Modernizer

_Answer = TypeVar("_Answer")


class Work:
    """The modernizer with an event loop of its own.

    Attributes:
        stopped_by: Number of the signal that cancelled the work, or None.
    """

    def __init__(self, modernizer: Modernizer, on_cancel: Callable[[], None]) -> None:
        self.modernizer = modernizer
        self.stopped_by: int | None = None
        self._on_cancel = on_cancel
        self._loop = asyncio.new_event_loop()

    def carry_out(self, session_id: str, start: Callable[[], Session]) -> Session:
        """Start work and wait for its end.

        The first SIGINT or SIGTERM cancels it, and the end comes as soon as the kernel has exited;
        the next one is Python's own and interrupts everything.
        """

        async def until_the_end() -> Session:
            with self._signals(session_id):
                start()
                return await self.modernizer.sessions.finished(session_id)

        return self._loop.run_until_complete(until_the_end())

    def wait_for(self, answer: Coroutine[Any, Any, _Answer]) -> _Answer:
        """Return the result of a coroutine that is no session's work."""
        return self._loop.run_until_complete(answer)

    def close(self) -> None:
        """Stop running work."""
        try:
            self._loop.run_until_complete(self.modernizer.close())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
        finally:
            self._loop.close()

    @contextmanager
    def _signals(self, session_id: str) -> Iterator[None]:
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        cancelling: list[asyncio.Task[Session]] = []

        def cancel() -> None:
            self._on_cancel()
            task = self._loop.create_task(self.modernizer.sessions.cancel(session_id))
            cancelling.append(task)  # the loop itself keeps no task alive

        def handle(number: int, frame: FrameType | None) -> None:
            self.stopped_by = number
            self._loop.call_soon_threadsafe(cancel)
            for each, handler in before.items():
                signal.signal(each, handler)

        for number in before:
            signal.signal(number, handle)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
