"""The runs that wait at a failing cell: how many, how long, and their certain end."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from mle_modernizer_server.domain.notebook import notebook_hash
from mle_modernizer_server.domain.waiting import Waiting
from mle_modernizer_server.execution.paused.paused_run import PausedRun
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.owner import this_process

_LOOKED_AT = 1.0
"""Seconds between two looks at a waiting kernel."""
_WAITS = 6
"""How often a run may wait for its longest time, one time after the other."""


@dataclass
class Held:
    """A run that waits.

    Attributes:
        run: The run.
        sealed: The competition's seal from before its first cell, or None.
        journal: Where its session lives.
        until: When it is ended, on `time.monotonic`'s clock.
        watch: Sees to that.
    """

    run: PausedRun
    sealed: str | None
    journal: Journal
    until: float
    watch: asyncio.Task[None] | None = None


class WaitingRuns:
    """The waiting runs of this process, at most one for a session.

    Args:
        most: How many kernels may wait at once; the one that waits longest goes first. 0: none
            does, and every run begins with the first cell.
        limit: Seconds a kernel waits for the fix.
    """

    def __init__(self, most: int = 1, limit: float = 1800.0) -> None:
        self.most = most
        self.limit = limit
        self._held: dict[str, Held] = {}
        self._ending: dict[str, asyncio.Task[None]] = {}

    @property
    def longest(self) -> float:
        """Seconds one run may spend waiting altogether."""
        return self.limit * _WAITS

    def waits(self, session_id: str) -> bool:
        """Whether a run of the session waits."""
        return session_id in self._held

    async def keep(
        self, journal: Journal, session_id: str, run: PausedRun, sealed: str | None
    ) -> None:
        """Let a run wait that has stopped; it is the registry's from now on."""
        await self.end(session_id, "Another run of the notebook waits now.")
        while len(self._held) >= self.most:
            oldest = min(self._held, key=lambda key: self._held[key].run.since)
            await self.end(oldest, "The kernel that waited made room for another notebook's.")
        seconds = max(0.0, min(self.limit, run.wait_left))
        held = Held(run, sealed, journal, time.monotonic() + seconds)
        now = datetime.now(timezone.utc)
        waiting = Waiting(
            cell_id=run.stop.cell.id,
            ordinal=run.stop.ordinal,
            notebook_hash=notebook_hash(run.stop.notebook),
            since=now,
            until=now + timedelta(seconds=seconds),
        )
        self._held[session_id] = held
        journal.write(session_id, events.WaitBegan(waiting=waiting, owner=this_process()))
        held.watch = asyncio.create_task(self._watch(session_id, held))

    async def take(self, session_id: str) -> Held | None:
        """The run that waits, which is the caller's from now on; None where none does."""
        held = self._held.pop(session_id, None)
        if held is None:
            return None
        if held.watch is not None:
            held.watch.cancel()
        held.journal.write(session_id, events.WaitEnded())
        return held

    async def end(self, session_id: str, reason: str) -> None:
        """End the wait of a session's run and its kernel; without one nothing happens.

        Args:
            session_id: Of the session.
            reason: A sentence for the log.
        """
        self.drop(session_id, reason)
        if session_id in self._ending:
            await asyncio.wait({self._ending[session_id]})

    def drop(self, session_id: str, reason: str) -> None:
        """As `end`, but answers at once."""
        held = self._held.pop(session_id, None)
        if held is not None:
            if held.watch is not None:
                held.watch.cancel()
            self._let_go(session_id, held, reason)

    async def close(self) -> None:
        """End all of them: the server goes down."""
        for session_id in list(self._held):
            await self.end(session_id, "The server was shut down while the kernel waited.")
        if self._ending:
            await asyncio.wait(set(self._ending.values()))

    def _let_go(self, session_id: str, held: Held, reason: str) -> None:
        """End a kernel in a task of its own, which nothing that is cancelled takes along."""

        async def ending() -> None:
            try:
                await held.run.end()
            finally:
                held.journal.write(session_id, events.WaitEnded(reason=reason))
                del self._ending[session_id]

        self._ending[session_id] = asyncio.create_task(ending())

    async def _watch(self, session_id: str, held: Held) -> None:
        """End the wait when it is time, or its kernel is gone or its place is wanted."""
        reason = ""
        while not reason:
            await asyncio.sleep(min(_LOOKED_AT, max(0.0, held.until - time.monotonic())))
            if time.monotonic() >= held.until:
                reason = "The kernel waited as long as it may and was ended."
            elif not await held.run.alive():
                reason = "The kernel ended by itself while it waited."
            elif held.run.wanted:
                reason = "The kernel that waited made room for another notebook's."
        if self._held.get(session_id) is held:
            del self._held[session_id]
            self._let_go(session_id, held, reason)
