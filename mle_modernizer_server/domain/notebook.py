"""A notebook: its cells, and how far a run's outputs agree with those saved in its file."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable
from datetime import datetime
from difflib import SequenceMatcher
from enum import Enum

from pydantic import Field, JsonValue, computed_field, field_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages, coded

CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""Pattern of a cell id in nbformat 4.5."""
_SNIPPET = 24
"""Characters of a cell's code in its name."""


class CellType(str, Enum):
    """The three kinds of cells that nbformat 4 knows."""

    CODE = "code"
    MARKDOWN = "markdown"
    RAW = "raw"


class CellTag(str, Enum):
    """The tags of a code cell that control how it runs, as in nbclient."""

    RAISES_EXCEPTION = "raises-exception"
    """An error of the cell is expected: it is no failure."""
    SKIP_EXECUTION = "skip-execution"
    """The cell is not run."""


class Cell(Value):
    """One cell of a notebook."""

    id: str
    """Unique in the notebook; edits refer to cells by it."""
    type: CellType
    source: str
    tags: tuple[CellTag, ...] = ()

    @property
    def may_raise(self) -> bool:
        """Return whether an error of the cell is expected."""
        return CellTag.RAISES_EXCEPTION in self.tags

    @property
    def runs(self) -> bool:
        """Return whether it is a code cell that is run."""
        return self.type is CellType.CODE and CellTag.SKIP_EXECUTION not in self.tags

    @property
    def snippet(self) -> str:
        """Return the beginning of its first line with text between backticks; empty if it has
        none.
        """
        lines = (line.strip() for line in self.source.split("\n"))
        first = next(filter(None, lines), "").replace("`", "'")
        short = first if len(first) <= _SNIPPET else f"{first[: _SNIPPET - 1]}…"
        return short and f"`{short}`"


class Notebook(Value):
    """The sources of a notebook, in order."""

    cells: tuple[Cell, ...]
    language: str = "python"
    """Language of the notebook's kernel, lower case; Python's other names are `python` too."""

    @field_validator("language")
    @classmethod
    def _one_name(cls, value: str) -> str:
        name = value.strip().lower()
        return "python" if name in ("ipython", "python2", "python3") else name

    def cell(self, cell_id: str) -> Cell | None:
        """Return the cell of that id, or None."""
        return next((cell for cell in self.cells if cell.id == cell_id), None)

    def code_number(self, cell_id: str) -> int:
        """Return the number of a code cell, from 1.

        Raises:
            ValueError: No code cell has that id.
        """
        return [cell.id for cell in self.code_cells()].index(cell_id) + 1

    def index(self, cell_id: str) -> int:
        """Return the position of the cell in the notebook, from 0.

        Raises:
            KeyError: There is no such cell.
        """
        for position, cell in enumerate(self.cells):
            if cell.id == cell_id:
                return position
        raise KeyError(cell_id)

    def code_cells(self) -> tuple[Cell, ...]:
        """Return the code cells, in order."""
        return tuple(cell for cell in self.cells if cell.type is CellType.CODE)

    def code_numbers(self) -> dict[str, int]:
        """Return the number of each code cell, from 1, by its id."""
        return {cell.id: number for number, cell in enumerate(self.code_cells(), start=1)}

    def run_cells(self) -> tuple[Cell, ...]:
        """Return the code cells that are run, in order: those not tagged `skip-execution`."""
        return tuple(cell for cell in self.cells if cell.runs)


def with_ids_of(original: Notebook, changed: Notebook) -> Notebook:
    """Return a changed notebook whose code cells have the ids of the corresponding original ones.

    Files of old formats have no ids. Cells of the same id correspond; the others are matched by
    their source, and between two matched ones by position.
    """
    known = {cell.id for cell in original.code_cells()}
    there = {cell.id for cell in changed.code_cells()}
    old = [cell for cell in original.code_cells() if cell.id not in there]
    new = [cell for cell in changed.code_cells() if cell.id not in known]
    matcher = SequenceMatcher(
        None, [cell.source for cell in old], [cell.source for cell in new], autojunk=False
    )
    ids: dict[str, str] = {}
    for _, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if old_end - old_start == new_end - new_start:
            pairs = zip(old[old_start:old_end], new[new_start:new_end], strict=True)
            ids |= {mine.id: its.id for its, mine in pairs}
    cells = (cell.model_copy(update={"id": ids.get(cell.id, cell.id)}) for cell in changed.cells)
    return changed.model_copy(update={"cells": tuple(cells)})


def source_hash(source: str) -> str:
    """Return the SHA-256 of a cell's source (UTF-8) in hex; identifies the state an edit is for."""
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()


def notebook_hash(notebook: Notebook) -> str:
    """Return the SHA-256 over ids, types, sources and tags of all cells, in hex.

    A cell without tags has the same hash as before tags were read: hashes in logs stay valid.
    """
    untagged = {at: {"tags"} for at, cell in enumerate(notebook.cells) if not cell.tags}
    text = notebook.model_dump_json(exclude={"cells": untagged})
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class CellOutputs(Value):
    """Outputs of a run for one code cell, as nbformat 4 defines them."""

    cell_id: str
    execution_count: int | None = None
    outputs: tuple[dict[str, JsonValue], ...] = ()


class RunOutputs(Value):
    """Outputs of a whole run for its notebook."""

    cells: tuple[CellOutputs, ...]
    """Outputs of every code cell, in notebook order."""
    cut: bool = False
    """The outputs were too large to store, so the cells have none."""


class Provenance(Value):
    """Origin of a finished notebook's outputs; part of its metadata."""

    tool: str
    """Name and version of this program."""
    finished_at: datetime
    session: str
    run: int
    """Number of the run that produced the outputs."""
    outcome: str
    """Result of the session (a `Verdict`), or diagnosis of the run (an `Outcome`)."""
    competition: str | None = None
    metric: str | None = None
    score: float | None = None
    target_score: float | None = None
    deviation: float | None = None
    deviation_is_absolute: bool = False
    python: str = ""
    packages: dict[str, str] = Field(default_factory=dict)
    """Version by import name of the notebook's imports."""
    sandbox: str = ""
    image: str = ""
    seconds: float = 0.0
    fixes: int = 0
    models: tuple[str, ...] = ()
    """The language models that wrote applied edits."""
    sources_crc32: str
    """`sources_crc32` of the cells, to detect later changes of the notebook."""


class FinishedRun(Value):
    """All data that finishing writes into a notebook."""

    run: int
    notebook_hash: str
    cells: tuple[CellOutputs, ...]
    cut: bool = False
    provenance: Provenance


class ReplacedByFinish(Value):
    """The parts of a notebook that finishing replaced, to undo it."""

    finished_at: datetime
    """Time of the finish that replaced them, as in its `Provenance`."""
    cells: tuple[CellOutputs, ...] = Field(max_length=20_000)
    """Outputs of every code cell, in notebook order."""
    metadata: dict[str, JsonValue] = Field(default_factory=dict, max_length=100)
    """The parts of the notebook's metadata that finishing changes; a missing part was absent."""


def sources_crc32(cells: Iterable[Cell]) -> str:
    """Return the CRC-32 of cells' types and texts, eight hex digits: it detects changes, but is no
    proof."""
    checksum = 0
    for cell in cells:
        text = f"{cell.type.value}\0{cell.source}\0"
        checksum = zlib.crc32(text.encode("utf-8", "surrogatepass"), checksum)
    return f"{checksum:08x}"


class OutputMatch(str, Enum):
    """Result of comparing a cell's outputs with the saved ones, from best to worst."""

    SAME = "same"
    CLOSE = "close"
    """The same text, with numbers within the threshold, or one unit of their last digit, but not
    equal.
    """
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
    reached: float = Field(default=0.0, ge=0, le=1)
    """Share of a different output above its first difference."""
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

    def in_cells_of(self, notebook: Notebook) -> SavedOutputs:
        """Return the outputs with the ids of a notebook's code cells.

        JupyterLab gives the cells of a file without ids new ones each time it opens the file: if
        no id is known but the number of code cells is the same, they are matched by their order.
        """
        ids = [cell.id for cell in notebook.code_cells()]
        if len(ids) != len(self.cells) or {cell.cell_id for cell in self.cells} & set(ids):
            return self
        pairs = zip(self.cells, ids, strict=True)
        return SavedOutputs(
            cells=tuple(one.model_copy(update={"cell_id": id}) for one, id in pairs)
        )
