"""A notebook's run, unchanged, in the libraries of its own time, and what differs from it today."""

from __future__ import annotations

from datetime import date
from enum import Enum

from pydantic import Field, JsonValue, computed_field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.environments import EnvironmentRemark
from mle_modernizer_server.domain.grade import ScoreKind
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.saved_outputs import OutputDifference


class OwnTimeEnd(str, Enum):
    """What came of it."""

    SCORE = "score"
    """A score, which is a target."""
    OUTPUTS = "outputs"
    """No score, but outputs that can be compared with the saved ones."""
    NO_SCORE = "no-score"
    """It ran, and gave nothing that a later run could be compared with."""
    FAILED = "failed"
    """It does not run there either."""


class OwnTimeRun(Value):
    """What a notebook gave in the libraries of its own time."""

    end: OwnTimeEnd
    notebook_hash: str
    environment: str
    """Id of the environment made for it, which keeps the lock."""
    lock: str
    """SHA-256 of the lock."""
    python: str
    packages: dict[str, str] = Field(default_factory=dict)
    """Version by distribution of what the notebook needs."""
    until: date | None = None
    """No package is newer than this day."""
    remarks: tuple[EnvironmentRemark, ...] = ()
    score: float | None = None
    score_kind: ScoreKind = ScoreKind.GRADED
    reason: Messages = ()
    """Why there is no score, or what fails first."""
    failing: tuple[str, ...] = ()
    """Ids of the cells that fail by themselves."""
    ran: tuple[str, ...] = ()
    """Ids of the cells that ran to their end."""
    compared: int = 0
    """How many cells' outputs could be compared with the saved ones."""
    agreeing: int = 0
    """How many of them were the same."""
    close: int = 0
    """How many more were within the threshold."""
    seconds: float = 0.0
    """Of the run."""

    @property
    def libraries(self) -> str:
        """The libraries and their time: `pandas 0.24.2, scikit-learn 0.20.4 (2019-06)`."""
        named = [f"{name} {version}" for name, version in self.packages.items()]
        shown = ", ".join(named[:_MOST_NAMED]) or f"Python {self.python}"
        return shown if self.until is None else f"{shown} ({self.until:%Y-%m})"


_MOST_NAMED = 4


class ContrastKind(str, Enum):
    """How a cell of today's run compares with the same cell in the libraries of its time."""

    FAILS = "fails"
    """It ran then, and fails today or is not reached."""
    VALUES = "values"
    """A variable it binds or changes holds something else."""
    PRINTED = "printed"
    """It only prints something else."""
    SETTINGS = "settings"
    """Only settings of its estimators are others: defaults that a library changed."""


class ValueContrast(Value):
    """One value, then and now."""

    name: str
    """Of what: `df shape`, `df['age'] mean`, `forest.n_estimators`."""
    then: str
    now: str


class CellContrast(Value):
    """A cell that gives something else today."""

    cell_id: str
    ordinal: int
    """Which code cell of today's notebook this is, from 1."""
    kind: ContrastKind
    values: tuple[ValueContrast, ...] = ()
    """What differs, at most a few."""
    unlisted: int = 0
    """How many more values differ."""
    output: OutputDifference | None = None
    """What is printed otherwise first: `saved` is then, `fresh` is now."""
    error: str = ""
    """For one that fails: its error."""


class OwnTimeContrast(Value):
    """A run of today, cell by cell against the run in the libraries of its time."""

    notebook_hash: str
    """What ran today."""
    iteration: int | None = None
    """Number of that run; None where it was none of the session's iterations."""
    cells: tuple[CellContrast, ...] = ()
    """Those that give something else, in notebook order; the first ones where there are many."""
    compared: int = 0
    """How many cells could be compared."""
    agreeing: int = 0
    """How many of them gave the same, settings of estimators aside."""
    unsteady: int = 0
    """How many values differ from run to run today already, and were not compared."""

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def first(self) -> CellContrast | None:
        """The first cell that gives something else; one with only other settings where none does.

        None where all cells give the same.
        """
        given = [cell for cell in self.cells if cell.kind is not ContrastKind.SETTINGS]
        return next(iter(given or self.cells), None)


class KeptRun(Value):
    """What a run left in its cells, kept to be compared with: in old libraries, or today's."""

    notebook_hash: str

    values: dict[str, tuple[tuple[str, str], ...]] = Field(default_factory=dict)
    """Facts by the id of the cell, of the cells that ended well."""
    outputs: dict[str, tuple[dict[str, JsonValue], ...]] = Field(default_factory=dict)
    """Outputs by the id of the cell, as nbformat 4 has them; of the run in old libraries."""
    unsteady: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Facts that differ from run to run today, by the id of the cell."""


class Backport(Value):
    """A notebook kept as it is: a kernel of its own time in Jupyter's menu."""

    environment: str
    """Id of the environment made for it, which keeps the lock."""
    lock: str
    """SHA-256 of the lock."""
    kernel: str
    """Name of the kernel."""
    title: str
    """What the menu shows."""
