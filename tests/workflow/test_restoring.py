"""Runs without an error that give other outputs than the saved ones: known silent changes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import GradedRun, Phase, Session
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.execution.notebook_file import open_notebook
from mle_modernizer_server.words import text
from tests.workflow.scenes import with_services
from tests.workflow.test_recovery import modernizer

TABLE = (
    "import pandas as pd\n"
    "table = pd.DataFrame({'n': [1, 2, 3]})\n"
    "table['k'] = pd.cut(table['n'], [0, 1, 5, 9])"
)
SUMS = "sums = table.groupby('k')['n'].sum()"
ASIDE = "aside = table.groupby('k')['n'].max()"
SHOWN = "print(len(sums), len(table))"


async def ended(folder: Path, saved: str, **settings: Any) -> Session:
    """The session of a notebook whose last cell had shown this."""
    return await worked(folder, {TABLE: "", SUMS: "", ASIDE: "", SHOWN: saved}, **settings)


async def worked(folder: Path, sources: dict[str, str], **settings: Any) -> Session:
    """The session of a notebook with what its cells had shown."""
    cells = [
        {
            "cell_type": "code",
            "execution_count": 1,
            "metadata": {},
            "source": source,
            "outputs": [{"output_type": "stream", "name": "stdout", "text": shown}] * bool(shown),
        }
        for source, shown in sources.items()
    ]
    old = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    path = folder / "old.ipynb"
    path.write_text(json.dumps(old), "utf-8")
    file = open_notebook(path)
    work = modernizer(folder)
    chosen = SessionSettings(sandbox="process", fixers=(FixerName.RULES,), **settings)
    work = with_services(work, notebook_folder=lambda path: folder)
    session = work.sessions.create(
        "old.ipynb", file.notebook, chosen, file.traces, folder, file.saved
    )
    work.runs.start_run(session.id, file.notebook)
    session = await asyncio.wait_for(work.sessions.finished(session.id), 120)
    await work.close()
    return session


def edits(session: Session) -> list[str]:
    return [edit.new_source for edit in session.iterations[-1].reviews[-1].proposal.edits]


async def test_what_brings_saved_outputs_back_is_kept(tmp_path: Path) -> None:
    session = await ended(tmp_path, "3 3\n", mode=Mode.AUTO)
    runs = [run.agreement for run in session.iterations if isinstance(run, GradedRun)]
    assert [one.agreeing for one in runs if one is not None] == [0, 1]
    assert session.best == 2 and session.phase is Phase.REVIEWING
    assert edits(session) == [SUMS.replace("'k'", "'k', observed=False")]
    assert text(session.result) == "Reproduces its saved outputs"


async def test_a_cell_that_gave_what_was_saved_is_left_as_it_was(tmp_path: Path) -> None:
    both = "print(len(sums) + len(table.groupby('k')['n'].max()))"
    sources = {TABLE: "", f"{SUMS}\nprint(len(sums))": "2\n", both: "5\n"}
    session = await worked(tmp_path, sources, mode=Mode.AUTO)
    runs = [run.agreement for run in session.iterations if isinstance(run, GradedRun)]
    assert [one.agreeing for one in runs if one is not None] == [1, 0, 2]
    assert session.best == 3
    assert edits(session) == [both.replace("'k'", "'k', observed=False")]


async def test_what_brings_outputs_nearer_is_kept(tmp_path: Path) -> None:
    lines = "print('words ' * 9)\nprint(len(sums), len(table), 7)"
    sources = {TABLE: "", SUMS: "", lines: f"{'words ' * 9}\n3 3 9\n"}
    session = await worked(tmp_path, sources, mode=Mode.AUTO)
    assert session.best == 2 and session.phase is Phase.REVIEWING
    assert edits(session) == [SUMS.replace("'k'", "'k', observed=False")]


async def test_what_brings_none_back_is_taken_back_and_said(tmp_path: Path) -> None:
    session = await ended(tmp_path, "9 9\n", mode=Mode.AUTO)
    assert len(session.iterations) == 2 and session.best == 1
    assert session.phase is Phase.FINISHED
    assert not any(review.final for run in session.iterations for review in run.reviews)
    assert "no more outputs are as saved" in text(session.details)


async def test_a_run_that_is_cut_off_is_no_answer(tmp_path: Path) -> None:
    slower = (
        f"from pathlib import Path\nimport time\nseen = Path({str(tmp_path / 'seen')!r})\n"
        "if seen.exists():\n    time.sleep(600)\n_ = seen.write_text('once')"
    )
    sources = {slower: "", TABLE: "", SUMS: "", SHOWN: "3 3\n"}
    session = await worked(tmp_path, sources, mode=Mode.AUTO, time_limit=8)
    assert session.best == 1 and "the time was up" in text(session.details)


async def test_step_by_step_it_is_put_up_for_review(tmp_path: Path) -> None:
    session = await ended(tmp_path, "3 3\n", mode=Mode.STEP)
    assert len(session.iterations) == 1 and session.phase is Phase.REVIEWING
    assert edits(session) == [SUMS.replace("'k'", "'k', observed=False")]
    assert "restores the old behaviour" in text(session.message)


FAILS = "raise ValueError('gone')"


async def test_output_beside_a_failed_cell_is_restored(tmp_path: Path) -> None:
    sources = {TABLE: "", FAILS: "", SUMS: "", SHOWN: "3 3\n"}
    session = await worked(tmp_path, sources, mode=Mode.AUTO)
    runs = [run.agreement for run in session.iterations if isinstance(run, GradedRun)]
    assert [one.agreeing for one in runs if one is not None] == [0, 1]
    assert session.best == 2 and session.phase is Phase.REVIEWING
    assert edits(session) == [SUMS.replace("'k'", "'k', observed=False")]
    assert "ValueError" in text(session.message)


async def test_output_beside_a_failed_cell_is_restored_step_by_step(tmp_path: Path) -> None:
    sources = {TABLE: "", FAILS: "", SUMS: "", SHOWN: "3 3\n"}
    session = await worked(tmp_path, sources, mode=Mode.STEP)
    assert session.phase is Phase.REVIEWING
    assert edits(session) == [SUMS.replace("'k'", "'k', observed=False")]


async def test_output_behind_a_failed_cell_is_left(tmp_path: Path) -> None:
    sources = {TABLE: "", f"table = table[:3]\n{FAILS}": "", SUMS: "", SHOWN: "3 3\n"}
    session = await worked(tmp_path, sources, mode=Mode.AUTO)
    assert len(session.iterations) == 1 and session.phase is Phase.FINISHED


async def test_nothing_is_asked_for_where_outputs_are_as_saved(tmp_path: Path) -> None:
    session = await ended(tmp_path, "2 3\n", mode=Mode.AUTO)
    assert len(session.iterations) == 1 and session.phase is Phase.FINISHED
    assert session.details == ()


READS = "import pandas as pd\nkinds = pd.read_csv('kinds.csv')"
COUNTS = "print(kinds.kind.isnull().sum())"


async def test_table_with_text_none_is_read_as_saved(tmp_path: Path) -> None:
    (tmp_path / "kinds.csv").write_text("kind,n\nNone,1\nhouse,2\n", "utf-8")
    session = await worked(tmp_path, {READS: "", COUNTS: "0\n"}, mode=Mode.AUTO)
    assert text(session.result) == "Reproduces its saved outputs"
    [edit] = session.iterations[-1].reviews[-1].proposal.edits
    assert edit.rules == ("pandas-read-csv-none",)
    assert "read_csv takes the text None for a missing value" in edit.reason


async def test_table_without_text_none_is_left(tmp_path: Path) -> None:
    (tmp_path / "kinds.csv").write_text("kind,n\nNonesuch,1\n,2\n", "utf-8")
    session = await worked(tmp_path, {READS: "", COUNTS: "0\n"}, mode=Mode.AUTO)
    assert len(session.iterations) == 1


SEARCH = (
    "from sklearn.datasets import load_iris\nfrom sklearn.model_selection import GridSearchCV\n"
    "from sklearn.tree import DecisionTreeClassifier\nX, y = load_iris(return_X_y=True)\n"
    "tree = DecisionTreeClassifier(random_state=0, max_depth=1)\n"
    "grid = {'max_features': ['auto', 'log2']}\n"
    "scores = GridSearchCV(tree, grid, cv=3).fit(X, y).cv_results_['mean_test_score']"
)
NANS = "print(sum(scores != scores))"


async def test_scores_of_nan_are_repaired_without_an_error(tmp_path: Path) -> None:
    session = await worked(tmp_path, {SEARCH: "", NANS: "0\n"}, mode=Mode.AUTO)
    assert text(session.result) == "Reproduces its saved outputs"
    assert edits(session) == [SEARCH.replace("'auto'", "'sqrt'")]


async def test_predicted_change_is_named_where_outputs_still_differ(tmp_path: Path) -> None:
    session = await worked(tmp_path, {SEARCH: "", NANS: "7\n"}, mode=Mode.AUTO)
    assert edits(session) == [SEARCH.replace("'auto'", "'sqrt'")], "it is right all the same"
    assert "the rules have nothing more to restore. Cell 1: max_features='auto'" in text(
        session.details
    )
    assert "No known silent change" not in text(session.details)
