"""Expected breakages before the first run, and silent changes probed in both versions."""

from __future__ import annotations

from enum import Enum

from pydantic import computed_field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.environment import ChoiceReason, EnvironmentChoice
from mle_modernizer_server.domain.era import Era, import_name
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
    """Id of the rule that knows the change; empty: the installed packages show it."""
    library: str
    since: str
    """Version of the library that introduced the change; empty if unknown."""
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
    left: Messages = ()
    """Why the code, or a part of it, stays as it is; empty if no reason is known."""
    what: str
    replacement: str
    link: str


class PreflightNote(Value):
    """A useful note on a cell that is not about a known change."""

    cell_id: str | None = None
    text: Messages


class NetworkNeed(Value):
    """Something that a cell downloads when it runs; a run has no network unless the user gives
    one."""

    cell_id: str
    what: str
    """What it is, for a sentence: `weights of VGG16`."""
    addresses: tuple[str, ...] = ()
    """Files that can be fetched before the run instead; empty: only a run with a network helps."""


class Needs(Value):
    """Requirements of a notebook on the machine."""

    network: tuple[NetworkNeed, ...] = ()
    """In notebook order, each file once."""
    gpu_cells: tuple[str, ...] = ()
    """Ids of the cells that demand a GPU without asking whether there is one."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return the files that can be fetched before the run."""
        return tuple(dict.fromkeys(one for need in self.network for one in need.addresses))


NO_NEEDS = Needs()
"""Neither a download nor a GPU."""


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
    pending: bool = False
    """Whether the installed packages are still asked for names: another request has more."""
    needs: Needs = NO_NEEDS
    """Downloads, and demands of a GPU."""
    complete: bool = True
    """False: the notebook, or some of its cells, were not examined; a note has the reason."""

    def _count(self, *impacts: Impact) -> int:
        return len(
            {
                (item.rule or item.what, item.cell_id)
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
        corrected = {file.path for file in self.files if file.taken is not None}
        lost = {file.path for file in self.files if not file.written} - corrected
        counts = (
            ("preflight.cells-fail", len(failing)),
            ("preflight.results-change", self.silent),
            ("preflight.files-lost", len(lost)),
            ("preflight.paths-corrected", len(corrected)),
        )
        affected: Messages = ()
        for code, count in counts:
            affected += coded(code, count=count) if count else ()
        nothing = "preflight.nothing-certain" if self.complete else "preflight.nothing-examined"
        return affected or coded(nothing) + self._not_examined

    @property
    def _not_examined(self) -> Messages:
        """Return the imports whose versions are unknown, as a message; empty if there are none."""
        if self.choice is None:
            return ()
        is_made = self.choice.reason is ChoiceReason.MADE
        known = self.environment.packages  # also of packages that will be installed
        missing = (one for one in self.choice.missing if import_name(one) not in known)
        absent = (*(() if is_made else missing), *self.choice.unknown)
        return coded("preflight.not-installed", packages=", ".join(absent)) if absent else ()

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
