"""The study of a batch: tables, a page that needs nothing but itself, files for other programs."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from contextlib import closing
from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path

import pytest

from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.report.pictures import HEIGHT, flow, shares
from mle_modernizer_server.batch.report.tables import Table, interval, tables
from mle_modernizer_server.batch.report.write import write_report
from mle_modernizer_server.batch.result import Result, RunScore, Status
from mle_modernizer_server.batch.study import Line
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.grade import OutputStatus
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.domain.settings import Mode
from mle_modernizer_server.domain.statistics import FixFacts, RunFacts, SessionFacts, State
from tests.refusals import refused

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
BAD, GOOD = State.ERROR_NON_REPRODUCIBLE, State.ERROR_FREE_REPRODUCIBLE


def result(
    name: str, *states: State, arm: str = "modernized", year: int | None = 2018, cost: float = 0.1
) -> Result:
    """Of a notebook whose runs ended so, one fix after each but the last."""
    usage = Usage(calls=1, input_tokens=100, output_tokens=50, cost_usd=cost)
    runs = tuple(
        RunFacts(
            number=number,
            fixes=number - 1,
            state=state,
            seconds=10.0,
            similarity_to_original=1 - 0.1 * (number - 1),
            errors={"KeyError": 2} if state is BAD else {},
        )
        for number, state in enumerate(states, 1)
    )
    fixes = tuple(
        FixFacts(
            proposal=f"p{number}",
            iteration=number,
            fixer=FixerName.LLM,
            fix_type=FixType.ERROR_REPAIR,
            scope=FixScope.FILE,
            edits=1,
            accepted=1,
            before=before,
            after=after,
            usage=usage,
        )
        for number, (before, after) in enumerate(pairwise(states), 1)
    )
    facts = SessionFacts(
        session="s",
        path=name,
        created_at=NOW,
        seq=1,
        phase=Phase.FINISHED,
        mode=Mode.AUTO,
        runs=runs,
        fixes=fixes,
        first=states[0] if states else State.NOT_RUN,
        best=states[-1] if states else State.NOT_RUN,
        fixes_made=len(fixes),
        usage=sum((fix.usage for fix in fixes), Usage()),
    )
    return Result(
        key=f"{re.sub('[^a-z0-9]', '-', name)}-{arm}".replace(":", "-"),
        line=Line(number=1, notebook=f"/home/somebody/{name}", name=name),
        arm=arm,
        repetition=1,
        status=Status.DONE if states else Status.REFUSED,
        message=TOLD,
        started=NOW,
        seconds=20.0,
        worker="w",
        version="1",
        target=0.9,
        first_year=year,
        packages={"pandas": "3.0"},
        competition="titanic",
        best=len(states) or None,
        scores=tuple(
            RunScore(
                number=number,
                output=OutputStatus.WITH_CSV if state.reproducible else OutputStatus.WITHOUT_CSV,
                score=0.9 if state.reproducible else None,
                deviation=0.0 if state.reproducible else None,
                within=state.reproducible,
            )
            for number, state in enumerate(states, 1)
        ),
        facts=facts if states else None,
    )


TOLD = "It is <b>told</b>.\x1b[2J\x07"

RESULTS = [
    result("a", GOOD, arm="today"),
    result("b", BAD, arm="today"),
    result("c", BAD, arm="today"),
    result("=d", State.TIMEOUT, arm="today"),
    result("a", GOOD),
    result("b", BAD, BAD, GOOD, cost=0.2),
    result("c", BAD, GOOD, year=2019),
    result("=d", arm="modernized"),
]


def of(name: str) -> Table:
    return next(table for table in tables(RESULTS) if table.name == name)


def test_arms_are_compared_with_intervals_and_a_paired_test() -> None:
    today, modernized = of("arms").rows
    assert today[:4] == ("today", 4, 1, "25.0%")
    assert modernized[:4] == ("modernized", 4, 3, "75.0%")
    assert modernized[5:] == (2, 0, "0.5")
    picture = shares(of("arms"))
    assert [row.label for row in picture.rows] == [
        "today: 1 of 4 (25.0%)",
        "modernized: 3 of 4 (75.0%)",
    ]
    for row in picture.rows:
        assert picture.left < row.low < row.share < row.high < picture.right
        assert row.text_y < row.line_y < picture.height
    error_free = of("arms-error-free")
    assert error_free.columns[5:] == ("gained over today", "lost against today", "p")
    assert [row[:4] for row in error_free.rows] == [
        ("today", 4, 1, "25.0%"),
        ("modernized", 4, 3, "75.0%"),
    ]
    assert interval(4501, 12720) == pytest.approx((0.3456, 0.3622), abs=1e-4)
    assert interval(0, 0) == (0.0, 1.0)


def test_outcomes_fixes_errors_and_cost_are_counted() -> None:
    assert [row[:4] for row in of("outcomes-modernized").rows] == [
        ("error-free", "with a valid CSV", "inside the threshold", 3),
        ("not run", "", "", 1),
    ]
    assert ("error", "without a CSV", "", 2) in [
        row[:4] for row in of("outcomes-modernized-before").rows
    ]
    assert ("timeout", "", "", 1) in [row[:4] for row in of("outcomes-today").rows]
    [fixes] = of("fixes").rows
    columns = dict(zip(of("fixes").columns, fixes, strict=True))
    assert columns["fixes"] == 3
    assert columns[GOOD.value] == 2
    assert columns[BAD.value] == 1
    assert ("modernized", "KeyError", 2, 0) in of("errors").rows
    cost = {row[1]: row[2] for row in of("cost").rows}
    assert cost["total"] == pytest.approx(0.5)
    assert cost["notebook"] == pytest.approx(0.125)
    assert [row[1:5] for row in of("by-year").rows if row[0] == "modernized"] == [
        ("2018", 3, 1, 2),
        ("2019", 1, 0, 1),
    ]
    assert of("left-out").rows == (("=d", "modernized", "refused", TOLD),)


def test_score_without_proof_is_not_counted_as_reproducible() -> None:
    one = result("a", BAD, GOOD)
    assert one.facts is not None
    facts = one.facts.model_copy(update={"best": State.ERROR_FREE_NON_REPRODUCIBLE})
    unproven = one.model_copy(update={"facts": facts})
    (outcomes,) = (table for table in tables([unproven]) if table.name == "outcomes-modernized")
    assert outcomes.rows == (
        (
            *("error-free", "with a valid CSV", "inside the threshold, not proven"),
            *(1, "100.0%", "non-reproducible"),
        ),
    )


def test_without_targets_error_free_notebooks_count(
    folder: StudyFolder,
) -> None:
    runs, fails = State.ERROR_FREE_NON_REPRODUCIBLE, State.ERROR_NON_REPRODUCIBLE
    for item in (result("a", fails, arm="today"), result("a", fails, runs), result("b", fails)):
        folder.keep(item.model_copy(update={"target": None}))
    page = write_report(folder).read_text()
    made = {table.name: table for table in tables(list(folder.results()))}
    assert "arms" not in made
    assert {row[:3] for row in made["arms-error-free"].rows} == {
        ("today", 1, 0),
        ("modernized", 2, 1),
    }
    assert [row[1:5] for row in made["by-year"].rows] == [("2018", 2, 0, 1), ("2018", 1, 0, 0)]
    words = re.sub("<[^>]*>", "", page.partition("<body")[2])
    assert "reproducib" not in words and "Outcomes of 2 notebooks" in words
    assert '<th scope="col">target</th>' not in page and "unchanged, with today" in page
    assert ">with errors: 2</text>" in page and ">error-free: 1</text>" in page


def test_notebooks_known_without_target_are_not_asked_for_one() -> None:
    free = result("free", State.ERROR_FREE_NON_REPRODUCIBLE).model_copy(update={"target": None})
    made = {table.name: table for table in tables([*RESULTS, free])}
    assert made["arms"].rows[1][:3] == ("modernized", 4, 3)
    assert made["arms-error-free"].rows[1][:3] == ("modernized", 5, 4)


def test_bands_fill_their_bars() -> None:
    picture = flow("modernized", [item for item in RESULTS if item.arm == "modernized"])
    assert sum(band.notebooks for band in picture.bands) == 4
    assert {bar.notebooks for bar in picture.bars} == {1, 2, 3}
    assert all(bar.y + bar.height <= HEIGHT for bar in picture.bars)


def test_the_files_say_the_same_and_nothing_hostile_acts(folder: StudyFolder) -> None:
    for item in RESULTS:
        folder.keep(item)
    page = write_report(folder).read_text()
    assert '<th scope="col" class="number">target</th>' in page
    assert "\x1b" not in page and "\x07" not in page
    assert "<b>told" not in page and "&lt;b&gt;told" in page
    assert "/home/somebody" not in page
    assert "<script" not in page and "http:" not in page and "https:" not in page
    for file in folder.root.glob("tables/*.csv"):
        assert not set("\x1b\x07") & set(file.read_text())
    with (folder.root / "tables/notebooks.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert sorted(row["notebook"] for row in rows)[:2] == ["'=d", "'=d"]
    summary = json.loads((folder.root / "summary.json").read_text())
    assert summary["tables"]["arms"][1]["reproducible"] == 3
    with closing(sqlite3.connect(folder.root / "study.sqlite")) as database:
        assert database.execute("select count(*), sum(cost_usd) from notebooks").fetchone() == (
            8,
            pytest.approx(0.5),
        )
        assert database.execute("select count(*) from runs").fetchone() == (10,)
        assert database.execute("select count(*) from fixes").fetchone() == (3,)


def test_folder_without_results_has_a_report_another_has_none(
    folder: StudyFolder,
) -> None:
    assert "0 notebooks" in write_report(folder).read_text()
    with refused(BadInput, match="not a batch folder"):
        write_report(StudyFolder(folder.root / "results"))


def test_every_column_of_the_database_is_documented(folder: StudyFolder) -> None:
    write_report(folder)
    rows = (Path(__file__).parents[2] / "docs" / "batch.md").read_text("utf-8").splitlines()
    with closing(sqlite3.connect(folder.root / "study.sqlite")) as database:
        tables = [name for (name,) in database.execute("select name from sqlite_master")]
        assert len(tables) == 3
        for table in tables:
            (described,) = (row for row in rows if row.startswith(f"| `{table}`, one row"))
            columns = [column[1] for column in database.execute(f"pragma table_info({table})")]
            missing = [column for column in columns if f"`{column}`" not in described]
            assert not missing, table
