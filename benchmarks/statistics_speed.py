"""How long the statistics of many sessions take: the first time, and once facts are kept.

The sessions are synthetic logs with an auto session's size: up to 8 runs of a 30-cell notebook,
each with 60 steps of work.

    python benchmarks/statistics_speed.py [SESSIONS]
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parents[1]))

from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.estimate import NEWEST
from mle_modernizer_server.workflow.report.history import all_facts, facts_of
from mle_modernizer_server.workflow.report.statistics import statistics
from tests.workflow.logged_sessions import ENDED_WELL, FAILED_CELL, logged

_Answer = TypeVar("_Answer")


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "sessions.db"
        with closing(Store(database)) as store:
            for number in range(count):
                results = [FAILED_CELL] * (number % 8) + [ENDED_WELL]
                names = [["KeyError"]] * (number % 8) + [[]]
                path = f"n{number}.ipynb"
                logged(store, path, results, errors=names, steps=60, cells=30)
        size = database.stat().st_size / 1e6
        print(f"{count} sessions, {size:.0f} MB")
        # Another connection each time: nothing is in this process's memory.
        with closing(Store(database)) as store:
            (newest, _), *_ = store.ends()
            timed("one session", lambda: facts_of(store, newest))
        with closing(Store(database)) as store:
            timed("all, the first time", lambda: statistics(all_facts(store)))
        with closing(Store(database)) as store:
            found = timed("all, facts kept", lambda: statistics(all_facts(store)))
        with closing(Store(database)) as store:
            name = f"the newest {NEWEST}, facts kept (estimate)"
            timed(name, lambda: all_facts(store, most=NEWEST))
        print(f"{found.runs} runs, {sum(row.applied for row in found.by_type)} fixes")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"largest memory of this process: {peak:.0f} MB")


def timed(name: str, work: Callable[[], _Answer]) -> _Answer:
    """Do it and print the seconds it took."""
    begun = time.perf_counter()
    answer = work()
    print(f"{name:40} {time.perf_counter() - begun:.3f} s")
    return answer


if __name__ == "__main__":
    main()
