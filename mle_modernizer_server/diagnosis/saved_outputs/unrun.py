"""Cells that had not been run when the outputs were saved: the outputs may be of other code."""

from __future__ import annotations

from collections.abc import Collection

from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook, OutputAgreement, SavedOutputs


def with_unrun_cells(
    agreement: OutputAgreement,
    notebook: Notebook,
    saved: SavedOutputs,
    unsuccessful: Collection[str],
) -> OutputAgreement:
    """Add to the first difference the cells above that have no execution number in the file.

    Args:
        agreement: Comparison of a run's outputs with the saved ones.
        notebook: The notebook as it ran.
        saved: Outputs and execution numbers of the file.
        unsuccessful: Ids of the cells that did not complete.
    """
    first = agreement.first_difference()
    ids = {cell.id for cell in notebook.code_cells()}
    if first is None or first.cell_id not in saved.prompts or first.cell_id not in ids:
        return agreement
    unrun = [
        str(number)
        for number, cell in enumerate(notebook.code_cells()[: first.ordinal], start=1)
        if cell.id not in saved.prompts
        and cell.id not in unsuccessful
        and cell.runs
        and _has_code(cell.source)
    ]
    if not unrun:
        return agreement
    remark = coded("outputs.unrun", count=len(unrun), cells=", ".join(unrun))
    changed = first.model_copy(update={"remark": remark})
    cells = tuple(changed if cell is first else cell for cell in agreement.cells)
    return agreement.model_copy(update={"cells": cells})


def _has_code(source: str) -> bool:
    lines = map(str.strip, source.splitlines())
    return any(line and not line.startswith("#") for line in lines)
