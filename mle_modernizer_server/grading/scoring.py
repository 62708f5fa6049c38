"""A metric on a pair of submission and answers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mle_modernizer_server.domain.competition import LabelRule, Metric, RowSums
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.grading.cells import MISSING, canonical_label, label_codes, number
from mle_modernizer_server.grading.metrics import labels, probabilities
from mle_modernizer_server.grading.metrics import numbers as on_numbers
from mle_modernizer_server.grading.metrics.labels import Labels
from mle_modernizer_server.grading.metrics.numbers import Floats
from mle_modernizer_server.grading.pairs import Pair
from mle_modernizer_server.grading.refusal import (
    InvalidSubmission,
    Stage,
    UnusableAnswers,
    examples,
    shown,
)
from mle_modernizer_server.grading.scoring_texts import ON_TEXTS

_BINARY = frozenset(
    {
        *(Metric.ROC_AUC, Metric.LOG_LOSS, Metric.AVERAGE_PRECISION, Metric.BRIER),
        *(Metric.WEIGHTED_ROC_AUC, Metric.PROBABILISTIC_F, Metric.FRACTURE_LOG_LOSS),
    }
)
_BOTH_CLASSES = frozenset([Metric.ROC_AUC, Metric.WEIGHTED_ROC_AUC])

_COLUMN_WISE: dict[Metric, Callable[[Floats, Floats], float]] = {
    Metric.ROC_AUC: probabilities.roc_auc,
    Metric.AVERAGE_PRECISION: probabilities.average_precision,
    Metric.BRIER: probabilities.brier,
    Metric.LOG_LOSS: probabilities.binary_log_loss,
    Metric.WEIGHTED_ROC_AUC: probabilities.weighted_roc_auc,
    Metric.RMSE: on_numbers.rmse,
    Metric.MSE: on_numbers.mse,
    Metric.RMSLE: on_numbers.rmsle,
    Metric.RMSPE: on_numbers.rmspe,
    Metric.MAE: on_numbers.mae,
    Metric.MEDIAN_ABSOLUTE_ERROR: on_numbers.median_absolute_error,
    Metric.MAPE: on_numbers.mape,
    Metric.SMAPE: on_numbers.smape,
    Metric.R2: on_numbers.r2,
    Metric.PEARSON: on_numbers.pearson,
    Metric.SPEARMAN: on_numbers.spearman,
    Metric.GINI: on_numbers.gini,
}
_ON_LABELS: dict[Metric, Callable[[Labels, Labels], float]] = {
    Metric.ACCURACY: labels.accuracy,
    Metric.BALANCED_ACCURACY: labels.balanced_accuracy,
    Metric.CLASSIFICATION_ERROR: labels.classification_error,
    Metric.MACRO_F1: labels.macro_f1,
    Metric.MICRO_F1: labels.micro_f1,
    Metric.WEIGHTED_F1: labels.weighted_f1,
    Metric.MCC: labels.matthews_correlation,
}


def compute(pair: Pair) -> tuple[float, Messages]:
    """Return the score of a pair, possibly not finite, and a note on oddities.

    Raises:
        InvalidSubmission: A value of the submission does not fit the metric.
        UnusableAnswers: One of the answers does not.
    """
    metric = pair.competition.metric
    if metric in _ON_LABELS or metric is Metric.QUADRATIC_WEIGHTED_KAPPA:
        return _labels(pair)
    if metric in ON_TEXTS:
        return ON_TEXTS[metric](pair), ()
    predicted = pair.predicted_numbers()
    if metric is Metric.LOG_LOSS and predicted.shape[1] > 1:
        check_sums(pair, predicted)
        return probabilities.multiclass_log_loss(true_classes(pair), predicted), ()
    if metric in _COLUMN_WISE:
        score = column_wise(metric, true_numbers(pair), predicted)
    else:
        score = _WHOLE[metric](pair, predicted)
    if metric is Metric.MAE and pair.option("round"):
        score = float(round(score))
    return score, ()


def column_wise(metric: Metric, truth: Floats, predicted: Floats) -> float:
    """Return the mean of a metric on numbers over the columns of two equally shaped tables."""
    function = _COLUMN_WISE[metric]
    columns = [function(truth[:, i], predicted[:, i]) for i in range(truth.shape[1])]
    return float(np.mean(columns))


def is_column_wise(metric: Metric) -> bool:
    """Return whether several target columns are scored one by one and averaged."""
    return metric in _COLUMN_WISE


def true_numbers(pair: Pair) -> Floats:
    """Return the truth as numbers that the metric can work with.

    Raises:
        UnusableAnswers: They are not.
    """
    metric = pair.competition.metric
    truth = pair.true_numbers()
    for column, name in zip(truth.T, pair.competition.answer_columns, strict=True):
        values = np.unique(column)
        if metric in _BINARY and not set(values.tolist()) <= {0.0, 1.0}:
            raise UnusableAnswers(coded("answers.not-binary", column=shown(name)))
        if metric in _BOTH_CLASSES and len(values) < 2:
            raise UnusableAnswers(coded("answers.one-value", column=shown(name)))
        if metric is Metric.RMSLE and values[0] < 0:
            raise UnusableAnswers(coded("answers.negative", column=shown(name)))
    return truth


def check_sums(pair: Pair, predicted: Floats) -> None:
    """Check that the probabilities of each row sum to 1, within the competition's tolerance.

    Raises:
        InvalidSubmission: They do not; the message has the line.
    """
    sums = predicted.sum(axis=1)
    rule = pair.competition.row_sums
    if rule is RowSums.FREE:
        return
    if rule is RowSums.CLOSE:
        # numpy's relative part adds 1e-5, as in MLE-bench's graders
        wrong = np.flatnonzero(~np.isclose(sums, 1.0, atol=1e-6))
    else:
        decimals = 5 if rule is RowSums.FIVE_DECIMALS else 6
        wrong = np.flatnonzero(np.round(sums, decimals) != 1)
    if len(wrong):
        row = int(wrong[0])
        raise InvalidSubmission(
            Stage.VALUES,
            coded(
                "csv.row-sum",
                line=pair.line(row),
                sum=f"{sums[row]:.8g}",
                wrong=len(wrong),
                rows=len(sums),
            ),
        )


def true_classes(pair: Pair) -> Labels:
    """Return the position of each row's class among the target columns (multi-class log loss).

    Raises:
        UnusableAnswers: A row has none or several.
    """
    competition = pair.competition
    if len(competition.answer_columns) > 1:
        table = pair.true_numbers()
        if not bool(((table == 0) | (table == 1)).all() and (table.sum(axis=1) == 1).all()):
            raise UnusableAnswers(coded("answers.not-one-class"))
        return np.asarray(table.argmax(axis=1), dtype=np.int64)
    names = competition.classes or competition.target_columns
    positions = {canonical_label(label): position for position, label in enumerate(names)}
    try:
        cells = pair.true_cells(competition.answer_columns[0])
        return np.array([positions[canonical_label(text)] for text in cells], dtype=np.int64)
    except KeyError as error:
        label = shown(str(error.args[0]))
        raise UnusableAnswers(coded("answers.no-such-target", label=label)) from error


def _labels(pair: Pair) -> tuple[float, Messages]:
    competition = pair.competition
    scores: list[float] = []
    notes: Messages = ()
    for target, answer in zip(competition.target_columns, competition.answer_columns, strict=True):
        truth_cells = pair.true_cells(answer)
        rule = competition.label_rule
        if rule is not LabelRule.TEXT and any(not text.strip() for text in truth_cells):
            raise UnusableAnswers(coded("answers.label-empty", column=shown(answer)))
        kappa = competition.metric is Metric.QUADRATIC_WEIGHTED_KAPPA
        if kappa and not competition.classes:
            try:
                pair.numbers_of_answers([answer])
            except UnusableAnswers as error:
                raise UnusableAnswers(coded("answers.kappa")) from error
        lines = [pair.submission.lines[row] for row in pair.match.rows.tolist()]
        cells = pair.predicted_cells(target)
        if competition.empty_as.get(target) in MISSING:
            cells = _missing_as_label(cells, truth_cells, target)
        try:
            truth, predicted, note = label_codes(
                truth_cells, cells, lines, target, competition.classes, rule
            )
        except KeyError as error:
            label = shown(str(error.args[0]))
            raise UnusableAnswers(coded("answers.no-class", label=label)) from error
        notes += note
        if kappa:
            number = len(competition.classes) or None
            scores.append(labels.quadratic_weighted_kappa(truth, predicted, number))
        else:
            scores.append(_ON_LABELS[competition.metric](truth, predicted))
    return float(np.mean(scores)), notes


def _missing_as_label(cells: list[str], truth: list[str], column: str) -> list[str]:
    """Return empty labels as a label of their own, as in pandas, but only among texts.

    A column that pandas reads as numbers cannot be compared with texts.
    """
    given = set(cells)
    present = given - MISSING
    numeric = all(number(text) is not None for text in present)
    if numeric and present != given and any(number(text) is None for text in set(truth)):
        code = "csv.only-numbers" if present else "csv.no-labels"
        message = coded(code, column=shown(column), labels=examples(sorted(set(truth))))
        raise InvalidSubmission(Stage.VALUES, message)
    return [f"({text})" if text in MISSING else text for text in cells]


def _probabilistic_f(pair: Pair, predicted: Floats) -> float:
    if bool((predicted < 0).all()):
        raise InvalidSubmission(Stage.VALUES, coded("csv.all-negative"))
    truth = true_numbers(pair)
    beta = pair.option("beta")
    return probabilities.probabilistic_f(truth[:, 0], predicted[:, 0], beta)


def _kl_divergence(pair: Pair, predicted: Floats) -> float:
    check_sums(pair, predicted)
    truth = pair.true_numbers()
    if bool((truth < 0).any()) or not bool((truth.sum(axis=1) > 0).all()):
        raise UnusableAnswers(coded("answers.votes"))
    return probabilities.kl_divergence(truth, predicted)


def _ranking(pair: Pair, predicted: Floats) -> float:
    return probabilities.label_ranking_average_precision(pair.true_numbers(), predicted)


def _unintended_bias(pair: Pair, predicted: Floats) -> float:
    identities = pair.numbers_of_answers(list(pair.competition.support.values()), empty="0")
    scores = predicted[:, 0]
    if pair.option("binarize"):
        scores = (scores >= 0.5).astype(np.float64)
    try:
        return probabilities.unintended_bias_auc(pair.true_numbers()[:, 0], scores, identities)
    except ValueError as error:
        raise UnusableAnswers(coded("answers.no-auc")) from error


def _fracture(pair: Pair, predicted: Floats) -> float:
    ids = pair.true_cells(pair.competition.id_columns[0])
    parts = [text.split("_", 1) for text in ids]
    if any(len(part) != 2 for part in parts):
        raise UnusableAnswers(coded("answers.patient-part"))
    truth = true_numbers(pair)[:, 0]
    patients, names = [part[0] for part in parts], [part[1] for part in parts]
    return probabilities.fracture_log_loss(truth, predicted[:, 0], patients, names)


def _group_log_mae(pair: Pair, predicted: Floats) -> float:
    groups = pair.true_cells(pair.support("group"))
    return on_numbers.group_log_mae(pair.true_numbers()[:, 0], predicted[:, 0], groups)


def _laplace(pair: Pair, predicted: Floats) -> float:
    return on_numbers.laplace_log_likelihood(
        pair.true_numbers()[:, 0],
        predicted[:, 0],
        predicted[:, 1],
        pair.option("smallest_confidence"),
        pair.option("largest_error"),
    )


def _angular(pair: Pair, predicted: Floats) -> float:
    return on_numbers.angular_error(pair.true_numbers(), predicted)


def _haversine(pair: Pair, predicted: Floats) -> float:
    groups = pair.true_cells(pair.competition.id_columns[0])
    return on_numbers.haversine_error(pair.true_numbers(), predicted, groups)


def _concordance(pair: Pair, predicted: Floats) -> float:
    event = None
    if "event" in pair.competition.support:
        event = pair.numbers_of_answers([pair.support("event")])[:, 0]
    return on_numbers.concordance(pair.true_numbers()[:, 0], predicted[:, 0], event)


_WHOLE: dict[Metric, Callable[[Pair, Floats], float]] = {
    Metric.PROBABILISTIC_F: _probabilistic_f,
    Metric.KL_DIVERGENCE: _kl_divergence,
    Metric.LABEL_RANKING_AVERAGE_PRECISION: _ranking,
    Metric.UNINTENDED_BIAS_AUC: _unintended_bias,
    Metric.FRACTURE_LOG_LOSS: _fracture,
    Metric.GROUP_LOG_MAE: _group_log_mae,
    Metric.LAPLACE_LOG_LIKELIHOOD: _laplace,
    Metric.ANGULAR_ERROR: _angular,
    Metric.HAVERSINE_ERROR: _haversine,
    Metric.CONCORDANCE: _concordance,
}
