"""Requests for a fix, and a fixer that talks to the stand-in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import SecretStr

from mle_modernizer_server.domain.competition import Competition, Metric
from mle_modernizer_server.domain.diagnosis import (
    Diagnosis,
    ErrorKind,
    Finding,
    FixScope,
    FixType,
    Outcome,
)
from mle_modernizer_server.domain.execution import (
    CellError,
    CellRun,
    CellStatus,
    Ending,
    Environment,
    Execution,
    ExecutionStatus,
    LiveFact,
)
from mle_modernizer_server.domain.grade import Grade, OutputStatus
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.fixing.fixer import Attempt, FixRequest
from mle_modernizer_server.fixing.llm.prompt import Explain, Relevant, RepairPrompts
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from tests.llm_server import LlmServer

KEY = "sk-test-0123456789abcdefghijklmnop"

IMPORTS = "import pandas as pd\nfrom sklearn.cross_validation import train_test_split"
LOAD = "train = pd.read_csv('../input/train.csv')  # the data"
MODEL = "model = RandomForestClassifier(n_estimators=50)\nmodel.fit(train[['a']], train['y'])"

GOOD = """=== PLAN ===
- c0: train_test_split moved to sklearn.model_selection
=== REPLACE CELL c0 ===
import pandas as pd
from sklearn.model_selection import train_test_split
=== END ===
"""


def notebook() -> Notebook:
    return Notebook(
        cells=(
            Cell(id="m0", type=CellType.MARKDOWN, source="# My model\nIgnore nothing."),
            Cell(id="c0", type=CellType.CODE, source=IMPORTS),
            Cell(id="c1", type=CellType.CODE, source=LOAD),
            Cell(id="c2", type=CellType.CODE, source=MODEL),
        )
    )


COMPETITION = Competition(
    id="wine",
    name="Wine",
    metric=Metric.ACCURACY,
    higher_is_better=True,
    id_columns=("id",),
    target_columns=("quality",),
    answer_columns=("quality",),
)


def error(cell_id: str, index: int, ename: str, evalue: str, **more: Any) -> CellError:
    return CellError(
        cell_id=cell_id,
        index=index,
        ename=ename,
        evalue=evalue,
        traceback=more.pop("traceback", (f"\x1b[0;31m{ename}\x1b[0m: {evalue}",)),
        raised=True,
        **more,
    )


def import_failure() -> CellError:
    return error(
        "c0",
        1,
        "ModuleNotFoundError",
        "No module named 'sklearn.cross_validation'",
        traceback=(
            "\x1b[0;31m---------\x1b[0m",
            "Traceback (most recent call last)",
            "\x1b[0;31mModuleNotFoundError\x1b[0m: No module named 'sklearn.cross_validation'",
        ),
        facts=(LiveFact(name="sklearn offers", value="model_selection"),),
    )


def findings() -> tuple[Finding, ...]:
    return (
        Finding(kind=ErrorKind.ROOT, error=import_failure()),
        Finding(
            kind=ErrorKind.CASCADE,
            error=error("c2", 3, "NameError", "name 'train' is not defined"),
            caused_by="c0",
        ),
        Finding(
            kind=ErrorKind.HARMLESS,
            error=error("c1", 2, "AttributeError", "'MessageFactory' object has no attribute"),
        ),
    )


def fix_request(
    *,
    book: Notebook | None = None,
    fix_type: FixType = FixType.ERROR_REPAIR,
    scope: FixScope = FixScope.FILE,
    found: Sequence[Finding] | None = None,
    attempts: tuple[Attempt, ...] = (),
    runs: Sequence[CellRun] | None = None,
    grade: Grade | None = None,
    description: str = "Predict the quality of wine.",
) -> FixRequest:
    book = book or notebook()
    problems = findings() if found is None else tuple(found)
    cells = runs or [
        CellRun(
            cell_id=cell.id,
            index=index,
            status=CellStatus.OK,
            seconds=index * 10.0,
            warnings=("FutureWarning: the default changes",) if index == 2 else (),
        )
        for index, cell in enumerate(book.cells)
        if cell.type is CellType.CODE
    ]
    return FixRequest(
        notebook=book,
        execution=Execution(
            status=ExecutionStatus.ERROR,
            ending=Ending.COMPLETED,
            sandbox="process",
            seconds=40.0,
            time_limit=600.0,
            environment=Environment(python="3.11.7", packages={"sklearn": "1.9.0"}),
            cells=tuple(cells),
            errors=tuple(item.error for item in problems),
        ),
        grade=grade
        or Grade(
            output_status=OutputStatus.WITH_CSV,
            metric=Metric.ACCURACY,
            score=0.7,
            target=0.875,
            deviation=0.2,
        ),
        diagnosis=Diagnosis(
            outcome=Outcome.ERROR_NON_REPRODUCIBLE,
            execution_status=ExecutionStatus.ERROR,
            output_status=OutputStatus.WITH_CSV,
            findings=problems,
            fix_type=fix_type,
            summary="One root error.",
        ),
        fix_type=fix_type,
        scope=scope,
        competition=COMPETITION,
        description=description,
        attempts=attempts,
    )


def settings(server: LlmServer, **more: Any) -> LlmSettings:
    options: dict[str, Any] = {
        "base_url": server.base_url,
        "model": "gpt-5.2",
        "api_key": SecretStr(KEY),
        "connection_retries": 0,
    }
    return LlmSettings(**{**options, **more})


MARK = "c0ffee42"


def prompts_of(
    *,
    explain: Explain = lambda failure, environment, notebook: None,
    relevant: Relevant = lambda book, environment, era: [],
    send_scores: bool = False,
    max_chars: int = 160_000,
) -> RepairPrompts:
    settings = LlmSettings(send_scores=send_scores).model_copy(
        update={"max_prompt_chars": max_chars}
    )
    prompts = RepairPrompts(settings, explain=explain, relevant=relevant)
    prompts.mark = MARK
    return prompts
