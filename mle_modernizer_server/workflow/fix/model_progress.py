"""Record a fixer's progress: its growing plan, its model calls."""

from __future__ import annotations

import asyncio
import time
from uuid import uuid4

from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.model_calls import ModelCall, Usage
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.fixing.fixer import Fixer, FixRequest, NoFix
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.work import Work, unless_cancelled

_PLAN_INTERVAL = 0.5
"""Seconds between two notes of a growing plan in the log."""
_PLAN_SHOWN = 1000
"""Characters of a growing plan that the log retains."""


class PlanNotes:
    """Puts a growing plan into the log: its first words at once, then not every word of it."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._noted_at = float("-inf")
        self._latest = ""
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self, text: str) -> None:
        """Record the partial plan; delay an update that comes too soon."""
        if not text.strip():
            return
        self._latest = text
        wait = self._noted_at + _PLAN_INTERVAL - time.monotonic()
        if wait <= 0:
            self._note()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(wait, self._note)

    def close(self) -> None:
        """Stop recording."""
        if self._timer is not None:
            self._timer.cancel()

    def _note(self) -> None:
        self.close()
        self._timer = None
        self._noted_at = time.monotonic()
        self._work.progress(Phase.FIXING, verbatim(self._latest[-_PLAN_SHOWN:]))


class ModelCalls:
    """Stores a fixer's model calls, and adds up their costs."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._id = uuid4().hex
        self.usage = Usage()

    def note(self, call: ModelCall) -> None:
        """Keep one that has ended."""
        self.usage += call.usage
        self._work.log.store.exchanges.keep(self._work.session_id, self._id, call)
        self._work.write(
            events.Progressed(
                phase=Phase.FIXING, message=coded("progress.reading-answer"), usage=self.usage
            )
        )

    def spend(self, usage: Usage) -> None:
        """Log the cost of a question that led to no proposal."""
        if usage.asked:
            self._work.write(events.Spent(usage=usage))

    def belong_to(self, proposal: Proposal) -> None:
        """They led to this proposal."""
        self._work.log.store.exchanges.belongs_to(self._work.session_id, self._id, proposal.id)


async def answer_of(
    work: Work, fixer: Fixer, request: FixRequest, calls: ModelCalls
) -> Proposal | NoFix:
    """Return a fixer's answer, unless the user cancels first; record its plan as it grows.

    Log the cost if there is no answer.

    Raises:
        Cancelled: The user stopped the work.
        FixerFailed: As `Fixer.propose`.
    """
    notes = PlanNotes(work)
    try:
        return await unless_cancelled(work.cancel, fixer.propose(request, notes, calls.note))
    except FixerFailed as error:
        calls.spend(error.usage if error.usage.asked else calls.usage)
        raise
    except Exception:  # also for the user's cancel: the request costs money
        calls.spend(calls.usage)
        raise
    finally:
        notes.close()
