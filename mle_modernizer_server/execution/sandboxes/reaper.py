"""Finds and ends every process a kernel left behind.

A process group misses children that made a session of their own, and a process tree misses
those whose parent has ended. All of them inherit the environment, so a mark in it finds them.
"""

from __future__ import annotations

import secrets
import time
from contextlib import suppress

import psutil

from mle_modernizer_server import pools
from mle_modernizer_server.execution.sandboxes.process_limit import ProcessLimit

MARK = "MLE_MODERNIZER_KERNEL"
"""Environment variable that holds the mark."""

_ROUNDS = 50


def new_mark() -> str:
    """Return a mark that no other kernel has."""
    return secrets.token_hex(16)


class Processes:
    """All processes of a command in a sandbox.

    Args:
        pid: Number of the first one.
        mark: Value of `MARK` in its environment.
        is_namespace: Whether the others are in a PID namespace that ends with it; their number is
            limited then.
    """

    def __init__(self, pid: int, mark: str, *, is_namespace: bool) -> None:
        self._mark = mark
        self._first = observed(pid)
        namespace = self._first if is_namespace else None
        self._limit = None if namespace is None else ProcessLimit(namespace)

    @property
    def objection(self) -> str:
        """Return why they were ended, as a sentence; empty if they were not too many."""
        return "" if self._limit is None else self._limit.message

    async def end(self) -> None:
        """End all of them; may be repeated."""
        if self._limit is not None and self._first is not None:
            self._limit.stop()
            # Before anything waits for a thread or searches: too many of them slow both down.
            with suppress(psutil.NoSuchProcess):
                self._first.kill()
        await pools.sandboxes.run(reap, self._mark, self._first)


def observed(pid: int) -> psutil.Process | None:
    """Return a handle that stays valid if the process's number is reused; None if it has exited."""
    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None


def reap(mark: str, first: psutil.Process | None) -> int:
    """Kill all processes that carry the mark or descend from `first`, and `first` itself.

    Args:
        mark: Value of `MARK` in the environment the kernel was started with.
        first: The kernel's first process, if it was started.

    Returns:
        How many processes were killed.
    """
    killed: set[psutil.Process] = set()
    for _ in range(_ROUNDS):
        # Processes may start others while we look: look again until there are none.
        found = _descendants(first) | _marked(mark)
        if not found:
            break
        for process in found:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
            killed.add(process)
        time.sleep(0.02)
    return len(killed)


def _descendants(first: psutil.Process | None) -> set[psutil.Process]:
    if first is None:
        return set()
    try:
        family = {first, *first.children(recursive=True)}
    except psutil.NoSuchProcess:
        return set()
    return {process for process in family if _alive(process)}


def _marked(mark: str) -> set[psutil.Process]:
    found = set()
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == mark and _alive(process):
                found.add(process)
        except (psutil.Error, OSError):
            # Ended meanwhile, or another user's: then it is not the kernel's either.
            continue
    return found


def _alive(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
