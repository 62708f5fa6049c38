"""Chat completions and the Responses API, at OpenAI-compatible endpoints and at Azure's."""

from __future__ import annotations

from typing import Any

import pytest

from mle_modernizer_server.domain.model_calls import CallEnding, ModelCall
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.fixing.llm.fixer import LlmFixer
from mle_modernizer_server.fixing.llm.settings import Api, LlmSettings
from mle_modernizer_server.words import text
from tests.fixing.llm.asking import failure, proposal
from tests.fixing.llm.material import GOOD, KEY, fix_request, settings
from tests.llm_server import Answer, LlmServer

pytestmark = pytest.mark.asyncio

BOTH = pytest.mark.parametrize("api", [Api.CHAT, Api.RESPONSES])


@BOTH
async def test_both_give_the_same_proposal_and_the_same_count(api: Api) -> None:
    answer = Answer(GOOD, cached_tokens=100, reasoning_tokens=64)
    with LlmServer([answer], api_key=KEY) as server:
        made = await proposal(server, api=api)
        sent = server.requests[0]
    assert [edit.cell_id for edit in made.edits] == ["c0"]
    assert made.usage.model_dump(exclude={"cost_usd", "prices_as_of", "unpriced_calls"}) == {
        "calls": 1,
        "failed": 0,
        "input_tokens": len(sent.prompt) // 4,
        "cached_input_tokens": 100,
        "output_tokens": len(GOOD) // 4 + 64,
        "reasoning_tokens": 64,
        "estimated": False,
    }
    assert [message["role"] for message in sent.messages] == ["system", "user"]
    assert sent.streams


@BOTH
async def test_the_plan_comes_as_it_is_written(api: Api) -> None:
    seen: list[str] = []
    with LlmServer([Answer(GOOD, piece=5)]) as server:
        await LlmFixer(settings(server, api=api)).propose(fix_request(), seen.append)
    assert len(seen) > 3
    assert seen[-1] == "- c0: train_test_split moved to sklearn.model_selection"


@BOTH
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (Answer(GOOD, finish_reason="length"), "cut off"),
        (Answer(refusal="I will not."), "declined to answer"),
        (Answer(""), "empty"),
    ],
)
async def test_what_is_no_whole_answer_goes_back_with_its_reason(
    api: Api, bad: Answer, reason: str
) -> None:
    with LlmServer([bad, Answer(GOOD)]) as server:
        assert (await proposal(server, api=api)).usage.calls == 2
        assert reason in server.requests[1].last
        assert [message["role"] for message in server.requests[1].messages][2:] == [
            "assistant",
            "user",
        ]


@BOTH
async def test_an_endpoint_that_ignores_streaming_is_asked_once(api: Api) -> None:
    with LlmServer([Answer(GOOD)], ignores_stream=True) as server:
        made = await proposal(server, api=api)
        assert len(server.requests) == 1
    assert made.usage.calls == 1
    assert not made.usage.estimated


@BOTH
@pytest.mark.parametrize("content_type", ["application/json", "text/event-stream"])
@pytest.mark.parametrize(
    "raw",
    [
        "",
        "[]",
        "{",
        '{"output": 7}',
        '{"output": [{"type": "message", "content": 5}]}',
        'data: {"type": "response.output_text.delta", "delta": 5}\n\n',
        'data: {"type": "response.completed", "response": null}\n\n',
        'data: {"type": "response.completed"}\n\n',
        "data: [1]\n\n",
    ],
)
async def test_garbage_is_tried_again(api: Api, content_type: str, raw: str) -> None:
    garbage = Answer(raw=raw, content_type=content_type)

    def choose(request: object) -> Answer:
        return garbage if len(server.requests) < 3 else Answer(GOOD)

    with LlmServer(choose) as server:
        assert (await proposal(server, api=api)).edits


async def test_nothing_is_stored_at_the_provider() -> None:
    with LlmServer([Answer(GOOD), Answer(GOOD)], refuses=["max_output_tokens"]) as server:
        await proposal(server, api=Api.RESPONSES, max_output_tokens=4000)
        first, second = server.requests
    assert first.path == second.path == "/v1/responses"
    assert first.body["store"] is second.body["store"] is False
    assert first.body["max_output_tokens"] == 4000
    assert "max_output_tokens" not in second.body


async def test_chat_is_used_and_remembered_without_a_responses_api() -> None:
    with LlmServer([Answer(GOOD)] * 2, lacks=["responses"]) as server:
        fixer = LlmFixer(settings(server, api=Api.RESPONSES))
        for _ in range(2):
            assert isinstance(await fixer.propose(fix_request(), lambda text: None), Proposal)
        paths = [request.path for request in server.requests]
    assert paths == ["/v1/responses", "/v1/chat/completions", "/v1/chat/completions"]


async def test_what_an_endpoint_refuses_is_remembered() -> None:
    with LlmServer([Answer(GOOD)] * 2, refuses=["stream_options"]) as server:
        fixer = LlmFixer(settings(server))
        for _ in range(2):
            await fixer.propose(fix_request(), lambda text: None)
        assert len(server.requests) == 3


async def test_an_option_that_is_refused_for_ever_ends_in_a_sentence() -> None:
    refused = Answer(status=400, error_message="'stream' and 'temperature' are not supported")
    with LlmServer(lambda request: refused) as server:
        told = await failure(server, temperature=0.5)
        assert len(server.requests) == 3
    assert "refused the request (HTTP 400)" in text(told.message)


@pytest.mark.parametrize(
    ("environ", "api"),
    [
        ({}, Api.RESPONSES),
        ({"OPENAI_BASE_URL": "https://other/v1"}, Api.CHAT),
        ({"OPENAI_BASE_URL": "https://other/v1", "MLE_MODERNIZER_API": "responses"}, Api.RESPONSES),
        ({"MLE_MODERNIZER_API": "chat"}, Api.CHAT),
    ],
)
async def test_openai_is_spoken_to_by_responses_and_others_by_chat(
    environ: dict[str, str], api: Api
) -> None:
    assert LlmSettings.from_environment(model="m", environ=environ).api_used is api


@BOTH
async def test_azure_deployments_get_key_and_version(api: Api) -> None:
    with LlmServer([Answer(GOOD)], api_key=KEY) as server:
        await proposal(
            server, api=api, base_url=server.root, api_version="2025-04-01-preview", model="my-gpt"
        )
        (sent,) = server.requests
    where = "/deployments/my-gpt/chat/completions" if api is Api.CHAT else "/responses"
    assert sent.path == f"/openai{where}?api-version=2025-04-01-preview"
    assert sent.headers["api-key"] == KEY
    assert "authorization" not in sent.headers


async def test_a_deployment_that_is_not_there_is_named() -> None:
    with LlmServer([Answer(status=404, error_code="DeploymentNotFound")]) as server:
        more: dict[str, Any] = {"base_url": server.root, "api_version": "2024-10-21"}
        told = await failure(server, **more)
    assert "no deployment 'gpt-5.2'" in text(told.message)
    assert "OPENAI_API_VERSION" in text(told.message)


@BOTH
async def test_each_call_is_made_known_as_it_went_out(api: Api) -> None:
    calls: list[ModelCall] = []
    with LlmServer([Answer("nonsense"), Answer(GOOD)]) as server:
        fixer = LlmFixer(settings(server, api=api))
        made = await fixer.propose(fix_request(), lambda text: None, calls.append)
        for call, request in zip(calls, server.requests, strict=True):
            went_out = [(one["role"], one["content"]) for one in request.messages]
            assert [(one.role, one.text) for one in call.messages] == went_out
    assert isinstance(made, Proposal)
    assert [call.reply for call in calls] == ["nonsense", GOOD]
    assert {(call.api, call.ending, call.host) for call in calls} == {
        (api.value, CallEnding.ANSWERED, "127.0.0.1")
    }
    assert calls[0].usage + calls[1].usage == made.usage
    assert KEY not in "".join(call.model_dump_json() for call in calls)
