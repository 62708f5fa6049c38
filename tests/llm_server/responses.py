"""Answers in the form of the Responses API.

https://platform.openai.com/docs/api-reference/responses-streaming
"""

from __future__ import annotations

from typing import Any

from tests.llm_server.answers import Answer, Request


def whole(request: Request, answer: Answer, text: str) -> dict[str, Any]:
    """An answer in one piece."""
    parts: list[dict[str, Any]] = [{"type": "output_text", "text": text, "annotations": []}]
    if answer.refusal:
        parts = [{"type": "refusal", "refusal": answer.refusal}]
    complete = answer.finish_reason == "stop"
    message = {"id": "msg-1", "type": "message", "role": "assistant", "content": parts}
    reasoning = {"id": "rs-1", "type": "reasoning", "summary": []}
    return {
        **_head(request),
        "status": "completed" if complete else "incomplete",
        "incomplete_details": None if complete else {"reason": "max_output_tokens"},
        "output": [reasoning, message],
        "usage": _usage(request, answer, text) if answer.usage else None,
    }


def pieces(request: Request, answer: Answer, text: str) -> list[dict[str, Any]]:
    """The events of a stream that hold text, behind those that announce it."""
    began = {"type": "response.created", "response": {**_head(request), "status": "in_progress"}}
    cuts = range(0, len(text), answer.piece)
    place = {"item_id": "msg-1", "output_index": 1, "content_index": 0}
    deltas = [
        {"type": "response.output_text.delta", **place, "delta": text[at : at + answer.piece]}
        for at in cuts
    ]
    if answer.refusal:
        deltas.append({"type": "response.refusal.delta", **place, "delta": answer.refusal})
    return [began, *deltas]


def end(request: Request, answer: Answer, text: str) -> list[dict[str, Any]]:
    """The event that ends a stream."""
    response = whole(request, answer, text)
    return [{"type": f"response.{response['status']}", "response": response}]


def _head(request: Request) -> dict[str, Any]:
    model = request.body.get("model", "stand-in")
    return {"id": "resp-1", "object": "response", "created_at": 0, "model": model, "error": None}


def _usage(request: Request, answer: Answer, text: str) -> dict[str, Any]:
    sent, written = len(request.prompt) // 4, len(text) // 4 + answer.reasoning_tokens
    return {
        "input_tokens": sent,
        "input_tokens_details": {"cached_tokens": answer.cached_tokens},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": answer.reasoning_tokens},
        "total_tokens": sent + written,
    }
