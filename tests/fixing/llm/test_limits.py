"""Endpoints whose replies do not end, that ask for endless waits, or that lead elsewhere."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.model_calls import Budget, CallEnding, ModelCall
from mle_modernizer_server.fixing.llm import reply_watch
from mle_modernizer_server.fixing.llm.claim_reader import ClaimReader
from mle_modernizer_server.fixing.llm.claims import ClaimsBrief
from mle_modernizer_server.fixing.llm.fixer import LlmFixer
from mle_modernizer_server.fixing.llm.leak_reviewer import LeakReviewer
from mle_modernizer_server.fixing.llm.settings import Api
from mle_modernizer_server.words import text
from tests.fixing.llm.asking import failure, proposal
from tests.fixing.llm.material import GOOD, fix_request, notebook, settings
from tests.llm_server import Answer, LlmServer
from tests.refusals import refused

pytestmark = pytest.mark.asyncio

BOTH = pytest.mark.parametrize("api", [Api.CHAT, Api.RESPONSES])


def piece(**delta: Any) -> str:
    """An event of a streamed chat completion."""
    choice = {"index": 0, "delta": delta, "finish_reason": None}
    return f"data: {json.dumps({'choices': [choice]})}\n\n"


def event(kind: str, **more: Any) -> str:
    """An event of a streamed response."""
    return f"data: {json.dumps({'type': kind, **more})}\n\n"


async def told(endless: Answer, **more: Any) -> str:
    """Return the sentence of a failed fix; each request must have ended."""
    with LlmServer(lambda request: endless) as server:
        error = await failure(server, max_retries=0, **more)
        assert server.left.wait(5)
    return text(error.message)


@BOTH
@pytest.mark.parametrize("status", [200, 500])
async def test_comments_for_ever_are_silence(api: Api, status: int) -> None:
    pings = Answer(endless=": ping\n\n", pause=0.02, status=status)
    assert "did not answer within 0.5 s" in await told(pings, api=api, timeout=0.5)


@pytest.mark.parametrize(
    ("api", "block"),
    [
        (Api.CHAT, piece(role="assistant", content="")),
        (Api.RESPONSES, event("response.in_progress", response={})),
        (Api.RESPONSES, event("response.output_text.delta", delta="")),
    ],
)
async def test_empty_pieces_for_ever_are_silence(api: Api, block: str) -> None:
    empty = Answer(endless=block, pause=0.02)
    assert "did not answer within 0.5 s" in await told(empty, api=api, timeout=0.5)


async def test_pings_after_some_words_end_the_reply() -> None:
    begun = Answer(raw=piece(content="- half of a plan"), endless=": ping\n\n", pause=0.02)
    with LlmServer([begun, Answer(GOOD)]) as server:
        assert (await proposal(server, timeout=0.5)).usage.calls == 2


@pytest.mark.parametrize(
    ("api", "block"),
    [
        (Api.CHAT, piece(content="word ")),
        (Api.CHAT, piece(reasoning_content="hm ")),
        (Api.CHAT, piece(reasoning="hm ")),
        (Api.CHAT, piece(refusal="no ")),
        (Api.RESPONSES, event("response.reasoning_text.delta", delta="hm ")),
        (Api.RESPONSES, event("response.refusal.delta", delta="no ")),
    ],
)
async def test_words_for_ever_reach_the_time_of_a_reply(api: Api, block: str) -> None:
    words = Answer(endless=block, pause=0.02)
    began = time.monotonic()
    sentence = await told(words, api=api, timeout=0.6, reply_timeout=0.4)
    assert "did not finish its reply within" in sentence
    assert 1 <= time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("api", "block"),
    [
        (Api.CHAT, piece(content="word " * 1_000)),
        (Api.CHAT, piece(reasoning_content="hm " * 1_000)),
        (Api.CHAT, piece(refusal="no " * 1_000)),
        (Api.RESPONSES, event("response.reasoning_summary_text.delta", delta="hm " * 1_000)),
        (Api.RESPONSES, event("response.refusal.delta", delta="no " * 1_000)),
    ],
)
async def test_words_for_ever_reach_the_size_of_a_reply(
    api: Api, block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply_watch, "MAX_REPLY_CHARS", 50_000)
    assert "a reply that does not end" in await told(Answer(endless=block), api=api, timeout=60)


@BOTH
@pytest.mark.parametrize(
    "answer",
    [
        Answer(endless="data: x" + "x" * 10_000),
        Answer(endless=": ping\n\n" * 1_000),
        Answer(endless=" " * 10_000, content_type="application/json"),
        Answer(endless=" " * 10_000, content_type="application/json", status=400),
        Answer(endless="<p>" * 10_000, content_type="text/html", status=503),
    ],
    ids=["line", "comments", "body", "refusal", "error"],
)
async def test_bytes_for_ever_reach_the_size_of_a_reply(
    api: Api, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply_watch, "MOST_UNREAD_BYTES", 500_000)
    assert "a reply that does not end" in await told(answer, api=api, timeout=60)


async def test_all_bytes_of_a_stream_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply_watch, "MOST_BYTES", 500_000)
    empty = Answer(endless=piece(content="", padding="x" * 1_000))
    assert "a reply that does not end" in await told(empty, timeout=60)


async def test_compressed_reply_is_not_unpacked() -> None:
    packed = Answer(endless="packed", headers={"Content-Encoding": "gzip"}, pause=0.1)
    with LlmServer([packed]) as server:
        assert "compresses its replies" in text((await failure(server, timeout=60)).message)
        assert server.requests[0].headers["accept-encoding"] == "identity"


async def test_endless_reply_is_not_repeated_and_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply_watch, "MAX_REPLY_CHARS", 50_000)
    calls: list[ModelCall] = []
    thinking = Answer(endless=piece(reasoning_content="hm " * 1_000))
    with LlmServer(lambda request: thinking) as server:
        fixer = LlmFixer(settings(server, max_retries=3, connection_retries=3))
        with pytest.raises(FixerFailed):
            await fixer.propose(fix_request(), lambda text: None, calls.append)
    (call,) = calls
    assert call.ending is CallEnding.FAILED
    assert call.usage.estimated
    assert call.usage.output_tokens > 12_000


@BOTH
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirect_is_refused_and_nothing_is_sent_there(api: Api, status: int) -> None:
    with LlmServer(lambda request: Answer(GOOD)) as other:
        there = f"http://localhost:{other.port}/v1/chat/completions?key=secret"
        moved = Answer(status=status, headers={"Location": there})
        with LlmServer([moved]) as server:
            sentence = text((await failure(server, api=api, connection_retries=3)).message)
            assert len(server.requests) == 1
        assert other.requests == []
    assert f"redirects requests to http://localhost:{other.port}/v1/chat/completions." in sentence
    assert "MLE_MODERNIZER_BASE_URL" in sentence
    assert "secret" not in sentence


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("2400", "Try again in 40 min."),
        ("18000", "Try again in 5 h."),
        ("99999999999", "Try again in some days, or use another model or key."),
        ("1e300", "Try again in some days"),
        ("Fri, 31 Dec 9999 23:59:59 GMT", "Try again in some days"),
        ("9" * 400, "Try again in some minutes."),
        ("Fri, 31 Dec 99999999999999999999 23:59:59 GMT", "Try again in some minutes."),
    ],
)
async def test_wait_that_is_asked_for_is_named_sanely(asked: str, words: str) -> None:
    with LlmServer([Answer(status=429, headers={"Retry-After": asked})]) as server:
        assert words in text((await failure(server)).message)


async def test_claims_and_leaks_are_read_within_the_same_limits() -> None:
    pings = Answer(endless=": ping\n\n", pause=0.02)
    with LlmServer(lambda request: pings) as server:
        patience = settings(server, timeout=0.3)
        brief = ClaimsBrief("We reach an accuracy of 0.9.")
        with refused(FixerFailed, "did not answer"):
            await ClaimReader(patience).read(brief, Budget(), lambda text: None)
        with refused(FixerFailed, "did not answer"):
            await LeakReviewer(patience).review(notebook(), (), lambda call: None)
