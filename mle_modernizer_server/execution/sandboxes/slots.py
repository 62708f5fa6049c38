"""A queue for limited resources; every waiter knows the number of those before it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress


class SlotQueue:
    """Hands out a number of places, first come, first served.

    To be used on one event loop at a time; when idle it is bound to none.

    Args:
        places: Their number.
    """

    def __init__(self, places: int) -> None:
        self._places = places
        self._taken = 0
        self._waiting: list[asyncio.Event] = []

    @property
    def places(self) -> int:
        """Return the number of places; a change applies to later turns."""
        return self._places

    @places.setter
    def places(self, places: int) -> None:
        self._places = places
        self._move_up()

    @property
    def queue(self) -> int:
        """Return the number of waiters."""
        return len(self._waiting)

    @asynccontextmanager
    async def turn(
        self, *, waiting: Callable[[int], None], cancel: asyncio.Event
    ) -> AsyncIterator[bool]:
        """Hold a place until the context ends.

        Args:
            waiting: Called with the number of those before, at first and when it changes; not at
                all if a place is free.
            cancel: When set, waiting ends.

        Yields:
            Whether it has a place; False after a cancel.
        """
        given = await self._queue(waiting, cancel)
        try:
            yield given
        finally:
            if given:
                self._taken -= 1
                self._move_up()

    async def _queue(self, waiting: Callable[[int], None], cancel: asyncio.Event) -> bool:
        if self._taken < self._places and not self._waiting:
            self._taken += 1
            return True
        moved = asyncio.Event()
        self._waiting.append(moved)
        cancelled = asyncio.ensure_future(cancel.wait())
        said = -1
        try:
            while True:
                before = self._waiting.index(moved)
                if cancel.is_set():
                    return False
                if before == 0 and self._taken < self._places:
                    self._taken += 1
                    return True
                if before != said:
                    waiting(before)
                    said = before
                moved.clear()
                moving = asyncio.ensure_future(moved.wait())
                await asyncio.wait({moving, cancelled}, return_when=asyncio.FIRST_COMPLETED)
                moving.cancel()
        finally:
            cancelled.cancel()
            with suppress(asyncio.CancelledError):
                await cancelled
            self._waiting.remove(moved)
            self._move_up()

    def _move_up(self) -> None:
        for moved in self._waiting:
            moved.set()
