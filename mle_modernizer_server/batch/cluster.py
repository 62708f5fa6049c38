"""The Dask cluster of a batch: made on this machine or joined, its workers' resources, its account.

Workers offer `SANDBOX` (runs at once), and may offer `GPU` (number) and `MEMORY` (bytes).
"""

from __future__ import annotations

import asyncio
import logging
import math
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import dask
import psutil
from distributed import (
    Client,
    Nanny,
    Scheduler,
    SchedulerPlugin,
    SpecCluster,
    Worker,
    WorkerPlugin,
    get_worker,
)
from distributed.system import MEMORY_LIMIT
from distributed.utils import get_mp_context

from mle_modernizer_server import __version__, pools
from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.rate_limits import Account, Answer, Gate, OpenGate
from mle_modernizer_server.batch.result import Receipt
from mle_modernizer_server.batch.study import Job, Limits, Study
from mle_modernizer_server.batch.worker import MODERNIZE, Perform, Place, carry_out
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.untrusted.programs import neutral_folder

SLOT = "SANDBOX"
"""The resource each notebook takes one of."""
_CONNECT = 20.0
"""Seconds until a scheduler must answer."""
_STOP = 20.0
"""Seconds a closed worker waits for its kernels to exit."""
_LEAST_MEMORY = 2**29
PARENT = "MLE_MODERNIZER_BATCH_PROCESS"
"""Environment variable with the id of this process, for `FORKED`."""
FORKED = "mle_modernizer_server.batch.preload"
"""Modules loaded in the process that workers are forked from."""


@dataclass(frozen=True)
class LocalWorkers:
    """The workers to start on this machine.

    Attributes:
        count: How many; each runs one notebook at a time. None: one for two processors.
        memory: Bytes that each and its notebook may use; None: an equal share of the machine's.
        gpus: How many of them have one GPU.
    """

    count: int | None = None
    memory: int | None = None
    gpus: int = 0


@contextmanager
def local_cluster(wanted: LocalWorkers) -> Iterator[Client]:
    """Start a scheduler and workers on this machine; end all of them when the context ends.

    Each worker has processors of its own, which its kernels inherit, so that neighbours disturb
    neither time limits nor one another's threads.
    """
    cores = _cores()
    count = wanted.count or max(1, len(cores) // 2)
    memory = wanted.memory or MEMORY_LIMIT // count
    workers = {
        number: {
            "cls": Nanny,
            "options": {
                "nthreads": 1,
                "memory_limit": 0,  # the kernel needs the memory; its limit is the sandbox's
                "resources": _offered(number, wanted, memory),
                "plugins": [Bounds(share(cores, number, count), memory)],
                "env": _environment(number, wanted),
                "name": f"worker-{number + 1}",
                "dashboard": False,
            },
        }
        for number in range(count)
    }
    scheduler = {
        "cls": Scheduler,
        "options": {"host": "127.0.0.1", "port": 0, "dashboard_address": _dashboard()},
    }
    forking = sys.platform == "linux"
    with (
        dask.config.set(
            {
                # The batch counts deaths itself, over restarts of the scheduler, too.
                "distributed.scheduler.allowed-failures": 0,
                "distributed.worker.multiprocessing-method": "forkserver" if forking else "spawn",
                # Workers log to standard error, which would interrupt the progress display.
                "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical",
            }
        ),
        _loaded_once(forking),
        SpecCluster(workers=workers, scheduler=scheduler, silence_logs=50) as cluster,
        Client(cluster, timeout=_CONNECT) as client,
    ):
        yield client


@contextmanager
def _loaded_once(forking: bool) -> Iterator[None]:
    """Set up the process that workers are forked from, which loads their modules once.

    Python looks for the modules of such a process in the current folder, too, which may be
    untrusted: it starts in another folder, and from Python 3.11 on does not search the current one.
    """
    inherited = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    os.environ[PARENT] = str(os.getpid())
    try:
        if forking:
            get_mp_context()  # Dask sets its own preload on the first call only
            multiprocessing.set_forkserver_preload([FORKED])
            _start_forking_process()
        yield
    finally:
        del os.environ[PARENT], os.environ["PYTHONSAFEPATH"]
        if inherited is not None:
            os.environ["PYTHONSAFEPATH"] = inherited


def _start_forking_process() -> None:
    folder = Path.cwd()
    os.chdir(neutral_folder())
    try:
        ensure_running()
    finally:
        os.chdir(folder)


@contextmanager
def joined_cluster(address: str | None, scheduler_file: Path | None) -> Iterator[Client]:
    """Join a scheduler that runs somewhere; it and its workers stay when the context ends.

    Raises:
        BadSetting: It does not answer, or is of another version.
    """
    where = address or str(scheduler_file)
    # We report a lost connection in a sentence; Dask would log its stack before.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        if scheduler_file is not None:
            client = Client(scheduler_file=str(scheduler_file), timeout=_CONNECT)
        else:
            client = Client(address, timeout=_CONNECT)
    except (OSError, ValueError, RuntimeError) as error:
        raise BadSetting(coded("batch.scheduler-silent", where=where, error=str(error))) from error
    except Exception as error:  # another version answers, but not as expected
        own = version("distributed")
        raise BadSetting(
            coded("batch.scheduler-other", where=where, error=str(error), version=own)
        ) from error
    with client:
        _check_versions(client, where)
        yield client


def _check_versions(client: Client, where: str) -> None:
    """Refuse a cluster whose processes cannot understand one another.

    Raises:
        BadSetting: One is of another version.
    """
    found: Any = client.get_versions()
    own = found["client"]["packages"]
    others = {"the scheduler": found["scheduler"], **found["workers"]}
    for name, there in others.items():
        theirs = (there or {}).get("packages", {})
        for package in ("python", "distributed"):
            mine, other = str(own.get(package)), str(theirs.get(package))
            parts = 2 if package == "python" else 3
            if mine.split(".")[:parts] != other.split(".")[:parts]:
                raise BadSetting(
                    coded(
                        "batch.other-package",
                        name=name,
                        where=where,
                        package=package,
                        other=other,
                        mine=mine,
                    )
                )
    try:
        told = {"the scheduler": client.run_on_scheduler(_version), **client.run(_version)}
    except Exception as error:  # any error of an import there
        raise BadSetting(
            coded("batch.worker-without", where=where, error=repr(error), version=__version__)
        ) from error
    for name, theirs in told.items():
        if theirs != __version__:
            raise BadSetting(
                coded(
                    "batch.scheduler-version",
                    name=name,
                    where=where,
                    version=theirs,
                    version2=__version__,
                )
            )


def _version() -> str:
    return __version__


def _cores() -> list[int]:
    process = psutil.Process()
    if hasattr(process, "cpu_affinity"):
        return sorted(process.cpu_affinity() or [])
    return list(range(os.cpu_count() or 1))


def share(cores: list[int], number: int, count: int) -> list[int]:
    """Return the processors of one of several workers; if there are too few, some are shared."""
    if count >= len(cores):
        return [cores[number % len(cores)]]
    start, end = number * len(cores) // count, (number + 1) * len(cores) // count
    return cores[start:end]


def _offered(number: int, wanted: LocalWorkers, memory: int) -> dict[str, float]:
    offered = {SLOT: 1.0, "MEMORY": float(memory)}
    return {**offered, "GPU": 1.0} if number < wanted.gpus else offered


def _environment(number: int, wanted: LocalWorkers) -> dict[str, str]:
    if not wanted.gpus:
        return {}
    return {"CUDA_VISIBLE_DEVICES": str(number) if number < wanted.gpus else ""}


def _dashboard() -> str | None:
    return "127.0.0.1:0" if find_spec("bokeh") is not None else None


class Bounds(WorkerPlugin):
    """Limits for a local worker and the kernels it starts."""

    name = "mle-modernizer-bounds"

    def __init__(self, cores: list[int], memory: int) -> None:
        self._cores = cores
        self._memory = memory

    def setup(self, worker: Worker) -> None:
        """Keep the process on its processors, and its memory below its share."""
        if threading.current_thread() is threading.main_thread():
            # Ctrl+C in a terminal reaches all its processes; only the command decides its
            # meaning. A handler, unlike ignoring, is not inherited by kernels.
            signal.signal(signal.SIGINT, lambda number, frame: None)
        process = psutil.Process()
        if hasattr(process, "cpu_affinity"):
            process.cpu_affinity(self._cores)
        if os.name == "posix":
            import resource

            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            limit = max(self._memory, _LEAST_MEMORY)
            if hard != resource.RLIM_INFINITY:
                limit = min(limit, hard)
            resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


# The account at the scheduler, and the way to it


def _operation(study: str, name: str) -> str:
    return f"mle_modernizer_{study}_{name}"


class Treasurer(SchedulerPlugin):
    """Keeps a batch's account at the scheduler."""

    def __init__(self, study: str, limits: Limits, usd: float, tokens: int) -> None:
        self.name = _treasurer(study)
        self._study = study
        self._account = Account(limits, spent_usd=usd, spent_tokens=tokens)

    async def start(self, scheduler: Scheduler) -> None:
        """Answer the workers."""
        for name, answer in (("reserve", self._reserve), ("settle", self._settle)):
            scheduler.handlers[_operation(self._study, name)] = answer

    def remove_worker(self, scheduler: Scheduler, worker: str, **_: Any) -> None:
        """Count the reservations of a removed worker as spent."""
        self._account.gone(worker)

    async def _reserve(self, tokens: int, usd: float, worker: str) -> dict[str, Any]:
        return self._account.reserve(time.monotonic(), tokens, usd, worker).model_dump()

    async def _settle(self, ticket: int, tokens: int, usd: float, calls: int) -> None:
        self._account.settle(ticket, tokens, usd, calls)


class _SchedulersGate:
    """Asks the account from a worker's task, whose event loop is not the worker's."""

    def __init__(self, worker: Worker, study: str) -> None:
        self._worker = worker
        self._study = study

    async def reserve(self, tokens: int, usd: float) -> Answer:
        """Ask once."""
        told = await self._ask("reserve", tokens=tokens, usd=usd, worker=self._worker.address)
        return Answer.model_validate(told)

    async def settle(self, ticket: int, tokens: int, usd: float, calls: int) -> None:
        """Report the call's actual cost."""
        await self._ask("settle", ticket=ticket, tokens=tokens, usd=usd, calls=calls)

    async def _ask(self, name: str, **values: object) -> object:
        call = getattr(self._worker.scheduler, _operation(self._study, name))
        loop: asyncio.AbstractEventLoop = self._worker.io_loop.asyncio_loop  # type: ignore[attr-defined]  # every tornado loop is one of asyncio now
        future = asyncio.run_coroutine_threadsafe(call(**values), loop)
        return await asyncio.wrap_future(future)


# Code that runs on a worker


@dataclass
class _AtWork:
    """The jobs this process carries out right now."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    places: list[Place] = field(default_factory=list)
    idle: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def with_place(self, place: Place) -> Iterator[None]:
        """Register a job while it runs."""
        with self.lock:
            self.places.append(place)
            self.idle.clear()
        try:
            yield
        finally:
            with self.lock:
                self.places.remove(place)
                if not self.places:
                    self.idle.set()


_at_work = _AtWork()
_at_work.idle.set()


class Steward(WorkerPlugin):
    """Ends a worker's kernels before the worker ends."""

    name = "mle-modernizer-steward"

    async def teardown(self, worker: Worker) -> None:
        """Stop the jobs and wait until their kernels have exited."""
        stop_all()
        await pools.process.run(_at_work.idle.wait, _STOP)


def stop_all() -> None:
    """Stop all jobs of this process."""
    with _at_work.lock:
        for place in _at_work.places:
            place.stop()


@dataclass(frozen=True)
class Task:
    """A worker's input for a job: small, however large the notebook is."""

    job: Job
    study: Study
    folder: str
    run: str
    gated: bool
    most_deaths: int
    perform: str = MODERNIZE


def do_task(task: Task) -> Receipt:
    """Carry a job out on this worker."""
    worker = get_worker()
    if task.study.version != __version__:
        raise BadSetting(
            coded(
                "batch.worker-version",
                worker=worker.name,
                version=__version__,
                version2=task.study.version,
            )
        )
    gate: Gate = _SchedulersGate(worker, task.study.id) if task.gated else OpenGate()
    place = Place(str(worker.name), task.run, gate, task.most_deaths)
    with _at_work.with_place(place):
        perform: Perform = resolve_name(task.perform)
        return carry_out(task.job, task.study, StudyFolder(Path(task.folder)), place, perform)


# The client's requests


def prepare(client: Client, study: Study, limits: Limits, usd: float, tokens: int) -> None:
    """Make the cluster ready for a batch: its account, and the certain end of its kernels."""
    client.register_plugin(Treasurer(study.id, limits, usd, tokens))
    client.register_plugin(Steward())


def release(client: Client, study: Study) -> None:
    """Close a batch's account if the scheduler still runs."""
    if client.status == "running":
        client.unregister_scheduler_plugin(_treasurer(study.id))


def _treasurer(study: str) -> str:
    return f"mle-modernizer-{study}"


def submit(client: Client, tasks: Mapping[str, Task], demand: dict[str, float]) -> list[Any]:
    """Start jobs on workers that have the resources they need.

    They are sent to the scheduler in one message: most of a task's cost is the message.

    Args:
        client: Of the cluster.
        tasks: By a name that no other task of the cluster has.
        demand: Resources that each of them takes.

    Returns:
        The futures of their receipts, in the same order.
    """
    futures: list[Any] = client.map(
        do_task,
        list(tasks.values()),
        key=list(tasks),
        resources=demand,
        retries=0,
        pure=False,
        batch_size=len(tasks),
    )
    return futures


def demand(job: Job) -> dict[str, float]:
    """Return the resources that a job takes of a worker while it runs."""
    return {SLOT: 1.0, **{name: amount for name, amount in job.line.resources.items() if amount}}


def slots(offers: Iterable[dict[str, float]], wanted: dict[str, float]) -> int:
    """Return how many jobs of a demand may run at once on workers with such resources."""
    return sum(
        min(
            (math.floor(offer.get(name, 0.0) / amount + 1e-9) for name, amount in wanted.items()),
            default=0,
        )
        for offer in offers
    )


def offers(client: Client) -> list[dict[str, float]]:
    """Return the resources of each worker there is now."""
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    return [dict(worker.get("resources") or {}) for worker in workers]


def places(client: Client) -> dict[str, str]:
    """Return the name of the worker that has each task, by the task's name."""
    workers = client.scheduler_info(n_workers=-1)["workers"]
    return {
        task: str(workers[address].get("name", address))
        for address, tasks in client.processing().items()
        if address in workers
        for task in tasks
    }


stop_workers = partial(Client.run, function=stop_all)
"""Stops all jobs on all workers."""
