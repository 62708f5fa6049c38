"""Runs codemods over a notebook until nothing more is to be done.

One round looks at every node once, asks the codemods that are interested in such a node, and
applies the fixes that do not overlap; the others follow in the next round, on fresh trees. The
engine knows no rule: which ones take part is the caller's choice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.time_limit import NODES_AT_ONCE, is_over
from mle_modernizer_server.code.tree import descendants, dotted_name, literal
from mle_modernizer_server.code.types.inference import TypeInference
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.engine.brief import old_name
from mle_modernizer_server.fixing.rules.engine.context import (
    Context,
    Examined,
    Fix,
    NewImport,
    Replacement,
    Run,
    Unsure,
)
from mle_modernizer_server.fixing.rules.engine.imports import with_imports
from mle_modernizer_server.fixing.rules.engine.registry import Handler, Interest, Interests
from mle_modernizer_server.fixing.rules.engine.written_names import lacking_name
from mle_modernizer_server.fixing.rules.python2.conversion import convert
from mle_modernizer_server.fixing.rules.rule import Rule

_BELOW = (cst.LessThan, cst.LessThanEqual)
_ABOVE = (cst.GreaterThan, cst.GreaterThanEqual)
_PYTHON2 = "PY2"


def for_older_versions(node: cst.If) -> Iterator[cst.CSTNode]:
    """Return the parts of an `if` that only an older version of Python or of a library reaches.

    `if Version(sklearn.__version__) < '0.18': … else: …` and `if sys.version_info[0] < 3: …`; the
    compared value must be named a version, and there must be another branch for newer ones.
    """
    test = node.test
    if dotted_name(test).endswith(_PYTHON2) and node.orelse is not None:
        yield node.body
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return
    comparison = test.comparisons[0]
    if _asks_for_python2(test.left, comparison):
        yield node.body
        return
    if not _is_version(test.left) or not _is_fixed(comparison.comparator):
        return
    if isinstance(comparison.operator, _BELOW) and node.orelse is not None:
        yield node.body
    elif isinstance(comparison.operator, _ABOVE) and isinstance(node.orelse, cst.Else):
        yield node.orelse.body


def _asks_for_python2(left: cst.BaseExpression, right: cst.ComparisonTarget) -> bool:
    """Return whether a test such as `sys.version_info < (3, 0)` excludes every Python of today."""
    code = cst.Module([]).code_for_node(left).replace(" ", "")
    if not code.startswith(("sys.version_info", "version_info")):
        return False
    given = literal(right.comparator)
    major = given[0] if isinstance(given, tuple) and given else given
    if not isinstance(major, int):
        return False
    if isinstance(right.operator, cst.LessThan):
        return major < 3 or given in (3, (3,), (3, 0))
    return isinstance(right.operator, (cst.LessThanEqual, cst.Equal)) and major < 3


def _is_version(node: cst.BaseExpression) -> bool:
    return any(
        isinstance(part, cst.Name) and "version" in part.value.lower() for part in descendants(node)
    )


def _is_fixed(node: cst.BaseExpression) -> bool:
    """Return a literal version, perhaps in a call such as `LooseVersion('0.18')`."""
    if isinstance(node, cst.Call) and len(node.args) == 1:
        node = node.args[0].value
    return isinstance(literal(node), (str, int, float, tuple))


_MAX_ROUNDS = 12

Wanted = Callable[[Rule, CellCode, cst.CSTNode, Context], bool]


@dataclass(frozen=True)
class Applied:
    """An rule's fix that went into a cell."""

    rule: Rule
    cell_id: str


@dataclass(frozen=True)
class ChangedPlace:
    """A place in a cell that an rule's fix changed."""

    rule: Rule
    cell_id: str
    line: int | None
    """First line in the original cell, from 1; None once it has changed."""
    name: str = ""
    """The replaced name, as `old_name` returns it."""
    code: str = ""
    """The code in its place; empty if it is no single expression or statement."""


@dataclass(frozen=True)
class Doubt:
    """A place a rule left alone because it was not sure."""

    rule: Rule
    cell_id: str
    number: int
    why: str
    failing: bool
    """The run failed in that cell with the rule's symptom."""
    line: int | None
    """First line in the rewritten cell, from 1; None unless the run failed there."""


@dataclass
class Outcome:
    """Result of a modernization."""

    notebook: Notebook
    applied: list[Applied] = field(default_factory=list)
    places: list[ChangedPlace] = field(default_factory=list)
    together: list[frozenset[str]] = field(default_factory=list)
    """Cells that one fix changes at once: none of them works without the others."""
    doubts: list[Doubt] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    assumed: dict[str, None] = field(default_factory=dict)
    """Assumptions of the fixes, in the order of the notebook."""
    unexamined: frozenset[str] = frozenset()
    """Ids of the cells that were not examined to the end, because the time was used up."""
    program: Program | None = None
    """The notebook as it was at the start, or after its conversion from Python 2."""


@dataclass
class _Round:
    """Fixes of one round, the nodes they take, and the cells in which a rule had an answer."""

    changes: dict[str, dict[cst.CSTNode, Replacement]] = field(default_factory=dict)
    imports: dict[str, list[NewImport]] = field(default_factory=dict)
    taken: set[cst.CSTNode] = field(default_factory=set)
    above: set[cst.CSTNode] = field(default_factory=set)
    applied: list[Applied] = field(default_factory=list)
    places: list[ChangedPlace] = field(default_factory=list)
    together: list[frozenset[str]] = field(default_factory=list)
    answered: set[CellCode] = field(default_factory=set)


def modernize(
    notebook: Notebook,
    rules: Sequence[Rule],
    run: Run,
    wanted: Wanted,
    editable: frozenset[str] | None = None,
    python2: bool = False,
    known: Examined | None = None,
) -> Outcome:
    """Apply the rules' fixes to a notebook, after converting cells that only Python 2 can parse.

    Args:
        notebook: The sources.
        rules: Which rules take part, the most important first.
        run: Facts from the run of these sources.
        wanted: Filter of rules and nodes, called before a fix is searched.
        editable: Ids of the cells that may change; None: all.
        python2: Whether it is known to be written in Python 2; a cell that only Python 2 can parse
            shows it as well.
        known: Answers that these and perhaps other rules have given about the sources: the others
            are not asked again before something has changed.
    """
    converted = convert(notebook, rules, editable)
    python2 = python2 or converted.is_python2
    interests = Interests(rules)
    while True:
        outcome = Outcome(converted.notebook)
        outcome.applied.extend(Applied(rule, cell_id) for rule, cell_id in converted.applied)
        unsettled = _rounds(outcome, interests, run, wanted, editable, python2, known)
        if not unsettled:
            return outcome
        # Nested so deeply that an end is not in sight: such a cell is left alone altogether.
        every = frozenset(cell.id for cell in notebook.cells)
        editable = (every if editable is None else editable) - unsettled


def _rounds(
    outcome: Outcome,
    interests: Interests,
    run: Run,
    wanted: Wanted,
    editable: frozenset[str] | None,
    python2: bool,
    known: Examined | None,
) -> frozenset[str]:
    """Run rounds until nothing changes; return the ids of cells that the last round changed.

    While something changes, a round leaves out the unchanged cells in which no rule had an answer.
    They are examined once nothing changes any more: if a rule has an answer there by now, a round
    over all cells follows.
    """
    program: Program | None = None
    changed: frozenset[str] = frozenset()
    quiet: Collection[CellCode] = ()
    for _ in range(_MAX_ROUNDS):
        before = outcome.notebook
        program = Program(before, program, python2)
        if outcome.program is None:
            outcome.program = program
            if known is not None and not known.is_about(program):
                known = None
        if known is not None:
            quiet = known.quiet
        answers = known.answers if known is not None else None
        work = _one_round(program, interests, run, wanted, editable, outcome, quiet, answers)
        changed = _carry_out(program, work, outcome)
        if is_over():
            return frozenset()
        if not changed:
            if known is not None or not quiet:
                break
            doubts = outcome.doubts[:]
            others = set(program.cells).difference(quiet)
            rest = _one_round(program, interests, run, wanted, editable, outcome, others)
            if not rest.answered:
                outcome.doubts[:] = doubts
                break
        known = None
        quiet = set(program.cells) - work.answered if changed else ()
        run = replace(run, errors=_moved(run.errors, before, outcome.notebook))
    return changed


def _one_round(
    program: Program,
    interests: Interests,
    run: Run,
    wanted: Wanted,
    editable: frozenset[str] | None,
    outcome: Outcome,
    quiet: Collection[CellCode],
    answers: Mapping[cst.CSTNode, Collection[str]] | None = None,
) -> _Round:
    work = _Round()
    outcome.doubts.clear()
    one_pass = _Pass(program, run, wanted, editable, outcome, work, quiet, answers)
    first = interests.first
    if first and first.named_in(program):
        one_pass.through(first)
    one_pass.through(interests.rest, one_pass.answered)
    outcome.unexamined = one_pass.unexamined | program.unread.keys()
    return work


@dataclass
class _Pass:
    """Every node once, but for those of quiet cells, for some of the rules."""

    program: Program
    run: Run
    wanted: Wanted
    editable: frozenset[str] | None
    outcome: Outcome
    work: _Round
    quiet: Collection[CellCode]
    answers: Mapping[cst.CSTNode, Collection[str]] | None = None
    """Ids of the only rules that may have an answer about a node, if that is known."""
    promised: dict[tuple[str, str], str] = field(default_factory=dict)
    unexamined: frozenset[str] = frozenset()
    """Ids of the cells that it did not come to the end of, because the time was used up."""
    answered: set[str] = field(default_factory=set)
    """Ids of the rules that had a fix, or a doubt."""
    fixed: set[str] = field(default_factory=set)
    """Ids of the rules that had a fix."""
    types: TypeInference = field(init=False)

    def __post_init__(self) -> None:
        self.types = TypeInference(self.program, self.run.observed)

    def through(self, interest: Interest, withheld: Collection[str] = ()) -> None:
        """Take the fixes that do not overlap.

        Args:
            interest: The rules that take part.
            withheld: Rules that come after one of these have to wait.
        """
        before = frozenset(withheld), frozenset(self.fixed.intersection(withheld))
        for number, cell in enumerate(self.program.cells):
            if cell in self.quiet:
                continue
            covered: set[cst.CSTNode | None] = set()
            for at, (node, place) in enumerate(cell.places.items()):
                if not at % NODES_AT_ONCE and is_over():
                    rest = (left.cell_id for left in self.program.cells[number:])
                    self.unexamined |= frozenset(rest)
                    return
                if place.parent in covered or place.parent in self.work.taken:
                    covered.add(node)
                    continue
                if type(node) is cst.If:
                    covered.update(for_older_versions(node))
                if self.answers is not None and node not in self.answers:
                    continue
                for rule, handler in interest.at(self.program, node):
                    if self.answers is not None and rule.id not in self.answers[node]:
                        continue
                    if before[rule.alone].isdisjoint(rule.after):
                        self._asked(cell, node, rule, handler)

    def _asked(self, cell: CellCode, node: cst.CSTNode, rule: Rule, handler: Handler) -> None:
        """Apply the answer of the rule's codemod for the node."""
        context = Context(rule, self.program, self.types, cell, self.run, self.promised)
        if not self.wanted(rule, cell, node, context):
            return
        before = dict(self.promised)
        answer = context.answer(handler, node)
        if isinstance(answer, Fix) and self.run.lacking:
            absent = lacking_name(self.program, answer, self.run.lacking)
            if absent is not None:
                answer = Unsure(f"the installed packages have no {absent}")
        if isinstance(answer, Unsure):
            failing = bool(context.failing())
            line = cell.lines(node)[0] if failing else None
            doubt = Doubt(rule, cell.cell_id, cell.number, answer.why, failing, line)
            self.outcome.doubts.append(doubt)
        if not isinstance(answer, Fix) or not _take(
            self.program, cell, rule, answer, self.work, self.editable, self.outcome
        ):
            self.promised.clear()
            self.promised.update(before)
        if answer is not None:
            self.answered.add(rule.id)
            self.work.answered.add(cell)
        if isinstance(answer, Fix):
            self.fixed.add(rule.id)


def _take(
    program: Program,
    cell: CellCode,
    rule: Rule,
    fix: Fix,
    work: _Round,
    editable: frozenset[str] | None,
    outcome: Outcome,
) -> bool:
    """Take a fix into the round if it overlaps with no other and stays in the cells allowed."""
    cells = {program.cell_of(change.node).cell_id for change in fix.changes}
    cells.update(new.cell_id for new in fix.imports)
    if editable is not None and not cells <= editable:
        if cell.cell_id in editable:
            others = [one for one in outcome.notebook.cells if one.id in cells - editable]
            where = ", ".join(one.snippet for one in others)
            outcome.doubts.append(
                Doubt(
                    rule,
                    cell.cell_id,
                    cell.number,
                    f"it needs a change in the cell {where}, outside the chosen scope",
                    True,
                    cell.lines(fix.changes[0].node)[0],
                )
            )
        return False
    for change in fix.changes:
        owner = program.cell_of(change.node)
        if change.node in work.taken or change.node in work.above:
            return False
        if any(above in work.taken for above in owner.ancestors(change.node)):
            return False
    older = {one.cell_id for one in outcome.applied}
    for change in fix.changes:
        owner = program.cell_of(change.node)
        work.taken.add(change.node)
        work.above.update(owner.ancestors(change.node))
        work.changes.setdefault(owner.cell_id, {})[change.node] = change.new
        line = None if owner.cell_id in older else owner.lines(change.node)[0] or None
        code = "" if isinstance(change.new, cst.FlattenSentinel) else _code(owner, change.new)
        place = ChangedPlace(rule, owner.cell_id, line, old_name(change.node), code)
        work.places.append(place)
    work.together.append(frozenset(program.cell_of(change.node).cell_id for change in fix.changes))
    for new in fix.imports:
        work.imports.setdefault(new.cell_id, []).append(new)
    work.applied.extend(Applied(rule, cell_id) for cell_id in cells)
    outcome.assumed.update(dict.fromkeys(fix.assumed))
    if fix.remark and fix.remark not in outcome.remarks:
        outcome.remarks.append(fix.remark)
    return True


def _code(cell: CellCode, node: cst.CSTNode) -> str:
    """Return the code of a new node; empty if it contains a magic, whose place a name has taken."""
    if isinstance(node, cst.Arg):
        node = node.with_changes(comma=cst.MaybeSentinel.DEFAULT)
    code = cell.code(node).strip()
    return "" if any(magic in code for magic in cell.masked.magics) else code


def _carry_out(program: Program, work: _Round, outcome: Outcome) -> frozenset[str]:
    """Write the round's changes into the notebook; ids of the cells that are others now."""
    sources: dict[str, str] = {}
    for cell in program.cells:
        changes = work.changes.get(cell.cell_id, {})
        imports = work.imports.get(cell.cell_id, [])
        if not changes and not imports:
            continue
        source = rewritten(cell, changes, imports)
        if source is not None and source != cell.source:
            sources[cell.cell_id] = source
    if not sources:
        return frozenset()
    outcome.places.extend(place for place in work.places if place.cell_id in sources)
    outcome.together.extend(cells for cells in work.together if len(cells & sources.keys()) > 1)
    for one in work.applied:
        if one.cell_id in sources and one not in outcome.applied:
            outcome.applied.append(one)
    outcome.notebook = outcome.notebook.model_copy(
        update={
            "cells": tuple(
                cell.model_copy(update={"source": sources[cell.id]}) if cell.id in sources else cell
                for cell in outcome.notebook.cells
            )
        }
    )
    return frozenset(sources)


def rewritten(
    cell: CellCode, changes: Mapping[cst.CSTNode, Replacement], imports: Sequence[NewImport]
) -> str | None:
    """Return a cell's source with nodes replaced and imports added; None if a magic got lost."""
    module = cell.module.visit(_Replace(changes))
    assert isinstance(module, cst.Module)
    module = _with_its_comment(cell, module, changes)
    text = with_imports(module, [new.line for new in imports], cell.masked).code
    return cell.masked.restore(text)


def _with_its_comment(
    cell: CellCode, after: cst.Module, changes: Mapping[cst.CSTNode, Replacement]
) -> cst.Module:
    """Keep the comment above the first statement there if something was inserted before it."""
    first = next(iter(cell.module.body), None)
    new = changes.get(first) if first is not None else None
    if not isinstance(new, cst.FlattenSentinel) or first not in list(new)[1:]:
        return after
    header = list(after.header)
    at = len(header)
    while at and _is_comment(header[at - 1], cell):
        at -= 1
    place = list(new).index(first)
    moved = after.body[place]
    if at == len(header) or not isinstance(
        moved, (cst.SimpleStatementLine, cst.BaseCompoundStatement)
    ):
        return after
    body = list(after.body)
    body[place] = moved.with_changes(leading_lines=[*moved.leading_lines, *header[at:]])
    return after.with_changes(header=header[:at], body=body)


def _is_comment(line: cst.EmptyLine, cell: CellCode) -> bool:
    return line.comment is not None and line.comment.value not in cell.masked.magics


class _Replace(cst.CSTTransformer):
    """Replaces old nodes by new ones, by identity.

    If the new nodes contain the old one (something is added before or after it), changes
    inside the old one are carried out as well.
    """

    def __init__(self, changes: Mapping[cst.CSTNode, Replacement]) -> None:
        super().__init__()
        self._changes = changes

    def on_visit(self, node: cst.CSTNode) -> bool:
        new = self._changes.get(node)
        return new is None or (isinstance(new, cst.FlattenSentinel) and node in list(new))

    def on_leave(  # type: ignore[override]  # what replaces a node fits its place by construction
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> Replacement:
        new = self._changes.get(original_node, updated_node)
        if isinstance(new, cst.FlattenSentinel):
            return cst.FlattenSentinel(
                [updated_node if one is original_node else one for one in new]
            )
        return new


def touched(applied: Iterable[Applied], cell_id: str) -> list[Rule]:
    """Return the rules whose fixes changed a cell, in the order of application."""
    return [one.rule for one in applied if one.cell_id == cell_id]


def _moved(errors: Sequence[CellError], before: Notebook, after: Notebook) -> tuple[CellError, ...]:
    """Return the errors with their lines in the changed sources.

    A line that was itself rewritten is where its new text begins.

    Args:
        errors: With lines of `before`; unchanged for a removed cell.
        before: The sources that ran.
        after: The same cells with other sources.
    """
    old = {cell.id: cell.source for cell in before.cells}
    new = {cell.id: cell.source for cell in after.cells}
    return tuple(
        error
        if error.line is None or old.get(error.cell_id) == new.get(error.cell_id)
        else error.model_copy(
            update={"line": _line_after(error.line, old[error.cell_id], new[error.cell_id])}
        )
        for error in errors
    )


def _line_after(line: int, before: str, after: str) -> int:
    """Return the line of `after` that corresponds to a line of `before`, both from 1."""
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    for _, first, end, new_first, new_end in matcher.get_opcodes():
        if first < line <= end:
            return min(new_first + line - first, max(new_end, 1))
    return line
