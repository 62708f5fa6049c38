"""What happened when a notebook ran."""

from __future__ import annotations

from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.profile import Profile


class ExecutionStatus(str, Enum):
    """The paper's execution status (Table 1)."""

    ERROR_FREE = "error-free"
    ERROR = "error"
    TIMEOUT = "timeout"


class Ending(str, Enum):
    """How a run came to its end."""

    COMPLETED = "completed"
    TIMED_OUT = "timed-out"
    KERNEL_DIED = "kernel-died"
    OUT_OF_MEMORY = "out-of-memory"
    """The sandbox killed the kernel because its memory was used up."""
    DISK_FULL = "disk-full"
    """The sandbox killed the kernel because it had written as much as it may."""
    EXITED = "exited"
    """A cell ended the kernel itself, as `exit()` does, and was not the last one, or ended it with
    an error."""
    CANCELLED = "cancelled"
    STOPPED = "stopped"
    """At the first cell that failed, so that the run can go on from there after a fix; such a run
    decides nothing but that the notebook fails."""


class CellStatus(str, Enum):
    """How one code cell ended."""

    OK = "ok"
    ERROR = "error"
    """The cell raised: its `execute_reply` says so."""
    UNFINISHED = "unfinished"
    """The run ended (time limit, kernel death, cancel) while the cell was at work."""
    NOT_RUN = "not-run"
    SKIPPED = "skipped"
    """It is tagged `skip-execution`, so it was not to run."""


class LiveFact(Value):
    """One fact the living kernel told about a failure, e.g. `type of the object`."""

    name: str
    value: str


class CellError(Value):
    """An error a cell raised or merely showed."""

    cell_id: str
    index: int
    """Position of the cell in the notebook, from 0 (Markdown cells count)."""
    ename: str
    evalue: str
    traceback: tuple[str, ...]
    """Lines as the kernel sent them, ANSI colours included, cut to a bounded size."""
    raised: bool
    """False: an `error` output was shown while the cell itself ended well, or it was expected."""
    expected: bool = False
    """The cell raised it and is tagged `raises-exception`."""
    line: int | None = None
    """Line in the cell's source (from 1) where the error came up, where it can be told."""
    facts: tuple[LiveFact, ...] = ()
    imported_beside: str = ""
    """Of a module that was not found: the module of the notebook's folder that imports it, where
    one of that name lies beside it. Python 2 found it there; no package of that name is meant."""


class CellRun(Value):
    """One code cell's run."""

    cell_id: str
    index: int
    status: CellStatus
    seconds: float
    """Wall-clock time of the cell."""
    warnings: tuple[str, ...] = ()
    """Warnings it printed on stderr (`SomethingWarning: …` lines), each once."""
    types: dict[str, str] = Field(default_factory=dict)
    """Full names of the types of the globals that were others before it, `""` for one that is
    gone: `{"df": "pandas.core.frame.DataFrame"}`. With those of the cells before it, the types of
    all of the notebook's globals behind the cell, as the kernel itself tells them."""


class PipInstall(Value):
    """A `!pip install` line found in the notebook and carried out before the run."""

    cell_id: str
    command: str
    ok: bool
    message: str
    """What was installed, or pip's last words when it failed."""


class Environment(Value):
    """What the kernel runs on: asked from the kernel, never taken from the notebook."""

    python: str
    packages: dict[str, str]
    """Version by import name (`sklearn`, not `scikit-learn`) of what the notebook imports."""


class CsvFile(Value):
    """A CSV (possibly compressed) the run left below its working directory."""

    path: str
    """Relative to the working directory, `/` as separator."""
    size: int
    """Bytes."""


class FilesBeside(str, Enum):
    """What of the notebook's folder a run is shown."""

    NAMED = "named"
    """The files, folders and modules that its code names and that exist."""
    FOLDER = "folder"
    """All of the folder, hidden files aside."""
    NONE = "none"


class FileAccess(str, Enum):
    """How a file beside the notebook is there for its run."""

    COPY = "copy"
    """As a copy, which the notebook may write to."""
    READ_ONLY = "read-only"
    """Mounted: it is too large to be copied, or lies outside the notebook's folder."""
    TOO_LARGE = "too-large"
    """Not there: too large to be copied, and the sandbox cannot mount it."""
    OUT_OF_REACH = "out-of-reach"
    """Not there: the sandbox shows no files outside the working directory."""
    UNREADABLE = "unreadable"
    """Not there: this user has no right to read it."""


class ShownFile(Value):
    """A path beside the notebook that its code names and that exists."""

    path: str
    """As the code names it (a file, a folder or a pattern), relative to the notebook's folder."""
    access: FileAccess
    size: int = 0
    """Bytes; 0 for a mounted folder, whose files are not counted."""
    files: int = 1


class ReachedServer(Value):
    """A server that a run with a network asked for."""

    name: str
    size: int = 0
    """Bytes that passed, in both directions."""
    refused: bool = False
    """It was not let through: it is not of the public network, or at no web port."""


class Execution(Value):
    """One run of the whole notebook in a fresh kernel."""

    status: ExecutionStatus
    ending: Ending
    sandbox: str
    seconds: float
    """Wall-clock time of the notebook; kernel start and pip lines do not count."""
    carried: float = 0.0
    """Seconds of those that were spent before the run stopped and went on."""
    time_limit: float
    """Seconds."""
    environment: Environment
    cells: tuple[CellRun, ...]
    errors: tuple[CellError, ...]
    pip_installs: tuple[PipInstall, ...] = ()
    csv_files: tuple[CsvFile, ...] = ()
    message: Messages = ()
    """On the ending, where it was not `completed`."""
    image: str = ""
    """The container image and its id, e.g. `python:3.11 (sha256:0123456789ab)`; empty without."""
    remarks: Messages = ()
    """What was otherwise than asked for: less memory, for example."""
    profile: Profile | None = None
    """Where the time went; None where the kernel did not tell."""
    files_beside: tuple[ShownFile, ...] = ()
    """What of the notebook's folder its run was shown, or could not be."""
    network: tuple[ReachedServer, ...] | None = None
    """The servers it reached, where a person allowed it the network; None: it had none."""

    @property
    def not_run(self) -> frozenset[str]:
        """Return the ids of the cells that did not run: not reached, or skipped."""
        states = (CellStatus.NOT_RUN, CellStatus.SKIPPED)
        return frozenset(cell.cell_id for cell in self.cells if cell.status in states)


class ExecutionEventKind(str, Enum):
    """What a run reports while it goes on."""

    PREPARING = "preparing"
    INSTALLING = "installing"
    STARTED = "started"
    CELL_STARTED = "cell-started"
    CELL_ERROR = "cell-error"
    CELL_FINISHED = "cell-finished"
    FINISHED = "finished"


class ExecutionEvent(Value):
    """A step of a run, sent the moment it happens."""

    kind: ExecutionEventKind
    seconds: float = 0.0
    """Since the first cell started; 0 before."""
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
