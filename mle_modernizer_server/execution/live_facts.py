"""Asks the living kernel about a failure before anything else runs."""

from __future__ import annotations

from mle_modernizer_server.domain.execution import CellError, LiveFact
from mle_modernizer_server.execution.kernel import SandboxKernel


async def live_facts(kernel: SandboxKernel, error: CellError) -> tuple[LiveFact, ...]:
    """What the kernel tells about an error it has just raised."""
    return ()
