"""Finds a target: runs the notebook, unchanged, in the libraries of its own time.

The run is sealed and graded like any other. Its score becomes the session's target where it has
none; the environment's lock says what it was recorded with.
"""

from __future__ import annotations

from mle_modernizer_server.domain.environments import (
    EnvironmentChoice,
    EnvironmentOrigin,
    MadeEnvironment,
)
from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.execution import CellStatus, Ending
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.own_time import OwnTimeEnd, OwnTimeRun
from mle_modernizer_server.domain.saved_outputs import OutputAgreement
from mle_modernizer_server.workflow.environments import OWN_TIME
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.environment import settled_choice
from mle_modernizer_server.workflow.run.record import agreement_of
from mle_modernizer_server.workflow.run.run_once import Run, RunOptions
from mle_modernizer_server.workflow.study.repeat import measure
from mle_modernizer_server.workflow.verdict.endings import first_failure
from mle_modernizer_server.workflow.work import Work

_LABEL = coded("label.own-time")


async def find_target(work: Work, notebook: Notebook) -> OwnTimeRun:
    """Run a notebook in the libraries of its own time; what it gave is in the log.

    Args:
        work: The session. Where it has no target score, it gets the one that is found.
        notebook: As its author left it.

    Raises:
        Cancelled: The user stopped the work.
        BadInput: Nothing tells when the notebook was written.
        EnvironmentUnavailable: The environment cannot be made.
        SandboxUnavailable: The sandbox has a Python of its own.
        ModernizerError: As `run_once`.
    """
    choice = await settled_choice(work, notebook, OWN_TIME)
    if choice is None or choice.environment is None:
        raise SandboxUnavailable(
            "The target is found in an environment made here; choose the sandbox `bubblewrap` or "
            "`process`."
        )
    made = _record(work, choice)
    settings = work.settings
    options = RunOptions(
        settings.model_copy(update={"target_score": None}),
        work.folder,
        environment=choice,
    )

    run = await measure(work, notebook, _LABEL, options)
    agreement = agreement_of(work, run)
    found = described(run, notebook, choice, made, agreement)
    work.write(events.OwnTimeRan(run=found))
    if found.score is not None and settings.target_score is None:
        changed = {"target_score": found.score, "target_kind": found.score_kind}
        work.write(events.SettingsChanged(settings=settings.model_copy(update=changed)))
    return found


def described(
    run: Run,
    notebook: Notebook,
    choice: EnvironmentChoice,
    made: MadeEnvironment | None,
    agreement: OutputAgreement | None,
) -> OwnTimeRun:
    """What a run in the libraries of its time came to.

    Args:
        run: It.
        notebook: What ran.
        choice: The environment.
        made: Its record.
        agreement: How its outputs compare with the saved ones; None where none were.
    """
    grade, execution = run.grade, run.execution
    environment = choice.environment
    score = grade.score
    compared = 0 if agreement is None else agreement.compared
    failure = first_failure(run.diagnosis, execution)
    failure = coded("own-time.stops", failure=failure) if failure else ()
    ran = any(cell.status is CellStatus.OK for cell in execution.cells)
    whole = execution.ending is Ending.COMPLETED
    if score is not None:
        end = OwnTimeEnd.SCORE
    elif not whole or not ran or (failure and not compared):
        end = OwnTimeEnd.FAILED
    else:
        end = OwnTimeEnd.OUTPUTS if compared else OwnTimeEnd.NO_SCORE
    packages = {} if environment is None else environment.packages
    reason = failure or execution.message
    if not reason and score is None:
        reason = grade.reason or run.diagnosis.summary
    return OwnTimeRun(
        end=end,
        notebook_hash=notebook_hash(notebook),
        environment="" if environment is None else environment.name,
        lock="" if made is None else made.lock,
        python="" if environment is None else environment.python,
        packages={name: version for name, version in packages.items() if version},
        until=None if made is None else made.order.until,
        remarks=choice.remarks,
        score=score,
        score_kind=grade.score_kind,
        reason=reason,
        failing=tuple(error.cell_id for error in execution.errors if error.raised),
        compared=compared,
        agreeing=0 if agreement is None else agreement.agreeing,
        seconds=execution.seconds,
    )


def message_on(found: OwnTimeRun, *, taken: bool) -> Messages:
    """What came of it.

    Args:
        found: It.
        taken: Whether its score is the session's target now.
    """
    libraries = found.libraries
    outputs: Messages = ()
    if found.compared:
        outputs = coded("own-time.outputs", count=found.compared, agreeing=found.agreeing)
    if found.end is OwnTimeEnd.SCORE and found.score is not None:
        told = coded("own-time.is-target") if taken else ()
        return coded("own-time.score", libraries=libraries, score=found.score) + told + outputs
    if found.end is OwnTimeEnd.OUTPUTS:
        return coded("own-time.no-score", libraries=libraries) + outputs
    if found.end is OwnTimeEnd.NO_SCORE:
        return coded("own-time.runs-without-score", libraries=libraries) + found.reason
    return coded("own-time.fails", libraries=libraries) + found.reason + outputs


def _record(work: Work, choice: EnvironmentChoice) -> MadeEnvironment | None:
    environments, chosen = work.services.environments, choice.environment
    if environments is None or chosen is None or chosen.origin is not EnvironmentOrigin.MADE:
        return None
    return environments.kept.get(chosen.name)
