"""Auto mode: iterate on a scratch copy, keep the best, leave one review for the end."""

from __future__ import annotations

import asyncio

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    Proposal,
    apply_edits,
)
from mle_modernizer_server.domain.session import Iteration, Phase
from mle_modernizer_server.workflow import events
from mle_modernizer_server.workflow.best import best, rank
from mle_modernizer_server.workflow.difference import difference, joined
from mle_modernizer_server.workflow.iterate import latest_diagnosis
from mle_modernizer_server.workflow.journal import Journal
from mle_modernizer_server.workflow.propose import Ask, propose
from mle_modernizer_server.workflow.resuming import advance, settle
from mle_modernizer_server.workflow.rooms import Rooms
from mle_modernizer_server.workflow.verdicts import (
    ending_without_budget,
    ending_without_fix,
    ending_without_need,
)


async def modernize(
    journal: Journal, rooms: Rooms, session_id: str, original: Notebook, cancel: asyncio.Event
) -> None:
    """Iterate until reproducible, out of fixes or going round in circles; then stage the review.

    A fix that made things worse is dropped: the next one starts from the best iteration. A
    proposal that leads back to a notebook that was already run is turned down.

    Raises:
        Cancelled, ModernizerError: As `advance` and `propose`.
    """
    first = len(journal.session(session_id).iterations)
    tried = {notebook_hash(original)}
    history: dict[str, dict[str, CellEdit]] = {notebook_hash(original): {}}
    current = original
    while True:
        await advance(journal, rooms, session_id, current, cancel)
        done = journal.session(session_id).iterations[first:]
        base = _base(done)
        rested = ending_without_need(done[-1])
        if rested is None and len(tried) > journal.session(session_id).settings.max_fixes:
            rested = ending_without_budget(base, len(tried) - 1)
        if rested is not None:
            break
        before = journal.store.notebook(session_id, base.notebook_hash)
        answer = await propose(
            journal, rooms, session_id, base, _ask(journal, session_id, base, before, tried), cancel
        )
        if not isinstance(answer, Proposal):
            rested = ending_without_fix(base, answer)
            break
        current = apply_edits(before, answer.edits)
        tried.add(notebook_hash(current))
        history[notebook_hash(current)] = joined(history[base.notebook_hash], answer.edits)
        journal.write(session_id, events.Proposed(proposal=answer, adopted=True))
    rested = await settle(journal, rooms, session_id, base, rested, cancel)
    done = journal.session(session_id).iterations[first:]
    _stage(journal, session_id, original, done, history, rested)


def _base(done: tuple[Iteration, ...]) -> Iteration:
    """Where to go on from: the latest iteration, unless an earlier one was better."""
    leader = best(done)
    return done[-1] if rank(done[-1]) <= rank(leader) else leader


def _ask(
    journal: Journal, session_id: str, base: Iteration, notebook: Notebook, tried: set[str]
) -> Ask:
    settings = journal.session(session_id).settings
    fix_type = latest_diagnosis(base).fix_type or FixType.ERROR_REPAIR

    def refusal(outcome: Notebook) -> str | None:
        if notebook_hash(outcome) in tried:
            return "The fix proposed leads back to a notebook that was already run."
        return None

    return Ask(
        notebook=notebook,
        fix_type=fix_type,
        scope=settings.scope,
        fixers=settings.fixers,
        refusal=refusal,
    )


def _stage(
    journal: Journal,
    session_id: str,
    original: Notebook,
    done: tuple[Iteration, ...],
    history: dict[str, dict[str, CellEdit]],
    rested: events.Rested,
) -> None:
    """Put the whole difference between the user's notebook and the best one up for review."""
    leader = best(done)
    after = journal.store.notebook(session_id, leader.notebook_hash)
    edits = difference(original, after, history[leader.notebook_hash])
    if not edits:
        journal.write(session_id, rested)
        return
    adopted = [review.proposal for item in done for review in item.reviews if review.adopted]
    proposal = adopted[-1].model_copy(
        update={
            "id": f"final-{leader.number}",
            "plan": tuple(dict.fromkeys(step for item in adopted for step in item.plan)),
            "edits": edits,
            "notes": tuple(dict.fromkeys(note for item in adopted for note in item.notes)),
            "remarks": tuple(dict.fromkeys(mark for item in adopted for mark in item.remarks)),
            "usage": Proposal.model_fields["usage"].default,
        }
    )
    journal.write(session_id, events.Proposed(proposal=proposal, final=True))
    journal.write(
        session_id,
        events.Rested(
            phase=Phase.REVIEWING,
            message=f"{rested.message} Review the changes.",
            verdict=rested.verdict,
        ),
    )
