"""The metrics beyond the everyday ones, against hand-worked and published values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mle_modernizer_server.grading.metrics import labels, masks, numbers, probabilities, texts
from mle_modernizer_server.grading.metrics.boxes import (
    Box,
    Frames,
    Points,
    coco_map,
    point_f1,
    voc_map,
)
from mle_modernizer_server.grading.metrics.boxes_3d import Solid, box_3d_map
from mle_modernizer_server.grading.refusal import BadCell
from mle_modernizer_server.words import text


def floats(*values: float) -> numbers.Floats:
    return np.array(values, dtype=np.float64)


def codes(*values: int) -> labels.Labels:
    return np.array(values, dtype=np.int64)


def test_matthews_correlation_of_scikit_learns_example() -> None:
    # https://scikit-learn.org/stable/modules/model_evaluation.html#matthews-corrcoef
    assert labels.matthews_correlation(codes(1, 1, 1, 0), codes(1, 0, 1, 1)) == pytest.approx(
        -1 / 3
    )


def test_balanced_accuracy_of_scikit_learns_example() -> None:
    score = labels.balanced_accuracy(codes(0, 1, 0, 0, 1, 0), codes(0, 1, 0, 0, 0, 1))
    assert score == 0.625


def test_weighted_f1_of_scikit_learns_example() -> None:
    score = labels.weighted_f1(codes(0, 1, 2, 0, 1, 2), codes(0, 2, 1, 0, 0, 1))
    assert score == pytest.approx(0.2666666, abs=1e-6)


def test_error_is_what_accuracy_lacks() -> None:
    assert labels.classification_error(codes(0, 1, 2, 3), codes(0, 1, 2, 2)) == 0.25


def test_rmspe_leaves_rows_without_a_truth_out() -> None:
    score = numbers.rmspe(floats(0, 10, 100), floats(5, 11, 80))
    assert score == pytest.approx(math.sqrt((0.1**2 + 0.2**2) / 2))


def test_smape_is_between_nothing_and_two_hundred() -> None:
    assert numbers.smape(floats(0, 1, 3), floats(0, 0, 1)) == pytest.approx((0 + 200 + 100) / 3)


def test_mape_r2_and_median_of_scikit_learns_examples() -> None:
    truth, predicted = floats(3, -0.5, 2, 7), floats(2.5, 0.0, 2, 8)
    assert numbers.r2(truth, predicted) == pytest.approx(0.948, abs=1e-3)
    assert numbers.median_absolute_error(truth, predicted) == 0.5
    assert numbers.mape(truth, predicted) == pytest.approx(0.3273, abs=1e-4)
    assert numbers.mse(truth, predicted) == 0.375


def test_pearson_and_spearman_by_hand() -> None:
    truth, predicted = floats(1, 2, 3), floats(1, 3, 2)
    assert numbers.pearson(truth, predicted) == pytest.approx(0.5)
    assert numbers.spearman(floats(1, 2, 3, 4), floats(1, 4, 9, 16)) == pytest.approx(1.0)
    assert math.isnan(numbers.pearson(truth, floats(1, 1, 1)))


def test_gini_is_twice_the_auc_less_one() -> None:
    truth, predicted = floats(0, 0, 1, 1), floats(0.1, 0.4, 0.35, 0.8)
    assert numbers.gini(truth, predicted) == pytest.approx(2 * 0.75 - 1)
    assert numbers.gini(floats(3, 1, 2), floats(30, 10, 20)) == pytest.approx(1.0)


def test_concordance_counts_pairs_in_order_and_ties_half() -> None:
    # pairs (1,2) (1,3) (2,3): right, tie, wrong
    assert numbers.concordance(floats(1, 2, 3), floats(5, 6, 5)) == pytest.approx((1 + 0.5) / 3)


def test_concordance_omits_pairs_whose_earlier_time_is_no_event() -> None:
    score = numbers.concordance(floats(1, 2, 3), floats(9, 1, 2), floats(0, 1, 1))
    assert score == 1.0


def test_concordance_of_many_agrees_with_counting_every_pair() -> None:
    random = np.random.default_rng(3)
    truth, predicted = random.integers(0, 20, 80) * 1.0, random.integers(0, 9, 80) * 1.0
    event = random.integers(0, 2, 80) * 1.0
    right = pairs = 0.0
    for i in range(80):
        for j in range(80):
            if truth[i] < truth[j] and event[i]:
                pairs += 1
                right += (predicted[i] < predicted[j]) + (predicted[i] == predicted[j]) / 2
    assert numbers.concordance(truth, predicted, event) == pytest.approx(right / pairs)


def test_group_log_mae_averages_the_logarithms() -> None:
    score = numbers.group_log_mae(floats(0, 0, 0), floats(1, 3, 10), ["a", "a", "b"])
    assert score == pytest.approx((math.log(2) + math.log(10)) / 2)


def test_laplace_likelihood_of_the_competition_page() -> None:
    # an error of 0 with a confidence below 70: -ln(sqrt(2) * 70)
    score = numbers.laplace_log_likelihood(floats(2000), floats(2000), floats(10))
    assert score == pytest.approx(-math.log(70 * math.sqrt(2)))


def test_angles_and_metres_by_hand() -> None:
    quarter = np.array([[0.0, math.pi / 2]]), np.array([[math.pi / 2, math.pi / 2]])
    assert numbers.angular_error(*quarter) == pytest.approx(math.pi / 2)
    one_degree = np.array([[0.0, 0.0]]), np.array([[1.0, 0.0]])
    metres = numbers.haversine_error(*one_degree, ["a"])
    assert metres == pytest.approx(6_371_000 * math.pi / 180)


def test_probabilistic_f_of_hard_predictions_is_f1() -> None:
    score = probabilities.probabilistic_f(floats(1, 1, 0, 0), floats(1, 0, 1, 0))
    assert score == pytest.approx(0.5)


def test_kl_divergence_of_kaggles_own_examples() -> None:
    # the docstring of https://www.kaggle.com/code/metric/kullback-leibler-divergence
    truth = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    predicted = np.array([[0.1, 0.9], [0.9, 0.1], [0.8, 0.2], [0.35, 0.65]])
    assert probabilities.kl_divergence(truth, predicted) == pytest.approx(0.216161, abs=1e-6)
    truth = np.array([[0, 0.1, 0.9], [0.5, 0.5, 0], [0.5, 0.5, 0]])
    predicted = np.array([[0.2, 0.1, 0.7], [0.3, 0.5, 0.2], [0.5, 0.5, 0]])
    assert probabilities.kl_divergence(truth, predicted) == pytest.approx(0.160531, abs=1e-6)


def test_brier_and_average_precision_of_scikit_learns_examples() -> None:
    score = probabilities.brier(floats(0, 1, 1, 0), floats(0.1, 0.9, 0.8, 0.3))
    assert score == pytest.approx(0.0375)
    score = probabilities.average_precision(floats(0, 0, 1, 1), floats(0.1, 0.4, 0.35, 0.8))
    assert score == pytest.approx(0.83, abs=0.01)


def test_label_ranking_skips_rows_without_labels() -> None:
    truth = np.array([[1.0, 0, 0], [0, 0, 0], [0, 0, 1]])
    predicted = np.array([[0.75, 0.5, 1], [9, 9, 9], [1, 0.2, 0.1]])
    score = probabilities.label_ranking_average_precision(truth, predicted)
    assert score == pytest.approx((1 / 2 + 1 / 3) / 2)  # scikit-learn's 0.416...


def test_weighted_auc_doubles_low_rates_and_is_one_if_perfect() -> None:
    assert probabilities.weighted_roc_auc(floats(0, 1), floats(0, 1)) == pytest.approx(1.0)
    # constant predictions: under the diagonal 0.32 of the lower band, 0.18 of the upper one
    constant = probabilities.weighted_roc_auc(floats(0, 1), floats(1, 1))
    assert constant == pytest.approx((2 * 0.32 + 0.18) / 1.4)


def test_fracture_weights_are_seven_for_patient_double_positive() -> None:
    truth, predicted = floats(1, 0), floats(0.5, 0.25)
    score = probabilities.fracture_log_loss(truth, predicted, ["a", "a"], ["patient_overall", "C1"])
    assert score == pytest.approx((14 * math.log(2) - math.log(0.75)) / 15)


def test_unintended_bias_of_a_perfect_order_is_one() -> None:
    truth = floats(0, 0, 1, 1, 0, 1)
    identities = np.array([[1.0], [0], [1], [0], [1], [0]])
    assert probabilities.unintended_bias_auc(truth, truth, identities) == pytest.approx(1.0)


def test_map_of_the_package_that_kaggle_names() -> None:
    # test_average_precision.py of https://github.com/benhamner/Metrics
    truth = [set("1234"), set("1234")]
    assert texts.map_at_k([set("12345")], [list("64712")], 2) == pytest.approx(0.25)
    assert texts.map_at_k([set("12345")], [list("11111")], 5) == pytest.approx(0.2)
    assert texts.map_at_k(truth, [list("1234"), list("5678")], 4) == 0.5


def test_ndcg_of_the_airbnb_page() -> None:
    # https://www.kaggle.com/competitions/airbnb-recruiting-new-user-bookings/overview/evaluation
    assert texts.ndcg_at_k([{"FR"}], [["FR"]], 5) == 1.0
    assert texts.ndcg_at_k([{"FR"}], [["US", "FR"]], 5) == pytest.approx(0.6309, abs=1e-4)


def test_tags_nobody_has_are_not_counted() -> None:
    assert texts.tag_f1([{"a", "b"}, {"c"}], [{"a", "never"}, {"c"}]) == pytest.approx(0.8)


def test_jaccard_compares_sets_of_words() -> None:
    assert texts.word_jaccard(["Very good day", ""], ["good", ""], 1.0) == pytest.approx(
        (1 / 3 + 1) / 2
    )


def test_edit_distances_and_error_rates_by_hand() -> None:
    assert texts.edit_distance(["kitten", "same"], ["sitting", "same"]) == 1.5
    assert texts.error_rate(["kitten"], ["sitting"]) == 0.5
    assert texts.error_rate([["the", "cat", "sat"]], [["the", "cat", "sat", "down"]]) == 1 / 3
    assert texts.error_rate([[1, 2, 3], [4]], [[1, 3], [4, 5, 6]]) == 0.75


def test_kendall_tau_of_the_extremes() -> None:
    assert texts.order_kendall_tau([list("abc")], [list("abc")]) == 1.0
    assert texts.order_kendall_tau([list("abc")], [list("cba")]) == -1.0
    assert texts.order_kendall_tau([list("abc")], [list("bac")]) == pytest.approx(1 / 3)


def test_masks_are_compared_pixel_by_pixel() -> None:
    truth, predicted = masks.decode_runs("1 4 10 2", 20), masks.decode_runs("3 4 11 5", 20)
    assert masks.overlap(truth, predicted) == 2 + 1
    assert masks.dice(truth, predicted) == pytest.approx(6 / 15)
    assert masks.iou(truth, predicted) == pytest.approx(3 / 12)
    assert masks.f_beta(truth, predicted, 0.5) == pytest.approx(1.25 * 3 / (0.25 * 6 + 9))
    assert masks.global_dice([truth, truth], [truth, predicted]) == pytest.approx(18 / 27)


def test_two_empty_masks_are_worth_what_the_competition_says() -> None:
    empty = masks.decode_runs("", 10)
    assert masks.dice(empty, empty, 1.0) == 1.0
    assert math.isnan(masks.dice(empty, empty))
    assert masks.iou_precision(empty, empty) == 1.0
    assert masks.iou_precision(empty, masks.decode_runs("1 1", 10)) == 0.0


def test_iou_precision_is_the_share_of_thresholds_passed() -> None:
    truth = masks.decode_runs("1 10", 100)
    assert masks.iou_precision(truth, masks.decode_runs("1 8", 100)) == pytest.approx(0.6)
    empty = masks.decode_runs("", 100)
    large = masks.decode_runs("1 80", 100)
    assert masks.iou_precision(large, empty, 100, empty_is_full=True) == pytest.approx(0.6)
    assert masks.iou_precision(large, empty, 100) == 0.0


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ("1 2 3", "pairs"),
        ("5 1 2 1", "ascending"),
        ("1 3 2 2", "overlap"),
        ("0 3", "at least 1"),
        ("1 0", "at least 1"),
        ("1.5 2", "whole numbers"),
        ("9" * 30 + " 1", "whole numbers"),
    ],
)
def test_run_lengths_that_break_a_rule_say_which(runs: str, words: str) -> None:
    with pytest.raises(BadCell) as caught:
        masks.decode_runs(runs, 100)
    assert words in text(caught.value.message)


def test_runs_beyond_the_image_are_cut_off() -> None:
    assert masks.area(masks.decode_runs("8 5 30 4", 10)) == 3


def test_hausdorff_is_the_farthest_pixel_in_a_unit_cube() -> None:
    # one pixel each in a slice of 10 by 10, five rows apart
    first, second = masks.decode_runs("1 1", 100), masks.decode_runs("6 1", 100)
    assert masks.hausdorff([first], [second], 10, 10) == pytest.approx(0.5 / math.sqrt(3))
    assert masks.hausdorff([first], [first], 10, 10) == 0.0
    assert masks.hausdorff([first], [masks.decode_runs("", 100)], 10, 10) == 1.0


def test_boxes_that_are_found_missed_and_invented() -> None:
    truth = [[Box("a", 1, (0, 0, 10, 10))], [Box("a", 1, (0, 0, 10, 10))], []]
    found = [Box("a", 0.9, (0, 0, 10, 9))]
    assert voc_map(truth, [found, [], []]) == pytest.approx((1 * 1 + 2 / 3 * 1) / 2)
    assert voc_map(truth, [found, found, []]) == 1.0


def test_coco_precision_of_one_hit_and_one_miss_is_half() -> None:
    truth = {"i": [Box("1", 1, (0, 0, 10, 10))], "j": [Box("1", 1, (0, 0, 10, 10))]}
    hit = Box("1", 0.9, (0, 0, 10, 10))
    # recall reaches 0.5 with precision 1: 51 of the 101 recalls
    assert coco_map(truth, {"i": [hit]}) == pytest.approx(51 / 101)
    assert coco_map(truth, {"i": [hit], "j": [hit]}) == pytest.approx(1.0)


def test_coco_boxes_numbered_from_zero_lose_the_first_true_one() -> None:
    # pycocotools 2.0 on the same boxes with ids from 0, as MLE-bench's grader gives them.
    truth = {"i": [Box("1", 1, (0, 0, 10, 10))], "j": [Box("1", 1, (0, 0, 10, 10))]}
    hit = Box("1", 0.9, (0, 0, 10, 10))
    later = {"j": [hit], "i": [Box("1", 0.8, (0, 0, 10, 10))]}
    assert coco_map(truth, later, zero_is_none=True) == pytest.approx(51 / 101)
    assert coco_map(truth, later) == pytest.approx(1.0)


def test_a_solid_that_is_turned_by_a_quarter_overlaps_in_part() -> None:
    box = Solid("car", 1.0, (0, 0, 0), (2, 4, 1), 0.0)
    turned = Solid("car", 0.9, (0, 0, 0), (2, 4, 1), math.pi / 2)
    assert box_3d_map([[box]], [[box]]) == 1.0
    # a square of 2 by 2 of 12 in either: IoU one third, below all thresholds
    assert box_3d_map([[box]], [[turned]]) == 0.0
    moved = Solid("car", 0.9, (0, 0, 0.2), (2, 4, 1), 0.0)
    # IoU 0.8 / 1.2 = 0.67, above four of ten thresholds
    assert box_3d_map([[box]], [[moved]]) == pytest.approx(0.4)


def test_point_counts_once_in_a_box_of_its_label() -> None:
    frames = [Frames(["U", "V"], np.array([[0.0, 0, 10, 10], [20, 20, 30, 30]]))]
    points = [Points(["U", "U", "W"], np.array([[5.0, 5], [6, 6], [25, 25]]))]
    assert point_f1(frames, points) == pytest.approx(2 * 1 / (2 + 3))
