"""An auto session with a model, from the estimate to the statistics: real runs, real protocol."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.errors import Conflict
from mle_modernizer_server.domain.model_calls import Basis, Price, Usage
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Phase, Session
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.domain.statistics import State
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.workflow.log.event_log import EventLog
from mle_modernizer_server.workflow.log.events import Event
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.estimate import ENOUGH, estimate
from mle_modernizer_server.workflow.report.history import all_facts, facts_of
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.services import Services
from tests import values
from tests.llm_server import Answer, LlmServer
from tests.refusals import refused
from tests.web.conftest import SUBMIT, prepare_parity
from tests.workflow.logged_sessions import ENDED_WELL, FAILED_CELL, MODEL, logged

PRICE = Price(input=2, cached_input=1, output=10)
BROKEN = "raise ValueError('old')\nx = 1"
NEEDS_X = f"x\n{SUBMIT}"
SETTINGS = SessionSettings(
    competition="parity",
    target_score=1.0,
    sandbox="process",
    mode=Mode.AUTO,
    fixers=(FixerName.LLM,),
)


def reply(source: str) -> Answer:
    text = f"=== PLAN ===\n- mend it\n=== REPLACE CELL c0 ===\n{source}\n=== END ===\n"
    return Answer(text, cached_tokens=100)


def rooms(tmp_path: Path, base_url: str, price: Price | None = PRICE) -> Services:
    if not (tmp_path / "data").exists():
        prepare_parity(tmp_path / "data")
    llm = LlmSettings(base_url=base_url, model="stand-in", price=price)
    return build_services(data_root=tmp_path / "data", sandbox=None, llm=llm)


def modernized(tmp_path: Path, server: LlmServer, said: list[Usage]) -> tuple[Session, Store]:
    """An auto session to its end; `said` gets what it had cost after each event."""

    def listen(session: Session, event: Event) -> None:
        said.append(session.usage)

    async def scene() -> tuple[Session, Store]:
        store = Store(tmp_path / "s.db")
        work = Modernizer(EventLog(store, listen), rooms(tmp_path, server.base_url))
        notebook = values.notebook(BROKEN, NEEDS_X)
        session = work.sessions.create("old.ipynb", notebook, SETTINGS)
        work.runs.start_run(session.id, notebook)
        return await work.sessions.finished(session.id), store

    return asyncio.run(scene())


@pytest.mark.process
def test_an_auto_session_is_counted_call_by_call(tmp_path: Path) -> None:
    answers = [Answer("I would rather not."), reply("import nothing_of_that_name"), reply("x = 1")]
    said: list[Usage] = []
    with LlmServer(answers) as server:
        session, store = modernized(tmp_path, server, said)
        sent = [len(request.prompt) // 4 for request in server.requests]
    assert session.phase is Phase.REVIEWING
    facts = facts_of(store, session.id)
    assert [(fix.before, fix.after) for fix in facts.fixes] == [
        (State.ERROR_NON_REPRODUCIBLE, State.ERROR_NON_REPRODUCIBLE),
        (State.ERROR_NON_REPRODUCIBLE, State.ERROR_FREE_REPRODUCIBLE),
    ]
    assert [fix.usage.calls for fix in facts.fixes] == [2, 1], "the refused reply counts"
    usage = session.usage
    assert (usage.calls, usage.input_tokens) == (3, sum(sent))
    assert usage.cached_input_tokens == 200
    fresh = usage.input_tokens - 200
    cost = (fresh * 2 + 200 * 1 + usage.output_tokens * 10) / 1e6
    assert usage.cost_usd == pytest.approx(cost)
    calls = [one.calls for one in said]
    assert calls == sorted(calls), "the total never falls"
    assert {0, 1, 2, 3} == set(calls), "each call is told when it comes back"
    assert facts.runs[0].errors == {"ValueError": 1}


@pytest.mark.process
def test_calls_of_a_cancelled_fix_are_counted(tmp_path: Path) -> None:
    answers = [Answer("I would rather not."), Answer("…", hang_after=1)]

    async def scene(server: LlmServer) -> Session:
        work = Modernizer(
            EventLog(Store(None), lambda session, event: None), rooms(tmp_path, server.base_url)
        )
        notebook = values.notebook(BROKEN, NEEDS_X)
        session_id = work.sessions.create("old.ipynb", notebook, SETTINGS).id
        work.runs.start_run(session_id, notebook)
        deadline = time.monotonic() + 60
        while len(server.requests) < 2 or work.log.session(session_id).usage.calls < 1:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)
        session = await work.sessions.cancel(session_id)
        await work.close()
        return session

    with LlmServer(answers) as server:
        session = asyncio.run(scene(server))
    assert session.phase is Phase.CANCELLED
    spent = session.iterations[0].spent
    assert (spent.calls, spent.estimated) == (2, True), "the one broken off counts, too"


def test_estimate_without_history_uses_the_papers_figures(tmp_path: Path) -> None:
    notebook = values.notebook("x = 1\n" * 1000, SUBMIT)
    found = estimate(rooms(tmp_path, "http://127.0.0.1:9/v1"), notebook, SETTINGS, [])
    assert found.basis is Basis.PUBLISHED and found.sessions == 0
    assert (found.fixes.low, found.fixes.likely, found.fixes.high) == (1, 5.7, 16)
    assert found.output_tokens.likely == pytest.approx(18_244, abs=5), "the paper's mean notebook"
    assert found.cost_usd is not None
    assert found.cost_usd.low < found.cost_usd.likely < found.cost_usd.high
    assert found.cost_usd.high == pytest.approx(
        (found.input_tokens.high * 2 + found.output_tokens.high * 10) / 1e6
    ), "at the worst nothing comes from a cache"
    assert "paper" in found.rests_on
    longer = values.notebook("x = 1\n" * 2000, SUBMIT)
    more = estimate(rooms(tmp_path, "http://127.0.0.1:9/v1"), longer, SETTINGS, [])
    assert more.prompt_tokens - found.prompt_tokens == pytest.approx(1500, abs=2)


@pytest.mark.thorough
def test_the_question_is_estimated_near_its_real_size(tmp_path: Path) -> None:
    with LlmServer([reply("x = 1")]) as server:
        modernized(tmp_path, server, [])
        sent = len(server.requests[0].prompt) // 4
        notebook = values.notebook(BROKEN, NEEDS_X)
        found = estimate(rooms(tmp_path, server.base_url), notebook, SETTINGS, [])
    assert found.prompt_tokens == pytest.approx(sent, rel=0.35)


def test_fixes_allowed_bound_an_estimate_and_none_cost_nothing(tmp_path: Path) -> None:
    here = rooms(tmp_path, "http://127.0.0.1:9/v1")
    notebook = values.notebook(SUBMIT)
    few = estimate(here, notebook, SETTINGS.model_copy(update={"max_fixes": 3}), [])
    assert (few.fixes.low, few.fixes.likely, few.fixes.high) == (1, 3, 3)
    none = estimate(here, notebook, SETTINGS.model_copy(update={"max_fixes": 0}), [])
    assert none.cost_usd is not None and none.cost_usd.high == 0 == none.input_tokens.high


def test_an_unknown_price_gives_tokens_and_no_money(tmp_path: Path) -> None:
    here = rooms(tmp_path, "http://127.0.0.1:9/v1", price=None)
    found = estimate(here, values.notebook(SUBMIT), SETTINGS, [])
    assert found.cost_usd is None and found.price is None
    assert found.output_tokens.likely > 0


def test_enough_sessions_with_the_same_model_are_a_history(tmp_path: Path) -> None:
    store = Store(None)
    for number in range(ENOUGH):
        fixes = 1 + number % 3
        logged(store, f"{number}.ipynb", [FAILED_CELL] * fixes + [ENDED_WELL])
    past = all_facts(store)
    here = rooms(tmp_path, "http://127.0.0.1:9/v1")
    notebook = values.notebook(SUBMIT)
    other = estimate(here, notebook, SETTINGS, past)
    assert other.basis is Basis.PUBLISHED, "they were with another model"

    llm = LlmSettings(base_url="http://127.0.0.1:9/v1", model=MODEL)
    same = build_services(data_root=tmp_path / "data", sandbox=None, llm=llm)
    found = estimate(same, notebook, SETTINGS, past)
    assert found.basis is Basis.HISTORY and found.sessions == ENOUGH
    assert (found.fixes.low, found.fixes.likely, found.fixes.high) == (1, 2, 2.6)
    assert found.output_tokens.likely == 2_000, "1,000 a fix"
    assert found.cached_input_tokens.likely == round(found.prompt_tokens * 0.5)
    assert found.price is not None and found.price.as_of is not None
    assert estimate(same, notebook, SETTINGS, past[1:]).basis is Basis.PUBLISHED, "too few"


def test_without_a_model_there_is_nothing_to_estimate(tmp_path: Path) -> None:
    here = rooms(tmp_path, "http://127.0.0.1:9/v1")
    rules = SETTINGS.model_copy(update={"fixers": (FixerName.RULES,)})
    with refused(Conflict, match="not among the selected fixers"):
        estimate(here, values.notebook(SUBMIT), rules, [])
    none = build_services(data_root=tmp_path / "data", sandbox=None, llm=LlmSettings())
    with refused(Conflict, match="MLE_MODERNIZER_MODEL"):
        estimate(none, values.notebook(SUBMIT), SETTINGS, [])


@pytest.mark.process
def test_the_fix_type_that_was_due_bears_what_came_to_nothing(tmp_path: Path) -> None:
    with LlmServer(lambda _: Answer("I would rather not.")) as server:
        session, store = modernized(tmp_path, server, [])
    (spent,) = facts_of(store, session.id).spent
    assert (spent.fix_type, spent.usage.calls) == (FixType.ERROR_REPAIR, 4)
