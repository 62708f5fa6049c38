"""The environment of a session's runs: settled before the first, grown where a package is missing.

Who makes one waits in a thread. A sandbox with a Python of its own (a container) has no choice.
"""

from __future__ import annotations

import asyncio
import re
import threading
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

from mle_modernizer_server.domain.environments import (
    ChoiceReason,
    EnvironmentChoice,
    EnvironmentOrigin,
    MakingProblem,
    MakingProgress,
)
from mle_modernizer_server.domain.errors import EnvironmentUnavailable
from mle_modernizer_server.domain.interpreter import Interpreter
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Iteration, Phase, Session
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.local import Local
from mle_modernizer_server.workflow.environments import (
    NotebookPlace,
    package_of,
    step_message,
)
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.services import Rooms

_MOST_ADDED = 20
_NO_MODULE = re.compile(r"No module named '?(?P<name>\w+)")
_OPTIONAL = re.compile(r"Missing optional dependency '(?P<name>[\w.-]+)'")


async def settle_environment(
    journal: Journal,
    rooms: Rooms,
    session_id: str,
    notebook: Notebook,
    cancel: asyncio.Event,
    added: tuple[str, ...] | None = None,
) -> None:
    """Choose the environment of a session's runs, and make it where that is needed; log it.

    Nothing is done where it is settled for what the notebook needs now, or on a cancel.

    Args:
        journal: Where the session lives.
        rooms: The rooms of the house.
        session_id: Of the session.
        notebook: What will run.
        cancel: Ends the making.
        added: Distributions to add; None keeps those that were added before.

    Raises:
        BadInput: There is no environment of the name in the settings.
        EnvironmentUnavailable: The one the settings ask for cannot be made.
    """
    session = journal.session(session_id)
    environments = rooms.environments
    if environments is None or not await _has_choice(rooms, session):
        return
    before = session.environment
    if added is None:
        added = before.added if before is not None else ()
    place = _place(journal, session, notebook, added)
    asked = session.settings.environment
    if await asyncio.to_thread(environments.still_holds, before, place, asked):
        return
    loop = asyncio.get_running_loop()

    def tell(progress: MakingProgress) -> None:
        step = events.Progressed(phase=Phase.PREPARING, message=step_message(progress))
        loop.call_soon_threadsafe(journal.write, session_id, step)

    stop = threading.Event()
    relay = asyncio.create_task(_relay(cancel, stop))
    try:
        choice = await asyncio.to_thread(
            partial(
                environments.settle,
                place,
                asked,
                era=session.settings.era or "",
                progress=tell,
                cancel=stop,
            )
        )
    except EnvironmentUnavailable as error:
        if error.problem is MakingProblem.CANCELLED:
            return  # the run, which comes next, ends at once
        raise
    finally:
        stop.set()
        relay.cancel()
    journal.write(session_id, events.EnvironmentSettled(choice=choice))


async def add_missing(
    journal: Journal, rooms: Rooms, session_id: str, notebook: Notebook, cancel: asyncio.Event
) -> bool:
    """Add the packages that the latest run did not find, where a table names them.

    Args:
        journal: Where the session lives.
        rooms: The rooms of the house.
        session_id: Of the session.
        notebook: What ran.
        cancel: Ends the making.

    Returns:
        Whether the environment is another one now, so that the notebook is to run again.

    Raises:
        EnvironmentUnavailable: As `settle_environment`.
    """
    session = journal.session(session_id)
    before = session.environment
    if cancel.is_set() or rooms.environments is None or before is None:
        return False
    if before.asked is not None and before.environment is not None:
        made = before.environment.origin is EnvironmentOrigin.MADE
        if not made:
            return False  # the person chose one of their own, into which nothing is installed
    wanted = missing_packages(session.iterations[-1])
    more = tuple(name for name in wanted if name not in before.added)
    if not more or len(before.added) >= _MOST_ADDED:
        return False
    added = (*before.added, *more)
    await settle_environment(journal, rooms, session_id, notebook, cancel, added)
    after = journal.session(session_id).environment
    return (
        after is not None
        and after.added == added
        and after.reason is not ChoiceReason.NOT_MADE
        and after.environment != before.environment
    )


def missing_packages(iteration: Iteration) -> tuple[str, ...]:
    """The distributions whose modules a run did not find, of those that a table knows."""
    found = []
    for finding in iteration.diagnosis.findings if iteration.diagnosis else ():
        if finding.error.ename not in ("ModuleNotFoundError", "ImportError"):
            continue
        text = finding.error.evalue
        match = _OPTIONAL.search(text) or _NO_MODULE.match(text)
        # `No module named 'sklearn.externals'` is about a package that is there.
        dotted = re.match(r"No module named '?\w+\.", text)
        if match and not dotted and (name := package_of(match["name"])):
            found.append(name)
    return tuple(dict.fromkeys(found))


def interpreter_of(session: Session, sandbox: Sandbox) -> Interpreter | None:
    """The Python a session's runs use; None is the sandbox's own."""
    choice = session.environment
    if choice is None or choice.environment is None or not isinstance(sandbox, Local):
        return None
    chosen = choice.environment
    if chosen.origin is EnvironmentOrigin.SERVER:
        return None
    return Interpreter(Path(chosen.interpreter), tuple(map(Path, chosen.directories)))


def carries_out_lines(session: Session, sandbox: Sandbox) -> bool:
    """Whether a run carries out the notebook's install lines, or they are in its environment."""
    used = interpreter_of(session, sandbox) is not None
    return not (used and session.environment is not None and session.environment.lines_done)


def in_use(rooms: Rooms, session: Session) -> AbstractContextManager[None]:
    """While a run goes on, a made environment of its is not removed."""
    choice: EnvironmentChoice | None = session.environment
    chosen = None if choice is None else choice.environment
    if rooms.environments is None or chosen is None or chosen.origin is not EnvironmentOrigin.MADE:
        return nullcontext()
    return rooms.environments.kept.using(chosen.name)


async def _has_choice(rooms: Rooms, session: Session) -> bool:
    sandbox = await asyncio.to_thread(rooms.choose_sandbox, session.settings.sandbox)
    return isinstance(sandbox, Local)


def _place(
    journal: Journal, session: Session, notebook: Notebook, added: tuple[str, ...]
) -> NotebookPlace:
    created = journal.store.entries(session.id, 0)[0].event
    assert isinstance(created, events.Created)
    folder = Path(created.folder) if created.folder else None
    return NotebookPlace(notebook, folder, created.traces, added)


async def _relay(cancel: asyncio.Event, stop: threading.Event) -> None:
    await cancel.wait()
    stop.set()
