"""The one sentence for the status line."""

from __future__ import annotations

from collections.abc import Sequence

from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding
from mle_modernizer_server.domain.execution import CellStatus, Ending, Execution
from mle_modernizer_server.domain.grade import (
    DistanceMeasure,
    Grade,
    OutputStatus,
    ScoreKind,
)

_DEATHS = {
    Ending.KERNEL_DIED: "The kernel died",
    Ending.OUT_OF_MEMORY: "The kernel was killed because the memory ran out",
    Ending.DISK_FULL: "The kernel was killed because the disk space ran out",
}


def summary(execution: Execution, grade: Grade, findings: Sequence[Finding]) -> str:
    """What a run and its score come to, in one plain sentence."""
    failures = _failures(findings)
    if execution.ending is Ending.CANCELLED:
        return _sentence(f"Cancelled{_in_cell(execution)}", failures)
    if execution.ending is Ending.TIMED_OUT:
        limit = f"Stopped at the time limit of {execution.time_limit:g} s{_in_cell(execution)}"
        return _sentence(limit, failures)
    if execution.ending is Ending.STOPPED:
        return f"Stopped{_in_cell(execution)}, the first that failed."
    died = ""
    if execution.ending in _DEATHS:
        died = f"{_DEATHS[execution.ending]}{_in_cell(execution)}"
    if grade.within_threshold and failures:
        failures += ", but the score holds all the same"
    return _sentence(died, _score(grade), _doubt(grade), _perfect(grade), failures)


def _doubt(grade: Grade) -> str:
    """Why the score is no result yet."""
    doubt = grade.doubt
    if doubt is None:
        return ""
    reasons = []
    if doubt.copy_of:
        reasons.append(f"its predictions are those of {doubt.copy_of}, which was there before")
    if doubt.cells:
        cells = f"{len(doubt.cells)} cell{'s' * (len(doubt.cells) > 1)}"
        reasons.append(f"it depends on {cells} that failed")
    return f"Not judged yet, for {' and '.join(reasons)}"


def _perfect(grade: Grade) -> str:
    return "It is a perfect score: look where it comes from" if grade.perfect else ""


def _sentence(*parts: str) -> str:
    kept = [part for part in parts if part]
    return "; ".join([kept[0], *(part[0].lower() + part[1:] for part in kept[1:])]) + "."


def _score(grade: Grade) -> str:
    if grade.score is not None and grade.score_kind is not ScoreKind.GRADED:
        return _compared(grade, f"{grade.score_kind.value.capitalize()} score")
    if grade.output_status is OutputStatus.WITHOUT_CSV:
        text = "No submission CSV was written"
        return text if grade.target is not None else f"{text}, and no target score is known"
    if grade.output_status is OutputStatus.INVALID_CSV:
        reason = grade.reason.strip().rstrip(".")
        return (
            f"The submission is not valid ({reason})" if reason else "The submission is not valid"
        )
    if grade.score is None:
        reason = grade.reason.strip().rstrip(".")
        return f"No score ({reason})" if reason else "There is no score"
    return _compared(grade, "Score")


def _compared(grade: Grade, name: str) -> str:
    if grade.score is None or grade.target is None:
        return (
            f"{name} {_number(grade.score or 0.0)}; without a target score there is nothing to "
            "compare it with"
        )
    if grade.within_threshold:
        return (
            f"Reproduced: {name.lower()} {_number(grade.score)} is {_distance(grade)} the target "
            f"{_number(grade.target)}"
        )
    better = ", and better" if grade.better_than_target else ""
    return (
        f"{name} {_number(grade.score)} is {_distance(grade)} the target "
        f"{_number(grade.target)}{better}"
    )


def _distance(grade: Grade) -> str:
    if grade.deviation is None:
        return "of another kind than"
    if grade.measure is DistanceMeasure.FLOOR and grade.floor_deviation:
        share = f"{100 * grade.floor_deviation:.2g} %"
        return f"{share} of what the target is above the floor off"
    if grade.deviation == 0:
        return "exactly"
    if grade.deviation_is_absolute:
        return f"{_number(grade.deviation)} off"
    percent = 100 * grade.deviation
    if percent < 0.01:
        return "less than 0.01 % off"
    return f"{percent:.0f} % off" if percent >= 10 else f"{percent:.2g} % off"


def _number(value: float) -> str:
    return f"{value:.5g}"


def _failures(findings: Sequence[Finding]) -> str:
    roots = sum(finding.kind is ErrorKind.ROOT for finding in findings)
    cascades = sum(finding.kind is ErrorKind.CASCADE for finding in findings)
    if not roots:
        return ""
    text = f"{roots} cell{'s' * (roots > 1)} failed"
    if cascades:
        text += f", {cascades} more only because of {'it' if roots == 1 else 'them'}"
    return text


def _in_cell(execution: Execution) -> str:
    """` in cell 7 of 23`, counting code cells as a person does."""
    for ordinal, run in enumerate(execution.cells, start=1):
        stopped = execution.ending is Ending.STOPPED and run.status is CellStatus.ERROR
        if run.status is CellStatus.UNFINISHED or stopped:
            return f" in cell {ordinal} of {len(execution.cells)}"
    return ""
