"""Whether the baseline leaks: runs on changed data of one fold, and a model's opinion.

Both come before a search: a score that does not come from training, or depends on test rows, makes
every version look better than it is. They inform; they stop no search, and the opinion decides
nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.improvement import Improvement, LeakOpinion
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.domain.verification import Proof, ProofCode, ProofKind, ProofOutcome
from mle_modernizer_server.execution.sampling.cache import scratch_directory
from mle_modernizer_server.grading.proofs import judge_half_rows, rows_agree
from mle_modernizer_server.improving.folds import Fold
from mle_modernizer_server.workflow.fix.model_progress import ModelCalls
from mle_modernizer_server.workflow.run.on_sample import layout_of
from mle_modernizer_server.workflow.run.run_once import Run
from mle_modernizer_server.workflow.study.label_shuffle import (
    PermutedCopy,
    by_hand,
    impossible,
    label_shuffle,
    learns_from_data,
)
from mle_modernizer_server.workflow.work import Work, unless_cancelled

_RunOn = Callable[[Messages, Fold, Path | None], Awaitable[Run]]


@dataclass(frozen=True)
class FoldTrial:
    """Experiments with the baseline on one fold.

    Attributes:
        work: The session.
        notebook: The baseline.
        slug: The competition of the fold.
        fold: The fold, with its half.
        normal: The baseline's run on it, with predictions.
        deviation: Standard deviation of the baseline's scores over the folds; 0 for a single one.
        run: Runs the notebook on a fold, or on other data in place of the fold's public ones;
            returns the run with its predictions.
    """

    work: Work
    notebook: Notebook
    slug: str
    fold: Fold
    normal: Run
    deviation: float
    run: _RunOn

    async def labels(self) -> Proof:
        """Check that the score is lost if the training labels are permuted; one run.

        Raises:
            Cancelled, ModernizerError: As `run_once`.
        """
        competitions = self.fold.competitions
        layout = layout_of(competitions.get(self.slug))
        with scratch_directory() as folder:
            copy = PermutedCopy(competitions.public_dir(self.slug), folder / "labels", layout)
            run_on = partial(self.run, coded("label.leak-labels"), self.fold)
            normal, deviation = self.normal, self.deviation
            proof = await label_shuffle(self.work, copy, normal, run_on, deviation=deviation)
        predictions = self.normal.predictions or {}
        if proof.code is ProofCode.LABELS_UNUSED and len(set(predictions.values())) == 1:
            # The mean of the labels, for instance: it does come from them.
            code = ProofCode.NO_BETTER_THAN_FLOOR
            return proof.model_copy(update={"outcome": ProofOutcome.UNCLEAR, "code": code})
        learned = await pools.code.run(learns_from_data, self.notebook, layout.targets)
        return proof if learned else by_hand(proof)

    async def half(self) -> Proof:
        """Check that a row has the same prediction without half of the test rows; 1 or 2 runs.

        Raises:
            Cancelled, ModernizerError: As `run_once`.
        """
        assert self.fold.half is not None  # the last fold has one
        half = await self.run(coded("label.leak-half"), self.fold.half, None)
        seconds, again = half.execution.seconds, None
        normal = self.normal.predictions
        if normal is None or half.predictions is None:
            proof = impossible(ProofKind.HALF_ROWS, coded("not-halved.no-submission"))
            return proof.model_copy(update={"seconds": seconds})
        if not rows_agree(half.predictions, normal):
            plain = await self.run(coded("label.leak-again"), self.fold, None)
            seconds, again = seconds + plain.execution.seconds, plain.predictions
        proof = judge_half_rows(normal, half.predictions, again)
        return proof.model_copy(update={"seconds": seconds})


async def leak_opinion(work: Work, notebook: Notebook, found: Improvement) -> LeakOpinion:
    """Ask the model once whether a notebook leaks.

    Args:
        found: Findings from its code and its runs.

    Raises:
        Cancelled: The user stopped it.
    """
    assert work.services.leak_reviewer is not None  # `asks_model` has looked
    work.progress(Phase.FIXING, coded("improve.asking-leaks"))
    calls = ModelCalls(work)
    question = work.services.leak_reviewer.review(notebook, findings_lines(found), calls.note)
    try:
        return await unless_cancelled(work.cancel, question)
    except FixerFailed as error:
        return LeakOpinion(reason=error.message)
    finally:
        calls.spend(calls.usage)


def findings_lines(found: Improvement) -> list[str]:
    """Return the findings of rules and runs, a line each."""
    lines = [
        f"rule: {leak.kind.value} {leak.name} in code cell {leak.cell}, line {leak.line}"
        for leak in found.leaks
    ]
    lines += [
        f"run on {one.kind.value}: {one.outcome.value}, {one.code.value}"
        for one in found.experiments
    ]
    return lines
