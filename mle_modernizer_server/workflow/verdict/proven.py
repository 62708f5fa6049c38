"""The results that need proof, and the verdict on proven ones: pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.message import Message, Messages, coded
from mle_modernizer_server.domain.notebook import Cell, Notebook, with_ids_of
from mle_modernizer_server.domain.proposal import CellEdit, EditKind, FixerName
from mle_modernizer_server.domain.session import Iteration, Review, Session, Verdict
from mle_modernizer_server.domain.verification import Proof, ProofCode, speaks_against
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.verdict.final_verdict import ADVICE


def needs_proof(original: Notebook, notebook: Notebook, reviews: Iterable[Review]) -> bool:
    """Return whether a notebook's code has an edit that the rules alone did not make.

    Args:
        original: The notebook as the session began with it.
        notebook: The notebook to run.
        reviews: The session's proposals, in their order.
    """
    known = {cell.id: [cell.source] for cell in original.code_cells()}
    deleted: set[str] = set()
    in_part: set[str] = set()
    for review in reviews:
        in_part |= _in_part(review)
        for edit in _by_rules(review):
            sources = known.setdefault(edit.cell_id, [""])
            if edit.kind is EditKind.DELETE:
                deleted.add(edit.cell_id)
            elif edit.base_source in sources:
                sources.append(edit.new_source)
    if all(notebook.cell(cell.id) is None for cell in original.code_cells()):
        notebook = with_ids_of(original, notebook)  # its file stores no ids
    cells = [cell for cell in notebook.code_cells() if cell.source.strip()]
    there = [cell.id for cell in cells]
    before = [cell.id for cell in original.code_cells() if cell.source.strip()]
    if [name for name in there if name in before] != [
        name for name in before if name in there or name not in deleted
    ]:
        return True  # a cell was moved or deleted
    return not all(_is_known(cell, known.get(cell.id, ()), cell.id in in_part) for cell in cells)


def _by_rules(review: Review) -> Iterable[CellEdit]:
    """Yield the edits of a proposal that the rules made and no model taught them."""
    proposal = review.proposal
    if proposal.fixer is FixerName.RULES and proposal.fix_type is not FixType.IMPROVEMENT:
        yield from (edit for edit in proposal.edits if not edit.learned)


def _in_part(review: Review) -> set[str]:
    """Return the ids of the cells of whose edits a person accepted some hunks only."""
    return {
        edit.cell_id
        for edit in review.proposal.edits
        if (decision := review.decisions.get(edit.id)) is not None and decision.partial
    }


def _is_known(cell: Cell, sources: Sequence[str], in_part: bool) -> bool:
    lines = _lines(cell.source)
    if any(lines == _lines(source) for source in sources):
        return True
    return in_part and set(lines) <= {line for source in sources for line in _lines(source)}


def _lines(source: str) -> list[str]:
    return [line.rstrip() for line in source.rstrip().split("\n")]


_REPRODUCED, _REACHED = "summary.reproduced", "summary.reached"


def unproven(summary: Messages) -> Messages:
    """Return a run's summary without the claim that its score is reproduced."""
    return tuple(_coded_as(one, _REPRODUCED, _REACHED) for one in summary)


def _proven(summary: Messages) -> Messages:
    return tuple(_coded_as(one, _REACHED, _REPRODUCED) for one in summary)


def proven_summary(session: Session, run: Iteration, proofs: Sequence[Proof]) -> Messages:
    """Return the summary of a run that waited for its proof; empty if anything speaks against it.

    Args:
        session: The session before the proof.
        proofs: Results of the experiments.
    """
    if session.verdict is not Verdict.REACHED or objections(proofs):
        return ()
    return _proven(run.require_diagnosis().summary)


def _coded_as(message: Message, code: str, other: str) -> Message:
    return message.model_copy(update={"code": other}) if message.code == code else message


def is_about(session: Session, run: Iteration) -> bool:
    """Return whether the session's proofs are about the notebook of a run."""
    return bool(session.proofs) and session.proven == run.notebook_hash


def proven_verdict(session: Session, run: Iteration, verdict: Verdict) -> Verdict:
    """Return the verdict on a run as far as its result is proven.

    Args:
        session: The session with its latest proofs.
        run: The run that represents the notebook.
        verdict: The verdict by its score.
    """
    if not verdict.success:
        return verdict
    if is_about(session, run) and objections(session.proofs):
        return Verdict.NOT_PROVEN
    return Verdict.REACHED if session.lacks_proof(run) else verdict


def as_proven(session: Session, run: Iteration, rested: events.Rested) -> events.Rested:
    """Return how the work ends with the verdict as far as the run's result is proven."""
    if rested.verdict is None:
        return rested
    verdict = proven_verdict(session, run, rested.verdict)
    message = rested.message
    if verdict is Verdict.NOT_PROVEN is not rested.verdict:
        message = outcome_of(session.proofs)
    elif verdict is Verdict.REACHED:
        message = unproven(message) + ADVICE[verdict]
    elif run.needs_proof:
        message = _proven(message)
    return rested.model_copy(update={"verdict": verdict, "message": message})


def objections(proofs: Sequence[Proof]) -> list[Proof]:
    """Return the proofs that forbid to call a result reproduced."""
    return [proof for proof in proofs if speaks_against(proof)]


def outcome_of(proofs: Sequence[Proof]) -> Messages:
    """Return the outcome of all proofs together."""
    against = objections(proofs)
    if against:
        found = dict.fromkeys(one for proof in against for one in _shown_by(proof))
        return coded("proof.against") + tuple(found)
    if any(proof.code is ProofCode.LABELS_MATTER for proof in proofs):
        return coded("proof.for")
    return coded("proof.neither")


def _shown_by(proof: Proof) -> Messages:
    """Return the result of a proof that refutes a result."""
    if proof.code is ProofCode.CELLS_FAILED:
        return coded("proof.cells-failed", cells=proof.parameters["cells"])
    if proof.code is ProofCode.COPY:
        return coded("proof.copy", file=proof.parameters["file"])
    return {
        ProofCode.LABELS_UNUSED: coded("proof.labels-unused"),
        ProofCode.SCORE_KEPT: coded("proof.score-kept"),
        ProofCode.SCORE_NOT_COMPUTED: coded("proof.score-not-computed"),
        ProofCode.FOLLOWS_IDS: coded("proof.follows-ids"),
        ProofCode.FOLLOWS_PLACES: coded("proof.follows-places"),
        ProofCode.ORDER_MATTERS: coded("proof.order-matters"),
        ProofCode.ROWS_COST_SCORE: coded("proof.rows-cost-score"),
        ProofCode.ALL_THE_SAME: coded("proof.all-the-same"),
    }.get(proof.code, coded("proof.other", kind=proof.kind.value, finding=proof.code.value))
