"""The process that works on a session, and whether it is alive."""

from __future__ import annotations

import socket

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.execution import process_identity


class Owner(Value):
    """The server process of a session's work; distinguishes a crash from another server's work."""

    host: str
    pid: int
    process_started: float
    """Start of the process, as process ids are reused. Seconds since the start of the machine
    if `boot` is set, else since the epoch."""
    boot: str = ""
    """Names the start of the machine."""

    @property
    def is_alive(self) -> bool:
        """Return whether that process still runs; assume it for one of another host."""
        if self.host != socket.gethostname():
            return True
        return process_identity.lives(f"{self.pid} {self.process_started!r} {self.boot}".strip())


def this_process() -> Owner:
    """Return this server process."""
    pid, started, *boot = process_identity.this_process().split(" ")
    return Owner(
        host=socket.gethostname(), pid=int(pid), process_started=float(started), boot="".join(boot)
    )
