"""Memory and time of one server with very many sessions.

The recorded sessions are written to the server's file as event logs of an auto session's size
(up to 8 runs of a 30-cell notebook, 20 steps of work each) before it starts; the real ones are made
and run over HTTP, one after the other, each with a kernel of its own. Then every session is opened,
as by somebody who opens one notebook after the other, and all are listed. Memory is the resident
set of the server's process; that of the process that inspects notebooks is listed separately.

    python benchmarks/many_sessions.py [--recorded N] [--real N]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from mle_modernizer_server.workflow.log.store import Store
from tests.web.conftest import SUBMIT, code_notebook, prepare_parity
from tests.web.own_server import Server, serving, until
from tests.workflow.logged_sessions import ENDED_WELL, FAILED_CELL, logged

_Answer = TypeVar("_Answer")
OLD_CELL = "import numpy as np\nkinds = np.array([1, 0], dtype=np.int)"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recorded", type=int, default=1000, help="sessions in the file")
    parser.add_argument("--real", type=int, default=20, help="sessions that are run")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "tmp").mkdir()
        prepare_parity(home / "data")
        database = home / "sessions.db"
        with closing(Store(database)) as store:
            empty = database.stat().st_size
            recorded = [_record(store, number) for number in range(given.recorded)]
        size = (database.stat().st_size - empty) / 1e6
        print(f"{given.recorded:,} recorded sessions, {size:.0f} MB, and {given.real} real ones")
        options = [f"--ModernizerExtension.database={database}"]
        with serving(home, home / "data", options=options) as server:
            memory(server, "started")
            seconds = [timed(lambda: _run(server))[1] for _ in range(given.real)]
            if seconds:
                print(f"  a session made and run: median {statistics.median(seconds):.2f} s")
            memory(server, "after the real sessions")
            for turn in ("first", "second"):
                opened = sorted(_seconds_to_open(server, one) for one in recorded)
                middle, late = opened[len(opened) // 2], opened[len(opened) * 99 // 100]
                print(
                    f"  a session opened, the {turn} time: median {1e3 * middle:.1f} ms, "
                    f"99 % within {1e3 * late:.1f} ms"
                )
                memory(server, f"after each was opened the {turn} time")
            for turn in ("first", "second"):
                found, took = timed(lambda: server.ask("sessions"))
                many, every = len(found["sessions"]), found["total"]
                print(f"  the newest {many} of {every:,} listed, the {turn} time: {took:.2f} s")
                pages, took = timed(lambda: _all_pages(server))
                print(f"  all {len(pages):,} listed page by page, the {turn} time: {took:.2f} s")
                _, took = timed(lambda: server.ask("statistics"))
                print(f"  statistics over all, the {turn} time: {took:.2f} s")
                memory(server, f"after the {turn} list")
            asked, took = timed(lambda: server.ask(f"sessions?path={pages[-1]['path']}"))
            print(f"  the {len(asked['sessions'])} of one notebook listed: {1e3 * took:.1f} ms")


def timed(work: Callable[[], _Answer]) -> tuple[_Answer, float]:
    """Return the result of some work and its seconds."""
    begun = time.perf_counter()
    answer = work()
    return answer, time.perf_counter() - begun


def memory(server: Server, when: str) -> None:
    """Print the memory of the server and of its processes."""
    process = psutil.Process(server.process.pid)
    others = sum(child.memory_info().rss for child in process.children(recursive=True))
    own = process.memory_info().rss
    print(f"{when:44} {own / 1e6:6.0f} MB  (its processes {others / 1e6:.0f} MB)", flush=True)


def _record(store: Store, number: int) -> str:
    results = [FAILED_CELL] * (number % 8) + [ENDED_WELL]
    names = [["KeyError"]] * (number % 8) + [[]]
    path = f"n{number}.ipynb"
    return logged(store, path, results, errors=names, steps=20, cells=30).id


def _all_pages(server: Server) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    page = server.ask("sessions")
    lines += page["sessions"]
    while page["older"] is not None:
        page = server.ask(f"sessions?before={page['older']}")
        lines += page["sessions"]
    return lines


def _seconds_to_open(server: Server, session: str) -> float:
    return timed(lambda: server.ask(f"sessions/{session}"))[1]


def _run(server: Server) -> None:
    notebook = code_notebook(OLD_CELL, SUBMIT)
    asked = {"path": "real.ipynb", "notebook": notebook, "settings": {"mode": "auto"}}
    session = server.ask("sessions", asked)["id"]
    server.ask(f"sessions/{session}/runs", {"notebook": notebook})
    until(lambda: server.ask(f"sessions/{session}")["phase"] in ("reviewing", "finished", "failed"))


if __name__ == "__main__":
    main()
