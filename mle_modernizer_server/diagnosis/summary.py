"""Summary of a run and its score for the status line."""

from __future__ import annotations

from collections.abc import Sequence

from mle_modernizer_server.domain.diagnosis import Diagnosis, ErrorKind, Finding
from mle_modernizer_server.domain.execution import CellStatus, Ending, Execution, ExecutionStatus
from mle_modernizer_server.domain.grade import (
    DistanceMeasure,
    Grade,
    OutputStatus,
    ScoreKind,
)
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import OutputAgreement, saved_outputs_summary

_DEATHS = {
    Ending.KERNEL_DIED: "summary.kernel-died",
    Ending.OUT_OF_MEMORY: "summary.out-of-memory",
    Ending.DISK_FULL: "summary.disk-full",
}
_NO_COMPETITION = ("grade.no-competition", "grade.no-csv-no-competition")
_SCORES = {
    ScoreKind.GRADED: coded("score.graded"),
    ScoreKind.PRINTED: coded("score.printed"),
    ScoreKind.TYPED: coded("score.typed"),
}


def summary(execution: Execution, grade: Grade, findings: Sequence[Finding]) -> Messages:
    """Summarize a run and its score."""
    failing = _beside_exit(execution, findings)
    failures, cell = _failures(failing, len(execution.cells)), _in_cell(execution)
    if execution.ending is Ending.CANCELLED:
        return coded("summary.cancelled", cell=cell) + failures
    if execution.ending is Ending.TIMED_OUT:
        return coded("summary.timed-out", limit=execution.time_limit, cell=cell) + failures
    if execution.ending is Ending.STOPPED:
        return coded("summary.stopped", cell=cell)
    died = execution.message if execution.ending is Ending.EXITED else ()
    if execution.ending in _DEATHS:
        died = coded(_DEATHS[execution.ending], cell=cell)
    holds = coded("summary.score-holds") if grade.within_threshold and failures else ()
    told = coded("summary.at-floor", floor=grade.floor or 0.0) if grade.no_better_than_floor else ()
    told += coded("summary.same-as", file=grade.same_as) if grade.same_as else ()
    told += _taken_as(grade)
    perfect = coded("summary.perfect") if grade.perfect else ()
    well = _without_competition(grade) and execution.status is ExecutionStatus.ERROR_FREE
    skips = any(run.status is CellStatus.SKIPPED for run in execution.cells)
    ran = coded("summary.ran-others" if skips else "summary.ran") if well else ()
    return died + ran + _score(grade) + _doubt(grade) + told + perfect + failures + holds


def with_agreement(diagnosis: Diagnosis, agreement: OutputAgreement | None) -> Diagnosis:
    """Return a diagnosis that takes the saved outputs into account.

    If nothing could grade the run, the summary has the saved outputs in place of the score. An
    error that the file was saved with is not explained by a change of a library.

    Args:
        diagnosis: The diagnosis without them.
        agreement: How the outputs compare with those saved in the file; None if none were saved.
    """
    if agreement is None:
        return diagnosis
    findings = tuple(
        item.model_copy(update={"explanation": "", "link": ""})
        if item.link and agreement.is_same(item.error.cell_id)
        else item
        for item in diagnosis.findings
    )
    said, ungraded = diagnosis.summary, coded("summary.no-competition")
    if agreement.compared and ungraded[0] in said:
        said = tuple(one for one in said if one not in ungraded) + saved_outputs_summary(agreement)
    return diagnosis.model_copy(update={"findings": findings, "summary": said})


def _beside_exit(execution: Execution, findings: Sequence[Finding]) -> Sequence[Finding]:
    """Return the findings without that of the cell which ended the kernel."""
    if execution.ending is not Ending.EXITED or not execution.errors:
        return findings
    return [finding for finding in findings if finding.error != execution.errors[-1]]


def _taken_as(grade: Grade) -> Messages:
    """Return which columns of the graded submission were taken for others."""
    notes = (one.note for one in grade.candidates if one.path == grade.submission)
    return tuple(one for note in notes for one in note if one.code == "csv.taken-as")


def _without_competition(grade: Grade) -> bool:
    """Return whether nothing could have graded the run."""
    return grade.score is None and any(one.code in _NO_COMPETITION for one in grade.reason)


def _doubt(grade: Grade) -> Messages:
    """Return why the score is no result yet."""
    doubt = grade.doubt
    if doubt is None:
        return ()
    copied = coded("doubt.copy", file=doubt.copy_of) if doubt.copy_of else ()
    return copied + (coded("doubt.cells", count=len(doubt.cells)) if doubt.cells else ())


def _score(grade: Grade) -> Messages:
    if grade.score is not None and grade.score_kind is not ScoreKind.GRADED:
        return _compared(grade, grade.score)
    if _without_competition(grade):
        return coded("summary.no-competition")
    if grade.output_status is OutputStatus.WITHOUT_CSV:
        no_target = coded("summary.no-target") if grade.target is None else ()
        return coded("summary.no-submission") + no_target
    if grade.output_status is OutputStatus.INVALID_CSV:
        return coded("summary.invalid") + grade.reason
    if grade.score is None:
        return coded("summary.no-score") + grade.reason
    return _compared(grade, grade.score)


def _compared(grade: Grade, score: float) -> Messages:
    kind = _SCORES[grade.score_kind]
    if grade.target is None:
        return coded("summary.not-compared", kind=kind, score=score)
    code = "summary.off"
    if grade.within_threshold:
        code = "summary.reproduced"
    elif grade.better_than_target:
        code = "summary.off-and-better"
    return coded(code, kind=kind, score=score, distance=_distance(grade), target=grade.target)


def _distance(grade: Grade) -> Messages:
    if grade.deviation is None:
        return coded("distance.other-kind")
    if grade.measure is DistanceMeasure.FLOOR and grade.floor_deviation:
        return coded("distance.above-floor", percent=_rounded(100 * grade.floor_deviation))
    if grade.deviation == 0:
        return coded("distance.none")
    if grade.deviation_is_absolute:
        return coded("distance.absolute", distance=grade.deviation)
    percent = 100 * grade.deviation
    if percent < 0.01:
        return coded("distance.tiny")
    return coded("distance.percent", percent=_rounded(percent))


def _rounded(percent: float) -> float:
    """With as many digits as anybody cares for: two, or the whole number."""
    return round(percent) if percent >= 10 else float(f"{percent:.2g}")


def _failures(findings: Sequence[Finding], cells: int) -> Messages:
    roots = sum(finding.kind is ErrorKind.ROOT for finding in findings)
    cascades = sum(finding.kind is ErrorKind.CASCADE for finding in findings)
    if not roots:
        return ()
    if cascades:
        return coded("summary.failed-of-and-cascades", count=roots, of=cells, cascades=cascades)
    return coded("summary.failed-of", count=roots, of=cells)


def _in_cell(execution: Execution) -> Messages:
    """Return the words ` in cell …`; empty if the run ended in no cell."""
    for ordinal, run in enumerate(execution.cells, start=1):
        stopped = execution.ending is Ending.STOPPED and run.status is CellStatus.ERROR
        if run.status is CellStatus.UNFINISHED or stopped:
            return coded("summary.in-cell", cell=ordinal)
    return ()
