"""Whether the baseline leaks: runs on changed data of one fold, and a model's opinion.

Both come before a search: a score that does not come from training, or depends on test rows, makes
every version look better than it is. They inform; they stop no search, and the opinion decides
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

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

_NO_BUDGET = coded("not-tried.budget")


class RunOnFold(Protocol):
    """Runs the notebook on a fold, or on other data in place of the fold's public ones."""

    async def __call__(self, label: Messages, fold: Fold, public: Path | None = None) -> Run:
        """Return the run, with its predictions."""


@dataclass(frozen=True)
class FoldTrial:
    """Input of the experiments.

    Attributes:
        notebook: The baseline.
        slug: The competition of the fold.
        fold: The fold, with its half.
        normal: The baseline's run on it, with predictions.
        deviation: Standard deviation of the baseline's scores over the folds; 0 for a single one.
    """

    notebook: Notebook
    slug: str
    fold: Fold
    normal: Run
    deviation: float


async def fold_experiments(
    work: Work,
    trial: FoldTrial,
    run: RunOnFold,
    keep: Callable[[Proof], None],
    affords: Callable[[int], bool],
) -> None:
    """Run two or three experiments; store each result at once.

    Args:
        trial: Input of the experiments.
        run: Runs the notebook.
        keep: Called with the result of each experiment.
        affords: Whether that many more runs fit into the budget.

    Raises:
        Cancelled, ModernizerError: As `run_once`.
    """
    if affords(1):
        keep(await _labels(work, trial, run))
    else:
        keep(impossible(ProofKind.LABEL_SHUFFLE, _NO_BUDGET))
    keep(await _half(trial, run) if affords(2) else impossible(ProofKind.HALF_ROWS, _NO_BUDGET))


async def _labels(work: Work, trial: FoldTrial, run: RunOnFold) -> Proof:
    """Check that the score is lost if the training labels are permuted."""
    competitions = trial.fold.competitions
    layout = layout_of(competitions.get(trial.slug))
    with scratch_directory() as folder:
        copy = PermutedCopy(competitions.public_dir(trial.slug), folder / "labels", layout)
        run_on = partial(run, coded("label.leak-labels"), trial.fold)
        proof = await label_shuffle(work, copy, trial.normal, run_on, deviation=trial.deviation)
    predictions = trial.normal.predictions or {}
    if proof.code is ProofCode.LABELS_UNUSED and len(set(predictions.values())) == 1:
        # The mean of the labels, for instance: it does come from them.
        code = ProofCode.NO_BETTER_THAN_FLOOR
        return proof.model_copy(update={"outcome": ProofOutcome.UNCLEAR, "code": code})
    learned = await pools.code.run(learns_from_data, trial.notebook, layout.targets)
    return proof if learned else by_hand(proof)


async def _half(trial: FoldTrial, run: RunOnFold) -> Proof:
    """Check that a row has the same prediction if the other half of the test rows is missing."""
    assert trial.fold.half is not None  # the last fold has one
    half = await run(coded("label.leak-half"), trial.fold.half)
    seconds, again = half.execution.seconds, None
    normal = trial.normal.predictions
    if normal is None or half.predictions is None:
        proof = impossible(ProofKind.HALF_ROWS, coded("not-halved.no-submission"))
        return proof.model_copy(update={"seconds": seconds})
    if not rows_agree(half.predictions, normal):
        plain = await run(coded("label.leak-again"), trial.fold)
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
