"""Find a target: run the unchanged notebook with its original libraries.

The run is sealed and graded like any other. Its score becomes the session's target if it has none;
the environment's lock records its packages. The outputs of its cells are stored, so that today's
runs can be compared with them cell by cell.
"""

from __future__ import annotations

from dataclasses import replace

from mle_modernizer_server import pools
from mle_modernizer_server.domain.environment import (
    EnvironmentChoice,
    EnvironmentOrigin,
    EnvironmentTime,
    MadeEnvironment,
)
from mle_modernizer_server.domain.era import (
    ContrastKind,
    KeptRun,
    OwnTimeContrast,
    OwnTimeEnd,
    OwnTimeRun,
)
from mle_modernizer_server.domain.errors import EnvironmentUnavailable, NotFound, SandboxUnavailable
from mle_modernizer_server.domain.execution import CellStatus, Ending
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, OutputAgreement, notebook_hash
from mle_modernizer_server.execution.documents import saved_outputs
from mle_modernizer_server.workflow.environments import OWN_TIME
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.environment import settled_choice
from mle_modernizer_server.workflow.run.record import agreement_of, compare_with_own_time
from mle_modernizer_server.workflow.run.run_once import Run, RunOptions, run_options
from mle_modernizer_server.workflow.study.repeat import measure
from mle_modernizer_server.workflow.study.seed_variance import CHEAP_SECONDS
from mle_modernizer_server.workflow.verdict.endings import first_failure
from mle_modernizer_server.workflow.verdict.own_time import message_on
from mle_modernizer_server.workflow.work import Work

_LABEL = coded("label.own-time")


async def find_target(work: Work, notebook: Notebook) -> OwnTimeRun:
    """Run a notebook with its original libraries; log the result.

    Args:
        work: The session. If it has no target score, it gets the resulting one.
        notebook: The author's version.

    Raises:
        Cancelled: The user stopped the work.
        BadInput: No evidence of when the notebook was written.
        EnvironmentUnavailable: The environment cannot be created.
        SandboxUnavailable: The sandbox has a Python of its own.
        ModernizerError: As `run_once`.
    """
    choice = await settled_choice(work, notebook, OWN_TIME)
    if choice is None or choice.environment is None:
        raise SandboxUnavailable(coded("own-time.sandbox"))
    made = _record(work, choice)
    settings = work.settings
    options = RunOptions(
        settings.model_copy(update={"target_score": None}),
        work.folder,
        environment=choice,
        values=True,
    )

    run = await measure(work, notebook, _LABEL, options)
    agreement = agreement_of(work, run)
    found = described(run, notebook, choice, made, agreement)
    work.write(events.OwnTimeRan(run=found))
    left = dict(saved_outputs(run.executed, notebook).pairs)
    kept = KeptRun(notebook_hash=found.notebook_hash, values=dict(run.values or {}), outputs=left)
    work.log.store.keep_run(work.session_id, EnvironmentTime.OWN, kept)
    if found.score is not None and settings.target_score is None:
        changed = {"target_score": found.score, "target_kind": found.score_kind}
        work.write(events.SettingsChanged(settings=settings.model_copy(update=changed)))
    return found


async def compare_today(work: Work, notebook: Notebook) -> OwnTimeContrast | None:
    """Compare a notebook's run with today's libraries with the one with the original libraries.

    The latter runs first if it is not stored. If something differs and a run is cheap, today's is
    repeated: variation from run to run is then not reported as a difference.

    Args:
        notebook: The version to run today; the session's own notebook runs with its original
            libraries.

    Returns: None if that run left nothing to compare with.

    Raises:
        Cancelled, ModernizerError: As `find_target`.
    """
    session = work.session
    original = work.notebook(session.notebook_hash)
    kept = work.log.store.kept_run(work.session_id, EnvironmentTime.OWN)
    if kept is None or session.own_time is None:
        await find_target(work, original)
    options = replace(run_options(work), values=True)
    found: OwnTimeContrast | None = None
    for _ in range(2):
        run = await measure(work, notebook, coded("label.today"), options)
        found = compare_with_own_time(work, notebook, run)
        steady = found is None or found.first is None or found.first.kind is ContrastKind.SETTINGS
        if steady or run.execution.seconds >= CHEAP_SECONDS:
            break
    return found


async def backport(work: Work, notebook_path: str) -> Messages:
    """Add a kernel with the original libraries to Jupyter's menu; do not change the notebook.

    Run it there first, if it has not yet; if it fails, add nothing.

    Args:
        notebook_path: Path of the notebook.

    Returns: The outcome.

    Raises:
        BadInput: The user's kernels cannot be written.
        Cancelled, ModernizerError: As `find_target`.
    """
    environments = work.services.environments
    own = work.session.own_time
    if own is None or own.end is OwnTimeEnd.FAILED or not _is_kept(work, own):
        own = await find_target(work, work.notebook(work.session.notebook_hash))
    said = message_on(own, taken=False)
    if own.end is OwnTimeEnd.FAILED or environments is None:
        return said + coded("backport.not-made")
    made = await pools.packages.run(environments.put_into_menu, notebook_path, own)
    work.write(events.Backported(backport=made))
    return coded("backport.made", kernel=made.title) + said


def _is_kept(work: Work, run: OwnTimeRun) -> bool:
    environments = work.services.environments
    try:
        return environments is not None and bool(environments.kept.get(run.environment))
    except (NotFound, EnvironmentUnavailable):
        return False


def described(
    run: Run,
    notebook: Notebook,
    choice: EnvironmentChoice,
    made: MadeEnvironment | None,
    agreement: OutputAgreement | None,
) -> OwnTimeRun:
    """Return the result of a run with the original libraries.

    Args:
        notebook: The notebook that ran.
        agreement: Comparison of its outputs with the saved ones; None without saved ones.
    """
    grade, execution = run.grade, run.execution
    environment = choice.environment
    score = grade.score
    compared = 0 if agreement is None else agreement.compared
    failure = first_failure(run.diagnosis, execution)
    failure = coded("own-time.stops", failure=failure) if failure else ()
    ran = tuple(cell.cell_id for cell in execution.cells if cell.status is CellStatus.OK)
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
        failing=tuple(error.cell_id for error in execution.raised),
        ran=ran,
        compared=compared,
        agreeing=0 if agreement is None else agreement.agreeing,
        close=0 if agreement is None else agreement.close,
        seconds=execution.seconds,
    )


def _record(work: Work, choice: EnvironmentChoice) -> MadeEnvironment | None:
    environments, chosen = work.services.environments, choice.environment
    if environments is None or chosen is None or chosen.origin is not EnvironmentOrigin.MADE:
        return None
    return environments.kept.get(chosen.name)
