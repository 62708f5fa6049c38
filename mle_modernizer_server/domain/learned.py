"""Rules learned from a successful fix, for every other notebook with the same call."""

from __future__ import annotations

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.notebook import Notebook


class Trial(Value):
    """Result of running unchanged cells with the notebook's original library versions.

    Attributes:
        libraries: The libraries and their time: `pandas 0.24.2 (2019-06)`.
        ran: Ids of the cells that completed.
        failed: Ids of the cells that failed there too, not because of another cell.
    """

    libraries: str
    ran: tuple[str, ...]
    failed: tuple[str, ...]


class Lesson(Value):
    """A successful fix: the notebook before and after it, and the errors it fixed.

    Attributes:
        before: Notebook that ran with the errors.
        after: Notebook that ran without them.
        cells: Ids of the cells that the fix changed and that then completed.
        errors: Errors of those cells before the fix.
        sound: Ids of the cells that also completed before the fix.
        environment: Environment of the runs.
        model: Name of the model that wrote the fix.
        trial: Result of the cells in old libraries; None if not tried.
    """

    before: Notebook
    after: Notebook
    cells: tuple[str, ...]
    errors: tuple[CellError, ...]
    sound: tuple[str, ...]
    environment: Environment
    model: str = ""
    trial: Trial | None = None


class LearnedRule(Value):
    """A rule derived from a successful fix."""

    id: str
    """Id of the change, independent of the notebook it was learned from."""
    library: str
    """Import name of the library that changed."""
    old: str
    """Code of one of the places before the fix."""
    new: str
    """Code of the same place after the fix."""
    places: int
    """Number of places of the notebook with this change."""
    tried: str = ""
    """The old libraries in which the old call ran unchanged; empty if unknown."""
    content: str
    """A YAML file with the rule, for a folder of custom rules."""


class Learned(Value):
    """Rules learned from a fix; empty if the fix is not about calls."""

    rules: tuple[LearnedRule, ...] = ()


class LearnedRules(Value):
    """The rules learned from a session's fixes, and which of them are stored."""

    rules: tuple[LearnedRule, ...]
    kept: tuple[str, ...] = ()
    """Ids of the rules that are in the folder of custom rules."""
    folder: bool = False
    """Whether the server has such a folder."""
