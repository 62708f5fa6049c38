"""The runs that are paused at a failing cell: how many, how long, and their certain end."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import notebook_hash
from mle_modernizer_server.domain.session import Waiting
from mle_modernizer_server.execution.paused.paused_run import PausedRun
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.owner import this_process
from mle_modernizer_server.workflow.log.store import Store

_LOOKED_AT = 1.0
"""Seconds between two looks at a paused kernel."""
_WAITS = 6
"""Number of times a run may be paused for its longest time in succession."""


@dataclass(frozen=True)
class Paused:
    """A run that is paused; whoever has it ends it.

    Attributes:
        run: The run.
        sealed: The competition's checksum from before its first cell, or None.
    """

    run: PausedRun
    sealed: str | None


@dataclass
class _Kept:
    """A paused run in the registry.

    Attributes:
        paused: The run.
        log: The log of its session.
        until: Deadline, on `time.monotonic`'s clock.
        watch: Task that ends it at the deadline.
    """

    paused: Paused
    log: Store
    until: float
    watch: asyncio.Task[None] | None = None


class PausedRuns:
    """The paused runs of this process, at most one for a session.

    Args:
        most: How many kernels may be paused at once; the oldest goes first. 0: none is, and every
            run begins with the first cell.
        limit: Seconds a kernel waits for the fix.
    """

    def __init__(self, most: int = 1, limit: float = 1800.0) -> None:
        self.most = most
        self.limit = limit
        self._kept: dict[str, _Kept] = {}
        self._ending: dict[str, asyncio.Task[None]] = {}

    @property
    def longest(self) -> float:
        """Return the total seconds a run may be paused."""
        return self.limit * _WAITS

    def waits(self, session_id: str) -> bool:
        """Return whether a run of the session is paused."""
        return session_id in self._kept

    async def keep(self, log: Store, session_id: str, paused: Paused) -> None:
        """Take over a run that has stopped."""
        await self.end(session_id, coded("pause.another-run"))
        while len(self._kept) >= self.most:
            oldest = min(self._kept, key=lambda key: self._kept[key].paused.run.since)
            await self.end(oldest, coded("pause.made-room"))
        run = paused.run
        seconds = max(0.0, min(self.limit, run.wait_left))
        kept = _Kept(paused, log, time.monotonic() + seconds)
        now = datetime.now(timezone.utc)
        waiting = Waiting(
            cell_id=run.stop.cell.id,
            ordinal=run.stop.ordinal,
            notebook_hash=notebook_hash(run.stop.notebook),
            since=now,
            until=now + timedelta(seconds=seconds),
        )
        self._kept[session_id] = kept
        log.append(session_id, events.WaitBegan(waiting=waiting, owner=this_process()))
        kept.watch = asyncio.create_task(self._watch(session_id, kept))

    async def take(self, session_id: str) -> Paused | None:
        """Return the session's paused run and transfer it to the caller; None if absent."""
        kept = self._kept.pop(session_id, None)
        if kept is None:
            return None
        if kept.watch is not None:
            kept.watch.cancel()
        kept.log.append(session_id, events.WaitEnded())
        return kept.paused

    async def end(self, session_id: str, reason: Messages) -> None:
        """End a session's paused run and its kernel; do nothing if there is none.

        Args:
            reason: Why, for the log.
        """
        self.drop(session_id, reason)
        if session_id in self._ending:
            await asyncio.wait({self._ending[session_id]})

    def drop(self, session_id: str, reason: Messages) -> None:
        """End it like `end`, but return at once."""
        kept = self._kept.pop(session_id, None)
        if kept is not None:
            if kept.watch is not None:
                kept.watch.cancel()
            self._let_go(session_id, kept, reason)

    async def close(self) -> None:
        """End all of them: the server goes down."""
        for session_id in list(self._kept):
            await self.end(session_id, coded("pause.server-shut-down"))
        if self._ending:
            await asyncio.wait(set(self._ending.values()))

    def _let_go(self, session_id: str, kept: _Kept, reason: Messages) -> None:
        """End a kernel in a separate task, which survives the cancellation of others."""

        async def ending() -> None:
            try:
                await kept.paused.run.end()
            finally:
                kept.log.append(session_id, events.WaitEnded(reason=reason))
                del self._ending[session_id]

        self._ending[session_id] = asyncio.create_task(ending())

    async def _watch(self, session_id: str, kept: _Kept) -> None:
        """End the pause at its deadline, or when its kernel exits or its slot is needed."""
        run = kept.paused.run
        reason: Messages = ()
        while not reason:
            await asyncio.sleep(min(_LOOKED_AT, max(0.0, kept.until - time.monotonic())))
            if time.monotonic() >= kept.until:
                reason = coded("pause.too-long")
            elif not await run.alive():
                reason = coded("pause.ended-by-itself")
            elif run.wanted:
                reason = coded("pause.made-room")
        if self._kept.get(session_id) is kept:
            del self._kept[session_id]
            self._let_go(session_id, kept, reason)
