"""The processor time for one question: the engine stops between two nodes when it is used up."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

NODES_AT_ONCE = 32
"""Nodes that are examined between two looks at the clock, which take as long as a simple node."""


@dataclass(frozen=True)
class _Limit:
    seconds: float
    wall_seconds: float
    processor: float
    """Reading of the thread's processor clock at which it began."""
    wall: float


_limit: ContextVar[_Limit | None] = ContextVar("limit", default=None)


@contextmanager
def time_limit(seconds: float, wall_seconds: float) -> Iterator[None]:
    """Limit the time of this thread's work in the context.

    Args:
        seconds: Of processor time.
        wall_seconds: Of wall-clock time.
    """
    token = _limit.set(_Limit(seconds, wall_seconds, time.thread_time(), time.monotonic()))
    try:
        yield
    finally:
        _limit.reset(token)


def seconds() -> float:
    """Return the limit of processor time; infinite if there is none."""
    limit = _limit.get()
    return math.inf if limit is None else limit.seconds


def is_over(share: float = 1.0) -> bool:
    """Return whether the time, or a share of it, is used up."""
    limit = _limit.get()
    if limit is None:
        return False
    processor, wall = time.thread_time() - limit.processor, time.monotonic() - limit.wall
    return processor > share * limit.seconds or wall > share * limit.wall_seconds
