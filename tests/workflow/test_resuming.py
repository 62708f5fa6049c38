"""Cell scope: the kernel waits at the first failing cell, and the run goes on from there."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mle_modernizer_server.domain.execution import CellStatus, Ending
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Phase, RunKind
from mle_modernizer_server.domain.settings import Mode
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.paused_runs import PausedRuns
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.llm_server import Answer, LlmServer
from tests.thoroughness import HERE
from tests.workflow.large_competition import prepare_people
from tests.workflow.scenes import KERNEL, kinds, modernizer, ran, scene, stopped

pytestmark = pytest.mark.usefixtures("nothing_is_left")


@pytest.mark.parametrize("sandbox", HERE)
def test_run_continues_at_the_failing_cell_a_clean_one_decides(
    tmp_path: Path, sandbox: str
) -> None:
    async def body(work: Modernizer) -> None:
        cells = ("import time\ntime.sleep(2)\nearly = object()", "x = 1\nx.nothing", "early")
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
        assert text(first.execution.message) == "Stopped at cell 2, the first that failed."
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
        assert resumed.seconds - resumed.carried < 1.5 < 2 < clean.seconds
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


def test_cell_with_side_effects_is_not_repeated_in_its_kernel(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, *UNSOUND)
        assert session.waiting is None
        execution = session.iterations[0].execution
        assert execution is not None and execution.ending is Ending.STOPPED
        assert "had changed `numbers` before it failed" in text(execution.message)
        assert "the next run starts at the first cell" in text(execution.message)
        session = await ran(work, session.id, UNSOUND[0], "numbers.append(1)", UNSOUND[2])
        assert kinds(session) == [("clean", "stopped"), ("clean", "completed")]

    scene(body, modernizer(tmp_path))


@pytest.mark.parametrize(
    ("fixed", "said"),
    [
        (("a = 2", "x = 1", "x"), "A cell before cell 2 was changed"),
        pytest.param(
            ("new = 0", "a = 1", "x = 1", "x"),
            "A cell before cell 2 was changed",
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            ("x = 1", "x"), "A cell before cell 2 was changed", marks=pytest.mark.thorough
        ),
        (("a = 1", "print(x)\nx = 1", "x"), "had set `x` before it failed"),
        pytest.param(
            ("a = 1", "!pip install nothing-of-that-name\nx = 1", "x"),
            "Different packages",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_change_of_earlier_cells_starts_over_with_the_reason(
    tmp_path: Path, fixed: tuple[str, ...], said: str
) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, "a = 1", "x = 1\nx.nothing", "x")
        session = await ran(work, session.id, *fixed)
        latest = session.iterations[1]
        assert latest.kind is RunKind.CLEAN and latest.execution is not None
        assert said in text(latest.execution.remarks)

    scene(body, modernizer(tmp_path))


def test_an_exit_ends_a_run_that_would_wait(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, "a = 1", "exit()", "a")
        assert kinds(session) == [("clean", "exited")] and session.waiting is None
        assert text(session.message).startswith(
            "Cell 2 ends the kernel with exit(); the cell below it did not run."
        )

    scene(body, modernizer(tmp_path))


def test_a_fix_that_reads_flat_data_begins_from_the_start(tmp_path: Path) -> None:
    prepare_people(tmp_path / "data", 20, 10)

    async def body(work: Modernizer) -> None:
        session = await stopped(work, "open('../input/people/x.csv')", competition="people")
        session = await ran(work, session.id, "open('../input/train.csv')")
        latest = session.iterations[1]
        assert latest.kind is RunKind.CLEAN and latest.execution is not None
        assert latest.execution.errors == ()
        assert "reads the data elsewhere in /kaggle/input" in text(latest.execution.remarks)

    scene(body, modernizer(tmp_path))


@pytest.mark.thorough
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


def test_time_limit_counts_all_parts_without_the_wait(tmp_path: Path) -> None:
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
        assert "ended differently (without errors, not reproducible)" in text(
            clean.diagnosis.summary
        )
        assert session.best == 3

    scene(body, modernizer(tmp_path))


def test_switched_off_every_run_is_whole(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, "a = 1", "undefined", "a")
        assert kinds(session) == [("clean", "completed")] and session.waiting is None

    scene(body, modernizer(tmp_path, PausedRuns(most=0)))


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


def test_auto_mode_passes_an_unfixable_cell_and_runs_all(
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


@pytest.mark.thorough
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
                allow_experiment_changes=True,
            )
            assert [kind for kind, _ in kinds(session)] == ["clean", "resumed", "resumed", "clean"]
            assert session.phase is Phase.REVIEWING

        scene(body, modernizer(tmp_path, llm=llm))
    assert len(server.requests) == 2


@pytest.mark.thorough
def test_a_notebook_of_other_ids_goes_on_all_the_same(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, "a = 1", "undefined", "a")
        again = Notebook(
            cells=tuple(
                cell.model_copy(update={"id": f"new-{cell.id}"})
                for cell in values.notebook("a = 1", "b = 2", "a").cells
            )
        )
        work.runs.start_run(session.id, again)
        session = await work.sessions.finished(session.id)
        resumed = session.iterations[1]
        assert resumed.kind is RunKind.RESUMED and resumed.execution is not None
        assert [run.cell_id for run in resumed.execution.cells] == ["new-c0", "new-c1", "new-c2"]

    scene(body, modernizer(tmp_path))
