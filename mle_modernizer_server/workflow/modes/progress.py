"""Whether fixing goes round in circles: pure, told from what the runs showed."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from mle_modernizer_server.domain.session import Iteration
from mle_modernizer_server.workflow.modes.best import (
    advanced,
    best,
    failure,
    furthest,
    root_errors,
    standing,
)


class Circle(str, Enum):
    """Signs that the next fix would be like the last one."""

    SAME_PATCH = "same-patch"
    """What was proposed leads to a notebook that was already run."""
    SAME_ERRORS = "same-errors"
    """After the fix the notebook fails as it did before one."""
    SAME_SCORE = "same-score"
    """A score-calibration that did not move the score at all."""
    NO_PROGRESS = "no-progress"
    """So many fixes in a row brought nothing."""


def sentence(circle: Circle, fixes: int) -> str:
    """What it means, for people.

    Args:
        circle: The sign.
        fixes: How many fixes in a row brought nothing.
    """
    many = f"The last {fixes} fixes" if fixes > 1 else "The last fix"
    return {
        Circle.SAME_PATCH: "What was proposed leads back to a notebook that was already run.",
        Circle.SAME_ERRORS: f"{many} brought nothing: the notebook fails with the same errors.",
        Circle.SAME_SCORE: f"{many} did not move the score at all.",
        Circle.NO_PROGRESS: f"{many} brought no progress.",
    }[circle]


def came_further(latest: Iteration, before: Sequence[Iteration]) -> bool:
    """Whether a run came further than the best before it, and not to errors that were there."""
    leader = furthest(before)
    if not advanced(latest, leader):
        return False
    if standing(latest) != standing(leader):
        return True
    return failure(latest) not in [failure(item) for item in before]


def idle_fixes(done: Sequence[Iteration]) -> int:
    """How many of the latest runs in a row came no further than what was before them."""
    idle = 0
    for number in range(len(done) - 1, 0, -1):
        if came_further(done[number], done[:number]):
            break
        idle += 1
    return idle


def rounds(done: Sequence[Iteration]) -> list[Iteration]:
    """The best run of each round: alternatives, and runs of one notebook, belong together."""
    groups: list[list[Iteration]] = []
    for item in done:
        beside = item.origin is not None and item.origin.number > 1
        if groups and (beside or item.notebook_hash == groups[-1][-1].notebook_hash):
            groups[-1].append(item)
        else:
            groups.append([item])
    return [best(group) for group in groups]


def circle(done: Sequence[Iteration], idle: int, patience: int) -> Circle | None:
    """The sign the latest round gives, or None.

    Args:
        done: The best run of each round, the latest at the end.
        idle: How many fixes in a row brought nothing.
        patience: How many may.
    """
    if len(done) < 2 or came_further(done[-1], done[:-1]):
        return None
    latest, earlier = done[-1], done[:-1]
    errors = root_errors(latest)
    if errors and errors in [root_errors(item) for item in earlier]:
        return Circle.SAME_ERRORS
    if not errors and _score_stood(latest, earlier):
        return Circle.SAME_SCORE
    return Circle.NO_PROGRESS if idle >= patience else None


def _score_stood(latest: Iteration, earlier: Sequence[Iteration]) -> bool:
    """Whether a run without errors scored exactly what an earlier one did."""
    score = None if latest.grade is None else latest.grade.score
    before = [
        item.grade.score
        for item in earlier
        if item.grade is not None and item.diagnosis is not None and not root_errors(item)
    ]
    return score is not None and score in before
