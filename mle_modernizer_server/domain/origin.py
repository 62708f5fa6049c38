"""The proposal that produced a notebook."""

from __future__ import annotations

from mle_modernizer_server.domain.base import Value


class Origin(Value):
    """Origin of the notebook of an iteration in auto mode."""

    proposal: str
    """Id of the proposal; stored with the iteration it was made for."""
    number: int = 1
    """Number of this alternative for that iteration, from 1."""
    of: int = 1
    """Number of alternatives tried at the same time."""
