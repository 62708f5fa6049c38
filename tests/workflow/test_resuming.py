"""Cell scope: the kernel waits at the first failing cell, and the run goes on from there."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest

from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.execution import CellStatus, Ending
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Mode, Phase, RunKind, Session, SessionSettings
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_rooms, clear_leftovers
from mle_modernizer_server.workflow.events import WaitEnded
from mle_modernizer_server.workflow.journal import Journal
from mle_modernizer_server.workflow.modernizer import Modernizer
from mle_modernizer_server.workflow.store import Store
from mle_modernizer_server.workflow.waiting import WaitingRuns
from tests import values
from tests.llm_server import Answer, LlmServer

SANDBOXES = ("bubblewrap", "process")
KERNEL = "import os\nprint('kernel', os.getpid())"


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """No process and no scratch directory outlives a test."""
    scratch = tmp_path / "t"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr("tempfile.tempdir", None)
    before = set(psutil.Process().children(recursive=True))
    yield
    end = time.monotonic() + 10
    while time.monotonic() < end:
        left = {
            child
            for child in set(psutil.Process().children(recursive=True)) - before
            if child.is_running() and "ipykernel" in " ".join(_command(child))
        }
        if not left:
            break
        time.sleep(0.1)
    assert left == set()
    assert list(scratch.glob("mlem-*")) == []


def _command(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


def modernizer(
    folder: Path, waiting: WaitingRuns | None = None, llm: LlmSettings | None = None
) -> Modernizer:
    rooms = build_rooms(
        data_root=folder / "data",
        sandbox=None,
        llm=llm or LlmSettings.from_environment(environ={}),
        waiting=waiting,
    )
    return Modernizer(Journal(Store(folder / "s.db"), lambda session, event: None), rooms)


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
    work.start_run(session_id, values.notebook(*sources), **more)
    return await work.finished(session_id)


async def stopped(work: Modernizer, *sources: str, **more: Any) -> Session:
    """A session whose run waits at its first failing cell."""
    notebook = values.notebook(*sources)
    session = work.create("old.ipynb", notebook, settings(**more))
    return await ran(work, session.id, *sources)


def kinds(session: Session) -> list[tuple[str, str]]:
    return [
        (item.kind.value, item.execution.ending.value)
        for item in session.iterations
        if item.execution is not None
    ]


def reasons(work: Modernizer, session_id: str) -> list[str]:
    entries = work.journal.store.entries(session_id, since=0)
    return [entry.event.reason for entry in entries if isinstance(entry.event, WaitEnded)]


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_the_run_goes_on_from_the_failing_cell_and_a_clean_run_decides(
    tmp_path: Path, sandbox: str
) -> None:
    async def body(work: Modernizer) -> None:
        cells = ("import time\ntime.sleep(0.5)\nearly = object()", "x = 1\nx.nothing", "early")
        session = await stopped(work, *cells, sandbox=sandbox)
        assert session.waiting is not None
        assert (session.waiting.cell_id, session.waiting.ordinal) == ("c1", 2)
        assert 1700 < (session.waiting.until - session.waiting.since).total_seconds() <= 1800
        [first] = session.iterations
        assert first.execution is not None and first.diagnosis is not None
        assert [run.status for run in first.execution.cells] == [
            CellStatus.OK,
            CellStatus.ERROR,
            CellStatus.NOT_RUN,
        ]
        assert "waits" in first.execution.message
        assert not first.whole

        session = await ran(work, session.id, cells[0], "x = 1\nx.bit_length()", cells[2])
        assert kinds(session) == [
            ("clean", "stopped"),
            ("resumed", "completed"),
            ("clean", "completed"),
        ]
        assert session.waiting is None and session.best == 3
        resumed, clean = (item.execution for item in session.iterations[1:])
        assert resumed is not None and clean is not None
        assert resumed.carried == pytest.approx(first.execution.seconds, abs=0.01)
        assert resumed.seconds - resumed.carried < 0.4 <= 0.5 < clean.seconds
        assert clean.carried == 0

    scene(body, modernizer(tmp_path))


def test_a_fix_that_fails_again_waits_again_and_the_next_goes_on(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, KERNEL, "a = 1/0", "b = 1/0", "a + b")
        session = await ran(work, session.id, KERNEL, "a = 1//0", "b = 1/0", "a + b")
        assert session.waiting is not None and session.waiting.ordinal == 2
        session = await ran(work, session.id, KERNEL, "a = 1", "b = 1/0", "a + b")
        assert session.waiting is not None and session.waiting.ordinal == 3
        session = await ran(work, session.id, KERNEL, "a = 1", "b = 2", "a + b")
        assert [kind for kind, _ in kinds(session)] == ["clean", *["resumed"] * 3, "clean"]
        assert session.phase is Phase.FINISHED

    scene(body, modernizer(tmp_path))


UNSOUND = ("numbers = []", "numbers.append(1)\nnumbers.nothing", "print(numbers)")


def test_a_cell_that_had_changed_something_is_not_run_again_in_its_kernel(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, *UNSOUND)
        assert session.waiting is None
        execution = session.iterations[0].execution
        assert execution is not None and execution.ending is Ending.STOPPED
        assert "had changed `numbers` before it failed" in execution.message
        assert "the next run begins with the first cell" in execution.message
        session = await ran(work, session.id, UNSOUND[0], "numbers.append(1)", UNSOUND[2])
        assert kinds(session) == [("clean", "stopped"), ("clean", "completed")]

    scene(body, modernizer(tmp_path))


@pytest.mark.parametrize(
    ("fixed", "said"),
    [
        (("a = 2", "x = 1", "x"), "A cell before cell 2 was changed"),
        (("new = 0", "a = 1", "x = 1", "x"), "A cell before cell 2 was changed"),
        (("x = 1", "x"), "A cell before cell 2 was changed"),
        (("a = 1", "print(x)\nx = 1", "x"), "had set `x` before it failed"),
        (("a = 1", "!pip install nothing-of-that-name\nx = 1", "x"), "Other packages"),
    ],
)
def test_what_changes_the_cells_before_begins_from_the_start_and_says_why(
    tmp_path: Path, fixed: tuple[str, ...], said: str
) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, "a = 1", "x = 1\nx.nothing", "x")
        session = await ran(work, session.id, *fixed)
        latest = session.iterations[1]
        assert latest.kind is RunKind.CLEAN and latest.execution is not None
        assert any(said in remark for remark in latest.execution.remarks)

    scene(body, modernizer(tmp_path))


def test_a_cell_inserted_where_the_run_waits_is_run_on_the_way(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, "a = 1", "undefined", "a")
        session = await ran(work, session.id, "a = 1", "undefined = 2", "undefined", "a")
        assert kinds(session)[1:] == [("resumed", "completed"), ("clean", "completed")]

    scene(body, modernizer(tmp_path))


def test_run_from_the_start_leaves_the_waiting_kernel_behind(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, "a = 1", "undefined")
        session = await ran(work, session.id, "a = 1", "a", fresh=True)
        assert kinds(session) == [("clean", "stopped"), ("clean", "completed")]

    scene(body, modernizer(tmp_path))


def test_the_time_limit_counts_all_parts_of_the_run_and_not_the_waiting(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        early = "import time\ntime.sleep(1.5)"
        session = await stopped(work, early, "undefined", time_limit=3)
        await asyncio.sleep(2)
        session = await ran(work, session.id, early, "time.sleep(2.5)")
        assert kinds(session) == [("clean", "stopped"), ("resumed", "timed-out")]
        execution = session.iterations[1].execution
        assert execution is not None
        assert execution.seconds >= 3
        assert execution.carried > 1.5
        # Far from 2.5 s and from the limit of its own; a busy machine takes a while to kill.
        assert execution.cells[1].status is CellStatus.UNFINISHED
        assert session.waiting is None

    scene(body, modernizer(tmp_path))


def test_a_clean_run_that_disagrees_says_so(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        early = f"from pathlib import Path\nmarker = Path({str(tmp_path / 'marker')!r})"
        once = "assert not marker.exists()\nmarker.write_text('was here')"
        session = await stopped(work, early, "undefined", once)
        session = await ran(work, session.id, early, "1", once)
        assert kinds(session)[1:] == [("resumed", "completed"), ("clean", "completed")]
        clean = session.iterations[-1]
        assert clean.diagnosis is not None
        assert "came out otherwise (without errors, not reproducible)" in clean.diagnosis.summary
        assert session.best == 3

    scene(body, modernizer(tmp_path))


def test_an_end_of_patience_a_dead_kernel_and_a_cancel_end_the_wait(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        work.rooms.waiting.limit = 1.0
        session = await stopped(work, "a = 1", "undefined")
        while work.journal.session(session.id).waiting is not None:
            await asyncio.sleep(0.1)
        assert "as long as it may" in reasons(work, session.id)[-1]

        work.rooms.waiting.limit = 600.0
        session = await stopped(work, KERNEL, "undefined")
        for child in psutil.Process().children(recursive=True):
            if "ipykernel" in " ".join(_command(child)):
                child.kill()
        session = await ran(work, session.id, KERNEL, "1")
        assert kinds(session) == [("clean", "stopped"), ("clean", "completed")]

        session = await stopped(work, KERNEL, "undefined")
        assert (await work.cancel(session.id)).waiting is None

        session = await stopped(work, KERNEL, "undefined")
        work.change_settings(session.id, settings(sandbox="bubblewrap"))
        while work.journal.session(session.id).waiting is not None:
            await asyncio.sleep(0.05)

        session = await stopped(work, KERNEL, "undefined")
        await work.delete(session.id)

        first = await stopped(work, KERNEL, "undefined")
        second = await stopped(work, KERNEL, "undefined")
        assert work.journal.session(first.id).waiting is None
        assert "made room" in reasons(work, first.id)[-1]
        assert second.waiting is not None  # and closing ends it

    scene(body, modernizer(tmp_path))


def test_switched_off_every_run_is_whole(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, "a = 1", "undefined", "a")
        assert kinds(session) == [("clean", "completed")] and session.waiting is None

    scene(body, modernizer(tmp_path, WaitingRuns(most=0)))


def test_a_cancelled_resumed_run_leaves_nothing(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, KERNEL, "undefined")
        work.start_run(session.id, values.notebook(KERNEL, "import time\ntime.sleep(60)"))
        while work.journal.session(session.id).phase is not Phase.RUNNING:
            await asyncio.sleep(0.05)
        session = await work.cancel(session.id)
        assert session.phase is Phase.CANCELLED and session.waiting is None

    scene(body, modernizer(tmp_path))


OLD = (
    "import numpy as np\nimport time\ntime.sleep(0.3)",
    "kinds = np.array([1, 2], dtype=np.int)",
    "flags = np.array([1.5], dtype=np.float)",
    "rest = np.array(['a'], dtype=np.object)",
)


def test_auto_mode_goes_on_by_itself_over_several_errors(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, *OLD, mode=Mode.AUTO)
        assert [kind for kind, _ in kinds(session)] == ["clean", *["resumed"] * 3, "clean"]
        assert session.phase is Phase.REVIEWING and session.best == 5
        final = session.iterations[-1].reviews[-1]
        assert final.final
        assert {edit.cell_id for edit in final.proposal.edits} == {"c1", "c2", "c3"}
        assert session.waiting is None

    scene(body, modernizer(tmp_path))


def test_auto_mode_runs_past_a_cell_nobody_can_mend_and_a_whole_run_decides(
    tmp_path: Path,
) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, OLD[0], OLD[1], "1/0", "print('last')", mode=Mode.AUTO)
        assert kinds(session) == [
            ("clean", "stopped"),
            ("resumed", "stopped"),
            ("clean", "completed"),
        ]
        last = session.iterations[-1].execution
        assert last is not None and last.cells[-1].status is CellStatus.OK
        # What could be mended is not lost.
        assert [edit.cell_id for edit in session.iterations[-1].reviews[-1].proposal.edits] == [
            "c1"
        ]

    scene(body, modernizer(tmp_path))


def reply(cell: str, source: str) -> Answer:
    return Answer(f"=== PLAN ===\n- mend it\n=== REPLACE CELL {cell} ===\n{source}\n=== END ===\n")


def test_auto_mode_goes_on_with_a_model(tmp_path: Path) -> None:
    answers = [reply("$CELL(^a = 1)$", "a = 1 / 1"), reply("$CELL(^b = 2)$", "b = 2 / 1")]
    with LlmServer(answers) as server:
        llm = LlmSettings.from_environment(
            base_url=server.base_url, model="m", environ={"MLE_MODERNIZER_API_KEY": "k"}
        )

        async def body(work: Modernizer) -> None:
            session = await stopped(
                work,
                "early = 1",
                "a = 1 / 0",
                "b = 2 / 0",
                "a + b",
                mode=Mode.AUTO,
                fixers=(FixerName.LLM,),
            )
            assert [kind for kind, _ in kinds(session)] == ["clean", "resumed", "resumed", "clean"]
            assert session.phase is Phase.REVIEWING

        scene(body, modernizer(tmp_path, llm=llm))
    assert len(server.requests) == 2


_SERVER = """
import asyncio, sys
from pathlib import Path
from tests.workflow.test_resuming import modernizer, stopped

async def main():
    work = modernizer(Path(sys.argv[1]))
    session = await stopped(work, "waits_here = 1", "undefined", sandbox=sys.argv[2])
    print(session.id, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_server_killed_while_a_kernel_waits_leaves_nothing(tmp_path: Path, sandbox: str) -> None:
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER, str(tmp_path), sandbox],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path / "t")},
    )
    assert server.stdout is not None
    session_id = server.stdout.readline().strip()
    children = psutil.Process(server.pid).children(recursive=True)
    assert children
    os.kill(server.pid, signal.SIGKILL)
    server.wait()
    server.stdout.close()
    _, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []

    clear_leftovers()
    work = modernizer(tmp_path)
    assert work.journal.session(session_id).waiting is not None
    work.works.recover()
    assert work.journal.session(session_id).waiting is None
    assert "went down" in reasons(work, session_id)[-1]
    asyncio.run(work.close())


def test_a_notebook_of_other_ids_goes_on_all_the_same(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, "a = 1", "undefined", "a")
        again = Notebook(
            cells=tuple(
                cell.model_copy(update={"id": f"new-{cell.id}"})
                for cell in values.notebook("a = 1", "b = 2", "a").cells
            )
        )
        work.start_run(session.id, again)
        session = await work.finished(session.id)
        resumed = session.iterations[1]
        assert resumed.kind is RunKind.RESUMED and resumed.execution is not None
        assert [run.cell_id for run in resumed.execution.cells] == ["new-c0", "new-c1", "new-c2"]

    scene(body, modernizer(tmp_path))
