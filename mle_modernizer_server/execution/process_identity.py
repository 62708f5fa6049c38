"""Names a process so that others can tell later whether it still lives."""

from __future__ import annotations

import psutil

_TOLERANCE = 2.0
"""Seconds; the clock may be set while a process lives."""


def this_process() -> str:
    """Number and start of this process: numbers are used again."""
    own = psutil.Process()
    return f"{own.pid} {own.create_time()}"


def lives(name: str) -> bool:
    """Whether the process of that name still runs on this machine.

    What is no such name belongs to nobody.
    """
    number, _, started = name.partition(" ")
    try:
        return abs(psutil.Process(int(number)).create_time() - float(started)) < _TOLERANCE
    except (psutil.NoSuchProcess, ValueError):
        return False
    except psutil.Error:
        return True  # somebody else's: then it lives
