"""Rate limits, silence, lost lines and restarts; and what was spent on them."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any, cast

import openai
import pytest

from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.model_calls import CallEnding, ModelCall
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.fixing.llm.fixer import LlmFixer
from mle_modernizer_server.fixing.llm.retry import asked_to_wait, wait_before
from mle_modernizer_server.fixing.llm.settings import Api
from mle_modernizer_server.words import text
from tests.fixing.llm.asking import failure, proposal
from tests.fixing.llm.material import GOOD, IMPORTS, fix_request, settings
from tests.llm_server import Answer, LlmServer
from tests.refusals import refused

pytestmark = pytest.mark.asyncio

BOTH = pytest.mark.parametrize("api", [Api.CHAT, Api.RESPONSES])
LONG = Answer(
    status=400,
    error_code="context_length_exceeded",
    error_message="maximum context length is 8192 tokens, your messages resulted in 16384 tokens",
)


def big_notebook() -> Notebook:
    texts = [IMPORTS, *(f"value_{at} = {at}\n" * 25 for at in range(60))]
    return Notebook(
        cells=tuple(
            Cell(id=f"c{at}", type=CellType.CODE, source=text) for at, text in enumerate(texts)
        )
    )


async def test_retry_after_of_the_endpoint_is_obeyed_and_reported() -> None:
    told: list[str] = []
    limited = Answer(status=429, headers={"Retry-After": "2"})
    with LlmServer([limited, Answer(GOOD)]) as server:
        began = time.monotonic()
        fixer = LlmFixer(settings(server, connection_retries=1))
        await fixer.propose(fix_request(), told.append)
    assert 2 <= time.monotonic() - began < 20
    assert told[0] == "127.0.0.1 takes no more requests for now; asking again in 2 s"


async def test_who_asks_for_too_long_a_wait_is_not_waited_for() -> None:
    with LlmServer([Answer(status=429, headers={"Retry-After": "2400"})]) as server:
        told = await failure(server, connection_retries=5)
    assert "Try again in 40 min" in text(told.message)


async def test_wait_is_read_as_seconds_milliseconds_or_date() -> None:
    assert asked_to_wait({}) is None
    assert asked_to_wait({"retry-after": "soon"}) is None
    assert asked_to_wait({"retry-after": "nan"}) is None
    assert asked_to_wait({"retry-after": "7"}) == 7
    assert asked_to_wait({"retry-after": "7", "retry-after-ms": "1500"}) == 1.5
    until = datetime.now(timezone.utc) + timedelta(seconds=60)
    wait = asked_to_wait({"retry-after": format_datetime(until, usegmt=True)})
    assert wait == pytest.approx(60, abs=3)


async def test_waits_double_with_jitter_and_end() -> None:
    lost = openai.APIConnectionError(request=cast(Any, None))
    waits = [[wait_before(lost, failures, 8) or 0 for failures in range(1, 9)] for _ in range(30)]
    for failures, doubled in enumerate((0.5, 1, 2, 4, 8, 16, 30, 30)):
        tried = [each[failures] for each in waits]
        assert all(0.75 * doubled <= wait <= doubled for wait in tried)
        assert len(set(tried)) > 1
    assert wait_before(lost, 9, 8) is None


async def test_silence_is_asked_about_once_more_only() -> None:
    with LlmServer(lambda request: Answer(GOOD, delay=30)) as server:
        told = await failure(server, timeout=0.2, connection_retries=5)
        assert len(server.requests) == 2
    assert "MLE_MODERNIZER_TIMEOUT" in text(told.message)
    assert told.usage.calls == 2
    assert told.usage.estimated
    assert told.usage.input_tokens > 1000


async def test_a_slow_answer_is_waited_for_as_long_as_it_goes_on() -> None:
    with LlmServer([Answer(GOOD, piece=20, pause=0.15)]) as server:
        began = time.monotonic()
        assert (await proposal(server, timeout=1.0)).usage.calls == 1
    assert time.monotonic() - began > 1.2


@contextmanager
def deaf_port() -> Iterator[int]:
    """A port where connections are never accepted: its queue is full."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


async def test_connecting_has_a_limit_of_its_own() -> None:
    with LlmServer() as server, deaf_port() as port:
        began = time.monotonic()
        told = await failure(
            server, base_url=f"http://127.0.0.1:{port}/v1", connect_timeout=0.3, timeout=60
        )
    assert time.monotonic() - began < 20
    assert "cannot be reached" in text(told.message)
    assert told.usage.calls == 0


@BOTH
async def test_request_is_repeated_if_the_server_restarts_mid_stream(
    api: Api,
) -> None:
    calls: list[ModelCall] = []
    first = LlmServer([Answer(GOOD, piece=10, hang_after=12)]).start()
    fixer = LlmFixer(settings(first, api=api, connection_retries=6))
    asking = asyncio.ensure_future(fixer.propose(fix_request(), lambda text: None, calls.append))
    assert await asyncio.to_thread(first.answering.wait, 10)
    await asyncio.to_thread(first.stop)
    await asyncio.sleep(1)
    with LlmServer([Answer(GOOD)], port=first.port) as second:
        made = await asking
        assert second.requests[0].body == first.requests[0].body
    assert isinstance(made, Proposal)
    assert calls[0].ending is CallEnding.BROKEN
    assert 0 < len(calls[0].reply) < len(GOOD)
    assert GOOD.startswith(calls[0].reply)
    assert calls[0].usage.estimated
    assert CallEnding.FAILED in {call.ending for call in calls[1:-1]}
    assert calls[-1].ending is CallEnding.ANSWERED
    assert made.usage.calls == 2


@BOTH
async def test_a_provider_that_fails_in_mid_stream_is_asked_again(api: Api) -> None:
    broken = Answer(GOOD, fail_after=2, error_code="server_error", error_message="overloaded")
    with LlmServer([broken, Answer(GOOD)]) as server:
        assert (await proposal(server, api=api)).usage.calls == 2


@BOTH
async def test_a_prompt_that_is_too_long_is_cut_and_asked_again_once(api: Api) -> None:
    request = fix_request(book=big_notebook())
    with LlmServer([LONG, Answer(GOOD), Answer(GOOD)]) as server:
        fixer = LlmFixer(settings(server, api=api))
        for _ in range(2):
            assert isinstance(await fixer.propose(request, lambda text: None), Proposal)
        lengths = [len(sent.prompt) for sent in server.requests]
    # 8192 of 16384 tokens, and a quarter of that for the reply
    assert lengths[1] < 0.45 * lengths[0]
    assert lengths[2] == pytest.approx(lengths[1], abs=10)
    assert "characters not shown" in server.requests[1].prompt
    assert "sklearn.cross_validation" in server.requests[1].prompt


async def test_a_prompt_that_is_still_too_long_ends_in_a_sentence() -> None:
    request = fix_request(book=big_notebook())
    with LlmServer([LONG, LONG]) as server:
        fixer = LlmFixer(settings(server))
        with refused(FixerFailed, "too long for"):
            await fixer.propose(request, lambda text: None)
        assert len(server.requests) == 2


async def answered_by(answers: Sequence[Answer], **more: Any) -> list[ModelCall]:
    """The calls of a fix that fails."""
    calls: list[ModelCall] = []
    with LlmServer(answers) as server:
        fixer = LlmFixer(settings(server, max_retries=0, **more))
        with refused(FixerFailed, "LLM failed"):
            await fixer.propose(fix_request(), lambda text: None, calls.append)
    return calls


async def test_a_request_that_is_refused_costs_nothing() -> None:
    for status in (400, 401, 403, 404, 429, 500):
        (call,) = await answered_by([Answer(status=status)])
        assert call.ending is CallEnding.FAILED
        assert call.remark
        assert (call.usage.calls, call.usage.asked) == (0, 1)


async def test_a_broken_answer_is_estimated_by_what_went_and_what_came() -> None:
    (call,) = await answered_by([Answer("- words " * 100, piece=40, cut_after=10)])
    assert call.ending is CallEnding.BROKEN
    assert call.reply == "- words " * 50
    assert call.usage.estimated
    assert call.usage.output_tokens == 100
    sent = sum(len(message.text) for message in call.messages)
    assert call.usage.input_tokens == pytest.approx(sent / 4, abs=1)
    assert call.usage.cost_usd


@BOTH
async def test_cancelling_ends_at_once_and_tells_what_was_spent(api: Api) -> None:
    calls: list[ModelCall] = []
    with LlmServer([Answer(GOOD * 3, piece=40, hang_after=2)]) as server:
        fixer = LlmFixer(settings(server, api=api))
        asking = asyncio.ensure_future(
            fixer.propose(fix_request(), lambda text: None, calls.append)
        )
        assert await asyncio.to_thread(server.answering.wait, 10)
        await asyncio.sleep(0.3)
        began = time.monotonic()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert time.monotonic() - began < 10
        assert await asyncio.to_thread(server.left.wait, 10)
    (call,) = calls
    assert call.ending is CallEnding.CANCELLED
    assert call.usage.estimated
    sent = sum(len(message.text) for message in call.messages)
    assert call.usage.input_tokens == pytest.approx(sent / 4, abs=1)
    assert call.usage.output_tokens > 0
