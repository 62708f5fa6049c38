"""What a fix that held teaches: a rule for every other notebook with the same call."""

from __future__ import annotations

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.notebook import Notebook


class Lesson(Value):
    """A fix that held: the notebook before and after it, and the errors it ended.

    Attributes:
        before: As it ran with the errors.
        after: As it ran without them.
        cells: Ids of the cells that the fix changed and that then ran to their end.
        errors: What those cells had raised.
        sound: Ids of the cells that ran to their end before the fix, too.
        environment: What was installed.
        model: Which model wrote the fix.
    """

    before: Notebook
    after: Notebook
    cells: tuple[str, ...]
    errors: tuple[CellError, ...]
    sound: tuple[str, ...]
    environment: Environment
    model: str = ""


class LearnedRule(Value):
    """A rule made of a fix that held."""

    id: str
    """The same for the same change, whichever notebook it was learned from."""
    library: str
    """Import name of what has changed."""
    old: str
    """One of the places as it was."""
    new: str
    """The same place as it was mended."""
    places: int
    """At how many places of the notebook it was seen."""
    content: str
    """A YAML file with the rule, to be put into a folder with rules of one's own."""


class Learned(Value):
    """What a fix teaches: its rules, none where it is no matter of calls."""

    rules: tuple[LearnedRule, ...] = ()


class LearnedRules(Value):
    """The rules that a session's fixes teach, and what has been kept of them."""

    rules: tuple[LearnedRule, ...]
    kept: tuple[str, ...] = ()
    """Ids of those that are in the folder with rules of one's own."""
    folder: bool = False
    """Whether the server has such a folder."""
