"""Shows by experiment that a result comes from a trained model: three runs, two on permuted data.

Made before a result that a model's edits led to is called reproduced. What the data do not allow
is no reproach; what an experiment shows to be false is not called reproduced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proof import (
    Proof,
    ProofCode,
    ProofKind,
    speaks_against,
)
from mle_modernizer_server.domain.session import Iteration, Phase, Session, Verdict, grade_of
from mle_modernizer_server.execution.sampling.cache import scratch_directory
from mle_modernizer_server.execution.sampling.making import CannotSample
from mle_modernizer_server.execution.sampling.permuted import (
    CannotPermute,
    permute_rows,
)
from mle_modernizer_server.execution.sampling.roles import Layout
from mle_modernizer_server.execution.sampling.watch import Stopped, Watch
from mle_modernizer_server.grading.proofs import (
    judge_copy,
    judge_row_shuffle,
    judge_way,
)
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.on_sample import choose_sample, layout_of
from mle_modernizer_server.workflow.run.run_once import Run, run_options
from mle_modernizer_server.workflow.study.label_shuffle import (
    LONGEST,
    SEED,
    PermutedCopy,
    by_hand,
    impossible,
    label_shuffle,
    learns_from_data,
)
from mle_modernizer_server.workflow.study.repeat import measure
from mle_modernizer_server.workflow.work import Cancelled, Work

LONGEST_WHOLE = 120.0
"""Seconds of a run up to which the experiments are made on all of the data."""
_ROWS = 2_000
"""About how many rows of training data a sample has."""
UNFINISHED = coded("proof.unfinished")
_SUCCESS = (Verdict.REPRODUCED, Verdict.WITHIN_NOISE, Verdict.ABOVE_TARGET)


async def settle_proof(work: Work, base: Iteration, rested: events.Rested) -> events.Rested:
    """How a session ends once its result was put to the proof; as it was where there is no result.

    Args:
        work: The session.
        base: The run that speaks for the notebook, which a model had a hand in.
        rested: How the session would end.

    Raises:
        Cancelled: The work was cancelled; what was shown so far is in the log.
        ModernizerError: As `run_once`.
    """
    if rested.verdict not in _SUCCESS:
        return rested
    try:
        proofs = await prove(work, work.notebook(base.notebook_hash), base)
    except Cancelled as error:
        raise Cancelled(UNFINISHED) from error
    if not _against(proofs):
        return rested
    return rested.model_copy(update={"verdict": Verdict.NOT_PROVEN, "message": outcome_of(proofs)})


def verdict_after_proof(session: Session) -> Verdict | None:
    """How a session came out once its result was put to the proof."""
    if session.verdict in _SUCCESS and _against(session.proofs):
        return Verdict.NOT_PROVEN
    return session.verdict


def outcome_of(proofs: Sequence[Proof]) -> Messages:
    """What proofs show, all in all."""
    against = _against(proofs)
    if against:
        found = dict.fromkeys(one for proof in against for one in shown_by(proof))
        return coded("proof.against") + tuple(found)
    if any(proof.code is ProofCode.LABELS_MATTER for proof in proofs):
        return coded("proof.for")
    return coded("proof.neither")


def _against(proofs: Sequence[Proof]) -> list[Proof]:
    return [proof for proof in proofs if speaks_against(proof)]


async def prove(work: Work, notebook: Notebook, base: Iteration) -> tuple[Proof, ...]:
    """Put a notebook's result to the proof; each proof is in the log as soon as it is there.

    Where a run of the notebook takes long, the experiments are made on a sample of the training
    data.

    Args:
        work: The session, whose settings hold.
        notebook: What is to be proven.
        base: A finished run of it.

    Raises:
        Cancelled, ModernizerError: As `run_once`.
    """
    slug = work.settings.competition
    competition = None if slug is None else work.services.competitions.get(slug)
    original = work.notebook(work.session.notebook_hash)
    targets = () if competition is None else layout_of(competition).targets
    learned = await pools.code.run(learns_from_data, original, targets)
    found: list[Proof] = []

    def keep(proof: Proof) -> None:
        found.append(proof if learned else by_hand(proof))
        written = events.Proved(proofs=tuple(found), notebook_hash=notebook_hash(notebook))
        work.write(written)

    grade = grade_of(base)
    doubt = None if grade is None else grade.doubt
    keep(judge_way(() if doubt is None else doubt.cells))
    if competition is None:
        keep(impossible(ProofKind.LABEL_SHUFFLE, coded("not-permuted.no-competition")))
    else:
        public, sample = await _data(work, competition, base)

        def keep_one(proof: Proof) -> None:
            keep(proof.model_copy(update={"sample": sample}))

        await _experiments(work, notebook, layout_of(competition), public, keep_one)
    return tuple(found)


async def _data(work: Work, competition: Competition, base: Iteration) -> tuple[Path, Messages]:
    """The data to experiment on, and the size of the sample where it is one."""
    public = work.services.competitions.public_dir(competition.id)
    seconds = 0.0 if base.execution is None else base.execution.seconds
    if seconds <= LONGEST_WHOLE:
        return public, ()
    work.write(events.Progressed(phase=Phase.PREPARING, message=coded("progress.sampling")))
    try:
        found = await choose_sample(
            competition, public, _ROWS, work.settings.time_limit, work.cancel, whole_test=True
        )
    except CannotSample:
        return public, ()  # all of the data then: it takes longer, and is as good
    return found.kept.public, found.kept.sample.size


def shown_by(proof: Proof) -> Messages:
    """What a proof that speaks against a result shows."""
    if proof.code is ProofCode.CELLS_FAILED:
        return coded("proof.cells-failed", cells=proof.parameters["cells"])
    if proof.code is ProofCode.COPY:
        return coded("proof.copy", file=proof.parameters["file"])
    return {
        ProofCode.LABELS_UNUSED: coded("proof.labels-unused"),
        ProofCode.SCORE_KEPT: coded("proof.score-kept"),
        ProofCode.SCORE_NOT_COMPUTED: coded("proof.score-not-computed"),
        ProofCode.FOLLOWS_IDS: coded("proof.follows-ids"),
        ProofCode.FOLLOWS_PLACES: coded("proof.follows-places"),
        ProofCode.ALL_THE_SAME: coded("proof.all-the-same"),
    }.get(proof.code, coded("proof.other", kind=proof.kind.value, finding=proof.code.value))


async def _experiments(
    work: Work,
    notebook: Notebook,
    layout: Layout,
    public: Path,
    keep: Callable[[Proof], None],
) -> None:
    with scratch_directory() as folder:
        folder.chmod(0o755)  # a container's user is another one
        normal = await _run(work, notebook, public, label=coded("label.proof"))
        if normal.predictions is not None:
            doubt = normal.grade.doubt
            proof = judge_copy("" if doubt is None else doubt.copy_of)
            keep(proof.model_copy(update={"seconds": normal.execution.seconds}))
        copy = PermutedCopy(public, folder / "labels", layout)
        run_on = partial(_run, work, notebook, label=coded("label.proof-labels"))
        keep(await label_shuffle(work, copy, normal, run_on))
        if normal.predictions is not None:
            keep(await _rows(work, notebook, public, folder / "rows", layout, normal))


async def _rows(
    work: Work, notebook: Notebook, public: Path, target: Path, layout: Layout, normal: Run
) -> Proof:
    watch = Watch(LONGEST, work.cancel.is_set)
    try:
        made = await pools.files.run(permute_rows, public, target, layout, SEED, watch)
    except CannotPermute as error:
        return impossible(ProofKind.ROW_SHUFFLE, error.message)
    except Stopped as error:
        raise Cancelled from error
    permuted = await _run(work, notebook, target, label=coded("label.proof-rows"))
    if normal.predictions is None or permuted.predictions is None:
        return impossible(ProofKind.ROW_SHUFFLE, coded("not-permuted.no-submission"))
    proof = await pools.files.run(
        judge_row_shuffle, normal.predictions, permuted.predictions, made.moved
    )
    return proof.model_copy(update={"seconds": permuted.execution.seconds})


async def _run(work: Work, notebook: Notebook, public: Path, *, label: Messages) -> Run:
    """A run of the notebook on other data, with the predictions it hands in."""
    options = replace(run_options(work), public=public, predictions=True)
    return await measure(work, notebook, label, options)
