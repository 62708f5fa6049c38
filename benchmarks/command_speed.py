"""Speed of the commands as whole processes, and the extension's share of JupyterLab's start.

Each side is taken in turns, so that a busy machine is busy for both: read the ratios. Processor
time is that of the command and of all its processes. Prints and asserts nothing.

    python benchmarks/command_speed.py [--repeat N]
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from grading_speed import make
from preflight_speed import notebook_of

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.execution.documents import executed_notebook

LINES = 20
"""Cells of the notebooks that are run, besides the imports."""


@dataclass(frozen=True)
class Taken:
    """Times of a command, in seconds.

    Attributes:
        wall: By the clock.
        first: Until its first line.
        busy: Of the processor.
    """

    wall: float
    first: float
    busy: float


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3, help="measurements of each kind")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows that are graded")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seconds in (3, 30):
            against_papermill(folder, seconds, given.repeat)
        grading(folder, given.rows, given.repeat)
        preflight(folder, given.repeat)
        start_of_jupyterlab(folder, given.repeat)


def against_papermill(folder: Path, seconds: int, repeat: int) -> None:
    """Time `jupyter modernize run` and papermill on a notebook with cells of so many seconds."""
    source = str(folder / f"{seconds}.ipynb")
    nbformat.write(_notebook(seconds), source)
    print(f"A notebook of {seconds} s: first line within 0.5 s and 1.0 x papermill are the aims")
    papermill = ("papermill", source, str(folder / "out.ipynb"), "--kernel", "python3")
    show(
        in_turns(
            repeat,
            {
                "papermill": lambda: run((*papermill, "--no-progress-bar")),
                "jupyter modernize run": lambda: run(("jupyter-modernize", "run", source)),
            },
        ),
        "papermill",
    )


def grading(folder: Path, rows: int, repeat: int) -> None:
    """Time `jupyter modernize grade` of a large submission."""
    print(f"grade of {rows:,} rows: 2.5 s of the processor is the aim")
    root = folder / "competitions"
    make(root, Metric.RMSE, rows, shuffled=True)
    command = ("jupyter-modernize", "grade", str(root / "submission.csv"))
    where = ("--competition", "large", "--data-root", str(root))
    show(in_turns(repeat, {"grade": lambda: run((*command, *where))}))


def preflight(folder: Path, repeat: int) -> None:
    """Time `jupyter modernize preflight` of a notebook of 100 cells."""
    print("preflight of 100 cells: 1.5 s is the aim")
    file = folder / "hundred.ipynb"
    file.write_text(json.dumps(executed_notebook(notebook_of(100))))
    show(
        in_turns(repeat, {"preflight": lambda: run(("jupyter-modernize", "preflight", str(file)))})
    )


def start_of_jupyterlab(folder: Path, repeat: int) -> None:
    """Time the start of JupyterLab with and without the extension, until it answers."""
    print("Start of JupyterLab until it answers: 0.05 s more is the aim")
    folder = folder / "lab"
    sides = {
        "without": lambda: _start(folder, enabled=False),
        "with": lambda: _start(folder, enabled=True),
    }
    taken = in_turns(repeat * 2, sides)
    show(taken, "without")
    pairs = zip(taken["with"], taken["without"], strict=True)
    more = statistics.median(one.busy - other.busy for one, other in pairs)
    print(f"  more of the processor, median of the pairs: {more:.3f} s")


def in_turns(repeat: int, sides: Mapping[str, Callable[[], Taken]]) -> dict[str, list[Taken]]:
    """Take each side once to fill caches, then in turns."""
    for side in sides.values():
        side()
    taken: dict[str, list[Taken]] = {name: [] for name in sides}
    for _ in range(repeat):
        for name, side in sides.items():
            taken[name].append(side())
    return taken


def show(taken: Mapping[str, Sequence[Taken]], base: str | None = None) -> None:
    """Print medians, and the median of the ratios of the pairs."""
    for name, all_taken in taken.items():
        wall, first, busy = (
            statistics.median(getattr(one, what) for one in all_taken)
            for what in ("wall", "first", "busy")
        )
        line = f"  {name:24} {wall:6.2f} s, first line {first:5.2f} s, processor {busy:5.2f} s"
        if base is not None and name != base:
            pairs = list(zip(all_taken, taken[base], strict=True))
            ratio = statistics.median(one.wall / other.wall for one, other in pairs)
            more = statistics.median(one.wall - other.wall for one, other in pairs)
            line += f"  {ratio:.2f} x {base} ({more:+.2f} s)"
        print(line, flush=True)


def run(command: Sequence[str]) -> Taken:
    """Run a command to its end."""
    before = os.times()
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        first = time.perf_counter() - begun
        process.stdout.read()
    wall = time.perf_counter() - begun
    return Taken(wall, first, _busy(before))


def _busy(before: os.times_result) -> float:
    """Return the processor seconds of processes that have ended since."""
    return sum(os.times()[2:4]) - sum(before[2:4])


def _start(folder: Path, *, enabled: bool) -> Taken:
    """Start JupyterLab, wait until it answers, and end it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    places = {
        name: str(folder / name.lower())
        for name in ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    }
    for place in places.values():
        Path(place).mkdir(parents=True, exist_ok=True)
    token = secrets.token_hex(8)
    extensions = {"mle_modernizer_server": enabled}
    command = (
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
        *(f"--port={port}", f"--IdentityProvider.token={token}", "--LabApp.news_url=None"),
        *(f"--ServerApp.root_dir={folder}", f"--ServerApp.jpserver_extensions={extensions}"),
    )
    before = os.times()
    begun = time.perf_counter()
    process = subprocess.Popen(
        command,
        env=os.environ | places,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/lab", headers={"Authorization": f"token {token}"}
    )
    try:
        while not _answers(request):
            if process.poll() is not None:
                raise RuntimeError("JupyterLab did not start")
            time.sleep(0.01)
        wall = time.perf_counter() - begun
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    return Taken(wall, wall, _busy(before))


def _answers(request: urllib.request.Request) -> bool:
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError):
        return False


def _notebook(seconds: int) -> nbformat.NotebookNode:
    pause = seconds / LINES
    sources = ["import time"] + [f"time.sleep({pause})\nprint({number})" for number in range(LINES)]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    spec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": spec})
    assert isinstance(notebook, nbformat.NotebookNode)
    return notebook


if __name__ == "__main__":
    main()
