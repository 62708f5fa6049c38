"""The report of a session: for programs as JSON, for people as Markdown."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator

from mle_modernizer_server.domain.diagnosis import run_result
from mle_modernizer_server.domain.era import ContrastKind, OwnTimeContrast
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.notebook import Notebook, outputs_count
from mle_modernizer_server.domain.session import (
    GradedRun,
    Iteration,
    RehearsalRun,
    Session,
    grade_of,
)
from mle_modernizer_server.words import CellNames, one_text, text
from mle_modernizer_server.workflow.era import era_of
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.template import report_template
from mle_modernizer_server.workflow.verdict.own_time import message_on, message_on_contrast


def cell_names(session: Session, store: Store, digest: str | None = None) -> CellNames:
    """Return the names of the cells, with the prompts that the file had at the beginning.

    Args:
        store: The log with its notebooks.
        digest: Hash of the version whose cells positions refer to; None means the latest run's.
    """
    current = session.current
    if digest is None:
        digest = session.notebook_hash if current is None else current.notebook_hash
    first = store.notebook(session.id, session.notebook_hash)
    version = first if digest == session.notebook_hash else store.notebook(session.id, digest)
    return CellNames(version, store.saved_outputs(session.id).prompts, (first,))


def report_json(session: Session, store: Store) -> str:
    """Return the session and the difference between its first and its best notebook, as JSON."""
    data = session.model_dump(mode="json")
    data["difference"] = _difference(session, store)
    return json.dumps(data, indent=2) + "\n"


def report_markdown(session: Session, store: Store) -> str:
    """Return the report as a page: settings, a table of iterations, the fixes, the difference."""
    settings, own, contrast = session.settings, session.own_time, session.contrast
    cells = cell_names(session, store)
    executions = [item.execution for item in session.iterations if item.execution is not None]
    grades = [grade for run in session.iterations if (grade := grade_of(run)) is not None]
    difference = _difference(session, store, named=True)
    judged = settings.target_score is not None
    template = report_template("report.md.j2", md=escaped, one_text=one_text, plain_address=_plain)
    page = template.render(
        session=session,
        settings=settings,
        cells=cells,
        cells_of=lambda run: cell_names(session, store, run.notebook_hash),
        era=text(era_of(session).summary),
        floor=next((grade.floor_told for grade in reversed(grades) if grade.floor_told), ()),
        latest=executions[-1] if executions else None,
        usage=_usage(session.usage),
        rows=[_row(iteration, judged=judged) for iteration in session.iterations],
        own_time=text(() if own is None else message_on(own, taken=False), cells),
        ways=two_ways(session),
        contrast=text(message_on_contrast(session), cells),
        contrast_rows=() if contrast is None else tuple(contrast_rows(contrast, cells)),
        difference=difference.rstrip("\n"),
        fence=_fence(difference),
    )
    return page.rstrip("\n") + "\n"


def escaped(text: str) -> str:
    """Return untrusted text on one line, with Markdown and HTML syntax escaped."""
    flat = " ".join(text.split()).replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{sign}" if sign in "\\`*_[]|#" else sign for sign in flat)


def _plain(address: str) -> bool:
    """Return whether an address is a plain web address, which Markdown takes as a link."""
    return re.fullmatch(r"https?://[^\s()<>\[\]\\]+", address) is not None


def _row(iteration: Iteration, *, judged: bool) -> tuple[object, ...]:
    """Return the line of a run in the table of runs."""
    execution = iteration.execution
    fixers = ", ".join(
        review.proposal.fixer.value for review in iteration.reviews if not review.final
    )
    cut_off = (iteration.number, "cut off", *[""] * 6)
    if isinstance(iteration, RehearsalRun):
        if iteration.rehearsal is None or execution is None:
            return cut_off
        outcome = f"rehearsal on {text(iteration.rehearsal.size)}"
        errors = len(iteration.hints)
        return (iteration.number, outcome, "", "", "", f"{execution.seconds:.1f}", errors, fixers)
    grade, diagnosis = iteration.grade, iteration.diagnosis
    if execution is None or grade is None or diagnosis is None:
        return cut_off
    deviation = "" if grade.deviation is None else f"{grade.deviation:.2%}"
    if grade.deviation_is_absolute and grade.deviation is not None:
        deviation = f"{grade.deviation:.6g} (absolute)"
    agreement = iteration.agreement
    alike = ""
    if agreement is not None and agreement.compared:
        alike = text(outputs_count(agreement.agreeing, agreement.compared, agreement.close))
    outcome = diagnosis.outcome.value if judged else text(run_result(diagnosis, agreement))
    origin = iteration.origin
    number = str(iteration.number)
    if origin is not None and origin.of > 1:
        number += f" (alternative {origin.number}/{origin.of})"
    seconds, errors = f"{execution.seconds:.1f}", len(diagnosis.roots)
    return (number, outcome, _score(grade.score), deviation, alike, seconds, errors, fixers)


def _score(value: float | None) -> str:
    return "none" if value is None else f"{value:.6g}"


def _usage(usage: Usage) -> str:
    if not usage.asked:
        return "no model was asked"
    failed = f", {usage.failed} of them failed" if usage.failed else ""
    if not usage.calls:
        return f"{usage.asked} calls{failed}"
    cost = "cost unknown" if usage.cost_usd is None else f"{usage.cost_usd:.4f} USD"
    if usage.cost_usd is not None and usage.unpriced_calls:
        cost += f" and {usage.unpriced_calls} calls without a known price"
    if usage.prices_as_of is not None:
        cost += f" (prices of {usage.prices_as_of})"
    given = f"{usage.input_tokens} input ({usage.cached_input_tokens} cached)"
    written = f"{usage.output_tokens} output tokens ({usage.reasoning_tokens} reasoning)"
    return f"{usage.asked} calls{failed}, {given} and {written}, {cost}"


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


def _difference(session: Session, store: Store, *, named: bool = False) -> str:
    """Return the unified diff of the sources, cell after cell; empty without a fix.

    Args:
        store: The log with its notebooks.
        named: Whether cells have their names; otherwise they have their ids.
    """
    if session.best_run is None:
        return ""
    best = session.best_run.notebook_hash
    before = store.notebook(session.id, session.notebook_hash)
    cells = cell_names(session, store, best) if named else None
    return unified(before, store.notebook(session.id, best), cells)


def unified(before: Notebook, after: Notebook, cells: CellNames | None = None) -> str:
    """Return the unified diff of two notebooks' sources, each cell under a line that names it."""
    old, new = _lines(before, cells), _lines(after, cells)
    return "".join(difflib.unified_diff(old, new, "original", "modernized", n=3))


def _lines(notebook: Notebook, cells: CellNames | None) -> list[str]:
    lines: list[str] = []
    for cell in notebook.cells:
        name = cell.id if cells is None else cells.of(cell.id) or ""
        lines.append(f"# {cell.type.value} cell {name}".rstrip() + "\n")
        lines += [line + "\n" for line in cell.source.splitlines()]
    return lines


def _fence(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return fence
