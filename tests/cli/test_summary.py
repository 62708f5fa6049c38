"""What is shown at the end: names of cells, diffs, the table."""

from __future__ import annotations

from rich.console import Console

from mle_modernizer_server.cli.terminal.screen import Screen, clock
from mle_modernizer_server.cli.terminal.summary import edits_diff, findings_text, proposal_text
from mle_modernizer_server.domain.diagnosis import (
    Diagnosis,
    ErrorKind,
    Finding,
    FixType,
    Outcome,
)
from mle_modernizer_server.domain.execution import CellError, ExecutionStatus
from mle_modernizer_server.domain.grade import OutputStatus
from mle_modernizer_server.domain.message import verbatim
from mle_modernizer_server.domain.notebook import (
    Cell,
    CellAgreement,
    CellType,
    Notebook,
    OutputAgreement,
    OutputMatch,
)
from mle_modernizer_server.domain.proposal import CellEdit, EditKind
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.words import CellNames
from mle_modernizer_server.workflow.log import events
from tests import values

NOTEBOOK = Notebook(
    cells=(
        Cell(id="intro", type=CellType.MARKDOWN, source="# Hi"),
        Cell(id="a", type=CellType.CODE, source="x = 1\n-- y"),
        Cell(id="note", type=CellType.MARKDOWN, source="Note"),
        Cell(id="b", type=CellType.CODE, source="z"),
    )
)


NAMES = CellNames(NOTEBOOK, {"a": 73})


def insertion(cell_id: str, after: str | None) -> CellEdit:
    return CellEdit(
        id=f"i-{cell_id}", kind=EditKind.INSERT, cell_id=cell_id, after=after, new_source="new"
    )


def finding(kind: ErrorKind, cell_id: str, index: int, link: str = "") -> Finding:
    error = CellError(
        cell_id=cell_id,
        index=index,
        ename="KeyError",
        evalue="'x'\nmore",
        traceback=(),
        raised=kind is not ErrorKind.HARMLESS,
        line=2,
    )
    return Finding(kind=kind, error=error, explanation="Gone since 2.0." if link else "", link=link)


def test_diff_names_cells_by_prompt_and_code() -> None:
    edits = (
        values.modification("a", "x = 1\n-- y", "x = 2\n++ y", "because"),
        values.modification("note", "Note", "Notes"),
        insertion("n1", None),
        insertion("n2", "b"),
        insertion("n3", "n2"),
        CellEdit(id="d", kind=EditKind.DELETE, cell_id="b", base_source="z"),
    )
    shown = edits_diff(NOTEBOOK, edits, {"a": 73}).plain
    headings = [line for line in shown.splitlines() if "[other]" in line]
    assert headings == [
        "cell [73] `x = 1` (changed) [other]",
        "the text after cell [73] `x = 1` (changed) [other]",
        "new cell after the top [other]",
        "new cell after cell number 2 `z` [other]",
        "new cell after the new cell [other]",
        "cell number 2 `z` (deleted) [other]",
    ]
    assert "[other]\n  because\n" in shown
    assert "\n-x = 1\n--- y\n+x = 2\n+++ y\n" in shown
    assert "\n-z" in shown


def test_an_edit_that_no_run_has_shown_the_effect_of_says_so() -> None:
    seen = values.modification("a", "x = 1", "x = 2")
    unseen = values.modification("b", "z", "zz").model_copy(update={"unseen": True})
    shown = edits_diff(NOTEBOOK, (seen, unseen)).plain
    first, second = shown.split("cell number 2 `z` (changed)")
    assert "not run yet: its effect has not been seen" in second and "not run yet" not in first


def test_findings_show_the_roots_and_count_the_rest() -> None:
    diagnosis = Diagnosis(
        outcome=Outcome.ERROR_NON_REPRODUCIBLE,
        execution_status=ExecutionStatus.ERROR,
        output_status=OutputStatus.WITHOUT_CSV,
        findings=(
            finding(ErrorKind.ROOT, "b", 4, "https://example.org"),
            finding(ErrorKind.ROOT, "a", 1, "https://example.org"),
            finding(ErrorKind.CASCADE, "c2", 5),
            finding(ErrorKind.CASCADE, "c2", 5),
            finding(ErrorKind.HARMLESS, "c0", 1),
        ),
        fix_type=FixType.ERROR_REPAIR,
        summary="",
    )
    assert findings_text(diagnosis, NAMES).plain.splitlines() == [
        "  cell number 2 `z`, line 2: KeyError: 'x' more",
        "    Gone since 2.0.",
        "    https://example.org",
        "  cell [73] `x = 1`, line 2: KeyError: 'x' more",
        "  2 errors followed from an earlier one",
        "  1 error harmless: shown, but the cell continued",
    ]


def test_error_that_the_saved_output_shows_too_is_marked() -> None:
    diagnosis = Diagnosis(
        outcome=Outcome.ERROR_NON_REPRODUCIBLE,
        execution_status=ExecutionStatus.ERROR,
        output_status=OutputStatus.WITHOUT_CSV,
        findings=(finding(ErrorKind.ROOT, "c1", 4),),
        fix_type=FixType.ERROR_REPAIR,
        summary="",
    )
    cell = CellAgreement(cell_id="c1", ordinal=2, match=OutputMatch.SAME)
    told = findings_text(diagnosis, NAMES, OutputAgreement(cells=(cell,))).plain
    assert told.splitlines()[1:] == ["    The original failed there too, with the same error."]


def test_words_in_brackets_are_no_markup() -> None:
    proposal = values.proposal().model_copy(update={"plan": verbatim("use [red]df[/red] \x1b[2J")})
    console = Console(record=True, width=80)
    console.print(proposal_text(proposal))
    assert "use [red]df[/red]" in console.export_text()


def test_long_times_have_hours() -> None:
    assert [clock(seconds) for seconds in (-1, 72.9, 3599, 7272)] == [
        "0:00",
        "1:12",
        "59:59",
        "2:01:12",
    ]


def test_names_of_cells_wait_for_the_stored_prompts() -> None:
    asked: list[Session] = []

    def names(session: Session) -> CellNames:
        asked.append(session)
        return NAMES

    screen, session = Screen(Console(record=True)), Session.model_construct(current=None)
    screen.names = names
    screen(session, events.Created(path="a", notebook_hash="h", settings=SessionSettings()))
    assert asked == []
