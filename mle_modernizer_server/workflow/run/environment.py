"""The environment of a session's runs: chosen before the first, extended if a package is missing.

Creation runs in a thread. A sandbox with a Python of its own (a container) offers no choice.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.domain.diagnosis import missing_module
from mle_modernizer_server.domain.environment import (
    ChoiceReason,
    EnvironmentChoice,
    EnvironmentOrigin,
    MakingProblem,
    MakingProgress,
    MakingStep,
)
from mle_modernizer_server.domain.errors import EnvironmentUnavailable
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Iteration, Phase
from mle_modernizer_server.environments.files import normalized
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.local import Local
from mle_modernizer_server.workflow.environments import (
    NotebookEnvironments,
    NotebookPlace,
    interpreter_of,
    named_packages,
    step_message,
)
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.work import Cancelled, Question, Work, stop_of_thread

_MOST_ADDED = 20


async def settle_environment(
    work: Work, notebook: Notebook, added: tuple[str, ...] | None = None
) -> None:
    """Choose the environment of a session's runs, and create it if needed; log it.

    Do nothing if the choice still suits the notebook's requirements.

    Args:
        notebook: The notebook that will run.
        added: Distributions to add; None retains those added before.

    Raises:
        Cancelled: The user stopped the work.
        BadInput: No environment has the name in the settings.
        EnvironmentUnavailable: The one in the settings cannot be created.
    """
    session = work.session
    environments = await _environments(work)
    if environments is None:
        return
    before = session.environment
    if added is None:
        added = before.added if before is not None else ()
    place = _place(work, notebook, added)
    asked = session.settings.environment
    if await pools.code.run(environments.still_holds, before, place, asked):
        return
    choice = await settled_choice(work, notebook, asked, added)
    if choice is not None:
        work.write(events.EnvironmentSettled(choice=choice))


async def settled_choice(
    work: Work, notebook: Notebook, asked: str | None, added: tuple[str, ...] = ()
) -> EnvironmentChoice | None:
    """Return the environment for a run, created if needed, without recording the choice.

    Args:
        notebook: The notebook that will run.
        asked: As the settings' `environment`.

    Returns:
        None if the sandbox has a Python of its own.

    Raises:
        Cancelled, BadInput, EnvironmentUnavailable: As `settle_environment`.
        Question: It is larger than the settings allow without the user's consent.
    """
    environments = await _environments(work)
    if environments is None:
        return None
    loop = asyncio.get_running_loop()
    missing: tuple[str, ...] = ()
    most = work.settings.ask_above

    def tell(progress: MakingProgress) -> None:
        nonlocal missing
        missing = missing or progress.missing
        megabytes = progress.size / 1e6
        if progress.step is MakingStep.INSTALLING and most is not None and megabytes > most:
            packages = named_packages(missing) or "?"
            question = coded("making.ask", packages=packages, megabytes=megabytes)
            raise EnvironmentUnavailable(question, MakingProblem.UNASKED)
        message = step_message(progress, missing)
        loop.call_soon_threadsafe(work.progress, Phase.PREPARING, message)

    place, era = _place(work, notebook, added), work.settings.era or ""
    settle = partial(environments.settle, place, asked, era=era, progress=tell)
    try:
        async with stop_of_thread(work.cancel) as stop:
            return await pools.packages.run(partial(settle, cancel=stop))
    except EnvironmentUnavailable as error:
        if error.problem is MakingProblem.CANCELLED:
            raise Cancelled from error
        if error.problem is MakingProblem.UNASKED:
            raise Question(error.message) from error
        raise


async def add_missing(work: Work, notebook: Notebook) -> bool:
    """Add the packages that the latest run did not find, if a table lists them.

    An environment of the user is not changed.

    Args:
        notebook: The notebook that ran.

    Returns:
        Whether the environment changed, so that the notebook must run again.

    Raises:
        Cancelled, EnvironmentUnavailable: As `settle_environment`.
    """
    session = work.session
    before = session.environment
    if before is None or before.environment is None:
        return False
    if before.asked is not None and before.environment.origin is not EnvironmentOrigin.MADE:
        return False
    environments = work.services.environments
    names = missing_modules(session.iterations[-1])
    if environments is None or not names:
        return False
    place = _place(work, notebook, before.added)
    more = await pools.code.run(environments.packages_of, place, names)
    if not more or len(before.added) >= _MOST_ADDED or work.cancel.is_set():
        return False
    added = (*before.added, *more)
    await settle_environment(work, notebook, added)
    after = work.session.environment
    return (
        after is not None
        and after.added == added
        and after.reason is not ChoiceReason.NOT_MADE
        and after.environment != before.environment
    )


async def note_missing(work: Work, notebook: Notebook) -> None:
    """Record the packages that the latest run lacked, if any can be added.

    Args:
        notebook: The notebook that ran.
    """
    environments = work.services.environments
    names = missing_modules(work.session.iterations[-1])
    if environments is None or work.session.environment is None or not names:
        return
    place = _place(work, notebook, ())
    packages = await pools.code.run(environments.missing_packages, place, names)
    if packages:
        work.write(events.PackagesMissed(packages=packages))


def missing_modules(iteration: Iteration) -> tuple[str, ...]:
    """Return the top-level modules that a run did not find."""
    findings = iteration.diagnosis.findings if iteration.diagnosis else ()
    found = (missing_module(finding.error) for finding in findings)
    return tuple(dict.fromkeys(name for name in found if name))


def carries_out_lines(choice: EnvironmentChoice | None, sandbox: Sandbox) -> bool:
    """Return whether a run executes the notebook's install lines, or its environment has them."""
    used = interpreter_of(choice, sandbox) is not None
    return not (used and choice is not None and choice.lines_done)


def in_use(choice: EnvironmentChoice | None, services: Services) -> AbstractContextManager[None]:
    """Prevent the removal of a created environment during a run."""
    chosen = None if choice is None else choice.environment
    environments = services.environments
    if environments is None or chosen is None or chosen.origin is not EnvironmentOrigin.MADE:
        return nullcontext()
    return environments.kept.using(chosen.name)


async def _environments(work: Work) -> NotebookEnvironments | None:
    """Return the environments to choose from; None if the sandbox has a Python of its own."""
    if work.services.environments is None:
        return None
    sandbox = await pools.sandboxes.run(work.services.choose_sandbox, work.settings.sandbox)
    return work.services.environments if isinstance(sandbox, Local) else None


def _place(work: Work, notebook: Notebook, added: tuple[str, ...]) -> NotebookPlace:
    created = work.created
    folder = Path(created.folder) if created.folder else None
    named = map(normalized, work.settings.packages)
    return NotebookPlace(notebook, folder, created.traces, tuple(dict.fromkeys((*named, *added))))
