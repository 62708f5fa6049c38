"""A server killed in mid-run: what the next one finds."""

from __future__ import annotations

import ast
import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Phase, Session
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log.store import Listener, Store
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.thoroughness import HERE

_SERVER = """
import asyncio, sys
from pathlib import Path
from mle_modernizer_server.domain.settings import SessionSettings
from tests import values
from tests.workflow.test_recovery import modernizer

async def main():
    work = modernizer(Path(sys.argv[1]))
    notebook = values.notebook("import time", "time.sleep(654)")
    session = work.sessions.create("old.ipynb", notebook, SessionSettings(sandbox=sys.argv[2]))
    work.runs.start_run(session.id, notebook)
    await work.sessions.finished(session.id)

asyncio.run(main())
"""


def modernizer(folder: Path, listener: Listener = lambda session, event: None) -> Modernizer:
    rooms = build_services(
        data_root=folder / "data", sandbox=None, llm=LlmSettings.from_environment(environ={})
    )
    return Modernizer(Store(folder / "s.db", listener), rooms)


@pytest.mark.parametrize("sandbox", HERE)
def test_server_killed_in_a_run_leaves_no_process(tmp_path: Path, sandbox: str) -> None:
    server = subprocess.Popen([sys.executable, "-c", _SERVER, str(tmp_path), sandbox])
    try:
        store = Store(tmp_path / "s.db")
        deadline = time.monotonic() + 180
        while True:
            assert time.monotonic() < deadline and server.poll() is None
            found = list(store.each_session())
            if found and found[0].progress is not None and found[0].progress.ordinal == 2:
                break
            time.sleep(0.05)
        offspring = psutil.Process(server.pid).children(recursive=True)
        assert offspring
    finally:
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
    _, alive = psutil.wait_procs(offspring, timeout=10)
    assert not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]

    after = modernizer(tmp_path)
    after.recover()
    (session,) = after.log.each_session()
    assert session.phase is Phase.INTERRUPTED
    assert "stopped unexpectedly" in text(session.message)

    async def run_again() -> Phase:
        notebook = values.notebook("1 + 1")
        after.runs.start_run(session.id, notebook)
        return (await after.sessions.finished(session.id)).phase

    assert asyncio.run(run_again()) is Phase.FINISHED


def test_the_work_of_another_living_server_is_left_alone(tmp_path: Path) -> None:
    first, second = modernizer(tmp_path), modernizer(tmp_path)

    async def both() -> Phase:
        notebook = values.notebook("import time", "time.sleep(0.5)")
        session = first.sessions.create("old.ipynb", notebook, SessionSettings())
        first.runs.start_run(session.id, notebook)
        second.recover()
        return (await first.sessions.finished(session.id)).phase

    assert asyncio.run(both()) is Phase.FINISHED


def test_closing_the_server_interrupts_the_work_and_says_so(tmp_path: Path) -> None:
    async def close_in_mid_run() -> str:
        at_work = asyncio.Event()

        def listen(session: Session, event: object) -> None:
            if session.progress is not None and session.progress.ordinal == 2:
                at_work.set()

        work = modernizer(tmp_path, listen)
        notebook = values.notebook("import time", "time.sleep(321)")
        session = work.sessions.create("old.ipynb", notebook, SessionSettings())
        work.runs.start_run(session.id, notebook)
        await at_work.wait()
        await work.close()
        return session.id

    session_id = asyncio.run(close_in_mid_run())
    session = Store(tmp_path / "s.db").get(session_id)
    assert session.phase is Phase.INTERRUPTED
    assert "shut down" in text(session.message)


@pytest.mark.parametrize("scope", [FixScope.FILE, FixScope.CELL])
def test_work_parses_no_cell_on_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scope: FixScope
) -> None:
    cells = ("import collections", "print(collections.Mapping)", "print('end')")
    parsed: dict[bool, list[str]] = {False: [], True: []}
    parse = ast.parse

    def record(source: Any, *more: Any, **options: Any) -> Any:
        if source in cells:
            parsed[threading.current_thread() is threading.main_thread()].append(source)
        return parse(source, *more, **options)

    monkeypatch.setattr(ast, "parse", record)

    async def run() -> Session:
        work = modernizer(tmp_path)
        notebook = values.notebook(*cells)
        settings = SessionSettings(mode=Mode.AUTO, scope=scope, fixers=(FixerName.RULES,))
        session = work.sessions.create("a.ipynb", notebook, settings, look=False)
        parsed[True].clear()
        work.runs.start_run(session.id, notebook)
        session = await work.sessions.finished(session.id)
        await work.close()
        return session

    session = asyncio.run(run())
    assert session.phase is Phase.REVIEWING
    assert parsed[False] and parsed[True] == []
