"""A repair that works is offered, whatever else became of the run that showed it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.domain.message import verbatim
from mle_modernizer_server.domain.proposal import FixerName, Meaning
from mle_modernizer_server.domain.session import Phase, Session, Verdict
from mle_modernizer_server.domain.settings import Mode
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.modes import auto
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.llm_server import Answer, LlmServer
from tests.workflow.repeating import printed
from tests.workflow.scenes import modernizer, scene

OLD = "import numpy as np\nrows = np.float(1)"
TRAINS = "import time\nif rows:\n    time.sleep(600)"


async def ended(work: Modernizer, *sources: str, **more: Any) -> Session:
    notebook = values.notebook(*sources)
    chosen = {"mode": Mode.AUTO, "fixers": (FixerName.RULES,), **more}
    session = work.sessions.create("old.ipynb", notebook, printed(None, **chosen))
    work.runs.start_run(session.id, notebook)
    return await work.sessions.finished(session.id)


def edited(session: Session) -> list[str]:
    review = session.iterations[-1].reviews[-1]
    assert review.final and review.open
    return [edit.cell_id for edit in review.proposal.edits]


def test_repaired_notebook_that_needs_longer_is_offered(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await ended(work, OLD, TRAINS, "0.5", time_limit=8)
        assert [item.execution.ending for item in session.iterations if item.execution] == [
            Ending.COMPLETED,
            Ending.TIMED_OUT,
        ]
        assert (session.phase, session.verdict) == (Phase.REVIEWING, Verdict.NEEDS_TIME)
        assert session.best == 2 and edited(session) == ["c0"]
        assert "The limit of 8 s was too short. Run it with 10 min" in text(session.message)
        assert "--time-limit 600" in text(session.message)

    scene(body, modernizer(tmp_path))


def test_edit_whose_cell_fails_otherwise_is_taken_back(tmp_path: Path) -> None:
    refused = "df.loc[:, 'a'] = [str(one) for one in np.log1p(df['a'])]"
    cells = (f"import pandas as pd\n{OLD}", f"df = pd.DataFrame({{'a': [1, 2]}})\n{refused}")

    async def body(work: Modernizer) -> None:
        session = await ended(work, *cells)
        last = session.iterations[-1].require_diagnosis().findings[0].error
        assert last.evalue.startswith("Invalid value"), "no error that the edit has caused"
        assert len(session.iterations) == 3 and session.best == 3
        assert edited(session) == ["c0"]
        remarks = session.iterations[-1].reviews[-1].proposal.remarks
        assert "The edit of cell c1 was reverted" in text(remarks)
        alone = await ended(work, cells[0].replace("float(1)", "float64(1)"), cells[1])
        assert alone.best == 1 and alone.phase is Phase.FINISHED, "nothing else is left of the fix"

    scene(body, modernizer(tmp_path))


def test_a_cell_that_can_be_parsed_now_needs_no_run_to_show_it(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        seen = tmp_path / "seen.txt"
        slower = (
            f"from pathlib import Path\nimport time\nseen = Path({str(seen)!r})\n"
            "if seen.exists():\n    time.sleep(600)\n_ = seen.write_text('once')"
        )
        session = await ended(work, slower, "print 'done'", "0.5", time_limit=8)
        assert session.best == 2 and edited(session) == ["c1"]
        assert session.verdict is Verdict.NEEDS_TIME
        assert "not valid Python" not in text(session.message)

    scene(body, modernizer(tmp_path))


def test_run_without_a_named_limit_is_repeated_with_a_longer_one(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        cells = ("import time\ntime.sleep(4)", "0.5")
        limits = {"time_limit": 2, "extend_time_limit": True}
        session = await ended(work, *cells, **limits)
        assert [item.execution.ending for item in session.iterations if item.execution] == [
            Ending.TIMED_OUT,
            Ending.COMPLETED,
        ]
        assert session.settings.time_limit == 600
        assert session.verdict is not Verdict.NEEDS_TIME
        session = await ended(
            work,
            "open('slow_part.py', 'w').write('import time; time.sleep(600)')",
            "import slow_part",
            **{**limits, "max_seconds": 60, "fixers": (FixerName.LLM,)},
        )
        assert session.verdict is Verdict.NEEDS_TIME, "ten minutes are more than it may cost"
        assert not server.requests, "no edit makes an import faster"

    with LlmServer(lambda _: Answer(text="")) as server:
        llm = LlmSettings(base_url=server.base_url, model="m", api_key=SecretStr("a-long-key"))
        scene(body, modernizer(tmp_path, llm=llm))


@pytest.mark.thorough
def test_step_mode_says_that_a_notebook_only_needs_longer(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await ended(work, "rows = 1", TRAINS, mode=Mode.STEP, time_limit=5)
        assert (session.phase, session.verdict) == (Phase.FINISHED, Verdict.NEEDS_TIME)
        assert "No errors so far (2 of " in text(session.message)
        assert "The limit of 5 s was too short." in text(session.message)

    scene(body, modernizer(tmp_path))


@pytest.mark.thorough
def test_timeout_behind_an_own_error_is_not_only_a_lack_of_time(
    tmp_path: Path,
) -> None:
    async def body(work: Modernizer) -> None:
        session = await ended(work, "rows = 1\nnobody.knows", TRAINS, time_limit=5)
        assert session.verdict is Verdict.NO_FIX

    scene(body, modernizer(tmp_path))


BOLD = (
    "from sklearn.feature_extraction.text import HashingVectorizer\n"
    "HashingVectorizer(n_features=8, non_negative=True).fit_transform(['a b', 'c'])"
)


def test_edit_that_awaits_consent_does_not_delay_the_others(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await ended(work, OLD, BOLD, "0.5")
        first, second = session.iterations
        assert len(first.require_diagnosis().findings) == 2
        assert [one.error.cell_id for one in second.require_diagnosis().findings] == ["c1"]
        assert session.verdict is Verdict.AWAITS_YES
        assert edited(session) == ["c0", "c1"]
        meanings = [edit.meaning for edit in second.reviews[-1].proposal.edits]
        assert [meaning is Meaning.EXPERIMENT for meaning in meanings] == [False, True]

    scene(body, modernizer(tmp_path))


def test_repaired_notebook_is_offered_after_a_breakdown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(*_: object) -> None:
        raise FixerFailed(verbatim("The model's server is gone."))

    monkeypatch.setattr(auto, "settle", breaks)

    async def body(work: Modernizer) -> None:
        session = await ended(work, OLD, "0.5")
        assert session.phase is Phase.REVIEWING
        assert text(session.message).startswith("The model's server is gone. Review the changes")
        assert edited(session) == ["c0"]

    scene(body, modernizer(tmp_path))


def test_edits_that_no_run_can_come_to_are_offered_without_one(tmp_path: Path) -> None:
    missing = "import no_such_package_at_all\nrows = no_such_package_at_all.rows()"
    behind = "import numpy as np\nprint(rows)\nnp.float(1)"

    async def body(work: Modernizer) -> None:
        session = await ended(work, missing, behind)
        (run,) = session.iterations
        assert (session.phase, session.verdict) == (Phase.REVIEWING, Verdict.CANNOT_RUN)
        (edit,) = run.reviews[-1].proposal.edits
        assert edit.cell_id == "c1" and edit.unseen
        session = await ended(work, missing, behind, OLD)
        assert len(session.iterations) == 2, "one of the edits can be seen"

    scene(body, modernizer(tmp_path))
