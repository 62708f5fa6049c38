"""Asks the fixers, in the order the user chose, until one answers with a patch."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.diagnosis.saved_outputs import is_saved_error
from mle_modernizer_server.domain.diagnosis import (
    Diagnosis,
    ErrorDiagnosis,
    Finding,
    FixScope,
    FixType,
)
from mle_modernizer_server.domain.errors import BadInput, Conflict, FixerFailed, SandboxUnavailable
from mle_modernizer_server.domain.execution import Ending, Environment, Execution
from mle_modernizer_server.domain.grade import Grade
from mle_modernizer_server.domain.message import Messages, coded, verbatim
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    FixerName,
    Meaning,
    Proposal,
    apply_edits,
)
from mle_modernizer_server.domain.session import (
    EditState,
    GradedRun,
    Iteration,
    Phase,
    RehearsalRun,
    Session,
)
from mle_modernizer_server.domain.settings import Mode
from mle_modernizer_server.environments.distributions import distribution_of, is_standard
from mle_modernizer_server.environments.requirements import local_modules
from mle_modernizer_server.execution.kernel.environment import imported_names
from mle_modernizer_server.fixing.fixer import Attempt, Fixer, FixRequest, Gap, NoFix
from mle_modernizer_server.fixing.integrity import sound_part, without
from mle_modernizer_server.grading.data_preview import data_preview
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.era import era_of
from mle_modernizer_server.workflow.fix.absent_names import Ahead
from mle_modernizer_server.workflow.fix.before_run import foreseen_environment
from mle_modernizer_server.workflow.fix.beyond_edits import beyond_edits, imports_took_the_time
from mle_modernizer_server.workflow.fix.experiment_facts import found_out, left_out
from mle_modernizer_server.workflow.fix.files import find_none_texts, look_up_files
from mle_modernizer_server.workflow.fix.model_progress import ModelCalls, answer_of
from mle_modernizer_server.workflow.work import Work

_logger = logging.getLogger(__name__)
Refusal = Callable[[Notebook], Messages]
"""Return why the notebook of a proposal is of no use; `()` if it may be."""


@dataclass(frozen=True)
class Ask:
    """Request for a fix.

    Attributes:
        notebook: The sources to fix.
        fixers: The fixers to ask, in order.
        refusal: Rejects proposals that lead to nothing new.
        told: Facts for the fixers in addition to the session's earlier fixes.
        allow_experiment: Whether edits may change the experiment. Otherwise a model is warned once;
            if it insists, these edits are dropped, or await the user's consent if nothing else
            remains.
        cells: Ids of the cells that the rules may change; None: as the scope allows.
    """

    notebook: Notebook
    fix_type: FixType
    scope: FixScope
    fixers: Sequence[FixerName]
    refusal: Refusal = lambda _: ()
    told: tuple[Attempt, ...] = ()
    allow_experiment: bool = True
    cells: frozenset[str] | None = None


@dataclass(frozen=True)
class NoProposal:
    """No fixer had anything useful.

    Attributes:
        reasons: The reason of each fixer.
        failed: One failed rather than finding nothing.
        circular: One only returned to an earlier state of the session.
        refused: The circular proposals and why they are of no use, for the next request.
        held: The proposal that awaits the user's consent because it changes the experiment.
        unexamined: The rules did not examine all of the notebook, so that there may be a fix.
    """

    reasons: Messages
    failed: bool
    circular: bool
    refused: tuple[Attempt, ...] = ()
    held: Proposal | None = None
    unexamined: bool = False


async def propose(work: Work, iteration: Iteration, ask: Ask) -> Proposal | NoProposal:
    """Return a proposal for an iteration, with integrity notes; log its cost.

    Raises:
        Cancelled: `cancel` was set; a request to a model was aborted.
        Conflict: The iteration was cut off and has no result.
    """
    request = await fix_request(work, iteration, ask)
    reasons: Messages = ()
    refused: list[Attempt] = []
    held: Proposal | None = None
    rests: list[Proposal] = []
    failed = sent_back = unexamined = False
    waiting = list(ask.fixers)
    while waiting:
        name = waiting.pop(0)
        fixer, needless = _fixer_to_ask(work, name, request)
        if fixer is None:
            reasons += needless
            continue
        calls = ModelCalls(work)
        try:
            answer = await _answer(work, name, fixer, request, calls)
        except FixerFailed as error:
            reasons += error.message
            failed = True
            continue
        if isinstance(answer, Proposal):
            reason = coded("fix.refused", findings=answer.blockers) if answer.blockers else ()
            leads_back = () if reason else ask.refusal(apply_edits(ask.notebook, answer.edits))
            if leads_back:
                refused.append(unused(answer, iteration.number, leads_back))
            reason += leads_back
            if not reason and not ask.allow_experiment and bold_edits(answer):
                reason = coded("fix.held", count=len(bold_edits(answer)))
                rest = without(answer, bold_edits(answer), reason)
                if _leads_on(rest, ask):
                    if name is FixerName.RULES or sent_back:
                        calls.belong_to(rest)
                        return rest
                    rests.append(rest.model_copy(update={"usage": Usage()}))  # spent below
                if name is FixerName.LLM and not sent_back:
                    sent_back = True
                    waiting.insert(0, name)
                held = answer
                calls.belong_to(answer)
            elif not reason:
                calls.belong_to(answer)
                return answer
            # the next fixer learns which attempts failed, and why
            why = sent_back_for(answer) if held is answer else reason
            attempt = unused(answer, iteration.number, why)
            request = request.model_copy(update={"attempts": (*request.attempts, attempt)})
        else:
            reason = _nothing(answer, waiting)
            unexamined |= answer.gap is not None
        reasons += reason
        calls.spend(answer.usage)
    if rests:  # a model that was sent back had nothing better
        return rests[-1]
    return NoProposal(
        reasons=tuple(dict.fromkeys(reasons)),
        failed=failed,
        circular=bool(refused),
        refused=tuple(refused),
        held=held,
        unexamined=unexamined,
    )


def _nothing(answer: NoFix, waiting: list[FixerName]) -> Messages:
    """Return why a fixer has no proposal.

    If only its time was too short, a model that waits is taken from the list: more time costs
    nothing, a model does.
    """
    if answer.gap is not Gap.TIME or FixerName.LLM not in waiting:
        return answer.reason
    waiting.remove(FixerName.LLM)
    return answer.reason + coded("model.not-asked-time")


async def _answer(
    work: Work, name: FixerName, fixer: Fixer, request: FixRequest, calls: ModelCalls
) -> Proposal | NoFix:
    """Return a fixer's answer, a proposal reduced to its sound edits.

    Raises:
        FixerFailed: It failed.
    """
    work.progress(Phase.FIXING, coded(_ASKING[name], fix_type=request.fix_type.value))
    answer = await answer_of(work, fixer, request, calls)
    if isinstance(answer, NoFix):
        return answer
    return await pools.code.run(
        sound_part,
        answer,
        request.notebook,
        competition=request.competition,
        errors=request.execution.errors,
    )


def _fixer_to_ask(
    work: Work, name: FixerName, request: FixRequest
) -> tuple[Fixer | None, Messages]:
    """Return a fixer, or why it is skipped: not configured, or no edit helps.

    No edit helps if the notebook only lacks files or downloads that were found nowhere, or if
    imports alone took the time. In auto mode none is due for errors that the notebook was saved
    with, unless a score is to be reached.
    """
    fixer = work.services.fixers.get(name)
    if fixer is None:
        return None, verbatim(work.services.missing[name])
    if name is FixerName.LLM and work.settings.mode is Mode.AUTO and _failed_before(work, request):
        return None, coded("model.not-asked-saved")
    slow = request.fix_type is FixType.RUNTIME_REDUCTION
    if name is FixerName.LLM and slow and imports_took_the_time(request.execution):
        return None, coded("model.not-asked-imports")
    session = work.session
    meant = {one.cell_id for one in session.lost_files if one.candidates or one.written}
    needless = name is FixerName.LLM and beyond_edits(
        request.execution,
        request.diagnosis.findings,
        session.settings.competition,
        listed=request.data,
        meant=meant,
    )
    return (None, coded("model.not-asked")) if needless else (fixer, ())


def _failed_before(work: Work, request: FixRequest) -> bool:
    """Return whether a whole run without a target fails exactly as its saved outputs show."""
    execution = request.execution
    if request.fix_type is not FixType.ERROR_REPAIR or execution.ending is Ending.STOPPED:
        return False
    roots = {item.error.cell_id for item in request.diagnosis.roots}
    return bool(roots) and work.settings.target_score is None and roots <= request.as_saved


def _leads_on(proposal: Proposal, ask: Ask) -> bool:
    """Return whether a proposal still has edits, and leads to a notebook that has not run."""
    if not proposal.edits:
        return False
    return not ask.refusal(apply_edits(ask.notebook, proposal.edits))


_ASKING = {FixerName.RULES: "progress.asking-rules", FixerName.LLM: "progress.asking-model"}


async def fix_request(work: Work, iteration: Iteration, ask: Ask) -> FixRequest:
    """Return all information a fixer gets on an iteration.

    Raises:
        Conflict: The iteration was cut off and has no result.
    """
    session, settings, competitions = work.session, work.settings, work.services.competitions
    shown = for_fixers(iteration, settings.time_limit)
    if shown is None:
        raise Conflict(coded("conflict.cut-off"))
    execution, diagnosis, grade, sample = shown
    original = work.notebook(session.notebook_hash)
    slug, data = settings.competition, ""
    if slug is not None:
        data = await pools.files.run(data_preview, competitions.public_dir(slug))
    first = session.iterations[0].execution
    saved = dict(work.log.saved_outputs(work.session_id).in_cells_of(ask.notebook).pairs)
    request = FixRequest(
        notebook=ask.notebook,
        original=original,
        execution=execution,
        first_environment=None if first is None else first.environment,
        grade=grade,
        diagnosis=diagnosis,
        sample=sample,
        fix_type=ask.fix_type,
        scope=ask.scope,
        cells=ask.cells,
        competition=None if slug is None else competitions.get(slug),
        description="" if slug is None else competitions.description(slug),
        data=data,
        attempts=(*attempts(session), *ask.told),
        measured=found_out(session),
        as_saved=frozenset(
            error.cell_id
            for error in execution.raised
            if is_saved_error(saved.get(error.cell_id, ()), error)
        ),
        left_out=left_out(session),
        era=era_of(session),
        rules_seconds=settings.rules_seconds,
        file_choices=settings.file_choices,
    )
    if FixerName.LLM in work.services.fixers:
        installed = await _installed(work, ask.notebook)
        absent = await pools.code.run(_absent, original, work.folder, installed)
        request = request.model_copy(update={"installed": installed, "absent": absent})
    if request.fix_type is FixType.SCORE_CALIBRATION:
        found = await pools.files.run(
            find_none_texts, work.services, settings, work.folder, ask.notebook
        )
        return request.model_copy(update={"none_texts": found})
    if request.fix_type is not FixType.ERROR_REPAIR:
        return request
    files = await look_up_files(work, ask.notebook, request.execution)
    return request.model_copy(update={"files": files})


async def _installed(work: Work, notebook: Notebook) -> Environment | None:
    """Return all packages in the notebook's environment; None if unknown."""
    ahead = Ahead(notebook, work.settings, work.created.traces, work.folder)
    try:
        sandbox = work.services.choose_sandbox(work.settings.sandbox)
        settled = work.session.environment
        return (await foreseen_environment(work.services, ahead, sandbox, settled))[0]
    except (BadInput, SandboxUnavailable) as error:
        _logger.info("what is installed is not known: %s", text(error.message))
        return None


def _absent(
    original: Notebook, folder: Path | None, installed: Environment | None
) -> tuple[str, ...]:
    """Return the modules of missing packages that a notebook imports in some cell.

    Inferred from the session's first notebook: a prompt with a constant beginning costs less.
    """
    if installed is None:
        return ()
    names = tuple(
        name
        for name in imported_names(original)
        if name not in installed.packages and not is_standard(name) and distribution_of(name)
    )
    local = local_modules(original, folder, names)
    return tuple(name for name in names if name not in local)


def attempts(session: Session) -> tuple[Attempt, ...]:
    """Return the session's earlier fixes and their outcomes."""
    found = []
    made = {item.origin.proposal: item for item in session.iterations if item.origin is not None}
    followers = (*session.iterations[1:], None)
    for iteration, next_one in zip(session.iterations, followers, strict=True):
        for review in iteration.reviews:
            rejected = any(one.state is EditState.REJECTED for one in review.decisions.values())
            if review.final or review.open or not (review.applied or rejected):
                continue  # a run may overtake an undecided proposal
            follower = made.get(review.proposal.id)
            if follower is None and next_one is not None and next_one.origin is None:
                follower = next_one
            if not review.applied:
                result = verdict = coded("attempt.rejected")
            else:
                result, verdict = _shown_by(follower)
            found.append(
                Attempt(
                    iteration=iteration.number,
                    fixer=review.proposal.fixer,
                    plan=review.proposal.plan,
                    accepted=review.applied,
                    edits=review.proposal.edits,
                    result=result,
                    verdict=verdict,
                    unseen=_unseen(review.proposal, follower),
                )
            )
    return tuple(found)


def _shown_by(follower: Iteration | None) -> tuple[Messages, Messages]:
    """Return the result of the run after a fix, in full and in short."""
    if isinstance(follower, RehearsalRun) and follower.diagnosis is not None:
        return follower.diagnosis.summary, follower.diagnosis.summary
    if isinstance(follower, GradedRun) and follower.diagnosis and follower.grade:
        return follower.diagnosis.summary, _verdict(follower.diagnosis, follower.grade)
    not_run = coded("attempt.not-run")
    return not_run, not_run


def _unseen(proposal: Proposal, follower: Iteration | None) -> tuple[str, ...]:
    """Return the cells of a fix whose effect the following run could not show."""
    unseen = frozenset() if follower is None else follower.unseen_cells
    return tuple(edit.cell_id for edit in proposal.edits if edit.cell_id in unseen)


def _verdict(diagnosis: Diagnosis, grade: Grade) -> Messages:
    roots = len(diagnosis.roots)
    outcome = diagnosis.outcome.value
    if roots:
        return coded("attempt.failed", outcome=outcome, count=roots) + grade.standing
    return coded("attempt.outcome", outcome=outcome) + grade.standing


def for_fixers(
    iteration: Iteration, time_limit: float
) -> tuple[Execution, ErrorDiagnosis, Grade | None, Messages] | None:
    """Return the information on an iteration for fixers.

    For a rehearsal, leave out errors that may come from the sample, and their consequences.

    Args:
        iteration: Completed or not.
        time_limit: Seconds the whole notebook may take; a rehearsal's own limit is irrelevant.

    Returns:
        Includes the size of the sample (empty for a run on all data); None if the iteration was cut
        off.
    """
    diagnosis, execution = iteration.diagnosis, iteration.execution
    if execution is None or diagnosis is None:
        return None
    if not isinstance(iteration, RehearsalRun):
        grade = iteration.grade
        return None if grade is None else (execution, diagnosis, grade, ())
    rehearsal = iteration.rehearsal
    if rehearsal is None:
        return None

    def sure(finding: Finding) -> bool:
        return not {finding.error.cell_id, finding.caused_by} & set(rehearsal.doubtful)

    kept = tuple(finding for finding in diagnosis.findings if sure(finding))
    cells = {finding.error.cell_id for finding in kept}
    errors = tuple(error for error in execution.errors if error.cell_id in cells)
    return (
        execution.model_copy(update={"errors": errors, "time_limit": time_limit}),
        diagnosis.model_copy(update={"findings": kept}),
        None,
        rehearsal.size,
    )


def bold_edits(proposal: Proposal) -> tuple[CellEdit, ...]:
    """Return the edits of a proposal that change the experiment."""
    return tuple(edit for edit in proposal.edits if edit.meaning is Meaning.EXPERIMENT)


def sent_back_for(proposal: Proposal) -> Messages:
    """Return the message to a model whose proposal changes the experiment without permission.

    A new cell is named after its predecessor, which the model has seen.
    """
    bold = bold_edits(proposal)
    cells = dict.fromkeys(one.after or one.cell_id for one in bold)
    code = "model.experiment-not-allowed"
    if len(bold) < len(proposal.edits):
        code = "model.experiment-not-allowed-in-part"
    return coded(code, cells=", ".join(cells))


def unused(
    proposal: Proposal, iteration: int, why: Messages, *, carried_out: bool = False
) -> Attempt:
    """Return an attempt for fixers that describes a proposal which is not in the notebook.

    Args:
        iteration: The iteration it was made for.
        why: Why it is not used.
        carried_out: It is tried elsewhere, in another copy of the notebook.
    """
    return Attempt(
        iteration=iteration,
        fixer=proposal.fixer,
        plan=proposal.plan,
        accepted=True,  # no person turned it down
        carried_out=carried_out,
        result=why,
        verdict=why,
    )
