"""What is proof that a result comes from a model, what is a reproach, and what is neither."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from mle_modernizer_server.domain.verification import ProofCode, ProofOutcome
from mle_modernizer_server.grading.csv_table import read_table
from mle_modernizer_server.grading.proofs import (
    Predictions,
    RowScores,
    judge_copy,
    judge_half_rows,
    judge_label_shuffle,
    judge_printed_score,
    judge_row_shuffle,
    judge_way,
    moved_back,
    predictions_of,
    rows_agree,
    same_predictions,
)


@pytest.mark.parametrize(
    ("normal", "shuffled", "floor", "spread", "higher", "outcome"),
    [
        (0.93, 0.51, 0.5, 0.01, True, ProofOutcome.PASSED),
        (0.93, 0.92, 0.5, 0.01, True, ProofOutcome.FAILED),
        (0.93, 0.93, 0.5, 0.0, True, ProofOutcome.FAILED),
        (0.93, 0.99, 0.5, 0.0, True, ProofOutcome.FAILED),
        (0.93, 0.88, 0.5, 0.0, True, ProofOutcome.UNCLEAR),
        (0.51, 0.50, 0.5, 0.02, True, ProofOutcome.UNCLEAR),
        (0.40, 0.41, 0.5, 0.0, True, ProofOutcome.UNCLEAR),
        (55.0, 77.0, 77.0, 1.0, False, ProofOutcome.PASSED),
        (55.0, 55.3, 77.0, 1.0, False, ProofOutcome.FAILED),
        (0.93, 0.60, None, 0.0, True, ProofOutcome.PASSED),
        (0.93, 0.93, None, 0.0, True, ProofOutcome.FAILED),
        (None, 0.93, 0.5, 0.0, True, ProofOutcome.UNCLEAR),
        (0.93, None, 0.5, 0.0, True, ProofOutcome.UNCLEAR),
    ],
)
def test_permuted_labels_must_cost_the_score(
    normal: float | None,
    shuffled: float | None,
    floor: float | None,
    spread: float,
    higher: bool,
    outcome: ProofOutcome,
) -> None:
    proof = judge_label_shuffle(normal, shuffled, floor, spread, higher_is_better=higher)
    assert proof.outcome is outcome


def test_the_same_submission_from_other_labels_is_no_prediction() -> None:
    proof = judge_label_shuffle(0.9, 0.5, 0.5, 0.0, same_submission=True)
    assert (proof.outcome, proof.code) == (ProofOutcome.FAILED, ProofCode.LABELS_UNUSED)


def test_chance_level_score_has_nothing_to_lose() -> None:
    proof = judge_label_shuffle(0.53, 0.55, 0.5, 0.0, deviation=0.04)
    assert (proof.outcome, proof.code) == (
        ProofOutcome.UNCLEAR,
        ProofCode.NO_BETTER_THAN_FLOOR,
    )
    assert judge_label_shuffle(0.93, 0.92, 0.5, 0.0, deviation=0.04).code is ProofCode.SCORE_KEPT


def test_a_printed_score_that_is_written_down_stays_as_it_is() -> None:
    assert judge_printed_score(0.8431, 0.8431, 0.0).code is ProofCode.SCORE_NOT_COMPUTED
    assert judge_printed_score(0.8431, 0.5120, 0.0).outcome is ProofOutcome.PASSED


ROWS = 200
IDS = [str(1000 + at) for at in range(ROWS)]
ORDER = random.Random(3).sample(range(ROWS), ROWS)
NAMES = random.Random(4).sample(range(ROWS), ROWS)
MOVED = {IDS[row]: IDS[to] for row, to in zip(ORDER, NAMES, strict=True)}
FEATURE = [random.Random(at).random() for at in range(ROWS)]


def honest() -> tuple[Predictions, Predictions]:
    first = {IDS[at]: (f"{FEATURE[at]:.4f}",) for at in range(ROWS)}
    second = {IDS[to]: (f"{FEATURE[row]:.4f}",) for row, to in zip(ORDER, NAMES, strict=True)}
    return first, second


def test_predictions_go_with_the_rows() -> None:
    assert judge_row_shuffle(*honest(), MOVED).code is ProofCode.FOLLOWS_ROWS


def test_predictions_by_id_do_not() -> None:
    by_id = {name: (str(int(name) % 7),) for name in IDS}
    again = {IDS[to]: by_id[IDS[to]] for to in NAMES}
    assert judge_row_shuffle(by_id, again, MOVED).code is ProofCode.FOLLOWS_IDS


def test_predictions_by_place_do_not() -> None:
    written = [str(at * 37 % 11) for at in range(ROWS)]
    first = {name: (value,) for name, value in zip(IDS, written, strict=True)}
    second = {IDS[to]: (value,) for to, value in zip(NAMES, written, strict=True)}
    assert judge_row_shuffle(first, second, MOVED).code is ProofCode.FOLLOWS_PLACES


def test_one_prediction_for_all_rows_is_none() -> None:
    same = dict.fromkeys(IDS, ("0.5",))
    assert judge_row_shuffle(same, same, MOVED).code is ProofCode.ALL_THE_SAME


def test_predictions_that_change_with_the_order_are_an_objection() -> None:
    first, _ = honest()
    other = {name: (f"{random.Random(name).random():.4f}",) for name in IDS}
    proof = judge_row_shuffle(first, other, MOVED)
    assert (proof.outcome, proof.code) == (ProofOutcome.UNCLEAR, ProofCode.ORDER_MATTERS)
    proof = judge_row_shuffle(first, other, MOVED, again=dict(first))
    assert (proof.outcome, proof.code) == (ProofOutcome.FAILED, ProofCode.ORDER_MATTERS)
    proof = judge_row_shuffle(first, other, MOVED, again=other)
    assert (proof.outcome, proof.code) == (ProofOutcome.UNCLEAR, ProofCode.VARIES)


def test_rows_that_move_must_keep_the_score() -> None:
    first, second = honest()
    overridden = {**second, **dict.fromkeys(IDS[:9], ("0.99",))}
    kept = RowScores(normal=0.9, moved=0.89, floor=0.5)
    assert judge_row_shuffle(first, second, MOVED, kept).outcome is ProofOutcome.PASSED
    lost = RowScores(normal=0.9, moved=0.6, floor=0.5)
    for again, outcome in ((None, ProofOutcome.UNCLEAR), (dict(first), ProofOutcome.FAILED)):
        proof = judge_row_shuffle(first, overridden, MOVED, lost, again)
        assert (proof.outcome, proof.code) == (outcome, ProofCode.ROWS_COST_SCORE)
        assert proof.parameters["moved"] == "0.6"


def test_lost_score_is_an_objection_beyond_the_own_variation() -> None:
    first, second = honest()
    varied = {name: (str(float(value) + 0.1),) for name, (value,) in first.items()}
    lost = RowScores(normal=0.9, moved=0.6, floor=0.5, again=0.89)
    assert judge_row_shuffle(first, second, MOVED, lost, varied).outcome is ProofOutcome.FAILED
    noisy = RowScores(normal=0.9, moved=0.6, floor=0.5, again=0.7)
    assert judge_row_shuffle(first, second, MOVED, noisy, varied).code is ProofCode.FOLLOWS_ROWS
    lower = RowScores(normal=60.0, moved=75.0, floor=77.0, higher_is_better=False)
    assert lower.is_lost(0.25) and not RowScores(normal=0.5, moved=0.4, floor=0.5).is_lost(0.05)


def test_ids_are_mapped_back_by_value() -> None:
    submission = {"1": ("a",), "2": ("b",)}
    on_permuted = {"2": ("a",), "1": ("b",)}
    assert moved_back(submission, on_permuted, {"01": "2.0", "2": "1"}) == submission


def test_labels_are_compared_as_labels() -> None:
    first = {name: ("cat" if FEATURE[at] > 0.5 else "dog",) for at, name in enumerate(IDS)}
    second = {new: first[old] for old, new in MOVED.items()}
    assert judge_row_shuffle(first, second, MOVED).outcome is ProofOutcome.PASSED


def test_other_rows_are_no_proof() -> None:
    first, second = honest()
    assert judge_row_shuffle(first, dict(list(second.items())[:9]), MOVED).code is (
        ProofCode.IDS_DIFFER
    )


HALF = IDS[::2]


def without_the_other_half(change: float, of: int) -> Predictions:
    """The predictions of half of the rows, some of them moved."""
    first, _ = honest()
    return {
        name: (str(float(first[name][0]) + change * (at % of == 0)),)
        for at, name in enumerate(HALF)
    }


def test_rows_are_predicted_alone_or_together() -> None:
    first, _ = honest()
    assert judge_half_rows(first, without_the_other_half(1e-7, 1), None).code is (
        ProofCode.ROWS_ALONE
    )
    together = judge_half_rows(first, without_the_other_half(0.001, 4), dict(first))
    assert (together.outcome, together.code) == (ProofOutcome.FAILED, ProofCode.ROWS_TOGETHER)
    assert together.parameters == {"moved": "25", "rows": "100"}


def test_a_notebook_that_varies_by_itself_is_not_blamed() -> None:
    first, _ = honest()
    half, again = without_the_other_half(0.001, 4), without_the_other_half(0.002, 3)
    proof = judge_half_rows(first, half, {**first, **again})
    assert (proof.outcome, proof.code) == (ProofOutcome.UNCLEAR, ProofCode.VARIES)
    assert judge_half_rows(first, {}, None).code is ProofCode.IDS_DIFFER
    assert judge_half_rows(first, {"other": ("1",)}, None).code is ProofCode.IDS_DIFFER


def test_labels_of_half_of_the_rows_are_compared_as_labels() -> None:
    whole = {"1": ("cat",), "2": ("dog",), "3": ("cat",)}
    assert rows_agree({"1": ("cat",), "3": ("cat",)}, whole)
    assert not rows_agree({"1": ("cat",), "2": ("cat",)}, whole)
    assert not rows_agree({}, whole)


def test_a_copy_of_the_sample_is_found_however_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "sample.csv").write_text("Id,y\n1,0.5\n2,1\n")
    (tmp_path / "sub.csv").write_text("y,Id\n1.0,2.0\n0.50,1\n")
    sample, sub = (
        predictions_of(read_table(tmp_path / name), ["Id"], ["y"])
        for name in ("sample.csv", "sub.csv")
    )
    assert same_predictions(sub, sample)
    assert not same_predictions({"1": ("0.4",), "2": ("1",)}, sample)
    assert not same_predictions({"1": ("0.5",)}, sample)
    assert not same_predictions({}, {})
    proof = judge_copy("sample.csv")
    assert (proof.outcome, proof.parameters) == (ProofOutcome.FAILED, {"file": "sample.csv"})
    assert judge_copy("").code is ProofCode.OWN


def test_a_result_past_failing_cells_is_not_yet_judged() -> None:
    assert judge_way(["c3", "c1"]).parameters == {"cells": "c1, c3"}
    assert judge_way(["c3"]).outcome is ProofOutcome.UNCLEAR
    assert judge_way([]).outcome is ProofOutcome.PASSED
