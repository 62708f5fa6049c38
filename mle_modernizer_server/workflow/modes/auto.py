"""Auto mode: iterate on a scratch copy, keep the best, leave one review for the end."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.domain.session import Phase, RunKind, Verdict
from mle_modernizer_server.workflow.fix.difference import difference
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.modes.best import best
from mle_modernizer_server.workflow.modes.loop import Course, StageEnd, run_stage
from mle_modernizer_server.workflow.run.rehearse import rehearse_until_clean
from mle_modernizer_server.workflow.run.resume import settle
from mle_modernizer_server.workflow.services import Rooms

_REVIEW = "Review the changes."


async def modernize(
    journal: Journal, rooms: Rooms, session_id: str, original: Notebook, cancel: asyncio.Event
) -> None:
    """Iterate until reproducible, nothing more helps or the budget is spent; stage the review.

    Where a rehearsal comes first, its errors are fixed before the first run on all data.
    A fix that made things worse is dropped: the next one starts from the best iteration. What
    changes the experiment is not carried out unless the settings allow it: it is put up for the
    person's yes.

    Raises:
        Cancelled, ModernizerError: As `advance` and `propose`.
    """
    course = Course(journal, rooms, session_id, original, cancel)
    rehearsed = await rehearse_until_clean(journal, rooms, session_id, original, cancel)
    course.take_over(
        rehearsed.notebook, rehearsed.edits, tuple(rehearsed.proposals), rehearsed.tried
    )
    end = await run_stage(course, RunKind.CLEAN, rehearsed.notebook)
    base = best(end.iterations)
    rested = await settle(journal, rooms, session_id, base, end.rested, cancel)
    _put_up(course, replace(end, rested=rested))


def _put_up(course: Course, end: StageEnd) -> None:
    """Put the whole difference between the user's notebook and the best one up for review."""
    trail = course.trails[notebook_hash(end.notebook)]
    edits = difference(course.original, end.notebook, trail.edits)
    if not edits:
        course.journal.write(course.session_id, end.rested)
        return
    adopted = trail.proposals
    proposal = adopted[-1].model_copy(
        update={
            "id": f"final-{len(course.session.iterations)}",
            "plan": tuple(dict.fromkeys(step for item in adopted for step in item.plan)),
            "edits": edits,
            "notes": tuple(
                {repr(note): note for item in adopted for note in item.notes}.values()
            ),
            "remarks": tuple(dict.fromkeys(mark for item in adopted for mark in item.remarks)),
            "usage": Proposal.model_fields["usage"].default,
        }
    )
    course.journal.write(course.session_id, events.Proposed(proposal=proposal, final=True))
    awaits = end.rested.verdict is Verdict.AWAITS_YES
    course.journal.write(
        course.session_id,
        end.rested.model_copy(
            update={
                "phase": Phase.REVIEWING,
                "message": end.rested.message if awaits else f"{end.rested.message} {_REVIEW}",
            }
        ),
    )
