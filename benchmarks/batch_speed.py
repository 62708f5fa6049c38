"""What a batch costs beside its notebooks: the scheduler's time and memory a task, what a notebook
takes more than alone, what a second worker brings, and the report.

The scheduler is measured as a process of its own, as on a cluster, with stand-ins for notebooks
that take no time: claim, attempt, result, scheduler and client are all there is. Overhead and
throughput are measured on real notebooks, whose cells work the processor, in turns.

    python benchmarks/batch_speed.py [--part tasks|report|notebooks] [--tasks N]
        [--notebooks N] [--repeat N]
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import nbformat
import psutil
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from mle_modernizer_server import __version__
from mle_modernizer_server.batch.cluster import joined_cluster
from mle_modernizer_server.batch.engine import Engine, Progress, Wish
from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.report.write import write_report
from mle_modernizer_server.batch.result import Result
from mle_modernizer_server.batch.study import Limits, Line, Study, arm_of, jobs_of
from mle_modernizer_server.domain.statistics import State
from tests.batch.stand_ins import HERE
from tests.batch.test_report import BAD, GOOD, result

ROOT = Path(__file__).parents[1]
SLOTS = 64
"""Stand-ins that may be at work at once."""
SECONDS = 10
"""What the cells of a real notebook work, of one processor's time."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=20_000, help="stand-ins that are scheduled")
    parser.add_argument("--notebooks", type=int, default=6, help="real ones in each batch")
    parser.add_argument("--repeat", type=int, default=3, help="measurements of each kind")
    parser.add_argument("--part", choices=("tasks", "report", "notebooks"), help="only this")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        if given.part in (None, "tasks"):
            _measure_tasks(Path(root), given.tasks)
        if given.part in (None, "report"):
            _measure_report(Path(root), given.tasks)
        if given.part in (None, "notebooks"):
            _measure_notebooks(Path(root), given.notebooks, given.repeat)


def _study() -> Study:
    return Study(
        id="bench",
        version=__version__,
        what="stand-ins",
        arms=(arm_of("modernized"),),
        data_root="/nowhere",
    )


def _measure_tasks(root: Path, count: int) -> None:
    study, folder = _study(), StudyFolder(root / "tasks")
    folder.open(study)
    lines = (
        Line(number=number, notebook=f"/{number}", name=f"{number}.ipynb")
        for number in range(1, count + 1)
    )
    client = psutil.Process()
    memory: list[tuple[int, float, float]] = []

    with _cluster(root / "scheduler.json", workers=2, slots=SLOTS // 2) as scheduler:

        def watch(progress: Progress) -> Wish:
            if progress.done >= len(memory) * count / 4:
                memory.append((progress.done, _mebibytes(scheduler), _mebibytes(client)))
            return Wish()

        with joined_cluster(None, root / "scheduler.json") as joined:
            engine = Engine(joined, study, folder, Limits(), watch=watch, perform=HERE + "nothing")
            jobs = list(jobs_of(lines, study))
            busy = [_busy(process) for process in (scheduler, client)]
            clock = time.perf_counter()
            engine.run(jobs)
            clock = time.perf_counter() - clock
            busy = [
                _busy(process) - before
                for process, before in zip((scheduler, client), busy, strict=True)
            ]
    print(
        f"{count:,} notebooks, {SLOTS} at once: {clock:.1f} s, {1000 * clock / count:.2f} ms each"
    )
    at_scheduler, at_client = (1000 * one / count for one in busy)
    print(f"  processor a task: scheduler {at_scheduler:.2f} ms, client {at_client:.2f} ms")
    steps = ", ".join(f"{done:,}: {one:.0f} and {two:.0f}" for done, one, two in memory)
    print(
        f"  memory of scheduler and client in MiB by notebooks done: {steps}; {_load()}", flush=True
    )


@contextmanager
def _cluster(file: Path, workers: int, slots: int) -> Iterator[psutil.Process]:
    """Start a scheduler and workers for so many notebooks each; gives the scheduler's process."""
    dask = (sys.executable, "-m", "dask")
    scheduler = ("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    worker = ("worker", "--no-nanny", "--nthreads", str(slots), "--no-dashboard")
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": path}

    def start(stack: ExitStack, command: Sequence[str]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            (*dask, *command, "--scheduler-file", str(file)),
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stack.callback(process.wait)
        stack.callback(process.terminate)
        return process

    with ExitStack() as stack:
        process = start(stack, scheduler)
        while not file.exists():
            if process.poll() is not None:
                raise RuntimeError("The scheduler did not start")
            time.sleep(0.05)
        for _ in range(workers):
            start(stack, (*worker, "--memory-limit", "0", "--resources", f"SANDBOX={slots}"))
        yield psutil.Process(process.pid)


def _mebibytes(process: psutil.Process) -> float:
    return float(process.memory_info().rss) / 2**20


def _busy(process: psutil.Process) -> float:
    taken = process.cpu_times()
    return taken.user + taken.system


def _measure_report(root: Path, count: int) -> None:
    folder = StudyFolder(root / "report")
    folder.open(_study())
    for number, item in zip(range(count), _results(), strict=False):
        folder.keep(item.model_copy(update={"key": f"n{number}"}))
    clock, busy = time.perf_counter(), time.process_time()
    page = write_report(folder)
    clock, busy = time.perf_counter() - clock, time.process_time() - busy
    size = page.stat().st_size / 2**20
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(
        f"report over {count:,}: {clock:.1f} s, of processor time {busy:.1f} s, "
        f"page {size:.1f} MiB, memory {most:.0f} MiB at most",
        flush=True,
    )
    print(f"  opens in Chromium in {_seconds_to_open(page):.2f} s; {_load()}", flush=True)


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


def _seconds_to_open(page: Path) -> float:
    """Return the time from the address to a page that is laid out, in a browser that is open."""
    executable = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, chromium_sandbox=os.geteuid() != 0
        )
        tab = browser.new_page()
        clock = time.perf_counter()
        tab.goto(page.as_uri(), wait_until="load")
        tab.evaluate("document.body.getBoundingClientRect().height")
        clock = time.perf_counter() - clock
        browser.close()
    return clock


def _measure_notebooks(root: Path, count: int, repeat: int) -> None:
    """A batch on one worker and on two beside `run` on each notebook, one after the other."""
    folder = root / "notebooks"
    folder.mkdir()
    for number in range(count):
        nbformat.write(_notebook(number), str(folder / f"{number}.ipynb"))
    alone: list[float] = []
    one: list[float] = []
    two: list[float] = []
    for number in range(repeat):
        alone.append(sum(_seconds(("run", str(file))) for file in sorted(folder.glob("*.ipynb"))))
        for workers, taken in ((1, one), (2, two)):
            out = root / f"out-{workers}-{number}"
            how = ("--arms", "today", "--workers", str(workers), "--out", str(out))
            taken.append(_seconds(("batch", str(folder), *how)))
    for name, taken in (("run on each", alone), ("batch, 1 worker", one), ("batch, 2", two)):
        print(f"{count} notebooks of {SECONDS} s, {name}: {statistics.median(taken):.1f} s")
    more = statistics.median(batch / run for batch, run in zip(one, alone, strict=True)) - 1
    gain = statistics.median(slow / fast for slow, fast in zip(one, two, strict=True))
    print(f"  a batch on one worker takes {100 * more:+.1f} % of run; 5 % more is the aim")
    print(f"  two workers do {gain:.2f} x what one does")


def _seconds(arguments: Sequence[str]) -> float:
    clock = time.perf_counter()
    done = subprocess.run(
        ("jupyter-modernize", *arguments), capture_output=True, text=True, check=False
    )
    clock = time.perf_counter() - clock
    if done.returncode:
        raise RuntimeError(f"{arguments[0]} ended with {done.returncode}: {done.stderr}")
    return clock


def _notebook(number: int) -> nbformat.NotebookNode:
    source = f"""import time
end = time.process_time() + {SECONDS / 5}
while time.process_time() < end:
    sum(range(1000))
print({number})"""
    cells = [nbformat.v4.new_code_cell(source) for _ in range(5)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    assert isinstance(notebook, nbformat.NotebookNode)
    return notebook


def _results() -> Iterator[Result]:
    kinds = [
        result("a", GOOD),
        result("b", *[BAD] * 5, GOOD),
        result("c", State.TIMEOUT, BAD, BAD, GOOD),
        result("d", *[BAD] * 8),
    ]
    return itertools.cycle(kinds)


if __name__ == "__main__":
    main()
