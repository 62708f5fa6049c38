"""What fixes led to and what they cost, counted from event logs."""

from __future__ import annotations

import asyncio
import threading
from contextlib import closing
from pathlib import Path

import pytest

from mle_modernizer_server.cli.terminal.money import usage_text
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.notebook import notebook_hash
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Decision, EditState, Phase, Verdict
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.domain.statistics import State, Statistics
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.history import all_facts, beside, facts_of
from mle_modernizer_server.workflow.report.session_facts import similarity
from mle_modernizer_server.workflow.report.statistics import spread, statistics
from tests import values
from tests.workflow.logged_sessions import (
    ENDED_WELL,
    FAILED_CELL,
    OFF_TARGET,
    TOO_LATE,
    USAGE,
    logged,
)

COST = 0.0217


@pytest.fixture
def found() -> Statistics:
    """Of four sessions."""
    store = Store(None)
    logged(
        store,
        "a/one.ipynb",
        [FAILED_CELL, FAILED_CELL, OFF_TARGET, ENDED_WELL],
        errors=[["NameError", "NameError", "KeyError"], ["KeyError"], [], []],
    )
    logged(store, "a/two.ipynb", [TOO_LATE, TOO_LATE, ENDED_WELL])
    logged(
        store,
        "b/three.ipynb",
        [FAILED_CELL, ENDED_WELL],
        errors=[["KeyError"], []],
        fixer=FixerName.RULES,
    )
    logged(store, "b/four.ipynb", [FAILED_CELL], errors=[["KeyError"]])
    return statistics(all_facts(store))


def test_fixes_are_counted_by_type_and_by_what_they_led_to(found: Statistics) -> None:
    rows = {row.name: row for row in found.by_type}
    assert list(rows) == ["runtime-reduction", "error-repair", "score-calibration"]
    assert rows["error-repair"].led_to == {
        State.ERROR_NON_REPRODUCIBLE: 1,
        State.ERROR_FREE_NON_REPRODUCIBLE: 1,
        State.ERROR_FREE_REPRODUCIBLE: 1,
    }
    assert rows["runtime-reduction"].led_to == {
        State.TIMEOUT: 1,
        State.ERROR_FREE_REPRODUCIBLE: 1,
    }
    assert [row.reproducible for row in found.by_type] == [1, 1, 1]
    before_and_after = {
        (item.fix_type, item.before, item.after): item.fixes for item in found.transitions
    }
    timeout = FixType.RUNTIME_REDUCTION
    assert before_and_after[timeout, State.TIMEOUT, State.TIMEOUT] == 1
    assert before_and_after[timeout, State.TIMEOUT, State.ERROR_FREE_REPRODUCIBLE] == 1
    assert sum(before_and_after.values()) == 6
    assert {row.name: row.applied for row in found.by_fixer} == {"rules": 1, "llm": 5}
    assert {row.name: row.applied for row in found.by_scope} == {"file": 6}


def test_tokens_and_cost_are_added_by_fix_type_and_session(found: Statistics) -> None:
    rows = {row.name: row for row in found.by_type}
    repair = rows["error-repair"]
    assert (repair.applied, repair.asked) == (3, 2), "a rule asks nobody"
    assert repair.usage.output_tokens == 2_000
    assert repair.usage.reasoning_tokens == 1_200
    assert repair.usage.cost_usd == pytest.approx(2 * COST)
    assert found.usage.calls == 5
    assert found.usage.cost_usd == pytest.approx(5 * COST)
    assert found.usage.prices_as_of == USAGE.prices_as_of


def test_error_types_are_followed_over_the_fixes(found: Statistics) -> None:
    rows = {row.name: row for row in found.errors}
    # KeyError: session one after 0 and 1 fixes, three and four after 0.
    assert rows["KeyError"].by_fixes == (3, 1)
    assert rows["KeyError"].took == (0, 1, 1), "one session needed one fix, one needed two"
    assert (rows["KeyError"].sessions, rows["KeyError"].left) == (3, 1)
    assert rows["NameError"].by_fixes == (2,)
    assert rows["NameError"].took == (0, 1)


def test_notebooks_are_counted_by_outcome_and_number_of_fixes(found: Statistics) -> None:
    assert [(item.fixes, item.sessions, item.reproducible) for item in found.fixes_made] == [
        (0, 1, 0),
        (1, 1, 1),
        (2, 1, 1),
        (3, 1, 1),
    ]
    assert found.mean_fixes == pytest.approx(6 / 4)
    assert found.mean_fixes_reproducible == pytest.approx(6 / 3)
    outcomes = {(item.first, item.best): item.sessions for item in found.outcomes}
    assert outcomes[State.ERROR_NON_REPRODUCIBLE, State.ERROR_FREE_REPRODUCIBLE] == 2
    assert outcomes[State.ERROR_NON_REPRODUCIBLE, State.ERROR_NON_REPRODUCIBLE] == 1
    assert found.seconds is not None and found.seconds.median == 10


def test_similarity_is_one_minus_the_normalized_edit_distance(
    found: Statistics,
) -> None:
    assert [item.fixes for item in found.similarity_to_original] == [0, 1, 2, 3]
    first, one, *_ = found.similarity_to_original
    assert first.similarity.least == 1
    length = 3 * len("value_0 = 0")
    assert one.similarity.median == pytest.approx(1 - 1 / (length + 1))
    assert found.similarity_to_previous is not None
    assert found.similarity_to_previous.count == 6

    same = values.notebook("x = 1", "y = 2")
    assert similarity(same, same) == 1
    assert similarity(same, values.notebook("x = 1", "y = 3")) == pytest.approx(0.9)
    assert similarity(same, values.notebook("x = 1")) == pytest.approx(0.5)
    assert similarity(values.notebook(""), values.notebook("")) == 1
    assert similarity(values.notebook("abc"), values.notebook("xyz")) == 0


def test_a_fix_for_an_earlier_better_run_counts_from_that_run() -> None:
    """Auto mode drops a fix that made things worse; the next one starts from the best."""
    store = Store(None)
    original = values.notebook("a = 1", "b = 2")
    worse, better = values.notebook("a = 10", "b = 2"), values.notebook("a = 1", "b = 20")
    session = store.create(
        events.Created(
            path="n.ipynb", notebook_hash=notebook_hash(original), settings=SessionSettings()
        ),
        original,
    )
    runs = [
        (original, FAILED_CELL, values.modification("c0", "a = 1", "a = 10")),
        (worse, TOO_LATE, values.modification("c1", "b = 2", "b = 20")),
        (better, ENDED_WELL, None),
    ]
    for number, (notebook, (outcome, status, fix_type), edit) in enumerate(runs, start=1):
        started = events.RunStarted(notebook_hash=notebook_hash(notebook), message="go")
        store.append(session.id, started, notebook)
        diagnosis = values.diagnosis(outcome, fix_type)
        diagnosis = diagnosis.model_copy(update={"execution_status": status})
        diagnosed = events.Diagnosed(grade=values.grade(0.5), diagnosis=diagnosis, best=number)
        store.append(session.id, diagnosed)
        if edit is not None:
            proposal = values.proposal(edit, name=f"p{number}")
            store.append(session.id, events.Proposed(proposal=proposal, adopted=True))
    facts = facts_of(store, session.id)
    assert [(fix.before, fix.after) for fix in facts.fixes] == [
        (State.ERROR_NON_REPRODUCIBLE, State.TIMEOUT),
        (State.ERROR_NON_REPRODUCIBLE, State.ERROR_FREE_REPRODUCIBLE),
    ]
    assert facts.similarity == pytest.approx(1 - 1 / 11)


def test_failed_calls_count_as_asked() -> None:
    store = Store(None)
    session = logged(store, "n.ipynb", [FAILED_CELL])
    store.append(session.id, events.Spent(usage=Usage(failed=1)))
    store.append(session.id, events.Spent(usage=Usage(failed=1)))
    found = statistics([facts_of(store, session.id)])
    assert usage_text(found.usage) == "asked 2 times, 2 failed"
    assert usage_text(USAGE + found.usage).startswith("asked 3 times, 2 failed, ")
    assert usage_text(Usage()) == ""


def test_rejected_and_open_fixes_have_no_effect_but_a_cost() -> None:
    store = Store(None)
    notebook = values.notebook("x = 1")
    session = logged(store, "n.ipynb", [FAILED_CELL])
    edit = values.modification("c0", "value_0 = 0", "y")
    proposal = values.proposal(edit).model_copy(
        update={"fixer": FixerName.LLM, "model": "m", "usage": USAGE}
    )
    store.append(session.id, events.Proposed(proposal=proposal))
    store.append(
        session.id,
        events.Decided(proposal="p1", decisions={edit.id: Decision(state=EditState.REJECTED)}),
    )
    store.append(session.id, events.Spent(usage=USAGE + USAGE))
    digest = notebook_hash(notebook)
    store.append(session.id, events.RunStarted(notebook_hash=digest, message="go"), notebook)
    (row,) = statistics([facts_of(store, session.id)]).by_type
    assert (row.proposed, row.applied, row.led_to) == (1, 0, {})
    assert (row.asked, row.usage.calls) == (2, 3)


def test_cost_of_a_fix_in_progress_is_in_the_total() -> None:
    store = Store(None)
    session = logged(store, "n.ipynb", [FAILED_CELL])
    asking = events.Progressed(phase=Phase.FIXING, message="Asking", usage=USAGE)
    session = store.append(session.id, asking)
    assert session.usage == USAGE
    more = events.Progressed(phase=Phase.FIXING, message="the plan grows")
    assert store.append(session.id, more).usage == USAGE
    proposal = values.proposal().model_copy(update={"usage": USAGE})
    session = store.append(session.id, events.Proposed(proposal=proposal))
    assert session.usage == USAGE, "not counted twice"


def test_what_a_cancelled_or_crashed_fix_cost_is_kept() -> None:
    store = Store(None)
    session = logged(store, "n.ipynb", [FAILED_CELL])
    asking = events.Progressed(phase=Phase.FIXING, message="Asking", usage=USAGE)
    store.append(session.id, asking)
    cancelled = events.Rested(phase=Phase.CANCELLED, message="Cancelled.")
    assert store.append(session.id, cancelled).iterations[-1].spent == USAGE
    facts = facts_of(store, session.id)
    assert facts.usage == USAGE
    assert [item.usage for item in facts.spent] == [USAGE]
    again = events.Rested(phase=Phase.READY, message="x")
    assert store.append(session.id, again).usage == USAGE


def test_read_back_is_the_session_without_the_steps_of_its_work(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    session = logged(store, "n.ipynb", [FAILED_CELL, ENDED_WELL], steps=20)
    back, whole = store.read_back(session.id), store.get(session.id)
    assert back.worked_seconds == pytest.approx(whole.worked_seconds)  # added up in other parts
    assert back == whole.model_copy(update={"worked_seconds": back.worked_seconds})


def test_cached_facts_last_until_the_session_continues(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path / "s.db")
    session = logged(store, "n.ipynb", [FAILED_CELL])
    (before,) = all_facts(store)
    assert store.kept_facts(1, session.id, session.seq) == before.model_dump_json()
    assert all_facts(Store(tmp_path / "s.db")) == [before]
    store.append(session.id, events.Spent(usage=USAGE))
    (after,) = all_facts(store)
    assert (before.usage, after.usage) == (Usage(), USAGE)
    store.delete(session.id)
    assert all_facts(store) == []
    assert store.kept_facts(1, session.id, after.seq) is None


def test_sessions_are_selected_by_a_literal_path_prefix() -> None:
    store = Store(None)
    for path in ("a/x.ipynb", "a%/x.ipynb", "b/x.ipynb"):
        logged(store, path, [ENDED_WELL])
    assert [facts.path for facts in all_facts(store, "a")] == ["a%/x.ipynb", "a/x.ipynb"]
    assert [facts.path for facts in all_facts(store, "a%")] == ["a%/x.ipynb"]
    assert [facts.path for facts in all_facts(store, most=1)] == ["b/x.ipynb"]


@pytest.mark.thorough
def test_five_hundred_sessions_add_up(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    for number in range(500):
        fixes = number % 4
        results = [FAILED_CELL] * fixes + [ENDED_WELL if number % 2 else FAILED_CELL]
        names = [["KeyError"] if result is FAILED_CELL else [] for result in results]
        logged(store, f"n{number}.ipynb", results, errors=names)

    async def reading() -> Statistics:
        return await beside(store, lambda own: statistics(all_facts(own)))

    found = asyncio.run(reading())
    assert (found.sessions, found.runs) == (500, 125 * (1 + 2 + 3 + 4))
    (row,) = found.by_type
    assert row.applied == 125 * (0 + 1 + 2 + 3)
    assert row.reproducible == 250, "every odd session ends well, after 1 or 3 fixes"
    assert found.usage.output_tokens == row.applied * USAGE.output_tokens
    assert found.usage.cost_usd == pytest.approx(row.applied * COST)
    assert [item.sessions for item in found.fixes_made] == [125] * 4
    assert [item.reproducible for item in found.fixes_made] == [0, 125, 0, 125]
    (error,) = found.errors
    # even sessions keep it to the end; odd ones lose it with their last fix
    assert (error.left, error.took) == (250, (0, 125, 0, 125))
    assert error.by_fixes == (500, 250, 250)


def test_nothing_gives_empty_tables() -> None:
    found = statistics([])
    assert (found.sessions, found.by_type, found.mean_fixes, found.seconds) == (0, (), None, None)
    assert spread([]) is None
    one = spread([2.0])
    assert one is not None and (one.least, one.median, one.most) == (2, 2, 2)


def test_scope_is_kept_apart() -> None:
    store = Store(None)
    session = logged(store, "n.ipynb", [FAILED_CELL, ENDED_WELL])
    (fix,) = facts_of(store, session.id).fixes
    assert fix.scope is FixScope.FILE
    assert fix.similarity == pytest.approx(1 - 1 / 34)


def test_sessions_are_read_while_every_other_thread_is_at_work(tmp_path: Path) -> None:
    done = threading.Event()

    async def reading() -> int:
        analyses = [asyncio.ensure_future(asyncio.to_thread(done.wait, 60)) for _ in range(40)]
        await asyncio.sleep(0.1)
        try:
            with closing(Store(tmp_path / "store.sqlite")) as store:
                listing = beside(store, lambda own: len(list(own.each_session())))
                return await asyncio.wait_for(listing, 20)
        finally:
            done.set()
            await asyncio.gather(*analyses)

    assert asyncio.run(reading()) == 0


@pytest.mark.parametrize("verdict", [Verdict.REACHED, Verdict.NOT_PROVEN])
def test_unproven_score_is_not_counted_as_reproducible(verdict: Verdict) -> None:
    store = Store(None)
    session = logged(store, "n.ipynb", [ENDED_WELL])
    assert facts_of(store, session.id).best is State.ERROR_FREE_REPRODUCIBLE
    store.append(session.id, events.Rested(phase=Phase.FINISHED, message="x", verdict=verdict))
    assert facts_of(store, session.id).best is State.ERROR_FREE_NON_REPRODUCIBLE
