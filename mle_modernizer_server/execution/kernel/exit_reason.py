"""How a kernel died, as far as its sandbox can tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mle_modernizer_server.domain.execution import Ending


@dataclass(frozen=True)
class Death:
    """The end of a kernel nobody asked to end.

    Attributes:
        code: Its exit code, negative for a signal; None where it is not known.
        ending: What kind of end it is.
        message: A sentence where the sandbox knows more than the code.
    """

    code: int | None
    ending: Ending = Ending.KERNEL_DIED
    message: str = ""


@runtime_checkable
class TellsWhy(Protocol):
    """A kernel provisioner that knows what ended its kernel."""

    def why(self, code: int) -> Death:
        """What it was, for the exit code the kernel ended with."""

    def last_words(self) -> str:
        """What the kernel printed last, past its channels."""
