"""A result is put to the proof by runs on permuted data."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from mle_modernizer_server.domain.proof import ProofCode, ProofKind, ProofOutcome
from mle_modernizer_server.domain.session import Mode, Session, SessionSettings, Verdict
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log.event_log import EventLog
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.service import Modernizer
from tests import values

COMPETITION = """\
id: sides
name: Sides
metric: accuracy
higher_is_better: true
id_columns: [Id]
target_columns: [Side]
answer_columns: [Side]
"""
LOAD = """\
import csv
train = list(csv.DictReader(open('../input/sides/train.csv')))
test = list(csv.DictReader(open('../input/sides/test.csv')))"""
NEAREST = """\
def guess(x):
    near = sorted(train, key=lambda row: abs(float(row['X']) - x))[:9]
    return int(sum(int(row['Side']) for row in near) > 4)
sides = [guess(float(row['X'])) for row in test]"""
WRITE = """\
with open('submission.csv', 'w') as file:
    print('Id,Side', file=file)
    for row, side in zip(test, sides):
        print(row['Id'] + ',' + str(side), file=file)"""
IDS = "known = {%s}\nsides = [known[row['Id']] for row in test]"


def prepare(root: Path) -> dict[str, int]:
    """Points on two sides of 0; the sides of the test points by id."""
    draw = random.Random(1)
    public, private = root / "sides/prepared/public", root / "sides/prepared/private"
    public.mkdir(parents=True)
    private.mkdir(parents=True)
    (root / "sides/competition.yaml").write_text(COMPETITION)
    (public / "description.md").write_text("# Sides\n")
    points = [draw.uniform(-1, 1) for _ in range(160)]
    rows = [(100 + at, x, int(x > 0)) for at, x in enumerate(points)]
    train, test = rows[:80], rows[80:]
    (public / "train.csv").write_text(
        "Id,X,Side\n" + "".join(f"{name},{x:.5f},{side}\n" for name, x, side in train)
    )
    (public / "test.csv").write_text("Id,X\n" + "".join(f"{name},{x:.5f}\n" for name, x, _ in test))
    (public / "sample_submission.csv").write_text(
        "Id,Side\n" + "".join(f"{name},0\n" for name, _, _ in test)
    )
    answers = {str(name): side for name, _, side in test}
    (private / "answers.csv").write_text(
        "Id,Side\n" + "".join(f"{name},{side}\n" for name, side in answers.items())
    )
    return answers


def proven(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *cells: str,
    original: tuple[str, ...] = (),
) -> Session:
    """A session that ran a notebook once and put its result to the proof.

    It began with another notebook where `original` says so.
    """
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    services = build_services(data_root=tmp_path / "data", sandbox=None, llm=LlmSettings())
    modernizer = Modernizer(EventLog(Store(None), lambda session, event: None), services)
    settings = SessionSettings(
        mode=Mode.STEP, competition="sides", target_score=0.99, time_limit=120
    )

    async def session() -> Session:
        notebook = values.notebook(*cells)
        first = values.notebook(*(original or cells))
        begun = modernizer.create("old.ipynb", first, settings)
        modernizer.start_run(begun.id, notebook)
        ran = await modernizer.finished(begun.id)
        assert ran.verdict is Verdict.REPRODUCED, ran.message
        modernizer.start_proof(begun.id)
        return await modernizer.finished(begun.id)

    return asyncio.run(session())


def codes(session: Session) -> dict[ProofKind, ProofCode]:
    return {proof.kind: proof.code for proof in session.proofs}


def test_what_learns_from_the_labels_is_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(tmp_path / "data")
    session = proven(tmp_path, monkeypatch, LOAD, NEAREST, WRITE)
    assert codes(session) == {
        ProofKind.WAY: ProofCode.CELLS_RAN,
        ProofKind.NO_COPY: ProofCode.OWN,
        ProofKind.LABEL_SHUFFLE: ProofCode.LABELS_MATTER,
        ProofKind.ROW_SHUFFLE: ProofCode.FOLLOWS_ROWS,
    }
    assert all(proof.outcome is ProofOutcome.PASSED for proof in session.proofs)
    assert session.verdict is Verdict.REPRODUCED
    assert len(session.iterations) == 1
    assert not list((tmp_path / "jupyter").rglob(".proof-*"))


def test_a_table_of_answers_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = prepare(tmp_path / "data")
    known = ", ".join(f"'{name}': {side}" for name, side in answers.items())
    cells = (LOAD, NEAREST, IDS % known, WRITE)
    session = proven(tmp_path, monkeypatch, *cells, original=(LOAD, NEAREST, WRITE))
    found = codes(session)
    assert found[ProofKind.LABEL_SHUFFLE] is ProofCode.LABELS_UNUSED
    assert found[ProofKind.ROW_SHUFFLE] is ProofCode.FOLLOWS_IDS
    assert session.verdict is Verdict.NOT_PROVEN
    assert "shuffled labels" in text(session.message)


def test_a_rule_by_hand_is_no_reproach_where_the_author_wrote_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(tmp_path / "data")
    load = LOAD.replace("train = list(csv.DictReader(open('../input/sides/train.csv')))\n", "")
    rule = "sides = [int(float(row['X']) > 0) for row in test]"
    session = proven(tmp_path, monkeypatch, load, rule, WRITE)
    label = next(one for one in session.proofs if one.kind is ProofKind.LABEL_SHUFFLE)
    assert (label.outcome, label.code) == (ProofOutcome.UNCLEAR, ProofCode.LABELS_UNUSED)
    assert label.parameters["original"] == "no-training"
    assert session.verdict is Verdict.REPRODUCED
