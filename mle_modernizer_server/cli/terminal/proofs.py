"""Proofs on the terminal: experiments, results and costs."""

from __future__ import annotations

from rich.table import Table

from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.tables import new_table
from mle_modernizer_server.domain.message import Parameter
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.text import counted, duration
from mle_modernizer_server.domain.verification import Proof
from mle_modernizer_server.words import label


def proof_table(session: Session) -> Table:
    """Return a table with a row per proof; below, the cost of their runs."""
    columns = ("tried", "outcome", "what it showed", "seconds")
    table = new_table("Proof", columns, ("seconds",), cost(session))
    for proof in session.proofs:
        seconds = f"{proof.seconds:.1f}" if proof.seconds else ""
        tried, outcome = (
            label("proof-kind", proof.kind.value),
            label("proof-outcome", proof.outcome.value),
        )
        table.add_row(tried, outcome, shown(proof), seconds)
    return table


def experiment_line(proof: Proof) -> str:
    """Return an experiment, its outcome and its meaning, in one line."""
    tried, outcome = (
        label("proof-kind", proof.kind.value),
        label("proof-outcome", proof.outcome.value),
    )
    return f"{tried[0].upper()}{tried[1:]}, {outcome}: {shown(proof)}"


def shown(proof: Proof) -> str:
    """Return the meaning of a proof, in a sentence or two."""
    given = proof.parameters
    parameters: dict[str, Parameter] = {**given, "reason": proof.reason}
    said = label("proof", proof.code.value, **parameters)
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
