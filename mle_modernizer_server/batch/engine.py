"""Runs a batch: which job is started when, what happens if a worker dies, when to stop.

The scheduler never gets more jobs than workers can begin at once, so that the longest comes
first and no job has to be taken back.
"""

from __future__ import annotations

import heapq
import itertools
import queue
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any

from distributed import Client, KilledWorker

from mle_modernizer_server.batch import cluster
from mle_modernizer_server.batch.cluster import Task
from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.result import Receipt, Status
from mle_modernizer_server.batch.study import Job, Limits, Problem, Study
from mle_modernizer_server.batch.worker import (
    MODERNIZE,
    MOST_DEATHS,
    reason_to_set_aside,
    receipt_of,
    without_run,
)
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.statistics import State
from mle_modernizer_server.words import text

_TICK = 0.25
"""Seconds between two checks of the clock and of the user's request."""
_WORKERS = 2.0
"""Seconds between two checks of the list of workers."""
_MOST_TRIES = 2
"""Most attempts of a job in one start of the batch if workers could not do it."""
_STOPPING = 30.0
"""Seconds until kernels must have exited after a stop."""


class SchedulerLost(ModernizerError):
    """The connection to the scheduler is lost; finished work is on disk."""

    code = "scheduler_lost"
    status = 503


@dataclass
class Progress:
    """Progress of a batch.

    Attributes:
        total: Jobs in all.
        before: Jobs done before this start.
        states: Number of all jobs by final state.
        has_targets: Whether any of them had a score to reach.
        statuses: Number of all jobs by status.
        running: The running jobs, with the moment of their start.
        places: The worker of each of them, if known.
        usage: Cost of models, in all starts.
        left: Jobs not begun.
        stopping: No new jobs start.
        reason: Why.
        workers: How many jobs can run at once.
    """

    total: int
    before: int = 0
    states: Counter[State] = field(default_factory=Counter)
    has_targets: bool = False
    statuses: Counter[Status] = field(default_factory=Counter)
    running: dict[str, tuple[Job, float]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    left: int = 0
    stopping: bool = False
    reason: str = ""
    workers: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def done(self) -> int:
        """Return the number of jobs that have a result."""
        return sum(self.statuses.values())

    @property
    def rate(self) -> float | None:
        """Return the jobs per second in this start; None before the first."""
        finished = self.done - self.before
        passed = time.monotonic() - self.began
        return finished / passed if finished and passed > 0 else None

    @property
    def seconds_left(self) -> float | None:
        """Return the estimated seconds left at this rate; None if there is no rate yet."""
        return None if not self.rate else (self.left + len(self.running)) / self.rate


@dataclass(frozen=True)
class Wish:
    """The user's current request.

    Attributes:
        stop: Begin nothing new.
        abort: End running jobs, too.
    """

    stop: bool = False
    abort: bool = False


@dataclass
class _Queue:
    """The jobs with the same resource needs, longest first."""

    demand: dict[str, float]
    heap: list[tuple[float, int, Job]] = field(default_factory=list)
    running: int = 0
    slots: int = 0


class Engine:
    """One start of a batch.

    Attributes:
        progress: Its progress.
        problems: The failed jobs, one by one.
    """

    def __init__(
        self,
        client: Client,
        study: Study,
        folder: StudyFolder,
        limits: Limits,
        *,
        watch: Callable[[Progress], Wish] = lambda progress: Wish(),
        on_end: Callable[[Job, Receipt], None] = lambda job, receipt: None,
        perform: str = MODERNIZE,
        most_deaths: int = MOST_DEATHS,
    ) -> None:
        """
        Args:
            client: Of the cluster.
            study: Settings for all jobs.
            folder: Opened for the study.
            limits: Of all work together.
            watch: Called with the progress some times a second; returns the user's request.
            on_end: Called for each job that has a result now.
            perform: The work on a job: `module:function`, a `Perform`.
            most_deaths: Deaths of workers after which a notebook is set aside.
        """
        self._client = client
        self._study = study
        self._folder = folder
        self._limits = limits
        self._watch = watch
        self._on_end = on_end
        self._perform = perform
        self._most_deaths = most_deaths
        self._run = secrets.token_hex(4)
        self._queues: dict[frozenset[tuple[str, float]], _Queue] = {}
        self._ended: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._futures: dict[str, Any] = {}
        self._attempts: Counter[str] = Counter()
        self._spent = Usage()
        self._looked = 0.0
        self._order = itertools.count()
        self.progress = Progress(0)
        self.problems: list[Problem] = []

    def run(self, jobs: Iterable[Job]) -> Progress:
        """Do all jobs that have no result yet; return when none is running.

        Raises:
            SchedulerLost: The scheduler exited.
        """
        self._spent = self._folder.spent()
        spent = self._spent
        tokens = spent.input_tokens + spent.output_tokens
        cluster.prepare(self._client, self._study, self._limits, spent.cost_usd or 0.0, tokens)
        self._take(jobs)
        try:
            self._work()
        finally:
            cluster.release(self._client, self._study)
        self._watch(self.progress)
        return self.progress

    def _work(self) -> None:
        aborted = 0.0
        while self.progress.running or (self.progress.left and not self.progress.stopping):
            wish = self._watch(self.progress)
            if wish.stop or wish.abort:
                self._stop("Stopped; the same command goes on.")
            if wish.abort and not aborted:
                aborted = time.monotonic()
                cluster.stop_workers(self._client)
            if aborted and time.monotonic() - aborted > _STOPPING:
                break
            self._check_scheduler()
            self._start()
            self._wait()

    # Queue of jobs

    def _take(self, jobs: Iterable[Job]) -> None:
        done = self._folder.done()
        progress = self.progress
        progress.usage = self._spent
        for job in jobs:
            progress.total += 1
            known = self._folder.result(job.key) if job.key in done else None
            if known is not None and known.out_of_budget and not self._used_up():
                self._folder.forget(job.key)
                known = None
            if known is not None:
                progress.before += 1
                self._count(receipt_of(known))
                continue
            self._enqueue(job)
        progress.began = time.monotonic()

    def _enqueue(self, job: Job) -> None:
        demand = cluster.demand(job)
        waiting = self._queues.setdefault(frozenset(demand.items()), _Queue(demand))
        expected = 0.0 if job.line.seconds is None else job.line.seconds
        heapq.heappush(waiting.heap, (-expected, next(self._order), job))
        self.progress.left += 1

    def _count(self, receipt: Receipt) -> None:
        assert receipt.status is not None
        self.progress.statuses[receipt.status] += 1
        self.progress.states[receipt.state] += 1
        self.progress.has_targets |= receipt.has_target

    def _stop(self, reason: str) -> None:
        if not self.progress.stopping:
            self.progress.stopping, self.progress.reason = True, reason

    # Starting

    def _start(self) -> None:
        self._look_at_workers()
        if self.progress.stopping:
            return
        if self._used_up():
            self._stop("The batch's budget is spent; the same command with a larger one goes on.")
            return
        for waiting in self._queues.values():
            free = min(
                self.progress.workers - len(self.progress.running), waiting.slots - waiting.running
            )
            count = min(free, len(waiting.heap))
            if count > 0:
                self._submit([heapq.heappop(waiting.heap)[2] for _ in range(count)], waiting)
        if not self.progress.running and self.progress.workers:
            self._give_up()

    def _submit(self, jobs: list[Job], waiting: _Queue) -> None:
        self.progress.left -= len(jobs)
        waiting.running += len(jobs)
        self._attempts.update(job.key for job in jobs)
        tasks = {self._name(job): self._task(job) for job in jobs}
        futures = cluster.submit(self._client, tasks, waiting.demand)
        for job, future in zip(jobs, futures, strict=True):
            self._futures[job.key] = future
            self.progress.running[job.key] = (job, time.monotonic())
            future.add_done_callback(lambda ended, key=job.key: self._ended.put((key, ended)))

    def _name(self, job: Job) -> str:
        return f"{self._study.id}-{job.key}-{self._run}-{self._attempts[job.key]}"

    def _task(self, job: Job) -> Task:
        return Task(
            job=job,
            study=self._study,
            folder=str(self._folder.root.absolute()),
            run=self._run,
            gated=self._limits.bounded,
            most_deaths=self._most_deaths,
            perform=self._perform,
        )

    def _look_at_workers(self) -> None:
        now = time.monotonic()
        if now - self._looked < _WORKERS and self.progress.workers:
            return
        self._looked = now
        found = cluster.offers(self._client)
        at_work = cluster.places(self._client)
        self.progress.places = {
            key: at_work[future.key]
            for key, future in self._futures.items()
            if future.key in at_work
        }
        self.progress.workers = cluster.slots(found, {cluster.SLOT: 1.0})
        for waiting in self._queues.values():
            waiting.slots = cluster.slots(found, waiting.demand)
        if found and not self.progress.workers:
            raise ModernizerError(coded("batch.no-slot", slot=cluster.SLOT))

    def _give_up(self) -> None:
        """Report the jobs that no worker can take, now that no other job is left."""
        for waiting in self._queues.values():
            asked = ", ".join(f"{name} {amount:g}" for name, amount in waiting.demand.items())
            while waiting.heap and not waiting.slots:
                _, _, job = heapq.heappop(waiting.heap)
                self.progress.left -= 1
                self._problem(job, f"No worker offers what it asks for ({asked}).")

    def _used_up(self) -> bool:
        limits, spent = self._limits, self.progress.usage
        tokens = spent.input_tokens + spent.output_tokens
        return (limits.usd is not None and (spent.cost_usd or 0.0) >= limits.usd) or (
            limits.tokens is not None and tokens >= limits.tokens
        )

    # Ends

    def _wait(self) -> None:
        try:
            key, future = self._ended.get(timeout=_TICK)
        except queue.Empty:
            return
        self._end(key, future)
        while not self._ended.empty():
            self._end(*self._ended.get())

    def _end(self, key: str, future: Any) -> None:
        del self._futures[key]
        job, _ = self.progress.running.pop(key)
        waiting = self._queues[frozenset(cluster.demand(job).items())]
        waiting.running -= 1
        try:
            receipt = future.result()
        except KilledWorker:
            self._died(job)
        except CancelledError:
            self._enqueue(job)
            self._check_scheduler()
        except ModernizerError as error:
            self._problem(job, text(error.message))
        except Exception as error:  # noqa: BLE001  # whatever hinders a task from beginning there
            self._problem(job, f"The worker could not begin it: {error!r}")
        else:
            self._settle(job, receipt)
        finally:
            future.release()

    def _settle(self, job: Job, receipt: Receipt) -> None:
        if receipt.stopped:
            self._enqueue(job)
        elif receipt.status is not None:
            self.progress.usage += receipt.usage
            self._count(receipt)
            self._on_end(job, receipt)
        elif self._attempts[job.key] < _MOST_TRIES:
            self._enqueue(job)
        else:
            self._problem(job, receipt.message)

    def _died(self, job: Job) -> None:
        """Start the job again, or set it aside, depending on its attempts on disk."""
        known = self._folder.result(job.key)
        if known is not None:
            self._settle(job, receipt_of(known))
            return
        aside = reason_to_set_aside(self._folder, job.key, self._run, self._most_deaths)
        if aside:
            result = without_run(job, Status.SET_ASIDE, aside, worker="")
            self._folder.keep(result)
            self._settle(job, receipt_of(result))
        else:
            self._enqueue(job)

    def _problem(self, job: Job, message: str) -> None:
        self.problems.append(Problem(line=job.line.number, name=job.line.name, message=message))

    def _check_scheduler(self) -> None:
        if self._client.status != "running":
            raise SchedulerLost(coded("batch.scheduler-gone"))
