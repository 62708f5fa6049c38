"""A notebook in the server: its cells' sources and the tags that control how they run.

Outputs, other cell metadata and everything else of the file stay with its owner (the document open
in JupyterLab, or the command line's file) and are never rewritten from here.
"""

from __future__ import annotations

import hashlib
import re
from difflib import SequenceMatcher
from enum import Enum

from pydantic import field_validator

from mle_modernizer_server.domain.base import Value

CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""Pattern of a cell id in nbformat 4.5."""


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
