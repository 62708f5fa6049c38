"""What is known to break in a notebook before it has run."""

from __future__ import annotations

from enum import Enum

from pydantic import computed_field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.environments import EnvironmentChoice
from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.files import FileFinding
from mle_modernizer_server.domain.message import Messages


class Impact(str, Enum):
    """What a change of a library does to a notebook."""

    STOPS = "stops"
    """An exception: the cell fails."""
    RESULT = "result"
    """No exception, but another result."""
    DEFAULT = "default"
    """No exception: a default that the notebook leaves to the library is another one now."""
    DISPLAY = "display"
    """Pictures, prints or speed; no score depends on it."""


class Foreseen(Value):
    """One change of a library that concerns one cell."""

    cell_id: str
    rule: str
    """Id of the entry in the knowledge of breaking changes."""
    library: str
    since: str
    """Version of the library that brought the change."""
    impact: Impact
    certain: bool
    """False: it depends on the data, or on the version the notebook was written for."""
    likely: bool
    """Certain, or the old form itself stands there; False: only a name was seen that it has to do
    with, which in most notebooks comes to nothing."""
    fixable: bool
    """Whether there is an automatic fix for it."""
    proposed: bool
    """Whether that fix is part of the patch that can be proposed before the first run."""
    what: str
    replacement: str
    link: str


class PreflightNote(Value):
    """Something about a cell that is worth knowing and is no known change."""

    cell_id: str | None = None
    text: Messages


class Preflight(Value):
    """What will break and why, cell by cell; nothing has run."""

    era: Era
    headline: Messages
    """When and for what the notebook was written, and what it meets; empty where unknown."""
    environment: Environment
    """What is installed where the notebook would run."""
    sandbox: str
    choice: EnvironmentChoice | None = None
    """Which Python and packages it would run with, and why; None where the sandbox has its own."""
    items: tuple[Foreseen, ...]
    """In notebook order."""
    notes: tuple[PreflightNote, ...] = ()
    files: tuple[FileFinding, ...] = ()
    """Paths that a run will not find."""
    complete: bool = True
    """False: the notebook, or some of its cells, were not examined; a note says why."""

    def _count(self, *impacts: Impact) -> int:
        return len(
            {
                (item.rule, item.cell_id)
                for item in self.items
                if item.certain and item.impact in impacts
            }
        )

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def stops(self) -> int:
        """How many things will certainly fail."""
        return self._count(Impact.STOPS)

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def silent(self) -> int:
        """How many things will certainly change results without an error."""
        return self._count(Impact.RESULT, Impact.DEFAULT)

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def possible(self) -> int:
        """How many things may fail or change results."""
        return sum(not item.certain for item in self.items)

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def likely(self) -> int:
        """How many of those are likely to."""
        return sum(item.likely and not item.certain for item in self.items)
