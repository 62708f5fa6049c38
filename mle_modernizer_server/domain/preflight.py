"""Expected breakages of a notebook before its first run."""

from __future__ import annotations

from enum import Enum

from pydantic import computed_field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.environments import EnvironmentChoice
from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.files import FileFinding
from mle_modernizer_server.domain.message import Messages, coded


class Impact(str, Enum):
    """Effect of a library change on a notebook."""

    STOPS = "stops"
    """An exception: the cell fails."""
    RESULT = "result"
    """No exception, but another result."""
    DEFAULT = "default"
    """No exception: a default that the notebook does not set has another value now."""
    DISPLAY = "display"
    """Pictures, prints or speed; no score depends on it."""


class Foreseen(Value):
    """A library change that affects a cell."""

    cell_id: str
    rule: str
    """Id of the entry in the knowledge of breaking changes."""
    library: str
    since: str
    """Version of the library that introduced the change."""
    impact: Impact
    certain: bool
    """False: it depends on the data, or on the version the notebook was written for."""
    likely: bool
    """Certain, or the code contains the old form itself; False: only a related name was found,
    which is harmless in most notebooks."""
    fixable: bool
    """Whether there is an automatic fix for it."""
    proposed: bool
    """Whether that fix is part of the patch proposed before the first run."""
    what: str
    replacement: str
    link: str


class PreflightNote(Value):
    """A useful note on a cell that is not about a known change."""

    cell_id: str | None = None
    text: Messages


class Preflight(Value):
    """Predicted breakages with their reasons, cell by cell; nothing has run."""

    era: Era
    headline: Messages
    """Era and libraries of the notebook, and the ones installed now; empty if unknown."""
    environment: Environment
    """Installed packages in the environment of a run."""
    sandbox: str
    choice: EnvironmentChoice | None = None
    """Python and packages it would run with, and the reason; None if the sandbox has its own."""
    items: tuple[Foreseen, ...]
    """In notebook order."""
    notes: tuple[PreflightNote, ...] = ()
    files: tuple[FileFinding, ...] = ()
    """Paths that a run will not find."""
    complete: bool = True
    """False: the notebook, or some of its cells, were not examined; a note has the reason."""

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
        """Number of changes that will certainly fail."""
        return self._count(Impact.STOPS)

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def outlook(self) -> Messages:
        """Numbers of cells, changes and files that are certainly affected."""
        failing = {
            item.cell_id for item in self.items if item.certain and item.impact is Impact.STOPS
        }
        lost = {file.path for file in self.files if not file.written}
        counts = (
            ("preflight.cells-fail", len(failing)),
            ("preflight.results-change", self.silent),
            ("preflight.files-lost", len(lost)),
        )
        affected: Messages = ()
        for code, count in counts:
            affected += coded(code, count=count) if count else ()
        nothing = "preflight.nothing-certain" if self.complete else "preflight.nothing-examined"
        return affected or coded(nothing)

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def silent(self) -> int:
        """Number of changes that certainly alter results without an error."""
        return self._count(Impact.RESULT, Impact.DEFAULT)

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def possible(self) -> int:
        """Number of changes that may fail or alter results."""
        return sum(not item.certain for item in self.items)

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def likely(self) -> int:
        """Number of possible changes that are likely."""
        return sum(item.likely and not item.certain for item in self.items)
