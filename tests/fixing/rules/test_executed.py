"""Old code really fails with the libraries of today, and what the rules make of it runs."""

from __future__ import annotations

import re
from functools import cache
from textwrap import dedent

import pytest

from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.fixing.rules.knowledge import explain, installed_version
from tests.fixing.rules.executed.case import Case
from tests.fixing.rules.executed.discovered import LOUD, SILENT
from tests.fixing.rules.executed.environment import NAMES, NamedEnvironment, environment
from tests.fixing.rules.rewriting import cells, error, rule_of

_IS_DEEP = re.compile(r"\b(?:tensorflow|keras|torch)\b")
"""They draw other random numbers in each version."""


def concerned(rule: str, place: NamedEnvironment) -> bool:
    one = rule_of(rule)
    return one.concerns(installed_version(one, place.installed))


def executed(cases: list[Case], since: bool) -> list[object]:
    """Cases with the environments that have the library, in or before the version of the change."""
    return [
        pytest.param(case, name, id=f"{name}: {case.rule}: {(case.code.splitlines() or [''])[-1]}")
        for name in NAMES
        for case in cases
        if name not in case.without
        and installed_version(rule_of(case.rule), environment(name).installed) is not None
        and concerned(case.rule, environment(name)) == since
        and (since or not case.never_worked)
    ]


def rewritten(
    case: Case, place: NamedEnvironment, errors: tuple[CellError, ...] = ()
) -> tuple[str, str]:
    """The cell before a case and its code, as the rules mend them for an environment."""
    rules = (case.rule, *(rule for rule in case.also if concerned(rule, place)))
    return applied(dedent(case.setup), case.code, rules, errors)


@cache
def applied(
    setup: str, code: str, rules: tuple[str, ...], errors: tuple[CellError, ...]
) -> tuple[str, str]:
    """What the rules make of two cells: often the same for both environments."""
    setup, code = cells(setup, code, rules=rules, errors=errors)
    return setup, code


def mended(case: Case, place: NamedEnvironment, errors: tuple[CellError, ...] = ()) -> None:
    """What the rules make of a case runs as the old code once did."""
    assert rule_of(case.rule).automatic, "no automatic fix; say fix=False"
    setup, code = rewritten(case, place, errors)
    after = place.run(setup, code, case)
    assert after.raised is None, f"{code}\n{after.raised and after.raised.traceback}"
    assert after.holds, f"{code}\n{after.why}"


@pytest.mark.parametrize(("case", "name"), executed(LOUD, since=True))
def test_the_old_code_fails_and_the_new_code_works(case: Case, name: str) -> None:
    place = environment(name)
    with place.recording():
        before = place.run(dedent(case.setup), case.code, case)
        assert before.raised is not None, "it does not fail"
        line = before.raised.line
        assert case.line in (None, line)
        seen = error("b", before.raised.ename, before.raised.evalue, line)
        assert rule_of(case.rule).matches(seen), f"no symptom fits {seen.ename}: {seen.evalue}"
        assert rule_of(case.rule).general or explain(seen, place.installed) is not None
        if case.fix:
            mended(case, place, (seen,))


@pytest.mark.parametrize(("case", "name"), executed(SILENT, since=True))
def test_the_old_code_silently_gives_something_else(case: Case, name: str) -> None:
    place = environment(name)
    with place.recording():
        before = place.run(dedent(case.setup), case.code, case)
        assert before.raised is None, before.raised
        assert not before.why, before.why
        assert not before.holds, "it gives what it always gave"
        if case.fix:
            mended(case, place)


@pytest.mark.parametrize(("case", "name"), executed([*LOUD, *SILENT], since=False))
def test_the_old_code_works_before_the_change(case: Case, name: str) -> None:
    place = environment(name)
    with place.recording():
        before = place.run(dedent(case.setup), case.code, case)
        assert before.raised is None, before.raised
        assert before.holds, before.why


_SHOWN = 2_000
"""Characters of a value that a failure shows."""


def neighbours() -> list[object]:
    """Mended cases that give a later cell something, and whose old code the older libraries run."""
    old, new = (environment(name) for name in NAMES)
    return [
        pytest.param(case, id=f"{case.rule}: {(case.code.splitlines() or [''])[-1]}")
        for case in (*LOUD, *SILENT)
        if case.fix
        and not (case.differs or case.never_worked or case.shell or case.without)
        and "result" in case.code
        and not _IS_DEEP.search(f"{case.setup}{case.code}")
        and installed_version(rule_of(case.rule), old.installed) is not None
        and installed_version(rule_of(case.rule), new.installed) is not None
        and not concerned(case.rule, old)
        and concerned(case.rule, new)
    ]


@pytest.mark.parametrize("case", neighbours())
def test_a_later_cell_finds_what_the_old_code_gave_it(case: Case) -> None:
    old, new = (environment(name) for name in NAMES)
    errors: tuple[CellError, ...] = ()
    with old.recording(), new.recording():
        before = new.run(dedent(case.setup), case.code, case)
        if before.raised is not None:
            seen = before.raised
            errors = (error("b", seen.ename, seen.evalue, seen.line),)
        wanted = old.described(dedent(case.setup), case.code, case)
        found = new.described(*rewritten(case, new, errors), case)
        if found != wanted:  # pytest's own comparison of a long text takes minutes
            pytest.fail(f"it gave {wanted[:_SHOWN]}\nit gives {found[:_SHOWN]}")
