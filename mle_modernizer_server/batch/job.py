"""A batch's work on one notebook: the workflow of `jupyter modernize`, from file to result."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timezone
from functools import cache
from pathlib import Path

from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.rate_limits import Rationed
from mle_modernizer_server.batch.result import RunScore, Status
from mle_modernizer_server.batch.study import Arm, Job, Study, Work
from mle_modernizer_server.batch.worker import Done, Place, Stopped, without_run
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.execution import ExecutionStatus
from mle_modernizer_server.domain.message import verbatim
from mle_modernizer_server.domain.proposal import FixerName, LearnedRule
from mle_modernizer_server.domain.session import Phase, Session, grade_of
from mle_modernizer_server.domain.settings import Mode, SessionSettings, checked_settings
from mle_modernizer_server.domain.statistics import SessionFacts
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_modernizer, clear_leftovers
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.service import KERNEL_METADATA, Modernizer, era_of


@cache
def _clear_once() -> None:
    """Remove the leftovers of killed workers on this machine, once per process."""
    clear_leftovers()


def modernize_job(job: Job, study: Study, folder: StudyFolder, place: Place) -> Done:
    """Work on a notebook as `jupyter modernize` does; the `Perform` of a batch.

    Raises:
        ModernizerError: It cannot be worked on.
        Stopped: It was stopped.
    """
    _clear_once()
    started, clock = datetime.now(timezone.utc), time.monotonic()
    arm = next(arm for arm in study.arms if arm.name == job.arm)
    file = open_notebook(Path(job.line.notebook))
    llm = LlmSettings.from_environment(base_url=study.base_url, model=arm.model or study.model)
    rationed = Rationed(
        place.gate, llm.known_price, lambda usage: folder.note_spending(job.key, usage)
    )
    learns = study.learn and arm.learns
    own_rules = None if study.rules_path is None else Path(study.rules_path)
    modernizer = build_modernizer(
        data_root=Path(study.data_root),
        sandbox=study.sandbox,
        containers=_containers(study, job),
        llm=llm,
        rules_path=folder.rules if learns else own_rules,
        around_model=rationed.around,
        notebook_folder=lambda path: file.path.parent,
    )
    settings = settings_of(job, study, arm, file, modernizer)
    modernizer.services.choose_sandbox(settings.sandbox)

    cancelling: list[asyncio.Task[Session]] = []  # the loop has only weak references to tasks

    async def cancel(session: Session) -> Session:
        return await modernizer.sessions.cancel(session.id)

    async def learned(session: Session) -> tuple[LearnedRule, ...]:
        rules = await modernizer.runs.learned_rules(session.id)
        if not rules or not study.try_own_time:
            return rules
        modernizer.studies.start_target(session.id)
        with place.stoppable(lambda: cancelling.append(asyncio.create_task(cancel(session)))):
            await modernizer.sessions.finished(session.id)
        if place.stopped:
            raise Stopped
        return await modernizer.runs.learned_rules(session.id)

    async def work() -> tuple[Session, SessionFacts, tuple[LearnedRule, ...]]:
        try:
            session = modernizer.sessions.create(
                job.line.name, file.notebook, settings, file.traces, file.path.parent, file.saved
            )
            start = (
                modernizer.runs.start_check if arm.work is Work.RUN else modernizer.runs.start_run
            )
            start(session.id, file.notebook)
            with place.stoppable(lambda: cancelling.append(asyncio.create_task(cancel(session)))):
                session = await modernizer.sessions.finished(session.id)
            if place.stopped:
                raise Stopped
            facts = (await modernizer.sessions.session_statistics(session.id)).facts
            return session, facts, await learned(session) if learns else ()
        finally:
            await modernizer.jobs.close()
            await modernizer.services.paused.close()

    try:
        session, facts, rules = asyncio.run(work())
        done = _done(job, session, facts, modernizer, file)
        told = {
            "worker": place.worker,
            "started": started,
            "seconds": time.monotonic() - clock,
            "out_of_budget": rationed.refused,
        }
        return replace(done, result=done.result.model_copy(update=told), rules=rules)
    finally:
        modernizer.log.close()


def settings_of(
    job: Job, study: Study, arm: Arm, file: NotebookFile, modernizer: Modernizer
) -> SessionSettings:
    """Return a job's settings: the arm's, else its line's, the batch's, the notebook's own.

    Raises:
        BadSetting: One of them cannot be used.
    """
    defaults = file.defaults
    own = {
        "competition": defaults.competition,
        "target_score": defaults.target_score,
        "time_limit": defaults.time_limit,
        "target_kind": defaults.target_kind,
        "distance": defaults.distance,
    }
    given = {
        **{name: value for name, value in own.items() if value is not None},
        **study.settings,
        **job.line.settings,
        **arm.settings,
        "mode": Mode.AUTO,
    }
    if given.get("competition") is None:
        found = modernizer.environments.detect(
            file.notebook, title=file.path.stem, kernel_metadata=file.beside(KERNEL_METADATA)
        )
        given["competition"] = found.competition
    missing = modernizer.services.missing
    settings = checked_settings(given)
    if "fixers" in given and FixerName.LLM in settings.fixers and FixerName.LLM in missing:
        raise BadSetting(verbatim(missing[FixerName.LLM]))
    return settings


def _containers(study: Study, job: Job) -> Settings:
    memory = job.line.resources.get("MEMORY")
    own = {} if memory is None else {"memory": int(memory)}
    # The values of `study.containers` were taken from a `Settings` when the study was made.
    return Settings(**{**study.containers, **own})  # type: ignore[arg-type]  # a plan holds JSON


def _done(
    job: Job, session: Session, facts: SessionFacts, modernizer: Modernizer, file: NotebookFile
) -> Done:
    best = session.best_run or session.current
    notebook = (
        file.notebook
        if best is None
        else modernizer.sessions.notebook(session.id, best.notebook_hash)
    )
    changed = notebook != file.notebook
    execution = None if best is None else best.execution
    environment = None if execution is None else execution.environment
    era = era_of(session)
    never_ran = session.phase is Phase.FAILED and not session.iterations
    status = Status.REFUSED if never_ran else Status.DONE
    message = text(session.message, modernizer.sessions.cell_names(session.id))
    result = without_run(job, status, message, "").model_copy(
        update={
            "notebook_hash": session.notebook_hash,
            "competition": session.settings.competition,
            "target": session.settings.target_score,
            "first_year": era.first_year,
            "last_year": era.last_year,
            "sandbox": "" if execution is None else execution.sandbox,
            "python": "" if environment is None else environment.python,
            "packages": {} if environment is None else environment.packages,
            "scores": tuple(_scores(session)),
            "best": session.best,
            "facts": facts,
            "modernized": changed,
        }
    )
    return Done(
        result,
        session=modernizer.sessions.report(session.id),
        notebook=file.with_sources(notebook) if changed else None,
    )


def _scores(session: Session) -> Iterator[RunScore]:
    for iteration in session.iterations:
        grade, execution = grade_of(iteration), iteration.execution
        if grade is None:
            continue
        yield RunScore(
            number=iteration.number,
            output=grade.output_status,
            score=grade.score,
            deviation=grade.deviation,
            within=grade.within_threshold,
            timeout=execution is not None and execution.status is ExecutionStatus.TIMEOUT,
        )
