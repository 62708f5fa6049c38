"""Cell scope: a run stops at its first failing cell and is resumed from there after the fix."""

from __future__ import annotations

from mle_modernizer_server import pools
from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import Origin
from mle_modernizer_server.domain.session import Iteration
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.environment import add_missing, note_missing
from mle_modernizer_server.workflow.run.record import record_run
from mle_modernizer_server.workflow.run.resources import note_wanted
from mle_modernizer_server.workflow.run.run_once import RunRequest, run_request
from mle_modernizer_server.workflow.verdict.endings import ending_without_need
from mle_modernizer_server.workflow.work import Work

DECIDES = coded("run.decides")
"""Message if a resumed run reaches the last cell."""


async def advance(
    work: Work,
    notebook: Notebook,
    *,
    fresh: bool = False,
    whole: bool = False,
    origin: Origin | None = None,
) -> Iteration:
    """Run a notebook as the session's next iteration; resume a paused run if possible.

    In file scope this is a clean run; it is repeated with packages that it lacked. In cell scope it
    stops at the first cell that fails, with its kernel paused. If a resumed run ends without an
    error, a clean run of the whole notebook follows at once as an iteration of its own: it decides.
    Note what the last run lacked.

    Args:
        fresh: Begin with the first cell, even if a run is paused.
        whole: Run from the first cell to the last one, whatever the scope.
        origin: The proposal that made the notebook, in auto mode.

    Raises:
        Cancelled, ModernizerError: As `run_once`.
    """
    request = await _request(work, notebook, fresh=fresh, whole=whole)
    while True:
        latest = await record_run(work, request, origin)
        if request.resume is not None and latest.ending is Ending.COMPLETED:
            request = run_request(work, notebook, message=DECIDES)
        elif not request.stop_at_error and await add_missing(work, notebook):
            request = run_request(work, notebook)
        else:
            break
    await note_missing(work, notebook)
    await note_wanted(work, notebook)
    return latest


async def settle(work: Work, base: Iteration, rested: events.Rested) -> events.Rested:
    """Ensure at the end of auto mode that a clean run of the whole notebook has decided.

    If the work ends at a cell that cannot be fixed, the notebook runs to its end once.

    Args:
        base: The iteration that the work has reached.
        rested: The end otherwise.

    Returns:
        The end.

    Raises:
        Cancelled, ModernizerError: As `run_once`.
    """
    await work.end_pause(coded("pause.whole-run"))
    if base.whole:
        return rested
    notebook = work.notebook(base.notebook_hash)
    latest = await record_run(work, run_request(work, notebook, message=DECIDES), base.origin)
    needless = ending_without_need(latest, work.settings.competition)
    if needless is not None:
        return needless
    field = "details" if rested.details else "message"
    before, after = base.require_diagnosis().summary, latest.require_diagnosis().summary
    rest = tuple(one for one in getattr(rested, field) if one not in before)
    return rested.model_copy(update={field: after + rest})


def resumes_no_more(before: SessionSettings, after: SessionSettings) -> bool:
    """Return whether changed settings prevent the resumption of a paused run."""
    return after.scope is not FixScope.CELL or any(
        getattr(before, name) != getattr(after, name)
        for name in ("competition", "sandbox", "time_limit", "environment", "resources")
    )


async def _request(work: Work, notebook: Notebook, *, fresh: bool, whole: bool) -> RunRequest:
    """Return the request for the next run, with the paused run to resume or why there is none."""
    if whole or work.settings.scope is not FixScope.CELL or work.services.paused.most == 0:
        await work.end_pause(coded("pause.from-start"))
        return run_request(work, notebook)
    if fresh:
        await work.end_pause(coded("pause.from-start"))
    reason: Messages = ()
    paused = await work.services.paused.take(work.session_id)
    if paused is not None:
        reason = await pools.code.run(paused.run.refusal, notebook)
        if not reason and not await paused.run.answers():
            reason = coded("pause.kernel-gone")
        if reason:
            await paused.run.end()
            paused = None
    return run_request(work, notebook, stop_at_error=True, resume=paused, message=reason)
