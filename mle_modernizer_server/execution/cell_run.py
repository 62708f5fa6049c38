"""Run one cell and convert the kernel's messages to domain values."""

from __future__ import annotations

import asyncio
import logging
import re
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode

from mle_modernizer_server.code.traceback import in_todays_form, line_in_cell
from mle_modernizer_server.domain.execution import CellError, CellRun, CellStatus, Ending
from mle_modernizer_server.domain.notebook import Cell
from mle_modernizer_server.execution.kernel.bounded_client import BoundedClient
from mle_modernizer_server.execution.kernel.facts import (
    BehindCell,
    behind_cell,
    live_facts,
    values_of,
)
from mle_modernizer_server.execution.kernel.facts import Ending as Noted
from mle_modernizer_server.execution.kernel.kernel import SandboxKernel
from mle_modernizer_server.execution.outputs import (
    ENAME_LIMIT,
    EVALUE_LIMIT,
    TRACEBACK_LIMIT,
    bounded_traceback,
    clean,
    cut,
    warnings_in,
)
from mle_modernizer_server.execution.sandboxes.base import ExitReason

_SHOWN_KEPT = 10
_LONGEST_READ = 10 * TRACEBACK_LIMIT
"""Characters of a traceback that is brought into today's form; a longer one is cut before."""
_NO_RECORD = Noted(
    "",
    "NoRecord",
    "The kernel answered that the cell ended well, and has no record of its end.",
    "",
)

Show = Callable[[str], str]
"""Function that returns a text without paths of the host."""


def raised_error(reply: dict[str, Any], cell: Cell, index: int, show: Show) -> CellError | None:
    """Return the error of a cell that raised, from its `execute_reply`; None if it succeeded."""
    content = reply["content"]
    if content.get("status") != "error":
        return None
    sent = [str(line) for line in content.get("traceback", [])]
    if sum(map(len, sent)) > _LONGEST_READ:
        sent = list(bounded_traceback(sent))
    lines = [show(line) for line in in_todays_form(sent, content.get("execution_count"))]
    traceback = bounded_traceback(lines)
    return CellError(
        cell_id=cell.id,
        index=index,
        ename=clean(str(content.get("ename", "")))[:ENAME_LIMIT],
        evalue=show(cut(clean(str(content.get("evalue", ""))), EVALUE_LIMIT)),
        traceback=traceback,
        raised=True,
        line=line_in_cell(traceback, content.get("execution_count"), cell.source),
    )


def shown_errors(
    outputs: list[NotebookNode], raised: CellError | None, cell: Cell, index: int, show: Show
) -> list[CellError]:
    """Return the errors that a cell only displayed: `error` outputs except its own failure's."""
    errors = [output for output in outputs if output.output_type == "error"]
    if raised is not None and errors:
        del errors[-1]
    distinct = {(output.ename, output.evalue): output for output in errors}
    return [
        CellError(
            cell_id=cell.id,
            index=index,
            ename=output.ename,
            evalue=show(output.evalue),
            traceback=tuple(show(line) for line in output.traceback),
            raised=False,
        )
        for output in list(distinct.values())[:_SHOWN_KEPT]
    ]


_DEATHS = {Ending.OUT_OF_MEMORY: "OutOfMemory", Ending.DISK_FULL: "DiskFull"}


_SYSTEM_EXIT = "SystemExit"
_NO_ERROR = frozenset({"", "0", "None", "False"})
"""Messages of a `SystemExit` that mean success."""
_EXIT_NAME = re.compile(r"(?<![\w.])(exit|quit)\b")


def exit_in_reply(reply: dict[str, Any], cell: Cell) -> str:
    """Return the call by which a cell asks its kernel to end, `exit()`; empty if it does not."""
    payload = reply["content"].get("payload")
    asks = any(
        isinstance(one, dict) and one.get("source") == "ask_exit" and not one.get("keepkernel")
        for one in (payload if isinstance(payload, list) else ())
    )
    if not asks:
        return ""
    name = _EXIT_NAME.search(cell.source)
    return f"{name[1] if name else 'exit'}()"


def system_exit_call(cell: Cell) -> str:
    """Return the call that raises `SystemExit` in a cell."""
    return "raise SystemExit" if re.search(r"\braise\s+SystemExit\b", cell.source) else "sys.exit()"


def process_exit_call(cell: Cell) -> str:
    """Return the call that ended the kernel's process with exit code 0."""
    return "os._exit()" if re.search(r"\b_exit\b", cell.source) else "exit code 0"


def _take_death(death: ExitReason, heard: _Heard) -> None:
    """Take how the kernel ended in a cell: with exit code 0 the cell ended it."""
    if death.code == 0 and death.ending is Ending.KERNEL_DIED:
        heard.lost, heard.exit_call = Ending.EXITED, process_exit_call(heard.cell)
    else:
        heard.lost = death.ending
        message = death.message or f"The kernel died ({_exit(death.code)})."
        heard.add_end(_DEATHS.get(death.ending, "KernelDied"), message)


def _judge_exit(heard: _Heard) -> None:
    """Decide how a cell ended that ended its kernel."""
    failed = any(error.raised for error in heard.errors)
    error = heard.exit_error
    is_clean = not failed and (error is None or error.evalue.strip() in _NO_ERROR)
    if heard.is_last and is_clean:
        heard.status = CellStatus.OK
        return
    heard.status = CellStatus.ERROR
    if error is not None and not failed:
        heard.add(error)
    elif not failed:
        heard.add_end(
            "KernelExit",
            f"The cell ends the kernel with {heard.exit_call}, so the cells below it did not run.",
        )


def stderr_warnings(outputs: list[NotebookNode], show: Show) -> tuple[str, ...]:
    """Return the distinct warnings a cell printed on stderr."""
    streams = (output for output in outputs if output.output_type == "stream")
    return warnings_in(show("".join(out.text for out in streams if out.name == "stderr")))


def _exit(code: int | None) -> str:
    if code is None:
        return "its exit code is not known"
    if code >= 0:
        return f"exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    if name == "SIGKILL":
        return f"exit code {128 - code}, {name}: most often the memory ran out"
    if name == "SIGSEGV":
        return f"exit code {128 - code}, {name}: a compiled library crashed"
    return f"exit code {128 - code}, {name}"


def cell_status(reply: dict[str, Any]) -> CellStatus:
    """Return the status of a cell from the kernel's reply."""
    return CellStatus.ERROR if reply["content"].get("status") == "error" else CellStatus.OK


logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CellOutcome:
    """Outcome of a cell.

    Attributes:
        run: The cell's run.
        errors: The errors it displayed and raised.
        lost: How the kernel ended if it died on its own or is unreachable; None if it is alive or
            was ended on purpose.
        exit_call: What the cell ended the kernel with, `exit()` for example; empty if it did not.
        values: Comparable values of the requested variables, by name.
    """

    run: CellRun
    errors: tuple[CellError, ...]
    lost: Ending | None
    exit_call: str = ""
    values: tuple[tuple[str, str], ...] = ()


@dataclass
class _Heard:
    """State of a running cell.

    Attributes:
        cell: As passed, before it was mapped to the sandbox.
        index: Its position in the notebook.
        on_error: Called with each error as it comes.
        request: Id of the cell's request, once it is replied to; empty until then.
        status: How it ended.
        errors: The errors it displayed and raised.
        lost: As in the outcome.
        exit_call: As in the outcome.
        exit_error: The error of a `SystemExit`; None without one.
    """

    cell: Cell
    index: int
    is_last: bool
    on_error: Callable[[CellError], None]
    request: str = ""
    status: CellStatus = CellStatus.UNFINISHED
    errors: list[CellError] = field(default_factory=list)
    lost: Ending | None = None
    exit_call: str = ""
    exit_error: CellError | None = None

    def add(self, *errors: CellError) -> None:
        """Add errors and report each of them."""
        for error in errors:
            self.errors.append(error)
            self.on_error(error)

    def add_end(self, ename: str, evalue: str) -> None:
        """Add the error of a cell in which the kernel ended."""
        error = CellError(
            cell_id=self.cell.id,
            index=self.index,
            ename=ename,
            evalue=evalue,
            traceback=(),
            raised=True,
        )
        self.add(error)


class CellRunner:
    """Runs the cells of a notebook in one kernel, one after the other."""

    def __init__(
        self,
        kernel: SandboxKernel,
        client: BoundedClient,
        *,
        show: Show,
        stopping: Callable[[], bool],
    ) -> None:
        """Make a runner.

        Args:
            kernel: The kernel that runs the cells.
            client: Client with the executed copy; receives its outputs.
            show: Returns a text without paths of the host.
            stopping: Whether the kernel is being killed on purpose.
        """
        self._kernel = kernel
        self._client = client
        self._show = show
        self._stopping = stopping
        self._types: dict[str, str] | None = {}
        """Types of the globals after the last cell; None if the kernel did not report them."""
        self._answers = True

    async def run(
        self,
        cell: Cell,
        index: int,
        on_error: Callable[[CellError], None],
        watched: tuple[str, ...] = (),
        *,
        is_last: bool = False,
    ) -> CellOutcome:
        """Run a cell to its end.

        A cell tagged `raises-exception` succeeds although it raises. The last cell succeeds if it
        ends the kernel without an error; any other cell that ends the kernel fails.

        Args:
            cell: As passed, before it was mapped to the sandbox.
            index: Its position in the notebook.
            on_error: Called at once with each error, before the kernel is queried about it.
            watched: Names of the variables whose values are requested if it succeeds.
            is_last: Whether no further cell will run.
        """
        begun = time.monotonic()
        running = self._client.nb.cells[index]
        heard = _Heard(cell, index, is_last, on_error)
        self._client.start_outputs(running)
        await self._execute(running, heard)
        behind: BehindCell | None = None
        if heard.status is CellStatus.OK and heard.request and self._may_ask(heard.lost):
            behind = await behind_cell(self._kernel)
            expected = cell.may_raise or heard.exit_error is not None
            contrary = None if expected else self._contrary(behind.ending, heard)
            if contrary is not None:
                heard.status = CellStatus.ERROR
                heard.errors[:] = [one for one in heard.errors if one.ename != contrary.ename]
                heard.add(contrary)
        if heard.exit_call:
            _judge_exit(heard)
        elif heard.status is CellStatus.ERROR and not self._stopping():
            facts = await live_facts(self._kernel, heard.errors[-1])
            heard.errors[-1] = heard.errors[-1].model_copy(update={"facts": facts})
        self._client.finish_outputs(running)
        run = CellRun(
            cell_id=cell.id,
            index=index,
            status=heard.status,
            seconds=time.monotonic() - begun,
            warnings=stderr_warnings(running.outputs, self._show),
        )
        if heard.status is not CellStatus.UNFINISHED and self._may_ask(heard.lost):
            behind = behind or await behind_cell(self._kernel)
            self._answers = behind.types is not None or behind.ending is not None
            run = run.model_copy(update={"types": self._changed_types(behind.types)})
        values: tuple[tuple[str, str], ...] = ()
        if watched and heard.status is CellStatus.OK and self._may_ask(heard.lost):
            values = await values_of(self._kernel, watched)
        return CellOutcome(run, tuple(heard.errors), heard.lost, heard.exit_call, values)

    async def _execute(self, running: NotebookNode, heard: _Heard) -> None:
        """Execute a cell and collect its messages."""
        cell, index = heard.cell, heard.index

        def replied(execute_reply: dict[str, Any], **_: object) -> None:
            self._take_reply(execute_reply, running, heard)

        self._client.on_cell_executed = replied
        try:
            await self._to_its_end(self._client.async_execute_cell(running, index))
            reply = await self._kernel.error_reply(heard.request) if heard.request else None
            if reply is not None and heard.status is CellStatus.OK:
                # The cell had answered in the kernel's name that all was well.
                heard.errors.clear()
                replied(reply)
            if heard.status is CellStatus.UNFINISHED:  # nothing to run: there was no reply
                heard.status = CellStatus.OK
            elif not self._client.heard_all and not self._stopping():
                await self._kernel.reconnect()
                self._client.kc = self._kernel.client
        except DeadKernelError:
            if self._stopping():
                self._take_last_error(running, heard)
            else:
                _take_death(await self._kernel.death(), heard)
        except Exception as error:
            # A notebook can send any message in its kernel's name.
            logger.exception("The kernel sent an unusable message in cell %s", cell.id)
            heard.lost = Ending.KERNEL_DIED
            told = f"The kernel sent an unusable message ({type(error).__name__}) and was ended."
            heard.add_end("KernelDied", told)

    def _take_reply(self, reply: dict[str, Any], running: NotebookNode, heard: _Heard) -> None:
        """Take how a cell ended, as its kernel replies."""
        cell = heard.cell
        heard.request = str(reply["parent_header"].get("msg_id", ""))
        heard.status = cell_status(reply)
        raised = raised_error(reply, cell, heard.index, self._show)
        heard.add(*shown_errors(running.outputs, raised, cell, heard.index, self._show))
        heard.exit_call = exit_in_reply(reply, cell)
        if raised is None:
            return
        if cell.may_raise:
            heard.status = CellStatus.OK
            heard.add(raised.model_copy(update={"raised": False, "expected": True}))
        elif raised.ename == _SYSTEM_EXIT:
            heard.exit_call = heard.exit_call or system_exit_call(cell)
            heard.status, heard.exit_error = CellStatus.OK, raised
        else:
            heard.add(raised)

    def _take_last_error(self, running: NotebookNode, heard: _Heard) -> None:
        """Take the error that a cell had displayed before its timeout.

        IPython shows an error, then draws the cell's figures, and replies only then.
        """
        last = running.outputs[-1] if running.outputs else None
        if heard.status is not CellStatus.UNFINISHED or last is None:
            return
        if last.output_type == "error":
            number = running.get("execution_count")
            reply = {"content": {**last, "status": "error", "execution_count": number}}
            raised = raised_error(reply, heard.cell, heard.index, self._show)
            if raised is not None:
                heard.status = CellStatus.ERROR
                heard.add(raised)

    def _may_ask(self, lost: Ending | None) -> bool:
        """Return whether the kernel can be queried: it is alive and has answered so far."""
        return lost is None and self._answers and not self._stopping()

    def _contrary(self, noted: Noted | None, heard: _Heard) -> CellError | None:
        """Return an error if the kernel's own record contradicts a reply of success.

        Args:
            noted: The kernel's own record.
            heard: The kernel's replies.
        """
        if not self._kernel.notes_endings:
            return None
        if noted is None or noted.request != heard.request:
            noted = _NO_RECORD
        if not noted.ename:
            return None
        lines = bounded_traceback([self._show(line) for line in noted.traceback.splitlines()])
        return CellError(
            cell_id=heard.cell.id,
            index=heard.index,
            ename=noted.ename,
            evalue=self._show(cut(noted.evalue, EVALUE_LIMIT)),
            traceback=lines,
            raised=True,
        )

    def _changed_types(self, told: dict[str, str] | None) -> dict[str, str]:
        """Return the types of the globals that changed since the previous cell."""
        before = self._types
        if before is None:
            return {}
        self._types = told
        if self._types is None:
            return {}
        gone = {name: "" for name in before if name not in self._types}
        return gone | {name: kind for name, kind in self._types.items() if before.get(name) != kind}

    async def _to_its_end(self, cell_run: Any) -> None:
        """Await nbclient's work on a cell without ever cancelling it.

        If cancelled from outside, nbclient would report a dead kernel while the cell is running. So
        the kernel is killed first, and nbclient's report is true.
        """
        task = asyncio.ensure_future(cell_run)
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await self._kernel.kill()
            with suppress(DeadKernelError):
                await task
            raise
