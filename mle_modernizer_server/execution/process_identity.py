"""Identify a process, so that others can check later whether it is still alive."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import psutil

_TOLERANCE = 2.0
"""Seconds of tolerance; if the system reports a process's start by its clock, it may be reset."""


def this_process() -> str:
    """Return number and start of this process: numbers are reused."""
    return _name(os.getpid())


def lives(name: str) -> bool:
    """Return whether the process of that name still runs on this machine.

    An invalid name belongs to no process.
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
    """Return number and start of a process, and the start of the machine if known.

    Linux counts from its own start, whatever the clock is set to; psutil adds the clock to it.

    Raises:
        OSError: There is no such process.
        psutil.Error: The same, on other systems.
    """
    machine = _started_machine()
    if not machine:
        return f"{pid} {psutil.Process(pid).create_time()!r}"
    # The command's name is in brackets and may contain any character, also brackets and blanks.
    fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    return f"{pid} {int(fields[19]) / os.sysconf('SC_CLK_TCK')!r} {machine}"


@cache
def _started_machine() -> str:
    """Return the id of the machine's current boot; empty if it has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""
