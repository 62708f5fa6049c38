"""Run the workflow's work from synchronous code, and let a signal cancel it cleanly."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.grading.competitions import default_data_root
from mle_modernizer_server.wiring import build_modernizer
from mle_modernizer_server.workflow.service import Cancelled, Modernizer

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
        cancelling: list[asyncio.Task[Session]] = []

        def cancel() -> None:
            self._on_cancel()
            task = self._loop.create_task(self.modernizer.sessions.cancel(session_id))
            cancelling.append(task)  # the loop itself keeps no task alive

        def handle(number: int, frame: FrameType | None) -> None:
            self.stopped_by = number
            self._loop.call_soon_threadsafe(cancel)
            restore()

        with handled_signals(handle) as restore:
            yield


@contextmanager
def handled_signals(
    handle: Callable[[int, FrameType | None], None],
) -> Iterator[Callable[[], None]]:
    """Handle SIGINT and SIGTERM within; give a function that restores their handlers sooner."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in before:
        signal.signal(number, handle)
    try:
        yield restore
    finally:
        restore()


def new_modernizer(data_root: Path | None = None, rules_path: Path | None = None) -> Modernizer:
    """Return the workflow of a command without a session of its own."""
    return build_modernizer(
        data_root=data_root or default_data_root(),
        sandbox=None,
        llm=LlmSettings.from_environment(),
        rules_path=rules_path,
    )


def until_cancelled(work: Callable[[asyncio.Event], Coroutine[Any, Any, _Answer]]) -> _Answer:
    """Return the result of work that gets an event, which is set by SIGINT and SIGTERM.

    Raises:
        KeyboardInterrupt: It was cancelled; no process is left.
    """

    async def working() -> _Answer:
        cancel = asyncio.Event()
        if sys.platform != "win32":
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, cancel.set)
        return await work(cancel)

    try:
        return asyncio.run(working())
    except Cancelled:
        raise KeyboardInterrupt from None
