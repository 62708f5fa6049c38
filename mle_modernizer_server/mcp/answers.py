"""Answers of the tools: the workflow's values as plain data, with messages in words."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel

from mle_modernizer_server.domain.diagnosis import Finding
from mle_modernizer_server.domain.forecast import Foreseen, Preflight
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import CellEdit, IntegrityNote, IntegritySeverity
from mle_modernizer_server.domain.session import GradedRun, Session
from mle_modernizer_server.domain.text import plain_text
from mle_modernizer_server.fixing.rules.rule import Rule
from mle_modernizer_server.words import text

_LONGEST_TRACEBACK = 4_000
"""Characters of a traceback's end."""


class Breakage(BaseModel):
    """A cell that will fail, or give another result."""

    cell: int
    """Number of the code cell, from 1."""
    cell_id: str
    impact: str
    """`stops`, `result`, `default` or `display`."""
    certain: bool
    fixed: bool
    """The rules fix it before a run."""
    reason: str
    rule: str
    link: str


class Forecast(BaseModel):
    """Expected breakages of a notebook."""

    summary: str
    written_for: str
    complete: bool
    """False: not all cells could be examined."""
    breakages: list[Breakage]
    missing_files: list[str]


class ErrorReport(BaseModel):
    """An error of a run."""

    cell: int
    cell_id: str
    kind: str
    """`root`, `cascade` (a consequence of a root error) or `harmless`."""
    error: str
    line: int | None
    explanation: str
    link: str
    traceback: str


class RunReport(BaseModel):
    """Result of a sealed run."""

    session: str
    verdict: str
    summary: str
    errors: list[ErrorReport]
    score: float | None
    outputs_compared: int
    """Cells with saved outputs that can be compared."""
    outputs_equal: int


class Edit(BaseModel):
    """A proposed change of a cell."""

    cell_id: str
    kind: str
    old_source: str
    new_source: str
    reason: str
    meaning: str
    """Its meaning for the experiment; `experiment`: a person must agree to it."""
    link: str


class Proposed(BaseModel):
    """A proposal, or the reason why there is none."""

    edits: list[Edit]
    remarks: str


class PatchVerdict(BaseModel):
    """Integrity verdict on a patch."""

    allowed: bool
    """Every edit is allowed."""
    allowed_edits: list[Edit]
    refused: list[str]
    """For each refused edit: its cell and the reasons."""
    notes: list[str]
    """Remarks on the allowed edits for a reviewer."""


class Explanation(BaseModel):
    """Known cause of an error; empty if no rule knows it."""

    explanation: str
    link: str


class Written(BaseModel):
    """A notebook that was written."""

    path: str
    changed_cells: int


class KnownChange(BaseModel):
    """A breaking change of a library."""

    id: str
    library: str
    since: str
    what: str
    replacement: str
    link: str
    silent: bool


def forecast(notebook: Notebook, found: Preflight) -> Forecast:
    """Return a forecast as plain data."""
    of = notebook.code_numbers()
    return Forecast(
        summary=text(found.outlook),
        written_for=text(found.headline),
        complete=found.complete,
        breakages=[_breakage(item, of) for item in found.items if item.certain or item.likely],
        missing_files=[one.path for one in found.files],
    )


def _breakage(item: Foreseen, of: dict[str, int]) -> Breakage:
    return Breakage(
        cell=of.get(item.cell_id, 0),
        cell_id=item.cell_id,
        impact=item.impact.value,
        certain=item.certain,
        fixed=item.proposed,
        reason=f"{item.what} {item.replacement}".strip(),
        rule=item.rule,
        link=item.link,
    )


def run_report(notebook: Notebook, session: Session) -> RunReport:
    """Return the latest run of a session as plain data."""
    latest = session.current
    of = notebook.code_numbers()
    diagnosis = None if latest is None else latest.diagnosis
    grade = latest.grade if isinstance(latest, GradedRun) else None
    agreement = latest.agreement if isinstance(latest, GradedRun) else None
    return RunReport(
        session=session.id,
        verdict="" if session.verdict is None else session.verdict.value,
        summary=text(session.message),
        errors=[] if diagnosis is None else [_error(one, of) for one in diagnosis.findings],
        score=None if grade is None else grade.score,
        outputs_compared=0 if agreement is None else agreement.compared,
        outputs_equal=0 if agreement is None else agreement.agreeing,
    )


def _error(finding: Finding, of: dict[str, int]) -> ErrorReport:
    error = finding.error
    return ErrorReport(
        cell=of.get(error.cell_id, 0),
        cell_id=error.cell_id,
        kind=finding.kind.value,
        error=f"{error.ename}: {error.evalue}",
        line=error.line,
        explanation=finding.explanation,
        link=finding.link,
        traceback=plain_text(error.traceback)[-_LONGEST_TRACEBACK:],
    )


def edits(items: Iterable[CellEdit]) -> list[Edit]:
    """Return edits as plain data."""
    return [
        Edit(
            cell_id=one.cell_id,
            kind=one.kind.value,
            old_source=one.base_source,
            new_source=one.new_source,
            reason=one.reason,
            meaning=one.meaning.value,
            link=one.link,
        )
        for one in items
    ]


def notes(items: Iterable[IntegrityNote]) -> list[str]:
    """Return integrity notes in words."""
    return [
        ("Refused: " if one.severity is IntegritySeverity.BLOCKER else "") + text(one.message)
        for one in items
    ]


def known_change(rule: Rule) -> KnownChange:
    """Return a rule as plain data."""
    return KnownChange(
        id=rule.id,
        library=rule.library,
        since=rule.since,
        what=rule.what,
        replacement=rule.replacement,
        link=rule.link,
        silent=rule.silent,
    )
