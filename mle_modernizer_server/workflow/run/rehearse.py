"""Rehearsals: a run on a sample of the data, to meet errors in seconds.

What a rehearsal finds is a hint: it has no grade, no outcome, and a clean run follows it. Errors
that may come from the sample are told apart, and no fixer hears of them.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath

from mle_modernizer_server.diagnosis.causes import findings
from mle_modernizer_server.diagnosis.sample_caused import sample_caused
from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.diagnosis import (
    Diagnosis,
    ErrorKind,
    Finding,
    FixType,
    Outcome,
)
from mle_modernizer_server.domain.execution import Ending, Execution, ExecutionEvent
from mle_modernizer_server.domain.grade import OutputStatus
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import CellEdit, Proposal, apply_edits
from mle_modernizer_server.domain.rehearsal import Rehearsal, RehearsalSettings
from mle_modernizer_server.domain.session import Iteration, Mode, Phase, RunKind, Session
from mle_modernizer_server.execution.notebook_run import run_notebook
from mle_modernizer_server.execution.sampling.cache import LONGEST, KeptSample, get_sample
from mle_modernizer_server.execution.sampling.making import (
    CannotSample,
    Layout,
    Stopped,
    Watch,
)
from mle_modernizer_server.workflow.fix.difference import joined
from mle_modernizer_server.workflow.fix.propose import Ask, propose
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.run.rehearsed import hints, own_errors
from mle_modernizer_server.workflow.run.run_once import Cancelled, explained, told
from mle_modernizer_server.workflow.services import Rooms

_PUBLIC = "prepared/public/"
_MOST_FIXES_IN_A_ROW = 6
"""Fixes that auto mode makes on the sample before it looks at all data."""


async def meet_errors(
    journal: Journal, rooms: Rooms, session_id: str, notebook: Notebook, cancel: asyncio.Event
) -> Iteration | None:
    """Rehearse a notebook where the settings ask for it.

    Returns:
        The rehearsal, where it met errors of the notebook's own; None where the whole notebook is
        to be run now: no rehearsal is asked for or possible, these sources were rehearsed
        already, or the rehearsal met nothing, or first something that may come from the sample.

    Raises:
        Cancelled: `cancel` was set; nothing is left behind.
        ModernizerError: As `iterate`.
    """
    session = journal.session(session_id)
    settings = session.settings.rehearsal
    if settings is None or _was_rehearsed(session, notebook, settings):
        return None
    slug = session.settings.competition
    if slug is None:
        journal.write(session_id, events.Unrehearsed(reason=_why("no competition is known")))
        return None
    competition = rooms.competitions.get(slug)
    public = rooms.competitions.public_dir(slug)
    journal.write(
        session_id,
        events.Progressed(phase=Phase.PREPARING, message="Choosing a sample of the data"),
    )
    began = time.monotonic()
    try:
        kept = await _sample(competition, public, settings.rows, cancel)
    except CannotSample as error:
        journal.write(session_id, events.Unrehearsed(reason=_why(str(error))))
        return None
    seconds = time.monotonic() - began
    if not kept.sample.cut:
        journal.write(session_id, events.Unrehearsed(reason=_why("the data are small as they are")))
        return None
    await _rehearse(journal, rooms, session_id, notebook, (kept, public, seconds), cancel)
    latest = journal.session(session_id).iterations[-1]
    due = latest.diagnosis is not None and latest.diagnosis.fix_type is not None
    return latest if due else None


async def _sample(
    competition: Competition, public: Path, rows: int, cancel: asyncio.Event
) -> KeptSample:
    submission = competition.sample_submission
    layout = Layout(
        ids=competition.id_columns,
        targets=(*competition.target_columns, *competition.answer_columns),
        submission=submission.removeprefix(_PUBLIC) if submission.startswith(_PUBLIC) else "",
    )
    watch = Watch(LONGEST, cancel.is_set)
    try:
        return await asyncio.to_thread(get_sample, competition.id, public, layout, rows, watch)
    except Stopped as error:
        raise Cancelled from error


async def _rehearse(
    journal: Journal,
    rooms: Rooms,
    session_id: str,
    notebook: Notebook,
    on: tuple[KeptSample, Path, float],
    cancel: asyncio.Event,
) -> None:
    """Run a notebook on a sample as the session's next iteration; nothing is graded."""
    kept, public, seconds = on
    settings = journal.session(session_id).settings
    rehearsal = settings.rehearsal or RehearsalSettings()
    journal.write(
        session_id,
        events.RunStarted(
            notebook_hash=notebook_hash(notebook),
            run=RunKind.REHEARSAL,
            message="Preparing the sandbox for a rehearsal",
        ),
        notebook,
    )
    sandbox = await asyncio.to_thread(rooms.choose_sandbox, settings.sandbox)
    time_limit = rehearsal.limit(settings.time_limit)

    def on_event(event: ExecutionEvent) -> None:
        step = told(event)
        if step is not None:
            journal.write(session_id, _on_a_sample(step, time_limit))

    async with sandbox.workspace(settings.competition, kept.public) as workspace:
        result = await run_notebook(
            notebook,
            sandbox=sandbox,
            workspace=workspace,
            competition=settings.competition,
            public=kept.public,
            time_limit=time_limit,
            on_event=on_event,
            cancel=cancel,
        )
    execution = result.execution
    journal.write(session_id, events.Executed(execution=execution))
    if execution.ending is Ending.CANCELLED:
        raise Cancelled
    left_out = partial(_left_out, public, kept.public)
    found = findings(notebook, execution)
    doubtful = await asyncio.to_thread(sample_caused, found, notebook, kept.sample, left_out)
    diagnosis = Diagnosis(
        outcome=Outcome.FAILED,
        execution_status=execution.status,
        output_status=OutputStatus.WITHOUT_CSV,
        findings=found,
        fix_type=FixType.ERROR_REPAIR if own_errors(found, doubtful) else None,
        summary=_summary(execution, found, doubtful, kept.sample.size),
    )
    diagnosis = explained(diagnosis, execution.environment, rooms.explain)
    told_of = Rehearsal(
        rows=rehearsal.rows, sample=kept.sample, seconds_for_sample=seconds, doubtful=doubtful
    )
    journal.write(session_id, events.Rehearsed(rehearsal=told_of, diagnosis=diagnosis))


@dataclass
class Stage:
    """What auto mode has when it turns from the sample to all data.

    Attributes:
        notebook: The sources that the first clean run gets.
        edits: How they came from the original, by cell.
        tried: Hashes of the notebooks that were rehearsed.
        fixes: How many fixes went into it.
        proposals: What they are of.
    """

    notebook: Notebook
    edits: dict[str, CellEdit] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)
    fixes: int = 0
    proposals: list[Proposal] = field(default_factory=list)


async def rehearse_until_clean(
    journal: Journal, rooms: Rooms, session_id: str, original: Notebook, cancel: asyncio.Event
) -> Stage:
    """Auto mode's first stage: fix what rehearsals meet, until they meet nothing.

    It ends as well when no fixer has anything, when the fixes allowed are used up, or after some
    fixes in a row: then all data must tell. A stage without a rehearsal gives the original.

    Raises:
        Cancelled, ModernizerError: As `meet_errors` and `propose`.
    """
    stage = Stage(original, tried={notebook_hash(original)})
    settings = journal.session(session_id).settings
    most = min(_MOST_FIXES_IN_A_ROW, settings.max_fixes)
    while True:
        met = await meet_errors(journal, rooms, session_id, stage.notebook, cancel)
        session = journal.session(session_id)
        spent = session.settings.budget.spent(session.spending)
        if met is None or stage.fixes >= most or spent is not None:
            return stage
        ask = error_repair(
            journal,
            session_id,
            stage.notebook,
            _refusal(stage.tried),
            allow_experiment=settings.allow_experiment_changes,
        )
        answer = await propose(journal, rooms, session_id, met, ask, cancel)
        if not isinstance(answer, Proposal):
            return stage
        stage.notebook = apply_edits(stage.notebook, answer.edits)
        stage.tried.add(notebook_hash(stage.notebook))
        stage.edits = joined(stage.edits, answer.edits)
        stage.proposals.append(answer)
        stage.fixes += 1
        journal.write(session_id, events.Proposed(proposal=answer, adopted=True))


async def propose_for_rehearsal(
    journal: Journal, rooms: Rooms, session_id: str, notebook: Notebook, cancel: asyncio.Event
) -> bool:
    """Step mode's first stage: rehearse, and put a fix for what it met up for review.

    Returns:
        Whether a fix waits for review; else the whole notebook is to be run now.

    Raises:
        Cancelled, ModernizerError: As `meet_errors` and `propose`.
    """
    met = await meet_errors(journal, rooms, session_id, notebook, cancel)
    session = journal.session(session_id)
    if met is None or met.diagnosis is None or session.fixes >= session.settings.max_fixes:
        return False
    ask = error_repair(journal, session_id, notebook)
    answer = await propose(journal, rooms, session_id, met, ask, cancel)
    if not isinstance(answer, Proposal):
        return False
    journal.write(session_id, events.Proposed(proposal=answer))
    journal.write(
        session_id,
        events.Rested(
            phase=Phase.REVIEWING,
            message=f"{met.diagnosis.summary} Review the fix proposed, then run again.",
        ),
    )
    return True


def error_repair(
    journal: Journal,
    session_id: str,
    notebook: Notebook,
    refusal: Callable[[Notebook], str | None] = lambda _: None,
    *,
    allow_experiment: bool = True,
) -> Ask:
    """What to ask the fixers for after a rehearsal: it can only show errors."""
    settings = journal.session(session_id).settings
    return Ask(
        notebook=notebook,
        fix_type=FixType.ERROR_REPAIR,
        scope=settings.scope,
        fixers=settings.fixers,
        refusal=refusal,
        allow_experiment=allow_experiment,
    )


def _refusal(tried: set[str]) -> Callable[[Notebook], str | None]:
    def refusal(outcome: Notebook) -> str | None:
        if notebook_hash(outcome) in tried:
            return "The fix proposed leads back to a notebook that was already rehearsed."
        return None

    return refusal


def _was_rehearsed(session: Session, notebook: Notebook, settings: RehearsalSettings) -> bool:
    """Whether these very sources were rehearsed already: it would meet the same again.

    In auto mode errors that were met are fixed in the same work, so they have to be met again.
    """
    digest = notebook_hash(notebook)
    by_step = session.settings.mode is Mode.STEP
    return any(
        item.kind is RunKind.REHEARSAL
        and item.rehearsal is not None
        and item.notebook_hash == digest
        and item.rehearsal.rows == settings.rows
        and (by_step or not hints(item))
        for item in session.iterations
    )


def _on_a_sample(step: events.Progressed, time_limit: float) -> events.Progressed:
    message = step.message.replace("Running the notebook", "Rehearsing on a sample")
    message = message.replace("Running cell", "Rehearsing on a sample: cell")
    return step.model_copy(update={"message": message, "time_limit": time_limit})


def _why(reason: str) -> str:
    return f"No rehearsal was possible, because {reason}."


def _summary(
    execution: Execution, found: tuple[Finding, ...], doubtful: dict[str, str], size: str
) -> str:
    """What a rehearsal came to, in one plain sentence; never a score."""
    roots = [finding.error.cell_id for finding in found if finding.kind is ErrorKind.ROOT]
    own = sum(cell_id not in doubtful for cell_id in roots)
    ended = ""
    if execution.ending is Ending.TIMED_OUT:
        ended = f" within {execution.time_limit:g} s, which did not do for all cells"
    elif execution.ending is not Ending.COMPLETED:
        ended = " until the kernel ended"
    text = f"In a rehearsal on a sample ({size}){ended}"
    if roots and roots[0] in doubtful:
        return f"{text} the first error may come from the sample."
    if not roots:
        return f"{text} no cell failed."
    text += f" {own} cell{'s' * (own > 1)} failed"
    if own < len(roots):
        text += f", and {len(roots) - own} more that may come from the sample"
    return f"{text}."


_INPUT = re.compile(r"^.*?(?:/kaggle/input|\.\./input|\./input|input)/")


def _left_out(public: Path, sample: Path, name: str) -> bool:
    """Whether a path the notebook asked for is one of a file that the sample lacks."""
    parts = PurePosixPath(_INPUT.sub("", name[:1000])).parts
    if not parts or ".." in parts or parts[0] == "/" or "\0" in name:
        return False
    try:
        return any(
            public.joinpath(*rest).exists() and not sample.joinpath(*rest).exists()
            for rest in (parts, parts[1:])
            if rest
        )
    except OSError:  # a name too long to be one
        return False
