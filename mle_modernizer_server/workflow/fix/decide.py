"""The user's decisions on the edits of a proposal."""

from __future__ import annotations

from collections.abc import Mapping

from mle_modernizer_server.domain.errors import NeedsYes, NotFound, StaleEdit
from mle_modernizer_server.domain.proposal import CellEdit, EditKind, Meaning
from mle_modernizer_server.domain.session import Decision, EditState, Phase, Review, Session
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.verdict.endings import ending_of_review
from mle_modernizer_server.workflow.work import Work


def decide(
    work: Work,
    proposal_id: str,
    decisions: Mapping[str, Decision],
    source_hashes: Mapping[str, str],
) -> Session:
    """Record what became of edits; all or nothing.

    Args:
        work: The session.
        proposal_id: The proposal under review.
        decisions: By edit id.
        source_hashes: By edit id, the cell's source hash in the document right now; needed
            for an accepted modification or deletion.

    Raises:
        NotFound: No such proposal or edit.
        StaleEdit: An accepted edit was made for another state of its cell.
        NeedsYes: An accepted edit changes the experiment, and nobody said yes to that.
    """
    session = work.session
    review = _review(session, proposal_id)
    edits = {edit.id: edit for edit in review.proposal.edits}
    for edit_id, decision in decisions.items():
        if edit_id not in edits:
            raise NotFound(f"Proposal {proposal_id} has no edit {edit_id}.")
        if decision.state is EditState.ACCEPTED:
            _check_fresh(edits[edit_id], source_hashes.get(edit_id))
            if not session.settings.allow_experiment_changes:
                _check_agreed(edits[edit_id], decision)
    session = work.write(events.Decided(proposal=proposal_id, decisions=dict(decisions)))
    if session.phase is Phase.REVIEWING and not _review(session, proposal_id).open:
        rested = ending_of_review(session, _review(session, proposal_id))
        session = work.write(rested)
    return session


def _review(session: Session, proposal_id: str) -> Review:
    for review in session.all_reviews:
        if review.proposal.id == proposal_id:
            return review
    raise NotFound(f"Session {session.id} has no proposal {proposal_id}.")


def _check_fresh(edit: CellEdit, digest: str | None) -> None:
    if edit.kind is not EditKind.INSERT and digest != edit.base_hash:
        raise StaleEdit(
            "The cell was changed after the fix was proposed; ask for the fix again.",
            cell_id=edit.cell_id,
        )


def _check_agreed(edit: CellEdit, decision: Decision) -> None:
    if edit.meaning is Meaning.EXPERIMENT and not decision.confirmed:
        raise NeedsYes(
            "This edit changes the experiment (data, features, model, parameters, seed or split). "
            "Accept it by itself, with your explicit yes.",
            cell_id=edit.cell_id,
        )
