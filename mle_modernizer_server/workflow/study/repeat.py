"""The engine of all studies: clean runs of a notebook that are no iterations of its session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import Conflict, ModernizerError
from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Iteration, Phase, Session
from mle_modernizer_server.domain.verification import RepeatedRun
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.events import Event
from mle_modernizer_server.workflow.run.run_once import Run, RunRequest, run_once, run_request
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.work import Cancelled, Work


@dataclass(frozen=True)
class Trial:
    """Settings of a run of a study.

    Attributes:
        notebook: The notebook to run.
        label: Beginning of its progress message: `Run 3 of 10`.
        reseeded: It is a copy with other seeds.
    """

    notebook: Notebook
    label: Messages
    reseeded: bool = False


@dataclass(frozen=True)
class Stop:
    """Early end of a study.

    Attributes:
        runs: Number of completed runs.
        error: What ended it: the user's cancel, or a problem.
    """

    runs: int
    error: Cancelled | ModernizerError

    @property
    def is_cancel(self) -> bool:
        """Return whether the user cancelled it."""
        return isinstance(self.error, Cancelled)

    def message(self, of: int) -> Messages:
        """Return the reason, for a study of so many runs."""
        if self.is_cancel:
            return coded("study.cancelled-after", runs=self.runs, of=of)
        return coded("study.failed-after", runs=self.runs, of=of, why=self.error.message)


class _Result(Protocol):
    """Result of a study so far."""

    @property
    def done(self) -> bool:
        """Return whether the study needs no more runs."""


_R = TypeVar("_R", bound=_Result)


async def repeat(
    work: Work,
    begun: _R,
    *,
    trial: Callable[[int], Trial],
    judge: Callable[[Sequence[RepeatedRun], Run], _R],
    stopped: Callable[[_R, Stop], _R],
    event: Callable[[_R], Event],
) -> _R:
    """Run trials one after the other until their result is done.

    Log the result when the study begins and after every run.

    Args:
        work: The session, whose settings apply.
        begun: The result before any run.
        trial: Returns the run of a number, from 1.
        judge: Returns the result after these runs, including the full latest run.
        stopped: Returns a result with the reason why it is not complete.
        event: Returns the event to log for a result.

    Raises:
        Cancelled, ModernizerError: As `run_once`; the runs so far are in the log.
    """
    work.write(event(begun))
    now = begun
    runs: list[RepeatedRun] = []
    while not now.done:
        number = len(runs) + 1
        one = await pools.files.run(trial, number)
        try:
            run = await measure(work, run_request(work, one.notebook), one.label)
        except (Cancelled, ModernizerError) as error:
            work.write(event(stopped(now, Stop(len(runs), error))))
            raise
        runs.append(repeated(number, run, reseeded=one.reseeded))
        now = judge(runs, run)
        work.write(event(now))
    return now


async def measure(
    work: Work, request: RunRequest, label: Messages, services: Services | None = None
) -> Run:
    """Run, grade and diagnose a notebook in a fresh kernel, separately from the iterations.

    Args:
        work: The session, which only receives the run's progress.
        label: Beginning of the progress message.
        services: With other competitions; None: the session's.

    Raises:
        Cancelled, ModernizerError: As `run_once`.
    """

    def tell(event: events.Progressed | events.Executed) -> None:
        if isinstance(event, events.Progressed):
            message = coded("progress.study", study=label, step=event.message)
            work.write(event.model_copy(update={"message": message, "label": label, "error": None}))

    work.write(events.Progressed(phase=Phase.PREPARING, message=label, label=label))
    return await run_once(request, services or work.services, on_event=tell, cancel=work.cancel)


def repeated(number: int, run: Run, *, reseeded: bool = False) -> RepeatedRun:
    """Return the stored summary of a run of a study."""
    score = run.grade.score
    reason = run.grade.reason if run.execution.ending is Ending.COMPLETED else ()
    return RepeatedRun(
        number=number,
        outcome=run.diagnosis.outcome,
        score=score,
        within_threshold=run.grade.within_threshold,
        seconds=run.execution.seconds,
        reseeded=reseeded,
        reason=() if score is not None else reason or run.diagnosis.summary,
    )


def studied(session: Session) -> Iteration:
    """Return the iteration that a session's studies examine: its best one.

    Raises:
        Conflict: No run has completed.
    """
    if session.best_run is None:
        raise Conflict(coded("conflict.nothing-ran"))
    return session.best_run
