"""Outcome, fix type and the sentence for the status line."""

from __future__ import annotations

import pytest

from mle_modernizer_server.diagnosis import diagnose
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.diagnosis import FixType, Outcome
from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.domain.grade import Grade, OutputStatus, ScoreKind
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.words import text

FAILING = ("x = bad()", ("TypeError", "bad"))
FOLLOWING = ("x", ("NameError", "name 'x' is not defined"))


def _grade(score=None, target=0.92, **more):
    if score is None:
        return Grade(output_status=OutputStatus.WITHOUT_CSV, target=target, **more)
    deviation = None if target is None else abs(score - target) / abs(target)
    return Grade(
        output_status=OutputStatus.WITH_CSV,
        score=score,
        target=target,
        deviation=deviation,
        within_threshold=deviation is not None and deviation <= 0.1,
        better_than_target=target is not None and score > target,
        **more,
    )


def test_a_cell_that_ends_the_kernel_is_named_first(ran):
    notebook, execution = ran(("exit()", ("KernelExit", "The cell ends the kernel.")), "x = 1")
    said = coded("run.exits-early", cell=1, call="exit()", count=1)
    execution = execution.model_copy(update={"ending": Ending.EXITED, "message": said})
    found = diagnose(notebook, execution, _grade(target=None))
    assert (found.outcome, found.fix_type) == (
        Outcome.ERROR_NON_REPRODUCIBLE,
        FixType.ERROR_REPAIR,
    )
    assert text(found.summary).startswith(
        "Cell 1 ends the kernel with exit(); the cell below it did not run. "
    )
    assert "failed" not in text(found.summary)


@pytest.mark.parametrize(
    ("cells", "grade", "outcome", "fix_type"),
    [
        (["x = 1"], _grade(0.9), Outcome.ERROR_FREE_REPRODUCIBLE, None),
        ([FAILING], _grade(0.9), Outcome.ERROR_REPRODUCIBLE, None),
        (
            ["x = 1"],
            _grade(0.5),
            Outcome.ERROR_FREE_NON_REPRODUCIBLE,
            FixType.SCORE_CALIBRATION,
        ),
        (["x = 1"], _grade(), Outcome.ERROR_FREE_NON_REPRODUCIBLE, FixType.SCORE_CALIBRATION),
        ([FAILING], _grade(0.5), Outcome.ERROR_NON_REPRODUCIBLE, FixType.ERROR_REPAIR),
        ([FAILING], _grade(), Outcome.ERROR_NON_REPRODUCIBLE, FixType.ERROR_REPAIR),
        # Without a target nothing can be compared.
        (["x = 1"], _grade(0.5, None), Outcome.ERROR_FREE_NON_REPRODUCIBLE, None),
        (["x = 1"], _grade(None, None), Outcome.ERROR_FREE_NON_REPRODUCIBLE, None),
        ([FAILING], _grade(0.5, None), Outcome.ERROR_NON_REPRODUCIBLE, FixType.ERROR_REPAIR),
        # A better score is not pushed down.
        (["x = 1"], _grade(0.9, 0.5), Outcome.ERROR_FREE_NON_REPRODUCIBLE, None),
        ([FAILING], _grade(0.9, 0.5), Outcome.ERROR_NON_REPRODUCIBLE, FixType.ERROR_REPAIR),
    ],
)
def test_outcome_and_fix_type_by_errors_and_score(ran, cells, grade, outcome, fix_type):
    diagnosis = diagnose(*ran(*cells), grade)
    assert (diagnosis.outcome, diagnosis.fix_type) == (outcome, fix_type)


@pytest.mark.parametrize(
    ("code", "status", "target", "fix_type"),
    [
        ("df.head()", OutputStatus.WITHOUT_CSV, 0.9, FixType.SUBMISSION),
        ("df.head()", OutputStatus.INVALID_CSV, 0.9, FixType.SUBMISSION),
        ("sub.to_csv('s.txt')", OutputStatus.WITHOUT_CSV, None, FixType.SUBMISSION),
        ("p = model.predict(X)", OutputStatus.WITHOUT_CSV, None, FixType.SUBMISSION),
        ("sub.to_csv('s.csv')", OutputStatus.INVALID_CSV, None, FixType.SUBMISSION),
        ("df.head()", OutputStatus.WITHOUT_CSV, None, None),
    ],
)
def test_lacking_submission_is_a_fault_of_its_own(ran, code, status, target, fix_type):
    executed = ran(f"if 0: {code}")
    lacking = Grade(output_status=status, target=target, metric=Metric.RMSE)
    assert diagnose(*executed, lacking).fix_type is fix_type
    printed = lacking.model_copy(update={"target_kind": ScoreKind.PRINTED})
    calibrated = None if target is None else FixType.SCORE_CALIBRATION
    assert diagnose(*executed, printed).fix_type is calibrated, "its score needs no submission"


@pytest.mark.parametrize(
    ("ending", "outcome", "fix_type"),
    [
        (Ending.TIMED_OUT, Outcome.FAILED, FixType.RUNTIME_REDUCTION),
        (Ending.CANCELLED, Outcome.FAILED, None),
        (Ending.STOPPED, Outcome.ERROR_NON_REPRODUCIBLE, FixType.ERROR_REPAIR),
    ],
)
def test_endings_that_decide_alone(ran, ending, outcome, fix_type):
    for cells in (["x = 1"], [FAILING, "y"]):
        for grade in (_grade(), _grade(0.92)):
            diagnosis = diagnose(*ran(*cells, ending=ending), grade)
            assert (diagnosis.outcome, diagnosis.fix_type) == (outcome, fix_type)


@pytest.mark.parametrize(
    ("ending", "name", "words"),
    [
        (Ending.KERNEL_DIED, "KernelDied", "The kernel died"),
        (
            Ending.OUT_OF_MEMORY,
            "OutOfMemory",
            "The kernel was killed because it ran out of memory",
        ),
        (Ending.DISK_FULL, "DiskFull", "The kernel was killed because it ran out of disk space"),
    ],
)
def test_a_dead_kernel_counts_as_an_error(ran, ending, name, words):
    died = ("big()", (name, "It is gone."))
    diagnosis = diagnose(*ran("x = 1", died, ending=ending), _grade())
    assert diagnosis.outcome is Outcome.ERROR_NON_REPRODUCIBLE
    assert diagnosis.fix_type is FixType.ERROR_REPAIR
    assert text(diagnosis.summary).startswith(f"{words} in cell 2. ")
    root = diagnosis.first_root()
    assert root is not None and root.error.cell_id == "c1"


@pytest.mark.parametrize(
    ("cells", "grade", "sentence"),
    [
        (
            [FAILING, FOLLOWING],
            _grade(0.61),
            "Score 0.61 is 34 % off the target 0.92. "
            "1 of 2 cells fails, and 1 more as a consequence.",
        ),
        (["x"], _grade(0.92), "Reproduced. Score 0.92 is exactly the target 0.92."),
        (
            ["x"],
            _grade(0.92000001),
            "Reproduced. Score 0.92 is within 0.01 % of the target 0.92.",
        ),
        (["x"], _grade(0.9), "Reproduced. Score 0.9 is 2.2 % off the target 0.92."),
        (
            [FAILING],
            _grade(0.9),
            "Reproduced. Score 0.9 is 2.2 % off the target 0.92. 1 of 1 cells fails. The score "
            "is reached all the same.",
        ),
        (["x"], _grade(), "No submission CSV was written."),
        (
            ["x"],
            _grade(None, None, reason=coded("grade.no-csv-no-competition")),
            "Every cell ran without an error. No competition is selected, so there is no score.",
        ),
        (
            [FAILING],
            _grade(None, None, reason=coded("grade.no-csv-no-competition")),
            "No competition is selected, so there is no score. 1 of 1 cells fails.",
        ),
        (
            ["x"],
            Grade(output_status=OutputStatus.INVALID_CSV, reason="Column `y` is missing."),
            "The submission is invalid. Column `y` is missing.",
        ),
        (
            ["x"],
            _grade(0.9, None),
            "Score 0.9; there is no target score to compare it with.",
        ),
        (["x"], _grade(0.9, 0.5), "Score 0.9 is 80 % off the target 0.5, on the better side."),
        (
            ["x"],
            _grade(0.3, 0.2).model_copy(
                update={"target": 0.0, "deviation": 0.3, "deviation_is_absolute": True}
            ),
            "Score 0.3 is 0.3 off the target 0, on the better side.",
        ),
    ],
)
def test_the_summary_is_plain(ran, cells, grade, sentence):
    assert text(diagnose(*ran(*cells), grade).summary) == sentence


def test_the_summary_of_a_timeout_names_the_cell(ran):
    diagnosis = diagnose(*ran("a", FAILING, "c", ending=Ending.TIMED_OUT), _grade())
    assert text(diagnosis.summary) == (
        "Stopped at the time limit of 10 min in cell 3. 1 of 3 cells fails."
    )
