"""Runs with restored old behaviour, to find the cause of a score's distance from the target."""

from __future__ import annotations

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.proposal import KnownChange


class Tried(Value):
    """An experiment: the notebook with some old defaults and behaviours restored."""

    rules: tuple[str, ...]
    """Ids of the rules that restore them."""
    what: tuple[str, ...]
    """The restored behaviours, a sentence each."""
    changes: tuple[KnownChange, ...] = ()
    """The libraries' changes that the rules address."""
    before: float
    """Score of the unchanged notebook."""
    after: float | None
    """Score of this run; None if absent."""
    moved: bool
    """Whether the score differs by more than the notebook's own noise."""
    nearer: bool
    """Whether the score is nearer to the target."""
    within_threshold: bool
    """Whether the score is inside the band."""
    seconds: float


class Calibration(Value):
    """The search for the cause of a score's distance among the libraries' silent changes."""

    notebook_hash: str
    iteration: int
    """The iteration whose score is to be explained."""
    score: float
    target: float
    control: float | None = None
    """Score of a repeated run of the unchanged notebook: smaller differences are noise."""
    tried: tuple[Tried, ...] = ()
    """Every experiment in order; the first restores all at once."""
    causes: tuple[Tried, ...] = ()
    """The smallest sets that move the score, the largest effect first."""
    left_out: tuple[str, ...] = ()
    """Ids of rules that are not proposed: they move nothing, or lead away from the target."""
    message: Messages = ()
    """Summary of the result."""
    done: bool = False
