"""CSVs of a run to a grade. The private answers are read in a process of its own (`child`)."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.execution import CsvFile
from mle_modernizer_server.domain.grade import (
    DistanceMeasure,
    Doubt,
    Grade,
    OutputStatus,
    ScoreKind,
)
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.grading.csv_table import MOST_BYTES, inside
from mle_modernizer_server.grading.distance import with_deviation
from mle_modernizer_server.grading.fingerprint import seal
from mle_modernizer_server.grading.job import Job, Look, Said
from mle_modernizer_server.grading.metric_facts import FACTS
from mle_modernizer_server.grading.own_process import Ending, Limits, run
from mle_modernizer_server.grading.proofs import Predictions, ids_of
from mle_modernizer_server.grading.refusal import InvalidSubmission
from mle_modernizer_server.grading.validation import submission_columns
from mle_modernizer_server.untrusted.files import exists, is_file, resolved

_MOST_CANDIDATES = 100
_MOST_BREAKDOWNS = 3
"""So many submissions may break the grading process before the rest is left ungraded."""
_STANDARD = Limits()


_Stamp = tuple[str, str, tuple[int, int], tuple[int, int]]
_floors: dict[_Stamp, Said] = {}
"""Floors, valid while answers and sample submission stay unchanged."""
_MOST_FLOORS = 100


class _Session:
    """The grading of some submissions, over as many processes as it takes."""

    def __init__(self) -> None:
        self.looks: list[Look] = []
        self.unusable: Messages = ()
        self.ready = False
        self.floor: Said | None = None
        self._begun = ""

    def hear(self, said: Said) -> None:
        if said.unusable:
            self.unusable = said.unusable
        self.ready = self.ready or said.ready
        if said.floor is not None:
            self.floor = said
        if said.begun is not None:
            self._begun = said.begun
        if said.look is not None:
            self.looks.append(said.look)
            self._begun = ""

    def grade_from_floor(self, job: Job, limits: Limits) -> None:
        """Grade all submissions of a job, with a floor from before if its files are the same."""
        description = job.competition.model_dump_json()
        stamp = (str(job.answers), description, _stamp(job.answers), _stamp(job.sample))
        self.floor = _floors.get(stamp)
        self.grade(job, limits)
        if self.floor is not None and len(_floors) < _MOST_FLOORS:
            _floors[stamp] = self.floor

    def grade(self, job: Job, limits: Limits) -> None:
        """Grade all submissions of a job; one that breaks the process does not take the others."""
        left = job.paths
        for _ in range(_MOST_BREAKDOWNS + 1):
            self._begun = ""
            header = self.floor.header if self.floor is not None else ()
            known = {"paths": left, "floor": self.floor is None, "header": header}
            rest = job.model_copy(update=known)
            ending, words = run(rest, limits, self.hear)
            if ending is Ending.DONE:
                return
            reason = _breakdown(ending, limits, words)
            if not self._begun:
                self.unusable = reason
                return
            self.looks.append(Look.refused(self._begun, reason))
            left = left[left.index(self._begun) + 1 :]
            if not left:
                return
        broken = coded("grading.too-many-broke")
        self.looks += [Look.refused(path, broken) for path in left]


def grade_run(
    working: Path,
    csv_files: Sequence[CsvFile],
    competition: Competition | None,
    root: Path,
    *,
    target: float | None,
    threshold: float,
    measure: DistanceMeasure = DistanceMeasure.TARGET,
    target_kind: ScoreKind = ScoreKind.GRADED,
    sealed: str | None = None,
    most_bytes: int = MOST_BYTES,
    limits: Limits = _STANDARD,
    olds: Mapping[str, Path] | None = None,
    earlier: Mapping[str, Path] | None = None,
) -> Grade:
    """Grade the files that a run wrote.

    Of several valid CSVs the one counts whose columns are the sample submission's, then the one
    that is named like a submission, then the newest; the others are listed with their scores.
    Nothing in the files raises: a file that cannot be graded comes back with its reason.

    Args:
        working: The run's working directory.
        csv_files: The CSVs found below it.
        competition: Whose metric and answers apply; None: nothing can be graded.
        root: The data root.
        target: The target score, or None.
        threshold: The replication threshold.
        measure: The distance that the threshold applies to.
        target_kind: The kind of score that the target is.
        sealed: The competition's `seal` from before the run; None: it is not compared.
        most_bytes: Bound on a CSV's size.
        limits: Limits of the grading process.
        olds: Files that were there before the run (`old_submissions`) and that the code may have
            read: a submission with the predictions of one of them is in doubt.
        earlier: Such files that the code only writes: the same predictions are evidence.
    """
    base = Grade(
        output_status=OutputStatus.WITH_CSV if csv_files else OutputStatus.WITHOUT_CSV,
        target=target,
        threshold=threshold,
        measure=measure,
        target_kind=target_kind,
    )
    if competition is None:
        reason = coded("grade.no-competition" if csv_files else "grade.no-csv-no-competition")
        return base.model_copy(update={"reason": reason})
    base = base.model_copy(
        update={"metric": competition.metric, "higher_is_better": competition.higher_is_better}
    )
    session = _Session()
    answers, sample = _answers(competition, root)
    if answers is None:
        session.unusable = coded("answers.outside")
    elif sealed is not None and seal(competition, root) != sealed:
        session.unusable = coded("answers.changed")
    else:
        job = Job(
            competition=competition,
            answers=answers,
            sample=sample,
            working=working.resolve(),
            paths=tuple(file.path for file in _ranked(working, csv_files, competition)),
            most_bytes=most_bytes,
            most_answer_bytes=20 * MOST_BYTES,
            memory=0,
            floor=True,
            olds=dict(olds or {}),
            earlier=dict(earlier or {}),
        )
        session.grade_from_floor(job, limits.here())
    if session.unusable:
        blame = coded("grade.answers", competition=competition.id, why=session.unusable)
        return base.model_copy(update={"reason": blame})
    looks = session.looks
    base = base.model_copy(
        update={
            **_floor_fields(session.floor),
            "candidates": tuple(look.candidate for look in looks),
        }
    )
    if not looks:
        return base.model_copy(update={"reason": coded("grade.no-csv")})
    valid = [look for look in looks if look.candidate.valid]
    if not valid:
        nearest = max(looks, key=lambda look: look.stage).candidate
        return base.model_copy(
            update={
                "output_status": OutputStatus.INVALID_CSV,
                "reason": coded("grade.nearest", path=nearest.path, why=nearest.reason),
            }
        )
    look = next((look for look in valid if look.like_sample), valid[0])
    best = look.candidate
    graded = {
        "submission": best.path,
        "score": best.score,
        "traps": best.traps,
        "doubt": Doubt(copy_of=look.copy_of) if look.copy_of else None,
        "same_as": look.same_as,
        "perfect": best.score is not None and is_perfect(competition, best.score),
    }
    return with_deviation(base.model_copy(update=graded))


def grade_csv(
    path: Path,
    competition: Competition,
    root: Path,
    *,
    most_bytes: int = MOST_BYTES,
    limits: Limits = _STANDARD,
) -> Grade:
    """Validate and score one CSV; faults in it, or in the answers, become the grade's reason."""
    file = CsvFile(path=path.name, size=path.lstat().st_size if exists(path) else 0)
    return grade_run(
        path.parent,
        [file],
        competition,
        root,
        target=None,
        threshold=0.1,
        most_bytes=most_bytes,
        limits=limits,
    )


def score_predictions(
    predictions: Predictions, competition: Competition, root: Path
) -> float | None:
    """Return the score of predictions by id; None if they cannot be graded.

    Args:
        predictions: In the order of the rows, as `predictions_of` makes them of a submission
            with its id columns.
        competition: Whose answers apply.
        root: The data root.
    """
    zeros = ["0"] * len(competition.required_columns)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "submission.csv"
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(submission_columns(competition))
            writer.writerows(
                [*ids_of(name), *values, *zeros] for name, values in predictions.items()
            )
        return grade_csv(file, competition, root).score


def is_perfect(competition: Competition, score: float) -> bool:
    """Return whether a score is the best one its metric has."""
    facts = FACTS[competition.metric]
    return math.isfinite(facts.best) and math.isclose(score, facts.best, abs_tol=1e-9)


def _answers(competition: Competition, root: Path) -> tuple[Path | None, Path | None]:
    """Return the answers and the sample submission; None if one is outside of its folder."""
    folder = (root / competition.id).resolve()
    answers = resolved(folder / competition.answers)
    sample = resolved(folder / competition.sample_submission)
    if answers is not None and not answers.is_relative_to(folder):
        answers = None
    if sample is not None and not (sample.is_relative_to(folder) and is_file(sample)):
        sample = None
    return answers, sample


def _stamp(file: Path | None) -> tuple[int, int]:
    try:
        facts = None if file is None else file.stat()
    except OSError:
        facts = None
    if facts is None:
        return 0, 0  # it is refused with its reason when it is read
    return facts.st_mtime_ns, facts.st_size


def _floor_fields(floor: Said | None) -> dict[str, object]:
    if floor is None:
        return {}
    return {"baseline": floor.baseline, "floor": floor.floor, "floor_kind": floor.floor_kind}


def _breakdown(ending: Ending, limits: Limits, words: str) -> Messages:
    if ending is Ending.TIME:
        return coded("grading.time", seconds=limits.seconds)
    if ending is Ending.MEMORY:
        return coded("grading.memory", gigabytes=float(f"{limits.memory / (1 << 30):.2g}"))
    return coded("grading.broke-off", words=words) if words else coded("grading.silent")


def _ranked(working: Path, csv_files: Sequence[CsvFile], competition: Competition) -> list[CsvFile]:
    """Return the first hundred CSVs, most likely submission first."""
    sample = _stem(competition.sample_submission)

    def rank(file: CsvFile) -> tuple[int, float, str]:
        stem = _stem(file.path)
        name = 0 if stem == "submission" else 1 if stem == sample else 2 if "sub" in stem else 3
        return name, -_modified(working, file.path), file.path

    return sorted(csv_files, key=rank)[:_MOST_CANDIDATES]


def _stem(path: str) -> str:
    """Return a file's name, lower case, without any of its suffixes."""
    return PurePosixPath(path).name.lower().split(".", 1)[0]


def _modified(working: Path, relative: str) -> float:
    try:
        return inside(working, relative).lstat().st_mtime
    except (InvalidSubmission, OSError):
        return 0.0  # it is refused with its reason when it is read
