"""Measurements of a session's notebook, started as its work: verification, noise, cause."""

from __future__ import annotations

import asyncio

from mle_modernizer_server.domain.errors import Conflict
from mle_modernizer_server.domain.noise import NoiseAnswer
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Phase, Session, Verdict
from mle_modernizer_server.domain.verification import (
    MOST_RUNS,
    SIGNIFICANCE,
    Answer,
    VerificationKind,
)
from mle_modernizer_server.execution.documents import check_runnable
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.study.cause import is_comparable, seek_cause
from mle_modernizer_server.workflow.study.repeat import at_rest_after, measured
from mle_modernizer_server.workflow.study.seed_variance import measure_noise
from mle_modernizer_server.workflow.study.verification import begin, verify
from mle_modernizer_server.workflow.verdict.final_verdict import Repeats, final_verdict


def start_verification(
    modernizer: Modernizer,
    session_id: str,
    kind: VerificationKind = VerificationKind.STRICT,
    runs: int = MOST_RUNS,
    notebook: Notebook | None = None,
) -> Session:
    """Run a notebook again as often as it takes, each time in a fresh kernel.

    Args:
        modernizer: Whose session it is.
        session_id: The session.
        kind: Quick is one run.
        runs: At most so many, for a strict one.
        notebook: What to run; None: the best iteration's, or the session's own before any run.

    Raises:
        Conflict: Work is going on, or a strict verification is to have fewer than two runs.
        BadNotebook: The notebook cannot be run.
        NotFound: No such session.
    """
    session = modernizer.works.at_rest(session_id)
    asked = 1 if kind is VerificationKind.QUICK else runs
    if kind is VerificationKind.STRICT and asked < 2:
        raise Conflict("A strict verification needs at least two runs.")
    if notebook is None:
        digest = measured(session).notebook_hash if session.iterations else session.notebook_hash
        notebook = modernizer.journal.store.notebook(session_id, digest)
    check_runnable(notebook)
    begun = begin(session, kind, asked, notebook)

    async def work(cancel: asyncio.Event) -> None:
        async def runs_of_it() -> str:
            journal, rooms = modernizer.journal, modernizer.rooms
            return (await verify(journal, rooms, session_id, begun, notebook, cancel)).message

        await at_rest_after(modernizer.journal, session, runs_of_it, _after_verifying)

    return modernizer.works.start(session_id, work)


def _after_verifying(session: Session) -> Verdict | None:
    """The session's own, unless the runs fall inside the band and outside of it.

    Where nothing had run before, what the verification says.
    """
    said = session.verification
    if said is None or session.phase is Phase.REVIEWING:
        return session.verdict
    if not session.iterations:
        reproduced = said.answer is Answer.REPRODUCIBLE
        return Verdict.REPRODUCED if reproduced else session.verdict
    scores = tuple(run.score for run in said.runs if run.score is not None)
    consistent = None if said.p_value is None else said.p_value >= SIGNIFICANCE
    repeats = Repeats(scores=scores, consistent=consistent)
    told = final_verdict(session, noise=repeats) if said.done else None
    return told if told is Verdict.NON_DETERMINISTIC else session.verdict


def start_noise(modernizer: Modernizer, session_id: str, runs: int | None = None) -> Session:
    """Measure the noise of the best iteration's notebook.

    Args:
        modernizer: Whose session it is.
        session_id: The session.
        runs: How many runs more; None: as the settings say.

    Raises:
        Conflict: Work is going on, or there is no score to compare with a target.
        NotFound: No such session.
    """
    session = modernizer.works.at_rest(session_id)
    iteration = measured(session)
    asked = runs or session.settings.noise_runs
    if not is_comparable(iteration):
        raise Conflict("There is no score that is compared with a target; nothing to measure.")

    async def work(cancel: asyncio.Event) -> None:
        async def of_it() -> str:
            journal, rooms = modernizer.journal, modernizer.rooms
            return (
                await measure_noise(journal, rooms, session_id, iteration, asked, cancel)
            ).message

        await at_rest_after(modernizer.journal, session, of_it, _after_noise)

    return modernizer.works.start(session_id, work)


def _after_noise(session: Session) -> Verdict | None:
    """Within noise, where that is so and the score is outside the band."""
    said, verdict = session.noise, session.verdict
    if said is None or said.answer is not NoiseAnswer.WITHIN or session.phase is Phase.REVIEWING:
        return verdict
    keeps = (Verdict.REPRODUCED, Verdict.ABOVE_TARGET)
    return verdict if verdict in keeps else Verdict.WITHIN_NOISE


def start_calibration(modernizer: Modernizer, session_id: str) -> Session:
    """Look for the cause of the best iteration's distance from the target, by hand.

    Raises:
        Conflict: Work is going on, or there is no score to compare with a target.
        NotFound: No such session.
    """
    session = modernizer.works.at_rest(session_id)
    iteration = measured(session)
    if not is_comparable(iteration):
        raise Conflict("There is no score that is compared with a target; nothing to look for.")

    async def work(cancel: asyncio.Event) -> None:
        async def search() -> str:
            journal, rooms = modernizer.journal, modernizer.rooms
            return (await seek_cause(journal, rooms, session_id, iteration, cancel)).message

        await at_rest_after(modernizer.journal, session, search)

    return modernizer.works.start(session_id, work)
