"""The report of a session: for programs as JSON, for people as Markdown."""

from __future__ import annotations

import difflib
import json
import re

from mle_modernizer_server.domain.diagnosis import run_result
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.notebook import Notebook, outputs_count
from mle_modernizer_server.domain.session import Iteration, RehearsalRun, Review, Session, grade_of
from mle_modernizer_server.domain.text import without_controls
from mle_modernizer_server.words import CellNames, one_text, text
from mle_modernizer_server.workflow.era import era_of
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.measurements_text import escaped, measurements_markdown


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


def _floor(session: Session) -> list[str]:
    """Return the line on the score of a prediction without knowledge; none if unknown."""
    grades = [grade for run in session.iterations if (grade := grade_of(run)) is not None]
    told = next((grade.floor_told for grade in reversed(grades) if grade.floor_told), ())
    return [f"- Floor: {escaped(text(told))}"] if told else []


def report_markdown(session: Session, store: Store) -> str:
    """Return the report as a page: settings, a table of iterations, the fixes, the difference."""
    settings = session.settings
    cells = cell_names(session, store)
    target = "not given" if settings.target_score is None else f"{settings.target_score:g}"
    outcome = text(session.result) if session.verdict is None else session.verdict.value
    judged = settings.target_score is not None
    lines = [
        f"# Modernization of {escaped(session.path)}",
        "",
        escaped(text(session.message, cells)),
        "",
        f"- Competition: {escaped(settings.competition or 'unknown')}",
        f"- Written for: {escaped(text(era_of(session).summary) or 'not known')}",
        f"- Target score: {target}",
        *_floor(session),
        f"- Replication threshold: {settings.threshold:.0%}",
        f"- Time limit: {settings.time_limit:g} s",
        f"- Outcome: {outcome or 'none yet'}",
        f"- Fixes: {session.fixes}; {_usage(session.usage)}",
        *([f"- {escaped(text(session.unrehearsed, cells))}"] if session.unrehearsed else []),
        *_surroundings(session, cells),
        "",
        "| run | outcome | score | deviation | as saved | seconds | root errors | fix |",
        "|---|---|---|---|---|---|---|---|",
        *(_row(iteration, judged=judged) for iteration in session.iterations),
        "",
    ]
    lines += measurements_markdown(session, cells)
    for review in session.reviews:
        lines += _fix("Fix before the first run", review, cells)
    for iteration in session.iterations:
        cells = cell_names(session, store, iteration.notebook_hash)
        lines += _errors(iteration, cells)
        for review in iteration.reviews:
            name = "Final review" if review.final else f"Fix after run {iteration.number}"
            lines += _fix(name, review, cells)
    difference = _difference(session, store, named=True)
    if difference:
        fence = _fence(difference)
        lines += ["## Difference between the first and the best notebook", ""]
        lines += [f"{fence}diff", difference.rstrip("\n"), fence, ""]
    return without_controls("\n".join(lines))


def _errors(iteration: Iteration, cells: CellNames) -> list[str]:
    """Return the root errors of a run, with the library change behind each if known."""
    if not iteration.roots:
        return []
    rehearsal = iteration.rehearsal if isinstance(iteration, RehearsalRun) else None
    doubtful = {} if rehearsal is None else rehearsal.doubtful
    kind = "" if rehearsal is None else ", a rehearsal: hints only"
    lines = [f"## Root errors of run {iteration.number}{kind}", ""]
    for finding in iteration.roots:
        error = finding.error
        line = f"- {_cell(error.cell_id, cells)}: {escaped(f'{error.ename}: {error.evalue}'[:300])}"
        if error.cell_id in doubtful:
            line += f" — may come from the sample: {escaped(text(doubtful[error.cell_id], cells))}"
        if finding.explanation:
            line += f" — {escaped(finding.explanation)} {_link('source', finding.link)}"
        lines.append(line.rstrip())
    return [*lines, ""]


def _fix(name: str, review: Review, cells: CellNames) -> list[str]:
    """Return a proposal: its plan, notes for the reviewer, and the decision on each edit."""
    proposal = review.proposal
    lines = [f"## {name} ({proposal.fixer.value}, {proposal.fix_type.value})", ""]
    lines += [f"- {escaped(one_text(step, cells))}" for step in proposal.plan]
    lines += [f"- Note: {escaped(text(note.message, cells))}" for note in proposal.notes]
    for edit in proposal.edits:
        state = "adopted" if review.adopted else review.state(edit).value
        links = [_link(change.name, change.link) for change in edit.changes]
        links = links or [_link("source", edit.link)]
        line = (
            f"- {_cell(edit.cell_id, cells)} ({edit.kind.value}, {edit.meaning.value}): {state}. "
            f"{escaped(edit.reason)} {' '.join(links)}"
        )
        lines.append(line.rstrip())
    return [*lines, ""]


def _cell(cell_id: str, cells: CellNames) -> str:
    """Return a cell by its name, at the beginning of a line."""
    return escaped(cells.title(cell_id))


def _link(name: str, address: str) -> str:
    """Return a Markdown link; empty unless the address is a plain web address."""
    plain = re.fullmatch(r"https?://[^\s()<>\[\]\\]+", address)
    return f"[{escaped(name)}]({address})" if plain else ""


def _surroundings(session: Session, cells: CellNames) -> list[str]:
    """Return the environment of the latest run, and its missing resources."""
    executions = [item.execution for item in session.iterations if item.execution is not None]
    if not executions:
        return []
    latest = executions[-1]
    image = f", {escaped(latest.image)}" if latest.image else ""
    remarks = [f"- Note: {escaped(one_text(remark, cells))}" for remark in latest.remarks]
    return [f"- Sandbox: {latest.sandbox}{image}", *remarks]


def _row(iteration: Iteration, *, judged: bool) -> str:
    execution = iteration.execution
    cut_off = f"| {iteration.number} | cut off | | | | | | |"
    if isinstance(iteration, RehearsalRun):
        if iteration.rehearsal is None or execution is None:
            return cut_off
        fixers = ", ".join(review.proposal.fixer.value for review in iteration.reviews)
        return (
            f"| {iteration.number} | rehearsal on {text(iteration.rehearsal.size)} | | "
            f"| | {execution.seconds:.1f} | {len(iteration.hints)} | {fixers} |"
        )
    grade, diagnosis = iteration.grade, iteration.diagnosis
    if execution is None or grade is None or diagnosis is None:
        return cut_off
    score = "none" if grade.score is None else f"{grade.score:.6g}"
    deviation = "" if grade.deviation is None else f"{grade.deviation:.2%}"
    if grade.deviation_is_absolute and grade.deviation is not None:
        deviation = f"{grade.deviation:.6g} (absolute)"
    agreement = iteration.agreement
    alike = ""
    if agreement is not None and agreement.compared:
        alike = text(outputs_count(agreement.agreeing, agreement.compared, agreement.close))
    outcome = diagnosis.outcome.value if judged else text(run_result(diagnosis, agreement))
    fixers = ", ".join(
        review.proposal.fixer.value for review in iteration.reviews if not review.final
    )
    origin = iteration.origin
    beside = (
        "" if origin is None or origin.of == 1 else f" (alternative {origin.number}/{origin.of})"
    )
    return (
        f"| {iteration.number}{beside} | {outcome} | {score} | {deviation} "
        f"| {alike} | {execution.seconds:.1f} | {len(diagnosis.roots)} | {fixers} |"
    )


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
