"""Names a process so that others can tell later whether it still lives."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import psutil

_TOLERANCE = 2.0
"""Seconds; where the system gives a process's start by its clock, the clock may be set."""


def this_process() -> str:
    """Number and start of this process: numbers are used again."""
    return _name(os.getpid())


def lives(name: str) -> bool:
    """Whether the process of that name still runs on this machine.

    What is no such name belongs to nobody.
    """
    number, *rest = name.split(" ")
    try:
        if len(rest) == 2:
            return _name(int(number)) == name
        return abs(psutil.Process(int(number)).create_time() - float(rest[0])) < _TOLERANCE
    except (psutil.NoSuchProcess, FileNotFoundError, ProcessLookupError, ValueError, IndexError):
        return False
    except (psutil.Error, OSError):
        return True  # somebody else's: then it lives


def _name(pid: int) -> str:
    """Number and start of a process, and the machine's, where that is known.

    Linux counts from its own start, whatever the clock is set to; psutil adds the clock to it.

    Raises:
        OSError: There is no such process.
        psutil.Error: The same, on other systems.
    """
    machine = _started_machine()
    if not machine:
        return f"{pid} {psutil.Process(pid).create_time()!r}"
    # The command's name stands in brackets and may hold anything, brackets and blanks included.
    fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    return f"{pid} {int(fields[19]) / os.sysconf('SC_CLK_TCK')!r} {machine}"


@cache
def _started_machine() -> str:
    """What names this start of the machine; empty where it has no such name."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""
