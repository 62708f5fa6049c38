"""A result is put to the proof by runs on permuted data."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import SecretStr

from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Phase, Session, Verdict
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.domain.verification import ProofCode, ProofKind, ProofOutcome
from mle_modernizer_server.execution.sampling.cache import default_directory
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.store import Listener, Store
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.study import prove
from tests import values
from tests.llm_server import Answer, LlmServer

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


def prepare(root: Path, train_rows: int = 80) -> dict[str, int]:
    """Points on two sides of 0; the sides of the 80 test points by id."""
    draw = random.Random(1)
    public, private = root / "sides/prepared/public", root / "sides/prepared/private"
    public.mkdir(parents=True)
    private.mkdir(parents=True)
    (root / "sides/competition.yaml").write_text(COMPETITION)
    (public / "description.md").write_text("# Sides\n")
    points = [draw.uniform(-1, 1) for _ in range(train_rows + 80)]
    rows = [(100 + at, x, int(x > 0)) for at, x in enumerate(points)]
    train, test = rows[:train_rows], rows[train_rows:]
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
    modernizer = Modernizer(Store(None), services)
    settings = SessionSettings(
        mode=Mode.STEP, competition="sides", target_score=0.99, time_limit=120
    )

    async def session() -> Session:
        notebook = values.notebook(*cells)
        first = values.notebook(*(original or cells))
        begun = modernizer.sessions.create("old.ipynb", first, settings)
        modernizer.runs.start_run(begun.id, notebook)
        ran = await modernizer.sessions.finished(begun.id)
        typed = original not in ((), cells)
        assert ran.verdict is (Verdict.REACHED if typed else Verdict.REPRODUCED), ran.message
        modernizer.studies.start_proof(begun.id)
        return await modernizer.sessions.finished(begun.id)

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
    assert not list((tmp_path / "jupyter").rglob(".making-*"))


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


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_where_a_run_takes_long_the_proof_is_made_on_a_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(tmp_path / "data", train_rows=2_000)
    monkeypatch.setattr(prove, "LONGEST_WHOLE", 0.0)
    monkeypatch.setattr(prove, "_ROWS", 300)
    session = proven(tmp_path, monkeypatch, LOAD, "print('rows', len(train))", NEAREST, WRITE)
    by_kind = {proof.kind: proof for proof in session.proofs}
    label, rows = by_kind[ProofKind.LABEL_SHUFFLE], by_kind[ProofKind.ROW_SHUFFLE]
    assert (label.code, rows.code) == (ProofCode.LABELS_MATTER, ProofCode.FOLLOWS_ROWS)
    assert text(label.sample) == "300 of 2,000 rows" and label.sample == rows.sample
    assert by_kind[ProofKind.WAY].sample == (), "it looked at the run that was there"
    assert session.verdict is Verdict.REPRODUCED


OVERRIDE = """\
near = [guess(float(row['X'])) for row in test]
sides = [a if at % 2 else b for at, (a, b) in enumerate(zip(near, SIDES))]"""


def test_predictions_bound_to_places_are_an_objection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = prepare(tmp_path / "data")
    by_place = f"SIDES = {list(answers.values())}\n{OVERRIDE}"
    session = proven(
        tmp_path, monkeypatch, LOAD, NEAREST, by_place, WRITE, original=(LOAD, NEAREST, WRITE)
    )
    rows = next(one for one in session.proofs if one.kind is ProofKind.ROW_SHUFFLE)
    assert (rows.outcome, rows.code) == (ProofOutcome.FAILED, ProofCode.ORDER_MATTERS)
    assert float(rows.parameters["moved"]) < float(rows.parameters["normal"])
    assert session.verdict is Verdict.NOT_PROVEN
    assert "in another order it predicts otherwise" in text(session.message)


HIDDEN = {
    "exec": "exec({code!r})",
    "module": (
        "from pathlib import Path\n_ = Path('helper.py').write_text({code!r})\n"
        "import sys, runpy\nsys.path.insert(0, '.')\n"
        "sides = runpy.run_path('helper.py', dict(train=train, test=test))['sides']"
    ),
    "C": (
        "import ctypes\nrun = ctypes.pythonapi.PyRun_SimpleString\n"
        "run.argtypes = [ctypes.c_char_p]\n_ = run({code!r}.encode())"
    ),
}
"""Ways to run code that nobody sees who reads the notebook."""


@pytest.mark.parametrize(
    ("way", "honest"),
    [
        pytest.param("exec", True, marks=pytest.mark.thorough),
        ("exec", False),
        pytest.param("C", False, marks=pytest.mark.thorough),
        pytest.param("C", True, marks=pytest.mark.thorough),
        pytest.param("module", True, marks=pytest.mark.thorough),
        pytest.param("module", False, marks=pytest.mark.thorough),
    ],
)
def test_what_cannot_be_read_the_runs_decide(
    way: str, honest: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = prepare(tmp_path / "data")
    known = ", ".join(f"'{name}': {side}" for name, side in answers.items())
    code = NEAREST if honest else IDS % known
    # what C runs in `__main__` is the kernel's own namespace
    session = proven(tmp_path, monkeypatch, LOAD, HIDDEN[way].format(code=code), WRITE)
    label = next(one for one in session.proofs if one.kind is ProofKind.LABEL_SHUFFLE)
    expected = ProofCode.LABELS_MATTER if honest else ProofCode.LABELS_UNUSED
    assert label.code is expected
    assert session.verdict is (Verdict.REPRODUCED if honest else Verdict.NOT_PROVEN)


def shuffling(session: Session) -> bool:
    """Whether the run on shuffled labels has begun."""
    label = () if session.progress is None else session.progress.label
    return any(one.code == "label.proof-labels" for one in label)


def server(folder: Path, listener: Listener, llm: LlmSettings | None = None) -> Modernizer:
    services = build_services(
        data_root=folder / "data", sandbox=None, llm=llm or LlmSettings.from_environment(environ={})
    )
    return Modernizer(Store(folder / "s.db", listener), services)


SETTINGS = SessionSettings(
    mode=Mode.STEP,
    competition="sides",
    target_score=0.99,
    time_limit=120,
    fixers=(FixerName.RULES,),
)


@pytest.mark.thorough
def test_a_cancel_in_a_proof_keeps_what_was_shown_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(tmp_path / "data")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))

    async def session() -> Session:
        begun = asyncio.Event()
        work = server(tmp_path, lambda session, _: begun.set() if shuffling(session) else None)
        notebook = values.notebook(LOAD, NEAREST, WRITE)
        created = work.sessions.create("old.ipynb", notebook, SETTINGS)
        work.runs.start_run(created.id, notebook)
        await work.sessions.finished(created.id)
        work.studies.start_proof(created.id)
        await asyncio.wait_for(begun.wait(), 120)
        return await work.sessions.cancel(created.id)

    ended = asyncio.run(session())
    assert list(codes(ended)) == [ProofKind.WAY, ProofKind.NO_COPY]
    assert (ended.phase, ended.verdict) == (Phase.FINISHED, Verdict.REPRODUCED)
    assert text(ended.message).startswith("Cancelled. The proof was not completed")
    assert "What was shown so far is kept." in text(ended.message)
    assert not list((tmp_path / "jupyter").rglob(".making-*"))


BROKEN = NEAREST.replace("sorted(train", "list(train).sorted(train")


def mended(prompts: Sequence[str] = ()) -> Answer:
    return Answer(
        text="=== PLAN ===\n- sort them\n=== REPLACE CELL $CELL(^def guess)$ ===\n"
        f"{NEAREST}\n=== END ===\n"
    )


def test_cancel_of_the_proof_leaves_the_models_fix_for_review(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(tmp_path / "data")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    with LlmServer([mended()]) as model:
        llm = LlmSettings(base_url=model.base_url, model="m", api_key=SecretStr("not-a-real-key"))

        async def session() -> Session:
            begun = asyncio.Event()

            def listen(session: Session, _: object) -> None:
                if shuffling(session):
                    begun.set()

            work = server(tmp_path, listen, llm)
            notebook = values.notebook(LOAD, BROKEN, WRITE)
            auto = SETTINGS.model_copy(update={"mode": Mode.AUTO, "fixers": (FixerName.LLM,)})
            created = work.sessions.create("old.ipynb", notebook, auto)
            work.runs.start_run(created.id, notebook)
            await asyncio.wait_for(begun.wait(), 180)
            return await work.sessions.cancel(created.id)

        ended = asyncio.run(session())
    assert (ended.phase, ended.verdict) == (Phase.REVIEWING, None)
    assert "The proof was not completed" in text(ended.message)
    assert list(codes(ended)) == [ProofKind.WAY, ProofKind.NO_COPY]
    finals = [review for review in ended.all_reviews if review.final]
    assert len(finals) == 1 and finals[0].open
    assert [edit.cell_id for edit in finals[0].proposal.edits] == ["c1"]


def test_without_a_model_nothing_is_spent_on_a_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(tmp_path / "data")

    async def session() -> tuple[Session, Modernizer]:
        work = server(tmp_path, lambda session, event: None)
        notebook = values.notebook(LOAD, "import time\nbegan = time.clock()", NEAREST, WRITE)
        auto = SETTINGS.model_copy(update={"mode": Mode.AUTO})
        created = work.sessions.create("old.ipynb", notebook, auto)
        work.runs.start_run(created.id, notebook)
        return await work.sessions.finished(created.id), work

    ended, work = asyncio.run(session())
    assert ended.verdict is Verdict.REPRODUCED and ended.proofs == ()
    told = [entry.event for entry in work.log.entries(ended.id, since=0)]
    runs = [event for event in told if isinstance(event, events.RunStarted)]
    assert len(runs) == len(ended.iterations) == 2
    labels = [event.label for event in told if isinstance(event, events.Progressed)]
    assert not any(one.code.startswith("label.proof") for label in labels for one in label)


_SERVER = """
import asyncio, sys
from pathlib import Path
from tests import values
from tests.workflow.test_proving import LOAD, NEAREST, SETTINGS, WRITE, server

async def main():
    work = server(Path(sys.argv[1]), lambda session, event: None)
    notebook = values.notebook(LOAD, NEAREST, WRITE)
    session = work.sessions.create("old.ipynb", notebook, SETTINGS)
    work.runs.start_run(session.id, notebook)
    await work.sessions.finished(session.id)
    work.studies.start_proof(session.id)
    await work.sessions.finished(session.id)

asyncio.run(main())
"""


def test_server_killed_in_a_proof_claims_nothing_and_cleans_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(tmp_path / "data")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    process = subprocess.Popen([sys.executable, "-c", _SERVER, str(tmp_path)])
    try:
        store = Store(tmp_path / "s.db")
        deadline = time.monotonic() + 180
        while not (found := list(store.each_session())) or not shuffling(found[0]):
            assert time.monotonic() < deadline and process.poll() is None
            time.sleep(0.02)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert list(default_directory().glob(".making-*"))
    after = server(tmp_path, lambda session, event: None)
    after.recover()
    (session,) = after.log.each_session()
    assert (session.phase, session.verdict) == (Phase.INTERRUPTED, None)
    assert "stopped unexpectedly" in text(session.message)
    assert list(codes(session)) == [ProofKind.WAY, ProofKind.NO_COPY]
    assert not list(default_directory().glob(".making-*"))
    assert len(session.iterations) == 1 and session.best == 1
