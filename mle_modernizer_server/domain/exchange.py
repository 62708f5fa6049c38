"""What goes to a model and what comes back, for the person's own eyes."""

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
    """How a call of a model ended."""

    ANSWERED = "answered"
    BROKEN = "broken"
    """What came is no answer, or broke off in the middle; it was not used."""
    FAILED = "failed"
    """The endpoint refused, stayed silent or could not be reached."""
    CANCELLED = "cancelled"


class ModelCall(Value):
    """One request to a model as it went out, and what came of it."""

    started_at: datetime
    seconds: float
    host: str
    model: str
    api: Literal["chat", "responses"]
    messages: tuple[ChatMessage, ...]
    """All that was sent, secrets masked."""
    reply: str = ""
    """What came, as far as it came."""
    ending: CallEnding
    remark: str = ""
    """Why it did not end with an answer, in a sentence."""
    usage: Usage = Usage()
    """What it cost; estimated where it was broken off."""


class Exchange(Value):
    """All calls of a model that one proposal took, repeated ones included."""

    id: str
    """The proposal's; where none came of it, one of its own."""
    calls: tuple[ModelCall, ...]


class ExchangeSummary(Value):
    """An exchange in a list."""

    id: str
    started_at: datetime
    calls: int
    proposal: bool
    """Whether a proposal came of it; its id is the exchange's."""


class ExchangeList(Value):
    """Answer of `GET /sessions/{id}/exchanges`, oldest first."""

    exchanges: tuple[ExchangeSummary, ...]


class PromptPreview(Value):
    """What a model would be sent for a fix; nothing has been sent."""

    configured: bool
    """Whether a model is configured that it could be sent to."""
    host: str
    model: str
    """Empty where none is configured."""
    fix_type: FixType
    scope: FixScope
    """The scope really used: the cell scope needs a cell to look at."""
    messages: tuple[ChatMessage, ...]
    characters: int
    tokens: int
    """About: four characters a token."""
    masked: int
    """Secrets that were replaced by placeholders."""
    left_out: tuple[str, ...]
    """What was shortened or left out because it is too long, a sentence each."""
