"""Which process works on a session, and whether it still lives."""

from __future__ import annotations

import os
import socket

import psutil

from mle_modernizer_server.workflow.log.events import Owner


def this_process() -> Owner:
    """This server process."""
    return Owner(
        host=socket.gethostname(),
        pid=os.getpid(),
        process_started=psutil.Process().create_time(),
    )


def is_alive(owner: Owner) -> bool:
    """Whether that process still runs; a process of another host is taken to be alive."""
    if owner.host != socket.gethostname():
        return True
    try:
        return abs(psutil.Process(owner.pid).create_time() - owner.process_started) < 1.0
    except psutil.NoSuchProcess:
        return False
