"""Cells that had not been run when the outputs were saved."""

from __future__ import annotations

from mle_modernizer_server.diagnosis.saved_outputs import with_unrun_cells
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import (
    CellAgreement,
    OutputAgreement,
    OutputMatch,
    SavedCell,
    SavedOutputs,
)
from tests.fixing.rules.rewriting import notebook

SOURCES = ("a = 1", "rate = 0.1", "# note", "print(rate)")


def remark(
    *prompts: int | None, failed: int | None = None, match: OutputMatch = OutputMatch.DIFFERENT
) -> Messages:
    ran = notebook(*SOURCES)
    ids = [cell.id for cell in ran.cells]
    saved = SavedOutputs(
        cells=tuple(
            SavedCell(cell_id=name, outputs=(), prompt=prompt)
            for name, prompt in zip(ids, prompts, strict=True)
        )
    )
    agreement = OutputAgreement(cells=(CellAgreement(cell_id=ids[3], ordinal=4, match=match),))
    unsuccessful = set() if failed is None else {ids[failed]}
    return with_unrun_cells(agreement, ran, saved, unsuccessful).cells[0].remark


def test_cell_without_number_above_is_named() -> None:
    assert remark(1, None, None, 3) == coded("outputs.unrun", count=1, cells="2")
    assert remark(None, None, None, 3) == coded("outputs.unrun", count=2, cells="1, 2")


def test_no_remark_without_evidence() -> None:
    assert remark(1, 2, None, 3) == ()
    assert remark(None, None, None, None) == ()
    assert remark(1, None, None, 3, failed=1) == ()
    assert remark(1, None, None, 3, match=OutputMatch.SAME) == ()


def test_no_remark_if_the_cells_are_others() -> None:
    ran = notebook(*SOURCES)
    saved = SavedOutputs(cells=(SavedCell(cell_id="elsewhere", outputs=(), prompt=1),))
    cell = CellAgreement(cell_id="elsewhere", ordinal=4, match=OutputMatch.MISSING)
    agreement = OutputAgreement(cells=(cell,))
    assert with_unrun_cells(agreement, ran, saved, set()) == agreement
