"""Results of a suspicious call with the original library versions and with today's."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.message import Messages


class Told(str, Enum):
    """Result of an experiment on a silent change."""

    EXPLAINS = "explains"
    """A value differs today, and the fix restores the old one."""
    NO_DIFFERENCE = "no-difference"
    """On these data the change alters no compared value."""
    UNTOLD = "untold"
    """The experiment is inconclusive; `why` is the reason."""


class CellFacts(Value):
    """Result of one cell in one Python."""

    cell: str
    error: str = ""
    """The exception that ended it."""
    missing: tuple[str, ...] = ()
    """Imports that failed and were skipped."""
    facts: tuple[tuple[str, str], ...] = ()
    """Comparable values by name, if the cell is a relevant one."""


class Observed(Value):
    """Results of a notebook's cells in one Python."""

    environment: Environment
    """Versions of Python and of the requested libraries."""
    cells: tuple[CellFacts, ...]
    """Completed cells, in order."""
    ended: str = ""
    """Reason why the others did not complete; empty if all did."""

    def cell(self, cell_id: str) -> CellFacts | None:
        """Return the result of a cell; None if it did not complete."""
        return next((cell for cell in self.cells if cell.cell == cell_id), None)


class Contrast(Value):
    """One value in the three runs."""

    name: str
    then: str
    """Value of the unchanged notebook with the old libraries."""
    now: str
    """Value with today's libraries and all other known fixes."""
    fixed: str | None
    """Value with today's libraries and this change's fix too; None if there is no fix to apply, or
    that run has no such value."""
    explained: bool
    """Whether the value differs today and the fix restores the old one."""


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
    """Reason for `UNTOLD`, or further information."""
    contrasts: tuple[Contrast, ...] = ()
    """Values that differ, those that the change explains first."""
    unlisted: int = 0
    """Number of further differing values."""
    compared: int = 0
    """Number of values compared."""
    incomparable: int = 0
    """Number of values that exist only with the old libraries, or only with today's."""


class Probe(Value):
    """Experiments on a notebook's silent changes with its original library versions and today's."""

    then: Environment
    now: Environment
    rows: int
    items: tuple[Probed, ...]
    """In notebook order."""
    notes: Messages = ()
    """Further notes on the experiment."""
