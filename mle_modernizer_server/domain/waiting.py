"""A run that has stopped at a failing cell and waits there, with its kernel, for a fix."""

from __future__ import annotations

from datetime import datetime

from mle_modernizer_server.domain.base import Value


class Waiting(Value):
    """Where a session's run waits; the next run goes on from there, if nothing before changed."""

    cell_id: str
    """The cell that failed."""
    ordinal: int
    """Which code cell it is, from 1."""
    notebook_hash: str
    """What ran; the run can go on with a notebook whose code before that cell is the same."""
    since: datetime
    until: datetime
    """When the kernel is ended at the latest."""
