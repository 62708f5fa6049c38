"""Parts of the best run that a finished notebook contains: outputs, and a record of their
origin."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from datetime import datetime

from pydantic import Field, JsonValue

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.notebook import Cell


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
