"""Before the first run: predicted failures, and one patch for all of them; nothing runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mle_modernizer_server.code.ipython import cell_magic, is_python
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.time_limit import seconds
from mle_modernizer_server.code.types.inference import TypeInference
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.environment import NONE_ABSENT, Absences, NameUse, NameUses
from mle_modernizer_server.domain.era import Era, Evidence, Standing
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.forecast import Foreseen, Impact, Preflight, PreflightNote
from mle_modernizer_server.domain.message import Messages, coded, verbatim
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.fixing.fixer import Gap, NoFix
from mle_modernizer_server.fixing.rules.absent_names import AbsentNames
from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import Outcome, modernize
from mle_modernizer_server.fixing.rules.engine.matches import RuleMatch, Survey
from mle_modernizer_server.fixing.rules.engine.staging import not_finished, plan, remarks_on, stage
from mle_modernizer_server.fixing.rules.era.era import (
    combine,
    headline,
    is_probably_after,
    is_python2,
    standing,
    tells_python2,
)
from mle_modernizer_server.fixing.rules.era.evidence import INSTALLS, of_words
from mle_modernizer_server.fixing.rules.era.evidence_of_code import libraries, of_code
from mle_modernizer_server.fixing.rules.knowledge import all_rules, concerned, problems
from mle_modernizer_server.fixing.rules.name_uses import FoundUse, name_uses
from mle_modernizer_server.fixing.rules.needs import needs_of
from mle_modernizer_server.fixing.rules.paths.proposed import patched, with_paths
from mle_modernizer_server.fixing.rules.paths.relocate import NOTHING_LOST, Relocated
from mle_modernizer_server.fixing.rules.rule import ChangeKind, Confirm, Rule, Severity

_WORTH_A_WORD = 40
"""Weight of a changed default from which on a doubt about it is reported."""


def infer_era(notebook: Notebook, traces: Sequence[Evidence] = (), chosen: str = "") -> Era:
    """Infer when the notebook was written, and for which versions of its libraries.

    Args:
        notebook: The sources as their author left them.
        traces: Evidence of the file outside of them (`evidence.of_traces`).
        chosen: The user's choice, if any.

    Raises:
        ValueError: `chosen` is no era.
    """
    return _era(notebook, _survey(notebook, traces), traces, chosen)


def preflight(
    notebook: Notebook,
    environment: Environment,
    sandbox: str,
    traces: Sequence[Evidence] = (),
    chosen: str = "",
    relocated: Relocated = NOTHING_LOST,
    absences: Absences = NONE_ABSENT,
) -> Preflight:
    """Predict failures in an environment, cell by cell; a pure function of its arguments.

    Every fix that is announced is one that `propose_before_run` writes.

    Args:
        notebook: The sources.
        environment: Versions of all installed packages, imported or not.
        sandbox: Name of the environment's sandbox.
        traces: Evidence of the file outside of the sources.
        chosen: The user's choice of its era, if any.
        relocated: The notebook's paths, relocated.
        absences: Those of `names_in_use` that the installed packages lack.

    Raises:
        ValueError: `chosen` is no era.
    """
    survey = _survey(notebook, traces)
    era = _era(notebook, survey, traces, chosen)
    here = [one for one in survey.matches if concerned(one.rule, environment)]
    mended = frozenset(
        (one.cell_id, word) for one in here if one.fixed for word in one.rule.identifiers
    )
    outcome = _outcome(notebook, environment, era, relocated, absences.of_fixes)
    patch = _Patch(notebook, here, outcome, era)
    items = [item for one in here if (item := _foreseen(one, era, mended, patch)) is not None]
    if absences.of_notebook:
        left = _uses_after(outcome, survey, era)
        uses = _uses(survey)
        remaining = frozenset((use.cell_id, use.question.key) for use in left)
        absent = AbsentNames(notebook, environment, uses, absences.of_notebook, remaining)
        items = absent.items(items)
    weights = {one.rule.id: one.rule.weight for one in survey.matches}
    items.sort(
        key=lambda item: (
            notebook.index(item.cell_id),
            not item.certain,
            not item.likely,
            -weights.get(item.rule, 0),
        )
    )
    told = {*era.used, *(item.library for item in items)}
    packages = {name: environment.packages[name] for name in told & environment.packages.keys()}
    return Preflight(
        era=era,
        headline=headline(era, environment),
        environment=Environment(python=environment.python, packages=dict(sorted(packages.items()))),
        sandbox=sandbox,
        items=tuple(items),
        notes=tuple(_notes(notebook, survey, era)),
        files=relocated.findings,
        needs=needs_of(survey.program),
        complete=not survey.unexamined,
    )


def names_in_use(
    notebook: Notebook,
    environment: Environment,
    traces: Sequence[Evidence] = (),
    chosen: str = "",
    relocated: Relocated = NOTHING_LOST,
    absences: Absences = NONE_ABSENT,
) -> NameUses:
    """Return the names of packages in a notebook, and those that its patch would add.

    Args:
        notebook: The sources.
        environment: Versions of all installed packages.
        traces: Evidence of the file outside of the sources.
        chosen: The user's choice of its era, if any.
        relocated: Its paths, relocated.
        absences: Known absent names, which the patch avoids.

    Raises:
        ValueError: `chosen` is no era.
    """
    survey = _survey(notebook, traces)
    era = _era(notebook, survey, traces, chosen)
    outcome = _outcome(notebook, environment, era, relocated, absences.of_fixes)
    uses = tuple(one.use for one in _uses(survey))
    before = {use.question for use in uses}
    after = dict.fromkeys(use.question for use in _uses_after(outcome, survey, era))
    return NameUses(uses=uses, added=tuple(one for one in after if one not in before))


def _uses(survey: Survey) -> tuple[FoundUse, ...]:
    """Return the uses in a notebook as its author left it; the last ones are cached."""
    for kept, uses in _kept_uses:
        if kept is survey:
            return uses
    uses = name_uses(survey.program, survey.types) if survey.program.cells else ()
    _kept_uses[:] = [(survey, uses)]
    return uses


_kept_uses: list[tuple[Survey, tuple[FoundUse, ...]]] = []


def _uses_after(outcome: Outcome, survey: Survey, era: Era) -> tuple[NameUse, ...]:
    """Return the uses in the patched notebook; the last ones are cached."""
    for kept, uses in _kept_uses_after:
        if kept is outcome:
            return uses
    program = Program(outcome.notebook, survey.program, is_python2(era))
    places = name_uses(program, TypeInference(program)) if program.cells else ()
    uses = tuple(one.use for one in places)
    _kept_uses_after[:] = [(outcome, uses)]
    return uses


_kept_uses_after: list[tuple[Outcome, tuple[NameUse, ...]]] = []


def propose_before_run(
    notebook: Notebook,
    environment: Environment,
    era: Era,
    relocated: Relocated = NOTHING_LOST,
    absences: Absences = NONE_ABSENT,
) -> Proposal | NoFix:
    """Return one patch for everything that can be fixed before the first run.

    Fixes that depend on the data, and changes that the notebook's author may have known, are left
    for later: the run will show whether they matter.

    Args:
        notebook: The sources.
        environment: Installed versions in the sandbox of the run.
        era: Of the notebook.
        relocated: Its paths, relocated.
        absences: Names that the installed packages do not have: no fix writes them.
    """
    base = patched(notebook, relocated)
    outcome = _outcome(notebook, environment, era, relocated, absences.of_fixes)
    staged = stage(
        base,
        outcome,
        plan(base, outcome, ()),
        fix_type=FixType.BEFORE_RUN,
        scope=FixScope.FILE,
        remarks=coded("rules.taken-for", era=era.summary) if era.summary else (),
    )
    proposal = with_paths(
        staged, notebook, relocated, fix_type=FixType.BEFORE_RUN, scope=FixScope.FILE
    )
    if proposal is None and outcome.unexamined:
        return NoFix(reason=remarks_on(outcome), gap=Gap.TIME)
    return proposal or NoFix(reason=coded("rules.none-before-run"))


@dataclass(frozen=True)
class _KeptOutcome:
    asked: tuple[Notebook, Environment, Era, Relocated, tuple[str, ...]]
    rules: tuple[Rule, ...]
    outcome: Outcome


_kept_outcomes: list[_KeptOutcome] = []


def _outcome(
    notebook: Notebook,
    environment: Environment,
    era: Era,
    relocated: Relocated,
    lacking: tuple[str, ...],
) -> Outcome:
    """Return the fixes before the first run; the last ones are cached, for a forecast and the
    patch ask for the same."""
    asked, every = (notebook, environment, era, relocated, lacking), all_rules()
    for kept in _kept_outcomes:
        if kept.rules is every and kept.asked == asked:
            return kept.outcome
    rules = [
        rule
        for rule in _entries()
        if rule.is_fixable(environment.packages)
        and concerned(rule, environment)
        and _is_proposed(rule, era)
    ]
    base = patched(notebook, relocated)
    run = Run(lacking=frozenset(lacking))
    known = next((one.survey.examined for one in _kept if one.notebook == base), None)
    outcome = modernize(base, rules, run, lambda *_: True, python2=is_python2(era), known=known)
    if not outcome.unexamined:
        _kept_outcomes[:] = [_KeptOutcome(asked, every, outcome)]
    return outcome


class _Patch:
    """Effect of the patch before the first run on the matches.

    Args:
        notebook: The sources.
        matches: The old forms in the notebook.
        outcome: The fixes.
        era: Of the notebook.
    """

    def __init__(
        self, notebook: Notebook, matches: Sequence[RuleMatch], outcome: Outcome, era: Era
    ) -> None:
        self._applied = {(one.rule.id, one.cell_id) for one in outcome.applied}
        self._doubts = outcome.doubts
        hoped = [
            one
            for one in matches
            if one.fixed
            and _is_proposed(one.rule, era)
            and (one.rule.id, one.cell_id) not in self._applied
        ]
        if hoped and outcome.notebook != notebook and not outcome.unexamined:
            # Another rule's fix may have made it unnecessary.
            rules = list({one.rule.id: one.rule for one in hoped}.values())
            after = Survey(outcome.notebook, rules, python2=is_python2(era))
            left = {(one.rule.id, one.cell_id) for one in after.matches}
            found = {(one.rule.id, one.cell_id) for one in hoped}
            if not after.unexamined:
                self._applied |= found - left

    def mends(self, one: RuleMatch) -> bool:
        """Return whether it fixes the old form."""
        return (one.rule.id, one.cell_id) in self._applied

    def why_left(self, one: RuleMatch) -> Messages:
        """Return why an old form stays, if a reason is known."""
        if not one.rule.automatic:
            return ()
        own = [
            each.why
            for each in self._doubts
            if (each.rule.id, each.cell_id) == (one.rule.id, one.cell_id)
        ]
        if self.mends(one):
            return coded("preflight.left-in-part", why=own[0]) if own else ()
        first = [each.why for each in self._doubts if each.rule.id in one.rule.after]
        why = next(filter(None, (*own, one.why, *first)), "")
        return coded("preflight.left", why=why) if why else ()


def _entries() -> list[Rule]:
    """Return all rules, the most important first."""
    return sorted(all_rules(), key=lambda one: -one.weight)


def _survey(notebook: Notebook, traces: Sequence[Evidence]) -> Survey:
    """Return the survey of a notebook; the last one is cached, for it is needed more than once."""
    if notebook.language != "python":
        return Survey(Notebook(cells=()), ())
    rules, python2 = all_rules(), any(map(tells_python2, traces))
    for kept in _kept:
        same = kept.rules is rules and kept.python2 == python2 and kept.notebook == notebook
        if same and (not kept.survey.unexamined or kept.seconds >= seconds()):
            return kept.survey
    survey = Survey(notebook, _entries())
    if (
        python2
        and not survey.unexamined
        and any(map(tells_python2, of_code(survey.program, survey.matches)))
    ):
        survey = Survey(notebook, _entries(), python2=True)
    _kept[:] = [_Kept(notebook, rules, python2, survey, seconds())]
    return survey


@dataclass(frozen=True)
class _Kept:
    notebook: Notebook
    rules: tuple[Rule, ...]
    python2: bool
    survey: Survey
    seconds: float
    """Of processor time that it was allowed."""


_kept: list[_Kept] = []


def _era(notebook: Notebook, survey: Survey, traces: Sequence[Evidence], chosen: str) -> Era:
    found = (*of_code(survey.program, survey.matches), *of_words(notebook), *traces)
    return combine(found, libraries(survey.program), chosen)


def _impact(rule: Rule) -> Impact:
    if not rule.silent:
        return Impact.STOPS
    if rule.severity is Severity.NONE:
        return Impact.DISPLAY
    if rule.kind is ChangeKind.DEFAULT_CHANGED:
        return Impact.DEFAULT
    return Impact.RESULT


def _is_settled(rule: Rule, era: Era) -> bool:
    """Return whether the notebook's author surely wrote for the behaviour before the change.

    If the era is unknown, the old form of a large change (an assignment that does nothing any more,
    say) is proof itself, unless the notebook is probably younger. A default never is. Nor is an old
    call that means something else today, in a notebook that is younger than the change.
    """
    if not rule.silent and not rule.some_run:
        return True
    stands = standing(era, rule.library, rule.since)
    if not rule.silent:
        return stands is not Standing.AFTER
    if stands is Standing.UNKNOWN:
        is_large = _impact(rule) is Impact.RESULT and rule.severity is Severity.LARGE
        return is_large and not is_probably_after(era, rule.library, rule.since)
    return stands is Standing.BEFORE


def _is_proposed(rule: Rule, era: Era) -> bool:
    """Return whether a rule's fix is appropriate before anything has run."""
    return rule.automatic and rule.confirm is not Confirm.ERROR and _is_settled(rule, era)


def _foreseen(
    one: RuleMatch, era: Era, mended: frozenset[tuple[str, str]], patch: _Patch
) -> Foreseen | None:
    """Return the warning for a match; None if the author knew the change.

    Args:
        mended: Names, each with its cell, that another rule fixes.
        patch: The fixes before the first run.
    """
    rule = one.rule
    if rule.silent and standing(era, rule.library, rule.since) is Standing.AFTER:
        return None
    settled = _is_settled(rule, era)
    certain = one.sure and rule.confirm is Confirm.NOTHING and settled
    return Foreseen(
        cell_id=one.cell_id,
        rule=rule.id,
        library=rule.library,
        since=rule.since,
        impact=_impact(rule),
        certain=certain,
        likely=certain
        or (one.fixed and rule.confirm is not Confirm.ERROR)
        or (settled and not one.fixed and _is_large_default(rule))
        or (
            _is_named(rule) and not any((one.cell_id, word) in mended for word in rule.identifiers)
        ),
        fixable=rule.automatic,
        proposed=patch.mends(one),
        left=patch.why_left(one),
        what=rule.what,
        replacement=rule.replacement,
        link=rule.link,
    )


def _is_large_default(rule: Rule) -> bool:
    """Return whether it is a large changed default with a fix, worth a warning if uncertain."""
    return rule.kind is ChangeKind.DEFAULT_CHANGED and rule.silent and rule.weight >= _WORTH_A_WORD


def _is_named(rule: Rule) -> bool:
    """Return whether a match of a rule without a fix is the very name in its error message."""
    if rule.silent or rule.automatic or rule.kind is not ChangeKind.REMOVED:
        return False
    return any(
        re.search(rf"(attribute .*|import name .*|No module named .*|`)\b{word}\b", symptom)
        for symptom in rule.symptoms
        for word in rule.identifiers
    )


def _notes(notebook: Notebook, survey: Survey, era: Era) -> Iterator[PreflightNote]:
    if notebook.language != "python":
        yield PreflightNote(text=coded("preflight.other-language"))
        return
    for problem in problems():
        yield PreflightNote(text=verbatim(problem))
    unfinished = not_finished(survey.program, survey.unexamined)
    if unfinished:
        yield PreflightNote(text=unfinished)
    for unparsed in survey.program.unparsed:
        unread = coded("preflight.unparsed", why=unparsed.why)
        yield PreflightNote(cell_id=unparsed.cell_id, text=unread)
    for cell in notebook.run_cells():
        if cell.source.strip() and not is_python(cell.source):
            yield PreflightNote(
                cell_id=cell.id,
                text=coded("preflight.not-python", magic=f"%%{cell_magic(cell.source)}"),
            )
    for item in era.evidence:
        if any(one.code == INSTALLS for one in item.text):
            pinned = coded("preflight.installs", installs=item.text)
            yield PreflightNote(cell_id=item.cell_id, text=pinned)
