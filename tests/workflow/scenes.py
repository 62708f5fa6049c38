"""Sessions in the scope of one cell, for the tests of what waits and goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil

from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log.events import WaitEnded
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.paused_runs import PausedRuns
from mle_modernizer_server.workflow.service import Modernizer
from tests import values

KERNEL = "import os\nprint('kernel', os.getpid())"


def command_of(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


def modernizer(
    folder: Path,
    waiting: PausedRuns | None = None,
    llm: LlmSettings | None = None,
    containers: Settings | None = None,
) -> Modernizer:
    rooms = build_services(
        data_root=folder / "data",
        sandbox=None,
        llm=llm or LlmSettings.from_environment(environ={}),
        paused=waiting,
        containers=containers,
    )
    return Modernizer(Store(folder / "s.db"), rooms)


def with_services(work: Modernizer, **changes: Any) -> Modernizer:
    """Return a modernizer of the same log with other services."""
    return Modernizer(work.log, replace(work.services, **changes))


def settings(sandbox: str = "process", **more: Any) -> SessionSettings:
    return SessionSettings(
        **{"sandbox": sandbox, "scope": FixScope.CELL, "fixers": (FixerName.RULES,), **more}
    )


def scene(body: Callable[[Modernizer], Coroutine[Any, Any, None]], work: Modernizer) -> None:
    async def whole() -> None:
        try:
            await body(work)
        finally:
            await work.close()

    asyncio.run(whole())


async def ran(work: Modernizer, session_id: str, *sources: str, **more: Any) -> Session:
    work.runs.start_run(session_id, values.notebook(*sources), **more)
    return await work.sessions.finished(session_id)


async def stopped(work: Modernizer, *sources: str, **more: Any) -> Session:
    """A session whose run waits at its first failing cell."""
    notebook = values.notebook(*sources)
    session = work.sessions.create("old.ipynb", notebook, settings(**more))
    return await ran(work, session.id, *sources)


def kinds(session: Session) -> list[tuple[str, str]]:
    return [
        (item.kind.value, item.execution.ending.value)
        for item in session.iterations
        if item.execution is not None
    ]


def reasons(work: Modernizer, session_id: str) -> list[str]:
    entries = work.log.entries(session_id, since=0)
    return [text(entry.event.reason) for entry in entries if isinstance(entry.event, WaitEnded)]
