from __future__ import annotations

from datetime import datetime, timezone

from mle_modernizer_server.domain.diagnosis import Outcome
from mle_modernizer_server.domain.execution import CellStatus
from mle_modernizer_server.domain.session import Iteration, RunKind
from mle_modernizer_server.workflow.verdict.progress import best
from tests import values

OK, ERROR, NOT_RUN = CellStatus.OK, CellStatus.ERROR, CellStatus.NOT_RUN


def iteration(number: int, outcome: Outcome, score: float | None, *cells: CellStatus) -> Iteration:
    return Iteration(
        number=number,
        started_at=datetime(2026, 1, number, tzinfo=timezone.utc),
        notebook_hash=str(number),
        execution=values.execution(*cells),
        grade=values.grade(score),
        diagnosis=values.diagnosis(outcome),
    )


def test_the_outcome_counts_before_the_deviation() -> None:
    close = iteration(1, Outcome.ERROR_NON_REPRODUCIBLE, 0.8, OK, ERROR)
    clean = iteration(2, Outcome.ERROR_FREE_NON_REPRODUCIBLE, 0.5, OK, OK)
    assert best((close, clean)) is clean


def test_of_the_same_outcome_the_smaller_deviation_is_better_and_none_is_worst() -> None:
    none = iteration(1, Outcome.ERROR_NON_REPRODUCIBLE, None, OK, ERROR)
    far = iteration(2, Outcome.ERROR_NON_REPRODUCIBLE, 0.2, OK, ERROR)
    near = iteration(3, Outcome.ERROR_NON_REPRODUCIBLE, 0.7, OK, ERROR)
    assert best((none, far, near)) is near
    assert best((none, far)) is far


def test_a_notebook_that_fails_later_has_come_further() -> None:
    early = iteration(1, Outcome.ERROR_NON_REPRODUCIBLE, None, ERROR, ERROR)
    late = iteration(2, Outcome.ERROR_NON_REPRODUCIBLE, None, OK, ERROR)
    assert best((early, late)) is late


def test_of_equals_the_first_wins_because_it_needed_the_fewest_fixes() -> None:
    first = iteration(1, Outcome.ERROR_NON_REPRODUCIBLE, None, OK, ERROR)
    again = iteration(2, Outcome.ERROR_NON_REPRODUCIBLE, None, OK, ERROR)
    assert best((first, again)) is first


def test_an_iteration_that_was_cut_off_is_worst() -> None:
    failed = iteration(1, Outcome.FAILED, None, NOT_RUN)
    cut_off = Iteration(
        number=2, started_at=datetime(2026, 1, 2, tzinfo=timezone.utc), notebook_hash="2"
    )
    assert best((cut_off, failed)) is failed


def test_a_rehearsal_is_never_better_than_a_run() -> None:
    rehearsal = iteration(1, Outcome.ERROR_FREE_REPRODUCIBLE, 0.9, OK, OK).model_copy(
        update={"kind": RunKind.REHEARSAL}
    )
    resumed = iteration(2, Outcome.ERROR_NON_REPRODUCIBLE, None, ERROR, OK).model_copy(
        update={"kind": RunKind.RESUMED}
    )
    assert best((rehearsal, resumed)) is resumed
    assert best((rehearsal,)) is rehearsal
