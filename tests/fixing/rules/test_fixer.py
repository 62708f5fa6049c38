from __future__ import annotations

import asyncio

import pytest

from mle_modernizer_server.domain.diagnosis import (
    Diagnosis,
    ErrorKind,
    Finding,
    FixScope,
    FixType,
    Outcome,
)
from mle_modernizer_server.domain.era import Era, Evidence
from mle_modernizer_server.domain.execution import (
    CellError,
    CellRun,
    CellStatus,
    Ending,
    Environment,
    Execution,
    ExecutionStatus,
)
from mle_modernizer_server.domain.grade import Grade, OutputStatus
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook, source_hash
from mle_modernizer_server.domain.proposal import Meaning, Proposal, apply_edits
from mle_modernizer_server.fixing.fixer import Attempt, FixRequest, NoFix
from mle_modernizer_server.fixing.rules.analysis import RulesFixer
from mle_modernizer_server.fixing.rules.engine.staging import plan_step
from mle_modernizer_server.fixing.rules.era.era import combine
from mle_modernizer_server.fixing.rules.fixer import propose
from mle_modernizer_server.words import one_text, text
from tests.fixing.rules.rewriting import error, notebook
from tests.fixing.rules.test_knowledge import TODAY

NO_APPEND = error("b", "AttributeError", "'DataFrame' object has no attribute 'append'", line=1)
OLD = (
    "import pandas as pd\nimport numpy as np\ndf = pd.read_csv('a')\n",
    "df = df.append(df)\n",
    "x = np.float(3)\ndf['a'].fillna(0, inplace=True)\n",
)


def request(
    *sources: str,
    errors: tuple[CellError, ...] = (),
    fix_type: FixType = FixType.ERROR_REPAIR,
    scope: FixScope = FixScope.FILE,
    environment: Environment = TODAY,
    attempts: tuple[Attempt, ...] = (),
    ok: str = "",
    book: Notebook | None = None,
) -> FixRequest:
    """A request for a fix; `ok` names the cells that ran to their end."""
    book = book or notebook(*sources)
    runs = tuple(
        CellRun(
            cell_id=cell.id,
            index=index,
            status=CellStatus.OK if cell.id in ok else CellStatus.NOT_RUN,
            seconds=0.1,
        )
        for index, cell in enumerate(book.cells)
    )
    return FixRequest(
        notebook=book,
        execution=Execution(
            status=ExecutionStatus.ERROR if errors else ExecutionStatus.ERROR_FREE,
            ending=Ending.COMPLETED,
            sandbox="process",
            seconds=1,
            time_limit=600,
            environment=environment,
            cells=runs,
            errors=errors,
        ),
        grade=Grade(output_status=OutputStatus.WITHOUT_CSV),
        diagnosis=Diagnosis(
            outcome=Outcome.ERROR_NON_REPRODUCIBLE,
            execution_status=ExecutionStatus.ERROR,
            output_status=OutputStatus.WITHOUT_CSV,
            findings=tuple(Finding(kind=ErrorKind.ROOT, error=one) for one in errors),
            fix_type=fix_type,
            summary="",
        ),
        fix_type=fix_type,
        scope=scope,
        attempts=attempts,
    )


def proposal(asked: FixRequest) -> Proposal:
    answer = propose(asked)
    assert isinstance(answer, Proposal), answer
    return answer


def fixed(asked: FixRequest) -> list[str]:
    after = apply_edits(asked.notebook, proposal(asked).edits)
    return [cell.source for cell in after.cells]


def test_one_proposal_mends_what_failed_and_what_would_fail_next() -> None:
    answer = proposal(request(*OLD, errors=(NO_APPEND,)))
    assert [edit.cell_id for edit in answer.edits] == ["b", "c"]
    first, second = answer.edits
    assert first.new_source == "df = pd.concat([df, df])\n"
    assert first.reason.startswith("Fails here: AttributeError: 'DataFrame' object has no")
    assert first.base_hash == source_hash(OLD[1])
    assert first.rules == ("pandas-append",)
    assert first.link.startswith("https://")
    assert second.new_source == "x = float(3)\ndf['a'] = df['a'].fillna(0)\n"
    assert "NumPy 1.24 removed np.int" in second.reason
    assert second.meaning is Meaning.BEHAVIOUR_RESTORED, "the gravest of the two"
    assert set(second.rules) == {"pandas-chained-inplace", "numpy-builtin-aliases"}
    assert text(answer.plan).startswith("Cell 2: DataFrame.append")
    assert len(answer.plan) == 3


def test_asking_again_after_it_was_applied_finds_nothing() -> None:
    asked = request(*OLD, errors=(NO_APPEND,))
    again = propose(request(*fixed(asked), errors=(NO_APPEND,)))
    assert isinstance(again, NoFix)


def test_reason_names_the_first_error_that_the_file_was_not_saved_with() -> None:
    errors = (error("a", "KeyError", "'x'"), error("b", "NameError", "name 'y' is not defined"))
    asked = request("d['x']", "y", errors=errors)
    later = propose(asked.model_copy(update={"as_saved": frozenset({"a"})}))
    every = propose(asked.model_copy(update={"as_saved": frozenset({"a", "b"})}))
    assert isinstance(later, NoFix) and "NameError in cell 2" in text(later.reason)
    assert isinstance(every, NoFix) and "KeyError in cell 1" in text(every.reason)


def test_an_explanation_that_is_no_rules_is_no_known_change() -> None:
    asked = request("totals", errors=(error("a", "NameError", "name 'totals' is not defined"),))
    own = asked.diagnosis.findings[0].model_copy(update={"explanation": "No cell defines it."})
    diagnosis = asked.diagnosis.model_copy(update={"findings": (own,)})
    answer = propose(asked.model_copy(update={"diagnosis": diagnosis}))
    assert isinstance(answer, NoFix)
    assert "is a known change" not in text(answer.reason)
    assert "No rule covers the NameError" in text(answer.reason)


def test_the_same_request_gets_the_same_answer() -> None:
    asked = request(*OLD, errors=(NO_APPEND,))
    one, two = proposal(asked), proposal(asked)
    assert [edit.new_source for edit in one.edits] == [edit.new_source for edit in two.edits]
    assert (one.plan, one.remarks) == (two.plan, two.remarks)


def test_in_cell_scope_only_the_first_failing_cell_changes() -> None:
    answer = proposal(request(*OLD, errors=(NO_APPEND,), scope=FixScope.CELL))
    assert [edit.cell_id for edit in answer.edits] == ["b"]


def test_change_beyond_cell_scope_is_reported_and_left() -> None:
    seen = error("b", "TypeError", "Invalid value '1' for dtype 'str'. Value should be a string")
    sources = ("import pandas as pd\ndf = pd.read_csv('a')", "df.loc[0, 's'] = 1")
    answer = propose(request(*sources, errors=(seen,), scope=FixScope.CELL))
    assert isinstance(answer, NoFix)
    assert "it needs a change in the cell `import pandas as pd`, outside the chosen scope" in text(
        answer.reason
    )
    assert fixed(request(*sources, errors=(seen,)))[0].count("infer_string = False") == 1


def test_file_is_offered_in_cell_scope_without_a_failing_cell() -> None:
    answer = propose(request("x = 1", scope=FixScope.CELL))
    assert isinstance(answer, NoFix)
    assert "whole file" in text(answer.reason)


def test_older_versions_do_not_need_it() -> None:
    old = Environment(python="3.7", packages={"pandas": "0.24.2", "numpy": "1.16.4"})
    assert isinstance(propose(request(*OLD, environment=old)), NoFix)
    between = Environment(python="3.10", packages={"pandas": "2.2.3", "numpy": "1.23.0"})
    asked = request(*OLD, errors=(NO_APPEND,), environment=between)
    assert fixed(asked)[1:] == ["df = pd.concat([df, df])\n", OLD[2]]


def test_unknown_version_allows_only_fixes_an_error_proves() -> None:
    nothing = Environment(python="unknown", packages={})
    assert isinstance(propose(request(*OLD, environment=nothing)), NoFix)
    asked = request(*OLD, errors=(NO_APPEND,), environment=nothing)
    assert fixed(asked)[1:] == ["df = pd.concat([df, df])\n", OLD[2]]


PINS = (
    "from sklearn.ensemble import RandomForestClassifier\nfrom sklearn.svm import SVC\n",
    "a = SVC(C=2)\nb = RandomForestClassifier()",
)


def test_defaults_are_pinned_for_the_score_likely_cause_first() -> None:
    assert isinstance(propose(request(*PINS)), NoFix)
    answer = proposal(request(*PINS, fix_type=FixType.SCORE_CALIBRATION, ok="ab"))
    assert answer.edits[0].new_source == (
        "a = SVC(C=2, gamma='auto')\nb = RandomForestClassifier(n_estimators=10)"
    )
    assert answer.edits[0].meaning is Meaning.DEFAULT_PINNED
    assert ["trees of a forest" in line for line in map(one_text, answer.plan)] == [True, False]


def test_silent_changes_are_fixed_for_errors_and_for_the_score() -> None:
    sources = ("import pandas as pd\ndf = pd.read_csv('a')", "df['a'].fillna(0, inplace=True)")
    for fix_type in (FixType.ERROR_REPAIR, FixType.SCORE_CALIBRATION):
        assert fixed(request(*sources, fix_type=fix_type, ok="ab"))[1] == (
            "df['a'] = df['a'].fillna(0)"
        )


def test_a_warning_of_the_run_tells_what_a_table_is() -> None:
    asked = request("d['a'].fillna(0, inplace=True)", ok="a")
    assert isinstance(propose(asked), NoFix)
    run = asked.execution.cells[0].model_copy(
        update={"warnings": ("ChainedAssignmentError: A value is being set on a copy",)}
    )
    execution = asked.execution.model_copy(update={"cells": (run,)})
    warned = asked.model_copy(update={"execution": execution})
    assert fixed(warned) == ["d['a'] = d['a'].fillna(0)"]


def test_successful_code_stays_unless_it_may_not_have_run() -> None:
    source = "import numpy as np\nif a:\n    x = np.float(1)\ny = np.int(1)\n"
    assert fixed(request(source, ok="a")) == [source.replace("np.float", "float")]


def test_data_dependent_changes_wait_for_a_failed_cell() -> None:
    sources = ("import pandas as pd\ndf = pd.read_csv('a')\n", "df.corr()")
    assert isinstance(propose(request(*sources, ok="ab")), NoFix)
    seen = error("b", "ValueError", "could not convert string to float: 'x'", line=1)
    assert fixed(request(*sources, errors=(seen,), ok="a"))[1] == "df.corr(numeric_only=True)"


def test_function_failing_in_another_cell_is_changed_in_place() -> None:
    sources = (
        "import pandas as pd\ndf = pd.read_csv('a')\n",
        "def plot(table):\n    return table.corr()",
        "plot(df)",
    )
    seen = error("c", "ValueError", "could not convert string to float: 'x'", line=1)
    frames = (
        "Cell In[3], line 1\n----> 1 plot(df)",
        "Cell In[2], line 2\n----> 2 table.corr()",
        "File /lib/python3/pandas/core/frame.py:9, in DataFrame.corr(self)",
    )
    seen = seen.model_copy(update={"traceback": frames})
    assert fixed(request(*sources, errors=(seen,), ok="ab"))[1] == (
        "def plot(table):\n    return table.corr(numeric_only=True)"
    )


def test_line_that_called_a_failing_own_module_is_left_alone() -> None:
    seen = error("b", "AttributeError", "'DataFrame' object has no attribute 'append'", line=1)
    frames = (
        "Cell In[2], line 1\n----> 1 show(df.append(df), df.sum())",
        "File /kaggle/working/utils.py:4, in show(df)\n----> 4     df.append(df)",
        "File /lib/python3/site-packages/pandas/core/generic.py:9, in __getattr__",
    )
    seen = seen.model_copy(update={"traceback": frames})
    asked = request("from utils import show", "show(mystery.append(d))", errors=(seen,), ok="a")
    known = Finding(kind=ErrorKind.ROOT, error=seen, explanation="append was removed.")
    diagnosis = asked.diagnosis.model_copy(update={"findings": (known,)})
    answer = propose(asked.model_copy(update={"diagnosis": diagnosis}))
    assert isinstance(answer, NoFix)
    assert "arises in utils.py, line 4" in text(answer.reason)


def test_what_was_rejected_is_not_proposed_again() -> None:
    asked = request(*OLD, errors=(NO_APPEND,))
    plan = proposal(asked).plan
    rejected = Attempt(iteration=1, fixer=RulesFixer.name, plan=plan[:1], accepted=False, result="")
    answer = proposal(request(*OLD, errors=(NO_APPEND,), attempts=(rejected,)))
    assert answer.plan == plan[1:]
    every = rejected.model_copy(update={"plan": plan})
    nothing = propose(request(*OLD, errors=(NO_APPEND,), attempts=(every,)))
    assert isinstance(nothing, NoFix)
    assert "other than those you rejected" in text(nothing.reason)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (
            request("1 / 0", errors=(error("a", "ZeroDivisionError", "division by zero"),)),
            ["No rule", "ZeroDivisionError", "cell 1"],
        ),
        (request("x = 1", fix_type=FixType.RUNTIME_REDUCTION), ["No rule", "faster"]),
        (request("x = 1", fix_type=FixType.SCORE_CALIBRATION), ["No", "default", "behaviour"]),
        (request("x = 1"), ["No rule applies"]),
        (request(book=Notebook(cells=(), language="r")), ["Python"]),
        (request(book=Notebook(cells=())), ["No rule"]),
    ],
)
def test_where_no_rule_applies_it_says_so_plainly(asked: FixRequest, words: list[str]) -> None:
    answer = propose(asked)
    assert isinstance(answer, NoFix)
    for word in words:
        assert word in text(answer.reason)


@pytest.mark.parametrize("has_failed", [True, False])
def test_silent_change_may_explain_a_failure_out_of_time(has_failed: bool) -> None:
    cells = (
        "import pandas as pd\nx = pd.read_csv('a.csv')",
        "texts = list(x.columns[x.dtypes == object])",
        "model.fit(x)",
    )
    failed = error("c", "ValueError", "could not convert string to float: 'female'", line=1)
    asked = request(
        *cells,
        errors=(failed,) if has_failed else (),
        fix_type=FixType.RUNTIME_REDUCTION,
        ok="ab",
    )
    answer = propose(asked)
    if has_failed:
        assert isinstance(answer, Proposal)
        assert [edit.rules for edit in answer.edits] == [("pandas-infer-string",)]
    else:
        assert isinstance(answer, NoFix)


def test_a_rule_that_is_not_sure_says_so_where_the_run_failed() -> None:
    seen = error("b", "AttributeError", "'DataFrame' object has no attribute 'append'")
    answer = propose(request("import pandas as pd", "x = f().append(y)", errors=(seen,)))
    assert isinstance(answer, NoFix)
    assert "Cell 2: not changed, because what `f()` is cannot be told from the code" in text(
        answer.reason
    )


def test_cells_that_no_python_can_read_are_named() -> None:
    asked = request(*OLD, "print 'hello", errors=(NO_APPEND,))
    assert [one_text(remark)[:26] for remark in proposal(asked).remarks] == [
        "Cell 4 was left alone: it "
    ]


def test_a_notebook_whose_code_was_python_2_divides_as_then() -> None:
    def era(cell_id: str | None) -> Era:
        return combine((Evidence(text="", library="python", below="3.0", cell_id=cell_id),), ())

    lines = ("half = len('abc') / 2",)
    assert isinstance(propose(request(*lines)), NoFix)
    by_kernel = request(*lines).model_copy(update={"era": era(None)})
    assert isinstance(propose(by_kernel), NoFix)
    by_code = request(*lines).model_copy(update={"era": era("a")})
    assert fixed(by_code) == ["half = len('abc') // 2"]


def test_cells_in_python_2_are_converted() -> None:
    made = proposal(request(*OLD, "print 'hello'", errors=(NO_APPEND,)))
    edit = made.edits[-1]
    assert edit.new_source == "print('hello')"
    assert edit.rules == ("python2-print",)
    assert made.remarks == ()


def test_cells_are_numbered_as_people_see_them() -> None:
    title = Cell(id="t", type=CellType.MARKDOWN, source="# Title")
    book = notebook(*OLD)
    book = book.model_copy(update={"cells": (title, *book.cells)})
    answer = proposal(request(book=book, errors=(NO_APPEND,)))
    assert text(answer.plan).startswith("Cell 2: ")
    assert "Fails here: " in answer.edits[0].reason


def test_fixer_answers_from_a_thread() -> None:
    heard: list[str] = []
    answer = asyncio.run(RulesFixer().propose(request(*OLD, errors=(NO_APPEND,)), heard.append))
    assert isinstance(answer, Proposal)
    assert heard == [], "a plan that is ready needs no notes of its growth"
    assert len({edit.id for edit in answer.edits}) == len(answer.edits)


READS = ("import pandas as pd", "df = pd.read_csv('a.csv', sep=';')\nb = pd.read_csv('b.csv')")


def test_table_with_text_none_is_read_as_before_pandas_2() -> None:
    asked = request(*READS, fix_type=FixType.SCORE_CALIBRATION, ok="ab")
    assert isinstance(propose(asked), NoFix), "no table is known to hold it"
    held = asked.model_copy(update={"none_texts": frozenset({("b", "'a.csv'")})})
    first, second = fixed(held)[1].splitlines()
    assert first.startswith(
        "df = pd.read_csv('a.csv', sep=';', keep_default_na=False, na_values=['"
    )
    assert "'NA'" in first and "'None'" not in first
    assert second == "b = pd.read_csv('b.csv')"


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("na_values=['-']", "'null', '-'], keep_default_na=False)"),
        ("na_values=['None']", None),
        ("na_values=mine", None),
        ("keep_default_na=False", None),
        ("na_filter=False", None),
        ("**options", None),
    ],
)
def test_table_with_text_none_and_own_missing_values(given: str, written: str | None) -> None:
    source = f"df = pd.read_csv(PATH, {given})"
    asked = request(READS[0], source, fix_type=FixType.SCORE_CALIBRATION, ok="ab")
    answer = propose(asked.model_copy(update={"none_texts": frozenset({("b", "PATH")})}))
    if written is None:
        assert isinstance(answer, NoFix)
    else:
        assert isinstance(answer, Proposal) and answer.edits[0].new_source.endswith(written)


SEARCH = (
    "from sklearn.model_selection import GridSearchCV\n"
    "from sklearn.tree import DecisionTreeClassifier\nfrom sklearn.metrics import make_scorer",
    "GridSearchCV(DecisionTreeClassifier(), {'max_features': ['auto', 'log2']}).fit(X, y)\n"
    "s = make_scorer(loss, needs_proba=True)\nt = DecisionTreeClassifier(max_features='auto')",
)
REPAIRED = (
    SEARCH[1]
    .replace("['auto'", "['sqrt'")
    .replace("needs_proba=True", "response_method='predict_proba'")
)


@pytest.mark.parametrize("fix_type", [FixType.BEFORE_RUN, FixType.SCORE_CALIBRATION])
def test_failure_swallowed_by_a_search_is_repaired_without_error(fix_type: FixType) -> None:
    after = fixed(request(*SEARCH, fix_type=fix_type, ok="ab"))[1]
    assert after.replace(", cv=3", "") == REPAIRED


def test_foreseen_fix_leaves_what_ran_and_what_may_not_run() -> None:
    sources = (OLD[0], "df = df.append(df)", "def f():\n    return np.int(3)")
    assert isinstance(propose(request(*sources, fix_type=FixType.BEFORE_RUN, ok="abc")), NoFix)


@pytest.mark.parametrize(
    ("cells", "step"),
    [(1, "Cell 1: x"), (3, "Cells 1, 2, 3: x"), (5, "Cells 1, 2, 3 and 2 more: x")],
)
def test_plan_step_names_three_cells_and_counts_more(cells: int, step: str) -> None:
    book = notebook(*OLD, *OLD)
    changed = [cell.id for cell in book.code_cells()[:cells]]
    assert one_text(plan_step(book, changed, "x")) == step
