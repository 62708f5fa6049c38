"""What a person is told, as a code and what it speaks of: the words are found at the edge.

Rooms pass messages on and put them together; nobody but `words` (and the panel's `src/words`)
knows what they are called in a language.
"""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import Annotated, Any, Union

from pydantic import BeforeValidator, Field, model_validator

from mle_modernizer_server.domain.base import Value

TEXT = "text"
"""The code of a text that others wrote (a library, a model, an older log), shown as it is."""


class Message(Value):
    """One thing to tell, usually a sentence."""

    code: str
    """Stable name; `words` has its text, with the parameters in their places."""
    parameters: dict[str, Parameter] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _of_sentence(cls, value: Any) -> Any:
        """Logs from before messages had codes hold sentences."""
        return {"code": TEXT, "parameters": {TEXT: value}} if isinstance(value, str) else value

    def __hash__(self) -> int:
        return hash((self.code, tuple(sorted(self.parameters))))

    def __str__(self) -> str:
        """For logs: the code with its parameters; no words for a person."""
        if self.code == TEXT:
            return str(self.parameters.get(TEXT, ""))
        facts = ", ".join(f"{name}: {value}" for name, value in self.parameters.items())
        return f"{self.code} ({facts})" if facts else self.code


def _of_sentence(value: Any) -> Any:
    if isinstance(value, str):
        return verbatim(value)
    return value


Messages = Annotated[tuple[Message, ...], BeforeValidator(_of_sentence)]
"""Any number of messages, to be read one after the other; `()` says nothing."""
Parameter = Union[int, float, str, tuple[Message, ...]]  # noqa: UP007 # evaluated with `Message`
"""A figure, a name, or messages that are a part of the sentence."""


def coded(code: str, /, **parameters: Parameter | PurePath) -> tuple[Message, ...]:
    """One message.

    Args:
        code: Its code, which `words` knows.
        parameters: What it speaks of, by the names in its text.
    """
    told = {name: _as_json(value) for name, value in parameters.items()}
    return (Message(code=code, parameters=told),)


def _as_json(value: Parameter | PurePath) -> Parameter:
    """JSON has no paths, and neither infinity nor nan."""
    if isinstance(value, PurePath) or (isinstance(value, float) and not math.isfinite(value)):
        return str(value)
    return value


def verbatim(text: str) -> tuple[Message, ...]:
    """A text that others wrote, as it is; nothing where it is empty."""
    return coded(TEXT, text=text) if text else ()


Message.model_rebuild()
