"""Repeated runs on the terminal: a line per run, and their result."""

from __future__ import annotations

from rich.table import Table

from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.tables import new_table
from mle_modernizer_server.domain.text import duration
from mle_modernizer_server.domain.verification import RepeatedRun, Verification


def verification_table(verification: Verification) -> Table:
    """Return a table with a row per run; below, mean, spread, interval and p."""
    title = f"Verification ({verification.kind.value})"
    columns = ("run", "outcome", "score", "in the band", "seconds")
    table = new_table(title, columns, {*columns} - {"outcome"}, figures(verification))
    for run in verification.runs:
        score = "none" if run.score is None else f"{run.score:.6g}"
        band = "yes" if run.within_threshold else "no"
        table.add_row(str(run.number), run.outcome.value, score, band, f"{run.seconds:.1f}")
    return table


def figures(verification: Verification) -> str:
    """Return mean, spread, interval, p and why it ended, on a line each."""
    lines = []
    spread = verification.spread
    if spread is not None and spread.deviation is not None:
        lines.append(f"mean {spread.mean:.6g}, standard deviation {spread.deviation:.3g}")
        lines.append(f"95 % confidence interval {spread.low:.6g} to {spread.high:.6g}")
    if verification.p_value is not None:
        lines.append(f"p {verification.p_value:.3g} (one-sample t-test against the target)")
    if verification.ended:
        lines.append(one_line(verification.ended))
    return "\n".join(lines)


def run_line(run: RepeatedRun, asked: int) -> str:
    """Return a line about a run that has just ended."""
    score = f"no score ({one_line(run.reason, 200)})" if run.score is None else f"{run.score:.6g}"
    return f"Run {run.number} of {asked}: {score}, {duration(run.seconds)}"
