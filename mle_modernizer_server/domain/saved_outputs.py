"""How far a run's outputs agree with those the notebook's file had kept."""

from __future__ import annotations

from enum import Enum

from pydantic import JsonValue, computed_field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages, coded


class OutputMatch(str, Enum):
    """How a cell's outputs compare with the saved ones, from best to worst."""

    SAME = "same"
    CLOSE = "close"
    """The same text, with numbers that are within the threshold but not equal."""
    DIFFERENT = "different"
    MISSING = "missing"
    """Nothing came out where something had been saved."""
    FAILED = "failed"
    """The cell failed, or did not run."""
    NOT_COMPARED = "not-compared"
    """Nothing was saved, or nothing that could be compared: a picture, an object's address."""


class DifferenceKind(str, Enum):
    """What differs first in a cell's outputs."""

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
    """What had been saved there, cut to a bounded length."""
    fresh: str
    line: int | None = None
    """For texts: which line of the saved text, from 1; for tables: which row, from 1."""
    column: str | None = None
    """For tables: the name of the column."""


class CellAgreement(Value):
    """One code cell's outputs compared with its saved ones."""

    cell_id: str
    ordinal: int
    """Which code cell this is, from 1."""
    match: OutputMatch
    difference: OutputDifference | None = None
    picture_likeness: float | None = None
    """A hint, never a verdict: 1 for pictures that look alike, about 0.5 for unrelated ones."""


class OutputAgreement(Value):
    """A whole run compared with the outputs saved in the notebook's file."""

    cells: tuple[CellAgreement, ...]
    """In notebook order; cells without saved outputs are left out."""

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def compared(self) -> int:
        """How many cells could be compared."""
        return sum(cell.match is not OutputMatch.NOT_COMPARED for cell in self.cells)

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def agreeing(self) -> int:
        """How many of them gave the same."""
        return len(self.cells_that(OutputMatch.SAME))

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def close(self) -> int:
        """How many more of them gave the same text, with numbers within the threshold."""
        return len(self.cells_that(OutputMatch.CLOSE))

    def cells_that(self, *matches: OutputMatch) -> frozenset[str]:
        """Ids of the cells that compare in one of these ways."""
        return frozenset(cell.cell_id for cell in self.cells if cell.match in matches)

    def is_same(self, cell_id: str) -> bool:
        """Whether a cell gave what was saved of it, be it an error."""
        return any(
            cell.cell_id == cell_id and cell.match is OutputMatch.SAME for cell in self.cells
        )

    def first_difference(self) -> CellAgreement | None:
        """Return the first cell with another output; if none has, the first that is only close."""
        alike = (OutputMatch.SAME, OutputMatch.NOT_COMPARED)
        others = [cell for cell in self.cells if cell.match not in alike]
        far = (cell for cell in others if cell.match is not OutputMatch.CLOSE)
        return next(far, others[0] if others else None)


def saved_outputs_summary(agreement: OutputAgreement) -> Messages:
    """Return the sentences on how far a run's outputs agree with those saved in the file."""
    agreeing, compared = agreement.agreeing, agreement.compared
    summary = coded("summary.saved-outputs", agreeing=agreeing, count=compared)
    if agreement.close:
        summary += coded("summary.close-outputs", count=agreement.close)
    return summary


def outputs_count(agreeing: int, compared: int, close: int) -> Messages:
    """Return how many cells give what was saved of them: `12 of 14, 2 close`.

    Args:
        agreeing: Cells with the same output.
        compared: Cells that could be compared.
        close: Cells whose numbers are within the threshold.
    """
    if close:
        return coded("outputs.count-close", agreeing=agreeing, compared=compared, close=close)
    return coded("outputs.count", agreeing=agreeing, compared=compared)


class PrintedScore(Value):
    """A score that a saved output shows, offered as a target."""

    cell_id: str
    ordinal: int
    name: str
    """As the output calls it: `Validation AUC`."""
    value: float
    pattern: str
    """The text around the number, with `{}` in its place, as `ScoreReading.pattern` wants it."""


class SavedCell(Value):
    """The outputs that the notebook's file kept of one code cell."""

    cell_id: str
    outputs: tuple[dict[str, JsonValue], ...]
    """As nbformat 4 has them, cut to what is compared: texts, tables and pictures."""


class SavedOutputs(Value):
    """The outputs a notebook's file kept, in notebook order; every code cell is there."""

    cells: tuple[SavedCell, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[str, tuple[dict[str, JsonValue], ...]], ...]:
        """Id and outputs of each code cell."""
        return tuple((cell.cell_id, cell.outputs) for cell in self.cells)
