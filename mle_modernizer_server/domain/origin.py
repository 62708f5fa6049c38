"""Which proposal made the notebook that runs."""

from __future__ import annotations

from mle_modernizer_server.domain.base import Value


class Origin(Value):
    """What made the notebook of an iteration in auto mode."""

    proposal: str
    """Id of the proposal; it stands with the iteration it was made for."""
    number: int = 1
    """Which of the alternatives for that iteration this is, from 1."""
    of: int = 1
    """How many were tried at the same time."""
