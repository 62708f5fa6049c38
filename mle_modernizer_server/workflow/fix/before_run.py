"""What is done before a notebook has run: saying what will break, and proposing a fix for it."""

from __future__ import annotations

import asyncio

from mle_modernizer_server.domain.era import Era, Traces, chosen_versions
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.preflight import Preflight
from mle_modernizer_server.domain.proposal import IntegritySeverity, Proposal
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.execution.pip.installed import installed_packages
from mle_modernizer_server.fixing.fixer import NoFix
from mle_modernizer_server.fixing.integrity import sound_part
from mle_modernizer_server.workflow.era import date, era_of, evidence_of
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.work import Cancelled, Work


async def look_ahead(
    services: Services, notebook: Notebook, *, sandbox: str | None, era: str | None, traces: Traces
) -> Preflight:
    """What will break in a notebook and why; nothing runs.

    Args:
        services: For the sandbox.
        notebook: The sources.
        sandbox: Where it would run; None is the best isolated one.
        era: The user's word on when it was written, if any.
        traces: What its file tells beside the sources.

    Raises:
        BadSetting: `era` is no era.
        SandboxUnavailable: The sandbox cannot be used, or does not say what is installed.
    """
    try:
        chosen_versions(era or "2000")
    except ValueError as error:
        raise BadSetting(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
    chosen = services.choose_sandbox(sandbox)
    environment = await installed_packages(chosen)
    return await asyncio.to_thread(
        services.analysis.preflight,
        notebook,
        environment,
        chosen.name,
        evidence_of(traces),
        era or "",
    )


async def mend_ahead(
    services: Services, notebook: Notebook, *, sandbox: str | None, era: Era
) -> Proposal | NoFix:
    """One patch for all that can be mended before the first run, with integrity notes.

    Raises:
        SandboxUnavailable: The sandbox cannot be used, or does not say what is installed.
    """
    environment = await installed_packages(services.choose_sandbox(sandbox))
    answer = await asyncio.to_thread(
        services.analysis.propose_before_run, notebook, environment, era
    )
    if isinstance(answer, NoFix):
        return answer
    sound = await asyncio.to_thread(sound_part, answer, notebook)
    blockers = [note.message for note in sound.notes if note.severity is IntegritySeverity.BLOCKER]
    if blockers:
        return NoFix(reason="A proposal was refused: " + " ".join(blockers))
    return sound


async def propose_ahead(work: Work, notebook: Notebook) -> None:
    """Put a fix for what is known to break up for review, as a session's work.

    Raises:
        Cancelled: `cancel` was set.
        SandboxUnavailable: As `mend_ahead`.
    """
    await date(work, notebook)
    session = work.write(
        events.Progressed(phase=Phase.FIXING, message="Looking for known breaking changes")
    )
    answer = await mend_ahead(
        work.services, notebook, sandbox=session.settings.sandbox, era=era_of(session)
    )
    if work.cancel.is_set():
        raise Cancelled
    if isinstance(answer, Proposal):
        work.write(events.Proposed(proposal=answer), notebook)
        rested = events.Rested(
            phase=Phase.REVIEWING, message="Review what is proposed before the first run."
        )
    else:
        rested = events.Rested(phase=Phase.READY, message=f"{answer.reason} Run the notebook.")
    work.write(rested)
