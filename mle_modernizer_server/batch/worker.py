"""One job on one worker: claim, run, write; whatever happens, the other jobs continue."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone

from mle_modernizer_server import __version__
from mle_modernizer_server.batch.claim import Claimed, claim
from mle_modernizer_server.batch.folder import AttemptEvent, StudyFolder
from mle_modernizer_server.batch.rate_limits import Gate
from mle_modernizer_server.batch.result import Receipt, Result, Status
from mle_modernizer_server.batch.study import Job, Study
from mle_modernizer_server.domain.errors import ModernizerError, SandboxUnavailable
from mle_modernizer_server.domain.proposal import LearnedRule
from mle_modernizer_server.words import text

_logger = logging.getLogger(__name__)

MOST_DEATHS = 2
"""Workers that may die of a notebook in one start of the batch before it is set aside."""
_MOST_CUT_OFF = 4
"""The same over all starts: a notebook that crashes the machine leaves no other trace."""


@dataclass
class Place:
    """The place of a job's execution, and the way to stop it.

    Attributes:
        worker: Name of the worker.
        run: Id of the batch's start.
        gate: Checked before each call of a model.
        most_deaths: Deaths of workers after which a notebook is set aside.
    """

    worker: str
    run: str
    gate: Gate
    most_deaths: int = MOST_DEATHS
    _stopped: bool = False
    _loop: asyncio.AbstractEventLoop | None = None
    _cancel: Callable[[], None] | None = field(default=None, repr=False)

    def stop(self) -> None:
        """Stop the work as soon as its kernel has exited; may be called from any thread."""
        self._stopped = True
        loop, cancel = self._loop, self._cancel
        if loop is not None and cancel is not None and not loop.is_closed():
            loop.call_soon_threadsafe(cancel)

    @property
    def stopped(self) -> bool:
        """Return whether somebody stopped it."""
        return self._stopped

    @contextmanager
    def stoppable(self, cancel: Callable[[], None]) -> Iterator[None]:
        """Let `cancel` be called, on the running event loop, once somebody stops the job."""
        self._loop, self._cancel = asyncio.get_running_loop(), cancel
        try:
            if self._stopped:
                cancel()
            yield
        finally:
            self._cancel = None


Perform = Callable[[Job, Study, StudyFolder, Place], "Done"]
"""Works on a job; one function for all jobs of a batch."""
MODERNIZE = "mle_modernizer_server.batch.job:modernize_job"
"""Import path of the usual `Perform`, loaded on the worker that needs it."""


@dataclass(frozen=True)
class Done:
    """Files to write for a job.

    Attributes:
        result: Its result.
        session: The session's history as JSON; empty if there is none.
        notebook: The changed notebook's file; None if it was not changed.
        rules: Rules learned from its fixes, for later notebooks.
    """

    result: Result
    session: str = ""
    notebook: bytes | None = None
    rules: tuple[LearnedRule, ...] = ()


class Stopped(Exception):
    """The work was stopped from outside; no result must be written."""


def carry_out(
    job: Job, study: Study, folder: StudyFolder, place: Place, perform: Perform
) -> Receipt:
    """Carry a job out and write its files, unless it is done already.

    No other worker has the job meanwhile, on any machine. An error of one job is reported in its
    receipt: the others continue.

    Args:
        job: The job.
        study: Settings for all jobs.
        folder: Destination of its files.
        place: Worker and run.
        perform: The work.
    """
    try:
        there = folder.read_study()
        if there is None or there.id != study.id:
            return _undone(job, f"{place.worker} does not see the batch's folder {folder.root}.")
        path = folder.root / "claims" / f"{job.key}.json"
        with claim(path, run=place.run, worker=place.worker, give_up=lambda: place.stopped):
            return _claimed(job, study, folder, place, perform)
    except (Stopped, Claimed):
        return Receipt(key=job.key, stopped=True, message="It was stopped.")
    except OSError as error:
        return _undone(job, f"{place.worker}: {error.strerror or error} ({error.filename}).")
    except ModernizerError as error:
        return _undone(job, f"{place.worker}: {text(error.message)}")


def receipt_of(result: Result) -> Receipt:
    """Return the receipt for a result that is written."""
    return Receipt(
        key=result.key,
        state=result.last_state,
        has_target=result.target is not None,
        status=result.status,
        message=result.message,
        seconds=result.seconds,
        usage=result.usage,
    )


def _undone(job: Job, message: str) -> Receipt:
    return Receipt(key=job.key, message=message)


def _claimed(
    job: Job, study: Study, folder: StudyFolder, place: Place, perform: Perform
) -> Receipt:
    known = folder.result(job.key)
    if known is not None:
        return receipt_of(known)
    aside = reason_to_set_aside(folder, job.key, place.run, place.most_deaths)
    if aside:
        result = without_run(job, Status.SET_ASIDE, aside, place.worker)
        folder.keep(result)
        return receipt_of(result)
    folder.note(job.key, AttemptEvent.BEGAN, place.run, place.worker)
    try:
        done = perform(job, study, folder, place)
    except (Stopped, SandboxUnavailable):
        folder.note(job.key, AttemptEvent.STOPPED, place.run, place.worker)
        raise
    except ModernizerError as error:
        done = Done(without_run(job, Status.REFUSED, text(error.message), place.worker))
    except Exception as error:  # a defect of ours must not stop the other notebooks
        _logger.exception("Work on %s broke down", job.line.name)
        folder.note(job.key, AttemptEvent.STOPPED, place.run, place.worker)
        return _undone(job, f"Something went wrong inside MLE Modernizer ({error!r}).")
    folder.keep_rules(done.rules)
    folder.keep(done.result, session=done.session, notebook=done.notebook)
    return receipt_of(done.result)


def reason_to_set_aside(folder: StudyFolder, key: str, run: str, most_deaths: int) -> str:
    """Return the reason not to start a job again; empty if it may start."""
    attempts = folder.attempts(key)

    def cut_off(only: str | None) -> int:
        signs = [attempt for attempt in attempts if only in (None, attempt.run)]
        began = sum(attempt.event is AttemptEvent.BEGAN for attempt in signs)
        return began - sum(attempt.event is AttemptEvent.STOPPED for attempt in signs)

    deaths, all_starts = cut_off(run), cut_off(None)
    if deaths >= most_deaths:
        died = ", ".join(
            attempt.worker
            for attempt in attempts
            if attempt.run == run and attempt.event is AttemptEvent.BEGAN
        )
        return (
            f"Set aside: {deaths} workers died while they worked on it ({died}). Most often that "
            "is memory; give it more (--worker-memory) and try again with --again set-aside."
        )
    if all_starts >= max(_MOST_CUT_OFF, 2 * most_deaths):
        return (
            f"Set aside: it was begun {all_starts} times and never came to its end. Try again with "
            "--again set-aside."
        )
    return ""


def without_run(job: Job, status: Status, message: str, worker: str) -> Result:
    """Return the result of a job that nothing was run for."""
    return Result(
        key=job.key,
        line=job.line,
        arm=job.arm,
        repetition=job.repetition,
        status=status,
        message=message,
        started=datetime.now(timezone.utc),
        seconds=0.0,
        worker=worker,
        version=__version__,
    )
