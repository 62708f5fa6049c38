"""What is known of a run while it goes on, and what is told of it at its end."""

from __future__ import annotations

from dataclasses import dataclass, field

from nbformat import NotebookNode

from mle_modernizer_server.domain.execution import (
    CellError,
    CellRun,
    CellStatus,
    CsvFile,
    Ending,
    Environment,
    Execution,
    ExecutionStatus,
    PipInstall,
)
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.profile import Profile
from mle_modernizer_server.execution.sandboxes.base import Place

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


@dataclass(frozen=True)
class Stop:
    """Where a run stopped with its kernel alive.

    Attributes:
        notebook: What ran.
        cell: The cell that failed, which is half run.
        ordinal: Which code cell it is, from 1.
        error: Its error.
    """

    notebook: Notebook
    cell: Cell
    ordinal: int
    error: CellError


@dataclass
class Account:
    """What has happened in a run so far.

    Attributes:
        environment: What the kernel runs on.
        installs: The `pip install` lines that were carried out.
        runs: Its cells that ran, by id.
        errors: What they showed and raised.
        used: Seconds of the time limit that are over.
        carried: Those of them before it stopped and went on.
        message: A sentence on its end, where there is something to say.
        given: Ids of the cells the kernel was given, in order; empty for one that is another now.
        profile: Where the time went.
    """

    environment: Environment = _UNKNOWN_ENVIRONMENT
    installs: tuple[PipInstall, ...] = ()
    runs: dict[str, CellRun] = field(default_factory=dict)
    errors: list[CellError] = field(default_factory=list)
    used: float = 0.0
    carried: float = 0.0
    message: str = ""
    given: list[str] = field(default_factory=list)
    profile: Profile | None = None

    def keep(self, earlier: Account, old_id: str, new_id: str, index: int) -> None:
        """Take over a cell that ran, whose id and place may be others by now."""
        place = {"cell_id": new_id, "index": index}
        self.runs[new_id] = earlier.runs[old_id].model_copy(update=place)
        self.errors += [
            error.model_copy(update=place) for error in earlier.errors if error.cell_id == old_id
        ]


def execution_of(
    notebook: Notebook,
    account: Account,
    *,
    ending: Ending,
    sandbox: str,
    time_limit: float,
    place: Place,
    csv_files: tuple[CsvFile, ...],
) -> Execution:
    """A run that has come to its end, as the other rooms see it."""
    messages = {
        Ending.TIMED_OUT: f"Stopped at the time limit of {time_limit:g} seconds.",
        Ending.CANCELLED: "Cancelled.",
    }
    return Execution(
        status=_status(account, ending),
        ending=ending,
        sandbox=sandbox,
        seconds=account.used,
        carried=account.carried,
        time_limit=time_limit,
        environment=account.environment,
        cells=tuple(
            account.runs.get(cell.id)
            or CellRun(cell_id=cell.id, index=index, status=CellStatus.NOT_RUN, seconds=0.0)
            for index, cell in enumerate(notebook.cells)
            if cell.type is CellType.CODE
        ),
        errors=tuple(account.errors),
        pip_installs=account.installs,
        csv_files=csv_files,
        message=messages.get(ending, account.message),
        image=place.image,
        remarks=place.remarks,
        profile=account.profile,
    )


def _status(account: Account, ending: Ending) -> ExecutionStatus:
    if ending is Ending.TIMED_OUT:
        return ExecutionStatus.TIMEOUT
    raised = any(error.raised for error in account.errors)
    return ExecutionStatus.ERROR if raised else ExecutionStatus.ERROR_FREE
