"""The offline fixer: chooses rules by error, installed version and code, and stages a patch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.traceback import line_beside
from mle_modernizer_server.code.tree import Node, argument, called_name
from mle_modernizer_server.code.types.observed import Observed
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.era import Standing
from mle_modernizer_server.domain.execution import CellError, CellStatus
from mle_modernizer_server.domain.message import Message, Messages, coded
from mle_modernizer_server.domain.proposal import FixerName, Meaning, Proposal
from mle_modernizer_server.fixing.fixer import FixRequest, Gap, NoFix
from mle_modernizer_server.fixing.rules.engine.context import Context, Run
from mle_modernizer_server.fixing.rules.engine.engine import Outcome, Wanted, modernize
from mle_modernizer_server.fixing.rules.engine.staging import plan, remarks_on, stage
from mle_modernizer_server.fixing.rules.era.era import is_python2, standing
from mle_modernizer_server.fixing.rules.knowledge import (
    all_rules,
    class_addresses,
    concerned,
    explaining,
    faster_calls,
)
from mle_modernizer_server.fixing.rules.paths.proposed import (
    choose_among,
    patched,
    paths_step,
    with_paths,
)
from mle_modernizer_server.fixing.rules.paths.relocate import Relocated, relocate, seen_in
from mle_modernizer_server.fixing.rules.rule import ChangeKind, Confirm, Rule


def propose(request: FixRequest) -> Proposal | NoFix:
    """Stage the edits of all rules that apply, or report that none does.

    A pure function of the request (but for the proposal's id).
    """
    if request.notebook.language != "python":
        return NoFix(reason=coded("rules.python-only"))
    editable = request.cells
    if request.scope is FixScope.CELL:
        root = request.diagnosis.first_root()
        if root is None:
            return NoFix(reason=coded("rules.no-cell-fails"))
        editable = frozenset({root.error.cell_id})
    errors = request.execution.raised
    run = Run(
        errors=errors,
        warned=frozenset(
            cell.cell_id
            for cell in request.execution.cells
            if any("ChainedAssignmentError" in warning for warning in cell.warnings)
        ),
        observed=Observed.in_run(request.execution.cells, class_addresses()),
        none_texts=request.none_texts,
    )
    rules = _entries(request, errors)
    python2 = is_python2(request.era)
    rejected = {
        step
        for attempt in request.attempts
        if attempt.fixer is FixerName.RULES and not attempt.accepted
        for step in attempt.plan
    }
    relocated = _relocated(request, editable, rejected)
    notebook = patched(request.notebook, relocated)
    while True:
        outcome = modernize(notebook, rules, run, _wanted(request), editable, python2=python2)
        planned = plan(notebook, outcome, errors)
        refused = {rule.id for rule, step in planned if step in rejected}
        if not refused:
            break
        rules = [rule for rule in rules if rule.id not in refused]
    staged = stage(
        notebook,
        outcome,
        planned,
        fix_type=request.fix_type,
        scope=request.scope,
        errors=errors,
        remarks=_remarks_on_era(request, outcome),
    )
    proposal = with_paths(
        staged, request.notebook, relocated, fix_type=request.fix_type, scope=request.scope
    )
    lost = choose_among(relocated, seen_in(request.execution))
    if proposal is None:
        if outcome.unexamined:
            return NoFix(reason=lost + remarks_on(outcome), gap=Gap.TIME)
        reason = lost or _no_fix(request, bool(rejected))
        return NoFix(reason=reason + remarks_on(outcome))
    told = {"remarks": proposal.remarks + lost, "fix_type": _kind(request, proposal)}
    return proposal.model_copy(update=told)


def _kind(request: FixRequest, proposal: Proposal) -> FixType:
    """Return the type of the fix: after a timeout, a fix that makes nothing faster is a repair."""
    faster = any(edit.meaning is Meaning.SPEED for edit in proposal.edits)
    if request.fix_type is FixType.RUNTIME_REDUCTION and not faster:
        return FixType.ERROR_REPAIR
    return request.fix_type


def _is_cut_short(request: FixRequest) -> bool:
    """Return whether the run ended within a cell, so that later ones have shown no errors yet."""
    return any(run.status is CellStatus.UNFINISHED for run in request.execution.cells)


def _relocated(
    request: FixRequest, editable: frozenset[str] | None, rejected: set[Message]
) -> Relocated:
    """Return the paths that the run did not find, mapped to the intended files."""
    if request.files is None or request.fix_type is not FixType.ERROR_REPAIR:
        return Relocated()
    seen = seen_in(request.execution)
    if editable is not None:
        seen = replace(seen, failing=seen.failing & editable)
    found = relocate(request.notebook, request.files, seen=seen, choices=request.file_choices)
    if found.sources and paths_step(request.notebook, found) in rejected:
        return replace(found, sources={}, reasons={})
    return found


def _entries(request: FixRequest, errors: Sequence[CellError]) -> list[Rule]:
    """Return the rules that may take part, the most important first."""
    environment = request.execution.environment
    calibrating = request.fix_type is FixType.SCORE_CALIBRATION
    foreseen = request.fix_type is FixType.BEFORE_RUN
    cut_short = _is_cut_short(request)
    chosen = []
    for rule in all_rules():
        if not rule.is_fixable(environment.packages):
            continue
        seen = any(rule.matches(error) for error in errors)
        if not concerned(rule, environment, proved=seen):
            continue
        if rule.silent and standing(request.era, rule.library, rule.since) is Standing.AFTER:
            continue
        decided = rule.silent or seen or _is_certain(rule)
        if calibrating and (rule.id in request.left_out or not decided):
            continue
        if foreseen and not _is_certain(rule):
            continue
        if not calibrating and not seen:
            if request.fix_type is FixType.RUNTIME_REDUCTION and not (
                (errors and rule.silent) or (cut_short and _is_certain(rule))
            ):
                continue
            if rule.silent and rule.kind is ChangeKind.DEFAULT_CHANGED:
                continue
        if rule.confirm is Confirm.ERROR and not seen:
            continue
        chosen.append(rule)
    if request.fix_type is FixType.RUNTIME_REDUCTION and _spent_on_models(request):
        chosen += [rule for rule in faster_calls() if concerned(rule, environment)]
    return sorted(chosen, key=lambda rule: -rule.weight)


_NO_MODELS = frozenset({"", "pandas", "numpy", "scipy", "matplotlib", "seaborn", "nltk", "re"})
"""Libraries whose time more cores for models do not reduce; empty: the notebook's own code."""
_HOT = 0.1


def _spent_on_models(request: FixRequest) -> bool:
    """Return whether models may have taken the time, according to the profile if there is one."""
    profile = request.execution.profile
    lines = () if profile is None else profile.lines
    hot = {line.call.partition(".")[0] for line in lines if line.share >= _HOT}
    return not hot or not hot <= _NO_MODELS


def _is_certain(rule: Rule) -> bool:
    """Return whether the code alone shows that it fails with the installed version."""
    return not rule.silent and rule.confirm is Confirm.NOTHING


def _wanted(request: FixRequest) -> Wanted:
    """Return the engine's predicate at each node: may the rule act here?"""
    status = {run.cell_id: run.status for run in request.execution.cells}
    cut_short = _is_cut_short(request)
    clean = request.fix_type in (FixType.BEFORE_RUN, FixType.SCORE_CALIBRATION)

    def wanted(rule: Rule, cell: CellCode, node: Node, context: Context) -> bool:
        if rule.kind is ChangeKind.FASTER and _works_for_another(cell, node):
            return False
        if rule.kind is ChangeKind.FASTER and cut_short:
            # The time was spent before a cell that was not reached, and not in one that failed.
            return status.get(cell.cell_id) not in (CellStatus.NOT_RUN, CellStatus.ERROR)
        if rule.silent and not context.failing():
            return True
        if rule.confirm is Confirm.ERROR:
            return True
        if _is_certain(rule) and _is_swallowed(cell, node, context):
            return True
        seen = any(rule.matches(error) for error in context.run.errors)
        if clean and not seen:
            return False
        if status.get(cell.cell_id) is not CellStatus.OK:
            return True
        # The cell succeeded, so its top-level statements work. Code in a function may not have run,
        # or may have failed when another cell called it. The same holds for an expression that is
        # only written down there for another cell's call.
        inside = cell.may_not_have_run(node)
        if seen and context.program.settings.of(node):
            return True
        return inside and (rule.confirm is Confirm.NOTHING or seen)

    return wanted


def _is_swallowed(cell: CellCode, node: Node, context: Context) -> bool:
    """Return whether a search or a validation turns a failure in a call into nan."""
    around = (node, *cell.calls_around(node))
    given = any(called_name(one) in _SHARE_OUT | {"make_scorer"} for one in around)
    return given or bool(context.program.settings.of(node))


def _works_for_another(cell: CellCode, node: Node) -> bool:
    """Return whether a model is passed to a search or a validation, which distributes its fits."""
    return any(
        argument(call, "n_jobs") or called_name(call) in _SHARE_OUT
        for call in cell.calls_around(node)
    )


_SHARE_OUT = frozenset(
    {
        *("GridSearchCV", "RandomizedSearchCV", "RFECV", "SequentialFeatureSelector"),
        *("cross_val_score", "cross_val_predict", "cross_validate", "learning_curve"),
        *("validation_curve", "permutation_test_score"),
    }
)


def _remarks_on_era(request: FixRequest, outcome: Outcome) -> Messages:
    """Return remarks on old defaults that are written out though the notebook's era is unknown."""
    unsure = {
        f"{one.rule.library} {one.rule.since}"
        for one in outcome.applied
        if one.rule.kind is ChangeKind.DEFAULT_CHANGED
        and standing(request.era, one.rule.library, one.rule.since) is not Standing.BEFORE
    }
    if not unsure:
        return ()
    return coded("rules.era-unknown", changes=", ".join(sorted(unsure)))


def _no_fix(request: FixRequest, refused: bool) -> Messages:
    """Return the reason why the rules offer no fix, with the error that is in the way."""
    other: Messages = ()
    if refused:
        other = coded("rules.but-rejected")
    elif request.left_out:
        other = coded("rules.but-tried")
    if request.fix_type is FixType.RUNTIME_REDUCTION:
        return coded("rules.none-faster")
    roots = request.diagnosis.roots
    broken = (item for item in roots if item.error.cell_id not in request.as_saved)
    root = next(broken, request.diagnosis.first_root())
    if request.fix_type is FixType.SCORE_CALIBRATION and root is None:
        return coded("rules.none-silent", other=other)
    if root is None:
        return coded("rules.none", other=other)
    number = request.notebook.code_number(root.error.cell_id)
    beside = line_beside(root.error)
    environment = request.execution.environment
    known = explaining(root.error, environment, request.notebook) is not None
    if known and beside is not None and not other:
        return coded(
            "rules.no-fix-beside",
            error=root.error.ename,
            cell=number,
            file=beside.path,
            line=beside.line,
        )
    if known and not other:
        return coded("rules.no-automatic-fix", error=root.error.ename, cell=number)
    return coded("rules.none-covers", other=other, error=root.error.ename, cell=number)
