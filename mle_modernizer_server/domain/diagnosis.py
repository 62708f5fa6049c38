"""What a run and its score mean, and which kind of fix is due."""

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
        """Whether the score is inside the band."""
        return self in (Outcome.ERROR_FREE_REPRODUCIBLE, Outcome.ERROR_REPRODUCIBLE)


class FixType(str, Enum):
    """The three kinds of fixes (paper, section 3.1), and others that are not in the paper."""

    RUNTIME_REDUCTION = "runtime-reduction"
    ERROR_REPAIR = "error-repair"
    SCORE_CALIBRATION = "score-calibration"
    SUBMISSION = "submission"
    """A submission that is missing or not valid, written as the competition asks (not in the
    paper)."""
    BEFORE_RUN = "before-run"
    """Known changes that the code alone shows: repaired before the first run, or after a run in
    which they failed without an error (not in the paper)."""
    IMPROVEMENT = "improvement"
    """A version that was better on validation folds (not in the paper)."""
    WRITING = "writing"
    """The experiment of another paper, written into its notebook (not in the paper)."""


class FixScope(str, Enum):
    """How much of the notebook a fixer may look at and change."""

    FILE = "file"
    CELL = "cell"
    """The first failing cell only, with the cells before it and the next one."""


class ErrorKind(str, Enum):
    """What an error is to the notebook."""

    ROOT = "root"
    CASCADE = "cascade"
    HARMLESS = "harmless"


class Finding(Value):
    """An error with its meaning."""

    kind: ErrorKind
    error: CellError
    caused_by: str | None = None
    """For a cascade: id of the cell whose own failure it follows from."""
    explanation: str = ""
    """What is known of this error, in a sentence (which library change, since when)."""
    link: str = ""
    """Where that is documented."""


class ErrorDiagnosis(Value):
    """The errors of a run, and the fix that is due."""

    execution_status: ExecutionStatus
    findings: tuple[Finding, ...]
    """In notebook order: root errors, their cascades, harmless ones."""
    fix_type: FixType | None
    """None where none is due."""
    summary: Messages
    """What it comes to, for the status line."""

    def first_root(self) -> Finding | None:
        """The first root error of the notebook, or None."""
        return next((item for item in self.findings if item.kind is ErrorKind.ROOT), None)

    @property
    def cascades(self) -> frozenset[str]:
        """Ids of the cells that failed only because another one did."""
        return frozenset(
            item.error.cell_id for item in self.findings if item.kind is ErrorKind.CASCADE
        )


class Diagnosis(ErrorDiagnosis):
    """What a run on all data means: its errors, and the outcome by its score."""

    outcome: Outcome
    output_status: OutputStatus


def run_result(diagnosis: Diagnosis, agreement: OutputAgreement | None) -> Messages:
    """Return the outcome of a run that no score was compared with.

    Args:
        diagnosis: Of the run.
        agreement: How its outputs compare with those saved in the file; None where none were.
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
