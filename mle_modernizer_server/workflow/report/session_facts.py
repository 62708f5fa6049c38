"""A session's facts for statistics: pure, from the folded session and its notebooks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from mle_modernizer_server.domain.diagnosis import Diagnosis, FixScope, FixType, Outcome
from mle_modernizer_server.domain.execution import Execution, ExecutionStatus
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import apply_edits
from mle_modernizer_server.domain.session import EditState, Iteration, Review, Session
from mle_modernizer_server.domain.statistics import (
    FixFacts,
    RunFacts,
    SessionFacts,
    SpentFacts,
    State,
)


def similarity(before: Notebook, after: Notebook) -> float:
    """Return 1 − normalized edit distance of the code cells, from 0 to 1 (identical).

    Cells are compared with the cell of the same id, character by character (Levenshtein); a cell
    that one side lacks counts whole. The distances are added and divided by the length of the
    longer text of every pair. Text cells do not count.
    """
    from rapidfuzz.distance import Levenshtein  # only if a comparison is needed

    old = {cell.id: cell.source for cell in before.code_cells()}
    new = {cell.id: cell.source for cell in after.code_cells()}
    distance = length = 0
    for cell_id in old.keys() | new.keys():
        a, b = old.get(cell_id, ""), new.get(cell_id, "")
        length += max(len(a), len(b))
        distance += 0 if a == b else Levenshtein.distance(a, b)
    return 1 - distance / length if length else 1.0


Read = Callable[[str], Notebook]
"""A notebook of the session by its hash."""
_LONGEST_NAME = 80


def session_facts(session: Session, read: Read) -> SessionFacts:
    """Return the facts of the session, run by run and fix by fix.

    Raises:
        NotFound: A notebook of it is missing.
    """
    read = _once(read)
    runs = tuple(_runs(session, read))
    best = None if session.best is None else runs[session.best - 1]
    return SessionFacts(
        session=session.id,
        path=session.path,
        created_at=session.created_at,
        seq=session.seq,
        phase=session.phase,
        verdict=session.verdict,
        mode=session.settings.mode,
        runs=runs,
        fixes=tuple(_fixes(session, read)),
        spent=tuple(_spent(session)),
        first=next((run.state for run in runs if run.state is not State.NOT_RUN), State.NOT_RUN),
        best=State.NOT_RUN if best is None else _as_proven(session, best.state),
        similarity=None if best is None else best.similarity_to_original,
        fixes_made=session.fixes,
        usage=session.usage,
    )


def _as_proven(session: Session, state: State) -> State:
    """Return the state of the best run: not reproducible as long as its score is not proven."""
    if session.verdict is None or not session.verdict.unproven:
        return state
    return _UNPROVEN.get(state, state)


_UNPROVEN = {
    State.ERROR_REPRODUCIBLE: State.ERROR_NON_REPRODUCIBLE,
    State.ERROR_FREE_REPRODUCIBLE: State.ERROR_FREE_NON_REPRODUCIBLE,
}


def state_of(iteration: Iteration) -> State:
    """Return the state of the notebook after a run; a rehearsal decides nothing."""
    diagnosis = iteration.diagnosis
    if not isinstance(diagnosis, Diagnosis):
        return State.NOT_RUN
    if diagnosis.outcome is Outcome.FAILED:
        late = diagnosis.execution_status is ExecutionStatus.TIMEOUT
        return State.TIMEOUT if late else State.FAILED
    return State(diagnosis.outcome.value)


def _once(read: Read) -> Read:
    """Return a cached reader: each notebook is read and parsed once."""
    known: dict[str, Notebook] = {}

    def remember(digest: str) -> Notebook:
        if digest not in known:
            known[digest] = read(digest)
        return known[digest]

    return remember


def _runs(session: Session, read: Read) -> Iterator[RunFacts]:
    original = read(session.notebook_hash)
    previous: Notebook | None = None
    fixes = sum(map(_counts, session.reviews))
    for iteration in session.iterations:
        notebook = read(iteration.notebook_hash)
        yield RunFacts(
            number=iteration.number,
            fixes=fixes,
            state=state_of(iteration),
            seconds=_seconds(iteration.execution),
            similarity_to_original=similarity(original, notebook),
            similarity_to_previous=None if previous is None else similarity(previous, notebook),
            errors=Counter(
                root.error.ename[:_LONGEST_NAME] or "unknown" for root in iteration.roots
            ),
        )
        fixes += sum(map(_counts, iteration.reviews))
        previous = notebook


def _seconds(execution: Execution | None) -> float | None:
    """Return the seconds of this run alone if it resumed one that had stopped."""
    return None if execution is None else execution.seconds - execution.carried


def _counts(review: Review) -> bool:
    return review.applied and not review.final


def _fixes(session: Session, read: Read) -> Iterator[FixFacts]:
    done = session.iterations
    for review in session.reviews:
        before = session.notebook_hash
        yield _fix(review, 0, State.NOT_RUN, before, done[0] if done else None, read)
    for position, iteration in enumerate(done):
        follower = done[position + 1] if position + 1 < len(done) else None
        for review in iteration.reviews:
            if not review.final:
                base = _base(done[: position + 1], review, follower, read)
                state = state_of(base)
                yield _fix(review, iteration.number, state, base.notebook_hash, follower, read)


def _fix(
    review: Review, number: int, before: State, base: str, follower: Iteration | None, read: Read
) -> FixFacts:
    proposal = review.proposal
    taken = [edit for edit in proposal.edits if review.state(edit) is EditState.ACCEPTED]
    accepted = len(proposal.edits) if review.adopted else len(taken)
    follower = follower if accepted else None
    return FixFacts(
        proposal=proposal.id,
        iteration=number,
        fixer=proposal.fixer,
        model=proposal.model,
        fix_type=proposal.fix_type,
        scope=proposal.scope,
        edits=len(proposal.edits),
        accepted=accepted,
        before=before,
        after=State.NOT_RUN if follower is None else state_of(follower),
        similarity=(
            None if follower is None else similarity(read(base), read(follower.notebook_hash))
        ),
        usage=proposal.usage,
        learned=any(edit.learned for edit in proposal.edits),
    )


def _base(
    done: tuple[Iteration, ...], review: Review, follower: Iteration | None, read: Read
) -> Iteration:
    """Return the run that a fix was made for: in auto mode that may be an earlier, better one.

    It is the latest one whose notebook the fix turns into the next one that ran; else the latest.
    """
    if review.adopted and follower is not None:
        for iteration in reversed(done):
            try:
                after = apply_edits(read(iteration.notebook_hash), review.proposal.edits)
            except (KeyError, ValueError):
                continue  # it was made for another notebook
            if notebook_hash(after) == follower.notebook_hash:
                return iteration
    return done[-1]


def _spent(session: Session) -> Iterator[SpentFacts]:
    def of_fix(run: Iteration | None, usage: Usage) -> SpentFacts:
        due = None if run is None or run.diagnosis is None else run.diagnosis.fix_type
        fix_type = due or FixType.ERROR_REPAIR
        return SpentFacts(fix_type=fix_type, scope=session.settings.scope, usage=usage)

    for iteration in session.iterations:
        if iteration.spent.asked:
            yield of_fix(iteration, iteration.spent)
    if session.writing is not None and session.writing.usage.asked:
        yield SpentFacts(fix_type=FixType.WRITING, scope=FixScope.FILE, usage=session.writing.usage)
    if session.progress is not None and session.progress.usage != Usage():
        yield of_fix(session.current, session.progress.usage)
