"""Several fixes for one run, tried at the same time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone

import psutil

from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import FixerName, Origin, Proposal, apply_edits
from mle_modernizer_server.domain.session import Iteration, Phase
from mle_modernizer_server.workflow.fix.propose import Ask, NoProposal, propose, unused
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.record import begin_iteration, end_iteration
from mle_modernizer_server.workflow.run.run_once import Run, run_once, run_request
from mle_modernizer_server.workflow.work import Cancelled, Work

_MEMORY_OF_A_RUN = 2 * 1024**3
"""Bytes that must be free for each further run at the same time."""
_ANOTHER_WAY = coded("model.another-way")


async def propose_several(
    work: Work, iteration: Iteration, ask: Ask
) -> tuple[Proposal, ...] | NoProposal:
    """Propose different fixes for a run: as many as the settings request and the budget allows.

    The first comes from the first fixer, the others from the model, which gets the plans to avoid.

    Raises:
        Cancelled, Conflict: As `propose`.
    """
    first = await propose(work, iteration, ask)
    if isinstance(first, NoProposal):
        return first
    found = [first]
    made = {notebook_hash(apply_edits(ask.notebook, first.edits))}

    def refusal(outcome: Notebook) -> Messages:
        if notebook_hash(outcome) in made:
            return coded("fix.tried-already")
        return ask.refusal(outcome)

    while len(found) < _wanted(work, found):
        told = tuple(
            unused(item, iteration.number, _ANOTHER_WAY, carried_out=True) for item in found
        )
        other = replace(ask, fixers=(FixerName.LLM,), told=(*ask.told, *told), refusal=refusal)
        answer = await propose(work, iteration, other)
        if isinstance(answer, NoProposal):
            break  # try the ones so far
        found.append(answer)
        made.add(notebook_hash(apply_edits(ask.notebook, answer.edits)))
    return tuple(found)


def _wanted(work: Work, found: Sequence[Proposal]) -> int:
    """Return the number of fixes by the settings and the remaining budget."""
    session = work.session
    settings = session.settings
    if FixerName.LLM not in settings.fixers:
        return 1
    spending = session.spending
    for item in found:  # not in the log yet
        spending = spending.model_copy(
            update={
                "fixes": spending.fixes + 1,
                "tokens": spending.tokens + item.usage.input_tokens + item.usage.output_tokens,
                "usd": (
                    None if spending.usd is None else spending.usd + (item.usage.cost_usd or 0.0)
                ),
            }
        )
    return len(found) if settings.budget.spent(spending) else settings.alternatives


async def try_out(work: Work, made: Sequence[tuple[Proposal, Notebook]]) -> None:
    """Run the notebooks of several proposals at the same time.

    Each is an iteration of its own. A session's log knows one run at a time, so each is recorded
    when all have ended; until then the session's progress reports them.

    Raises:
        Cancelled: The work was cancelled; no run has left a process behind.
        ModernizerError: As `run_once`, for the first that failed.
    """
    places = asyncio.Semaphore(at_once(len(made)))
    work.write(
        events.Progressed(
            phase=Phase.RUNNING,
            message=coded("progress.alternatives", count=len(made)),
            clock_started=True,
        )
    )
    trials = [
        _Trial(work, proposal, notebook, number, len(made))
        for number, (proposal, notebook) in enumerate(made, start=1)
    ]

    async def run(trial: _Trial) -> None:
        async with places:
            if work.cancel.is_set():
                raise Cancelled
            await trial.run()

    ends = await asyncio.gather(*map(run, trials), return_exceptions=True)
    for trial in trials:
        trial.record()
    failures = [end for end in ends if isinstance(end, BaseException)]
    for failure in sorted(failures, key=lambda end: isinstance(end, Cancelled)):
        raise failure


@dataclass
class _Trial:
    """One of several notebooks that run at the same time."""

    work: Work
    proposal: Proposal
    notebook: Notebook
    number: int
    of: int
    began: datetime | None = None
    executed: events.Executed | None = None
    result: Run | None = None

    async def run(self) -> None:
        self.began = datetime.now(timezone.utc)
        request = run_request(self.work, self.notebook)
        self.result = await run_once(
            request, self.work.services, on_event=self._hear, cancel=self.work.cancel
        )

    def record(self) -> None:
        """Write the run into the session's log, as far as it came."""
        if self.began is None:
            return
        origin = Origin(proposal=self.proposal.id, number=self.number, of=self.of)
        request = run_request(self.work, self.notebook)
        begin_iteration(self.work, request, origin, began=self.began)
        if self.executed is not None:
            self.work.write(self.executed)
        if self.result is not None:
            end_iteration(self.work, self.result)
        # The following events are not about this run: it is over.
        self._say(coded("progress.done"), Phase.GRADING)

    def _hear(self, event: events.Progressed | events.Executed) -> None:
        if isinstance(event, events.Executed):
            self.executed = event
        else:
            self._say(event.message, event.phase)

    def _say(self, step: Messages, phase: Phase) -> None:
        message = coded("progress.alternative", number=self.number, of=self.of, step=step)
        self.work.progress(phase, message)


def at_once(wanted: int) -> int:
    """Return how many runs this machine can execute at once: a core and memory for each."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = psutil.virtual_memory().available // _MEMORY_OF_A_RUN
    return max(1, min(wanted, cores or 1, memory))
