"""What a kernel's process prints beside its messages: its end is kept, for when it does not start.

It is not put into a file: notebook code can write to it too, as much as it likes, and could put a
link in the file's place.
"""

from __future__ import annotations

import os
import threading

_KEPT = 2_000
"""Bytes."""
_PIECE = 2**16
_REST = 0.5
"""Seconds the last piece may still take when a process has just died."""


class LastWords:
    """The end of what comes through a pipe.

    Attributes:
        pipe: File descriptor to print to; for the process that is started.
    """

    def __init__(self) -> None:
        self._reading, self.pipe = os.pipe()
        self._kept = b""
        self._thread = threading.Thread(target=self._read, name="mle-modernizer-log", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Close our copy of the pipe, once the process has its own."""
        os.close(self.pipe)

    def text(self) -> str:
        """The last words of a process that died."""
        self._thread.join(_REST)
        return self._kept.decode("utf-8", "replace").strip()

    def _read(self) -> None:
        while piece := os.read(self._reading, _PIECE):
            self._kept = (self._kept + piece)[-_KEPT:]
        os.close(self._reading)
