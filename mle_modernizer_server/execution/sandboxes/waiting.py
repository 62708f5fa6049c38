"""Wait for work that can be cancelled."""

from __future__ import annotations

import asyncio
from typing import Any


async def is_done(
    work: asyncio.Future[Any], cancel: asyncio.Event, timeout: float | None = None
) -> bool:
    """Wait for the end of some work, a cancel or a timeout; return whether the work has ended.

    Args:
        work: It continues after a cancel or a timeout, and its error is not raised.
        cancel: Ends the waiting.
        timeout: Seconds; None waits without limit.
    """
    cancelled = asyncio.ensure_future(cancel.wait())
    try:
        await asyncio.wait({work, cancelled}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        return work.done()
    finally:
        cancelled.cancel()
