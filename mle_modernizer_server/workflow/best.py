"""Which of two iterations is the better one."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mle_modernizer_server.domain.diagnosis import Outcome
from mle_modernizer_server.domain.execution import CellStatus
from mle_modernizer_server.domain.session import Iteration, RunKind

_ORDER = (
    Outcome.ERROR_FREE_REPRODUCIBLE,
    Outcome.ERROR_REPRODUCIBLE,
    Outcome.ERROR_FREE_NON_REPRODUCIBLE,
    Outcome.ERROR_NON_REPRODUCIBLE,
    Outcome.FAILED,
)

Rank = tuple[int, float, int]


def rank(iteration: Iteration) -> Rank:
    """A key that is smaller the better the iteration is.

    Outcome first, then the deviation (none counts as infinite), then how many cells ran well: a
    notebook that fails later has come further.
    """
    if iteration.execution is None or iteration.grade is None or iteration.diagnosis is None:
        return (len(_ORDER), math.inf, 0)
    deviation = iteration.grade.deviation
    well = sum(cell.status is CellStatus.OK for cell in iteration.execution.cells)
    return (
        _ORDER.index(iteration.diagnosis.outcome),
        math.inf if deviation is None else deviation,
        -well,
    )


def best(iterations: Sequence[Iteration]) -> Iteration:
    """The best iteration; of equals the first, which needed the fewest fixes.

    Where there are clean runs, it is one of them: no other run decides.

    Raises:
        ValueError: There is none.
    """
    clean = [iteration for iteration in iterations if iteration.kind is RunKind.CLEAN]
    return min(clean or iterations, key=rank)
