"""A run that stopped at a failing cell and waits there, with its kernel, for a fix."""

from __future__ import annotations

from datetime import datetime

from mle_modernizer_server.domain.base import Value


class Waiting(Value):
    """Place at which a session's run waits; the next run resumes there if no earlier code
    changed."""

    cell_id: str
    """The cell that failed."""
    ordinal: int
    """Number of the code cell, from 1."""
    notebook_hash: str
    """Hash of the notebook that ran; a notebook with the same code before that cell can resume."""
    since: datetime
    until: datetime
    """Latest time at which the kernel is ended."""
