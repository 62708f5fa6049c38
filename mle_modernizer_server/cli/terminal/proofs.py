"""Proofs on the terminal: experiments, results and costs."""

from __future__ import annotations

from rich.table import Table

from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.text import counted, duration
from mle_modernizer_server.domain.verification import Proof, ProofCode, ProofKind, ProofOutcome
from mle_modernizer_server.words import text

_TRIED = {
    ProofKind.WAY: "the cells behind it ran",
    ProofKind.NO_COPY: "no copy",
    ProofKind.LABEL_SHUFFLE: "shuffled labels",
    ProofKind.ROW_SHUFFLE: "shuffled test rows",
    ProofKind.HALF_ROWS: "half of the test rows",
}
_OUTCOMES = {
    ProofOutcome.PASSED: "passed",
    ProofOutcome.FAILED: "failed",
    ProofOutcome.UNCLEAR: "open",
}
_SHOWN = {
    ProofCode.LABELS_MATTER: "The score is lost: it comes from training.",
    ProofCode.LABELS_UNUSED: "The predictions are the same: they do not come from training.",
    ProofCode.SCORE_KEPT: "The score is just as good: it does not come from training.",
    ProofCode.SCORE_NOT_COMPUTED: "The printed score is the same: it is not computed.",
    ProofCode.SCORE_FELL_LITTLE: "The score falls, but too little to be a proof.",
    ProofCode.NO_BETTER_THAN_FLOOR: "The score is no better than without knowledge: nothing to "
    "lose.",
    ProofCode.NO_SCORE: "A run has no score, so nothing can be compared.",
    ProofCode.FOLLOWS_ROWS: "The predictions follow the rows.",
    ProofCode.FOLLOWS_IDS: "The predictions follow the ids.",
    ProofCode.FOLLOWS_PLACES: "The predictions stay where they were.",
    ProofCode.ALL_THE_SAME: "Every row has the same prediction.",
    ProofCode.ORDER_MATTERS: "The predictions change with the rows' order.",
    ProofCode.ROWS_COST_SCORE: "With the rows in another order the score is lost.",
    ProofCode.ROWS_ALONE: "Each row has the same prediction without the other half.",
    ProofCode.VARIES: "Two runs on the same data predict differently: nothing can be compared.",
    ProofCode.IDS_DIFFER: "The two submissions have different rows.",
    ProofCode.OWN: "The submission is original.",
    ProofCode.CELLS_RAN: "No cell that the submission depends on failed.",
}


def proof_table(session: Session) -> Table:
    """Return a table with a row per proof; below, the cost of their runs."""
    table = Table(title="Proof", title_justify="left")
    for name in ("tried", "outcome", "what it showed", "seconds"):
        table.add_column(name, justify="right" if name == "seconds" else "left")
    for proof in session.proofs:
        seconds = f"{proof.seconds:.1f}" if proof.seconds else ""
        table.add_row(_TRIED[proof.kind], _OUTCOMES[proof.outcome], shown(proof), seconds)
    table.caption = cost(session)
    table.caption_justify = "left"
    return table


def experiment_line(proof: Proof) -> str:
    """Return an experiment, its outcome and its meaning, in one line."""
    tried = _TRIED[proof.kind]
    return f"{tried[0].upper()}{tried[1:]}, {_OUTCOMES[proof.outcome]}: {shown(proof)}"


def shown(proof: Proof) -> str:
    """Return the meaning of a proof, in a sentence or two."""
    given = proof.parameters
    if proof.code is ProofCode.CELLS_FAILED:
        said = f"Cells that the submission depends on failed ({given['cells']})."
    elif proof.code is ProofCode.COPY:
        said = f"The submission is a copy of {given['file']}."
    elif proof.code is ProofCode.ROWS_TOGETHER:
        said = (
            f"Without the other half, {given['moved']} of {given['rows']} rows have another "
            "prediction: it depends on other test rows."
        )
    elif proof.code is ProofCode.NOT_POSSIBLE:
        said = f"Not possible, because {text(proof.reason)}."
    else:
        said = _SHOWN[proof.code]
    if "normal" in given and "shuffled" in given:
        said += f" Score {given['normal']}, shuffled {given['shuffled']}."
    if "normal" in given and "moved" in given:
        said += f" Score {given['normal']}, with rows moved {given['moved']}."
    if given.get("original") == "no-training":
        said += " The original trains nothing, so this is no reproach."
    return one_line(said, 500)


def cost(session: Session) -> str:
    """Return runs and time, and their share of all runs of the session."""
    runs = [proof.seconds for proof in session.proofs if proof.seconds]
    if not runs:
        return "It took no run."
    others = [one.execution.seconds for one in session.iterations if one.execution is not None]
    share = sum(runs) / (sum(runs) + sum(others))
    said = f"{counted(len(runs), 'run')}, {duration(sum(runs))}, {share:.0%} of all runs' time"
    sample = next((proof.sample for proof in session.proofs if proof.sample), "")
    return f"{said}; on a sample ({one_line(sample, 200)})" if sample else said
