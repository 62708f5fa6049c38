"""Cost of a container: from "run" to the first cell, cold and pooled, and each cell after it.

Prints and asserts nothing. Ratios are of medians taken in turns, so that a busy machine is busy
for all sides. Needs an engine and an image: `make image` makes both.

    python benchmarks/docker_start.py [--image NAME] [--repeat N] [--cells N]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from mle_modernizer_server.domain.execution import ExecutionEvent, ExecutionEventKind
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.choose import docker, sandboxes
from mle_modernizer_server.words import text
from tests.running import run_notebook

IMAGE = "mle-modernizer/kaggle-python:2025-11"
LOCAL = "process"
"""The plain local kernel, the baseline for the others."""
_REFILL = 60.0
"""Seconds the pool may take to have a container ready again."""


@dataclass(frozen=True)
class Timing:
    """Seconds of one run.

    Attributes:
        first_cell: From "run", the making of the scratch directory included, to the first cell.
        cells: From the start to the end of each cell, by the run's events.
        whole: From "run" until everything is ended and removed.
    """

    first_cell: float
    cells: tuple[float, ...]
    whole: float


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("--image", default=IMAGE, help="an image with ipykernel")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each kind")
    parser.add_argument("--cells", type=int, default=100, help="empty cells of a run")
    options = parser.parse_args()
    docker().configure(replace(docker().settings, image=options.image, memory=2**30, pool=0))
    available = docker().availability()
    if not (available.ok and available.at_hand):
        print(f"Nothing to measure: {text(available.reason)}.")
        return
    asyncio.run(_compare(options.repeat, options.cells))


async def _compare(repeat: int, cells: int) -> None:
    kinds = {
        "plain local kernel": _with_pool(0, sandboxes()[LOCAL]),
        "docker, cold": _with_pool(0, docker()),
        "docker, pooled": _with_pool(1, docker()),
    }
    if sandboxes()["bubblewrap"].availability().ok:
        kinds["bubblewrap"] = _with_pool(0, sandboxes()["bubblewrap"])
    timings: dict[str, list[Timing]] = {name: [] for name in kinds}
    try:
        for turn in range(repeat + 1):
            for name, run in kinds.items():
                timing = await run(_empty(cells))
                if turn:  # the first fills caches and is not counted
                    timings[name].append(timing)
            print(f"  … turn {turn} of {repeat}", flush=True)
    finally:
        await docker().close()
    _print("From run to the first cell", timings, lambda timing: timing.first_cell, 1)
    _print("An empty cell", timings, lambda timing: statistics.median(timing.cells), 1000)
    _print(f"A notebook of {cells} empty cells, start to end", timings, lambda t: t.whole, 1)


def _print(
    title: str,
    timings: dict[str, list[Timing]],
    measure: Callable[[Timing], float],
    per_second: int,
) -> None:
    unit = {1: "s", 1000: "ms"}[per_second]
    base, *_ = timings
    against = statistics.median(measure(timing) for timing in timings[base])
    print(f"\n{title}")
    for name, taken in timings.items():
        seconds = [measure(timing) for timing in taken]
        median = statistics.median(seconds)
        print(
            f"  {name:20} median {median * per_second:7.3f} {unit:2}  "
            f"(min {min(seconds) * per_second:.3f}, max {max(seconds) * per_second:.3f})  "
            f"{median / against:5.2f} x {base}"
        )


def _with_pool(size: int, sandbox: Sandbox) -> Callable[[Notebook], Awaitable[Timing]]:
    async def run(notebook: Notebook) -> Timing:
        if docker().settings.pool != size:
            docker().configure(replace(docker().settings, pool=size))
        if size:
            await _until_one_waits()
        return await _timed(notebook, sandbox)

    return run


async def _until_one_waits() -> None:
    docker().warm_up(None, None)
    end = time.monotonic() + _REFILL
    while not docker().kept_ready:
        if time.monotonic() > end:
            sys.exit("The pool made no container ready.")
        await asyncio.sleep(0.05)


async def _timed(notebook: Notebook, sandbox: Sandbox) -> Timing:
    started: list[float] = []
    ended: list[float] = []

    def on_event(event: ExecutionEvent) -> None:
        if event.kind is ExecutionEventKind.CELL_STARTED:
            started.append(time.perf_counter())
        elif event.kind is ExecutionEventKind.CELL_FINISHED:
            ended.append(time.perf_counter())

    begun = time.perf_counter()
    async with sandbox.workspace(None, None) as workspace:
        await run_notebook(
            notebook,
            sandbox=sandbox,
            workspace=workspace,
            time_limit=600,
            on_event=on_event,
            cancel=asyncio.Event(),
        )
    whole = time.perf_counter() - begun
    cells = tuple(end - start for start, end in zip(started, ended, strict=True))
    return Timing(started[0] - begun, cells, whole)


def _empty(cells: int) -> Notebook:
    """Return a notebook whose cells do next to nothing."""
    sources = (f"_ = {number}" for number in range(cells))
    return Notebook(
        cells=tuple(
            Cell(id=f"cell-{number}", type=CellType.CODE, source=source)
            for number, source in enumerate(sources)
        )
    )


if __name__ == "__main__":
    main()
