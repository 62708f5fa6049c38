"""What is done before a notebook has run: saying what will break, and proposing a fix for it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from mle_modernizer_server import pools
from mle_modernizer_server.domain.environments import EnvironmentChoice, EnvironmentOrigin
from mle_modernizer_server.domain.era import Era, Traces, chosen_versions
from mle_modernizer_server.domain.errors import BadSetting, SandboxUnavailable
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.preflight import Preflight
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.domain.session import Phase, SessionSettings
from mle_modernizer_server.execution.pip.installed import installed_packages
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.local import Local
from mle_modernizer_server.fixing.fixer import NoFix
from mle_modernizer_server.fixing.integrity import sound_part
from mle_modernizer_server.fixing.rules.paths.relocate import Relocated
from mle_modernizer_server.workflow.competition import find_competition
from mle_modernizer_server.workflow.environments import NotebookPlace, interpreter_of
from mle_modernizer_server.workflow.era import NO_TRACES, date, era_of, evidence_of
from mle_modernizer_server.workflow.fix.files import places, relocate_before_run
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.work import Cancelled, Work, unless_cancelled

_QUICKLY_READ = 100_000
"""Characters of code that the analysis reads within seconds, and retains."""


@dataclass(frozen=True)
class Ahead:
    """A notebook that has not run, with what tells where and how it would.

    Attributes:
        notebook: The sources.
        settings: Sandbox, environment, competition, files, the user's word on its era.
        traces: What its file tells beside the sources.
        folder: Where it lies; None where it lies nowhere.
    """

    notebook: Notebook
    settings: SessionSettings
    traces: Traces = NO_TRACES
    folder: Path | None = None


def settings_for(
    *,
    sandbox: str | None = None,
    era: str | None = None,
    environment: str | None = None,
    rules_seconds: float | None = None,
) -> SessionSettings:
    """Return the settings of a notebook that is only looked at.

    Raises:
        BadSetting: `era` is no era, or the time is out of its range.
    """
    try:
        chosen_versions(era or "2000")
    except ValueError as error:
        raise BadSetting(coded("era.wrong")) from error
    settings = SessionSettings(sandbox=sandbox, era=era, environment=environment)
    if rules_seconds is None:
        return settings
    try:
        return SessionSettings.model_validate({**dict(settings), "rules_seconds": rules_seconds})
    except ValidationError as error:
        why = error.errors()[0]["msg"]
        raise BadSetting(coded("setting.wrong", name="--rules-time", why=why)) from error


async def look_ahead(services: Services, ahead: Ahead) -> Preflight:
    """What will break in a notebook and why; nothing runs.

    Raises:
        BadInput: There is no environment of the name in the settings.
        SandboxUnavailable: The sandbox cannot be used, or does not say what is installed.
    """
    sandbox = await pools.sandboxes.run(services.choose_sandbox, ahead.settings.sandbox)
    evidence, chosen = evidence_of(ahead.traces), ahead.settings.era or ""
    (environment, choice), relocated, _ = await pools.together(
        foreseen_environment(services, ahead, sandbox),
        pools.code.run(_relocated, services, ahead),
        _read_meanwhile(services, ahead),
    )
    found = await pools.analysis.run(
        services.analysis.preflight,
        ahead.notebook,
        environment,
        sandbox.name,
        evidence,
        chosen,
        relocated.findings,
        seconds=ahead.settings.rules_seconds,
    )
    return found.model_copy(update={"choice": choice})


async def _read_meanwhile(services: Services, ahead: Ahead) -> None:
    """Have the analysis read a notebook, so that the next question about it is answered at once.

    A large one is not read twice: too little of it may be retained.
    """
    if sum(len(cell.source) for cell in ahead.notebook.code_cells()) <= _QUICKLY_READ:
        evidence, chosen = evidence_of(ahead.traces), ahead.settings.era or ""
        await pools.analysis.run(
            services.analysis.infer_era,
            ahead.notebook,
            evidence,
            chosen,
            seconds=ahead.settings.rules_seconds,
        )


async def mend_ahead(services: Services, ahead: Ahead, era: Era) -> Proposal | NoFix:
    """One patch for all that can be mended before the first run, with integrity notes.

    Raises:
        BadInput: There is no environment of the name in the settings.
        SandboxUnavailable: The sandbox cannot be used, or does not say what is installed.
    """
    notebook = ahead.notebook
    sandbox = await pools.sandboxes.run(services.choose_sandbox, ahead.settings.sandbox)
    (environment, _), relocated = await pools.together(
        foreseen_environment(services, ahead, sandbox),
        pools.code.run(_relocated, services, ahead),
    )
    answer = await pools.analysis.run(
        services.analysis.propose_before_run,
        notebook,
        environment,
        era,
        relocated,
        seconds=ahead.settings.rules_seconds,
    )
    if isinstance(answer, NoFix):
        return answer
    sound = await pools.code.run(sound_part, answer, notebook)
    if sound.blockers:
        return NoFix(reason=coded("fix.refused", findings=sound.blockers))
    return sound


async def propose_ahead(work: Work, notebook: Notebook) -> None:
    """Put a fix for what is known to break up for review, as a session's work.

    Raises:
        Cancelled: `cancel` was set.
        SandboxUnavailable: As `mend_ahead`.
    """
    await date(work, notebook)
    session = work.write(
        events.Progressed(phase=Phase.FIXING, message=coded("progress.looking-ahead"))
    )
    ahead = Ahead(notebook, session.settings, work.created.traces, work.folder)
    answer = await unless_cancelled(work.cancel, mend_ahead(work.services, ahead, era_of(session)))
    if work.cancel.is_set():
        raise Cancelled
    if isinstance(answer, Proposal):
        work.write(events.Proposed(proposal=answer), notebook)
        rested = events.Rested(phase=Phase.REVIEWING, message=coded("next.review-before-run"))
    else:
        rested = events.Rested(phase=Phase.READY, message=answer.reason + coded("next.run"))
    work.write(rested)


async def foreseen_environment(
    services: Services, ahead: Ahead, sandbox: Sandbox
) -> tuple[Environment, EnvironmentChoice | None]:
    """What is installed where the notebook would run, and why there.

    An environment that is to be made counts as the sandbox's own: it gets packages of today, too.

    Raises:
        BadInput: There is no environment of the name in the settings.
        SandboxUnavailable: The sandbox cannot be used, or does not say what is installed.
    """
    environments = services.environments
    if environments is None or not isinstance(sandbox, Local):
        return await installed_packages(sandbox), None
    place = NotebookPlace(ahead.notebook, ahead.folder, ahead.traces)
    wanted = ahead.settings.environment
    foreseen = pools.code.run(environments.foresee, place, wanted)
    if wanted is None:
        # Most run in the server's Python: it is asked meanwhile, and its answer is kept.
        choice = (await pools.together(foreseen, _asked_ahead(sandbox)))[0]
    else:
        choice = await foreseen
    chosen = choice.environment
    if chosen is None or chosen.origin is EnvironmentOrigin.SERVER:
        return await installed_packages(sandbox), choice
    if not chosen.is_started:
        # Its interpreter is not started outside of a sandbox: its files describe it.
        return Environment(python=chosen.python, packages=chosen.packages), choice
    return await installed_packages(sandbox, interpreter_of(choice, sandbox)), choice


async def _asked_ahead(sandbox: Sandbox) -> None:
    """Have it known what a sandbox's own Python has; why it is not is said to who asks again."""
    with contextlib.suppress(SandboxUnavailable):
        await installed_packages(sandbox)


def _relocated(services: Services, ahead: Ahead) -> Relocated:
    """Where its files lie; among those of the competition it speaks of, where none is named."""
    settings = ahead.settings
    if settings.competition is None:
        found, _ = find_competition(services.competitions, ahead.notebook, ahead.folder)
        settings = settings.model_copy(update={"competition": found})
    where = places(services, settings, ahead.folder)
    return relocate_before_run(ahead.notebook, where, settings.file_choices)
