"""The notes on a patch, and which of them block it."""

from __future__ import annotations

from mle_modernizer_server.domain.message import Parameter
from mle_modernizer_server.domain.proposal import IntegrityNote, IntegritySeverity

BLOCKING = frozenset(
    {
        "private-answers",
        "existing-submission",
        "constant-prediction",
        "hard-coded-score",
        "network",
        "process",
        "deletion",
        "swallowed-error",
        "training-dropped",
        "model-dropped",
        "model-knows-nothing",
        "prediction-replaced",
        "metric-fixed",
        "outside-data",
        "notebook-ended",
        "submission-without-model",
        "submission-gone",
        "metric-without-model",
        "score-not-computed",
        "prediction-from-truth",
        "trained-on-part",
        "trained-on-other-data",
    }
)


def note(
    code: str, cell_id: str | None, line: int | None = None, **parameters: Parameter
) -> IntegrityNote:
    """Return a note; its code decides whether it blocks."""
    return IntegrityNote(
        severity=IntegritySeverity.BLOCKER if code in BLOCKING else IntegritySeverity.WARNING,
        code=code,
        cell_id=cell_id,
        line=line,
        parameters=parameters,
    )
