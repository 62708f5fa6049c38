"""Which edits make a result one that has to be proven, and what the verdict is until then."""

from __future__ import annotations

from typing import Any

import pytest

from mle_modernizer_server.cli.exit_codes import (
    ExitCode,
    code_of_session,
    code_of_verification,
)
from mle_modernizer_server.domain.diagnosis import FixScope, FixType, Outcome
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook, source_hash
from mle_modernizer_server.domain.proposal import (
    LEARNED,
    CellEdit,
    EditKind,
    FixerName,
    Proposal,
)
from mle_modernizer_server.domain.session import (
    CleanRun,
    Decision,
    EditState,
    Phase,
    Review,
    Session,
    Verdict,
)
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.domain.verification import (
    Answer,
    Noise,
    NoiseAnswer,
    Proof,
    ProofCode,
    ProofKind,
    ProofOutcome,
    Verification,
    VerificationKind,
)
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.study.prove import to_prove, verdict_after_proof
from mle_modernizer_server.workflow.study.seed_variance import verdict_after_noise
from mle_modernizer_server.workflow.verdict.proven import as_proven, needs_proof
from tests import values
from tests.workflow.test_final_verdict import NOW, graded, run

OLD = values.notebook("import old", "model.fit(X)", "save(model)")


def review(
    *edits: CellEdit, fixer: FixerName = FixerName.RULES, partial: bool = False, **more: Any
) -> Review:
    proposal = Proposal(
        id="p",
        fixer=fixer,
        fix_type=FixType.ERROR_REPAIR,
        scope=FixScope.FILE,
        plan=(),
        edits=edits,
    ).model_copy(update=more)
    decision = Decision(state=EditState.ACCEPTED, partial=partial)
    return Review(proposal=proposal, decisions={edit.id: decision for edit in edits})


def edit(cell: int, new: str, base: str | None = None, **more: Any) -> CellEdit:
    base = OLD.cells[cell].source if base is None else base
    return CellEdit(
        id=f"e{cell}",
        kind=EditKind.MODIFY,
        cell_id=f"c{cell}",
        base_source=base,
        base_hash=source_hash(base),
        new_source=new,
        rules=("rule",),
    ).model_copy(update=more)


def with_source(cell: int, source: str) -> Notebook:
    cells = list(OLD.cells)
    cells[cell] = cells[cell].model_copy(update={"source": source})
    return OLD.model_copy(update={"cells": tuple(cells)})


NEW = with_source(0, "import new")


def test_unchanged_notebook_needs_no_proof() -> None:
    trailing = with_source(0, "import old  \n")
    note = Cell(id="m", type=CellType.MARKDOWN, source="# A note")
    blank = Cell(id="b", type=CellType.CODE, source=" ")
    for notebook in (OLD, trailing, OLD.model_copy(update={"cells": (note, *OLD.cells, blank)})):
        assert not needs_proof(OLD, notebook, ())


def test_edit_by_rules_needs_no_proof() -> None:
    first, then = edit(0, "import new"), edit(0, "import newer", "import new")
    assert not needs_proof(OLD, NEW, [review(first)])
    assert not needs_proof(OLD, with_source(0, "import newer"), [review(first), review(then)])


def test_file_without_stable_ids_needs_no_proof() -> None:
    cells = (cell.model_copy(update={"id": f"new-{cell.id}"}) for cell in NEW.cells)
    renamed = NEW.model_copy(update={"cells": tuple(cells)})
    assert not needs_proof(OLD, renamed, [review(edit(0, "import new"))])


def test_edit_by_model_needs_proof() -> None:
    assert needs_proof(OLD, NEW, [review(edit(0, "import new"), fixer=FixerName.LLM)])
    learned = edit(0, "import new", rules=(f"{LEARNED}x",))
    assert needs_proof(OLD, NEW, [review(learned)])
    better = review(edit(0, "import new"), fix_type=FixType.IMPROVEMENT)
    assert needs_proof(OLD, NEW, [better]), "a version of a search changes the experiment"


def test_edit_by_hand_needs_proof() -> None:
    assert needs_proof(OLD, NEW, ())
    rules = [review(edit(0, "import new"))]
    assert needs_proof(OLD, with_source(0, "import new\nimport answers"), rules)
    assert needs_proof(OLD, OLD.model_copy(update={"cells": OLD.cells[:2]}), ())
    assert needs_proof(OLD, OLD.model_copy(update={"cells": OLD.cells[::-1]}), ())
    added = Cell(id="x", type=CellType.CODE, source="save(answers)")
    assert needs_proof(OLD, OLD.model_copy(update={"cells": (*OLD.cells, added)}), ())


def test_cell_inserted_or_deleted_by_rules_needs_no_proof() -> None:
    insert = edit(0, "import os", "", kind=EditKind.INSERT, cell_id="n", id="n")
    delete = edit(2, "", kind=EditKind.DELETE)
    new = Cell(id="n", type=CellType.CODE, source="import os")
    made = OLD.model_copy(update={"cells": (new, *OLD.cells[:2])})
    assert not needs_proof(OLD, made, [review(insert, delete)])
    assert needs_proof(OLD, made, [review(insert)])


def test_hunks_of_a_rules_edit_need_no_proof() -> None:
    both = edit(1, "model = Model()\nmodel.fit(X, y)")
    part = with_source(1, "model = Model()\nmodel.fit(X)")
    assert not needs_proof(OLD, part, [review(both, partial=True)])
    assert needs_proof(OLD, part, [review(both)])


def proof(code: ProofCode, outcome: ProofOutcome = ProofOutcome.PASSED) -> Proof:
    return Proof(kind=ProofKind.LABEL_SHUFFLE, outcome=outcome, code=code)


FOR = proof(ProofCode.LABELS_MATTER)
AGAINST = proof(ProofCode.LABELS_UNUSED, ProofOutcome.FAILED)
OPEN = proof(ProofCode.NOT_POSSIBLE, ProofOutcome.UNCLEAR)
EDITED = run(graded(0.9)).model_copy(update={"needs_proof": True})


def session(*runs: CleanRun, **more: Any) -> Session:
    return Session(
        id="s",
        path="a.ipynb",
        created_at=NOW,
        updated_at=NOW,
        seq=1,
        phase=Phase.FINISHED,
        settings=SessionSettings(competition="titanic", target_score=0.9),
        notebook_hash="0",
        iterations=runs,
        best=1,
    ).model_copy(update=more)


def proofs(*found: Proof, done: bool = True) -> dict[str, Any]:
    return {"proofs": found, "proven": EDITED.notebook_hash, "proof_done": done}


@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        ({}, Verdict.REACHED),
        (proofs(FOR), Verdict.REPRODUCED),
        (proofs(OPEN), Verdict.REPRODUCED),
        (proofs(FOR, done=False), Verdict.REACHED),
        (proofs(AGAINST), Verdict.NOT_PROVEN),
        ({**proofs(FOR), "proven": "another"}, Verdict.REACHED),
    ],
)
def test_edited_result_is_reached_until_proven(shown: dict[str, Any], verdict: Verdict) -> None:
    said = coded("summary.reached", kind="Score", score=0.9, distance="exactly", target=0.9)
    rested = events.Rested(phase=Phase.FINISHED, message=said, verdict=Verdict.REPRODUCED)
    ended = as_proven(session(EDITED, **shown), EDITED, rested)
    assert ended.verdict is verdict
    words = text(ended.message)
    if verdict is Verdict.REACHED:
        assert words.startswith("Reached, not proven. Score 0.9")
        assert "`--prove`" in words
    else:
        assert words.startswith("Reproduced." if verdict is Verdict.REPRODUCED else "The result")


def test_unedited_result_is_reproduced_without_proof() -> None:
    plain = run(graded(0.9))
    rested = events.Rested(phase=Phase.FINISHED, message=(), verdict=Verdict.REPRODUCED)
    assert as_proven(session(plain), plain, rested) == rested


@pytest.mark.parametrize(
    ("found", "verdict"), [(FOR, Verdict.REPRODUCED), (AGAINST, Verdict.NOT_PROVEN)]
)
def test_proof_settles_a_reached_result(found: Proof, verdict: Verdict) -> None:
    before = session(run(graded(0.9)), EDITED, verdict=Verdict.REACHED)
    assert to_prove(before) is EDITED, "not the best run, which needs no proof"
    after = before.model_copy(update=proofs(found))
    assert verdict_after_proof(after) is verdict


def test_noise_does_not_settle_an_unproven_result() -> None:
    outside = run(graded(0.7)).model_copy(update={"needs_proof": True})
    noise = Noise(
        iteration=1,
        notebook_hash=outside.notebook_hash,
        target=0.9,
        asked=3,
        done=True,
        answer=NoiseAnswer.WITHIN,
    )
    measured = session(outside, noise=noise, verdict=Verdict.BELOW_TARGET)
    assert verdict_after_noise(measured) is Verdict.REACHED
    refuted = measured.model_copy(update={"verdict": Verdict.NOT_PROVEN})
    assert verdict_after_noise(refuted) is Verdict.NOT_PROVEN


def test_unproven_result_exits_with_1() -> None:
    assert EDITED.diagnosis is not None
    assert EDITED.diagnosis.outcome is Outcome.ERROR_FREE_REPRODUCIBLE
    verified = Verification(
        kind=VerificationKind.QUICK,
        asked=1,
        target=0.9,
        notebook_hash=EDITED.notebook_hash,
        iteration=1,
        answer=Answer.REPRODUCIBLE,
        done=True,
    )
    for verdict in (Verdict.REACHED, Verdict.NOT_PROVEN, None):
        ended = session(EDITED, verdict=verdict, verification=verified)
        assert code_of_session(ended, EDITED) is ExitCode.NOT_REPRODUCIBLE
        assert code_of_verification(ended, EDITED) is ExitCode.NOT_REPRODUCIBLE
    proven = session(EDITED, verdict=Verdict.REPRODUCED, verification=verified, **proofs(FOR))
    assert code_of_session(proven, EDITED) is ExitCode.REPRODUCIBLE
    assert code_of_verification(proven, EDITED) is ExitCode.REPRODUCIBLE
