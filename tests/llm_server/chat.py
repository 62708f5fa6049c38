"""Answers in the form of chat completions."""

from __future__ import annotations

from typing import Any

from tests.llm_server.answers import Answer, Request


def whole(request: Request, answer: Answer, text: str) -> dict[str, Any]:
    """An answer in one piece."""
    message = {"role": "assistant", "content": text, "refusal": answer.refusal}
    choice = {"index": 0, "message": message, "finish_reason": answer.finish_reason}
    completion = {**_head(request, "chat.completion"), "choices": [choice]}
    if answer.usage:
        completion["usage"] = _usage(request, answer, text)
    return completion


def pieces(request: Request, answer: Answer, text: str) -> list[dict[str, Any]]:
    """The events of a stream that hold text."""
    head = _head(request, "chat.completion.chunk")
    cuts = range(0, len(text), answer.piece)
    deltas: list[dict[str, Any]] = [{"content": text[at : at + answer.piece]} for at in cuts]
    if answer.refusal:
        deltas.append({"refusal": answer.refusal})
    return [
        {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        for delta in deltas
    ]


def end(request: Request, answer: Answer, text: str) -> list[dict[str, Any]]:
    """The events that end a stream."""
    head = _head(request, "chat.completion.chunk")
    last = {"index": 0, "delta": {}, "finish_reason": answer.finish_reason}
    events = [{**head, "choices": [last]}]
    options = request.body.get("stream_options") or {}
    if answer.usage and options.get("include_usage"):
        events.append({**head, "choices": [], "usage": _usage(request, answer, text)})
    return events


def _head(request: Request, kind: str) -> dict[str, Any]:
    model = request.body.get("model", "stand-in")
    return {"id": "chatcmpl-1", "object": kind, "created": 0, "model": model}


def _usage(request: Request, answer: Answer, text: str) -> dict[str, Any]:
    sent, written = len(request.prompt) // 4, len(text) // 4 + answer.reasoning_tokens
    return {
        "prompt_tokens": sent,
        "completion_tokens": written,
        "total_tokens": sent + written,
        "prompt_tokens_details": {"cached_tokens": answer.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": answer.reasoning_tokens},
    }
