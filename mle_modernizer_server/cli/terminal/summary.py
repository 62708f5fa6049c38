"""Output at the end: findings, the table of the iterations, the difference."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.terminal.safe_text import harmless, one_line, plain
from mle_modernizer_server.cli.terminal.tables import new_table
from mle_modernizer_server.domain.diagnosis import ErrorDiagnosis, ErrorKind, Finding, run_result
from mle_modernizer_server.domain.era import OwnTimeContrast
from mle_modernizer_server.domain.execution import Execution
from mle_modernizer_server.domain.grade import Grade
from mle_modernizer_server.domain.message import Message
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.notebook import (
    DifferenceKind,
    Notebook,
    OutputAgreement,
    OutputDifference,
    OutputMatch,
    outputs_count,
    saved_outputs_summary,
)
from mle_modernizer_server.domain.proposal import CellEdit, EditKind, Proposal
from mle_modernizer_server.domain.session import GradedRun, Iteration, RehearsalRun, Session
from mle_modernizer_server.words import CellNames, word
from mle_modernizer_server.words import text as in_words

_HOTTEST = 5
_LONGEST_REASON = 2_000
"""Characters of why an edit is made."""
NO_PROMPTS: Mapping[str, int] = MappingProxyType({})
"""Prompts of a notebook without any."""
_KIND = {EditKind.MODIFY: "changed", EditKind.INSERT: "new", EditKind.DELETE: "deleted"}


def iterations_table(session: Session) -> Table:
    """Return a table with a row per run: its outcome, and the fix that followed."""
    scored = session.scored
    results = ("score", "deviation") if scored else ("as saved",)
    columns = ("run", "outcome", *results, "seconds", "errors", "fix", "cost")
    table = new_table("Runs", columns, {*columns} - {"outcome", "fix"})
    for column in table.columns:
        column.no_wrap = column.header != "fix"
    for iteration in session.iterations:
        mark = "*" if iteration.number == session.best and len(session.iterations) > 1 else ""
        origin = iteration.origin
        beside = "" if origin is None or origin.of == 1 else f" ({origin.number}/{origin.of})"
        judged = session.settings.target_score is not None
        table.add_row(
            f"{iteration.number}{mark}{beside}", *_row(iteration, judged=judged, scored=scored)
        )
    if len(session.iterations) > 1 and session.best is not None:
        several = any(item.origin and item.origin.of > 1 for item in session.iterations)
        table.caption = "* the best run" + "; (1/2) alternatives, run together" * several
    return table


def _row(iteration: Iteration, *, judged: bool, scored: bool) -> tuple[str, ...]:
    fixes = "; ".join(_fix(review.proposal) for review in iteration.reviews if not review.final)
    cost = _cost(iteration.usage)
    execution = iteration.execution
    if isinstance(iteration, GradedRun):
        results = _score(iteration.grade) if scored else (_as_saved(iteration.agreement),)
    else:
        results = ("", "") if scored else ("",)
    rehearsal = iteration.rehearsal if isinstance(iteration, RehearsalRun) else None
    if rehearsal is not None and execution is not None:
        errors = str(len(iteration.hints))
        size = f"rehearsal, {plain(rehearsal.size)}"
        return size, *results, f"{execution.seconds:.1f}", errors, fixes, cost
    if execution is None or not isinstance(iteration, GradedRun) or iteration.diagnosis is None:
        seconds = "" if execution is None else f"{execution.seconds:.1f}"
        return "cut off", *results, seconds, "", fixes, cost
    diagnosis = iteration.diagnosis
    roots = len(diagnosis.roots)
    result = run_result(diagnosis, iteration.agreement)
    outcome = diagnosis.outcome.value if judged else in_words(result).lower()
    return outcome, *results, f"{execution.seconds:.1f}", str(roots), fixes, cost


def _score(grade: Grade | None) -> tuple[str, str]:
    """Return a run's score and its deviation from the target."""
    if grade is None:
        return "", ""
    score = "none" if grade.score is None else f"{grade.score:.6g}"
    if grade.deviation is None:
        return score, ""
    absolute = grade.deviation_is_absolute
    return score, f"{grade.deviation:.4g} (abs.)" if absolute else f"{grade.deviation:.2%}"


def _as_saved(agreement: OutputAgreement | None) -> str:
    """Return how many of the comparable cells have their saved outputs."""
    if agreement is None or not agreement.compared:
        return ""
    return in_words(outputs_count(agreement.agreeing, agreement.compared, agreement.close))


def _fix(proposal: Proposal) -> str:
    count = len(proposal.edits)
    cells = "1 cell" if count == 1 else f"{count} cells"
    return f"{proposal.fixer.value}: {proposal.fix_type.value}, {cells}"


def _cost(usage: Usage) -> str:
    if not usage.calls:
        return ""
    if usage.cost_usd is not None:
        return f"{usage.cost_usd:.4f} USD"
    return f"{usage.input_tokens + usage.output_tokens:,} tokens"


def findings_text(
    diagnosis: ErrorDiagnosis, cells: CellNames, agreement: OutputAgreement | None = None
) -> Text:
    """Return the errors of a run: the roots with their causes, the others counted.

    Args:
        diagnosis: The errors.
        cells: Names of the cells.
        agreement: With the notebook's saved outputs, which may have the same errors.
    """
    text = Text()
    explained: set[str] = set()
    for finding in diagnosis.roots:
        _add_root(text, finding, cells, is_new=finding.explanation not in explained)
        explained.add(finding.explanation)
        if agreement is not None and agreement.is_same(finding.error.cell_id):
            text.append("    The original failed there too, with the same error.\n")
    for kind, expected, words in (
        (ErrorKind.CASCADE, False, "followed from an earlier one"),
        (ErrorKind.HARMLESS, False, "harmless: shown, but the cell continued"),
        (ErrorKind.HARMLESS, True, "expected: in cells tagged raises-exception"),
    ):
        count = sum(
            finding.kind is kind and finding.error.expected is expected
            for finding in diagnosis.findings
        )
        if count:
            noun = "error" if count == 1 else "errors"
            text.append(f"  {count} {noun} {words}\n", style="dim")
    text.rstrip()
    return text


OUTPUTS_COMPARED = ("summary.saved-outputs", "summary.all-saved-outputs")
"""Codes of the messages that compare a run with the saved outputs."""


def agreement_text(iteration: Iteration, cells: CellNames) -> Text:
    """Return how far a run's outputs agree with the saved ones; empty if none were saved."""
    text = Text()
    agreement = iteration.agreement if isinstance(iteration, GradedRun) else None
    if agreement is None or not agreement.compared:
        return text
    diagnosis = iteration.diagnosis
    is_told = diagnosis is not None and any(
        message.code in OUTPUTS_COMPARED for message in diagnosis.summary
    )
    if not is_told:  # otherwise the final message has it
        text.append(f"{in_words(saved_outputs_summary(agreement))}\n")
    first = agreement.first_difference()
    if first is not None:
        lead = "First difference from the saved outputs:" if is_told else "  first:"
        name = cells.place(first.cell_id)
        text.append(f"{lead} {name} {word('output', first.match.value)}\n", style="bold")
        if first.difference is not None and first.match is not OutputMatch.FAILED:
            place = _place(first.difference)
            place = f" ({place})" if place else ""
            text.append(f"    saved{place}: {one_line(first.difference.saved)}\n", style="red")
            text.append(f"    now{place}:   {one_line(first.difference.fresh)}\n", style="green")
    text.rstrip()
    return text


def contrast_text(contrast: OwnTimeContrast, cells: CellNames) -> Text:
    """Return the first cells whose results today differ from those in the original libraries."""
    text = Text()
    for cell in contrast.cells[:_MOST_CONTRASTS]:
        text.append(
            f"{cells.place(cell.cell_id)} {word('contrast', cell.kind.value)}\n", style="bold"
        )
        if cell.error:
            text.append(f"    now:  {one_line(cell.error)}\n", style="green")
        for one in cell.values:
            text.append(f"    {one_line(one.name, 100)}\n")
            text.append(f"      then: {one_line(one.then)}\n", style="red")
            text.append(f"      now:  {one_line(one.now)}\n", style="green")
        if cell.unlisted:
            text.append(f"    and {cell.unlisted} more\n")
        if cell.output is not None:
            text.append("    what it prints\n")
            text.append(f"      then: {one_line(cell.output.saved)}\n", style="red")
            text.append(f"      now:  {one_line(cell.output.fresh)}\n", style="green")
    more = len(contrast.cells) - _MOST_CONTRASTS
    if more > 0:
        text.append(f"and {more} more cells\n")
    text.rstrip()
    return text


_MOST_CONTRASTS = 3


def _place(difference: OutputDifference) -> str:
    """Return the place of the first difference in an output."""
    if difference.kind is DifferenceKind.TABLE_VALUE:
        column = f", column {one_line(difference.column, 100)}" if difference.column else ""
        return f"row {difference.line} shown{column}"
    if difference.kind is DifferenceKind.TABLE_COLUMNS:
        return "name of a column"
    if difference.kind is DifferenceKind.TABLE_SHAPE:
        return "size"
    return "" if difference.line is None else f"line {difference.line}"


def profile_text(execution: Execution, cells: CellNames) -> Text:
    """Return the lines at which a run spent its time; empty if unknown."""
    text = Text()
    for line in () if execution.profile is None else execution.profile.lines[:_HOTTEST]:
        place = cells.place(line.cell_id)
        if line.line:
            place += f", line {line.line}: {one_line(line.source, 100)}"
        text.append(f"  {line.share:4.0%}  {line.seconds:7.1f} s  ", style="bold")
        text.append(place + "\n")
    text.rstrip()
    return text


def _add_root(text: Text, finding: Finding, cells: CellNames, *, is_new: bool) -> None:
    """Append an error; its explanation only if it is not printed yet."""
    error = finding.error
    line = "" if error.line is None else f", line {error.line}"
    text.append(f"  {cells.place(error.cell_id)}{line}: ", style="bold")
    text.append(one_line(f"{error.ename}: {error.evalue}") + "\n", style="red")
    if not is_new:
        return
    if finding.explanation:
        text.append(f"    {one_line(finding.explanation, 500)}\n")
    if finding.link:
        text.append(f"    {one_line(finding.link)}\n", style="dim")


def proposal_text(
    proposal: Proposal, cells: CellNames | None = None, told: Collection[Message] = ()
) -> Text:
    """Return a proposal's plan, and the remarks for a reviewer.

    Args:
        proposal: The proposal.
        cells: Names of the cells that remarks mention.
        told: Steps of plans printed before: they are not repeated.
    """
    model = f", {proposal.model}" if proposal.model else ""
    text = Text(f"Fix by {proposal.fixer.value}{model} ({proposal.fix_type.value})\n", "bold")
    for step in proposal.plan:
        if step not in told:
            text.append(f"  - {one_line((step,), _LONGEST_REASON, cells)}\n")
    for note in proposal.notes:
        text.append(
            f"  ! {note.severity.value}: {one_line(note.message, 500, cells)}\n",
            style="yellow",
        )
    for remark in proposal.remarks:
        text.append(f"  ({one_line(remark, 500, cells)})\n", style="dim")
    text.rstrip()
    return text


def edits_diff(
    notebook: Notebook, edits: Iterable[CellEdit], prompts: Mapping[str, int] = NO_PROMPTS
) -> Text:
    """Return a unified diff of every edit, each under a line that names its cell and its reason.

    Code cells are numbered as in the progress, from 1; a text cell is named by the one before.

    Args:
        notebook: The notebook that the edits were made for.
        edits: In the order of the proposal.
        prompts: Prompts of the notebook's file, by the id of the cell.
    """
    cells = CellNames(notebook, prompts)
    new: set[str] = set()
    text = Text()
    for edit in edits:
        if edit.kind is EditKind.INSERT:
            after = "the top" if edit.after is None else cells.place(edit.after)
            name = f"new cell after {'the new cell' if edit.after in new else after}"
            new.add(edit.cell_id)
        else:
            name = f"{cells.place(edit.cell_id)} ({_KIND[edit.kind]})"
        text.append(f"\n{name} [{edit.meaning.value}]\n", style="bold")
        if edit.unseen:
            text.append("  not run yet: its effect has not been seen\n", style="yellow")
        text.append_text(_reasons(edit))
        for line in _diff_lines(edit):
            text.append(line + "\n", style=_STYLES.get(line[:1], ""))
    text.rstrip()
    return text


def _reasons(edit: CellEdit) -> Text:
    """Return the reasons in short, a line for each rule that contributed; the plan has all."""
    told = [(part.short or part.reason, part.link) for part in edit.parts]
    if not told:
        links = [f"{change.name}: {change.link}" for change in edit.changes] or [edit.link]
        told = [(edit.reason, ""), *(("", link) for link in links)]
    text = Text()
    for reason, link in told:
        if reason:
            text.append(f"  {one_line(reason, _LONGEST_REASON)}\n")
        if link:
            text.append(f"  {one_line(link)}\n", style="dim")
    return text


_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def _diff_lines(edit: CellEdit) -> list[str]:
    before = harmless(edit.base_source).split("\n") if edit.base_source else []
    after = harmless(edit.new_source).split("\n") if edit.new_source else []
    lines = list(difflib.unified_diff(before, after, lineterm="", n=3))
    return lines[2:]  # without the two lines that name the files
