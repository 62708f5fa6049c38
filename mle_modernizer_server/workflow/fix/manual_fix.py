"""Fixes on the user's request, and previews of a model's prompt."""

from __future__ import annotations

from mle_modernizer_server import pools
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.errors import Conflict, NotFound
from mle_modernizer_server.domain.improvement import Comparison, Improvement, TriedVersion
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.model_calls import PromptPreview
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import FixerName, Meaning, Proposal
from mle_modernizer_server.domain.session import GradedRun, Iteration, RehearsalRun, Session
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.fix.difference import difference
from mle_modernizer_server.workflow.fix.propose import Ask, fix_request
from mle_modernizer_server.workflow.work import Work


def ask_by_hand(
    work: Work,
    *,
    fix_type: FixType | None,
    scope: FixScope | None,
    fixers: tuple[FixerName, ...] | None,
    notebook: Notebook | None,
) -> Ask:
    """Return the request for a fix of the latest iteration; default to the diagnosis and settings.

    Raises:
        Conflict: No run has completed, no fix is due and none was chosen, a rehearsal cannot show a
            need for the fix, or it is an improvement.
    """
    session = work.session
    if fix_type is FixType.IMPROVEMENT:
        raise Conflict(coded("conflict.no-version"))
    if fix_type is FixType.WRITING:
        raise Conflict(coded("conflict.not-written-so"))
    if session.current is None or session.current.diagnosis is None:
        raise Conflict(coded("conflict.nothing-run"))
    chosen = fix_type or session.current.diagnosis.fix_type
    if chosen is None:
        raise Conflict(coded("conflict.no-fix-due"))
    if fix_type is FixType.SCORE_CALIBRATION and not _can_calibrate(session.current):
        raise Conflict(coded("conflict.nothing-to-calibrate"))
    if isinstance(session.current, RehearsalRun) and chosen is not FixType.ERROR_REPAIR:
        raise Conflict(coded("conflict.rehearsal-errors"))
    return Ask(
        notebook=notebook or work.notebook(session.current.notebook_hash),
        fix_type=chosen,
        scope=scope or session.settings.scope,
        fixers=fixers or session.settings.fixers,
    )


def _can_calibrate(iteration: Iteration) -> bool:
    """Return whether a run has a score, or outputs that differ from the saved ones."""
    if not isinstance(iteration, GradedRun):
        return True  # a rehearsal has a refusal of its own
    has_score = iteration.grade is not None and iteration.grade.score is not None
    agreement = iteration.agreement
    return has_score or (agreement is not None and agreement.first_difference() is not None)


async def preview_prompt(
    work: Work,
    *,
    fix_type: FixType | None = None,
    scope: FixScope | None = None,
    notebook: Notebook | None = None,
) -> PromptPreview:
    """Return the messages a model would get for a fix. Send nothing; no model has to be configured.

    Raises:
        NotFound: No such session.
        Conflict: As `ask_by_hand`; or no model writes such a fix.
    """
    if fix_type is FixType.BEFORE_RUN:
        raise Conflict(coded("conflict.rules-first"))
    ask = ask_by_hand(work, fix_type=fix_type, scope=scope, fixers=None, notebook=notebook)
    iteration = work.session.iterations[-1]
    request = await fix_request(work, iteration, ask)
    return await pools.code.run(work.services.preview, request)


def propose_version(work: Work, digest: str) -> Session:
    """Propose a version that was better on validation folds for review; run nothing.

    Its edits depend on each other: they were measured together.

    Args:
        work: The session, which is idle.
        digest: Hash of the version's notebook.

    Raises:
        NotFound: No such version was better.
        Conflict: Another proposal waits for review.
    """
    session = work.session
    found = session.improvement
    version = found.version(digest) if found is not None else None
    if found is None or version is None or not _may_be_proposed(found, version):
        raise NotFound(coded("improve.unknown"))
    if any(review.open for review in session.all_reviews):
        raise Conflict(coded("conflict.undecided"))
    edits = difference(
        work.notebook(found.baseline.notebook_hash), work.notebook(version.notebook_hash), {}
    )
    about = {"reason": text(version.what), "meaning": Meaning.EXPERIMENT}
    if len(edits) > 1:
        about["group"] = "version"
    proposal = Proposal(
        id=f"version-{digest[:12]}-{len(session.all_reviews)}",
        fixer=FixerName.RULES,
        fix_type=FixType.IMPROVEMENT,
        scope=FixScope.FILE,
        plan=version.what,
        edits=tuple(edit.model_copy(update=about) for edit in edits),
        remarks=_measured(version),
    )
    message = (
        coded("improve.review-weak", version=version.name)
        if found.is_weak
        else coded("improve.review", version=version.name, folds=len(version.scores))
    )
    return work.stage(proposal, message, session.verdict)


def _may_be_proposed(found: Improvement, version: TriedVersion) -> bool:
    """Return whether a version was better; with one hold-out set, whether its score was better."""
    gained = version.gain is not None and version.gain.mean > 0
    return version.comparison is Comparison.BETTER or (found.is_weak and gained)


def _measured(version: TriedVersion) -> Messages:
    gain = version.gain
    if gain is None:
        return ()
    if gain.low is None or gain.high is None:
        return coded("improve.measured-once", mean=gain.mean)
    return coded(
        "improve.measured", mean=gain.mean, low=gain.low, high=gain.high, folds=len(version.scores)
    )
