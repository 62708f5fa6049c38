"""What a batch performs in tests instead of the workflow: quick, and able to die."""

from __future__ import annotations

import asyncio
import os
import signal
import time

from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.result import Status
from mle_modernizer_server.batch.study import Job, Study
from mle_modernizer_server.batch.worker import Done, Place, Stopped, without_run
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import verbatim

HERE = "tests.batch.stand_ins:"


def _mark(folder: StudyFolder, job: Job, what: str, place: Place) -> None:
    with (folder.root.parent / "marks.txt").open("a") as stream:
        stream.write(f"{what} {job.line.name} {place.worker} {os.getpid()}\n")


def _done(job: Job, place: Place, message: str = "Done.") -> Done:
    return Done(without_run(job, Status.DONE, message, place.worker))


def sleep(job: Job, study: Study, folder: StudyFolder, place: Place) -> Done:
    """Takes as long as the notebook's name says, `0.2-…`, and can be stopped.

    One whose name ends with `-waits` also waits for the file `enough` beside the batch's folder.
    """
    _mark(folder, job, "began", place)
    end = time.monotonic() + float(job.line.name.partition("-")[0])
    enough = folder.root.parent / "enough"
    while time.monotonic() < end or (job.line.name.endswith("-waits") and not enough.exists()):
        if place.stopped:
            _mark(folder, job, "stopped", place)
            raise Stopped
        time.sleep(0.02)
    _mark(folder, job, "ended", place)
    return _done(job, place)


def deadly(job: Job, study: Study, folder: StudyFolder, place: Place) -> Done:
    """Notebooks whose name begins with `deadly` kill their worker."""
    _mark(folder, job, "began", place)
    if job.line.name.startswith("deadly"):
        os.kill(os.getpid(), signal.SIGKILL)
    if job.line.name.startswith("bad"):
        raise BadInput(verbatim("It is bad."))
    if job.line.name.startswith("defect"):
        raise ZeroDivisionError("a defect")
    if job.line.name.startswith("full"):
        raise OSError(28, "No space left on device", "/full")
    return _done(job, place, f"On {sorted(os.sched_getaffinity(0))}.")


def asks(job: Job, study: Study, folder: StudyFolder, place: Place) -> Done:
    """Asks a model for 100 tokens as often as it is let, three times at most."""

    async def ask() -> int:
        for number in range(3):
            answer = await place.gate.reserve(100, 0.01)
            while answer.wait:
                await asyncio.sleep(0.05)
                answer = await place.gate.reserve(100, 0.01)
            if answer.ticket is None:
                return number
            await place.gate.settle(answer.ticket, 100, 0.01, 1)
        return 3

    return _done(job, place, str(asyncio.run(ask())))


def nothing(job: Job, study: Study, folder: StudyFolder, place: Place) -> Done:
    """Takes no time."""
    return _done(job, place)
