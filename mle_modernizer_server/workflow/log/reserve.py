"""A file that keeps room on the disk, so that sessions can be deleted when it is full."""

from __future__ import annotations

import logging
import os
from pathlib import Path

_logger = logging.getLogger(__name__)
RESERVED = 5_000_000
"""Bytes: more than SQLite's log has before it is moved into the database (1,000 pages)."""


class Reserve:
    """Room on the disk next to a database; several servers may share it."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}-reserve")

    def fill(self) -> None:
        """Take the room, if there is any. What is written cannot be compressed."""
        try:
            if self._path.exists() and self._path.stat().st_size >= RESERVED:
                return
            self._path.write_bytes(os.urandom(RESERVED))
        except OSError as error:
            _logger.info("No room is kept for deleting sessions: %s", error)
            self.release()

    def release(self) -> None:
        """Give the room back, if it is there and may be removed."""
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            _logger.info("The room for deleting sessions cannot be used: %s", error)
