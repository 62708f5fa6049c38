"""Ends a sandbox that has too many processes or threads.

The system's own limits do not help here: `RLIMIT_NPROC` does not apply to processes of root, and
counts all processes of an ordinary user before Linux 5.14; cgroups need rights that a server rarely
has. So the processes of a PID namespace are counted from outside, and its end is the end of all.
"""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path

import psutil

_PAUSE = 0.1
"""Seconds between two counts: a fork bomb starts some hundred processes meanwhile."""
_PROCESSORS = os.cpu_count() or 1
MOST_PROCESSES = max(1_024, 16 * _PROCESSORS)
MOST_THREADS = 8 * MOST_PROCESSES
"""Of all processes together: numerical libraries start one per processor in each."""
_LINKS_OF_FOLDER = 2

logger = logging.getLogger(__name__)


class ProcessLimit:
    """Counts the processes of a PID namespace in a thread, and ends it beyond the limits.

    Args:
        first: The process outside whose child is the first process of the namespace, and with
            which the namespace ends.

    Attributes:
        message: A sentence, if it ended the namespace; else empty.
    """

    def __init__(self, first: psutil.Process) -> None:
        self.message = ""
        self._first = first
        self._stopped = threading.Event()
        threading.Thread(target=self._watch, name="mle-process-limit", daemon=True).start()

    def stop(self) -> None:
        """Stop counting."""
        self._stopped.set()

    def _watch(self) -> None:
        processes: Path | None = None
        while not self._stopped.wait(_PAUSE):
            try:
                processes = processes or _processes_inside(self._first)
                counts = (0, 0) if processes is None else _counts(processes)
            except (psutil.NoSuchProcess, FileNotFoundError, ProcessLookupError):
                return  # it has ended
            except OSError:
                logger.exception("Cannot count the processes of a sandbox")
                return
            self.message = _objection(*counts)
            if self.message:
                self._first.kill()
                return


def _processes_inside(first: psutil.Process) -> Path | None:
    """Return the path to the namespace's `/proc`; None if it is not mounted yet.

    Raises:
        psutil.NoSuchProcess: The process has ended.
    """
    for child in first.children():
        path = Path(f"/proc/{child.pid}/root/proc")
        # `self` of another namespace leads nowhere for this process.
        if (path / "1").exists() and not (path / "self").exists():
            return path
    return None


def _counts(processes: Path) -> tuple[int, int]:
    """Return the number of processes and of their threads."""
    numbers = [path for path in processes.iterdir() if path.name.isdigit()]
    if len(numbers) > MOST_PROCESSES:
        return len(numbers), 0
    threads = 0
    for path in numbers:
        try:
            threads += (path / "task").stat().st_nlink - _LINKS_OF_FOLDER
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
    return len(numbers), threads


def _objection(processes: int, threads: int) -> str:
    """Return why the namespace must end; empty if it may continue."""
    if processes > MOST_PROCESSES:
        return f"The notebook had more than {MOST_PROCESSES:,} processes and was ended."
    if threads > MOST_THREADS:
        return f"The notebook had more than {MOST_THREADS:,} threads and was ended."
    return ""
