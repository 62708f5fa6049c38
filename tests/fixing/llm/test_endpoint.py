"""The endpoint and its troubles: time-outs, refusals, malformed answers."""

from __future__ import annotations

from typing import Any

import pytest

from mle_modernizer_server.fixing.fixer import NoFix
from mle_modernizer_server.fixing.llm.fixer import LlmFixer
from mle_modernizer_server.words import text
from tests.fixing.llm.asking import failure, proposal, propose
from tests.fixing.llm.material import GOOD, KEY, fix_request, notebook, settings
from tests.llm_server import Answer, LlmServer

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(status=429, error_message="slow down"), "rate limit"),
        (Answer(status=429, error_code="insufficient_quota"), "no credit"),
        (Answer(status=500), "server error"),
        (Answer(status=404, error_code="model_not_found"), "does not know the model 'gpt-5.2'"),
        (Answer(status=403), "may not use the model"),
        (Answer(status=400, raw="[" * 100_000), "refused the request (HTTP 400)"),
        (
            Answer(status=400, error_message="maximum context length is 8192 tokens"),
            "scope: cell",
        ),
        (Answer(status=400, error_message=f"odd key {KEY}"), "refused the request (HTTP 400)"),
    ],
)
async def test_the_endpoints_troubles_are_told_in_a_sentence(answer: Answer, words: str) -> None:
    with LlmServer([answer]) as server:
        assert words in text((await failure(server)).message)


async def test_a_refused_key_is_never_printed() -> None:
    with LlmServer([Answer(GOOD)], api_key="sk-another-key") as server:
        error = await failure(server)
    assert "refused the API key" in text(error.message)


async def test_a_missing_key_is_asked_for_and_none_is_sent() -> None:
    with LlmServer([Answer(GOOD)], api_key="sk-another-key") as server:
        error = await failure(server, api_key=None)
        assert "authorization" not in server.requests[0].headers
    assert "wants an API key" in text(error.message)


async def test_who_pays_at_openai_is_not_told_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    with LlmServer([Answer(GOOD)], api_key=KEY) as server:
        await proposal(server)
        assert "secret" not in str(server.requests[0].headers)


async def test_only_python_notebooks_are_asked_about() -> None:
    request = fix_request(book=notebook().model_copy(update={"language": "r"}))
    with LlmServer([Answer(GOOD)]) as server:
        assert isinstance(await propose(server, request), NoFix)
        assert server.requests == []


async def test_an_endpoint_without_keys_works() -> None:
    with LlmServer([Answer(GOOD)]) as server:
        assert (await proposal(server, api_key=None)).edits


async def test_rate_limits_are_waited_for() -> None:
    limited = Answer(status=429, headers={"Retry-After": "0.01"})
    with LlmServer([limited, Answer(status=500), Answer(GOOD)]) as server:
        answer = await proposal(server, connection_retries=2)
        assert len(server.requests) == 3
    assert answer.edits


async def test_silence_ends_in_a_time_out() -> None:
    with LlmServer([Answer(GOOD, delay=30)]) as server:
        error = await failure(server, timeout=0.2)
    assert "did not answer within 0.2 s" in text(error.message)


async def test_an_endpoint_that_is_not_there_is_named() -> None:
    with LlmServer() as server:
        pass
    assert "127.0.0.1 cannot be reached" in text((await failure(server)).message)


async def test_a_lost_connection_is_tried_again() -> None:
    with LlmServer([Answer(GOOD, cut_after=2), Answer(GOOD)]) as server:
        answer = await proposal(server)
    assert answer.usage.calls == 2
    assert answer.usage.estimated


async def test_silence_in_mid_reply_is_tried_again() -> None:
    with LlmServer([Answer(GOOD, hang_after=2), Answer(GOOD)]) as server:
        assert (await proposal(server, timeout=0.3)).usage.calls == 2


@pytest.mark.parametrize(
    ("raw", "content_type"),
    [
        ("data: {not json\n\n", "text/event-stream"),
        ('data: {"choices": 7}\n\n', "text/event-stream"),
        ('data: {"choices": [{"index": 0, "delta": {"content": 5}}]}\n\n', "text/event-stream"),
        ('data: [1, 2]\n\ndata: "x"\n\n', "text/event-stream"),
        ('data: {"choices": [{"index": 0, "finish_reason": ["a"]}]}\n\n', "text/event-stream"),
        ('data: {"choices": [], "usage": {"prompt_tokens": "x"}}\n\n', "text/event-stream"),
        (f"data: {'[' * 100_000}\n\n", "text/event-stream"),
        (f"data: {'9' * 5_000}\n\n", "text/event-stream"),
        (f'data: {{"choices": {"[" * 900}{"]" * 900}}}\n\n', "text/event-stream"),
        ("[" * 100_000, "application/json"),
        ("<html>Bad gateway</html>", "text/html"),
        ("{", "application/json"),
        ('{"choices": []}', "application/json"),
        ("[]", "application/json"),
        ("", "application/json"),
    ],
)
async def test_a_malformed_answer_is_tried_again(raw: str, content_type: str) -> None:
    garbage = Answer(raw=raw, content_type=content_type)

    def choose(request: object) -> Answer:
        return garbage if len(server.requests) < 3 else Answer(GOOD)

    with LlmServer(choose) as server:
        assert (await proposal(server)).edits


async def test_an_error_of_who_listens_is_not_the_endpoints() -> None:
    def broken(text: str) -> None:
        raise ValueError("the listener broke")

    with LlmServer([Answer(GOOD)]) as server:
        with pytest.raises(ValueError, match="the listener broke"):
            await LlmFixer(settings(server)).propose(fix_request(), broken)
        assert len(server.requests) == 1


async def test_garbage_for_ever_fails_with_a_sentence() -> None:
    with LlmServer(lambda request: Answer(raw="data: {\n\n")) as server:
        assert "no reply of a model" in text((await failure(server, max_retries=1)).message)


@pytest.mark.parametrize(
    ("refused", "more"),
    [
        ("stream_options", {}),
        ("stream", {}),
        ("temperature", {"temperature": 0.2}),
        ("max_completion_tokens", {"max_output_tokens": 4000}),
    ],
)
async def test_options_an_endpoint_refuses_are_left_out(refused: str, more: dict[str, Any]) -> None:
    with LlmServer([Answer(GOOD)], refuses=[refused]) as server:
        assert (await proposal(server, **more)).edits
        assert not server.requests[-1].body.get(refused)
        if refused == "max_completion_tokens":
            assert server.requests[-1].body["max_tokens"] == 4000


async def test_an_endpoint_that_ignores_streaming_is_understood() -> None:
    with LlmServer([Answer(GOOD), Answer(GOOD)], ignores_stream=True) as server:
        assert (await proposal(server)).edits
