"""Meanings of the exit codes for scripts."""

from __future__ import annotations

from enum import IntEnum

from mle_modernizer_server.domain.diagnosis import Outcome, run_result
from mle_modernizer_server.domain.era import ContrastKind, OwnTimeEnd
from mle_modernizer_server.domain.errors import (
    BadInput,
    ModernizerError,
    NotFound,
    SandboxUnavailable,
)
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.session import GradedRun, Iteration, Phase, Session, Verdict
from mle_modernizer_server.domain.verification import Answer, ProofCode, speaks_against


class ExitCode(IntEnum):
    """The exit codes; cancelled work ends with 128 and the signal's number, as in a shell."""

    REPRODUCIBLE = 0
    NOT_REPRODUCIBLE = 1
    BAD_USAGE = 2
    FAILED = 3


EXIT_CODES_HELP = """\
exit codes:
  0    the notebook is reproducible: its score is inside the band around the target; or, if no
       target is known, its submission is valid; or, if nothing grades it, every cell runs and
       reproduces its saved output, if it has one, with numbers that are the same or within the
       threshold
  1    it is not reproducible (no fix was found, or the fixes were used up), or the score is
       reached by an edit of a model or by hand and not proven (--prove)
  2    bad usage or input; nothing was run
  3    failed: the time limit, a notebook that the rules could not examine in their time,
       no usable answer from a model, or an internal error
  130  cancelled with Ctrl+C
"""


def code_of_error(error: ModernizerError) -> ExitCode:
    """Return the exit code for an error that stopped everything."""
    the_users = isinstance(error, (BadInput, NotFound, SandboxUnavailable))
    return ExitCode.BAD_USAGE if the_users else ExitCode.FAILED


def code_of_session(session: Session, iteration: Iteration | None) -> ExitCode:
    """Return the exit code for a finished session.

    Args:
        session: The session.
        iteration: The run that speaks for the notebook as it is handed back.
    """
    if session.phase is Phase.FAILED or iteration is None or iteration.diagnosis is None:
        return ExitCode.FAILED
    if not isinstance(iteration, GradedRun):
        return ExitCode.NOT_REPRODUCIBLE
    if session.verdict is Verdict.NOT_EXAMINED:
        return ExitCode.FAILED
    outcome = iteration.diagnosis.outcome
    if _is_unproven(session, iteration):
        return ExitCode.NOT_REPRODUCIBLE
    if outcome is Outcome.FAILED:
        return ExitCode.FAILED
    if not session.scored:
        good = run_result(iteration.diagnosis, iteration.agreement) in _GOOD_WITHOUT_SCORE
        return ExitCode.REPRODUCIBLE if good else ExitCode.NOT_REPRODUCIBLE
    grade = iteration.grade
    good = (
        grade is not None
        and (grade.target, grade.doubt) == (None, None)
        and grade.submission is not None
        and outcome is Outcome.ERROR_FREE_NON_REPRODUCIBLE
    )
    return ExitCode.REPRODUCIBLE if good or outcome.reproducible else ExitCode.NOT_REPRODUCIBLE


def _is_unproven(session: Session, iteration: Iteration | None) -> bool:
    """Return whether there is a score without evidence that it comes from training."""
    if session.verdict is not None and session.verdict.unproven:
        return True
    if not isinstance(iteration, GradedRun) or iteration.diagnosis is None:
        return False
    return iteration.diagnosis.outcome.reproducible and session.lacks_proof(iteration)


_GOOD_WITHOUT_SCORE = (
    coded("result.saved-outputs"),
    coded("result.close-outputs"),
    coded("result.without-errors"),
)


def code_of_target(session: Session) -> ExitCode:
    """Return the exit code for a session that looked for its target."""
    found = session.own_time
    if session.phase is Phase.FAILED or found is None:
        return ExitCode.FAILED
    usable = found.end in (OwnTimeEnd.SCORE, OwnTimeEnd.OUTPUTS)
    return ExitCode.REPRODUCIBLE if usable else ExitCode.NOT_REPRODUCIBLE


def code_of_backport(session: Session) -> ExitCode:
    """Return the exit code for a session that installed a kernel with the original libraries."""
    if session.phase is Phase.FAILED or session.own_time is None:
        return ExitCode.FAILED
    return ExitCode.NOT_REPRODUCIBLE if session.backport is None else ExitCode.REPRODUCIBLE


def code_of_contrast(session: Session) -> ExitCode:
    """Return the exit code for a session that compared today with the original libraries."""
    found = session.contrast
    if session.phase is Phase.FAILED or session.own_time is None:
        return ExitCode.FAILED
    if found is None or not found.compared:
        return ExitCode.NOT_REPRODUCIBLE
    same = found.first is None or found.first.kind is ContrastKind.SETTINGS
    return ExitCode.REPRODUCIBLE if same else ExitCode.NOT_REPRODUCIBLE


def code_of_proof(session: Session) -> ExitCode:
    """Return the exit code for a session that ended with a proof."""
    proofs = session.proofs
    if session.phase is Phase.FAILED or not proofs:
        return ExitCode.FAILED
    shown = any(proof.code is ProofCode.LABELS_MATTER for proof in proofs)
    against = any(speaks_against(proof) for proof in proofs)
    return ExitCode.REPRODUCIBLE if shown and not against else ExitCode.NOT_REPRODUCIBLE


def code_of_improvement(session: Session) -> ExitCode:
    """Return the exit code for a session that ended with a comparison of versions."""
    found = session.improvement
    if found is None or found.over_budget:
        return ExitCode.BAD_USAGE  # no folds can be made, or not within the budget
    if session.phase is Phase.FAILED or not found.done:
        return ExitCode.FAILED
    return ExitCode.NOT_REPRODUCIBLE if found.best() is None else ExitCode.REPRODUCIBLE


def code_of_verification(session: Session, iteration: Iteration | None = None) -> ExitCode:
    """Return the exit code for a session that ended with a verification.

    Args:
        session: The session.
        iteration: The run that speaks for the notebook; None if nothing ran before.
    """
    said = session.verification
    if session.phase is Phase.FAILED or said is None or said.answer is Answer.OPEN:
        return ExitCode.FAILED
    if said.answer is Answer.REPRODUCIBLE and not _is_unproven(session, iteration):
        return ExitCode.REPRODUCIBLE
    return ExitCode.NOT_REPRODUCIBLE
