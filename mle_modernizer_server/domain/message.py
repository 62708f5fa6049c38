"""A user-facing message: a code and its parameters. `words` renders it.

Rooms pass messages on and combine them; only `words` (and the panel's `src/words`) contains the
texts of a language.
"""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import Annotated, Any, Union

from pydantic import BeforeValidator, Field, model_validator

from mle_modernizer_server.domain.base import Value

TEXT = "text"
"""Code of a text from outside (a library, a model, an older log), displayed verbatim."""


class Message(Value):
    """One message, usually a sentence."""

    code: str
    """Stable name; `words` has its text, with placeholders for the parameters."""
    parameters: dict[str, Parameter] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _of_sentence(cls, value: Any) -> Any:
        """Convert the plain sentences of logs from before messages had codes."""
        return {"code": TEXT, "parameters": {TEXT: value}} if isinstance(value, str) else value

    def __hash__(self) -> int:
        return hash((self.code, tuple(sorted(self.parameters))))

    def __str__(self) -> str:
        """Return the code with its parameters, for logs; not for users."""
        if self.code == TEXT:
            return str(self.parameters.get(TEXT, ""))
        facts = ", ".join(f"{name}: {value}" for name, value in self.parameters.items())
        return f"{self.code} ({facts})" if facts else self.code


def _of_sentence(value: Any) -> Any:
    if isinstance(value, str):
        return verbatim(value)
    return value


Messages = Annotated[tuple[Message, ...], BeforeValidator(_of_sentence)]
"""Any number of messages, to read one after the other; `()` is no message."""
Parameter = Union[int, float, str, tuple[Message, ...]]  # noqa: UP007 # evaluated with `Message`
"""A number, a name, or messages that are a part of the sentence."""


def coded(code: str, /, **parameters: Parameter | PurePath) -> tuple[Message, ...]:
    """Return one message.

    Args:
        code: Code of a text in `words`.
        parameters: Values for the placeholders in its text, by name.
    """
    told = {name: _as_json(value) for name, value in parameters.items()}
    return (Message(code=code, parameters=told),)


def _as_json(value: Parameter | PurePath) -> Parameter:
    """Return a value that JSON can represent: it has no paths, infinity or NaN."""
    if isinstance(value, PurePath) or (isinstance(value, float) and not math.isfinite(value)):
        return str(value)
    return value


def verbatim(text: str) -> tuple[Message, ...]:
    """Return a text from outside as a message, verbatim; empty if the text is empty."""
    return coded(TEXT, text=text) if text else ()


Message.model_rebuild()
