"""Runs one cell and tells how it went."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from nbclient.exceptions import DeadKernelError

from mle_modernizer_server.domain.execution import CellError, CellRun, CellStatus, Ending
from mle_modernizer_server.domain.notebook import Cell
from mle_modernizer_server.execution.cell_report import (
    Show,
    cell_status,
    kernel_broken,
    kernel_death,
    raised_error,
    shown_errors,
    stderr_warnings,
)
from mle_modernizer_server.execution.kernel.bounded_client import BoundedClient
from mle_modernizer_server.execution.kernel.facts import live_facts
from mle_modernizer_server.execution.kernel.kernel import SandboxKernel

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CellOutcome:
    """How a cell went.

    Attributes:
        run: The cell's run.
        errors: What it showed and raised.
        lost: How the kernel came to its end where it died by itself or cannot be talked to any
            more; None where it lives, or was ended on purpose.
    """

    run: CellRun
    errors: tuple[CellError, ...]
    lost: Ending | None


class CellRunner:
    """Runs the cells of a notebook in one kernel, one after the other."""

    def __init__(
        self,
        kernel: SandboxKernel,
        client: BoundedClient,
        *,
        show: Show,
        stopping: Callable[[], bool],
    ) -> None:
        """Make a runner.

        Args:
            kernel: Where the cells run.
            client: Holds the executed copy; its outputs come in here.
            show: Gives a text as the user may see it.
            stopping: Whether the kernel is being killed on purpose.
        """
        self._kernel = kernel
        self._client = client
        self._show = show
        self._stopping = stopping

    async def run(
        self, cell: Cell, index: int, on_error: Callable[[CellError], None]
    ) -> CellOutcome:
        """Run a cell to its end.

        Args:
            cell: As given, before it was mapped to the sandbox.
            index: Its position in the notebook.
            on_error: Called at once with each error, before the kernel is asked about it.
        """
        begun = time.monotonic()
        running = self._client.nb.cells[index]
        errors: list[CellError] = []
        status = CellStatus.UNFINISHED
        lost: Ending | None = None

        def replied(execute_reply: dict[str, Any], **_: object) -> None:
            nonlocal status
            status = cell_status(execute_reply)
            raised = raised_error(execute_reply, cell, index, self._show)
            errors.extend(shown_errors(running.outputs, raised, cell, index, self._show))
            errors.extend([raised] if raised else [])
            for error in errors:
                on_error(error)

        self._client.start_outputs()
        self._client.on_cell_executed = replied
        try:
            await self._to_its_end(self._client.async_execute_cell(running, index))
            if status is CellStatus.UNFINISHED:  # nothing to run: there was no reply
                status = CellStatus.OK
            elif not self._client.heard_all and not self._stopping():
                await self._kernel.reconnect()
                self._client.kc = self._kernel.client
        except DeadKernelError:
            if not self._stopping():
                death = await self._kernel.death()
                lost = death.ending
                errors.append(kernel_death(cell, index, death))
                on_error(errors[-1])
        except Exception as error:
            # A notebook can send any message in its kernel's name.
            logger.exception("The kernel sent an unusable message in cell %s", cell.id)
            lost = Ending.KERNEL_DIED
            errors.append(kernel_broken(cell, index, error))
            on_error(errors[-1])
        if status is CellStatus.ERROR and not self._stopping():
            facts = await live_facts(self._kernel, errors[-1])
            errors[-1] = errors[-1].model_copy(update={"facts": facts})
        self._client.finish_outputs(running)
        run = CellRun(
            cell_id=cell.id,
            index=index,
            status=status,
            seconds=time.monotonic() - begun,
            warnings=stderr_warnings(running.outputs, self._show),
        )
        return CellOutcome(run, tuple(errors), lost)

    async def _to_its_end(self, cell_run: Any) -> None:
        """Await nbclient's work on a cell without ever cancelling it.

        Cancelled from outside, nbclient would say that the kernel died while the cell goes on. So
        the kernel is killed first, and nbclient sees a dead kernel that is one.
        """
        task = asyncio.ensure_future(cell_run)
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await self._kernel.kill()
            with suppress(DeadKernelError):
                await task
            raise
