"""Requests to a model and its replies, as the user can inspect them."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Literal

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.proposal import Usage


class ChatMessage(Value):
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str


class CallEnding(str, Enum):
    """How a model call ended."""

    ANSWERED = "answered"
    BROKEN = "broken"
    """The reply is no answer, or broke off; it was not used."""
    FAILED = "failed"
    """The endpoint refused, did not respond or was unreachable."""
    CANCELLED = "cancelled"


class ModelCall(Value):
    """A request to a model as sent, and its result."""

    started_at: datetime
    seconds: float
    host: str
    model: str
    api: Literal["chat", "responses"]
    messages: tuple[ChatMessage, ...]
    """All messages sent, secrets masked."""
    reply: str = ""
    """The reply, or the part of it that arrived."""
    ending: CallEnding
    remark: str = ""
    """Reason if it ended without an answer, in a sentence."""
    usage: Usage = Usage()
    """Tokens and cost; estimated if the call broke off."""


class Exchange(Value):
    """All model calls of one proposal, repeated ones included."""

    id: str
    """Id of the proposal; an id of its own if there is no proposal."""
    calls: tuple[ModelCall, ...]


class ExchangeSummary(Value):
    """An exchange in a list."""

    id: str
    started_at: datetime
    calls: int
    proposal: bool
    """Whether the exchange led to a proposal; its id is the exchange's."""


class ExchangeList(Value):
    """Answer of `GET /sessions/{id}/exchanges`, oldest first."""

    exchanges: tuple[ExchangeSummary, ...]


class PromptPreview(Value):
    """Preview of the request to a model for a fix; nothing has been sent."""

    configured: bool
    """Whether a model is configured."""
    host: str
    model: str
    """Name of the model; empty if none is configured."""
    fix_type: FixType
    scope: FixScope
    """The effective scope: the cell scope needs a failing cell."""
    messages: tuple[ChatMessage, ...]
    characters: int
    tokens: int
    """Estimated from four characters a token."""
    masked: int
    """Number of secrets replaced by placeholders."""
    left_out: tuple[str, ...]
    """Parts that were shortened or omitted because they are too long, a sentence each."""
