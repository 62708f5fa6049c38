"""Shows by experiment that a result comes from a trained model: three runs, two on permuted data.

Made before a result that a model's edits led to is called reproduced. What the data do not allow
is no reproach; what an experiment shows to be false is not called reproduced.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.diagnosis import Diagnosis, ErrorKind
from mle_modernizer_server.domain.grade import ScoreKind
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proof import Proof, ProofCode, ProofKind, ProofOutcome
from mle_modernizer_server.domain.session import Iteration, Session, Verdict
from mle_modernizer_server.execution.sampling.cache import default_directory
from mle_modernizer_server.execution.sampling.permuted import (
    CannotPermute,
    permute_labels,
    permute_rows,
)
from mle_modernizer_server.execution.sampling.roles import Layout
from mle_modernizer_server.execution.sampling.watch import Stopped, Watch
from mle_modernizer_server.fixing.integrity import learns, way_to_submission
from mle_modernizer_server.grading.csv_table import read_table
from mle_modernizer_server.grading.proofs import (
    Predictions,
    judge_copy,
    judge_label_shuffle,
    judge_printed_score,
    judge_row_shuffle,
    judge_way,
    predictions_of,
)
from mle_modernizer_server.grading.refusal import InvalidSubmission
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.run_once import Run, run_options
from mle_modernizer_server.workflow.study.repeat import measure
from mle_modernizer_server.workflow.work import Cancelled, Work

_SEED = 20_260
_LONGEST = 300.0
"""Seconds a permuted copy may take to be made."""
_PUBLIC = "prepared/public/"
_MOST_FILES = 20
_SUCCESS = (Verdict.REPRODUCED, Verdict.WITHIN_NOISE, Verdict.ABOVE_TARGET)


async def settle_proof(work: Work, base: Iteration, rested: events.Rested) -> events.Rested:
    """How a session ends once its result was put to the proof; as it was where there is no result.

    Args:
        work: The session.
        base: The run that speaks for the notebook, which a model had a hand in.
        rested: How the session would end.

    Raises:
        Cancelled, ModernizerError: As `run_once`.
    """
    if rested.verdict not in _SUCCESS:
        return rested
    proofs = await prove(work, work.notebook(base.notebook_hash), base)
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
    return [
        proof
        for proof in proofs
        if proof.outcome is ProofOutcome.FAILED or proof.code is ProofCode.CELLS_FAILED
    ]


async def prove(work: Work, notebook: Notebook, base: Iteration) -> tuple[Proof, ...]:
    """Put a notebook's result to the proof; the proofs are in the log when it ends.

    Args:
        work: The session, whose settings hold.
        notebook: What is to be proven.
        base: A finished run of it.

    Raises:
        Cancelled, ModernizerError: As `run_once`.
    """
    proofs = [_way(notebook, base.require_diagnosis())]
    slug = work.settings.competition
    competition = None if slug is None else work.services.competitions.get(slug)
    public = None if slug is None else work.services.competitions.public_dir(slug)
    if competition is None or public is None:
        proofs.append(_impossible(ProofKind.LABEL_SHUFFLE, "there is no competition's data"))
    else:
        proofs += await _experiments(work, notebook, competition, public)
    original = work.notebook(work.session.notebook_hash)
    if not await asyncio.to_thread(learns, original):
        proofs = [_by_hand(proof) for proof in proofs]
    work.write(events.Proved(proofs=tuple(proofs)))
    return tuple(proofs)


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


def _way(notebook: Notebook, diagnosis: Diagnosis) -> Proof:
    failing = {
        finding.error.cell_id
        for finding in diagnosis.findings
        if finding.kind is not ErrorKind.HARMLESS
    }
    return judge_way(failing & way_to_submission(notebook))


async def _experiments(
    work: Work, notebook: Notebook, competition: Competition, public: Path
) -> list[Proof]:
    submission = competition.sample_submission
    layout = Layout(
        ids=competition.id_columns,
        targets=(*competition.target_columns, *competition.answer_columns),
        submission=submission.removeprefix(_PUBLIC) if submission.startswith(_PUBLIC) else "",
    )
    root = default_directory()
    await asyncio.to_thread(partial(root.mkdir, parents=True, exist_ok=True))
    with tempfile.TemporaryDirectory(prefix=".proof-", dir=root) as scratch:
        folder = Path(scratch)
        await asyncio.to_thread(folder.chmod, 0o755)  # a container's user is another one
        normal = await _run(work, notebook, None, coded("label.proof"))
        proofs = []
        if normal.predictions is not None:
            olds = await asyncio.to_thread(_olds, public, competition)
            proofs.append(judge_copy(normal.predictions, olds))
        proofs.append(await _labels(work, notebook, public, folder / "labels", layout, normal))
        if normal.predictions is not None:
            proofs.append(await _rows(work, notebook, public, folder / "rows", layout, normal))
        return proofs


async def _labels(
    work: Work, notebook: Notebook, public: Path, target: Path, layout: Layout, normal: Run
) -> Proof:
    watch = Watch(_LONGEST, work.cancel.is_set)
    try:
        await asyncio.to_thread(permute_labels, public, target, layout, _SEED, watch)
    except CannotPermute as error:
        return _impossible(ProofKind.LABEL_SHUFFLE, str(error))
    except Stopped as error:
        raise Cancelled from error
    shuffled = await _run(work, notebook, target, coded("label.proof-labels"))
    before, after = normal.grade, shuffled.grade
    first = None if before is None else before.score
    second = None if after is None else after.score
    spread = _spread(work)
    higher = before is None or before.higher_is_better
    if before is not None and before.score_kind is ScoreKind.PRINTED:
        proof = judge_printed_score(first, second, spread, higher_is_better=higher)
    else:
        same = normal.predictions is not None and normal.predictions == shuffled.predictions
        floor = None if before is None else before.floor
        proof = judge_label_shuffle(
            first, second, floor, spread, higher_is_better=higher, same_submission=same
        )
    return proof.model_copy(update={"seconds": shuffled.execution.seconds})


def _spread(work: Work) -> float:
    """How far clean runs of the notebook lie apart, where that was measured."""
    noise = work.session.noise
    return 0.0 if noise is None or noise.spread is None else (noise.spread.deviation or 0.0)


async def _rows(
    work: Work, notebook: Notebook, public: Path, target: Path, layout: Layout, normal: Run
) -> Proof:
    watch = Watch(_LONGEST, work.cancel.is_set)
    try:
        made = await asyncio.to_thread(permute_rows, public, target, layout, _SEED, watch)
    except CannotPermute as error:
        return _impossible(ProofKind.ROW_SHUFFLE, str(error))
    except Stopped as error:
        raise Cancelled from error
    permuted = await _run(work, notebook, target, coded("label.proof-rows"))
    if normal.predictions is None or permuted.predictions is None:
        return _impossible(ProofKind.ROW_SHUFFLE, "the run on shuffled rows has no submission")
    proof = await asyncio.to_thread(
        judge_row_shuffle, normal.predictions, permuted.predictions, made.moved
    )
    return proof.model_copy(update={"seconds": permuted.execution.seconds})


async def _run(work: Work, notebook: Notebook, public: Path | None, label: Messages) -> Run:
    """A run of the notebook on other data, with the predictions it hands in."""
    options = replace(run_options(work), public=public, predictions=True)
    return await measure(work, notebook, label, options)


def _olds(public: Path, competition: Competition) -> dict[str, Predictions]:
    """The predictions in files of the public data that are laid out like a submission."""
    found: dict[str, Predictions] = {}
    wanted = {*competition.id_columns, *competition.target_columns}
    for path in sorted(public.rglob("*.csv"))[:_MOST_FILES]:
        try:
            head = read_table(path, most_rows=1)
            if wanted <= set(head.header):
                table = read_table(path, list(wanted))
                found[path.name] = predictions_of(
                    table, competition.id_columns, competition.target_columns
                )
        except InvalidSubmission:
            continue  # no table of ours: the notebook cannot have handed it in
    return found


def _by_hand(proof: Proof) -> Proof:
    """A proof for a notebook that the author wrote without any training: a rule by hand.

    What it cannot pass is no reproach, unless it hands in what was there before.
    """
    if proof.outcome is not ProofOutcome.FAILED or proof.code is ProofCode.COPY:
        return proof
    parameters = {**proof.parameters, "original": "no-training"}
    return proof.model_copy(update={"outcome": ProofOutcome.UNCLEAR, "parameters": parameters})


def _impossible(kind: ProofKind, reason: str) -> Proof:
    return Proof(
        kind=kind,
        outcome=ProofOutcome.UNCLEAR,
        code=ProofCode.NOT_POSSIBLE,
        parameters={"reason": reason},
    )
