"""Old code really fails with the libraries of today, and what the rules make of it runs."""

from __future__ import annotations

from textwrap import dedent

import pytest

from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.fixing.rules.knowledge import explain, installed_version
from tests.fixing.rules.executed.case import Case
from tests.fixing.rules.executed.discovered import LOUD, SILENT
from tests.fixing.rules.executed.environment import NAMES, NamedEnvironment, environment
from tests.fixing.rules.rewriting import cells, error, rule_of


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


def mended(case: Case, place: NamedEnvironment, errors: tuple[CellError, ...] = ()) -> None:
    """What the rules make of a case runs as the old code once did."""
    assert rule_of(case.rule).automatic, "no automatic fix; say fix=False"
    rules = (case.rule, *(rule for rule in case.also if concerned(rule, place)))
    setup, code = cells(dedent(case.setup), case.code, rules=rules, errors=errors)
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
        assert explain(seen, place.installed) is not None
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
