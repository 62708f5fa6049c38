"""Blocking work of one kind does not hold up another, and ends with whoever waits for it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest

from mle_modernizer_server import pools
from mle_modernizer_server.child_process import Abandoned, check_wanted
from mle_modernizer_server.domain.errors import Busy


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Opened at the end of the test: no thread stays behind."""
    opened = threading.Event()
    yield opened
    opened.set()


@pytest.fixture
def small() -> Iterator[pools.Pool]:
    """One thread, and one call that may wait."""
    pool = pools.Pool("test", 1, most_waiting=1)
    yield pool
    pool.close()


async def _started(pool: pools.Pool, gate: threading.Event) -> asyncio.Task[bool]:
    """Return a call that has begun and waits for the gate."""
    begun = threading.Event()

    def hold() -> bool:
        begun.set()
        return gate.wait(30)

    task = asyncio.create_task(pool.run(hold))
    while not begun.is_set():
        await asyncio.sleep(0.005)
    return task


async def test_full_pool_refuses_requests(small: pools.Pool, gate: threading.Event) -> None:
    running = await _started(small, gate)
    pools.refuse_if_full()
    waiting = asyncio.create_task(small.run(int, "7"))
    await asyncio.sleep(0)
    with pytest.raises(Busy) as refused:
        await small.run(int, "8")
    assert refused.value.status == 503
    assert refused.value.retry_after == pools.RETRY_AFTER
    gate.set()
    assert await waiting == 7 and await running
    assert await small.run(int, "9") == 9, "there is room again"


async def test_full_pool_lets_sessions_wait(small: pools.Pool, gate: threading.Event) -> None:
    running = await _started(small, gate)
    waiting = [asyncio.create_task(small.run(int, str(number))) for number in range(5)]
    await asyncio.sleep(0)
    gate.set()
    assert await asyncio.gather(*waiting) == [0, 1, 2, 3, 4]
    await running


async def test_full_pool_does_not_hold_up_another(small: pools.Pool, gate: threading.Event) -> None:
    running = await _started(small, gate)
    begun = time.monotonic()
    assert await pools.process.run(int, "7") == 7
    assert time.monotonic() - begun < 5
    gate.set()
    await running


async def test_cancelled_call_that_waits_is_dropped(
    small: pools.Pool, gate: threading.Event
) -> None:
    running = await _started(small, gate)
    calls: list[int] = []
    waiting = asyncio.create_task(small.run(calls.append, 1))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    gate.set()
    await running
    await small.run(calls.append, 2)
    assert calls == [2]


async def test_cancelled_call_that_runs_learns_of_it(small: pools.Pool) -> None:
    begun, ended = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        try:
            while True:
                check_wanted()
                time.sleep(0.01)
        except Abandoned:
            ended.set()
            raise

    task = asyncio.create_task(small.run(work))
    while not begun.is_set():
        await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await pools.process.run(ended.wait, 5)


async def test_server_that_stops_lets_go_of_its_calls(
    small: pools.Pool, gate: threading.Event
) -> None:
    running = await _started(small, gate)
    waiting = asyncio.create_task(small.run(int, "7"))
    await asyncio.sleep(0)
    small.abandon()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    gate.set()
    await running


async def test_failed_call_cancels_those_beside_it(small: pools.Pool) -> None:
    cancelled = []

    async def long() -> None:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    with pytest.raises(ValueError, match="seven"):
        await pools.together(long(), small.run(int, "seven"))
    await asyncio.sleep(0)
    assert cancelled == [True]
