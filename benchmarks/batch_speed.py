"""What a batch costs beside its notebooks: the scheduler's time and memory a task, and the report.

The notebooks are stand-ins that take no time, so what is measured is all ours: claim, attempt,
result, scheduler and client. Scheduler and client share a process here, as in a local batch.

    python benchmarks/batch_speed.py [NOTEBOOKS]
"""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from mle_modernizer_server import __version__
from mle_modernizer_server.batch.cluster import LocalWorkers, local_cluster
from mle_modernizer_server.batch.engine import Engine, Progress, Wish
from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.report.write import write_report
from mle_modernizer_server.batch.result import Result
from mle_modernizer_server.batch.study import Limits, Line, Study, arm_of, jobs_of
from mle_modernizer_server.domain.statistics import State
from tests.batch.stand_ins import HERE
from tests.batch.test_report import BAD, GOOD, result


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory() as root:
        _measure_tasks(Path(root), count)
        _measure_report(Path(root), count)


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
    own = psutil.Process()
    memory: list[tuple[int, float]] = []

    def watch(progress: Progress) -> Wish:
        if progress.done >= len(memory) * count / 4:
            memory.append((progress.done, own.memory_info().rss / 2**20))
        return Wish()

    with local_cluster(LocalWorkers(count=2)) as client:
        engine = Engine(client, study, folder, Limits(), watch=watch, perform=HERE + "nothing")
        jobs = list(jobs_of(lines, study))
        cpu, clock = time.process_time(), time.perf_counter()
        engine.run(jobs)
        cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
    print(f"{count:,} notebooks on 2 workers: {clock:.1f} s, {1000 * clock / count:.2f} ms each")
    print(f"  scheduler and client: {1000 * cpu / count:.2f} ms of CPU a task")
    steps = ", ".join(f"{done:,}: {megabytes:.0f}" for done, megabytes in memory)
    print(f"  their memory in MiB by notebooks done: {steps}")


def _measure_report(root: Path, count: int) -> None:
    folder = StudyFolder(root / "report")
    folder.open(_study())
    for number, item in zip(range(count), _results(), strict=False):
        folder.keep(item.model_copy(update={"key": f"n{number}"}))
    clock = time.perf_counter()
    page = write_report(folder)
    clock = time.perf_counter() - clock
    size = page.stat().st_size / 2**20
    most = psutil.Process().memory_info().rss / 2**20
    print(f"report over {count:,}: {clock:.1f} s, page {size:.1f} MiB, memory {most:.0f} MiB")


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
