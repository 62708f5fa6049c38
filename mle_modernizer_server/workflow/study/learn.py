"""Lessons from the fixes of a session: those of a model after which the failed code ran."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from mle_modernizer_server.domain.execution import CellStatus
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import EditKind, FixerName, Lesson, Meaning, Trial
from mle_modernizer_server.domain.session import EditState, GradedRun, Review, Session


def lessons_of(session: Session, notebook: Callable[[str], Notebook]) -> Iterator[Lesson]:
    """Return the fixes by a model that worked: the changed code then ran to its end.

    Args:
        session: With its runs.
        notebook: The sources of a run, by their hash.
    """
    trial = partial(_trial, session, notebook)
    runs = [run for run in session.iterations if isinstance(run, GradedRun) and run.execution]
    for number, run in enumerate(runs):
        for review in run.reviews:
            following = _run_of(review, runs[number + 1 :])
            if following is None or review.proposal.fixer is not FixerName.LLM:
                continue
            lesson = _lesson(review, run, following, notebook, trial)
            if lesson is not None:
                yield lesson


def _run_of(review: Review, later: Sequence[GradedRun]) -> GradedRun | None:
    """Return the first run of the notebook that a review produced."""
    if review.adopted:
        return next(
            (one for one in later if one.origin and one.origin.proposal == review.proposal.id), None
        )
    return later[0] if review.applied and later else None


def _lesson(
    review: Review,
    run: GradedRun,
    following: GradedRun,
    notebook: Callable[[str], Notebook],
    trial: Callable[[Notebook], Trial | None],
) -> Lesson | None:
    assert run.execution is not None and following.execution is not None
    ran = {cell.cell_id for cell in following.execution.cells if cell.status is CellStatus.OK}
    cells = tuple(
        edit.cell_id
        for edit in review.proposal.edits
        if edit.kind is EditKind.MODIFY
        and edit.meaning is not Meaning.EXPERIMENT
        and edit.cell_id in ran
        and (review.adopted or review.state(edit) is EditState.ACCEPTED)
    )
    errors = tuple(error for error in run.execution.raised if error.cell_id in ran)
    if not cells or not errors:
        return None
    before = notebook(run.notebook_hash)
    return Lesson(
        before=before,
        after=notebook(following.notebook_hash),
        cells=tuple(dict.fromkeys(cells)),
        errors=errors,
        sound=tuple(cell.cell_id for cell in run.execution.cells if cell.status is CellStatus.OK),
        environment=run.execution.environment,
        model=review.proposal.model,
        trial=trial(before),
    )


def _trial(session: Session, notebook: Callable[[str], Notebook], before: Notebook) -> Trial | None:
    """Return how the unchanged cells ran with the notebook's original libraries."""
    own = session.own_time
    if own is None:
        return None
    original = {cell.id: cell.source for cell in notebook(own.notebook_hash).cells}
    same = {cell.id for cell in before.cells if original.get(cell.id) == cell.source}
    return Trial(
        libraries=own.libraries,
        ran=tuple(cell for cell in own.ran if cell in same),
        failed=tuple(cell for cell in own.failing if cell in same),
    )
