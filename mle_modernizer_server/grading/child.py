"""The process that reads a submission and the answers and computes: started by `own_process`.

It takes one job as JSON and writes one JSON object a line on the original standard output. It opens
the files of its job and nothing else of the user's.
"""

from __future__ import annotations

import gc
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from mle_modernizer_server.child_process import answers, limit_memory, message
from mle_modernizer_server.domain.competition import Competition, Matching
from mle_modernizer_server.domain.grade import Candidate, FloorKind, Trap
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.grading.csv_table import Table, inside, read_table
from mle_modernizer_server.grading.fingerprint import file_hash
from mle_modernizer_server.grading.floors import constant_floor
from mle_modernizer_server.grading.job import Job, Look, Said
from mle_modernizer_server.grading.matching import COUNTED
from mle_modernizer_server.grading.metric_facts import FACTS, Takes
from mle_modernizer_server.grading.proofs import predictions_of, same_predictions
from mle_modernizer_server.grading.refusal import InvalidSubmission, Stage, UnusableAnswers
from mle_modernizer_server.grading.scoring import compute
from mle_modernizer_server.grading.traps import find_traps
from mle_modernizer_server.grading.validation import (
    answers_columns,
    meant_columns,
    paired,
    submission_columns,
)
from mle_modernizer_server.untrusted.guard import Guard


@dataclass(frozen=True)
class Result:
    """Score of a valid submission, and the faults that were ignored in it."""

    score: float
    note: Messages = ()
    traps: tuple[Trap, ...] = ()


def score_submission(submission: Table, answers: Table, competition: Competition) -> Result:
    """Validate a submission and score it.

    Args:
        submission: Its columns (`submission_columns`).
        answers: Those of the private answers (`answers_columns`).
        competition: Whose they are.

    Raises:
        InvalidSubmission: The submission breaks a rule; the message names the rule and the place.
        UnusableAnswers: The answers are at fault.
    """
    pair, note = paired(submission, answers, competition)
    score, odd = compute(pair)
    if not math.isfinite(score):
        raise InvalidSubmission(
            Stage.VALUES, coded("csv.not-finite", metric=FACTS[competition.metric].title)
        )
    traps = find_traps(pair, submission, score)
    return Result(score, pair.match.note + odd + note, traps)


_ROWS_TOO_MANY = 1_000
"""Rows read beyond those of the answers, to report how many there are."""


def main() -> None:
    """Do the job that the parent sends."""
    out = answers()
    job = Job.model_validate(json.loads(message()))
    limit_memory(job.memory)
    gc.disable()  # millions of cells and no cycles among them: looking for some takes seconds
    granted = [job.answers, *([job.sample] if job.sample else []), job.working]
    granted += [*job.olds.values(), *job.earlier.values()]
    sys.addaudithook(guard(granted))
    _carry_out(job, out)


def guard(granted: Sequence[Path]) -> Guard:
    """Return the audit hook that lets grading read its files, Python and the system's libraries."""
    return Guard("grading", [*granted, sys.base_prefix, "/proc", "/sys", "/etc", "/usr", "/lib"])


def _say(out: IO[bytes], said: Said) -> None:
    out.write(said.model_dump_json(exclude_defaults=True).encode() + b"\n")
    out.flush()


def _carry_out(job: Job, out: IO[bytes]) -> None:
    try:
        before = file_hash(job.answers)
        answers = read_table(
            job.answers,
            answers_columns(job.competition),
            numbers=_numbers(job.competition, job.competition.answer_columns),
            most_bytes=job.most_answer_bytes,
        )
    except InvalidSubmission as error:
        blame = coded("answers.file", file=job.competition.answers, why=error.message)
        _say(out, Said(unusable=blame))
        return
    _say(out, Said(ready=True))
    try:
        header = _floor(job, answers, out) if job.floor else job.header
        for path in job.paths:
            _say(out, Said(begun=path))
            _say(out, Said(look=_look(job, path, answers, header)))
    except UnusableAnswers as error:
        _say(out, Said(unusable=error.message))
        return
    if file_hash(job.answers) != before:
        _say(out, Said(unusable=coded("answers.changed-reading")))
        return
    _say(out, Said(done=True))


def _floor(job: Job, answers: Table, out: IO[bytes]) -> tuple[str, ...]:
    """Write the score of a prediction without knowledge; return the sample submission's columns.

    A constant prediction comes before the sample submission, which may hold a model's predictions.
    """
    header: tuple[str, ...] = ()
    baseline: float | None = None
    if job.sample is not None:
        try:
            sample = _read(job, job.sample, answers, job.most_answer_bytes)
            header = sample.header
            baseline = score_submission(sample, answers, job.competition).score
        except InvalidSubmission:
            pass  # a sample that cannot be graded is no floor
    floor = None if baseline is None else (baseline, FloorKind.SAMPLE)
    if baseline is None or len(answers) <= _MOST_ANSWERS:
        floor = constant_floor(answers, job.competition) or floor
    if floor is not None:
        score, kind = floor
        _say(out, Said(floor=score, floor_kind=kind, header=header, baseline=baseline))
    return header


_MOST_ANSWERS = 1_000_000
"""Rows of answers up to which constants are scored even if the sample submission can be."""


def _look(job: Job, path: str, answers: Table, header: Sequence[str]) -> Look:
    try:
        file = inside(job.working, path)
        before = file_hash(file, job.most_bytes)
        table = _read(job, file, answers, job.most_bytes)
        result = score_submission(table, answers, job.competition)
        if file_hash(file, job.most_bytes) != before:
            raise InvalidSubmission(Stage.FILE, coded("csv.changed"))
    except InvalidSubmission as error:
        return Look.refused(path, error.message, error.stage)
    scored = Candidate(
        path=path, valid=True, score=result.score, note=result.note, traps=result.traps
    )
    like = bool(header) and table.header == tuple(header)
    return Look(
        candidate=scored,
        stage=Stage.VALUES,
        like_sample=like,
        copy_of=_like(job, table, job.olds),
        same_as=_like(job, table, job.earlier),
    )


def _like(job: Job, table: Table, files: Mapping[str, Path]) -> str:
    """Return the name of the file that has a submission's predictions; "" if there is none."""
    if not files:
        return ""
    ids, targets = job.competition.id_columns, job.competition.target_columns
    given = predictions_of(table, ids, targets)
    for name, path in files.items():
        try:
            old = read_table(
                path,
                (*ids, *targets),
                rename=partial(meant_columns, competition=job.competition),
                most_rows=len(table),
                most_bytes=job.most_bytes,
            )
        except InvalidSubmission:
            continue  # no table: it has no predictions
        if not old.more_rows and same_predictions(given, predictions_of(old, ids, targets)):
            return name
    return ""


def _read(job: Job, file: Path, answers: Table, most_bytes: int) -> Table:
    counted = job.competition.matching in (*COUNTED, Matching.GROUP_POSITION)
    most_rows = len(answers) + _ROWS_TOO_MANY if counted else None
    return read_table(
        file,
        submission_columns(job.competition),
        rename=partial(meant_columns, competition=job.competition),
        numbers=_numbers(job.competition, job.competition.target_columns),
        most_rows=most_rows,
        most_bytes=most_bytes,
    )


def _numbers(competition: Competition, columns: Sequence[str]) -> Sequence[str]:
    """Return the columns that must be numbers in all rows."""
    asked = FACTS[competition.metric].takes is Takes.NUMBERS
    return columns if asked and competition.matching in COUNTED else ()
