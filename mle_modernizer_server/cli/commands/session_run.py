"""One session, driven to its end: only run, auto mode, step mode."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rich.console import Console

from mle_modernizer_server.cli.terminal import review
from mle_modernizer_server.cli.terminal.screen import Screen
from mle_modernizer_server.cli.terminal.summary import edits_diff, proposal_text
from mle_modernizer_server.cli.work import Work
from mle_modernizer_server.domain.improvement import FoldSettings
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.notebook import Notebook, source_hash
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    EditKind,
    FixerName,
    Meaning,
    Proposal,
    apply_edits,
)
from mle_modernizer_server.domain.session import (
    Decision,
    EditState,
    Iteration,
    Phase,
    Session,
    Verdict,
)
from mle_modernizer_server.domain.verification import VerificationKind
from mle_modernizer_server.execution.notebook_file import NotebookFile
from mle_modernizer_server.words import CellNames
from mle_modernizer_server.workflow.service import Version

_HOW_TO_ALLOW = (
    "This was not applied. Use --step to decide edit by edit, or --allow-experiment-changes to "
    "carry it out; what was reached without it is below."
)


@dataclass(frozen=True)
class Result:
    """Result of a session.

    Attributes:
        session: The session at its end.
        notebook: The notebook to hand back; the one that was read if nothing was changed.
        iteration: The run that represents it.
        message: The final message, a sentence or two.
    """

    session: Session
    notebook: Notebook
    iteration: Iteration | None
    message: Messages


class SessionRun:
    """Drives a session that was created for a notebook."""

    def __init__(
        self, console: Console, screen: Screen, work: Work, session_id: str, file: NotebookFile
    ) -> None:
        self._console = console
        self._screen = screen
        self._work = work
        self._modernizer = work.modernizer
        self._id = session_id
        self._original = file.notebook
        self._prompts = file.saved.prompts

    def check(self) -> Result:
        """Run, grade and diagnose."""
        session = self._do(partial(self._modernizer.runs.start_check, self._id, self._original))
        return Result(session, self._original, session.current, session.message)

    def auto(self, *, accept: bool) -> Result:
        """Fix without questions, and print the whole difference at the end.

        Args:
            accept: The difference will be written; recorded in the report.
        """
        session = self._do(partial(self._modernizer.runs.start_run, self._id, self._original))
        best = session.best_run or session.current
        if session.phase is not Phase.REVIEWING:
            return Result(session, self._original, best, session.message)
        message = session.message
        proposal = _open_proposal(session)
        self._console.print()
        self._show(self._original, proposal)
        if session.verdict is Verdict.AWAITS_YES:
            # The result without it is handed back.
            self._console.print(f"\n{_HOW_TO_ALLOW}", soft_wrap=True)
            found = self._original if best is None else self._stored(best)
            return Result(session, found, best, message)
        if accept:
            session = self._decide(proposal, EditState.ACCEPTED)
        return Result(session, apply_edits(self._original, proposal.edits), best, message)

    def _study(self, start: Callable[[], Session]) -> Result:
        """Do work that proposes nothing: repeated runs, or runs with the original libraries."""
        session = self._do(start)
        return Result(session, self._original, None, session.message)

    def verify(self, kind: VerificationKind, runs: int, notebook: Notebook) -> Result:
        """Run a notebook again and again."""
        start = self._modernizer.studies.start_verification
        return self._study(partial(start, self._id, kind, runs, notebook))

    def improve(self, candidates: Sequence[Version] | None, settings: FoldSettings) -> Result:
        """Compare versions of the notebook with it; the best that was found is handed back."""
        start = partial(self._modernizer.studies.start_improvement, self._id, candidates, settings)
        session = self._do(start)
        found = session.improvement
        best = found.best() if found is not None and found.searched else None
        notebook = self._original
        if best is not None:
            notebook = self._modernizer.sessions.notebook(self._id, best.notebook_hash)
        return Result(session, notebook, None, session.message)

    def find_target(self) -> Result:
        """Run it with its original libraries."""
        return self._study(partial(self._modernizer.studies.start_target, self._id))

    def backport(self) -> Result:
        """Run it with its original libraries and put their kernel into the menu."""
        return self._study(partial(self._modernizer.environments.start_backport, self._id))

    def compare_today(self, today: Notebook) -> Result:
        """Run it in its original libraries, and a later version today; print the differences."""
        return self._study(partial(self._modernizer.studies.start_contrast, self._id, today))

    def prove(self) -> Result:
        """Run it, then put the result to the proof."""
        checked = self.check()
        if self._work.stopped_by is not None or checked.iteration is None:
            return checked
        session = self._do(partial(self._modernizer.studies.start_proof, self._id))
        return Result(session, self._original, checked.iteration, session.message)

    def proven(self, result: Result) -> Result:
        """Return a result after its proof; unchanged if there is no score to prove, or no need."""
        session, run = result.session, result.iteration
        verdict = session.verdict
        if run is None or verdict is None or not (verdict.success or verdict is Verdict.REACHED):
            return result
        if session.proof_done and session.proven == run.notebook_hash:
            return result
        told = () if verdict is Verdict.REACHED else result.message
        session = self._do(partial(self._modernizer.studies.start_proof, self._id))
        return replace(result, session=session, message=told + session.message)

    def step(self) -> Result:
        """Ask about every fix, and run again after each that is accepted."""
        notebook = self._original
        session = self._do(partial(self._modernizer.runs.start_run, self._id, notebook))
        while session.phase is Phase.REVIEWING:
            proposal = _open_proposal(session)
            self._show(notebook, proposal)
            answer = self._answer()
            if answer is review.Answer.QUIT:
                break
            taken = self._agreed(notebook, proposal) if answer is review.Answer.ACCEPT else ()
            if taken:
                session = self._decide(proposal, EditState.ACCEPTED, taken)
                notebook = apply_edits(notebook, taken)
                session = self._do(partial(self._modernizer.runs.start_run, self._id, notebook))
                continue
            session = self._decide(proposal, EditState.REJECTED)
            others = _others(session, proposal)
            names = " and ".join(name.value for name in others)
            if not others or not review.ask_yes(self._console, f"Ask {names} for another fix?"):
                break
            session = self._do(partial(self._modernizer.runs.start_fix, self._id, fixers=others))
        message = session.message
        diagnosis = None if session.current is None else session.current.diagnosis
        if session.phase in (Phase.REVIEWING, Phase.READY) and diagnosis is not None:
            message = diagnosis.summary  # the session's own asks for a review that is over
        return Result(session, notebook, session.current, message)

    def _show(self, notebook: Notebook, proposal: Proposal) -> None:
        reviews = self._modernizer.sessions.get(self._id).all_reviews
        told = {step for one in reviews if one.adopted for step in one.proposal.plan}
        cells = CellNames(notebook, self._prompts)
        self._console.print(proposal_text(proposal, cells, told), soft_wrap=True)
        self._console.print(edits_diff(notebook, proposal.edits, self._prompts), soft_wrap=True)

    def _answer(self) -> review.Answer:
        try:
            return review.ask_about_fix(self._console)
        except KeyboardInterrupt:
            self._work.stopped_by = signal.SIGINT
            self._console.print("\nCancelled.")
            return review.Answer.QUIT

    def _do(self, start: Callable[[], Session]) -> Session:
        with self._screen.working():
            return self._work.carry_out(self._id, start)

    def _agreed(self, notebook: Notebook, proposal: Proposal) -> tuple[CellEdit, ...]:
        """Return the accepted edits of a proposal; ask about those that change the experiment."""
        if self._modernizer.sessions.get(self._id).settings.allow_experiment_changes:
            return proposal.edits
        refused: set[str] = set()
        taken = []
        for edit in proposal.edits:
            follows = edit.kind is EditKind.INSERT and edit.after in refused
            bold = edit.meaning is Meaning.EXPERIMENT
            if follows or (bold and not self._says_yes(notebook, edit)):
                refused.add(edit.cell_id)
            else:
                taken.append(edit)
        return tuple(taken)

    def _says_yes(self, notebook: Notebook, edit: CellEdit) -> bool:
        self._console.print(edits_diff(notebook, (edit,), self._prompts), soft_wrap=True)
        return review.ask_yes(
            self._console,
            "This edit changes the experiment (data, features, model, parameters, seed or split). "
            "Accept it anyway?",
        )

    def _stored(self, iteration: Iteration) -> Notebook:
        return self._modernizer.sessions.notebook(self._id, iteration.notebook_hash)

    def _decide(
        self,
        proposal: Proposal,
        state: EditState,
        taken: tuple[CellEdit, ...] | None = None,
    ) -> Session:
        """Decide on the edits of a proposal alike; those that are not taken are rejected."""
        names = {edit.id for edit in (proposal.edits if taken is None else taken)}
        return self._modernizer.runs.decide(
            self._id,
            proposal.id,
            {
                edit.id: Decision(
                    state=state if edit.id in names else EditState.REJECTED, confirmed=True
                )
                for edit in proposal.edits
            },
            {edit.id: source_hash(edit.base_source) for edit in proposal.edits},
        )


def _others(session: Session, rejected: Proposal) -> tuple[FixerName, ...]:
    """Return the fixers that may have another idea: the rules would propose the same again."""
    chosen = session.settings.fixers
    later = chosen[chosen.index(rejected.fixer) + 1 :]
    return (FixerName.LLM,) if rejected.fixer is FixerName.LLM else later


def _open_proposal(session: Session) -> Proposal:
    """Return the proposal under review."""
    return next(
        item.proposal
        for iteration in reversed(session.iterations)
        for item in reversed(iteration.reviews)
        if item.open
    )
