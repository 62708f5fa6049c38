"""Edits that change the experiment: they need a person's explicit yes."""

from __future__ import annotations

from mle_modernizer_server.domain.proposal import CellEdit, Meaning, Proposal
from mle_modernizer_server.fixing.fixer import Attempt

SEND_BACK = (
    "Not used: it changes the experiment (data, features, model, parameters, seed or split), and "
    "the user has not allowed that. Find a repair that leaves the experiment as it is."
)


def bold_edits(proposal: Proposal) -> tuple[CellEdit, ...]:
    """The edits of a proposal that change the experiment."""
    return tuple(edit for edit in proposal.edits if edit.meaning is Meaning.EXPERIMENT)


def why_held(proposal: Proposal) -> str:
    """Why a proposal is not carried out unasked, as a sentence."""
    cells = len(bold_edits(proposal))
    return (
        f"What is proposed changes the experiment in {cells} cell{'s' * (cells > 1)} (data, "
        "features, model, parameters, seed or split) and waits for your yes."
    )


def unused(proposal: Proposal, iteration: int, why: str) -> Attempt:
    """A proposal that was not carried out, as a fixer is told of it."""
    return Attempt(
        iteration=iteration,
        fixer=proposal.fixer,
        plan=proposal.plan,
        accepted=True,  # no person turned it down
        result=why,
        verdict=why,
    )
