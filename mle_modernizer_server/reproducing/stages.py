"""The stages in which a notebook of a paper is written: allowed changes, and the trial of each.

A stage is tried on a copy of the notebook: cut off behind the stage's last cell, with a cell
behind the data that describes them and takes a sample. The notebook itself is not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.paper import Statement
from mle_modernizer_server.domain.reproduction import AlignmentCode, Experiment, WritingStage
from mle_modernizer_server.reproducing.alignment import align, written_results

SAMPLE_ROWS = 200
"""Rows of the data for a stage's trial."""
PROBE = "mle-modernizer-describe"
"""Id of the extra cell in a trial's copy."""
_MOST_DESCRIBED = 4_000
_ALL = ("assumptions", "data", "method", "training", "evaluation")
EDITABLE = {
    WritingStage.DATA: ("assumptions", "data"),
    WritingStage.METHOD: ("assumptions", "method"),
    WritingStage.EXPERIMENT: ("assumptions", "method", "training", "evaluation"),
    WritingStage.ALIGNMENT: _ALL,
    WritingStage.REFINEMENT: _ALL,
}
"""By stage: the cells that it may change."""
TASKS = {
    WritingStage.DATA: "Write cell data: it loads the paper's data from an installed library or "
    "from files beside the notebook, rows (or batches) in X and what is to be predicted in y, with "
    "the paper's preprocessing.",
    WritingStage.METHOD: "Write cell method: the paper's model as classes or functions. "
    "`make_model()` returns it untrained; where the paper compares several, it returns its own. "
    "The next cell tries it on a batch. Do not train yet.",
    WritingStage.EXPERIMENT: "Write cells training and evaluation: the paper's training and its "
    "protocol of evaluation, and `results` with one computed number for each of its keys, in the "
    "unit that its comment names.",
    WritingStage.ALIGNMENT: "Bring the code in line with what the paper states. If a point is met "
    "in a way that a reader of names and constants cannot see, change nothing for it.",
    WritingStage.REFINEMENT: "The whole notebook was run on all data. Mend the cause of what it "
    "met, with the smallest edit, and keep the method.",
}
_LAST = {WritingStage.DATA: "data", WritingStage.METHOD: "shape-checks"}
_DESCRIBE = f"""\
def _describe(name, value):
    kind = type(value)
    parts = [f"{{name}}: {{kind.__module__}}.{{kind.__qualname__}}"]
    if value is not None and hasattr(value, "shape"):
        parts.append(f"shape {{tuple(value.shape)}}")
    types = getattr(value, "dtypes", None)
    if types is not None and hasattr(types, "items"):
        parts.append(", ".join(f"{{key}} {{one}}" for key, one in list(types.items())[:60]))
    elif hasattr(value, "dtype"):
        parts.append(f"type {{value.dtype}}")
    if name == "y" and value is not None:
        different = len(set(np.asarray(value).ravel().tolist()))
        parts.append(f"{{different}} different values")
    print("; ".join(parts))


_describe("X", X)
_describe("y", y)
if X is not None and y is not None and len(X) == len(y) and len(X) > {SAMPLE_ROWS}:
    _rows = np.random.default_rng(0).permutation(len(X))[:{SAMPLE_ROWS}]
    X = X.iloc[_rows] if hasattr(X, "iloc") else X[_rows]
    y = y.iloc[_rows] if hasattr(y, "iloc") else y[_rows]
    print("tried on", len(X), "rows")"""


def trial(notebook: Notebook, stage: WritingStage) -> Notebook:
    """Return the copy of a notebook for a stage's trial."""
    last = _LAST.get(stage, "claims")
    cells: list[Cell] = []
    for cell in notebook.cells:
        cells.append(cell)
        if cell.id == "data":
            cells.append(Cell(id=PROBE, type=CellType.CODE, source=_DESCRIBE))
        if cell.id == last:
            break
    return notebook.model_copy(update={"cells": tuple(cells)})


def described(cells: Sequence[Any]) -> str:
    """Return a trial's description of the data, from the outputs of its cells."""
    for cell in cells:
        if cell.get("id") == PROBE:
            texts = (one.get("text", "") for one in cell.get("outputs", ()))
            return "".join(map(str, texts))[:_MOST_DESCRIBED]
    return ""


def problems(experiment: Experiment, notebook: Notebook, stage: WritingStage) -> list[str]:
    """Return the problems of a stage's code that can be seen without a run."""
    found = []
    for one in align(experiment, notebook):
        parameter = one.parameter
        if one.code is AlignmentCode.DIFFERS:
            found.append(
                f"{parameter.requirement}: the paper states {parameter.stated!r}, the code has "
                f"{one.found!r}."
            )
        elif one.code is AlignmentCode.MISSING and stage is WritingStage.ALIGNMENT:
            found.append(
                f"{parameter.requirement}: the paper states {parameter.stated!r} "
                f"({parameter.where}); no code that does so was found."
            )
        elif (
            stage is WritingStage.ALIGNMENT
            and parameter.statement is not Statement.STATED
            and parameter.value != "None"
            and not one.found
        ):
            found.append(f"{parameter.requirement}: the assumption {parameter.name} is gone.")
    if stage not in (WritingStage.DATA, WritingStage.METHOD):
        found += [
            f"results[{name!r}] is a number written into the code; it must be computed."
            for name in sorted(written_results(notebook))
        ]
    return found


def whole(notebook: Notebook) -> bool:
    """Return whether all cells of the fixed sections are there."""
    ids = {cell.id for cell in notebook.cells}
    return ids.issuperset((*_ALL, "shape-checks", "claims"))
