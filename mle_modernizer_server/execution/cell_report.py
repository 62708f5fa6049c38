"""Turns what a kernel said of one cell into the words of the domain."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

from mle_modernizer_server.domain.cell_source import cell_magic, parsed
from mle_modernizer_server.domain.execution import CellError, CellStatus, Ending
from mle_modernizer_server.domain.notebook import Cell
from mle_modernizer_server.execution.kernel.exit_reason import Death
from mle_modernizer_server.execution.kernel.old_tracebacks import modern
from mle_modernizer_server.execution.outputs import (
    EVALUE_LIMIT,
    bounded_traceback,
    clean,
    cut,
    warnings_in,
    without_colours,
)

_FRAME = re.compile(r"(?:Cell In|Input In ?)\[(\d+)\], (?:line |in )<?(?:cell line: )?(\d+)")
_TIMED_FRAME = re.compile(r"File <timed (?:exec|eval)>:(\d+)")
_SHOWN_KEPT = 10

_ANOTHER = re.compile(
    r"direct cause of the following exception|During handling of the above exception"
)
_ANY_FRAME = re.compile(r"^(?:Cell In|Input In|File )", re.MULTILINE)
_NO_ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")
_COMPILED = frozenset({"SyntaxError", "IndentationError", "TabError"})

Show = Callable[[str], str]
"""Gives a text as the user may see it: without paths of the host."""


def line_of(traceback: tuple[str, ...], execution_count: int | None, source: str) -> int | None:
    """Line of the cell's source where an error came up: its own innermost frame.

    Args:
        traceback: As the kernel sent it.
        execution_count: The cell's, as the kernel counts.
        source: The cell's source.
    """
    text = without_colours("\n".join(traceback))
    total = source.count("\n") + 1
    if cell_magic(source) is not None:
        timed = [int(number) + 1 for number in _TIMED_FRAME.findall(text)]
        if timed:
            return timed[-1] if timed[-1] <= total else None
    own = [int(line) for count, line in _FRAME.findall(text) if int(count) == execution_count]
    return own[-1] if own and 1 <= own[-1] <= total else None


@dataclass(frozen=True)
class Failure:
    """Where a cell failed, as its traceback tells.

    Attributes:
        line: Line (from 1) of the statement at the cell's top level; None where it cannot be told.
        shallow: The statement itself failed, not something it had called.
        compiled: False: nothing of the cell ran, for it is no valid Python.
        missing: The attribute that an object was found not to have; "" for other errors.
    """

    line: int | None
    shallow: bool
    compiled: bool
    missing: str = ""


def failure_of(error: CellError, source: str) -> Failure:
    """Where the cell of a raised error failed."""
    parts = _ANOTHER.split(without_colours("\n".join(error.traceback)))
    if error.ename in _COMPILED and parsed(source) is None:
        return Failure(None, shallow=True, compiled=False)
    frames = _ANY_FRAME.findall(parts[-1])
    shallow = len(parts) == 1 and len(frames) == 1
    named = _NO_ATTRIBUTE.search(error.evalue) if error.ename == "AttributeError" else None
    missing = named[1] if named else ""
    if cell_magic(source) is not None:
        timed = _TIMED_FRAME.search(parts[-1])
        return Failure(
            int(timed[1]) + 1 if timed else None, shallow=False, compiled=True, missing=missing
        )
    top = _FRAME.search(parts[-1])
    return Failure(int(top[2]) if top else None, shallow, compiled=True, missing=missing)


def raised_error(reply: dict[str, Any], cell: Cell, index: int, show: Show) -> CellError | None:
    """The error of a cell that raised, from its `execute_reply`; None where it ended well."""
    content = reply["content"]
    if content.get("status") != "error":
        return None
    sent = [str(line) for line in content.get("traceback", [])]
    lines = [show(line) for line in modern(sent, content.get("execution_count"))]
    traceback = bounded_traceback(lines)
    return CellError(
        cell_id=cell.id,
        index=index,
        ename=clean(str(content.get("ename", "")))[:200],
        evalue=show(cut(clean(str(content.get("evalue", ""))), EVALUE_LIMIT)),
        traceback=traceback,
        raised=True,
        line=line_of(traceback, content.get("execution_count"), cell.source),
    )


def shown_errors(
    outputs: list[NotebookNode], raised: CellError | None, cell: Cell, index: int, show: Show
) -> list[CellError]:
    """The errors a cell only showed: `error` outputs other than that of its own failure."""
    errors = [output for output in outputs if output.output_type == "error"]
    if raised is not None and errors:
        del errors[-1]
    distinct = {(output.ename, output.evalue): output for output in errors}
    return [
        CellError(
            cell_id=cell.id,
            index=index,
            ename=clean(output.ename)[:200],
            evalue=show(output.evalue),
            traceback=tuple(show(line) for line in output.traceback),
            raised=False,
        )
        for output in list(distinct.values())[:_SHOWN_KEPT]
    ]


_DEATHS = {Ending.OUT_OF_MEMORY: "OutOfMemory", Ending.DISK_FULL: "DiskFull"}


def kernel_death(cell: Cell, index: int, death: Death) -> CellError:
    """The error of the cell a kernel died in.

    Args:
        cell: Which cell was at work.
        index: Its position in the notebook.
        death: What is known of it.
    """
    return CellError(
        cell_id=cell.id,
        index=index,
        ename=_DEATHS.get(death.ending, "KernelDied"),
        evalue=death.message or f"The kernel died ({_exit(death.code)}).",
        traceback=(),
        raised=True,
    )


def kernel_broken(cell: Cell, index: int, error: Exception) -> CellError:
    """The error of the cell in which a kernel sent what no client can make sense of."""
    return CellError(
        cell_id=cell.id,
        index=index,
        ename="KernelDied",
        evalue=f"The kernel sent an unusable message ({type(error).__name__}) and was ended.",
        traceback=(),
        raised=True,
    )


def stderr_warnings(outputs: list[NotebookNode], show: Show) -> tuple[str, ...]:
    """The distinct warnings a cell printed on stderr."""
    streams = (output for output in outputs if output.output_type == "stream")
    return warnings_in(show("".join(out.text for out in streams if out.name == "stderr")))


def _exit(code: int | None) -> str:
    if code is None:
        return "its exit code is not known"
    if code == 0:
        return "exit code 0: the notebook ended it, for example with exit() or quit()"
    if code > 0:
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
    """How a cell ended that the kernel replied to."""
    return CellStatus.ERROR if reply["content"].get("status") == "error" else CellStatus.OK
