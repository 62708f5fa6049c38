"""A run that stopped at a failing cell and waits, with its kernel, for the notebook's fix."""

from __future__ import annotations

import inspect
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack

from pydantic import TypeAdapter, ValidationError

from mle_modernizer_server import pools
from mle_modernizer_server.code.liveness import read_before_bound
from mle_modernizer_server.code.side_effects import SideEffects, side_effects_of
from mle_modernizer_server.code.traceback import parse_failure
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Cell, Notebook
from mle_modernizer_server.execution.kernel.inside import names as kernel_side_names
from mle_modernizer_server.execution.notebook_run import NotebookRun, Stop

_LIMIT = 5.0
"""Timeout in seconds of the kernel's answer about its names."""

_Kinds = TypeAdapter(dict[str, list[str]])


class PausedRun:
    """Owns a run that has stopped. Its creator must call `end`.

    Attributes:
        run: The run.
        stop: The point at which it stopped.
        half: Effects of the failing cell.
        since: When it began to wait, on `time.monotonic`'s clock.
    """

    def __init__(
        self, run: NotebookRun, stop: Stop, half: SideEffects, held: AsyncExitStack
    ) -> None:
        """Take a run over; `pause_at` determines the failing cell's effects.

        Args:
            run: The run.
            stop: The point at which it stopped.
            half: Effects of its failing cell.
            held: Resources that end with it: the run itself, and its scratch directory.
        """
        self.stop = stop
        self.half = half
        self.since = time.monotonic()
        self.run = run
        self._held = held

    @property
    def wanted(self) -> bool:
        """Return whether another run waits for its slot in the sandbox."""
        return self.run.wanted

    @property
    def wait_left(self) -> float:
        """Return the seconds until its kernel can wait no longer, as it has a longest life."""
        return self.run.wait_left

    async def alive(self) -> bool:
        """Return whether its kernel is alive."""
        return await self.run.alive()

    async def answers(self) -> bool:
        """Return whether its kernel answers: one that was killed just now still looks alive."""
        return await self.run.kernel.ask("1", limit=_LIMIT) is not None

    def refusal(self, notebook: Notebook) -> Messages:
        """Return why the run cannot resume with a notebook; `()` if it can. Blocks.

        Args:
            notebook: As it is now.
        """
        number = self.stop.ordinal
        if self.half.reason:
            return coded("restart.side-effect", cell=number, reason=self.half.reason)
        earlier = self.stop.notebook.code_cells()[: number - 1]
        before, now = _run_sources(earlier), _run_sources(notebook.code_cells())
        tags = [cell.tags for cell in notebook.code_cells()[: number - 1]]
        if now[: number - 1] != before or tags != [cell.tags for cell in earlier]:
            return coded("restart.earlier-cell", cell=number)
        if not self.run.installs_like(notebook):
            return coded("restart.packages")
        if not self.run.finds_data_of(notebook):
            return coded("restart.data")
        if len(now) < number:
            return coded("restart.cell-gone", cell=number)
        read = read_before_bound(self.half.names, before, now[number - 1 :])
        if read:
            return coded("restart.name-read", cell=number, name=read)
        return ()

    async def end(self) -> None:
        """Kill its kernel and remove its scratch directory; nothing happens the second time."""
        await self._held.aclose()


def _run_sources(cells: Sequence[Cell]) -> list[str]:
    """Return the cells' sources, empty for cells that are not run."""
    return [cell.source if cell.runs else "" for cell in cells]


async def pause_at(run: NotebookRun, held: AsyncExitStack) -> PausedRun | None:
    """Return a stopped run as a waiting one; None if it has ended.

    The kernel reports which of the notebook's names can be read only once; the cell's
    source has the rest.

    Args:
        run: The run.
        held: Resources that end with it, including the run itself.
    """
    stop = run.stop
    if stop is None:
        return None
    code = (
        inspect.getsource(kernel_side_names)
        + "\nimport json\nfrom IPython import get_ipython\n"
        + "answer = json.dumps(kinds_of_names(get_ipython().user_ns))\n"
    )
    answer = await run.kernel.ask_json(code, {}, limit=_LIMIT)
    try:
        kinds = _Kinds.validate_python(answer)
    except ValidationError:
        half = SideEffects(reason=coded("effect.no-answer"))
    else:
        before = _run_sources(stop.notebook.code_cells()[: stop.ordinal - 1])
        half = await pools.code.run(
            side_effects_of,
            stop.cell.source,
            parse_failure(stop.error, stop.cell.source),
            before=before,
            once=kinds.get("once", []),
            own=kinds.get("own", []),
        )
    return PausedRun(run, stop, half, held)
