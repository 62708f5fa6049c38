"""What restoring old behaviour does to a score, tried by runs: the cause of its distance."""

from __future__ import annotations

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.proposal import KnownChange


class Tried(Value):
    """One experiment: the notebook with some old defaults and behaviours restored."""

    rules: tuple[str, ...]
    """Ids of the rules that restored them."""
    what: tuple[str, ...]
    """What was restored, a sentence each."""
    changes: tuple[KnownChange, ...] = ()
    """The libraries' changes they answer."""
    before: float
    """Score of the notebook as it is."""
    after: float | None
    """Score of this run; None where it has none."""
    moved: bool
    """Whether the score is another one, by more than the notebook's own noise."""
    nearer: bool
    """Whether it is nearer to the target."""
    within_threshold: bool
    """Whether it is inside the band."""
    seconds: float


class Calibration(Value):
    """The search for the cause of a score's distance among the libraries' silent changes."""

    notebook_hash: str
    iteration: int
    """The iteration whose score is to be explained."""
    score: float
    target: float
    control: float | None = None
    """Score of the notebook run again as it is: what less than this differs does not count."""
    tried: tuple[Tried, ...] = ()
    """Every experiment in order; the first restores all at once."""
    causes: tuple[Tried, ...] = ()
    """The smallest sets that move the score, the largest effect first."""
    left_out: tuple[str, ...] = ()
    """Ids of rules that are not proposed: they move nothing, or lead away from the target."""
    message: Messages = ()
    """What was found."""
    done: bool = False
