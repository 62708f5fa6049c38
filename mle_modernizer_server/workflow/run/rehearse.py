"""Rehearsals: a run on a sample of the data with a short training; a clean run follows it."""

from __future__ import annotations

from mle_modernizer_server import pools
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import Origin
from mle_modernizer_server.domain.session import Iteration, Phase, RehearsalRun, Session
from mle_modernizer_server.domain.settings import Mode
from mle_modernizer_server.domain.verification import RehearsalSettings
from mle_modernizer_server.execution.sampling.making import CannotSample
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.on_sample import SampledData, choose_sample, reduce_notebook
from mle_modernizer_server.workflow.run.record import record_rehearsal
from mle_modernizer_server.workflow.work import Work


async def rehearse(
    work: Work, notebook: Notebook, origin: Origin | None = None
) -> Iteration | None:
    """Rehearse a notebook if the settings request it.

    Args:
        notebook: What to rehearse.
        origin: The proposal that made it, in auto mode.

    Returns:
        The rehearsal, if it found errors of the notebook's own; None if the whole notebook must run
        now: no rehearsal is requested or possible, these sources were rehearsed already, or the
        rehearsal found nothing, or first an error that its reduction may have caused.

    Raises:
        Cancelled, ModernizerError: As `run_on_sample`.
    """
    session = work.session
    settings = session.settings.rehearsal
    if settings is None or _was_rehearsed(session, notebook, settings):
        return None
    sample = await _sample(work, settings)
    data = sample if isinstance(sample, SampledData) else None
    time_limit = settings.limit(work.settings.time_limit)
    reduction = await pools.code.run(reduce_notebook, notebook, data, settings.rows, time_limit)
    if not isinstance(sample, SampledData) and not reduction.training.cuts:
        work.write(events.Unrehearsed(reason=sample))
        return None
    latest = await record_rehearsal(work, notebook, reduction, origin)
    due = latest.diagnosis is not None and latest.diagnosis.fix_type is not None
    return latest if due else None


async def _sample(work: Work, settings: RehearsalSettings) -> SampledData | Messages:
    """Return the sample to rehearse on, or the reason why there is none."""
    slug = work.settings.competition
    if slug is None:
        return coded("unrehearsed.no-competition")
    competitions = work.services.competitions
    competition, public = competitions.get(slug), competitions.public_dir(slug)
    work.progress(Phase.PREPARING, coded("progress.sampling"))
    try:
        found = await choose_sample(competition, public, settings.rows, work.cancel)
    except CannotSample as error:
        return coded("unrehearsed.no-sample", reason=error.message)
    return found if found.kept.sample.cut else coded("unrehearsed.small")


def _was_rehearsed(session: Session, notebook: Notebook, settings: RehearsalSettings) -> bool:
    """Return whether the same sources were rehearsed already, with the same result expected.

    In auto mode errors found are fixed in the same work, so a rehearsal must find them again.
    """
    digest = notebook_hash(notebook)
    by_step = session.settings.mode is Mode.STEP
    return any(
        isinstance(item, RehearsalRun)
        and item.rehearsal is not None
        and item.notebook_hash == digest
        and item.rehearsal.rows == settings.rows
        and (by_step or not item.hints)
        for item in session.iterations
    )
