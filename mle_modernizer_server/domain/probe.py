"""What a suspicious call gives with the libraries of its time and with today's."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.message import Messages


class Told(str, Enum):
    """What an experiment says of a silent change."""

    EXPLAINS = "explains"
    """A value is another one today, and the fix brings the old one back."""
    NO_DIFFERENCE = "no-difference"
    """On these data the change alters nothing that was compared."""
    UNTOLD = "untold"
    """The experiment could not tell; `why` says what stood in its way."""


class CellFacts(Value):
    """What came of one cell in one Python."""

    cell: str
    error: str = ""
    """The exception that ended it."""
    missing: tuple[str, ...] = ()
    """Imports that failed and were passed over."""
    facts: tuple[tuple[str, str], ...] = ()
    """What can be compared, by name, where the cell is one of those concerned."""


class Observed(Value):
    """What came of a notebook's cells in one Python."""

    environment: Environment
    """Its version and those of the libraries that were asked for."""
    cells: tuple[CellFacts, ...]
    """Those that ended, in order."""
    ended: str = ""
    """Why the others did not; empty where all did."""

    def cell(self, cell_id: str) -> CellFacts | None:
        """What came of a cell; None where it did not end."""
        return next((cell for cell in self.cells if cell.cell == cell_id), None)


class Contrast(Value):
    """One value in the three runs."""

    name: str
    then: str
    """With the old libraries, the notebook as it was."""
    now: str
    """With today's, all other known fixes applied."""
    fixed: str | None
    """With today's, this change's fix applied too; None where there is none to apply, or where
    that run has no such value."""
    explained: bool
    """It is another one today, and the fix brings the old one back."""


class Probed(Value):
    """The experiment on one silent change in one cell."""

    cell_id: str
    rule: str
    library: str
    since: str
    what: str
    link: str
    verdict: Told
    why: str = ""
    """For `UNTOLD`, and where more should be known."""
    contrasts: tuple[Contrast, ...] = ()
    """Values that differ, those that the change explains first."""
    unlisted: int = 0
    """How many more differ."""
    compared: int = 0
    """How many values were compared."""
    incomparable: int = 0
    """How many could not be: they exist with the old libraries only, or with today's only."""


class Probe(Value):
    """A notebook's silent changes, tried with the libraries of its time and with today's."""

    then: Environment
    now: Environment
    rows: int
    items: tuple[Probed, ...]
    """In notebook order."""
    notes: Messages = ()
    """What else should be known of the experiment."""
