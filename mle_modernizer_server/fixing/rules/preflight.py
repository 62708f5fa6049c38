"""Before the first run: what will break and why, and one patch for all of it; nothing runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from mle_modernizer_server.domain.cell_source import cell_magic, is_python
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.era import Era, Evidence, Standing
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.preflight import Foreseen, Impact, Preflight, PreflightNote
from mle_modernizer_server.domain.proposal import Meaning, Proposal
from mle_modernizer_server.fixing.fixer import NoFix
from mle_modernizer_server.fixing.rules.cellcode import CellCode
from mle_modernizer_server.fixing.rules.engine import Outcome, modernize
from mle_modernizer_server.fixing.rules.entry import ChangeKind, Confirm, Entry
from mle_modernizer_server.fixing.rules.era import combine, headline, standing
from mle_modernizer_server.fixing.rules.evidence import libraries, of_code, of_words
from mle_modernizer_server.fixing.rules.kinds import Kinds
from mle_modernizer_server.fixing.rules.knowledge import all_rules, concerned
from mle_modernizer_server.fixing.rules.program import Program
from mle_modernizer_server.fixing.rules.scene import Run
from mle_modernizer_server.fixing.rules.staging import plan, stage


def infer_era(notebook: Notebook, traces: Sequence[Evidence] = (), chosen: str = "") -> Era:
    """When the notebook was written, and for which versions of its libraries.

    Args:
        notebook: The sources as their author left them.
        traces: What the file tells beside them (`evidence.of_traces`).
        chosen: The user's own word, if any.

    Raises:
        ValueError: `chosen` is no era.
    """
    return _Survey(notebook, traces, chosen).era


def preflight(
    notebook: Notebook,
    environment: Environment,
    sandbox: str,
    traces: Sequence[Evidence] = (),
    chosen: str = "",
) -> Preflight:
    """What will break in an environment, cell by cell; a pure function of its arguments.

    Raises:
        ValueError: `chosen` is no era.
    """
    survey = _Survey(notebook, traces, chosen)
    items = sorted(
        _foreseen(survey, environment),
        key=lambda item: (notebook.index(item.cell_id), not item.certain),
    )
    return Preflight(
        era=survey.era,
        headline=headline(survey.era, environment),
        environment=environment,
        sandbox=sandbox,
        items=tuple(items),
        notes=tuple(_notes(notebook, survey)),
    )


def propose_before_run(notebook: Notebook, environment: Environment, era: Era) -> Proposal | NoFix:
    """One patch for all that can be mended before the first run.

    What depends on the data, and defaults of an era that is not known, are left for later: the
    run will show whether they matter.
    """
    entries = [
        entry
        for entry in _automatic()
        if concerned(entry, environment) and _is_proposed(entry, era)
    ]
    outcome = modernize(notebook, entries, Run(), lambda *_: True)
    proposal = stage(
        notebook,
        outcome,
        plan(notebook, outcome, ()),
        fix_type=FixType.BEFORE_RUN,
        scope=FixScope.FILE,
        remarks=[f"Taken to be written for {era.summary}."] if era.summary else (),
    )
    return proposal or NoFix(reason="No rule has anything to mend before the first run.")


def _automatic() -> list[Entry]:
    """All entries with a fix, the most important first."""
    return sorted((one for one in all_rules() if one.automatic), key=lambda one: -one.weight)


class _Survey:
    """What of the knowledge a notebook has to do with, whatever is installed."""

    def __init__(self, notebook: Notebook, traces: Sequence[Evidence], chosen: str) -> None:
        self.notebook = notebook
        if notebook.language == "python":
            self.outcome = modernize(notebook, _automatic(), Run(), lambda *_: True)
        else:
            self.outcome = Outcome(notebook, program=Program(Notebook(cells=())))
        assert self.outcome.program is not None
        self.program = self.outcome.program
        self.era = combine(
            (*of_code(self.program, self.outcome.applied), *of_words(notebook), *traces),
            libraries(self.program),
            chosen,
        )


def _impact(entry: Entry) -> Impact:
    if not entry.silent:
        return Impact.STOPS
    if entry.meaning in (Meaning.DISPLAY, Meaning.SPEED):
        return Impact.DISPLAY
    if entry.kind is ChangeKind.DEFAULT_CHANGED:
        return Impact.DEFAULT
    return Impact.RESULT


def _is_proposed(entry: Entry, era: Era) -> bool:
    """Whether an entry's fix is in order before anything has run."""
    if not entry.automatic or entry.confirm is Confirm.ERROR:
        return False
    if not entry.silent:
        return True
    stands = standing(era, entry.library, entry.since)
    if _impact(entry) is Impact.DEFAULT:
        return stands is Standing.BEFORE
    return stands is not Standing.AFTER


@dataclass(frozen=True)
class _Concern:
    entry: Entry
    cell_id: str
    sure: bool
    """The fix itself was found to apply, not merely a name."""


def _foreseen(survey: _Survey, environment: Environment) -> Iterator[Foreseen]:
    for concern in _concerns(survey, environment):
        entry = concern.entry
        stands = standing(survey.era, entry.library, entry.since)
        if entry.silent and stands is Standing.AFTER:
            continue
        impact = _impact(entry)
        settled = impact is not Impact.DEFAULT or stands is Standing.BEFORE
        yield Foreseen(
            cell_id=concern.cell_id,
            rule=entry.id,
            library=entry.library,
            since=entry.since,
            impact=impact,
            certain=concern.sure and entry.confirm is Confirm.NOTHING and settled,
            fixable=entry.automatic,
            proposed=concern.sure and _is_proposed(entry, survey.era),
            what=entry.what,
            replacement=entry.replacement,
            link=entry.link,
        )


def _concerns(survey: _Survey, environment: Environment) -> list[_Concern]:
    """Which entries concern which cells: each once, the heaviest first in a cell."""
    outcome = survey.outcome
    if any(not concerned(one.entry, environment) for one in outcome.applied):
        # A fix for a change that is not installed may have stood in another one's way.
        present = [entry for entry in _automatic() if concerned(entry, environment)]
        outcome = modernize(survey.notebook, present, Run(), lambda *_: True)
    found = {
        (one.entry.id, one.cell_id): _Concern(one.entry, one.cell_id, True)
        for one in outcome.applied
    }
    for doubt in outcome.doubts:
        if concerned(doubt.entry, environment):
            key = (doubt.entry.id, doubt.cell_id)
            found.setdefault(key, _Concern(doubt.entry, doubt.cell_id, False))
    for entry, cell in _mentions(survey.program, environment):
        found.setdefault((entry.id, cell.cell_id), _Concern(entry, cell.cell_id, False))
    return sorted(found.values(), key=lambda one: -one.entry.weight)


def _mentions(program: Program, environment: Environment) -> Iterator[tuple[Entry, CellCode]]:
    """Entries without a fix whose names stand in the code, as names of the entry's library."""
    by_name: dict[str, list[Entry]] = {}
    for entry in all_rules():
        if not entry.automatic and concerned(entry, environment):
            for name in entry.identifiers:
                by_name.setdefault(name, []).append(entry)
    kinds = Kinds(program)
    for cell in program.cells:
        for node in cell.places:
            for name, owners in _names_at(program, kinds, cell, node, by_name):
                for entry in by_name[name]:
                    if entry.library in owners:
                        yield entry, cell


def _names_at(
    program: Program,
    kinds: Kinds,
    cell: CellCode,
    node: cst.CSTNode,
    wanted: dict[str, list[Entry]],
) -> Iterator[tuple[str, set[str]]]:
    """A name the node uses, with the libraries it may belong to."""
    if isinstance(node, cst.Attribute) and node.attr.value in wanted:
        yield node.attr.value, _owners(program, kinds, node, node.value)
    elif isinstance(node, cst.Name) and node.value in wanted:
        yield node.value, _roots(program.qualnames(node))
    elif isinstance(node, cst.Arg) and node.keyword is not None and node.keyword.value in wanted:
        call = cell.places[node].parent
        if isinstance(call, cst.Call):
            receiver = call.func.value if isinstance(call.func, cst.Attribute) else None
            yield node.keyword.value, _owners(program, kinds, call.func, receiver)


def _owners(
    program: Program, kinds: Kinds, node: cst.CSTNode, receiver: cst.CSTNode | None
) -> set[str]:
    found = _roots(program.qualnames(node))
    kind = None if receiver is None else kinds.of(receiver)
    return found if kind is None else found | _roots((kind.name,))


def _roots(names: Sequence[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


def _notes(notebook: Notebook, survey: _Survey) -> Iterator[PreflightNote]:
    if notebook.language != "python":
        yield PreflightNote(text="The rules know Python notebooks only.")
        return
    for unparsed in survey.program.unparsed:
        yield PreflightNote(cell_id=unparsed.cell_id, text=f"Was not looked into: {unparsed.why}.")
    for cell in notebook.code_cells():
        if cell.source.strip() and not is_python(cell.source):
            yield PreflightNote(
                cell_id=cell.id,
                text=f"Was not looked into: it is no Python (%%{cell_magic(cell.source)}).",
            )
    for item in survey.era.evidence:
        if item.text.startswith("It installs "):
            yield PreflightNote(
                cell_id=item.cell_id,
                text=f"{item.text.rstrip('.')} itself; if that works, that version counts.",
            )
