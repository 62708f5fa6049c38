"""A batch on a real cluster of two processes: order, deaths, stops."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import psutil
import pytest
from distributed import Client, Worker
from distributed.core import Server
from distributed.utils import LoopRunner

import mle_modernizer_server.batch.cluster as cluster_module
from mle_modernizer_server.batch.cluster import Steward, joined_cluster, share, slots
from mle_modernizer_server.batch.engine import Engine, Wish
from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.result import Status
from mle_modernizer_server.batch.study import Limits, Study
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.model_calls import Usage
from tests.batch.conftest import Jobs
from tests.batch.stand_ins import HERE
from tests.refusals import refused

Marks = Callable[[], list[list[str]]]


def test_every_notebook_has_a_result_despite_errors_of_others(
    cluster: Client, study: Study, folder: StudyFolder, jobs: Jobs, marks: Marks
) -> None:
    todo = jobs("a", "bad", "defect", "b", "deadly", "c")
    engine = Engine(cluster, study, folder, Limits(), perform=HERE + "deadly")
    progress = engine.run(todo)
    assert progress.statuses == {Status.DONE: 3, Status.REFUSED: 1, Status.SET_ASIDE: 1}
    assert [problem.name for problem in engine.problems] == ["defect"]
    aside = folder.result(todo[4].key)
    assert aside is not None and "2 workers died" in aside.message
    assert Counter(mark[1] for mark in marks())["deadly"] == 2
    again = Engine(cluster, study, folder, Limits(), perform=HERE + "deadly")
    assert again.run(todo).before == 5


def test_a_worker_and_its_kernels_have_processors_of_their_own(
    cluster: Client, study: Study, folder: StudyFolder, jobs: Jobs
) -> None:
    Engine(cluster, study, folder, Limits(), perform=HERE + "deadly").run(jobs("a", "b", "c", "d"))
    cores = sorted(psutil.Process().cpu_affinity())
    told = {result.worker: result.message for result in folder.results()}
    for worker, message in told.items():
        assert message == f"On {share(cores, int(worker[-1]) - 1, 2)}."


def test_the_longest_comes_first(
    cluster: Client, study: Study, folder: StudyFolder, jobs: Jobs, marks: Marks
) -> None:
    todo = [job for seconds in (1, 5, 3, 4, 2) for job in jobs(f"0.2-{seconds}", seconds=seconds)]
    Engine(cluster, study, folder, Limits(), perform=HERE + "sleep").run(todo)
    began = [mark[1][-1] for mark in marks() if mark[0] == "began"]
    assert set(began[:2]) == {"5", "4"}
    assert began[-1] == "1"


def test_a_budget_holds_over_all_workers(
    cluster: Client, study: Study, folder: StudyFolder, jobs: Jobs
) -> None:
    engine = Engine(cluster, study, folder, Limits(tokens=750), perform=HERE + "asks")
    assert engine.run(jobs("a", "b", "c", "d")).done == 4
    assert sum(int(result.message) for result in folder.results()) == 7


def test_earlier_cost_counts_and_nothing_starts_without_money(
    cluster: Client, study: Study, folder: StudyFolder, jobs: Jobs
) -> None:
    todo = jobs("a", "b")
    folder.note_spending(todo[0].key, Usage(calls=1, input_tokens=700, output_tokens=50))
    engine = Engine(cluster, study, folder, Limits(tokens=750), perform=HERE + "asks")
    progress = engine.run(todo)
    assert (progress.done, progress.left) == (0, 2)
    assert "budget is spent" in progress.reason
    more = Engine(cluster, study, folder, Limits(tokens=5000), perform=HERE + "asks")
    assert more.run(todo).done == 2


def test_what_no_worker_offers_is_named_and_the_others_go_on(
    cluster: Client, study: Study, folder: StudyFolder, jobs: Jobs
) -> None:
    todo = [*jobs("0-gpu", resources={"GPU": 1}), *jobs("0-plain")]
    engine = Engine(cluster, study, folder, Limits(), perform=HERE + "sleep")
    assert engine.run(todo).statuses == {Status.DONE: 1}
    assert [problem.name for problem in engine.problems] == ["0-gpu"]
    assert "GPU 1" in engine.problems[0].message


def test_stopping_finishes_current_runs_aborting_does_not(
    cluster: Client, study: Study, folder: StudyFolder, jobs: Jobs, marks: Marks
) -> None:
    todo = jobs(*(f"0.6-{number}" for number in range(5)))

    def once_begun(wish: Wish) -> Callable[[object], Wish]:
        return lambda _: wish if any(mark[0] == "began" for mark in marks()) else Wish()

    progress = Engine(
        cluster,
        study,
        folder,
        Limits(),
        watch=once_begun(Wish(stop=True)),
        perform=HERE + "sleep",
    ).run(todo)
    assert progress.statuses == {Status.DONE: 2}
    assert progress.left == 3
    long = jobs("60-long", "60-longer")
    marks_before = len(marks())

    def abort(_: object) -> Wish:
        began = sum(mark[0] == "began" for mark in marks()[marks_before:])
        return Wish(stop=True, abort=True) if began == 2 else Wish()

    start = time.monotonic()
    progress = Engine(cluster, study, folder, Limits(), watch=abort, perform=HERE + "sleep").run(
        long
    )
    assert time.monotonic() - start < 30
    assert progress.done == 0
    assert [mark[0] for mark in marks()[marks_before:]].count("stopped") == 2
    assert list((folder.root / "claims").iterdir()) == []


def test_dismissed_worker_waits_for_the_end_of_its_work(
    cluster: Client, study: Study, folder: StudyFolder, jobs: Jobs, marks: Marks
) -> None:
    async def sent_home(dask_worker: Worker) -> list[object]:
        await Steward().teardown(dask_worker)
        return list(cluster_module._at_work.places)

    left: dict[str, list[object]] = {}

    def once_begun(_: object) -> Wish:
        if not left and any(mark[0] == "began" for mark in marks()):
            left.update(cluster.run(sent_home))
        return Wish(stop=bool(left))

    engine = Engine(cluster, study, folder, Limits(), watch=once_begun, perform=HERE + "sleep")
    progress = engine.run(jobs("60-long"))
    assert len(left) == 2 and not any(left.values())
    assert [mark[0] for mark in marks()] == ["began", "stopped"]
    assert (progress.done, progress.left) == (0, 1)


def test_a_cluster_of_other_versions_is_refused(
    cluster: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = cluster.scheduler_info()["address"]
    monkeypatch.setattr(cluster_module, "__version__", "0.0.1")
    with refused(BadSetting, match="has MLE Modernizer"), joined_cluster(address, None):
        pass

    async def start() -> Server:
        """A server of Dask's protocol that does not know what schedulers of today are asked."""
        server = Server({"identity": lambda: {}})
        await server.listen("tcp://127.0.0.1:0")
        return server

    loop = LoopRunner(asynchronous=False)
    loop.start()
    try:
        server = loop.run_sync(start)
        other = refused(BadSetting, match="another version of Dask")
        with other, joined_cluster(server.address, None):
            pass
        loop.run_sync(server.close)
    finally:
        loop.stop()


def test_workers_killed_at_random_lose_and_double_nothing(
    cluster: Client, study: Study, folder: StudyFolder, jobs: Jobs, marks: Marks
) -> None:
    deaths, notebooks = 20, 30
    # The last one lasts until enough workers were killed, whatever the machine does meanwhile.
    todo = jobs(*(f"0.3-{number:02}" for number in range(notebooks - 1)), "0.3-29-waits")
    chance = random.Random(20)
    killed: set[str] = set()
    over = threading.Event()

    def at_work() -> list[str]:
        """Processes whose notebook has begun and not ended."""
        found: dict[str, str] = {}
        for what, name, _, pid in marks():
            found[name] = pid if what == "began" else ""
        return sorted(set(found.values()) - killed - {""})

    def kill() -> None:
        while len(killed) < deaths and not over.is_set():
            time.sleep(chance.uniform(0.05, 0.5))
            for pid in at_work()[:1]:
                with suppress(psutil.NoSuchProcess):
                    psutil.Process(int(pid)).send_signal(signal.SIGKILL)
                    killed.add(pid)
        (folder.root.parent / "enough").touch()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        engine = Engine(cluster, study, folder, Limits(), perform=HERE + "sleep", most_deaths=100)
        progress = engine.run(todo)
    finally:
        over.set()
        killer.join()
    assert len(killed) == deaths
    assert progress.statuses == {Status.DONE: notebooks}
    assert folder.done() == {job.key for job in todo}
    ended = Counter(mark[1] for mark in marks() if mark[0] == "ended")
    assert len(ended) == notebooks
    # One that is killed between its end and the writing of its result was cut off.
    assert sum(ended.values()) - notebooks <= 2


@pytest.mark.parametrize(
    ("offer", "wanted", "expected"),
    [
        ({"SANDBOX": 4, "GPU": 1}, {"SANDBOX": 1, "GPU": 1}, 1),
        ({"SANDBOX": 2, "MEMORY": 10}, {"SANDBOX": 1, "MEMORY": 4}, 2),
        ({"SANDBOX": 2}, {"SANDBOX": 1, "MEMORY": 4}, 0),
    ],
)
def test_slots_are_what_fits_into_the_workers(
    offer: dict[str, float], wanted: dict[str, float], expected: int
) -> None:
    assert slots([offer, {}], wanted) == expected
    assert share([0, 1, 2, 3, 4], 1, 2) == [2, 3, 4]
    assert [share([3, 5], number, 3) for number in range(3)] == [[3], [5], [3]]
