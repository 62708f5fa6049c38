"""Run a notebook in one kernel: inputs, progress events, result.

A run may stop at an error with its kernel alive and resume from there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from mle_modernizer_server import pools
from mle_modernizer_server.domain.environment import Interpreter
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
    Profile,
    ReachedServer,
)
from mle_modernizer_server.domain.files import HelperReading
from mle_modernizer_server.domain.message import Messages, coded, verbatim
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.execution.cell_run import CellRunner
from mle_modernizer_server.execution.documents import executed_copy, executed_notebook, take_outputs
from mle_modernizer_server.execution.files import find_csvs
from mle_modernizer_server.execution.kernel.bounded_client import BoundedClient
from mle_modernizer_server.execution.kernel.environment import ask_environment
from mle_modernizer_server.execution.kernel.kernel import KernelStartFailed, SandboxKernel
from mle_modernizer_server.execution.kernel.profile import ask_profile, start_profile
from mle_modernizer_server.execution.notebook_folder.lookup import data_layout
from mle_modernizer_server.execution.notebook_folder.own_modules import (
    imported_beside,
    read_copies,
    remarks_on,
)
from mle_modernizer_server.execution.notebook_folder.stage_files import LaidOut
from mle_modernizer_server.execution.notebook_folder.visible_files import (
    Beside,
    Shown,
    choose_shown,
)
from mle_modernizer_server.execution.outputs import RunBudget
from mle_modernizer_server.execution.pip.install import install_lines
from mle_modernizer_server.execution.pip.lines import InstallLine, find_install_lines
from mle_modernizer_server.execution.sandboxes.base import Place, Sandbox
from mle_modernizer_server.execution.sandboxes.workspace import (
    DataLayout,
    Workspace,
    scratch_unavailable,
)

_UNKNOWN_ENVIRONMENT = Environment(python="unknown", packages={})


CellValues = Mapping[str, tuple[tuple[str, str], ...]]
"""Comparable values of variables after each cell: names of facts and their texts."""


@dataclass(frozen=True)
class RunResult:
    """Result of a run.

    Attributes:
        execution: Status, errors, files and versions of the run.
        executed: The notebook with its original sources and the outputs of this run.
        values: Comparable values of the watched variables, by the id of the cell.
    """

    execution: Execution
    executed: NotebookNode
    values: CellValues = field(default_factory=dict)


@dataclass(frozen=True)
class Stop:
    """The point at which a run stopped with its kernel alive.

    Attributes:
        notebook: The notebook that ran.
        cell: The cell that failed, which is half run.
        ordinal: Its number among the code cells, from 1.
        error: Its error.
    """

    notebook: Notebook
    cell: Cell
    ordinal: int
    error: CellError


@dataclass
class Account:
    """State of a run so far.

    Attributes:
        environment: Python and packages of the kernel.
        installs: The `pip install` lines that were carried out.
        runs: Its cells that ran, by id.
        errors: The errors they displayed and raised.
        used: Seconds of the time limit used so far.
        carried: Those of them before it stopped and resumed.
        message: A sentence on its end; may be empty.
        remarks: Sentences on a completed run.
        given: Ids of the cells sent to the kernel, in order; empty for one that was edited since.
        profile: Time per cell and line.
        values: Of the watched variables, by the id of the cell.
    """

    environment: Environment = _UNKNOWN_ENVIRONMENT
    installs: tuple[PipInstall, ...] = ()
    runs: dict[str, CellRun] = field(default_factory=dict)
    errors: list[CellError] = field(default_factory=list)
    used: float = 0.0
    carried: float = 0.0
    message: Messages = ()
    remarks: Messages = ()
    given: list[str] = field(default_factory=list)
    profile: Profile | None = None
    values: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    def keep(self, earlier: Account, old_id: str, new_id: str, index: int) -> None:
        """Take over a cell that ran, whose id and place may be others by now."""
        place = {"cell_id": new_id, "index": index}
        self.runs[new_id] = earlier.runs[old_id].model_copy(update=place)
        if old_id in earlier.values:
            self.values[new_id] = earlier.values[old_id]
        self.errors += [
            error.model_copy(update=place) for error in earlier.errors if error.cell_id == old_id
        ]


def _on_skipped(notebook: Notebook) -> Messages:
    """Return how many cells are not run because of their tag."""
    count = len(notebook.code_cells()) - len(notebook.run_cells())
    return coded("run.skipped", count=count) if count else ()


def _on_network(servers: tuple[ReachedServer, ...] | None) -> Messages:
    """Return remarks for the user on a run that had a network."""
    if servers is None:
        return ()
    reached = [f"{one.name} ({one.size / 1e6:.1f} MB)" for one in servers if not one.refused]
    refused = [one.name for one in servers if one.refused]
    told = coded("run.network", servers=_some(reached)) if reached else coded("run.network-none")
    return told + (coded("run.network-refused", servers=_some(refused)) if refused else ())


def _some(names: list[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def _status(account: Account, ending: Ending) -> ExecutionStatus:
    if ending is Ending.TIMED_OUT:
        return ExecutionStatus.TIMEOUT
    raised = any(error.raised for error in account.errors)
    return ExecutionStatus.ERROR if raised else ExecutionStatus.ERROR_FREE


OnEvent = Callable[[ExecutionEvent], None]

_REST_OF_OUTPUTS = 60
"""Seconds a cell's outputs may still come in after it has ended."""
_GRACE = 300
"""Seconds a kernel may take besides its time limit, for start, queries and shutdown."""


class NotebookRun:
    """The state of one run. Its creator must call `end` in every case.

    Attributes:
        working: Folder of the files that the run writes.

    Args:
        sandbox: The sandbox of the kernel.
        workspace: Its scratch directory; the run's files stay there.
        competition: Slug, the name of the data below `/kaggle/input`.
        public: The competition's `prepared/public`.
        interpreter: The Python it runs in; None is the sandbox's own.
        beside: The notebook's folder and the files a run may see; None: no files.
        time_limit: Seconds for the whole notebook: all parts of the run count, waiting does not.
        on_event: Called at once with every step; must return quickly.
        stop_at_error: Stop at the first cell that raises, with the kernel alive, so that the run
            can resume; otherwise a failing cell does not stop it.
        wait: Seconds the kernel may wait altogether.
        network: Whether the user allowed it to reach web servers of the public network.
        watch: The names whose values are requested after a cell, by its source; None: no names.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        workspace: Workspace,
        *,
        competition: str | None = None,
        public: Path | None = None,
        interpreter: Interpreter | None = None,
        beside: Beside | None = None,
        time_limit: float,
        on_event: OnEvent,
        stop_at_error: bool = False,
        wait: float = 0,
        network: bool = False,
        watch: Callable[[str], tuple[str, ...]] | None = None,
    ) -> None:
        self._public = public
        self._watch_names = watch
        self._sandbox = sandbox
        self._mounts = replace(workspace.mounts(competition, public, interpreter), network=network)
        self.working = self._mounts.working
        self._beside = beside
        self._shown = Shown()
        self._readings: tuple[HelperReading, ...] = ()
        self._laid_out = LaidOut(self.working)
        self._limit = time_limit
        self._on_event = on_event
        self._stop_at_error = stop_at_error
        self._life = time_limit + _GRACE + wait
        self._born = time.monotonic()
        self._halt = asyncio.Event()
        self._stack = AsyncExitStack()
        self._kernel: SandboxKernel | None = None
        self._notebook = Notebook(cells=())
        self._started: float | None = None
        self._ending: Ending | None = None
        self._lines: tuple[InstallLine, ...] = ()
        self._account = Account()
        self._outputs = RunBudget()
        self._place = Place()
        self._node = executed_notebook(self._notebook)
        self._stop: Stop | None = None

    @property
    def stop(self) -> Stop | None:
        """Return the point at which it stopped; None while it runs, and after it has ended."""
        return self._stop

    @property
    def kernel(self) -> SandboxKernel:
        """Return its kernel.

        Raises:
            RuntimeError: There is none, or not any more.
        """
        if self._kernel is None:
            raise RuntimeError("the run has no kernel")
        return self._kernel

    @property
    def wanted(self) -> bool:
        """Return whether another run waits for its slot in the sandbox."""
        return self._place.wanted()

    @property
    def wait_left(self) -> float:
        """Return the seconds the kernel may wait and still have the rest of its time limit."""
        lived = time.monotonic() - self._born
        return self._life - lived - (self._limit - self._account.used) - _GRACE / 2

    def installs_like(self, notebook: Notebook) -> bool:
        """Return whether a notebook has the `pip install` lines that were carried out. Blocks."""
        commands = [line.command for line in find_install_lines(notebook)]
        return commands == [line.command for line in self._lines]

    def finds_data_of(self, notebook: Notebook) -> bool:
        """Return whether its data are in the places from which a notebook reads them."""
        return self._mounts.layout in (DataLayout.BOTH, self._layout_for(notebook))

    def _layout_for(self, notebook: Notebook) -> DataLayout:
        """Return the places of the data for a notebook."""
        sources = [cell.source for cell in notebook.run_cells()]
        layout = data_layout(sources, self._mounts.competition, self._public)
        # The user's own files can be next to the data only if that folder is not the data's own.
        own = any("input/" in item.at for item in self._shown.mounted())
        return DataLayout.BOTH if own and layout is DataLayout.FLAT else layout

    async def start(
        self, notebook: Notebook, *, cancel: asyncio.Event, install: bool = True
    ) -> RunResult:
        """Run a notebook from its first cell in a fresh kernel.

        Args:
            notebook: The notebook to run.
            cancel: When set, the run ends at once and leaves no process behind.
            install: Whether to carry out `pip install` lines beforehand.

        Returns:
            Also for a run that timed out, was cancelled or lost its kernel.

        Raises:
            BadCompetition: The data are not there.
            SandboxUnavailable: No kernel comes up in the sandbox.
            ScratchUnavailable: The workspace cannot be written.
        """
        _check_data(self._public)
        self._take(notebook, ran=())
        return await self._to_its_end(self._begin(install), cancel)

    async def go_on(
        self, notebook: Notebook, *, on_event: OnEvent, cancel: asyncio.Event
    ) -> RunResult:
        """Run on from the cell it stopped at, in the same kernel.

        Args:
            notebook: The same up to that cell; whether it may go on is for the caller to know.
            on_event: Listens from now on.
            cancel: As for `start`.

        Returns:
            The whole notebook's run: the cells before as they ran then.

        Raises:
            RuntimeError: It has not stopped.
            ScratchUnavailable: The workspace cannot be written.
        """
        stop = self._stop
        if stop is None:
            raise RuntimeError("the run has not stopped anywhere")
        self._on_event = on_event
        before = stop.notebook.code_cells()[: stop.ordinal - 1]
        self._take(notebook, ran=before)
        return await self._to_its_end(self._continue(), cancel)

    async def alive(self) -> bool:
        """Return whether the kernel is alive."""
        return self._kernel is not None and await self._kernel.manager.is_alive()

    async def end(self) -> None:
        """Kill the kernel and release its slot; a second call does nothing."""
        self._halt.set()
        self._stop = None
        self._kernel = None
        await self._stack.aclose()

    def _take(self, notebook: Notebook, ran: tuple[Cell, ...]) -> None:
        """Take a notebook whose first code cells are those that ran."""
        before, old_node, account = self._notebook, self._node, self._account
        self._notebook, self._node = notebook, executed_notebook(notebook)
        self._account = Account(
            environment=account.environment,
            installs=account.installs,
            used=account.used,
            carried=account.used,
        )
        ids = {old.id: new.id for old, new in zip(ran, notebook.code_cells(), strict=False)}
        self._account.given = [ids.get(cell_id, "") for cell_id in account.given]
        for old, new in zip(ran, notebook.code_cells(), strict=False):
            index = notebook.index(new.id)
            self._account.keep(account, old.id, new.id, index)
            there = old_node.cells[before.index(old.id)]
            self._node.cells[index].outputs = there.outputs
            self._node.cells[index].execution_count = there.execution_count
        self._stop = self._ending = None
        self._started = None

    async def _to_its_end(self, leg: Awaitable[None], cancel: asyncio.Event) -> RunResult:
        """Carry out a part of the run; unless it stopped, release kernel and slot."""
        if cancel.is_set():
            self._halt.set()
        relay = asyncio.create_task(self._heed(cancel))
        try:
            await leg
            if self._stop is None:
                await self._stack.aclose()
                self._kernel = None
                given = await pools.files.run(self._laid_out.unchanged)
                csv_files = await pools.files.run(find_csvs, self.working, given, self._public)
            else:
                csv_files = ()  # incomplete: the notebook did not finish writing
        except KernelStartFailed as error:
            await self.end()
            raise SandboxUnavailable(
                coded("sandbox.no-kernel", sandbox=self._sandbox.name, error=str(error))
            ) from error
        except OSError as error:
            await self.end()
            raise scratch_unavailable(error, self._mounts.working) from error
        except BaseException:
            await self.end()
            raise
        finally:
            relay.cancel()
            with suppress(asyncio.CancelledError):
                await relay
        execution = self._execution(csv_files)
        self._emit(ExecutionEventKind.FINISHED, message=execution.message)
        return RunResult(execution, self._node, self._account.values)

    async def _heed(self, cancel: asyncio.Event) -> None:
        await cancel.wait()
        self._halt.set()

    async def _begin(self, install: bool) -> None:
        """Prepare, install, start, run."""
        self._say(coded("progress.this-sandbox", sandbox=self._sandbox.name))
        await pools.files.run(self._lay_out_beside)
        mounted = ((item.source, item.at) for item in self._shown.mounted())
        layout = await pools.files.run(self._layout_for, self._notebook)
        self._mounts = replace(self._mounts, beside=tuple(mounted), layout=layout)
        self._place = await self._stack.enter_async_context(
            self._sandbox.place(self._mounts, say=self._say, cancel=self._halt)
        )
        self._lines = await pools.code.run(find_install_lines, self._notebook)
        if install and self._lines and not self._halt.is_set():
            await self._install()
        if self._halt.is_set():
            self._ending = Ending.CANCELLED
            return
        self._kernel = await self._stack.enter_async_context(
            SandboxKernel(self._sandbox, self._mounts, life=self._life)
        )
        async with self._watched(self._kernel) as kernel:
            await kernel.start()
            self._account.environment = await ask_environment(kernel, self._notebook)
            await start_profile(kernel)
            if self._ending is None:
                await self._run_cells(kernel)

    def _lay_out_beside(self) -> None:
        """Put the files there that the notebook names; after a stop, those it names since."""
        if self._beside is None:
            return
        shown = choose_shown(
            [cell.source for cell in self._notebook.run_cells()],
            self._beside,
            reach=self._sandbox.reach,
            public=self._public,
        )
        shown = self._beside.reduce(shown)
        if self._kernel is not None:
            shown = shown.without_mounts_but(self._shown)
        self._shown = shown
        self._readings = read_copies(shown, self._beside.read)
        self._laid_out.put(shown, self._readings)

    async def _continue(self) -> None:
        await pools.files.run(self._lay_out_beside)
        async with self._watched(self.kernel) as kernel:
            await self._run_cells(kernel)

    async def _install(self) -> None:
        def starting(line: InstallLine) -> None:
            self._emit(
                ExecutionEventKind.INSTALLING, cell_id=line.cell_id, message=verbatim(line.command)
            )

        self._account.installs = await install_lines(
            self._lines, self._sandbox, self._mounts, on_start=starting, cancel=self._halt
        )

    @asynccontextmanager
    async def _watched(self, kernel: SandboxKernel) -> AsyncIterator[SandboxKernel]:
        watch = asyncio.create_task(self._watch(kernel))
        try:
            yield kernel
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
                rest = self._started + self._limit - self._account.used - time.monotonic()
            if self._halt.is_set():
                self._ending = Ending.CANCELLED
            elif rest is not None and rest <= 0:
                self._ending = Ending.TIMED_OUT
                await self._look_where_time_went(kernel)
            else:
                with suppress(asyncio.TimeoutError):
                    # Before the first cell the clock is looked at again soon.
                    await asyncio.wait_for(self._halt.wait(), 0.2 if rest is None else rest)
        while self._ending in (Ending.CANCELLED, Ending.TIMED_OUT):
            await kernel.kill()
            # A kernel that was only just starting may not have had a process yet.
            await asyncio.sleep(0.2)

    async def _run_cells(self, kernel: SandboxKernel) -> None:
        copy = await pools.code.run(self._executed_copy)
        client = BoundedClient(
            copy, self._outputs, km=kernel.manager, iopub_timeout=_REST_OF_OUTPUTS
        )
        client.kc = kernel.client
        runner = CellRunner(
            kernel, client, show=self._show, stopping=lambda: self._ending is not None
        )
        self._started = time.monotonic()
        self._emit(ExecutionEventKind.STARTED)
        ordinal = 0
        last = next((one for one in self._notebook.run_cells()[::-1] if _has_code(one)), None)
        for index, cell in enumerate(self._notebook.cells):
            if cell.type is not CellType.CODE:
                continue
            ordinal += 1
            if cell.id in self._account.runs:
                continue  # it ran before the run stopped
            if not cell.runs:
                self._note_run(cell, CellStatus.SKIPPED)
                continue
            if copy.cells[index].source.strip():  # nothing is sent to the kernel otherwise
                self._account.given.append(cell.id)
            error = await self._run_cell(runner, cell, index, ordinal, is_last=cell is last)
            take_outputs(copy.cells[index], self._node.cells[index], self._show)
            if error is not None and self._stop_at_error and self._ending is None:
                self._ending = Ending.STOPPED
                self._stop = Stop(self._notebook, cell, ordinal, error)
                self._account.message = coded("run.stopped", cell=ordinal)
            if self._ending is not None:
                break
        self._account.used += time.monotonic() - self._started
        if self._ending is None:
            await self._look_where_time_went(kernel)
        self._ending = self._ending or Ending.COMPLETED

    def _executed_copy(self) -> NotebookNode:
        """Return the document to execute. Blocks."""
        lines = find_install_lines(self._notebook)
        return executed_copy(self._notebook, lines, self._sandbox, self._mounts)

    async def _look_where_time_went(self, kernel: SandboxKernel) -> None:
        account = self._account
        account.profile = await ask_profile(kernel, self._notebook, account.given)

    async def _run_cell(
        self, runner: CellRunner, cell: Cell, index: int, ordinal: int, *, is_last: bool
    ) -> CellError | None:
        """Run a cell and return the error it raised."""
        place = {"cell_id": cell.id, "index": index, "ordinal": ordinal}

        def on_error(error: CellError) -> None:
            self._emit(ExecutionEventKind.CELL_ERROR, error=error, **place)

        self._emit(ExecutionEventKind.CELL_STARTED, **place)
        watched = () if self._watch_names is None else self._watch_names(cell.source)
        outcome = await runner.run(cell, index, on_error, watched, is_last=is_last)
        self._account.runs[cell.id] = outcome.run
        if self._watch_names is not None and outcome.run.status is CellStatus.OK:
            self._account.values[cell.id] = outcome.values
        self._account.errors.extend(outcome.errors)
        failed = outcome.run.status is CellStatus.ERROR
        if outcome.exit_call:
            self._note_exit(outcome.exit_call, ordinal, is_last=is_last, failed=failed)
        elif outcome.lost is not None:
            self._ending = outcome.lost
            self._account.message = verbatim(outcome.errors[-1].evalue)
        self._emit(ExecutionEventKind.CELL_FINISHED, run=outcome.run, **place)
        return outcome.errors[-1] if failed and outcome.errors else None

    def _note_exit(self, call: str, ordinal: int, *, is_last: bool, failed: bool) -> None:
        """Note that a cell ended the kernel, and how the run ends with that."""
        below = [cell for cell in self._notebook.code_cells()[ordinal:] if cell.runs]
        if is_last:
            said = coded("run.exits", cell=ordinal, call=call)
        else:
            count = sum(map(_has_code, below))
            said = coded("run.exits-early", cell=ordinal, call=call, count=count)
        if failed:
            self._ending, self._account.message = Ending.EXITED, said
        else:
            self._account.remarks = said
            for cell in below:  # nothing of them is left to run
                self._note_run(cell, CellStatus.OK)

    def _note_run(self, cell: Cell, status: CellStatus) -> None:
        """Record the status of a cell that was not sent to the kernel."""
        index = self._notebook.index(cell.id)
        run = CellRun(cell_id=cell.id, index=index, status=status, seconds=0.0)
        self._account.runs[cell.id] = run

    def _say(self, message: Messages) -> None:
        self._emit(ExecutionEventKind.PREPARING, message=message)

    def _show(self, text: str) -> str:
        return self._sandbox.delocalize(text, self._mounts)

    def _emit(self, kind: ExecutionEventKind, **about: Any) -> None:
        part = 0.0 if self._started is None else time.monotonic() - self._started
        seconds = self._account.used if self._ending is not None else self._account.used + part
        total = len(self._notebook.code_cells())
        self._on_event(ExecutionEvent(kind=kind, seconds=seconds, total=total, **about))

    def _execution(self, csv_files: tuple[CsvFile, ...]) -> Execution:
        """Return the run so far as the other rooms see it."""
        account, ending = self._account, self._ending or Ending.COMPLETED
        messages = {
            Ending.TIMED_OUT: coded("run.timed-out", limit=self._limit),
            Ending.CANCELLED: coded("run.cancelled"),
        }
        reached = None if self._place.reached is None else self._place.reached()
        return Execution(
            status=_status(account, ending),
            ending=ending,
            sandbox=self._sandbox.name,
            seconds=account.used,
            carried=account.carried,
            time_limit=self._limit,
            environment=account.environment,
            cells=tuple(
                account.runs.get(cell.id)
                or CellRun(cell_id=cell.id, index=index, status=CellStatus.NOT_RUN, seconds=0.0)
                for index, cell in enumerate(self._notebook.cells)
                if cell.type is CellType.CODE
            ),
            errors=tuple(
                error.model_copy(update={"imported_beside": imported_beside(error, self._shown)})
                for error in account.errors
            ),
            pip_installs=account.installs,
            csv_files=csv_files,
            message=messages.get(ending, account.message),
            image=self._place.image,
            remarks=self._place.remarks
            + remarks_on(self._readings)
            + account.remarks
            + _on_skipped(self._notebook)
            + _on_network(reached),
            profile=account.profile,
            files_beside=self._shown.listed(),
            network=reached,
        )


def _has_code(cell: Cell) -> bool:
    """Return whether a cell holds more than comments."""
    lines = (line.strip() for line in cell.source.split("\n"))
    return any(line and not line.startswith("#") for line in lines)


def _check_data(public: Path | None) -> None:
    if public is not None and not public.is_dir():
        raise BadCompetition(coded("competition.no-data", public=str(public)))
