"""Budgets and rates that hold for all workers together."""

from __future__ import annotations

import asyncio

import pytest

from mle_modernizer_server.batch.rate_limits import Account, Answer, Rationed
from mle_modernizer_server.batch.study import Limits
from mle_modernizer_server.domain.model_calls import Price, Usage
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.fixing.fixer import FixRequest, NoFix, OnCall, OnText, no_matter
from mle_modernizer_server.words import text


def test_requests_come_no_faster_than_the_rate() -> None:
    account = Account(Limits(requests_per_minute=60))
    now, granted = 0.0, 0
    while now < 60:
        answer = account.reserve(now, 100, 0.0, "w")
        if answer.ticket is not None:
            granted += 1
        else:
            now += answer.wait
    assert 60 <= granted <= 71  # ten at once after a pause, then one a second


def test_request_larger_than_a_minutes_tokens_is_sent() -> None:
    account = Account(Limits(tokens_per_minute=1000))
    assert account.reserve(0.0, 5000, 0.0, "w").ticket == 1
    assert account.reserve(1.0, 10, 0.0, "w").wait > 200


def test_what_a_call_did_cost_corrects_what_was_reserved() -> None:
    account = Account(Limits(tokens_per_minute=6000))
    first = account.reserve(0.0, 6000, 0.0, "w")
    assert account.reserve(0.0, 600, 0.0, "w").wait == pytest.approx(6)
    assert first.ticket is not None
    account.settle(first.ticket, 1000, 0.0, 1)
    assert account.reserve(0.0, 600, 0.0, "w").ticket is not None


def test_a_budget_is_not_passed() -> None:
    account = Account(Limits(usd=1.0), spent_usd=0.5)
    tickets = [account.reserve(0.0, 10, 0.2, "w").ticket for _ in range(2)]
    waiting = account.reserve(0.0, 10, 0.2, "w")
    assert waiting.wait > 0  # the others may cost less than they reserved
    for ticket in tickets:
        assert ticket is not None
        account.settle(ticket, 10, 0.05, 1)
    assert account.reserve(0.0, 10, 0.2, "w").ticket is not None
    assert not account.used_up
    refused = account.reserve(0.0, 10, 0.45, "w")
    assert "1 USD" in refused.refused


def test_what_a_dead_worker_reserved_counts_as_spent() -> None:
    account = Account(Limits(tokens=100))
    account.reserve(0.0, 80, 0.0, "dead")
    account.gone("dead")
    assert account.spent_tokens == 80
    assert account.reserve(0.0, 30, 0.0, "w").refused


class _Fixer:
    name = FixerName.LLM

    async def propose(
        self, request: FixRequest, on_text: OnText, on_call: OnCall = no_matter
    ) -> NoFix:
        return NoFix(reason="No idea.")


class _Gate:
    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.settled: list[int] = []

    async def reserve(self, tokens: int, usd: float) -> Answer:
        assert tokens > 4_000
        assert usd > 0
        return self.answers.pop(0)

    async def settle(self, ticket: int, tokens: int, usd: float, calls: int) -> None:
        self.settled.append(ticket)


def ask(gate: _Gate) -> tuple[NoFix, Rationed]:
    spent: list[Usage] = []
    rationed = Rationed(gate, Price(input=1, cached_input=1, output=1), spent.append)
    request = FixRequest.model_construct(notebook=_Empty())
    answer = asyncio.run(rationed.around(_Fixer()).propose(request, lambda text: None))
    assert isinstance(answer, NoFix)
    return answer, rationed


class _Empty:
    cells = ()


def test_a_fixer_waits_for_its_turn_and_says_what_it_cost() -> None:
    gate = _Gate(Answer(wait=0.01), Answer(ticket=7))
    answer, rationed = ask(gate)
    assert text(answer.reason) == "No idea."
    assert gate.settled == [7]
    assert not rationed.refused


def test_without_money_there_is_no_fix_and_the_reason_is_told() -> None:
    answer, rationed = ask(_Gate(Answer(refused="The budget is spent.")))
    assert text(answer.reason) == "The budget is spent."
    assert rationed.refused
