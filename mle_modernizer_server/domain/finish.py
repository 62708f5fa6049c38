"""What a finished notebook takes from its best run: outputs, and a record of their origin."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from datetime import datetime

from pydantic import Field, JsonValue

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.notebook import Cell


class CellOutputs(Value):
    """What a run left in one code cell, as nbformat 4 has it."""

    cell_id: str
    execution_count: int | None = None
    outputs: tuple[dict[str, JsonValue], ...] = ()


class RunOutputs(Value):
    """What a whole run left in its notebook."""

    cells: tuple[CellOutputs, ...]
    """Of every code cell, in notebook order."""
    cut: bool = False
    """The outputs were too large to be kept, so the cells have none."""


class Provenance(Value):
    """Where the outputs of a finished notebook come from; stands in its metadata."""

    tool: str
    """Name and version of this program."""
    finished_at: datetime
    session: str
    run: int
    """Number of the run the outputs are of."""
    outcome: str
    """What the session came to (a `Verdict`), or the diagnosis of the run (an `Outcome`)."""
    competition: str | None = None
    metric: str | None = None
    score: float | None = None
    target_score: float | None = None
    deviation: float | None = None
    deviation_is_absolute: bool = False
    python: str = ""
    packages: dict[str, str] = Field(default_factory=dict)
    """Version by import name, of what the notebook imports."""
    sandbox: str = ""
    image: str = ""
    seconds: float = 0.0
    fixes: int = 0
    models: tuple[str, ...] = ()
    """The language models whose edits went in."""
    sources_crc32: str
    """`sources_crc32` of the cells: whether the notebook was changed since."""


class FinishedRun(Value):
    """All that finishing a notebook puts into it."""

    run: int
    notebook_hash: str
    cells: tuple[CellOutputs, ...]
    cut: bool = False
    provenance: Provenance


class ReplacedByFinish(Value):
    """What stood in a notebook where finishing put something else: to take it back."""

    finished_at: datetime
    """Of the finish that replaced it, as in its `Provenance`."""
    cells: tuple[CellOutputs, ...] = Field(max_length=20_000)
    """Of every code cell, in notebook order."""
    metadata: dict[str, JsonValue] = Field(default_factory=dict, max_length=100)
    """The parts of the notebook's metadata that finishing changes; one that is missing was not
    there."""


def sources_crc32(cells: Iterable[Cell]) -> str:
    """CRC-32 over types and texts of cells, eight hex digits: tells a change, proves nothing."""
    checksum = 0
    for cell in cells:
        text = f"{cell.type.value}\0{cell.source}\0"
        checksum = zlib.crc32(text.encode("utf-8", "surrogatepass"), checksum)
    return f"{checksum:08x}"
