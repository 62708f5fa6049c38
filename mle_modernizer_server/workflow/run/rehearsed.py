"""What of a rehearsal is worth telling a fixer."""

from __future__ import annotations

from collections.abc import Mapping

from mle_modernizer_server.domain.diagnosis import Diagnosis, ErrorKind, Finding
from mle_modernizer_server.domain.execution import Execution
from mle_modernizer_server.domain.grade import Grade, OutputStatus
from mle_modernizer_server.domain.session import Iteration

NO_GRADE = Grade(output_status=OutputStatus.WITHOUT_CSV)
"""What a fixer gets for a rehearsal: nothing was graded."""


def own_errors(found: tuple[Finding, ...], doubtful: Mapping[str, str]) -> tuple[Finding, ...]:
    """The root errors of a rehearsal that are the notebook's own, whatever the sample.

    None where the first one may come from the sample: what follows it is worth nothing either.

    Args:
        found: All findings.
        doubtful: By cell id, why an error may come from the sample.
    """
    roots = [finding for finding in found if finding.kind is ErrorKind.ROOT]
    if not roots or roots[0].error.cell_id in doubtful:
        return ()
    return tuple(finding for finding in roots if finding.error.cell_id not in doubtful)


def hints(iteration: Iteration) -> tuple[Finding, ...]:
    """The notebook's own root errors that a rehearsal met; nothing where there was none."""
    if iteration.rehearsal is None or iteration.diagnosis is None:
        return ()
    return own_errors(iteration.diagnosis.findings, iteration.rehearsal.doubtful)


def for_fixers(
    iteration: Iteration, time_limit: float
) -> tuple[Execution, Diagnosis, Grade, str] | None:
    """What fixers get to see of an iteration.

    Of a rehearsal the errors that may come from the sample are left out, with what followed.

    Args:
        iteration: Carried through or not.
        time_limit: Seconds the whole notebook may take: a rehearsal's own limit says nothing.

    Returns:
        With how large the sample was (empty for a run on all data); None where the iteration was
        cut off.
    """
    rehearsal, diagnosis, execution = iteration.rehearsal, iteration.diagnosis, iteration.execution
    if execution is None or diagnosis is None:
        return None
    if rehearsal is None:
        grade = iteration.grade
        return None if grade is None else (execution, diagnosis, grade, "")

    def sure(finding: Finding) -> bool:
        return not {finding.error.cell_id, finding.caused_by} & set(rehearsal.doubtful)

    kept = tuple(finding for finding in diagnosis.findings if sure(finding))
    cells = {finding.error.cell_id for finding in kept}
    errors = tuple(error for error in execution.errors if error.cell_id in cells)
    return (
        execution.model_copy(update={"errors": errors, "time_limit": time_limit}),
        diagnosis.model_copy(update={"findings": kept}),
        NO_GRADE,
        rehearsal.sample.size,
    )
