"""What of a fix is carried forward where its run came no further."""

from __future__ import annotations

from pathlib import Path

import pytest

from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding, FixType, Outcome
from mle_modernizer_server.domain.execution import CellError, CellStatus, Ending
from mle_modernizer_server.domain.notebook import Cell, CellType
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    EditKind,
    FixerName,
    Proposal,
    apply_edits,
)
from mle_modernizer_server.domain.session import Iteration
from mle_modernizer_server.words import one_text, text
from mle_modernizer_server.workflow.fix.propose import attempts
from mle_modernizer_server.workflow.modes.keep_helpful_edits import (
    Effect,
    carried,
    effects,
    worth_keeping,
)
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.workflow.scenes import modernizer, scene
from tests.workflow.test_best import AT_WORK, ERROR, NOT_RUN, OK, failed
from tests.workflow.test_kept_repairs import edited, ended

BOOK = values.notebook("a = 1", "b = 1", "c = 1", "d = 1")


def edit(number: int, source: str = "fixed = 1", group: str = "") -> CellEdit:
    made = values.modification(f"c{number}", BOOK.cells[number].source, source)
    return made.model_copy(update={"group": group})


def by(fixer: FixerName, *edits: CellEdit) -> Proposal:
    return values.proposal(*edits).model_copy(update={"fixer": fixer})


def cascading(run: Iteration, *cells: int) -> Iteration:
    found = tuple(
        Finding(
            kind=ErrorKind.CASCADE,
            error=CellError(
                cell_id=f"c{at}",
                index=at,
                ename="NameError",
                evalue="marks",
                traceback=(),
                raised=True,
            ),
            caused_by="c0",
        )
        for at in cells
    )
    diagnosis = run.require_diagnosis()
    diagnosis = diagnosis.model_copy(update={"findings": (*diagnosis.findings, *found)})
    return run.model_copy(update={"diagnosis": diagnosis})


def kept(proposal: Proposal, base: Iteration, run: Iteration) -> list[str]:
    return [one.cell_id for one in worth_keeping(proposal, base, run).edits]


BASE = cascading(failed(1, ERROR, ERROR, OK, OK, roots={0: "no ix"}), 1)


def test_an_edit_is_judged_by_what_became_of_its_cell() -> None:
    run = cascading(failed(2, ERROR, ERROR, ERROR, NOT_RUN, roots={0: "no ix", 2: "broken"}), 1)
    shown = effects(by(FixerName.LLM, *map(edit, range(4))), BASE, run)
    assert [shown[f"edit-c{at}"] for at in range(4)] == [
        Effect.NONE,
        Effect.UNSEEN,
        Effect.HARM,
        Effect.UNSEEN,
    ]
    mended = failed(2, OK, AT_WORK, NOT_RUN, NOT_RUN, roots={})
    assert effects(by(FixerName.LLM, edit(0)), BASE, mended) == {"edit-c0": Effect.HELPED}


def test_unreached_edits_of_a_useless_model_fix_stay() -> None:
    run = cascading(failed(2, ERROR, ERROR, OK, OK, roots={0: "no ix"}), 1)
    proposal = by(FixerName.LLM, edit(0), edit(1), edit(2))
    assert kept(proposal, BASE, run) == ["c1"]
    assert text(worth_keeping(proposal, BASE, run).remarks) == (
        "The edits of cells c0, c2 were reverted: they were tried and did not help."
    )


def test_a_rules_edit_stays_unless_it_is_shown_to_do_harm() -> None:
    run = cascading(failed(2, ERROR, ERROR, ERROR, OK, roots={0: "no ix", 2: "broken"}), 1)
    proposal = by(FixerName.RULES, *map(edit, range(4)))
    assert kept(proposal, BASE, run) == ["c0", "c1", "c3"]


def test_possible_cure_stays_and_harmful_edit_goes() -> None:
    run = failed(2, OK, OK, ERROR, OK, roots={2: "broken"})
    proposal = by(FixerName.LLM, edit(0), edit(2), edit(3))
    assert kept(proposal, BASE, run) == ["c0", "c3"]


def test_break_in_an_unedited_cell_leaves_only_untried_edits() -> None:
    run = failed(2, OK, OK, ERROR, NOT_RUN, roots={2: "broken"})
    for fixer in FixerName:
        assert kept(by(fixer, edit(0), edit(1), edit(3)), BASE, run) == ["c3"]


def test_edits_that_need_each_other_stay_or_go_together() -> None:
    run = cascading(failed(2, ERROR, ERROR, ERROR, OK, roots={0: "no ix", 2: "broken"}), 1)
    proposal = by(FixerName.LLM, edit(1, group="g"), edit(2, group="g"), edit(3))
    assert kept(proposal, BASE, run) == []
    helper = CellEdit(
        id="new",
        kind=EditKind.INSERT,
        cell_id="n1",
        after=None,
        new_source="def helper(): return 1",
    )
    ran = run.execution
    assert ran is not None
    cells = (ran.cells[0].model_copy(update={"cell_id": "n1", "status": OK}), *ran.cells)
    run = run.model_copy(update={"execution": ran.model_copy(update={"cells": cells})})
    used = by(FixerName.LLM, helper, edit(1, "b = helper()"), edit(0))
    assert kept(used, BASE, run) == ["n1", "c1"], "what is not tried yet needs its helper"


def timed_out(run: Iteration, seconds: float = 1.0) -> Iteration:
    """A run that ended at its limit, each cell after so many seconds."""
    execution = run.execution
    assert execution is not None
    cells = tuple(cell.model_copy(update={"seconds": seconds}) for cell in execution.cells)
    changes = {"ending": Ending.TIMED_OUT, "cells": cells}
    return run.model_copy(update={"execution": execution.model_copy(update=changes)})


@pytest.mark.parametrize("fixer", [FixerName.RULES, FixerName.LLM])
def test_timed_out_cell_shows_nothing_whoever_fixed_it(
    fixer: FixerName,
) -> None:
    base = timed_out(failed(1, ERROR, OK, AT_WORK, NOT_RUN, roots={0: "no ix"}), 3.0)
    fix = by(fixer, *map(edit, range(1, 4)))
    again = timed_out(failed(2, ERROR, OK, AT_WORK, NOT_RUN, roots={0: "no ix"}))
    assert kept(fix, base, again)[-2:] == ["c2", "c3"]
    sooner = timed_out(failed(2, ERROR, AT_WORK, NOT_RUN, NOT_RUN, roots={0: "no ix"}))
    assert kept(fix, base, sooner) == ["c1", "c2", "c3"]
    slower = timed_out(failed(2, ERROR, AT_WORK, NOT_RUN, NOT_RUN, roots={0: "no ix"}), 9.0)
    assert kept(fix, base, slower) == ["c2", "c3"], "it took longer than it did before"
    assert effects(fix, base, failed(2, OK, OK, AT_WORK, NOT_RUN, roots={}))["edit-c2"] is (
        Effect.NONE
    ), "a kernel that died is no limit"


def test_of_a_calibration_the_score_tells() -> None:
    base = failed(1, OK, OK, roots={}, outcome=Outcome.ERROR_FREE_NON_REPRODUCIBLE, score=0.5)
    wanted = base.require_diagnosis().model_copy(update={"fix_type": FixType.SCORE_CALIBRATION})
    base = base.model_copy(update={"diagnosis": wanted})
    assert kept(by(FixerName.RULES, edit(0)), base, base.model_copy(update={"number": 2})) == []


def test_fixes_of_several_rounds_are_carried_as_far_as_they_fit() -> None:
    run = cascading(failed(3, ERROR, ERROR, OK, OK, roots={0: "no ix"}), 1)
    first = by(FixerName.LLM, edit(1, "b = 2"))
    again = values.modification("c1", "b = 2", "b = 3")
    lost = values.modification("c1", "b = 9", "b = 4")
    book, parts = carried(
        BOOK, (first, by(FixerName.LLM, again), by(FixerName.LLM, lost)), BASE, run
    )
    assert [cell.source for cell in book.cells] == ["a = 1", "b = 3", "c = 1", "d = 1"]
    assert len(parts) == 2
    assert apply_edits(BOOK, ()) == BOOK
    assert book.cells[0] == Cell(id="c0", type=CellType.CODE, source="a = 1")


@pytest.mark.process
def test_rules_fix_behind_the_failure_is_offered_and_explained(
    tmp_path: Path,
) -> None:
    async def body(work: Modernizer) -> None:
        session = await ended(
            work, "rows = nobody.knows()", "import numpy as np\nnp.float(rows)", "print(1)"
        )
        first, second = session.iterations
        assert [run.status for run in second.execution.cells] == [  # type: ignore[union-attr]
            CellStatus.ERROR,
            CellStatus.ERROR,
            CellStatus.OK,
        ]
        assert session.best == first.number
        assert edited(session) == ["c1"]
        offered = session.iterations[-1].reviews[-1].proposal
        assert [edit.unseen for edit in offered.edits] == [True]
        told = one_text(offered.remarks[-1])
        assert told == "No run has shown the effect of 1 edit yet; it is marked."
        made = attempts(session)
        assert [one.unseen for one in made] == [("c1",)]
        assert "1 of 3 cells fails" in text(made[0].result)

    scene(body, modernizer(tmp_path))
