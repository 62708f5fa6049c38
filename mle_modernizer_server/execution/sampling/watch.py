"""The bounds of making a sample: time, and the user's cancel."""

from __future__ import annotations

import time
from collections.abc import Callable


class TookTooLong(Exception):
    """The time a sample may take is over."""


class Stopped(Exception):
    """Nobody wants the sample any more."""


class Watch:
    """Looks at the clock and at a cancel.

    Args:
        seconds: How long it may take from now.
        stopped: Whether to stop at once.
    """

    def __init__(self, seconds: float, stopped: Callable[[], bool] = lambda: False) -> None:
        self._end = time.monotonic() + seconds
        self._stopped = stopped

    def check(self) -> None:
        """Check the limits; must be called often.

        Raises:
            Stopped: It was cancelled.
            TookTooLong: The time is over.
        """
        if self._stopped():
            raise Stopped
        if time.monotonic() > self._end:
            raise TookTooLong
