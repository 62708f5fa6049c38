"""Whether a clean run comes out as the run in the kernel that had waited did."""

from __future__ import annotations

from collections.abc import Sequence

from mle_modernizer_server.domain.diagnosis import Diagnosis
from mle_modernizer_server.domain.execution import ExecutionStatus
from mle_modernizer_server.domain.session import Iteration, RunKind


def agreeing(earlier: Sequence[Iteration], latest: Iteration, diagnosis: Diagnosis) -> Diagnosis:
    """The diagnosis of an iteration; it says so where the run it repeats came out otherwise.

    Args:
        earlier: The session's iterations before it.
        latest: The iteration.
        diagnosis: Of it.
    """
    before = earlier[-1] if earlier else None
    if (
        before is None
        or before.kind is not RunKind.RESUMED
        or not latest.whole
        or before.notebook_hash != latest.notebook_hash
        or before.diagnosis is None
        or before.diagnosis.outcome is diagnosis.outcome
    ):
        return diagnosis
    text = (
        f"{diagnosis.summary} The run that had gone on in the waiting kernel came out otherwise "
        f"({_outcome(before.diagnosis)}); this clean one counts."
    )
    return diagnosis.model_copy(update={"summary": text})


def _outcome(diagnosis: Diagnosis) -> str:
    failed = diagnosis.execution_status is not ExecutionStatus.ERROR_FREE
    score = "reproducible" if diagnosis.outcome.reproducible else "not reproducible"
    return f"{'with' if failed else 'without'} errors, {score}"
