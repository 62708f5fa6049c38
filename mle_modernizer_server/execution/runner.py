"""Runs a notebook in a sandbox and tells what happens, as it happens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from mle_modernizer_server.domain.errors import BadCompetition, SandboxUnavailable
from mle_modernizer_server.domain.execution import (
    CellError,
    CellRun,
    CellStatus,
    CsvFile,
    Ending,
    Environment,
    Execution,
    ExecutionEvent,
    ExecutionEventKind,
    ExecutionStatus,
    PipInstall,
)
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.profile import Profile
from mle_modernizer_server.execution.bounded_client import BoundedClient
from mle_modernizer_server.execution.cell_run import CellRunner
from mle_modernizer_server.execution.csv_discovery import find_csvs
from mle_modernizer_server.execution.environment import ask_environment
from mle_modernizer_server.execution.executed import executed_copy, executed_notebook, take_outputs
from mle_modernizer_server.execution.kernel import KernelStartFailed, SandboxKernel
from mle_modernizer_server.execution.pip_install import install_lines
from mle_modernizer_server.execution.pip_lines import InstallLine, find_install_lines
from mle_modernizer_server.execution.profiling import ask_profile, start_profile
from mle_modernizer_server.execution.sandbox import Mounts, Place, Sandbox
from mle_modernizer_server.execution.workspace import Workspace, scratch_unavailable

OnEvent = Callable[[ExecutionEvent], None]

_REST_OF_OUTPUTS = 10
"""Seconds a cell's outputs may still come in after it has ended."""
_GRACE = 300
"""Seconds a kernel may take besides its time limit: to start, to be asked, to be ended."""
_UNKNOWN_ENVIRONMENT = Environment(python="unknown", packages={})


@dataclass(frozen=True)
class RunResult:
    """What a run gives.

    Attributes:
        execution: What happened.
        executed: The notebook with its sources as given and the outputs of this run.
    """

    execution: Execution
    executed: NotebookNode


async def run_notebook(
    notebook: Notebook,
    *,
    sandbox: Sandbox,
    workspace: Workspace,
    competition: str | None = None,
    public: Path | None = None,
    time_limit: float,
    install: bool = True,
    on_event: OnEvent,
    cancel: asyncio.Event,
) -> RunResult:
    """Run all cells in a fresh kernel; a failing cell does not stop the run.

    Args:
        notebook: What to run.
        sandbox: Where the kernel lives.
        workspace: Its scratch directory; what the run writes stays there.
        competition: Slug, the name of the data below `/kaggle/input`.
        public: The competition's `prepared/public`.
        time_limit: Seconds for the whole notebook, counted from the first cell.
        install: Whether to carry out `pip install` lines beforehand.
        on_event: Called at once with every step; must return quickly.
        cancel: When set, the run ends, whatever it is doing, and leaves no process behind.

    Returns:
        Also for a run that timed out, was cancelled or lost its kernel.

    Raises:
        BadCompetition: `public` is not there.
        SandboxUnavailable: No kernel comes up in the sandbox.
        ScratchUnavailable: The workspace cannot be written.
    """
    _check_data(public)
    run = _Run(
        notebook, sandbox, workspace.mounts(competition, public), time_limit, on_event, cancel
    )
    try:
        return await run.go(install=install)
    except KernelStartFailed as error:
        raise SandboxUnavailable(
            f"No kernel starts in the sandbox `{sandbox.name}`: {error}. Check that ipykernel "
            "works in this Python environment, or choose another sandbox."
        ) from error
    except OSError as error:
        raise scratch_unavailable(error, workspace.working) from error


def _check_data(public: Path | None) -> None:
    if public is not None and not public.is_dir():
        raise BadCompetition(
            f"The data of the competition are missing: there is no directory {public}. Put the "
            "competition's public files there."
        )


class _Run:
    """The state of one run."""

    def __init__(
        self,
        notebook: Notebook,
        sandbox: Sandbox,
        mounts: Mounts,
        time_limit: float,
        on_event: OnEvent,
        cancel: asyncio.Event,
    ) -> None:
        self._notebook = notebook
        self._sandbox = sandbox
        self._mounts = mounts
        self._limit = time_limit
        self._on_event = on_event
        self._cancel = cancel
        self._total = len(notebook.code_cells())
        self._started: float | None = None
        self._seconds = 0.0
        self._ending: Ending | None = None
        self._environment = _UNKNOWN_ENVIRONMENT
        self._installs: tuple[PipInstall, ...] = ()
        self._runs: dict[str, CellRun] = {}
        self._errors: list[CellError] = []
        self._message = ""
        self._given: list[str] = []
        self._profile: Profile | None = None
        self._place = Place()
        self._node = executed_notebook(notebook)

    async def go(self, *, install: bool) -> RunResult:
        """All of it: prepare, install, start, run, look at what is there."""
        self._say(f"Preparing the {self._sandbox.name} sandbox")
        async with self._sandbox.place(
            self._mounts, say=self._say, cancel=self._cancel
        ) as self._place:
            lines = find_install_lines(self._notebook)
            if install and lines and not self._cancel.is_set():
                await self._install(lines)
            if self._cancel.is_set():
                self._ending = Ending.CANCELLED
            else:
                await self._run_in_kernel(lines)
        csv_files = await asyncio.to_thread(find_csvs, self._mounts.working)
        execution = self._execution(csv_files)
        self._emit(ExecutionEventKind.FINISHED, message=execution.message)
        return RunResult(execution, self._node)

    async def _install(self, lines: tuple[InstallLine, ...]) -> None:
        def starting(line: InstallLine) -> None:
            self._emit(ExecutionEventKind.INSTALLING, cell_id=line.cell_id, message=line.command)

        self._installs = await install_lines(
            lines, self._sandbox, self._mounts, on_start=starting, cancel=self._cancel
        )

    async def _run_in_kernel(self, lines: tuple[InstallLine, ...]) -> None:
        copy = executed_copy(self._notebook, lines, self._sandbox, self._mounts)
        life = self._limit + _GRACE
        async with SandboxKernel(self._sandbox, self._mounts, life=life) as kernel:
            watch = asyncio.create_task(self._watch(kernel))
            try:
                await kernel.start()
                self._environment = await ask_environment(kernel, self._notebook)
                await start_profile(kernel)
                if self._ending is None:
                    await self._run_cells(kernel, copy)
            except KernelStartFailed:
                if self._ending is None:
                    raise
            finally:
                watch.cancel()
                with suppress(asyncio.CancelledError):
                    await watch

    async def _watch(self, kernel: SandboxKernel) -> None:
        """Kill the kernel when the time is over or the run is cancelled: an interrupt can be
        caught by the notebook, a kill cannot."""
        while self._ending is None:
            rest = None
            if self._started is not None:
                rest = self._started + self._limit - time.monotonic()
            if self._cancel.is_set():
                self._ending = Ending.CANCELLED
            elif rest is not None and rest <= 0:
                self._ending = Ending.TIMED_OUT
                self._profile = await ask_profile(kernel, self._notebook, self._given)
            else:
                with suppress(asyncio.TimeoutError):
                    # Before the first cell the clock is looked at again soon.
                    await asyncio.wait_for(self._cancel.wait(), 0.2 if rest is None else rest)
        while True:
            await kernel.kill()
            # A kernel that was only just starting may not have had a process yet.
            await asyncio.sleep(0.2)

    async def _run_cells(self, kernel: SandboxKernel, copy: NotebookNode) -> None:
        client = BoundedClient(copy, km=kernel.manager, iopub_timeout=_REST_OF_OUTPUTS)
        client.kc = kernel.client
        runner = CellRunner(
            kernel, client, show=self._show, stopping=lambda: self._ending is not None
        )
        self._started = time.monotonic()
        self._emit(ExecutionEventKind.STARTED)
        ordinal = 0
        for index, cell in enumerate(self._notebook.cells):
            if cell.type is not CellType.CODE:
                continue
            ordinal += 1
            if copy.cells[index].source.strip():  # nothing is sent to the kernel otherwise
                self._given.append(cell.id)
            await self._run_cell(runner, cell, index, ordinal)
            take_outputs(copy.cells[index], self._node.cells[index], self._show)
            if self._ending is not None:
                break
        self._seconds = time.monotonic() - self._started
        if self._ending is None:
            self._profile = await ask_profile(kernel, self._notebook, self._given)
        self._ending = self._ending or Ending.COMPLETED

    async def _run_cell(self, runner: CellRunner, cell: Cell, index: int, ordinal: int) -> None:
        place = {"cell_id": cell.id, "index": index, "ordinal": ordinal}

        def on_error(error: CellError) -> None:
            self._emit(ExecutionEventKind.CELL_ERROR, error=error, **place)

        self._emit(ExecutionEventKind.CELL_STARTED, **place)
        outcome = await runner.run(cell, index, on_error)
        self._runs[cell.id] = outcome.run
        self._errors.extend(outcome.errors)
        if outcome.lost is not None:
            self._ending = outcome.lost
            self._message = outcome.errors[-1].evalue
        self._emit(ExecutionEventKind.CELL_FINISHED, run=outcome.run, **place)

    def _say(self, text: str) -> None:
        self._emit(ExecutionEventKind.PREPARING, message=text)

    def _show(self, text: str) -> str:
        return self._sandbox.delocalize(text, self._mounts)

    def _emit(self, kind: ExecutionEventKind, **about: Any) -> None:
        seconds = 0.0 if self._started is None else time.monotonic() - self._started
        self._on_event(ExecutionEvent(kind=kind, seconds=seconds, total=self._total, **about))

    def _execution(self, csv_files: tuple[CsvFile, ...]) -> Execution:
        ending = self._ending or Ending.COMPLETED
        messages = {
            Ending.TIMED_OUT: f"Stopped at the time limit of {self._limit:g} seconds.",
            Ending.CANCELLED: "Cancelled.",
        }
        return Execution(
            status=self._status(ending),
            ending=ending,
            sandbox=self._sandbox.name,
            seconds=self._seconds,
            time_limit=self._limit,
            environment=self._environment,
            cells=tuple(
                self._runs.get(cell.id)
                or CellRun(cell_id=cell.id, index=index, status=CellStatus.NOT_RUN, seconds=0.0)
                for index, cell in enumerate(self._notebook.cells)
                if cell.type is CellType.CODE
            ),
            errors=tuple(self._errors),
            pip_installs=self._installs,
            csv_files=csv_files,
            message=messages.get(ending, self._message),
            image=self._place.image,
            remarks=self._place.remarks,
            profile=self._profile,
        )

    def _status(self, ending: Ending) -> ExecutionStatus:
        if ending is Ending.TIMED_OUT:
            return ExecutionStatus.TIMEOUT
        raised = any(error.raised for error in self._errors)
        return ExecutionStatus.ERROR if raised else ExecutionStatus.ERROR_FREE
