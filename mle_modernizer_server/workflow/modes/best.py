"""Which of two iterations is the better one."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from mle_modernizer_server.domain.diagnosis import ErrorKind, Outcome
from mle_modernizer_server.domain.execution import CellStatus
from mle_modernizer_server.domain.session import Iteration, RunKind
from mle_modernizer_server.domain.traceback import statement_lines

_ORDER = (
    Outcome.ERROR_FREE_REPRODUCIBLE,
    Outcome.ERROR_REPRODUCIBLE,
    Outcome.ERROR_FREE_NON_REPRODUCIBLE,
    Outcome.ERROR_NON_REPRODUCIBLE,
    Outcome.FAILED,
)

Standing = tuple[int, float, int]
Errors = frozenset[tuple[str, str, str]]
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


def standing(iteration: Iteration) -> Standing:
    """A key that is smaller the better the run came out, whatever was changed for it.

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


def root_errors(iteration: Iteration) -> Errors:
    """The root errors of a run: cell, kind and message, without what differs by chance."""
    findings = () if iteration.diagnosis is None else iteration.diagnosis.findings
    return frozenset(
        (item.error.cell_id, item.error.ename, _ADDRESS.sub("0x", item.error.evalue))
        for item in findings
        if item.kind is ErrorKind.ROOT
    )


def failure(iteration: Iteration) -> tuple[str, ...]:
    """The first root error with the statement it came up in; empty where there is none."""
    first = None if iteration.diagnosis is None else iteration.diagnosis.first_root()
    if first is None:
        return ()
    error = first.error
    statement = next(iter(statement_lines(error.traceback)), "").strip()
    return (error.cell_id, error.ename, _ADDRESS.sub("0x", error.evalue), statement)


def advanced(one: Iteration, other: Iteration) -> bool:
    """Whether one run came further than the other.

    It stands better, or it stands alike and fails with other errors at a later place: a cell of
    many broken lines is mended one by one, and fails until the last of them.
    """
    if standing(one) != standing(other):
        return standing(one) < standing(other)
    return failure(one) != failure(other) and _place(one) > _place(other)


def best(iterations: Sequence[Iteration]) -> Iteration:
    """The iteration that came furthest and can decide.

    Where there are clean runs, it is one of them: no other run decides. A rehearsal is the best
    only where there is nothing else.

    Raises:
        ValueError: There is none.
    """
    whole = [iteration for iteration in iterations if iteration.whole]
    run = [iteration for iteration in iterations if iteration.kind is not RunKind.REHEARSAL]
    return furthest(whole or run or iterations)


def furthest(iterations: Sequence[Iteration]) -> Iteration:
    """The iteration that came furthest, of whatever kind; where the next fix goes on from.

    Of equals it is the one with the fewest changes, then the first.

    Raises:
        ValueError: There is none.
    """
    if not iterations:
        raise ValueError("there is no iteration")
    leader = iterations[0]
    for item in iterations[1:]:
        if advanced(item, leader) or (
            standing(item) == standing(leader)
            and not advanced(leader, item)
            and item.changed_lines < leader.changed_lines
        ):
            leader = item
    return leader


def _place(iteration: Iteration) -> tuple[int, int]:
    """Where the first root error is: cell and line."""
    first = None if iteration.diagnosis is None else iteration.diagnosis.first_root()
    return (0, 0) if first is None else (first.error.index, first.error.line or 0)
