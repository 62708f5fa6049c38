"""What the workflow needs of the rooms, bound together once by the server or the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.execution.sandbox import Sandbox
from mle_modernizer_server.fixing.fixer import Fixer
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.workflow.waiting import WaitingRuns

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
        explain: Looks an error up in the knowledge of breaking changes.
        waiting: The runs that stopped at a failing cell and wait for its fix.
    """

    competitions: Competitions
    sandboxes: Sequence[Sandbox]
    choose_sandbox: Callable[[str | None], Sandbox]
    fixers: Mapping[FixerName, Fixer]
    missing: Mapping[FixerName, str]
    model: str
    explain: Explain
    waiting: WaitingRuns = field(default_factory=WaitingRuns)
