"""Before a notebook has run: predict failures and propose a fix for them."""

from __future__ import annotations

import contextlib

from mle_modernizer_server import pools
from mle_modernizer_server.domain.environment import Absences, EnvironmentChoice, EnvironmentOrigin
from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.forecast import Needs, Preflight, PreflightNote
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.environments.discovery import packages_in_files
from mle_modernizer_server.execution.kernel.environment import imported_names
from mle_modernizer_server.execution.pip.installed import installed_packages
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.local import Local
from mle_modernizer_server.fixing.fixer import NoFix
from mle_modernizer_server.fixing.integrity import sound_part
from mle_modernizer_server.fixing.rules.paths.relocate import Relocated, relocate
from mle_modernizer_server.workflow.competition import find_competition
from mle_modernizer_server.workflow.environments import (
    OWN_TIME,
    NotebookPlace,
    interpreter_of,
    newest_releases,
)
from mle_modernizer_server.workflow.era import date, era_of
from mle_modernizer_server.workflow.fix.absent_names import Ahead, Prospect, absent_names
from mle_modernizer_server.workflow.fix.files import files_named, places
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.work import Cancelled, Work, unless_cancelled

_QUICKLY_READ = 100_000
"""Characters of code that the analysis reads within seconds, and retains."""


async def look_ahead(services: Services, ahead: Ahead) -> Preflight:
    """Predict the failures of a notebook and their reasons; run nothing.

    What is announced as fixed before the run is what `mend_ahead` writes.

    Raises:
        BadInput: No environment has the name in the settings.
        SandboxUnavailable: The sandbox is not usable, or cannot list its packages.
    """
    prospect, absences, is_complete = await _survey(services, ahead)
    found = await pools.analysis.run(
        services.analysis.preflight,
        ahead.notebook,
        prospect.environment,
        prospect.sandbox.name,
        ahead.evidence,
        ahead.settings.era or "",
        prospect.relocated,
        absences,
        seconds=ahead.settings.rules_seconds,
    )
    found = found.model_copy(
        update={
            "choice": prospect.choice,
            "notes": (*_notes_on_gpu(found, prospect.sandbox), *found.notes),
            "pending": not is_complete,
        }
    )
    if not any(item.proposed for item in found.items):
        return found
    answer = await _patch(services, prospect, found.era, absences)
    if isinstance(answer, NoFix):
        return found
    return _without_refused(found, answer, await pools.code.run(sound_part, answer, ahead.notebook))


def lacking_of(needs: Needs, sandbox: Sandbox) -> Messages:
    """Return what a run surely lacks of a notebook's needs: a GPU."""
    if not needs.gpu_cells or not isinstance(sandbox, Local) or sandbox.gives_gpu:
        return ()
    return coded("preflight.no-gpu")


def _notes_on_gpu(found: Preflight, sandbox: Sandbox) -> tuple[PreflightNote, ...]:
    lacking = lacking_of(found.needs, sandbox)
    first = next(iter(found.needs.gpu_cells), None)
    return (PreflightNote(cell_id=first, text=lacking),) if lacking else ()


async def _survey(services: Services, ahead: Ahead) -> tuple[Prospect, Absences, bool]:
    """Return where a notebook would run, the absent names there, and whether these are all.

    Raises:
        BadInput, SandboxUnavailable: As `foreseen_environment`.
    """
    sandbox = await pools.sandboxes.run(services.choose_sandbox, ahead.settings.sandbox)
    (environment, choice), relocated, _ = await pools.together(
        foreseen_environment(services, ahead, sandbox),
        pools.code.run(_relocated, services, ahead),
        _read_meanwhile(services, ahead),
    )
    prospect = Prospect(ahead, sandbox, environment, choice, relocated)
    return prospect, *(await absent_names(services, prospect))


async def _patch(
    services: Services, prospect: Prospect, era: Era, absences: Absences
) -> Proposal | NoFix:
    """Return the patch of the rules before the first run, without integrity notes."""
    return await pools.analysis.run(
        services.analysis.propose_before_run,
        prospect.ahead.notebook,
        prospect.environment,
        era,
        prospect.relocated,
        absences,
        seconds=prospect.ahead.settings.rules_seconds,
    )


def _without_refused(found: Preflight, patch: Proposal, sound: Proposal) -> Preflight:
    """Return a forecast that announces no fix that the integrity check leaves out."""
    kept = () if sound.blockers else sound.edits
    changed = {edit.cell_id for edit in kept}
    refused = {edit.cell_id for edit in patch.edits} - changed
    if not refused:
        return found
    left = coded("preflight.left-refused", findings=sound.blockers or sound.remarks)
    return found.model_copy(
        update={
            "items": tuple(
                item.model_copy(update={"proposed": False, "left": left})
                if item.proposed and item.cell_id in refused
                else item
                for item in found.items
            )
        }
    )


async def _read_meanwhile(services: Services, ahead: Ahead) -> None:
    """Have the analysis read a notebook, so that the next question about it is answered at once.

    A large one is not read twice: too little of it may be retained.
    """
    if sum(len(cell.source) for cell in ahead.notebook.code_cells()) <= _QUICKLY_READ:
        await pools.analysis.run(
            services.analysis.infer_era,
            ahead.notebook,
            ahead.evidence,
            ahead.settings.era or "",
            seconds=ahead.settings.rules_seconds,
        )


async def mend_ahead(services: Services, ahead: Ahead, era: Era) -> Proposal | NoFix:
    """Return one patch for all failures fixable before the first run, with integrity notes.

    Raises:
        BadInput: No environment has the name in the settings.
        SandboxUnavailable: The sandbox is not usable, or cannot list its packages.
    """
    prospect, absences, _ = await _survey(services, ahead)
    answer = await _patch(services, prospect, era, absences)
    if isinstance(answer, NoFix):
        return answer
    sound = await pools.code.run(sound_part, answer, ahead.notebook)
    if sound.blockers:
        return NoFix(reason=coded("fix.refused", findings=sound.blockers))
    return sound


async def propose_ahead(work: Work, notebook: Notebook) -> None:
    """Propose a fix for the predicted failures for review, as a session's work.

    Raises:
        Cancelled: `cancel` was set.
        SandboxUnavailable: As `mend_ahead`.
    """
    await date(work, notebook)
    work.progress(Phase.FIXING, coded("progress.looking-ahead"))
    session = work.session
    ahead = Ahead(notebook, session.settings, work.created.traces, work.folder)
    answer = await unless_cancelled(work.cancel, mend_ahead(work.services, ahead, era_of(session)))
    if work.cancel.is_set():
        raise Cancelled
    if isinstance(answer, Proposal):
        work.keep(notebook)
        work.stage(answer, coded("next.review-before-run"))
    else:
        message = answer.reason + coded("next.run")
        work.write(events.Rested(phase=Phase.READY, message=message))


async def foreseen_environment(
    services: Services, ahead: Ahead, sandbox: Sandbox, settled: EnvironmentChoice | None = None
) -> tuple[Environment, EnvironmentChoice | None]:
    """Return the installed packages of the notebook's prospective environment, and its choice.

    An environment yet to be created counts as the sandbox's own, with today's versions of what is
    missing there.

    Args:
        ahead: The notebook.
        sandbox: The sandbox of its run.
        settled: The choice for its last run; None before the first.

    Raises:
        BadInput: No environment has the name in the settings.
        SandboxUnavailable: The sandbox is not usable, or cannot list its packages.
    """
    environments = services.environments
    if environments is None or not isinstance(sandbox, Local):
        return await installed_packages(sandbox), None
    place = NotebookPlace(ahead.notebook, ahead.folder, ahead.traces)
    wanted = ahead.settings.environment
    if settled is not None and settled.environment is not None:
        choice = settled
    elif wanted is None:
        # Most run in the server's Python: query it meanwhile and cache the answer.
        foreseen = pools.code.run(environments.foresee, place, wanted)
        choice = (await pools.together(foreseen, _asked_ahead(sandbox)))[0]
    else:
        choice = await pools.code.run(environments.foresee, place, wanted)
    chosen = choice.environment
    if chosen is None or chosen.origin is EnvironmentOrigin.SERVER:
        installed = await installed_packages(sandbox)
        if chosen is None and wanted != OWN_TIME:
            return await pools.code.run(_with_newest, installed, ahead.notebook), choice
        return installed, choice
    if not chosen.is_started:
        # Its interpreter is not started outside of a sandbox: its files describe it.
        packages = await pools.code.run(packages_in_files, chosen)
        return Environment(python=chosen.python, packages=packages), choice
    return await installed_packages(sandbox, interpreter_of(choice, sandbox)), choice


_BROUGHT = {"tensorflow": ("keras",), "fastai": ("torch", "torchvision")}
"""Packages by the package that needs them and exposes them to notebooks."""


def _with_newest(installed: Environment, notebook: Notebook) -> Environment:
    """Return what an environment to be created will have: the newest known releases, too."""
    newest = newest_releases()
    named = imported_names(notebook)
    wanted = {*named, *(other for name in named for other in _BROUGHT.get(name, ()))}
    added = {name: newest[name] for name in sorted(wanted) if name in newest}
    return installed.model_copy(update={"packages": {**added, **installed.packages}})


async def _asked_ahead(sandbox: Sandbox) -> None:
    """Cache the packages of a sandbox's own Python; the next query reports any error."""
    with contextlib.suppress(SandboxUnavailable):
        await installed_packages(sandbox)


def _relocated(services: Services, ahead: Ahead) -> Relocated:
    """Locate its files; search the competition it mentions if none is set."""
    settings = ahead.settings
    if settings.competition is None:
        found, _ = find_competition(services.competitions, ahead.notebook, ahead.folder)
        settings = settings.model_copy(update={"competition": found})
    where = places(services, settings, ahead.folder)
    files = files_named(ahead.notebook, where)
    return relocate(ahead.notebook, files, choices=settings.file_choices)
