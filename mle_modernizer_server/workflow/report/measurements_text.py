"""Results of repeated runs, as Markdown for the report."""

from __future__ import annotations

from collections.abc import Iterator

from mle_modernizer_server.domain.era import ContrastKind, OwnTimeContrast
from mle_modernizer_server.domain.notebook import outputs_count
from mle_modernizer_server.domain.session import GradedRun, Session
from mle_modernizer_server.domain.verification import Calibration, RepeatedRun, Spread, Verification
from mle_modernizer_server.words import CellNames, text
from mle_modernizer_server.workflow.verdict.own_time import message_on, message_on_contrast


def measurements_markdown(session: Session, cells: CellNames) -> list[str]:
    """Return the lines of the report's sections on measurements; none without a measurement."""
    lines = _own_time(session, cells)
    if session.verification is not None:
        lines += _verification(session.verification)
    for calibration in session.calibrations:
        lines += [f"## Cause of the distance (run {calibration.iteration})", ""]
        lines += [escaped(text(calibration.message, cells)), "", *_experiments(calibration)]
    if session.noise is not None:
        lines += ["## Noise", "", escaped(text(session.noise.message, cells)), ""]
        lines += [*_spread(session.noise.spread), "", *_runs(session.noise.runs)]
    return lines


def _own_time(session: Session, cells: CellNames) -> list[str]:
    """Return the results with the original libraries, and the cells that differ today."""
    own, found = session.own_time, session.contrast
    if own is None:
        return []
    lines = ["## With the original libraries", ""]
    lines += [escaped(text(message_on(own, taken=False), cells)), ""]
    ways = two_ways(session)
    if ways:
        lines += ["| | modernized | as it was, with its original libraries |", "|---|---|---|"]
        lines += [f"| {what} | {escaped(one)} | {escaped(other)} |" for what, one, other in ways]
        lines.append("")
    if found is None:
        return lines
    lines += [escaped(text(message_on_contrast(session), cells)), ""]
    if found.cells:
        lines += ["| cell | what | then | now |", "|---|---|---|---|"]
        lines += [
            f"| {escaped(name)} | {escaped(what)} | {escaped(then)} | {escaped(now)} |"
            for name, what, then, now in contrast_rows(found, cells)
        ]
        lines.append("")
    return lines


def two_ways(session: Session) -> tuple[tuple[str, str, str], ...]:
    """Return rows that compare the best modernized notebook with the original environment.

    Empty if one of the two did not run.
    """
    own = session.own_time
    best = session.best_run
    if own is None or not isinstance(best, GradedRun) or best.execution is None:
        return ()
    today = best.execution
    named = ", ".join(f"{name} {version}" for name, version in today.environment.packages.items())
    agreement = best.agreement
    rows = [
        ("Code", f"{best.changed_lines} lines changed", "unchanged"),
        ("Python", today.environment.python, own.python),
        ("Libraries", named or "none", own.libraries),
        ("Score", _score(None if best.grade is None else best.grade.score), _score(own.score)),
        (
            "Cells that fail",
            str(len({error.cell_id for error in today.raised})),
            str(len(own.failing)),
        ),
        ("Seconds", f"{today.seconds:.1f}", f"{own.seconds:.1f}"),
    ]
    if own.compared and agreement is not None:
        alike = text(outputs_count(agreement.agreeing, agreement.compared, agreement.close))
        own_alike = text(outputs_count(own.agreeing, own.compared, own.close))
        rows.append(("Cells as saved", alike, own_alike))
    kernel = "not in the menu" if session.backport is None else session.backport.title
    rows.append(("Kernel", "any with these libraries", kernel))
    return tuple(rows)


def _score(value: float | None) -> str:
    return "none" if value is None else f"{value:.6g}"


def contrast_rows(found: OwnTimeContrast, cells: CellNames) -> Iterator[tuple[str, str, str, str]]:
    """Yield cell, description, then and now: a row for each difference between the two runs."""
    for cell in found.cells:
        name = cells.of(cell.cell_id) or f"number {cell.ordinal}"
        if cell.kind is ContrastKind.FAILS:
            yield name, "its run", "ran", cell.error or "was not reached"
        for one in cell.values:
            yield name, one.name, one.then, one.now
        if cell.output is not None:
            yield name, "what it prints", cell.output.saved, cell.output.fresh


def _verification(said: Verification) -> list[str]:
    lines = [f"## Verification ({said.kind.value})", "", escaped(text(said.message))]
    if said.ended:
        lines.append(escaped(text(said.ended)))
    lines += ["", *_spread(said.spread)]
    if said.p_value is not None:
        lines.append(f"- p: {said.p_value:.3g} (one-sample t-test against the target)")
    if said.deviation is not None:
        lines.append(f"- Deviation of the mean: {said.deviation:.4g}")
    return [*lines, "", *_runs(said.runs)]


def _spread(spread: Spread | None) -> list[str]:
    if spread is None:
        return []
    lines = [f"- Mean: {spread.mean:.6g}"]
    if spread.deviation is not None:
        lines.append(f"- Standard deviation: {spread.deviation:.3g}")
        lines.append(f"- 95 % confidence interval: {spread.low:.6g} to {spread.high:.6g}")
    return lines


def _experiments(calibration: Calibration) -> list[str]:
    if not calibration.tried:
        return []
    lines = ["| restored | score before | score after | in the band |", "|---|---|---|---|"]
    for tried in calibration.tried:
        after = "none" if tried.after is None else f"{tried.after:.6g}"
        band = "yes" if tried.within_threshold else "no"
        what = escaped(text(tried.what))
        lines.append(f"| {what} | {tried.before:.6g} | {after} | {band} |")
    return [*lines, ""]


def _runs(runs: tuple[RepeatedRun, ...]) -> list[str]:
    if not runs:
        return []
    lines = ["| run | score | in the band | seconds | seeds |", "|---|---|---|---|---|"]
    for run in runs:
        score = "none" if run.score is None else f"{run.score:.6g}"
        band = "yes" if run.within_threshold else "no"
        seeds = "others" if run.reseeded else "as they are"
        lines.append(f"| {run.number} | {score} | {band} | {run.seconds:.1f} | {seeds} |")
    return [*lines, ""]


def escaped(text: str) -> str:
    """Return untrusted text on one line, with Markdown and HTML syntax escaped."""
    flat = " ".join(text.split()).replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{sign}" if sign in "\\`*_[]|#" else sign for sign in flat)
