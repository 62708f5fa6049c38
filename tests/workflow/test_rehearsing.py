"""Rehearsals with a scripted model: what it is told, and what becomes of its fixes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import RehearsalRun, RunKind, Session, Verdict
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.domain.verification import RehearsalSettings
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.report import report_markdown
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.llm_server import Answer, LlmServer
from tests.values import worded
from tests.workflow.large_competition import READ, SUBMIT, prepare_people

KEY = "sk-test-0123456789abcdefghijklmnop"
DOUBTFUL = "train.iloc[3_500]"


def fix(source: str) -> Answer:
    return Answer(f"=== PLAN ===\n- mend it\n=== REPLACE CELL c1 ===\n{source}\n=== END ===\n")


@pytest.fixture
def data_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter-data"))
    prepare_people(tmp_path / "data")
    return tmp_path / "data"


async def modernized(
    data_root: Path, server: LlmServer, *sources: str, mode: Mode, rehearsed_fixes: int = 6
) -> tuple[Session, str]:
    """The session after one run, and its report."""
    llm = LlmSettings(base_url=server.base_url, model="scripted", api_key=SecretStr(KEY))
    rooms = build_services(data_root=data_root, sandbox="process", llm=llm)
    modernizer = Modernizer(Store(None), rooms)
    settings = SessionSettings(
        competition="people",
        target_score=1.0,
        mode=mode,
        fixers=(FixerName.LLM,),
        rehearsed_fixes=rehearsed_fixes,
        rehearsal=RehearsalSettings(rows=100),
    )
    notebook = values.notebook(*sources)
    session = modernizer.sessions.create("old.ipynb", notebook, settings)
    modernizer.runs.start_run(session.id, notebook)
    session = await modernizer.sessions.finished(session.id)
    report = report_markdown(session, modernizer.log)
    await modernizer.close()
    return session, report


@pytest.mark.process
async def test_the_model_hears_of_a_sample_and_of_no_score(data_root: Path) -> None:
    with LlmServer([fix("pass")], api_key=KEY) as server:
        session, _ = await modernized(
            data_root, server, READ, "train.unheard_of()", DOUBTFUL, SUBMIT, mode=Mode.STEP
        )
        (request,) = server.requests
    assert "It was a rehearsal (" in request.last
    assert "of 4,000 rows" in request.last
    assert "unheard_of" in request.last
    assert "out-of-bounds" not in request.prompt  # only the sample's fault
    for word in ("Target score", "Outcome:", "Reproduced score"):
        assert word not in request.prompt
    assert "Time limit for the whole notebook: 600 seconds" in request.prompt
    (iteration,) = session.iterations
    assert iteration.kind is RunKind.REHEARSAL
    assert iteration.rehearsal is not None and list(iteration.rehearsal.doubtful) == ["c2"]
    assert [review.proposal.fixer for review in iteration.reviews] == [FixerName.LLM]


LEARNED = """\
limit = train.loc[train['large'] == 1, 'size'].min()
test['large'] = (test['size'] >= limit).astype(int)
test[['person', 'large']].to_csv('submission.csv', index=False)
"""
"""Learns from the labels, so that its result can be put to the proof; scores 1.0."""


@pytest.mark.process
@pytest.mark.thorough
async def test_auto_mode_goes_from_the_sample_to_all_data(data_root: Path) -> None:
    answers = [fix("train.still_unheard_of()"), fix("count = len(train)")]
    with LlmServer(answers, api_key=KEY) as server:
        session, report = await modernized(
            data_root, server, READ, "train.unheard_of()", LEARNED, mode=Mode.AUTO
        )
        assert len(server.requests) == 2
        assert "no cell failed" not in server.requests[1].last
    kinds = [iteration.kind for iteration in session.iterations]
    assert kinds == [RunKind.REHEARSAL] * 3 + [RunKind.CLEAN]
    assert session.verdict is Verdict.REPRODUCED
    assert (session.best, session.fixes) == (4, 2)
    final = session.iterations[-1].reviews[-1]
    assert final.final
    assert [edit.new_source for edit in final.proposal.edits] == ["count = len(train)"]
    assert "| 1 | rehearsal on " in report
    assert "of 4,000 rows" in report
    assert "Root errors of run 1, a rehearsal: hints only" in report
    assert "+count = len(train)" in report


@pytest.mark.process
@pytest.mark.thorough
async def test_fixes_on_the_sample_end_at_their_limit(data_root: Path) -> None:
    answers = [fix(f"train.unheard_of_{number}()") for number in range(2)]
    answers.append(Answer("=== PLAN ===\n- none\n=== NO FIX ===\nNothing.\n=== END ===\n"))
    with LlmServer(answers, api_key=KEY) as server:
        session, _ = await modernized(
            *(data_root, server, READ, "train.unheard_of()", SUBMIT),
            mode=Mode.AUTO,
            rehearsed_fixes=2,
        )
    kinds = [iteration.kind for iteration in session.iterations]
    assert kinds == [RunKind.REHEARSAL] * 3 + [RunKind.CLEAN]
    assert session.fixes == 2


@pytest.mark.process
@pytest.mark.thorough
async def test_where_no_fixer_has_anything_all_data_tell(data_root: Path) -> None:
    none = Answer("=== PLAN ===\n- none\n=== NO FIX ===\nNothing.\n=== END ===\n")
    with LlmServer([none, none], api_key=KEY) as server:
        session, _ = await modernized(
            data_root, server, READ, "train.unheard_of()", SUBMIT, mode=Mode.STEP
        )
    assert [item.kind for item in session.iterations] == [RunKind.REHEARSAL, RunKind.CLEAN]
    # The submission is right whatever that cell does.
    assert session.verdict is Verdict.REPRODUCED


NET = """\
class Net:
    def fit(self, epochs):
        self.rounds = epochs

def train_model(net, epochs=30):
    net.fit(epochs)
"""


@pytest.mark.process
async def test_training_is_short_in_a_rehearsal_only(data_root: Path) -> None:
    rooms = build_services(data_root=data_root, sandbox="process", llm=LlmSettings())
    modernizer = Modernizer(Store(None), rooms)
    settings = SessionSettings(
        mode=Mode.STEP, fixers=(FixerName.RULES,), rehearsal=RehearsalSettings()
    )
    notebook = values.notebook(
        NET,
        "EPOCHS = 40\nnet = Net()\nnet.fit(epochs=EPOCHS)",
        "assert net.rounds == EPOCHS\nassert EPOCHS == 40, 'short'",
        "def trees():\n    from sklearn.ensemble import RandomForestClassifier\n"
        "    return RandomForestClassifier(n_estimators=300).n_estimators\nassert trees() == 300",
    )
    session = modernizer.sessions.create("old.ipynb", notebook, settings)
    modernizer.runs.start_run(session.id, notebook)
    session = await modernizer.sessions.finished(session.id)
    await modernizer.close()
    rehearsal, clean = session.iterations
    assert (rehearsal.kind, clean.kind) == (RunKind.REHEARSAL, RunKind.CLEAN)
    assert rehearsal.notebook_hash == clean.notebook_hash
    assert rehearsal.execution is not None and clean.execution is not None
    assert [error.cell_id for error in rehearsal.execution.errors] == ["c2", "c3"]
    assert clean.execution.errors == ()
    assert isinstance(rehearsal, RehearsalRun) and rehearsal.rehearsal is not None
    assert list(rehearsal.rehearsal.doubtful) == ["c2", "c3"] and not rehearsal.hints
    cuts = [(one.cell_id, one.name, one.was) for one in rehearsal.rehearsal.shortened]
    assert cuts == [("c0", "epochs", "30"), ("c1", "EPOCHS", "40"), ("c3", "n_estimators", "300")]
    assert session.best != rehearsal.number
    summary = worded(rehearsal.require_diagnosis().summary)
    assert "(all data; shortened training: epochs 30, EPOCHS 40, n_estimators 300)" in summary


LOOK = """\
import os, csv
for epoch in range(9):
    pass
rows = list(csv.DictReader(open('data/train.csv')))
images = os.listdir('data/images')
assert {f"{row['id']}.png" for row in rows} <= set(images), 'inconsistent'
assert len(rows) == len(images) == 1_500, f'{len(rows)} rows'
"""


@pytest.mark.process
async def test_files_of_the_folder_are_sampled_consistently(
    data_root: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    (folder / "data/images").mkdir(parents=True)
    lines = [f"img-{number:04d},{number % 7}" for number in range(1_500)]
    (folder / "data/train.csv").write_text("\n".join(["id,label", *lines]))
    for number in range(1_500):
        (folder / f"data/images/img-{number:04d}.png").write_text("x")
    rooms = build_services(data_root=data_root, sandbox="process", llm=LlmSettings())
    rooms = replace(rooms, notebook_folder=lambda path: folder)
    modernizer = Modernizer(Store(None), rooms)
    settings = SessionSettings(
        mode=Mode.STEP, fixers=(FixerName.RULES,), rehearsal=RehearsalSettings(rows=100)
    )
    notebook = values.notebook(LOOK)
    session = modernizer.sessions.create("old.ipynb", notebook, settings, folder=folder)
    modernizer.runs.start_run(session.id, notebook)
    session = await modernizer.sessions.finished(session.id)
    await modernizer.close()
    rehearsal, clean = session.iterations
    assert rehearsal.execution is not None and clean.execution is not None
    (error,) = rehearsal.execution.errors
    assert "rows" in error.evalue and int(error.evalue.split()[0]) < 300
    assert isinstance(rehearsal, RehearsalRun) and rehearsal.rehearsal is not None
    assert rehearsal.rehearsal.sample.files_left_out > 1_350
    assert list(rehearsal.rehearsal.doubtful) == ["c0"]
    assert clean.execution.errors == ()
