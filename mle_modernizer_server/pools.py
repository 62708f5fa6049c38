"""Thread pools for blocking work, one for each kind, so that no kind blocks another.

Read-only requests are refused if too many of their kind are waiting, and dropped if the client
disconnects. Work of a session waits in a queue.
"""

from __future__ import annotations

import asyncio
import atexit
import contextvars
import gc
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, ParamSpec, TypeVar, overload

from mle_modernizer_server.child_process import abandoned

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
_A = TypeVar("_A")
_B = TypeVar("_B")
_C = TypeVar("_C")

RETRY_AFTER = 5
"""Seconds after which a refused client may retry."""
_refusable: ContextVar[bool] = ContextVar("refusable", default=False)


def refuse_if_full() -> None:
    """Let a full pool refuse calls from this context, and from tasks it starts."""
    _refusable.set(True)


def wait_if_full() -> None:
    """Let calls from this context wait in the queue, however long it is."""
    _refusable.set(False)


class _Collector:
    """Python's garbage collector, paused while calls run that create very many objects.

    A collection over millions of them stops every thread for a second. Syntax trees have no cycles
    and need no collection.
    """

    _LONGEST = 30.0
    """Seconds without a collection."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls = 0
        self._was_enabled = False
        self._latest = 0.0

    @contextmanager
    def paused(self) -> Iterator[None]:
        with self._lock:
            if not self._calls:
                self._was_enabled, self._latest = gc.isenabled(), time.monotonic()
                gc.disable()
            elif time.monotonic() - self._latest > self._LONGEST:
                gc.collect()
                self._latest = time.monotonic()
            self._calls += 1
        try:
            yield
        finally:
            with self._lock:
                self._calls -= 1
                if not self._calls and self._was_enabled:
                    gc.enable()


_collector = _Collector()


class Pool:
    """Threads for one kind of blocking work.

    Args:
        name: Name of the kind.
        threads: Number of calls that run at once.
        most_waiting: Number of calls that may wait before requests are refused.
        collecting: Whether the garbage collector runs meanwhile.
    """

    def __init__(
        self, name: str, threads: int, most_waiting: int = 16, *, collecting: bool = True
    ) -> None:
        self.name = name
        self._collecting = collecting
        self._most = threads + most_waiting
        self._threads = ThreadPoolExecutor(threads, f"mle-{name}")
        self._lock = threading.Lock()
        self._calls: dict[threading.Event, Future[Any] | None] = {}
        """Calls that wait or run, by the event that marks them as abandoned."""

    async def run(
        self, function: Callable[_Given, _Result], /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> _Result:
        """Call a function in one of the threads, with the context of the caller.

        If the caller is cancelled, a waiting call is dropped. A running one continues until it
        checks whether its result is still needed (`child_process.check_wanted`).

        Raises:
            Busy: Too many calls wait, and the caller can be refused (`refuse_if_full`).
        """
        left = threading.Event()
        with self._lock:
            if _refusable.get() and len(self._calls) >= self._most:
                raise _busy()
            self._calls[left] = None
        context = contextvars.copy_context()
        context.run(abandoned.set, left)
        try:
            call = self._threads.submit(context.run, self._call, partial(function, *args, **kwargs))
        except BaseException:
            self._forget(left)
            raise
        with self._lock:
            self._calls[left] = call
        call.add_done_callback(lambda _: self._forget(left))
        try:
            return await asyncio.wrap_future(call)
        except asyncio.CancelledError:
            left.set()
            raise

    def _call(self, function: Callable[[], _Result]) -> _Result:
        if self._collecting:
            return function()
        with _collector.paused():
            return function()

    def _forget(self, left: threading.Event) -> None:
        with self._lock:
            self._calls.pop(left, None)

    def abandon(self) -> None:
        """Drop the waiting calls, and mark the running ones as abandoned."""
        with self._lock:
            calls = list(self._calls.items())
        for left, call in calls:
            left.set()
            if call is not None:
                call.cancel()

    def close(self) -> None:
        """Drop the waiting calls, and wait for the running ones."""
        self._threads.shutdown(cancel_futures=True)


def _busy() -> Exception:
    # Imported late: the server extension imports this module before the server's first page.
    from mle_modernizer_server.domain.errors import Busy
    from mle_modernizer_server.domain.message import coded

    return Busy(coded("server.busy", seconds=RETRY_AFTER), retry_after=RETRY_AFTER)


@overload
async def together(first: Awaitable[_A], second: Awaitable[_B], /) -> tuple[_A, _B]: ...


@overload
async def together(
    first: Awaitable[_A], second: Awaitable[_B], third: Awaitable[_C], /
) -> tuple[_A, _B, _C]: ...


async def together(*calls: Awaitable[object]) -> tuple[object, ...]:
    """Await several calls at once and return their results; if one fails, cancel the others."""
    tasks = [asyncio.ensure_future(call) for call in calls]
    try:
        return tuple(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()


analysis = Pool("analysis", 1, 8)
"""Requests to the process that examines notebooks, which answers one at a time."""
code = Pool("code", 2, collecting=False)
"""Parsing and checking of code in this process: because of the interpreter lock more threads would
not be faster, and would slow down the event loop."""
files = Pool("files", 4)
"""Reading, writing and copying of files."""
packages = Pool("packages", 4)
"""uv, pip, interpreters, downloads: inspecting and creating environments."""
database = Pool("database", 4)
"""Long queries of the session database."""
sandboxes = Pool("sandboxes", 8)
"""Sandboxes, containers, kernels."""
grading = Pool("grading", 2)
"""The processes that grade submissions and read papers."""
process = Pool("process", 2)
"""The server process's own work: its start, its state, its terminal."""

EVERY = (analysis, code, files, packages, database, sandboxes, grading, process)


def abandon_all() -> None:
    """Abandon all calls: the server stops."""
    for pool in EVERY:
        pool.abandon()


def close_all() -> None:
    """Wait for the running calls of all pools; for the end of this process."""
    for pool in EVERY:
        pool.close()


atexit.register(close_all)
