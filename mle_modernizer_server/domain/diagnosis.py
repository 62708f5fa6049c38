"""Diagnosis of a run and its score, and the kind of fix that is due."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.execution import CellError, ExecutionStatus
from mle_modernizer_server.domain.grade import OutputStatus
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.saved_outputs import OutputAgreement


class Outcome(str, Enum):
    """The paper's outcomes of a notebook (Tables 1 and 3)."""

    ERROR_FREE_REPRODUCIBLE = "error-free-reproducible"
    ERROR_REPRODUCIBLE = "error-reproducible"
    ERROR_FREE_NON_REPRODUCIBLE = "error-free-non-reproducible"
    ERROR_NON_REPRODUCIBLE = "error-non-reproducible"
    FAILED = "failed"

    @property
    def reproducible(self) -> bool:
        """Return whether the score is inside the band."""
        return self in (Outcome.ERROR_FREE_REPRODUCIBLE, Outcome.ERROR_REPRODUCIBLE)


class FixType(str, Enum):
    """The three kinds of fixes (paper, section 3.1), and others that are not in the paper."""

    RUNTIME_REDUCTION = "runtime-reduction"
    ERROR_REPAIR = "error-repair"
    SCORE_CALIBRATION = "score-calibration"
    SUBMISSION = "submission"
    """Write a missing or invalid submission in the competition's format (not in the paper)."""
    BEFORE_RUN = "before-run"
    """Known changes that the code alone reveals: fixed before the first run, or after a run in
    which they failed without an error (not in the paper)."""
    IMPROVEMENT = "improvement"
    """A version with a better score on validation folds (not in the paper)."""
    WRITING = "writing"
    """The experiment of another paper, written into its notebook (not in the paper)."""


class FixScope(str, Enum):
    """How much of the notebook a fixer may read and change."""

    FILE = "file"
    CELL = "cell"
    """The first failing cell only, with the cells before it and the next one."""


class ErrorKind(str, Enum):
    """Effect of an error on the notebook."""

    ROOT = "root"
    CASCADE = "cascade"
    HARMLESS = "harmless"


class Finding(Value):
    """An error with its diagnosis."""

    kind: ErrorKind
    error: CellError
    caused_by: str | None = None
    """For a cascade: id of the failed cell that caused it."""
    explanation: str = ""
    """Known facts about this error, in a sentence (which library change, since when)."""
    link: str = ""
    """Link to the documentation of the change."""


class ErrorDiagnosis(Value):
    """The errors of a run, and the fix that is due."""

    execution_status: ExecutionStatus
    findings: tuple[Finding, ...]
    """In notebook order: root errors, their cascades, harmless ones."""
    fix_type: FixType | None
    """Kind of fix that is due; None if none is."""
    summary: Messages
    """Summary for the status line."""

    @property
    def roots(self) -> tuple[Finding, ...]:
        """Return the root errors, in notebook order."""
        return tuple(item for item in self.findings if item.kind is ErrorKind.ROOT)

    def first_root(self) -> Finding | None:
        """Return the first root error of the notebook, or None."""
        return next(iter(self.roots), None)

    @property
    def cascades(self) -> frozenset[str]:
        """Return the ids of the cells that failed only because another one did."""
        return frozenset(
            item.error.cell_id for item in self.findings if item.kind is ErrorKind.CASCADE
        )


class Diagnosis(ErrorDiagnosis):
    """Diagnosis of a run on all data: its errors, and the outcome by its score."""

    outcome: Outcome
    output_status: OutputStatus


def run_result(diagnosis: Diagnosis, agreement: OutputAgreement | None) -> Messages:
    """Return the outcome of a run that no score was compared with.

    Args:
        diagnosis: Of the run.
        agreement: Comparison of its outputs with those saved in the file; None if none were saved.
    """
    if diagnosis.outcome is Outcome.FAILED:
        return coded("result.failed")
    if diagnosis.execution_status is not ExecutionStatus.ERROR_FREE:
        return coded("result.with-errors")
    if agreement is None or not agreement.compared:
        return coded("result.without-errors")
    if agreement.agreeing == agreement.compared:
        return coded("result.saved-outputs")
    alike = agreement.agreeing + agreement.close == agreement.compared
    return coded("result.close-outputs") if alike else coded("result.other-outputs")
