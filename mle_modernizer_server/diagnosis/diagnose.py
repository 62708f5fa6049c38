"""The diagnosis of a run: outcome, findings, and the fix type by the paper's rule."""

from __future__ import annotations

from mle_modernizer_server.code.slices import has_predictions
from mle_modernizer_server.diagnosis.causes import findings
from mle_modernizer_server.diagnosis.summary import summary
from mle_modernizer_server.domain.diagnosis import Diagnosis, FixType, Outcome
from mle_modernizer_server.domain.execution import Ending, Execution, ExecutionStatus
from mle_modernizer_server.domain.grade import Grade
from mle_modernizer_server.domain.notebook import Notebook


def diagnose(notebook: Notebook, execution: Execution, grade: Grade) -> Diagnosis:
    """Diagnose a run and its score, and select the type of fix (paper, section 3.1).

    A notebook whose score is inside the band is reproducible even if cells fail, unless the score
    is in doubt: then there is no result yet. A score better than the band is not pushed down: no
    calibration is due. Without a target score the outcome depends on the errors alone. A submission
    that is missing or invalid is a fault of its own: no score can be calibrated before it is fixed.
    Without a target, a notebook that only explores the data needs none.

    Args:
        notebook: The sources that ran.
        execution: The run.
        grade: The score of its submission.
    """
    found = findings(notebook, execution)
    return Diagnosis(
        outcome=_outcome(execution, grade),
        execution_status=execution.status,
        output_status=grade.output_status,
        findings=found,
        fix_type=_fix_type(notebook, execution, grade),
        summary=summary(execution, grade, found),
    )


def _outcome(execution: Execution, grade: Grade) -> Outcome:
    if execution.ending in (Ending.TIMED_OUT, Ending.CANCELLED):
        return Outcome.FAILED
    if execution.ending is Ending.STOPPED:  # whatever files it had written
        return Outcome.ERROR_NON_REPRODUCIBLE
    if execution.status is ExecutionStatus.ERROR_FREE:
        if grade.within_threshold:
            return Outcome.ERROR_FREE_REPRODUCIBLE
        return Outcome.ERROR_FREE_NON_REPRODUCIBLE
    if grade.within_threshold:
        return Outcome.ERROR_REPRODUCIBLE
    return Outcome.ERROR_NON_REPRODUCIBLE


def _fix_type(notebook: Notebook, execution: Execution, grade: Grade) -> FixType | None:
    if execution.ending is Ending.CANCELLED:
        return None
    if execution.ending is Ending.TIMED_OUT:
        return FixType.RUNTIME_REDUCTION
    if execution.ending is Ending.STOPPED:
        return FixType.ERROR_REPAIR
    if grade.within_threshold:
        return None
    if execution.status is ExecutionStatus.ERROR:
        return FixType.ERROR_REPAIR
    if grade.doubt is not None and grade.doubt.in_band:
        return None
    if grade.lacks_submission and (grade.target is not None or has_predictions(notebook)):
        return FixType.SUBMISSION
    incomparable = grade.score is not None and grade.deviation is None
    if grade.target is None or incomparable or grade.better_than_target:
        return None
    return FixType.SCORE_CALIBRATION
