"""Rehearsals with a scripted model: what it is told, and what becomes of its fixes."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import RunKind, Session, Verdict
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.domain.verification import RehearsalSettings
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.workflow.log.event_log import EventLog
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.report import report_markdown
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.llm_server import Answer, LlmServer
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
    data_root: Path, server: LlmServer, *sources: str, mode: Mode, max_fixes: int = 16
) -> tuple[Session, str]:
    """The session after one run, and its report."""
    llm = LlmSettings(base_url=server.base_url, model="scripted", api_key=SecretStr(KEY))
    rooms = build_services(data_root=data_root, sandbox="process", llm=llm)
    modernizer = Modernizer(EventLog(Store(None), lambda *_: None), rooms)
    settings = SessionSettings(
        competition="people",
        target_score=1.0,
        mode=mode,
        fixers=(FixerName.LLM,),
        max_fixes=max_fixes,
        rehearsal=RehearsalSettings(rows=100),
    )
    notebook = values.notebook(*sources)
    session = modernizer.sessions.create("old.ipynb", notebook, settings)
    modernizer.runs.start_run(session.id, notebook)
    session = await modernizer.sessions.finished(session.id)
    report = report_markdown(session, modernizer.log.store)
    await modernizer.close()
    return session, report


@pytest.mark.process
async def test_the_model_hears_of_a_sample_and_of_no_score(data_root: Path) -> None:
    with LlmServer([fix("pass")], api_key=KEY) as server:
        session, _ = await modernized(
            data_root, server, READ, "train.unheard_of()", DOUBTFUL, SUBMIT, mode=Mode.STEP
        )
        (request,) = server.requests
    assert "a rehearsal on a sample of the data" in request.last
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


@pytest.mark.thorough
async def test_fixes_in_a_row_that_do_not_help_end_the_first_stage(data_root: Path) -> None:
    answers = [fix(f"train.unheard_of_{number}()") for number in range(6)]
    answers.append(Answer("=== PLAN ===\n- none\n=== NO FIX ===\nNothing.\n=== END ===\n"))
    with LlmServer(answers, api_key=KEY) as server:
        session, _ = await modernized(
            data_root, server, READ, "train.unheard_of()", SUBMIT, mode=Mode.AUTO
        )
    kinds = [iteration.kind for iteration in session.iterations]
    assert kinds == [RunKind.REHEARSAL] * 7 + [RunKind.CLEAN]
    assert session.fixes == 6


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
