"""The user's decisions between two runs: on the edits of a proposal, and on a custom score."""

from __future__ import annotations

from collections.abc import Mapping

from mle_modernizer_server import pools
from mle_modernizer_server.diagnosis import diagnose
from mle_modernizer_server.domain.errors import (
    AlreadyAccepted,
    Conflict,
    NeedsYes,
    NotFound,
    StaleEdit,
)
from mle_modernizer_server.domain.grade import Grade, ScoreKind
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.proposal import EditKind, Meaning
from mle_modernizer_server.domain.session import (
    Decision,
    EditState,
    GradedRun,
    Phase,
    Review,
    Session,
    Verdict,
)
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.grading.distance import with_deviation
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.store import Check
from mle_modernizer_server.workflow.verdict.endings import ending_of_review, ending_without_need
from mle_modernizer_server.workflow.verdict.progress import best
from mle_modernizer_server.workflow.verdict.proven import as_proven
from mle_modernizer_server.workflow.work import Work


def decide(
    work: Work,
    proposal_id: str,
    decisions: Mapping[str, Decision],
    source_hashes: Mapping[str, str],
) -> Session:
    """Record decisions on edits, all or nothing.

    A decision of `pending` takes an earlier one back; a review that waits again is the user's
    turn again.

    Args:
        proposal_id: The proposal under review.
        decisions: By edit id.
        source_hashes: By edit id, the current hash of the cell's source in the document; required
            for an accepted modification or deletion.

    Raises:
        NotFound: No such proposal or edit.
        StaleEdit: An accepted edit was made for another state of its cell.
        NeedsYes: An accepted edit changes the experiment without the user's consent.
        AlreadyAccepted: An edit is accepted for the second time: the caller must not apply it
            again.
        Conflict: A decision is reverted during work, or after a later run.
    """

    def check(session: Session) -> None:
        review = _review(session, proposal_id)
        edits = {edit.id: edit for edit in review.proposal.edits}
        for edit_id, decision in decisions.items():
            if edit_id not in edits:
                raise NotFound(coded("decision.no-edit", proposal_id=proposal_id, edit_id=edit_id))
            edit = edits[edit_id]
            if decision.state is EditState.PENDING:
                _check_current(session, review)
            if decision.state is not EditState.ACCEPTED:
                continue
            if review.state(edit) is EditState.ACCEPTED:
                raise AlreadyAccepted(coded("decision.accepted-already"), cell_id=edit.cell_id)
            if edit.kind is not EditKind.INSERT and source_hashes.get(edit_id) != edit.base_hash:
                raise StaleEdit(coded("decision.stale"), cell_id=edit.cell_id)
            agreed = decision.confirmed or session.settings.allow_experiment_changes
            if edit.meaning is Meaning.EXPERIMENT and not agreed:
                raise NeedsYes(coded("decision.needs-yes"), cell_id=edit.cell_id)

    decided = events.Decided(proposal=proposal_id, decisions=dict(decisions))
    session = work.write(decided, check=check)
    review = _review(session, proposal_id)
    if session.phase is Phase.REVIEWING and not review.open:
        return _rest(work, session, ending_of_review(session, review))
    if session.phase in (Phase.READY, Phase.FINISHED) and review.open:
        return _rest(work, session, _reopened(session, review))
    return session


def _rest(work: Work, session: Session, rested: events.Rested) -> Session:
    """Write the event that follows from a decision, unless another server wrote one since."""
    try:
        return work.write(rested, check=_unchanged(session))
    except Conflict:
        return work.session  # who wrote later saw this decision, and drew the conclusion


def _unchanged(session: Session) -> Check:
    """Return the check that nobody has written to a session since."""

    def check(now: Session) -> None:
        if now.seq != session.seq:
            raise Conflict(coded("conflict.at-work"))

    return check


def _reopened(session: Session, review: Review) -> events.Rested:
    verdict = session.verdict
    if review.final and session.phase is Phase.READY:
        # Of the final reviews only one that awaited a yes ends with another run to make.
        verdict = Verdict.AWAITS_YES
    return events.Rested(phase=Phase.REVIEWING, message=coded("next.review-fix"), verdict=verdict)


def _review(session: Session, proposal_id: str) -> Review:
    for review in session.all_reviews:
        if review.proposal.id == proposal_id:
            return review
    raise NotFound(coded("decision.no-proposal", session=session.id, proposal_id=proposal_id))


def _check_current(session: Session, review: Review) -> None:
    if session.phase not in (Phase.REVIEWING, Phase.READY, Phase.FINISHED):
        raise Conflict(coded("decision.work-goes-on"))
    latest = session.current.reviews if session.current else session.reviews
    if not review.final and review not in latest:
        raise Conflict(coded("decision.has-run"))


async def type_score(work: Work, score: float) -> Session:
    """Take a typed score for the latest run, and diagnose it again.

    It is of the kind `typed`, so it is compared only with a target that was typed, too.

    Args:
        work: The session, which is idle.

    Raises:
        Conflict: Nothing has run to its end, the run has a score that was graded or printed, or
            something else was written to the session meanwhile.
    """
    session = work.session
    latest = session.current
    if not isinstance(latest, GradedRun) or not (
        latest.execution and latest.grade and latest.diagnosis
    ):
        raise Conflict(coded("conflict.nothing-run"))
    if latest.grade.score is not None and latest.grade.score_kind is not ScoreKind.TYPED:
        raise Conflict(coded("conflict.has-score", score_kind=latest.grade.score_kind.value))
    grade = _typed(latest.grade, session.settings, score)
    notebook = work.notebook(latest.notebook_hash)
    # The errors in the cells are unchanged; only the score has a new meaning.
    diagnosis = await pools.code.run(diagnose, notebook, latest.execution, grade)
    diagnosis = diagnosis.model_copy(update={"findings": latest.diagnosis.findings})
    latest = latest.model_copy(update={"grade": grade, "diagnosis": diagnosis})
    number = best((*session.iterations[:-1], latest)).number
    diagnosed = events.Diagnosed(grade=grade, diagnosis=diagnosis, best=number)
    work.write(diagnosed, check=_unchanged(session))
    rested = ending_without_need(latest, session.settings.competition)
    if rested is None or session.phase is Phase.REVIEWING:
        rested = events.Rested(phase=session.phase, message=diagnosis.summary)
    return work.write(as_proven(work.session, latest, rested))


def _typed(grade: Grade, settings: SessionSettings, score: float) -> Grade:
    return with_deviation(
        grade.model_copy(
            update={
                "score": score,
                "score_kind": ScoreKind.TYPED,
                "reason": (),
                "target": settings.target_score,
                "target_kind": settings.target_kind,
                "threshold": settings.threshold,
                "measure": settings.distance,
                "floor": None,
                "deviation": None,
                "floor_deviation": None,
                "within_threshold": False,
                "better_than_target": False,
            }
        )
    )
