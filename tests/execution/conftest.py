"""Real kernels in real sandboxes for the tests of the execution room."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from mle_modernizer_server.domain.environment import Interpreter
from mle_modernizer_server.domain.execution import Execution, ExecutionEvent, ExecutionEventKind
from mle_modernizer_server.domain.notebook import Cell, CellTag, CellType, Notebook
from mle_modernizer_server.execution.notebook_folder.visible_files import Beside
from mle_modernizer_server.execution.notebook_run import RunResult
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.choose import sandboxes
from mle_modernizer_server.execution.sandboxes.workspace import Workspace
from mle_modernizer_server.words import text
from tests.running import run_notebook
from tests.thoroughness import HERE

SLUG = "spaceship-titanic"


@dataclass
class Ran:
    """A run and all it said."""

    result: RunResult
    events: list[ExecutionEvent]

    @property
    def execution(self) -> Execution:
        return self.result.execution

    def text(self, index: int) -> str:
        """All text a cell put out."""
        outputs = self.result.executed.cells[index].outputs
        return "".join(output.text for output in outputs if output.output_type == "stream")


@dataclass
class Runner:
    """Runs cells in one sandbox."""

    sandbox: Sandbox
    workspace: Workspace
    public: Path
    interpreter: Interpreter | None = None
    beside: Beside | None = None
    network: bool = False
    cancel_at: Callable[[ExecutionEvent], bool] | None = None
    tags: Mapping[int, CellTag] = field(default_factory=dict)
    """Of cells, by their index."""
    events: list[ExecutionEvent] = field(default_factory=list)

    def __call__(self, *sources: str, time_limit: float = 60, install: bool = True) -> Ran:
        return asyncio.run(self._run(sources, time_limit, install))

    async def _run(self, sources: tuple[str, ...], time_limit: float, install: bool) -> Ran:
        cells = tuple(
            Cell(
                id=f"cell-{index}",
                type=CellType.CODE,
                source=source,
                tags=(self.tags[index],) if index in self.tags else (),
            )
            for index, source in enumerate(sources)
        )
        cancel = asyncio.Event()
        events: list[ExecutionEvent] = []

        def on_event(event: ExecutionEvent) -> None:
            events.append(event)
            if self.cancel_at is not None and self.cancel_at(event):
                cancel.set()

        result = await run_notebook(
            Notebook(cells=cells),
            sandbox=self.sandbox,
            workspace=self.workspace,
            competition=SLUG,
            public=self.public,
            interpreter=self.interpreter,
            beside=self.beside,
            time_limit=time_limit,
            install=install,
            network=self.network,
            on_event=on_event,
            cancel=cancel,
        )
        return Ran(result, events)


@pytest.fixture
def public(tmp_path: Path) -> Path:
    """A competition's public files; the answers lie beside them, as in the prepared layout."""
    prepared = tmp_path / "data" / SLUG / "prepared"
    directory = prepared / "public"
    (directory / "images").mkdir(parents=True)
    (directory / "train.csv").write_text("id,age,y\n1,20,0\n2,30,1\n")
    (directory / "sample submission.csv").write_text("id,y\n1,0\n")
    (directory / "images" / "one.txt").write_text("a picture")
    (prepared / "private").mkdir()
    (prepared / "private" / "answers.csv").write_text("id,y\n1,1\n")
    return directory


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with Workspace() as space:
        yield space


def _sandbox(name: str) -> Sandbox:
    sandbox = sandboxes()[name]
    if not sandbox.availability().ok:
        pytest.skip(f"{name} does not work here: {text(sandbox.availability().reason)}")
    return sandbox


@pytest.fixture(params=HERE)
def run(request: pytest.FixtureRequest, workspace: Workspace, public: Path) -> Runner:
    """Runs cells, in each sandbox in `make test-all`."""
    return Runner(_sandbox(request.param), workspace, public)


@pytest.fixture(params=["bubblewrap", "process"])
def run_in_each(request: pytest.FixtureRequest, workspace: Workspace, public: Path) -> Runner:
    """Runs cells, once in each sandbox: each has a way of its own to do what is tested."""
    return Runner(_sandbox(request.param), workspace, public)


@pytest.fixture
def run_isolated(workspace: Workspace, public: Path) -> Runner:
    """Runs cells in bubblewrap."""
    return Runner(_sandbox("bubblewrap"), workspace, public)


@pytest.fixture
def run_plainly(workspace: Workspace, public: Path) -> Runner:
    """Runs cells in a plain local process."""
    return Runner(_sandbox("process"), workspace, public)


@pytest.fixture
def run_in(workspace: Workspace, public: Path) -> Callable[[str], Runner]:
    """Makes a runner in the sandbox of a name."""
    return lambda name: Runner(_sandbox(name), workspace, public)


LASTING = f"81234.5{os.getpid()}"
"""Seconds that something started by a test sleeps: nobody else's, also of tests beside this one."""


def processes_with(word: str) -> list[str]:
    """Command lines of the living processes that hold a word."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        line = " ".join(process.info["cmdline"] or [])
        if word in line and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(line)
    return found


@pytest.fixture
def assert_no_process() -> Callable[[str], None]:
    """Asserts that no process with a word in its command line is left."""

    def check(word: str) -> None:
        end = time.monotonic() + 3
        while processes_with(word) and time.monotonic() < end:
            time.sleep(0.05)
        assert processes_with(word) == []

    return check


@pytest.fixture
def at() -> Callable[[ExecutionEventKind, str | None], Callable[[ExecutionEvent], bool]]:
    """Makes a condition: an event of this kind, of this cell."""

    def condition(
        kind: ExecutionEventKind, cell_id: str | None = None
    ) -> Callable[[ExecutionEvent], bool]:
        return lambda event: event.kind is kind and cell_id in (None, event.cell_id)

    return condition
