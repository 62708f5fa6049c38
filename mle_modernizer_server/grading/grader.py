"""CSVs of a run to a grade. The private answers are read here and nowhere else."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.execution import CsvFile
from mle_modernizer_server.domain.grade import Candidate, Grade, OutputStatus
from mle_modernizer_server.grading.csv_table import MOST_BYTES, Table, inside, read_table
from mle_modernizer_server.grading.refusal import InvalidSubmission, Stage, UnusableAnswers

_MOST_CANDIDATES = 100
_ROWS_TOO_MANY = 1_000
"""How far a submission with too many rows is read on, to tell how many they are."""


@dataclass(frozen=True)
class _Look:
    """A candidate and how near to a submission it came."""

    candidate: Candidate
    stage: Stage


def grade_run(
    working: Path,
    csv_files: Sequence[CsvFile],
    competition: Competition | None,
    root: Path,
    *,
    target: float | None,
    threshold: float,
    most_bytes: int = MOST_BYTES,
) -> Grade:
    """Grade what a run left behind.

    Of several valid CSVs the one that is named like a submission counts, else the newest; the
    others are listed with their scores. Nothing in the files raises: what cannot be graded
    comes back with its reason.

    Args:
        working: The run's working directory.
        csv_files: The CSVs found below it.
        competition: Whose metric and answers apply; None: nothing can be graded.
        root: The data root.
        target: The target score, or None.
        threshold: The replication threshold.
        most_bytes: Bound on a CSV's size.
    """
    base = Grade(
        output_status=OutputStatus.WITH_CSV if csv_files else OutputStatus.WITHOUT_CSV,
        target=target,
        threshold=threshold,
    )
    if competition is None:
        reason = (
            "There is no competition, so the CSV cannot be graded."
            if csv_files
            else "The run wrote no CSV, and there is no competition to grade one."
        )
        return base.model_copy(update={"reason": reason})
    base = base.model_copy(
        update={"metric": competition.metric, "higher_is_better": competition.higher_is_better}
    )
    try:
        answers = _answers(competition, root)
        baseline = _baseline(competition, root, answers)
        looks = [
            _look(working, file.path, competition, answers, most_bytes)
            for file in _ranked(working, csv_files, competition)
        ]
    except UnusableAnswers as error:
        return base.model_copy(update={"reason": _blame(competition, error)})
    base = base.model_copy(
        update={"baseline": baseline, "candidates": tuple(look.candidate for look in looks)}
    )
    if not looks:
        return base.model_copy(update={"reason": "The run wrote no CSV."})
    best = next((look.candidate for look in looks if look.candidate.valid), None)
    if best is None or best.score is None:
        nearest = max(looks, key=lambda look: look.stage).candidate
        return base.model_copy(
            update={
                "output_status": OutputStatus.INVALID_CSV,
                "reason": f"{nearest.path}: {nearest.reason}",
            }
        )
    return with_deviation(base.model_copy(update={"submission": best.path, "score": best.score}))


def grade_csv(
    path: Path, competition: Competition, root: Path, *, most_bytes: int = MOST_BYTES
) -> Candidate:
    """Validate and score one CSV; what is wrong with it, or the answers, is its reason."""
    try:
        answers = _answers(competition, root)
        return _look(path.parent, path.name, competition, answers, most_bytes).candidate
    except UnusableAnswers as error:
        return Candidate(path=path.name, valid=False, reason=_blame(competition, error))


def with_deviation(grade: Grade) -> Grade:
    """The grade with the deviation of its score from its target, where it has both.

    The deviation is `|s_r - s_t| / |s_t|` (paper, section 2), for a target of 0 the absolute
    difference. The threshold is inclusive.
    """
    if grade.score is None or grade.target is None:
        return grade
    difference = abs(grade.score - grade.target)
    absolute = grade.target == 0
    deviation = difference if absolute else difference / abs(grade.target)
    if not math.isfinite(deviation):  # a target so small that the quotient overflows
        deviation = sys.float_info.max
    # 1.1 is within 10 % of 1.0 although floating point says 0.10000000000000009.
    within = deviation <= grade.threshold or math.isclose(deviation, grade.threshold, rel_tol=1e-9)
    better = grade.score > grade.target if grade.higher_is_better else grade.score < grade.target
    return grade.model_copy(
        update={
            "deviation": deviation,
            "deviation_is_absolute": absolute,
            "within_threshold": within,
            "better_than_target": better,
        }
    )


def _answers(competition: Competition, root: Path) -> Table:
    folder = (root / competition.id).resolve()
    file = (folder / competition.answers).resolve()
    if not file.is_relative_to(folder):
        raise UnusableAnswers("they lie outside the competition's folder")
    wanted = competition.id_columns + competition.answer_columns
    try:
        return read_table(file, wanted, most_bytes=20 * MOST_BYTES)
    except InvalidSubmission as error:
        raise UnusableAnswers(f"{competition.answers}: {error.message.rstrip('.')}") from error


def _baseline(competition: Competition, root: Path, answers: Table) -> float | None:
    """Score of the sample submission; None where it cannot be graded."""
    folder = (root / competition.id).resolve()
    file = (folder / competition.sample_submission).resolve()
    if not file.is_relative_to(folder):
        return None
    look = _look(file.parent, file.name, competition, answers, 20 * MOST_BYTES)
    return look.candidate.score


def _look(
    working: Path, relative: str, competition: Competition, answers: Table, most_bytes: int
) -> _Look:
    # Only now: importing scikit-learn takes a second, which no server's start should wait for.
    from mle_modernizer_server.grading.assessment import score_submission

    wanted = competition.id_columns + competition.target_columns
    try:
        table = read_table(
            inside(working, relative),
            wanted,
            most_rows=len(answers) + _ROWS_TOO_MANY,
            most_bytes=most_bytes,
        )
        result = score_submission(table, answers, competition)
    except InvalidSubmission as error:
        refused = Candidate(path=relative, valid=False, reason=error.message)
        return _Look(refused, error.stage)
    scored = Candidate(path=relative, valid=True, score=result.score, note=result.note)
    return _Look(scored, Stage.VALUES)


def _ranked(working: Path, csv_files: Sequence[CsvFile], competition: Competition) -> list[CsvFile]:
    """The first hundred CSVs, most likely submission first."""
    sample = _stem(competition.sample_submission)

    def rank(file: CsvFile) -> tuple[int, float, str]:
        stem = _stem(file.path)
        name = 0 if stem == "submission" else 1 if stem == sample else 2 if "sub" in stem else 3
        return name, -_modified(working, file.path), file.path

    return sorted(csv_files, key=rank)[:_MOST_CANDIDATES]


def _stem(path: str) -> str:
    """A file's name, lower case, without any of its suffixes."""
    return PurePosixPath(path).name.lower().split(".", 1)[0]


def _modified(working: Path, relative: str) -> float:
    try:
        return inside(working, relative).lstat().st_mtime
    except (InvalidSubmission, OSError):
        return 0.0  # it is refused with its reason when it is read


def _blame(competition: Competition, error: UnusableAnswers) -> str:
    return f"The answers of {competition.id} cannot be used: {error}."
