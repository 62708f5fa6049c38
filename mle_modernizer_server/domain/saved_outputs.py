"""Agreement of a run's outputs with those saved in the notebook's file."""

from __future__ import annotations

from enum import Enum

from pydantic import JsonValue, computed_field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages, coded


class OutputMatch(str, Enum):
    """Result of comparing a cell's outputs with the saved ones, from best to worst."""

    SAME = "same"
    CLOSE = "close"
    """The same text, with numbers that are within the threshold but not equal."""
    DIFFERENT = "different"
    MISSING = "missing"
    """There is no output, but a saved one."""
    FAILED = "failed"
    """The cell failed, or did not run."""
    NOT_COMPARED = "not-compared"
    """There is no saved output, or none that can be compared: a picture, an object's address."""


class DifferenceKind(str, Enum):
    """Kind of the first difference in a cell's outputs."""

    NUMBER = "number"
    TEXT = "text"
    LENGTH = "length"
    """One side ends earlier."""
    TABLE_SHAPE = "table-shape"
    TABLE_COLUMNS = "table-columns"
    TABLE_VALUE = "table-value"
    ERROR = "error"


class OutputDifference(Value):
    """The first difference of a cell."""

    kind: DifferenceKind
    saved: str
    """The saved output at that place, cut to a bounded length."""
    fresh: str
    line: int | None = None
    """For texts: line of the saved text, from 1; for tables: row, from 1."""
    column: str | None = None
    """For tables: the name of the column."""


class CellAgreement(Value):
    """One code cell's outputs compared with its saved ones."""

    cell_id: str
    ordinal: int
    """Number of the code cell, from 1."""
    match: OutputMatch
    difference: OutputDifference | None = None
    picture_likeness: float | None = None
    """A hint, never a verdict: 1 for pictures that look alike, about 0.5 for unrelated ones."""
    remark: Messages = ()
    """Why the saved output may be of other code; empty if nothing indicates it."""


class OutputAgreement(Value):
    """A whole run compared with the outputs saved in the notebook's file."""

    cells: tuple[CellAgreement, ...]
    """In notebook order; cells without saved outputs are omitted."""

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def compared(self) -> int:
        """Number of cells that could be compared."""
        return sum(cell.match is not OutputMatch.NOT_COMPARED for cell in self.cells)

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def agreeing(self) -> int:
        """Number of cells with the same outputs."""
        return len(self.cells_that(OutputMatch.SAME))

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def close(self) -> int:
        """Number of further cells with the same text and numbers within the
        threshold."""
        return len(self.cells_that(OutputMatch.CLOSE))

    def cells_that(self, *matches: OutputMatch) -> frozenset[str]:
        """Return the ids of the cells with one of these results."""
        return frozenset(cell.cell_id for cell in self.cells if cell.match in matches)

    def is_same(self, cell_id: str) -> bool:
        """Return whether a cell's output (or error) equals the saved one."""
        return any(
            cell.cell_id == cell_id and cell.match is OutputMatch.SAME for cell in self.cells
        )

    def first_difference(self) -> CellAgreement | None:
        """Return the first cell with another output, or else the first that is only close."""
        alike = (OutputMatch.SAME, OutputMatch.NOT_COMPARED)
        others = [cell for cell in self.cells if cell.match not in alike]
        far = (cell for cell in others if cell.match is not OutputMatch.CLOSE)
        return next(far, others[0] if others else None)


def saved_outputs_summary(agreement: OutputAgreement) -> Messages:
    """Return sentences about the agreement of a run's outputs with the file's saved ones."""
    agreeing, compared = agreement.agreeing, agreement.compared
    summary = coded("summary.all-saved-outputs", count=compared)
    if agreeing < compared:
        summary = coded("summary.saved-outputs", agreeing=agreeing, count=compared)
    if agreement.close:
        summary += coded("summary.close-outputs", count=agreement.close)
    return summary


def outputs_count(agreeing: int, compared: int, close: int) -> Messages:
    """Return the number of cells that reproduce their saved outputs: `12 of 14, 2 close`.

    Args:
        agreeing: Cells with the same output.
        compared: Cells that could be compared.
        close: Cells whose numbers are within the threshold.
    """
    if close:
        return coded("outputs.count-close", agreeing=agreeing, compared=compared, close=close)
    return coded("outputs.count", agreeing=agreeing, compared=compared)


class PrintedScore(Value):
    """A score found in a saved output, offered as a target."""

    cell_id: str
    ordinal: int
    name: str
    """Its name in the output: `Validation AUC`."""
    value: float
    pattern: str
    """The text around the number, with `{}` in its place, in the form of `ScoreReading.pattern`."""


class SavedCell(Value):
    """The saved outputs of one code cell in the notebook's file."""

    cell_id: str
    outputs: tuple[dict[str, JsonValue], ...]
    """As in nbformat 4, reduced to the comparable parts: texts, tables and pictures."""
    prompt: int | None = None
    """The number beside the cell, as in `[73]`; None if the file has none."""


class SavedOutputs(Value):
    """The saved outputs of a notebook's file, in notebook order, for every code cell."""

    cells: tuple[SavedCell, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[str, tuple[dict[str, JsonValue], ...]], ...]:
        """Return id and outputs of each code cell."""
        return tuple((cell.cell_id, cell.outputs) for cell in self.cells)

    @property
    def prompts(self) -> dict[str, int]:
        """Return the prompt of each code cell that has one, by id."""
        return {cell.cell_id: cell.prompt for cell in self.cells if cell.prompt is not None}
