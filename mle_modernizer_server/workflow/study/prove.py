"""Test whether a result comes from a trained model: three runs, two on permuted data.

Required before a result based on a model's edits is called reproduced. An experiment that the data
do not allow counts for nothing; a result that an experiment refutes is not called reproduced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.session import Iteration, Phase, Session, Verdict, grade_of
from mle_modernizer_server.domain.verification import Proof, ProofCode, ProofKind, ProofOutcome
from mle_modernizer_server.execution.sampling.cache import scratch_directory
from mle_modernizer_server.execution.sampling.making import CannotSample
from mle_modernizer_server.execution.sampling.permuted import CannotPermute, permute_rows
from mle_modernizer_server.execution.sampling.watch import Stopped, Watch
from mle_modernizer_server.grading.grader import score_predictions
from mle_modernizer_server.grading.proofs import (
    RowScores,
    judge_copy,
    judge_row_shuffle,
    judge_way,
    moved_back,
)
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.on_sample import choose_sample, layout_of
from mle_modernizer_server.workflow.run.run_once import Run, run_request
from mle_modernizer_server.workflow.study.label_shuffle import (
    LONGEST,
    SEED,
    PermutedCopy,
    by_hand,
    impossible,
    label_shuffle,
    learns_from_data,
    spread_of,
)
from mle_modernizer_server.workflow.study.repeat import measure, studied
from mle_modernizer_server.workflow.verdict.final_verdict import rule
from mle_modernizer_server.workflow.verdict.proven import as_proven, is_about, proven_verdict
from mle_modernizer_server.workflow.work import Cancelled, Work

LONGEST_WHOLE = 120.0
"""Seconds of a run up to which the experiments are made on all of the data."""
_ROWS = 2_000
"""About how many rows of training data a sample has."""
UNFINISHED = coded("proof.unfinished")


async def settle_proof(work: Work, base: Iteration, rested: events.Rested) -> events.Rested:
    """Test a result if it needs proof, and return how the session ends after that.

    Args:
        base: The run that represents the notebook.
        rested: The end without a proof.

    Raises:
        Cancelled: The work was cancelled; the results so far are in the log.
        ModernizerError: As `run_once`.
    """
    if rested.verdict is None or not rested.verdict.success:
        return rested
    if work.session.lacks_proof(base):
        try:
            await prove(work, work.notebook(base.notebook_hash), base)
        except Cancelled as error:
            raise Cancelled(UNFINISHED) from error
    return as_proven(work.session, base, rested)


def to_prove(session: Session) -> Iteration:
    """Return the run that a proof is about: one that waits for it, else the best one.

    Raises:
        Conflict: Nothing has run to its end yet.
    """
    latest = session.current
    if latest is not None and session.verdict is Verdict.REACHED and latest.needs_proof:
        return latest
    return studied(session)


def verdict_after_proof(session: Session) -> Verdict | None:
    """Return how a session came out after its result was put to the proof."""
    verdict = session.verdict
    run = next((one for one in reversed(session.iterations) if is_about(session, one)), None)
    if run is None or verdict is None or not (verdict.success or verdict.unproven):
        return verdict
    if verdict.unproven:  # as it would be without a doubt about its origin
        ruling = rule(session.settings.competition, (run,))
        verdict = Verdict.WITHIN_NOISE if ruling is None else ruling.verdict
    return proven_verdict(session, run, verdict)


async def prove(work: Work, notebook: Notebook, base: Iteration) -> tuple[Proof, ...]:
    """Test a notebook's result; log each proof at once.

    If a run of the notebook takes long, the experiments use a sample of the training
    data.

    Args:
        work: The session, whose settings apply.
        notebook: The notebook to prove.
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
        note()

    def note(*, done: bool = False) -> None:
        digest = notebook_hash(notebook)
        work.write(events.Proved(proofs=tuple(found), notebook_hash=digest, done=done))

    grade = grade_of(base)
    doubt = None if grade is None else grade.doubt
    keep(judge_way(() if doubt is None else doubt.cells))
    if competition is None:
        keep(impossible(ProofKind.LABEL_SHUFFLE, coded("not-permuted.no-competition")))
    else:
        public, sample = await _data(work, competition, base)

        def keep_one(proof: Proof) -> None:
            keep(proof.model_copy(update={"sample": sample}))

        await _experiments(work, notebook, competition, public, keep_one)
    note(done=True)
    return tuple(found)


async def _data(work: Work, competition: Competition, base: Iteration) -> tuple[Path, Messages]:
    """Return the data for the experiments, and the size of the sample if it is one."""
    public = work.services.competitions.public_dir(competition.id)
    if base.seconds <= LONGEST_WHOLE:
        return public, ()
    work.progress(Phase.PREPARING, coded("progress.sampling"))
    try:
        found = await choose_sample(competition, public, _ROWS, work.cancel, whole_test=True)
    except CannotSample:
        return public, ()  # all of the data then: it takes longer, and is as good
    return found.kept.public, found.kept.sample.size


async def _experiments(
    work: Work,
    notebook: Notebook,
    competition: Competition,
    public: Path,
    keep: Callable[[Proof], None],
) -> None:
    with scratch_directory() as folder:
        normal = await _run(work, notebook, public, label=coded("label.proof"))
        if normal.predictions is not None:
            doubt = normal.grade.doubt
            proof = judge_copy("" if doubt is None else doubt.copy_of)
            keep(proof.model_copy(update={"seconds": normal.execution.seconds}))
        copy = PermutedCopy(public, folder / "labels", layout_of(competition))
        run_on = partial(_run, work, notebook, label=coded("label.proof-labels"))
        keep(await label_shuffle(work, copy, normal, run_on))
        if normal.predictions is not None:
            keep(await _rows(work, notebook, public, folder / "rows", competition, normal))


async def _rows(
    work: Work,
    notebook: Notebook,
    public: Path,
    target: Path,
    competition: Competition,
    normal: Run,
) -> Proof:
    layout = layout_of(competition)
    watch = Watch(LONGEST, work.cancel.is_set)
    try:
        made = await pools.files.run(permute_rows, public, target, layout, SEED, watch)
    except CannotPermute as error:
        return impossible(ProofKind.ROW_SHUFFLE, error.message)
    except Stopped as error:
        raise Cancelled from error
    permuted = await _run(work, notebook, target, label=coded("label.proof-rows"))
    seconds = permuted.execution.seconds
    if normal.predictions is None or permuted.predictions is None:
        return impossible(ProofKind.ROW_SHUFFLE, coded("not-permuted.no-submission"))
    root = work.services.competitions.root
    scores = await pools.grading.run(_row_scores, normal, permuted, made.moved, competition, root)
    if scores is not None:
        scores = replace(scores, spread=spread_of(work.session))
    judge = partial(judge_row_shuffle, normal.predictions, permuted.predictions, made.moved)
    proof = await pools.files.run(judge, scores)
    if proof.outcome is ProofOutcome.UNCLEAR and proof.code in _ASKS_AGAIN:
        again = await _run(work, notebook, public, label=coded("label.proof-again"))
        seconds += again.execution.seconds
        if scores is not None:
            scores = replace(scores, again=again.grade.score)
        proof = await pools.files.run(judge, scores, again.predictions)
    return proof.model_copy(update={"seconds": seconds})


_ASKS_AGAIN = (ProofCode.ORDER_MATTERS, ProofCode.ROWS_COST_SCORE)


def _row_scores(
    normal: Run, permuted: Run, moved: Mapping[str, str], competition: Competition, root: Path
) -> RowScores | None:
    """Return the scores of a run and of one on permuted rows, with the ids mapped back."""
    score, floor = normal.grade.score, normal.grade.floor
    if score is None or normal.predictions is None or permuted.predictions is None:
        return None
    back = moved_back(normal.predictions, permuted.predictions, moved)
    found = score_predictions(back, competition, root)
    if found is None:
        return None
    higher = normal.grade.higher_is_better
    return RowScores(score, found, floor, higher_is_better=higher)


async def _run(work: Work, notebook: Notebook, public: Path, *, label: Messages) -> Run:
    """Return a run of the notebook on other data, with its submitted predictions."""
    request = replace(run_request(work, notebook), public=public, predictions=True)
    return await measure(work, request, label)
