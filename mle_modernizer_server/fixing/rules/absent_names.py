"""Forecasts from the installed packages: names that a notebook uses and they do not have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mle_modernizer_server.domain.environment import Absence, NameKind, NameQuestion, NameUse
from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.forecast import Foreseen, Impact
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.knowledge import all_rules, explaining
from mle_modernizer_server.fixing.rules.name_uses import FoundUse
from mle_modernizer_server.fixing.rules.rule import Rule

_IMPORTS = (NameKind.MODULE, NameKind.MEMBER)
_MOST_NAMED = 12


@dataclass
class _Lost:
    """Missing names of one cell that have the same cause.

    Attributes:
        uses: Their uses.
        absences: Answers of the packages, by the use's question.
        rule: The rule that knows the cause; None if none does.
    """

    uses: list[NameUse] = field(default_factory=list)
    absences: list[Absence] = field(default_factory=list)
    rule: Rule | None = None


class AbsentNames:
    """Missing names: those of a notebook that the packages of the environment lack.

    Args:
        notebook: The sources.
        environment: The installed packages.
        uses: The names in the notebook.
        absences: Those that the packages do not have.
        left: Uses that the patch before the first run does not change, by cell and question.
    """

    def __init__(
        self,
        notebook: Notebook,
        environment: Environment,
        uses: Sequence[FoundUse],
        absences: Iterable[Absence],
        left: frozenset[tuple[str, str]],
    ) -> None:
        self._notebook = notebook
        self._environment = environment
        self._left = left
        self._absences = {one.question.key: one for one in absences}
        self._lost = [one for one in uses if one.use.question.key in self._absences]
        self._has_stars = _names_that_no_star_brings([one.use for one in uses], self._absences)

    def items(self, known: Sequence[Foreseen]) -> list[Foreseen]:
        """Return the forecasts of rules with those of absent names.

        A forecast of a rule that explains an absence is certain. Others are added: with the reason
        of a rule that knows the error, or without.

        Args:
            known: The forecasts of the rules.
        """
        rules = {rule.id: rule for rule in all_rules()}
        items = list(known)
        for cell_id, lost in self._by_cause(known, rules):
            same = [
                place
                for place, item in enumerate(items)
                if lost.rule is not None and (item.cell_id, item.rule) == (cell_id, lost.rule.id)
            ]
            sure = any(use.sure for use in lost.uses)
            if same:
                item = items[same[0]]
                update = {"certain": item.certain or sure, "likely": True}
                items[same[0]] = item.model_copy(update=update)
            else:
                items.append(self._foreseen(cell_id, lost, sure))
        return items

    def _by_cause(
        self, known: Sequence[Foreseen], rules: Mapping[str, Rule]
    ) -> list[tuple[str, _Lost]]:
        found: dict[tuple[str, str], _Lost] = {}
        failed_imports: list[str] = []
        for place in self._lost:
            use = place.use
            absence = self._absences[use.question.key]
            if use.question.kind is NameKind.STARRED:
                if (use.cell_id, use.question.detail) not in self._has_stars:
                    continue
                if absence.ename != "NameError":
                    continue  # the module itself is absent
            elif use.question.kind in _IMPORTS:
                failed_imports.append(absence.failing)
            elif any(_is_below(absence.failing, one) for one in failed_imports):
                continue  # the import fails before it
            rule = self._rule(place, absence, known, rules)
            cause = absence.failing if rule is None else rule.id
            if rule is None and use.question.kind is NameKind.STARRED:
                cause = f"* {use.question.address}"
            elif rule is None and absence.ename == "ImportError" and _is_member(use):
                cause = f"from {use.question.address.rpartition('.')[0]}"
            elif rule is None and use.question.kind is NameKind.ARGUMENT:
                cause = f"{cause} {use.question.detail}"
            lost = found.setdefault((use.cell_id, cause), _Lost(rule=rule))
            lost.uses.append(use)
            lost.absences.append(absence)
        return [(cell_id, lost) for (cell_id, _), lost in found.items()]

    def _rule(
        self,
        place: FoundUse,
        absence: Absence,
        known: Sequence[Foreseen],
        rules: Mapping[str, Rule],
    ) -> Rule | None:
        """Return the rule that knows why a name is absent; None if none does."""
        use = place.use
        name = use.question.detail or absence.failing.rpartition(".")[2]
        for item in known:
            rule = rules.get(item.rule)
            if rule is None or rule.silent or item.cell_id != use.cell_id:
                continue
            if name in rule.identifiers and _is_about(rule, use.question):
                return rule
        error = CellError(
            cell_id=use.cell_id,
            index=self._notebook.index(use.cell_id),
            ename=absence.ename,
            evalue=absence.evalue,
            traceback=("Cell In[1], line 1", f"----> 1 {place.line()}"),
            raised=True,
        )
        rule = explaining(error, self._environment, self._notebook)
        if rule is None:
            return None
        named = any(name in symptom for symptom in rule.symptoms) or name in rule.identifiers
        return rule if named else None

    def _foreseen(self, cell_id: str, lost: _Lost, sure: bool) -> Foreseen:
        gone = all((cell_id, use.question.key) not in self._left for use in lost.uses)
        rule = lost.rule
        library = lost.uses[0].question.top
        return Foreseen(
            cell_id=cell_id,
            rule="" if rule is None else rule.id,
            library=library if rule is None else rule.library,
            since="" if rule is None else rule.since,
            impact=Impact.STOPS,
            certain=sure,
            likely=True,
            fixable=gone or (rule is not None and rule.automatic),
            proposed=gone,
            what=self._what(lost),
            replacement="" if rule is None else rule.replacement,
            link="" if rule is None else rule.link,
        )

    def _what(self, lost: _Lost) -> str:
        """Return the missing names in a sentence."""
        question, absence = lost.uses[0].question, lost.absences[0]
        reason = "" if lost.rule is None else lost.rule.what
        if absence.is_package:
            absent = f"{absence.failing} is not installed where the notebook would run."
            return f"{absent} {reason}".strip()
        if reason:
            return reason
        package = self._package(question.top)
        if question.kind is NameKind.STARRED:
            names = _listed(use.question.detail for use in lost.uses)
            return f"`from {question.address} import *` of {package} does not bring {names}."
        if question.kind is NameKind.ARGUMENT and absence.ename == "TypeError":
            return f"{question.address}() of {package} takes no argument {question.detail}."
        if question.kind is NameKind.METHOD and absence.failing == question.address:
            owner, _, name = question.address.rpartition(".")
            return f"{owner} of {package} has no {name}."
        first = " ".join(absence.evalue.split())
        is_missing = absence.evalue == f"No module named {absence.failing!r}"
        if question.kind is NameKind.MODULE and not is_missing:
            return f"`import {question.address}` fails here: {absence.ename}: {first}"
        if question.kind is NameKind.MEMBER:
            return f"{package} has no {_listed(one.failing for one in lost.absences)}."
        return f"{package} has no {absence.failing}."

    def _package(self, top: str) -> str:
        version = self._environment.packages.get(top)
        return f"{top} {version}" if version else f"Python {self._environment.python}, {top},"


def _names_that_no_star_brings(
    uses: Sequence[NameUse], absences: Mapping[str, Absence]
) -> frozenset[tuple[str, str]]:
    """Return the names, by cell, that none of the star imports brings."""
    brought: set[tuple[str, str]] = set()
    asked: set[tuple[str, str]] = set()
    for use in uses:
        if use.question.kind is NameKind.STARRED:
            asked.add((use.cell_id, use.question.detail))
            if use.question.key not in absences:
                brought.add((use.cell_id, use.question.detail))
    return frozenset(asked - brought)


def _is_member(use: NameUse) -> bool:
    return use.question.kind is NameKind.MEMBER


def _listed(names: Iterable[str]) -> str:
    every = list(dict.fromkeys(names))
    more = "" if len(every) <= _MOST_NAMED else f" and {len(every) - _MOST_NAMED} more"
    return f"{', '.join(every[:_MOST_NAMED])}{more}"


def _is_below(address: str, other: str) -> bool:
    return address == other or address.startswith(f"{other}.")


def _is_about(rule: Rule, question: NameQuestion) -> bool:
    """Return whether a rule is about the package of a name, under any of its import names."""
    return question.top in {rule.library, *_SAME.get(rule.library, ())}


_SAME = {"keras": ("tensorflow", "tf_keras", "keras_applications"), "tensorflow": ("keras",)}
"""Packages that hold another library under their own name."""
