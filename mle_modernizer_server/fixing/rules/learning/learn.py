"""The rule around a common fix, and the proof that it produces the very code that ran."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import yaml

from mle_modernizer_server.code.program import Program
from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.proposal import LEARNED, LearnedRule, Lesson, Meaning
from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import modernize
from mle_modernizer_server.fixing.rules.learning.changes import Callee, Changes, Rewritten, code
from mle_modernizer_server.fixing.rules.learning.generalise import common_fix, names_in
from mle_modernizer_server.fixing.rules.learning.meaning import meaning
from mle_modernizer_server.fixing.rules.rule import (
    ChangeKind,
    Confirm,
    Fixing,
    MethodRename,
    Move,
    Rule,
)

_UNKNOWN_VERSION = "0.0"
_LONGEST = 200
"""Limit in characters of a symptom, and of the code in a text."""
_PLACE = re.compile(r" \(?['\"]?(?:/|[A-Za-z]:\\).*")
"""A path at the end of an error's text, which is specific to one machine."""


@dataclass(frozen=True)
class _Candidate:
    rule: Rule
    places: Sequence[Rewritten]

    @property
    def cells(self) -> frozenset[str]:
        return frozenset(place.before.cell_id for place in self.places)


def learn(lesson: Lesson) -> tuple[LearnedRule, ...]:
    """Return the rules that a fix teaches; none if it does not concern calls.

    A rule is accepted only if the rules together convert each cell that they concern to the very
    code that ran, and leave alone the cells that had run before. Code that was tried in old
    libraries must have run there: if it failed too, nothing has changed since, and the mistake is
    the notebook's.

    Args:
        lesson: A fix that worked.
    """
    before, after = Program(lesson.before), Program(lesson.after)
    changes = Changes(before, after)
    groups: dict[Callee, list[Rewritten]] = {}
    for cell_id in lesson.cells:
        for place in changes.of_cell(cell_id):
            groups.setdefault(place.callee, []).append(place)
    trial = lesson.trial
    candidates = [
        one
        for callee, places in groups.items()
        if (one := _candidate(callee, places, lesson, after))
        and (trial is None or one.cells.isdisjoint(trial.failed))
    ]
    return tuple(_learned(one, lesson) for one in _proven(candidates, lesson, after))


def _candidate(
    callee: Callee, places: Sequence[Rewritten], lesson: Lesson, after: Program
) -> _Candidate | None:
    library = (callee.address or callee.of).partition(".")[0]
    fix = common_fix(places, after)
    if fix is None or library in ("", "builtins", "notebook"):
        return None
    symptoms = tuple(dict.fromkeys(_symptoms(fix, lesson.errors)))
    if not symptoms:
        return None  # the library reported something else
    version = _version(library, lesson.environment)
    old, new = _shown(places[0].before.code(places[0].old)), _shown(code(places[0].new))
    told = f"{fix.model_dump_json()} {symptoms}"
    return _Candidate(
        Rule(
            id=f"{LEARNED}{library}-{callee.name}-{hashlib.sha256(told.encode()).hexdigest()[:8]}",
            library=library,
            since=version or _UNKNOWN_VERSION,
            kind=ChangeKind.REMOVED,
            symptoms=symptoms,
            what=f"`{old}` fails in {library} {version}".rstrip() + ".",
            replacement=f"Write `{new}`.",
            link="",
            meaning=Meaning.RENAME if isinstance(fix, (Move, MethodRename)) else Meaning.OTHER,
            confirm=Confirm.ERROR,
            fixes=(fix,),
        ),
        places,
    )


def _symptoms(fix: Fixing, errors: Sequence[CellError]) -> Iterator[str]:
    """Yield symptoms from the errors that mention the very names that the fix is about."""
    names = {name for name in names_in(fix) if name}
    for error in errors:
        text = _PLACE.sub("", f"{error.ename}: {error.evalue}".splitlines()[0])
        if len(text) <= _LONGEST and any(
            re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names
        ):
            yield re.escape(text)


def _proven(
    candidates: Sequence[_Candidate], lesson: Lesson, after: Program
) -> Sequence[_Candidate]:
    """Drop candidates with other results until all that are left together reproduce the code."""
    wanted = {cell.cell_id: meaning(after, cell) for cell in after.cells}
    while candidates:
        rules = [one.rule for one in candidates]
        outcome = modernize(lesson.before, rules, Run(errors=lesson.errors), lambda *_: True)
        program = Program(outcome.notebook)
        made = {cell.cell_id: meaning(program, cell) for cell in program.cells}
        wrong = {cell for cell in lesson.cells if made.get(cell) != wanted.get(cell)}
        wrong |= {one.cell_id for one in outcome.applied} & set(lesson.sound) - set(lesson.cells)
        touched = {
            one.rule.id: {item.cell_id for item in outcome.applied if item.rule is one.rule}
            for one in candidates
        }
        left = [
            one
            for one in candidates
            if touched[one.rule.id] and not (touched[one.rule.id] | one.cells) & wrong
        ]
        if len(left) == len(candidates):
            return left
        candidates = left
    return ()


def _learned(one: _Candidate, lesson: Lesson) -> LearnedRule:
    rule = one.rule
    place = one.places[0]
    trial = lesson.trial
    tried = trial.libraries if trial is not None and one.cells.issubset(trial.ran) else ""
    return LearnedRule(
        id=rule.id,
        library=rule.library,
        old=_shown(place.before.code(place.old)),
        new=_shown(code(place.new)),
        places=len(one.places),
        tried=tried,
        content=_file(rule, lesson, tried),
    )


def _file(rule: Rule, lesson: Lesson, tried: str) -> str:
    by = f", written by {one_line}" if (one_line := " ".join(lesson.model.split())[:80]) else ""
    found = rule.model_dump(mode="json", exclude_defaults=True, exclude={"library"})
    for fix, data in zip(rule.fixes, found["fixes"], strict=True):
        data["do"] = fix.do
    return (
        f"# Learned from a fix that held{by}: what had failed ran to its end with it, and this\n"
        "# rule makes of the notebook as it was the very code that ran.\n"
        + (f"# As it was, it ran with {' '.join(tried.split())}.\n" if tried else "")
        + yaml.safe_dump(
            {"library": rule.library, "rules": [{**found, "link": rule.link}]},
            sort_keys=False,
            allow_unicode=True,
            width=100,
        )
    )


def _version(library: str, environment: Environment) -> str:
    version = environment.packages.get(library, "")
    return version if re.match(r"\d", version) else ""


def _shown(text: str) -> str:
    line = " ".join(text.split()).replace("`", "'")
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
