"""What a submission is worth, with what was overlooked in it and the traps it stepped into."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.grade import Trap
from mle_modernizer_server.grading.csv_table import Table
from mle_modernizer_server.grading.metric_facts import FACTS
from mle_modernizer_server.grading.refusal import InvalidSubmission, Stage
from mle_modernizer_server.grading.scoring import compute
from mle_modernizer_server.grading.traps import find_traps
from mle_modernizer_server.grading.validation import paired


@dataclass(frozen=True)
class Result:
    """What a valid submission is worth, and what was overlooked in it."""

    score: float
    note: str = ""
    traps: tuple[Trap, ...] = ()


def score_submission(submission: Table, answers: Table, competition: Competition) -> Result:
    """Validate a submission and score it.

    Args:
        submission: Its columns (`submission_columns`).
        answers: Those of the private answers (`answers_columns`).
        competition: Whose they are.

    Raises:
        InvalidSubmission: The submission breaks a rule; the message says which, and where.
        UnusableAnswers: The answers are at fault.
    """
    pair, note = paired(submission, answers, competition)
    score, odd = compute(pair)
    if not math.isfinite(score):
        raise InvalidSubmission(
            Stage.VALUES,
            f"Its {FACTS[competition.metric].title} is not a finite number: the values are too "
            "large, or the metric is not defined for them.",
        )
    notes = [pair.match.note, odd, note]
    traps = find_traps(pair, submission, score)
    return Result(score, " ".join(note for note in notes if note), traps)
