"""Every metric against values worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.grading.metric_facts import FACTS
from mle_modernizer_server.grading.metrics import labels as on_labels
from mle_modernizer_server.grading.metrics import numbers as on_numbers
from mle_modernizer_server.grading.metrics import probabilities
from mle_modernizer_server.grading.scoring import column_wise


def labels(*values: int) -> on_labels.Labels:
    return np.array(values, dtype=np.int64)


def floats(*values: float) -> on_numbers.Floats:
    return np.array(values, dtype=np.float64)


def test_accuracy_is_the_share_of_right_labels() -> None:
    assert on_labels.accuracy(labels(0, 1, 2, 2), labels(0, 1, 1, 2)) == 0.75


def test_roc_auc_is_the_share_of_pairs_in_the_right_order() -> None:
    # positives .35 and .8 against negatives .1 and .4: three of four pairs are in order
    assert probabilities.roc_auc(floats(0, 0, 1, 1), floats(0.1, 0.4, 0.35, 0.8)) == 0.75


def test_roc_auc_of_constant_predictions_is_one_half() -> None:
    assert probabilities.roc_auc(floats(0, 1, 1), floats(0.3, 0.3, 0.3)) == 0.5


def test_binary_log_loss_is_the_mean_negative_log() -> None:
    expected = -(math.log(0.8) + math.log(1 - 0.4)) / 2
    assert probabilities.binary_log_loss(floats(1, 0), floats(0.8, 0.4)) == pytest.approx(expected)


def test_binary_log_loss_accepts_answers_of_one_class() -> None:
    assert probabilities.binary_log_loss(floats(1, 1), floats(0.5, 0.5)) == pytest.approx(
        math.log(2)
    )


def test_certain_wrong_prediction_costs_the_log_of_epsilon() -> None:
    loss = probabilities.binary_log_loss(floats(1.0), floats(0.0))
    assert loss == pytest.approx(-math.log(np.finfo(np.float64).eps))


def test_multiclass_log_loss_uses_the_true_class() -> None:
    table = np.array([[0.7, 0.2, 0.1], [0.1, 0.5, 0.4]])
    expected = -(math.log(0.7) + math.log(0.4)) / 2
    assert probabilities.multiclass_log_loss(labels(0, 2), table) == pytest.approx(expected)


def test_rmse_is_the_root_of_the_mean_square() -> None:
    assert on_numbers.rmse(floats(0, 0), floats(3, 4)) == pytest.approx(math.sqrt(12.5))


def test_rmsle_is_the_rmse_of_log_one_plus_x() -> None:
    truth, predicted = floats(math.e - 1, 0), floats(math.e**3 - 1, 0)
    assert on_numbers.rmsle(truth, predicted) == pytest.approx(math.sqrt(2))


def test_mae_is_the_mean_distance() -> None:
    assert on_numbers.mae(floats(1, 2, 3), floats(2, 2, 5)) == 1.0


def test_macro_f1_weighs_every_class_the_same() -> None:
    # class 0: precision 2/3, recall 1, F1 .8; class 1: precision 1, recall 1/2, F1 2/3
    value = on_labels.macro_f1(labels(0, 0, 1, 1), labels(0, 0, 0, 1))
    assert value == pytest.approx((0.8 + 2 / 3) / 2)


def test_micro_f1_of_one_label_a_row_is_the_accuracy() -> None:
    assert on_labels.micro_f1(labels(0, 1, 2, 2), labels(0, 1, 1, 2)) == pytest.approx(0.75)


def test_kappa_punishes_by_the_square_of_the_distance() -> None:
    # Observed: one row is off by 2, weight 4. By chance, with truth counts (1, 1, 1) and
    # predicted counts (2, 1, 0): ((0 + 1) + (2 + 0) + (8 + 1)) / 3 = 4. So kappa is 1 - 4 / 4.
    truth, predicted = labels(0, 1, 2), labels(0, 1, 0)
    assert on_labels.quadratic_weighted_kappa(truth, predicted) == pytest.approx(0.0)


def test_kappa_of_perfect_agreement_is_one() -> None:
    assert on_labels.quadratic_weighted_kappa(labels(0, 1, 2), labels(0, 1, 2)) == 1.0


def test_kappa_counts_listed_classes_that_do_not_occur() -> None:
    truth, predicted = labels(0, 1, 4, 4), labels(0, 4, 4, 1)
    with_gap = on_labels.quadratic_weighted_kappa(truth, predicted, number_of_classes=5)
    by_rank = on_labels.quadratic_weighted_kappa(truth, predicted)
    assert with_gap == pytest.approx(1 - 18 / (((1 + 16 + 16) + (1 + 9 + 9) + 2 * (16 + 9)) / 4))
    assert with_gap != pytest.approx(by_rank)


def test_undefined_kappa_is_nan_without_a_warning() -> None:
    assert math.isnan(on_labels.quadratic_weighted_kappa(labels(0, 0), labels(0, 0)))


def test_several_columns_are_averaged() -> None:
    truth = np.array([[0.0, 0.0], [0.0, 0.0]])
    predicted = np.array([[1.0, 3.0], [1.0, 3.0]])
    assert column_wise(Metric.RMSE, truth, predicted) == 2.0


@pytest.mark.parametrize("metric", list(Metric))
def test_every_metric_has_a_direction_that_fits_its_best_value(metric: Metric) -> None:
    facts = FACTS[metric]
    assert facts.best == (facts.highest if facts.higher_is_better else facts.lowest)


def test_the_documentation_names_every_metric() -> None:
    text = (Path(__file__).parents[2] / "docs" / "competitions.md").read_text("utf-8")
    assert [metric.value for metric in Metric if f"| `{metric.value}` |" not in text] == []
