"""Several fixes for one run, tried at the same time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace

import psutil

from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.origin import Origin
from mle_modernizer_server.domain.proposal import FixerName, Proposal, apply_edits
from mle_modernizer_server.domain.session import Iteration, Phase, RunKind
from mle_modernizer_server.workflow.fix.experiment import unused
from mle_modernizer_server.workflow.fix.propose import Ask, NoProposal, propose
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.modes.fork import Fork
from mle_modernizer_server.workflow.run.run_once import Cancelled, iterate
from mle_modernizer_server.workflow.services import Rooms

_MEMORY_OF_A_RUN = 2 * 1024**3
"""Bytes that must be free for each further run at the same time."""
_ANOTHER_WAY = (
    "It is tried at the same time as what you propose now: go another way, or reply that there is "
    "no other."
)


async def propose_several(
    journal: Journal,
    rooms: Rooms,
    session_id: str,
    iteration: Iteration,
    ask: Ask,
    cancel: asyncio.Event,
) -> tuple[Proposal, ...] | NoProposal:
    """Different fixes for the same run: as many as the settings ask for and the budget allows.

    The first comes from whoever is asked first, the others from the model, which is told the
    plans it is not to repeat.

    Raises:
        Cancelled, Conflict: As `propose`.
    """
    first = await propose(journal, rooms, session_id, iteration, ask, cancel)
    if isinstance(first, NoProposal):
        return first
    found = [first]
    made = {notebook_hash(apply_edits(ask.notebook, first.edits))}

    def refusal(outcome: Notebook) -> str | None:
        if notebook_hash(outcome) in made:
            return "The fix proposed is the same as one that is tried already."
        return ask.refusal(outcome)

    while len(found) < _wanted(journal, session_id, found):
        told = tuple(unused(item, iteration.number, _ANOTHER_WAY) for item in found)
        other = replace(ask, fixers=(FixerName.LLM,), told=(*ask.told, *told), refusal=refusal)
        answer = await propose(journal, rooms, session_id, iteration, other, cancel)
        if isinstance(answer, NoProposal):
            break  # what there is is tried
        found.append(answer)
        made.add(notebook_hash(apply_edits(ask.notebook, answer.edits)))
    return tuple(found)


def _wanted(journal: Journal, session_id: str, found: Sequence[Proposal]) -> int:
    """How many there shall be, by the settings and what is left of the budget."""
    session = journal.session(session_id)
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


async def try_out(
    journal: Journal,
    rooms: Rooms,
    session_id: str,
    made: Sequence[tuple[Proposal, Notebook]],
    cancel: asyncio.Event,
    kind: RunKind,
) -> None:
    """Run the notebooks that several proposals made, at the same time.

    Each is an iteration of its own, written into the log when all have ended.

    Raises:
        Cancelled: `cancel` was set; no run has left a process behind.
        ModernizerError: As `iterate`, for the first that failed.
    """
    places = asyncio.Semaphore(at_once(len(made)))
    names = [f"Alternative {number} of {len(made)}" for number in range(1, len(made) + 1)]
    journal.write(
        session_id,
        events.Progressed(
            phase=Phase.RUNNING,
            message=f"Trying {len(made)} fixes at the same time",
            clock_started=True,
        ),
    )
    forks = [Fork(journal, session_id, name) for name in names]

    async def run(number: int) -> None:
        proposal, notebook = made[number]
        origin = Origin(proposal=proposal.id, number=number + 1, of=len(made))
        async with places:
            if cancel.is_set():
                raise Cancelled
            await iterate(forks[number], rooms, session_id, notebook, cancel, kind, origin)

    ends = await asyncio.gather(*map(run, range(len(made))), return_exceptions=True)
    for fork in forks:
        fork.join()
    failures = [end for end in ends if isinstance(end, BaseException)]
    for failure in sorted(failures, key=lambda end: isinstance(end, Cancelled)):
        raise failure


def at_once(wanted: int) -> int:
    """How many runs this machine can take at the same time: a core and memory for each."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = psutil.virtual_memory().available // _MEMORY_OF_A_RUN
    return max(1, min(wanted, cores or 1, memory))
