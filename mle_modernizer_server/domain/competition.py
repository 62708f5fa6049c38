"""A competition: what a submission must look like and how it is scored."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value


class Metric(str, Enum):
    """The metrics a competition can be scored by."""

    ACCURACY = "accuracy"
    ROC_AUC = "roc_auc"
    LOG_LOSS = "log_loss"
    RMSE = "rmse"
    RMSLE = "rmsle"
    MAE = "mae"
    MACRO_F1 = "macro_f1"
    MICRO_F1 = "micro_f1"
    QUADRATIC_WEIGHTED_KAPPA = "quadratic_weighted_kappa"


class Competition(Value):
    """A competition as its `competition.yaml` describes it.

    The directory layout is MLE-bench's (https://github.com/openai/mle-bench): the notebook sees
    `<root>/<id>/prepared/public` at `/kaggle/input/<id>`; `prepared/private` holds the answers
    and is never visible to a kernel. Paths are relative to `<root>/<id>`.
    """

    id: str
    """The slug, as in the competition's address on Kaggle."""
    name: str
    metric: Metric
    higher_is_better: bool
    id_columns: tuple[str, ...]
    target_columns: tuple[str, ...]
    """Columns of a submission that hold the predictions."""
    answer_columns: tuple[str, ...]
    """Columns of the answers that hold the truth."""
    classes: tuple[str, ...] = ()
    """For multi-class log loss with one answer column: the label of each target column."""
    probability: bool = False
    """Predictions are probabilities in [0, 1]."""
    sample_submission: str = "prepared/public/sample_submission.csv"
    answers: str = "prepared/private/answers.csv"
    description: str = "prepared/public/description.md"
