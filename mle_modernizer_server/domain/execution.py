"""Result of a notebook's run."""

from __future__ import annotations

from enum import Enum

from pydantic import Field, computed_field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages


class GpuUse(str, Enum):
    """Whether a run worked on a GPU."""

    NONE = "none"
    """The kernel sees none."""
    UNUSED = "unused"
    """There is one, and the run did not open it."""
    USED = "used"


class HotLine(Value):
    """A line of the notebook that many samples hit."""

    cell_id: str
    index: int
    """Position of the cell in the notebook, from 0 (Markdown cells count)."""
    line: int
    """Line in the cell's source, from 1; 0 if only the cell is known."""
    source: str
    """The line's text."""
    seconds: float = Field(ge=0)
    share: float = Field(ge=0, le=1)
    """Fraction of all sampled time."""
    call: str = ""
    """The call that the line waited for longest: module and name of the function."""


class Profile(Value):
    """Samples of a run: the line of the notebook that the kernel executes, at intervals."""

    lines: tuple[HotLine, ...]
    """The slowest lines first."""
    seconds: float = Field(ge=0)
    """Sampled time; the time of libraries counts for the line that called them."""
    gpu: GpuUse = GpuUse.NONE
    processors: int | None = None
    """Number of processors the run could use; None: unknown, as in old sessions."""


class ExecutionStatus(str, Enum):
    """The paper's execution status (Table 1)."""

    ERROR_FREE = "error-free"
    ERROR = "error"
    TIMEOUT = "timeout"


class Ending(str, Enum):
    """How a run ended."""

    COMPLETED = "completed"
    TIMED_OUT = "timed-out"
    KERNEL_DIED = "kernel-died"
    OUT_OF_MEMORY = "out-of-memory"
    """The sandbox killed the kernel because its memory was exhausted."""
    DISK_FULL = "disk-full"
    """The sandbox killed the kernel because it reached its disk limit."""
    EXITED = "exited"
    """A cell ended the kernel itself, as `exit()` does, and was not the last one, or ended it with
    an error."""
    CANCELLED = "cancelled"
    STOPPED = "stopped"
    """Stopped at the first failing cell, so that the run can resume there after a fix; such a run
    only shows that the notebook fails."""


class CellStatus(str, Enum):
    """How one code cell ended."""

    OK = "ok"
    ERROR = "error"
    """The cell raised an exception, according to its `execute_reply`."""
    UNFINISHED = "unfinished"
    """The run ended (time limit, kernel death, cancel) while the cell was running."""
    NOT_RUN = "not-run"
    SKIPPED = "skipped"
    """It is tagged `skip-execution`, so it was not run."""


class LiveFact(Value):
    """A fact about a failure from the living kernel, e.g. `type of the object`."""

    name: str
    value: str


_LONGEST = 160
"""Characters of the summary of an error."""


class CellError(Value):
    """An error that a cell raised or merely displayed."""

    cell_id: str
    index: int
    """Position of the cell in the notebook, from 0 (Markdown cells count)."""
    ename: str
    evalue: str
    traceback: tuple[str, ...]
    """Lines as the kernel sent them, ANSI colours included, cut to a bounded size."""
    raised: bool
    """False: the cell displayed an `error` output but succeeded, or the error was expected."""
    expected: bool = False
    """The cell raised it and is tagged `raises-exception`."""
    line: int | None = None
    """Line in the cell's source (from 1) at which the error occurred, if known."""
    facts: tuple[LiveFact, ...] = ()
    imported_beside: str = ""
    """For a module that was not found: the module of the notebook's folder that imports it, if the
    folder has a module of that name. Python 2 found it there; no package of that name is meant."""

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def summary(self) -> str:
        """Beginning of the message in one line, without the words of signs that frame it."""
        words = self.evalue.split()
        told = " ".join(word for word in words if len(word) < 5 or any(map(str.isalnum, word)))
        return told if len(told) <= _LONGEST else f"{told[:_LONGEST].rstrip()} […]"


class CellRun(Value):
    """Run of one code cell."""

    cell_id: str
    index: int
    status: CellStatus
    seconds: float
    """Wall-clock time of the cell."""
    warnings: tuple[str, ...] = ()
    """Warnings it printed on stderr (`SomethingWarning: …` lines), without repetitions."""
    types: dict[str, str] = Field(default_factory=dict)
    """Full type names of the globals whose type the cell changed, `""` for a deleted one: `{"df":
    "pandas.core.frame.DataFrame"}`. Together with those of the cells before, the kernel's own
    report of the types of all of the notebook's globals after the cell."""


class PipInstall(Value):
    """A `!pip install` line of the notebook that was executed before the run."""

    cell_id: str
    command: str
    ok: bool
    message: str
    """The installed packages, or pip's last output if it failed."""


class Environment(Value):
    """Environment of the kernel, as reported by the kernel and never read from the notebook."""

    python: str
    packages: dict[str, str]
    """Version by import name (`sklearn`, not `scikit-learn`) of the notebook's imports."""


class CsvFile(Value):
    """A CSV (possibly compressed) that the run wrote below its working directory."""

    path: str
    """Relative to the working directory, `/` as separator."""
    size: int
    """Bytes."""


class FilesBeside(str, Enum):
    """Which files of the notebook's folder a run can read."""

    NAMED = "named"
    """The existing files, folders and modules that its code names."""
    FOLDER = "folder"
    """All of the folder except hidden files."""
    NONE = "none"


class FileAccess(str, Enum):
    """How a run can access a file of the notebook's folder."""

    COPY = "copy"
    """As a copy, which the notebook may modify."""
    READ_ONLY = "read-only"
    """Mounted: it is too large to copy, or is outside of the notebook's folder."""
    TOO_LARGE = "too-large"
    """Not available: too large to copy, and the sandbox cannot mount it."""
    OUT_OF_REACH = "out-of-reach"
    """Not available: the sandbox exposes no files outside the working directory."""
    UNREADABLE = "unreadable"
    """Not available: this user has no right to read it."""


class ShownFile(Value):
    """An existing path in the notebook's folder that its code names."""

    path: str
    """The path in the code (a file, a folder or a pattern), relative to the notebook's folder."""
    access: FileAccess
    size: int = 0
    """Bytes; 0 for a mounted folder, whose files are not counted."""
    files: int = 1


class ReachedServer(Value):
    """A server that a run with network access requested."""

    name: str
    size: int = 0
    """Bytes transferred in both directions."""
    refused: bool = False
    """Blocked: it is not on the public network, or the port is no web port."""


class Execution(Value):
    """One run of the whole notebook in a fresh kernel."""

    status: ExecutionStatus
    ending: Ending
    sandbox: str
    seconds: float
    """Wall-clock time of the notebook; kernel start and pip lines do not count."""
    carried: float = 0.0
    """Seconds of those before the run stopped and was resumed."""
    time_limit: float
    """Seconds."""
    environment: Environment
    cells: tuple[CellRun, ...]
    errors: tuple[CellError, ...]
    pip_installs: tuple[PipInstall, ...] = ()
    csv_files: tuple[CsvFile, ...] = ()
    message: Messages = ()
    """Message about the ending, unless it is `completed`."""
    image: str = ""
    """The container image and its id, e.g. `python:3.11 (sha256:0123456789ab)`; empty without."""
    remarks: Messages = ()
    """Deviations from the requested settings: less memory, for example."""
    profile: Profile | None = None
    """Time by activity; None if the kernel did not report it."""
    files_beside: tuple[ShownFile, ...] = ()
    """Files of the notebook's folder that the run could read, or that could not be provided."""
    network: tuple[ReachedServer, ...] | None = None
    """The servers it reached, if a person allowed network access; None: it had none."""

    @property
    def raised(self) -> tuple[CellError, ...]:
        """Return the errors that ended their cells, without those that were only displayed."""
        return tuple(error for error in self.errors if error.raised)

    @property
    def not_run(self) -> frozenset[str]:
        """Return the ids of the cells that did not run: not reached, or skipped."""
        states = (CellStatus.NOT_RUN, CellStatus.SKIPPED)
        return frozenset(cell.cell_id for cell in self.cells if cell.status in states)


class ExecutionEventKind(str, Enum):
    """Kind of progress event of a run."""

    PREPARING = "preparing"
    INSTALLING = "installing"
    STARTED = "started"
    CELL_STARTED = "cell-started"
    CELL_ERROR = "cell-error"
    CELL_FINISHED = "cell-finished"
    FINISHED = "finished"


class ExecutionEvent(Value):
    """A step of a run, sent as soon as it happens."""

    kind: ExecutionEventKind
    seconds: float = 0.0
    """Seconds since the first cell started; 0 before."""
    cell_id: str | None = None
    index: int | None = None
    """Position of the cell in the notebook."""
    ordinal: int | None = None
    """Which code cell this is, from 1."""
    total: int | None = None
    """Number of code cells."""
    run: CellRun | None = None
    error: CellError | None = None
    message: Messages = ()
