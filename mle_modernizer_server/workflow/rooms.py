"""What the workflow needs of the rooms, bound together once by the server or the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.execution.sandbox import Sandbox
from mle_modernizer_server.fixing.fixer import Fixer
from mle_modernizer_server.grading.competitions import Competitions

Explain = Callable[[CellError, Environment], tuple[str, str] | None]
"""What is known of an error: a sentence and a link, or None."""


@dataclass(frozen=True)
class Rooms:
    """The rooms of the house as this process has them.

    Attributes:
        competitions: The competitions under the data root.
        sandboxes: All sandboxes, usable here or not.
        choose_sandbox: Sandbox by name; None chooses the best isolated one. Raises
            SandboxUnavailable.
        fixers: The fixers that are configured.
        missing: Why a fixer is not among them, a sentence each.
        model: Name of the language model, empty where none is configured.
        price_known: Whether it is known what that model costs.
        explain: Looks an error up in the knowledge of breaking changes.
    """

    competitions: Competitions
    sandboxes: Sequence[Sandbox]
    choose_sandbox: Callable[[str | None], Sandbox]
    fixers: Mapping[FixerName, Fixer]
    missing: Mapping[FixerName, str]
    model: str
    explain: Explain
    price_known: bool = True
