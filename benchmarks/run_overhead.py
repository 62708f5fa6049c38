"""Overhead of running a notebook here, against papermill and a plain kernel, in one run.

Prints and asserts nothing. Ratios are of medians taken in turns, so that a busy machine is busy
for both sides.

    python benchmarks/run_overhead.py [--repeat N]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import papermill  # type: ignore[import-untyped]  # it ships no types
from client_latency import error_to_client
from jupyter_client.manager import AsyncKernelManager

from mle_modernizer_server.domain.execution import ExecutionEvent, ExecutionEventKind
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.execution.documents import executed_notebook
from mle_modernizer_server.execution.kernel.kernel import SandboxKernel
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.choose import sandboxes
from mle_modernizer_server.execution.sandboxes.workspace import Workspace
from tests.running import run_notebook

TRAINING = (
    "import numpy as np, pandas as pd\n"
    "from sklearn.datasets import load_digits\n"
    "from sklearn.ensemble import RandomForestClassifier",
    "X, y = load_digits(return_X_y=True)\nframe = pd.DataFrame(X).assign(y=y)\nframe.describe()",
    "model = RandomForestClassifier(n_estimators=200, random_state=0).fit(X[:1200], y[:1200])\n"
    "model.score(X[1200:], y[1200:])",
    *(f"total_{number} = frame[{number}].sum()\nprint(total_{number})" for number in range(40)),
    "pd.DataFrame({'y': model.predict(X)}).to_csv('submission.csv')",
)
"""A small, honest notebook: imports, a table, a model, many short cells, a CSV."""

FAILING = ("import time", *["raise RuntimeError(repr(time.time()))"] * 20)
"""Each failing cell's message is the time of raising."""


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="measurements of each kind")
    repeat = parser.parse_args().repeat
    # papermill and nbclient log every failing cell, and these fail on purpose.
    logging.disable(logging.ERROR)
    # Containers have a benchmark of their own, docker_start.py.
    local = [sandbox for name, sandbox in sandboxes().items() if name != "docker"]
    usable = [sandbox for sandbox in local if sandbox.availability().ok]

    print(
        f"Wall-clock of a notebook of {len(TRAINING)} cells, start and end of the kernel included"
    )
    print_ratios(
        "papermill",
        repeat,
        {
            "papermill": run_with_papermill,
            **{f"run_notebook, {box.name}": _runner(box) for box in usable},
        },
    )
    print("\nThe same as commands, start of Python included")
    print_ratios(
        "papermill",
        repeat,
        {
            "papermill": _command("papermill", "{}", "out.ipynb", "--kernel", "python3"),
            **{
                f"jupyter modernize run, {box.name}": _command(
                    "jupyter-modernize", "run", "{}", "--sandbox", box.name
                )
                for box in usable
            },
        },
    )
    print("\nStart of a kernel until it answers")
    print_ratios(
        "plain local kernel",
        repeat,
        {
            "plain local kernel": start_plain_kernel,
            **{f"sandbox {box.name}": _starter(box) for box in usable},
        },
    )
    print("\nFrom a cell's exception to its event")
    for name, measure in error_latencies(usable).items():
        print_latency(name, measure())


def print_ratios(base: str, repeat: int, measures: dict[str, Callable[[], None]]) -> None:
    """Time each measure in turns and print its median and its ratio to the base's."""
    seconds: dict[str, list[float]] = {name: [] for name in measures}
    for name, measure in measures.items():
        measure()  # once to fill caches, not counted
        print(f"  … {name} warmed up", flush=True)
    for _ in range(repeat):
        for name, measure in measures.items():
            begun = time.perf_counter()
            measure()
            seconds[name].append(time.perf_counter() - begun)
    against = statistics.median(seconds[base])
    for name, taken in seconds.items():
        median = statistics.median(taken)
        print(
            f"  {name:32} median {median:6.3f} s  (min {min(taken):.3f}, max {max(taken):.3f})  "
            f"{median / against:5.2f} x {base}"
        )


def print_latency(name: str, seconds: list[float]) -> None:
    """Print the median and the worst of some latencies."""
    print(
        f"  {name:32} median {1000 * statistics.median(seconds):6.1f} ms  "
        f"(worst {1000 * max(seconds):.1f} ms, {len(seconds)} errors)"
    )


def error_latencies(usable: list[Sandbox]) -> dict[str, Callable[[], list[float]]]:
    """Return the listeners to measure, by name; each returns the seconds until the event."""

    def listener(sandbox: Sandbox) -> Callable[[], list[float]]:
        return lambda: error_to_listener(sandbox)

    def client(sandbox: Sandbox) -> Callable[[], list[float]]:
        return lambda: error_to_client(_notebook(FAILING), sandbox.name)

    return {
        **{f"listener in the process, {box.name}": listener(box) for box in usable},
        **{f"client over HTTP, {box.name}": client(box) for box in usable},
    }


def error_to_listener(sandbox: Sandbox) -> list[float]:
    """Measure the seconds from `raise` in a cell to the event at a listener within this process.

    IPython's formatting of the traceback is part of it.
    """
    latencies: list[float] = []

    def on_event(event: ExecutionEvent) -> None:
        if event.kind is ExecutionEventKind.CELL_ERROR and event.error is not None:
            latencies.append(time.time() - float(event.error.evalue))

    _run(FAILING, sandbox, on_event)
    return latencies


def run_with_papermill() -> None:
    """Run the notebook with papermill in the plain local kernel."""
    with tempfile.TemporaryDirectory() as directory:
        source, target = Path(directory) / "in.ipynb", Path(directory) / "out.ipynb"
        source.write_text(json.dumps(executed_notebook(_notebook(TRAINING))))
        with _silent_stderr():
            papermill.execute_notebook(
                str(source), str(target), kernel_name="python3", cwd=directory, progress_bar=False
            )


def _command(*words: str) -> Callable[[], None]:
    """Return a function that runs a command on the notebook, whose path replaces `{}`."""

    def run() -> None:
        with tempfile.TemporaryDirectory() as directory:
            source = Path(directory) / "in.ipynb"
            source.write_text(json.dumps(executed_notebook(_notebook(TRAINING))))
            command = [str(source) if word == "{}" else word for word in words]
            # Without a target nothing is reproducible, so the command's exit code is not 0.
            subprocess.run(command, cwd=directory, capture_output=True, check=False)

    return run


@contextmanager
def _silent_stderr() -> Iterator[None]:
    """Suppress the terminal output of papermill's kernels."""
    kept = os.dup(2)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def start_plain_kernel() -> None:
    """Start jupyter_client's own kernel, wait for its answer, kill it."""

    async def start() -> None:
        manager = AsyncKernelManager(kernel_name="python3")
        await manager.start_kernel(stderr=subprocess.DEVNULL)
        client = manager.client()
        client.start_channels()
        await client.wait_for_ready(timeout=60)
        client.stop_channels()
        await manager.shutdown_kernel(now=True)

    asyncio.run(start())


def _starter(sandbox: Sandbox) -> Callable[[], None]:
    async def start() -> None:
        with Workspace() as workspace:
            mounts = workspace.mounts()
            async with (
                sandbox.place(mounts, say=lambda _: None, cancel=asyncio.Event()),
                SandboxKernel(sandbox, mounts) as kernel,
            ):
                await kernel.start()

    return lambda: asyncio.run(start())


def _runner(sandbox: Sandbox) -> Callable[[], None]:
    return lambda: _run(TRAINING, sandbox, lambda _: None)


def _run(
    sources: tuple[str, ...], sandbox: Sandbox, on_event: Callable[[ExecutionEvent], None]
) -> None:
    with Workspace() as workspace:
        asyncio.run(
            run_notebook(
                _notebook(sources),
                sandbox=sandbox,
                workspace=workspace,
                time_limit=600,
                on_event=on_event,
                cancel=asyncio.Event(),
            )
        )


def _notebook(sources: tuple[str, ...]) -> Notebook:
    cells = (
        Cell(id=f"cell-{index}", type=CellType.CODE, source=source)
        for index, source in enumerate(sources)
    )
    return Notebook(cells=tuple(cells))


if __name__ == "__main__":
    main()
