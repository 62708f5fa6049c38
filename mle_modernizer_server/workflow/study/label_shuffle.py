"""Train on permuted labels: a notebook must lose its score if it comes from training.

Used both by the proof of a result and by the search for a better score.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.code.slices import code_on_the_way
from mle_modernizer_server.domain.grade import ScoreKind
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.verification import Proof, ProofCode, ProofKind, ProofOutcome
from mle_modernizer_server.execution.sampling.permuted import CannotPermute, permute_labels
from mle_modernizer_server.execution.sampling.roles import Layout
from mle_modernizer_server.execution.sampling.watch import Stopped, Watch
from mle_modernizer_server.fixing.integrity import learns
from mle_modernizer_server.grading.proofs import judge_label_shuffle, judge_printed_score
from mle_modernizer_server.workflow.run.run_once import Run
from mle_modernizer_server.workflow.work import Cancelled, Work

SEED = 20_260
LONGEST = 300.0
"""Seconds a permuted copy may take to be made."""


@dataclass(frozen=True)
class PermutedCopy:
    """A copy of a competition's public data to create.

    Attributes:
        public: The source.
        target: The directory to create.
        layout: The competition's file layout.
    """

    public: Path
    target: Path
    layout: Layout


async def label_shuffle(
    work: Work,
    copy: PermutedCopy,
    normal: Run,
    run_on: Callable[[Path], Awaitable[Run]],
    *,
    deviation: float = 0.0,
) -> Proof:
    """Run a notebook on permuted training labels, and compare the score.

    Args:
        work: The session, whose measured spread holds.
        copy: The data with permuted labels.
        normal: A run on the data as they are.
        run_on: Runs the notebook on such a directory.
        deviation: As `judge_label_shuffle`.

    Raises:
        Cancelled, ModernizerError: As `run_once`.
    """
    watch = Watch(LONGEST, work.cancel.is_set)
    try:
        await pools.files.run(permute_labels, copy.public, copy.target, copy.layout, SEED, watch)
    except CannotPermute as error:
        return impossible(ProofKind.LABEL_SHUFFLE, error.message)
    except Stopped as error:
        raise Cancelled from error
    shuffled = await run_on(copy.target)
    before, after = normal.grade, shuffled.grade
    spread, higher = spread_of(work.session), before.higher_is_better
    if before.score_kind is ScoreKind.PRINTED:
        proof = judge_printed_score(before.score, after.score, spread, higher_is_better=higher)
    else:
        same = normal.predictions is not None and normal.predictions == shuffled.predictions
        proof = judge_label_shuffle(
            before.score,
            after.score,
            before.floor,
            spread,
            deviation=deviation,
            higher_is_better=higher,
            same_submission=same,
        )
    return proof.model_copy(update={"seconds": shuffled.execution.seconds})


def impossible(kind: ProofKind, reason: Messages) -> Proof:
    """Return the proof for an experiment that was impossible."""
    return Proof(
        kind=kind, outcome=ProofOutcome.UNCLEAR, code=ProofCode.NOT_POSSIBLE, reason=reason
    )


def learns_from_data(notebook: Notebook, targets: Sequence[str]) -> bool:
    """Return whether the author's notebook may take its result from training data."""
    return learns(notebook, code_on_the_way(notebook), targets)


def by_hand(proof: Proof) -> Proof:
    """Return the proof for a notebook that the author wrote without any training: a manual rule.

    A failed experiment is no fault of it, unless it submits a preexisting file.
    """
    if proof.outcome is not ProofOutcome.FAILED or proof.code is ProofCode.COPY:
        return proof
    parameters = {**proof.parameters, "original": "no-training"}
    return proof.model_copy(update={"outcome": ProofOutcome.UNCLEAR, "parameters": parameters})


def spread_of(session: Session) -> float:
    """Return the standard deviation of a session's score over clean runs; 0 if not measured."""
    noise = session.noise
    return 0.0 if noise is None or noise.spread is None else (noise.spread.deviation or 0.0)
