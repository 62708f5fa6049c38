"""A competition: the required format of a submission and its scoring; custom competitions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value


class Metric(str, Enum):
    """The metrics a competition can be scored by; docs/competitions.md describes each."""

    ACCURACY = "accuracy"
    BALANCED_ACCURACY = "balanced_accuracy"
    CLASSIFICATION_ERROR = "classification_error"
    MACRO_F1 = "macro_f1"
    MICRO_F1 = "micro_f1"
    WEIGHTED_F1 = "weighted_f1"
    MCC = "mcc"
    QUADRATIC_WEIGHTED_KAPPA = "quadratic_weighted_kappa"

    ROC_AUC = "roc_auc"
    GINI = "gini"
    AVERAGE_PRECISION = "average_precision"
    LOG_LOSS = "log_loss"
    BRIER = "brier"
    PROBABILISTIC_F = "probabilistic_f"
    KL_DIVERGENCE = "kl_divergence"
    LABEL_RANKING_AVERAGE_PRECISION = "label_ranking_average_precision"
    WEIGHTED_ROC_AUC = "weighted_roc_auc"
    UNINTENDED_BIAS_AUC = "unintended_bias_auc"
    FRACTURE_LOG_LOSS = "fracture_log_loss"

    RMSE = "rmse"
    MSE = "mse"
    RMSLE = "rmsle"
    RMSPE = "rmspe"
    MAE = "mae"
    MEDIAN_ABSOLUTE_ERROR = "median_absolute_error"
    MAPE = "mape"
    SMAPE = "smape"
    R2 = "r2"
    PEARSON = "pearson"
    SPEARMAN = "spearman"
    CONCORDANCE = "concordance"
    GROUP_LOG_MAE = "group_log_mae"
    LAPLACE_LOG_LIKELIHOOD = "laplace_log_likelihood"
    ANGULAR_ERROR = "angular_error"
    HAVERSINE_ERROR = "haversine_error"

    MAP_AT_K = "map_at_k"
    NDCG_AT_K = "ndcg_at_k"
    TAG_F1 = "tag_f1"
    WORD_JACCARD = "word_jaccard"
    EDIT_DISTANCE = "edit_distance"
    CHARACTER_ERROR_RATE = "character_error_rate"
    WORD_ERROR_RATE = "word_error_rate"
    SEQUENCE_ERROR_RATE = "sequence_error_rate"
    ORDER_KENDALL_TAU = "order_kendall_tau"

    MASK_DICE = "mask_dice"
    MASK_GLOBAL_DICE = "mask_global_dice"
    MASK_IOU = "mask_iou"
    MASK_F_BETA = "mask_f_beta"
    MASK_IOU_PRECISION = "mask_iou_precision"
    MASK_DICE_HAUSDORFF = "mask_dice_hausdorff"
    BOX_VOC_MAP = "box_voc_map"
    BOX_COCO_MAP = "box_coco_map"
    BOX_3D_MAP = "box_3d_map"
    POINT_F1 = "point_f1"


class Matching(str, Enum):
    """How rows of a submission are matched to rows of the answers."""

    ID = "id"
    """By the ids, which must be exactly those of the answers, each once, in any order."""
    SUPERSET = "superset"
    """By the ids; further ids are ignored."""
    SUBSET = "subset"
    """By the ids; missing ids are not scored."""
    REPEATED = "repeated"
    """By the ids, which may occur more than once; each row counts."""
    SORTED = "sorted"
    """Both sides are sorted by id and then compared row by row: the ids are not compared."""
    POSITION = "position"
    """Row by row in the order of the files: the ids are ignored."""
    ORDERED = "ordered"
    """Row by row, and the ids must be in the answers' order."""
    GROUP_POSITION = "group-position"
    """Row by row within the rows of the same first id."""


class ColumnRule(str, Enum):
    """Which further columns a submission may have."""

    ANY = "any"
    """Any; they are ignored."""
    EXACT = "exact"
    """None."""
    ID_FIRST = "id-first"
    """None, and the id comes first."""
    ORDERED = "ordered"
    """None, and they come in the order of ids and targets."""
    BY_POSITION = "by-position"
    """None, and the targets are read in the order of the columns, whatever their names."""


class RowSums(str, Enum):
    """How nearly the probabilities of a row must sum to 1."""

    CLOSE = "close"
    """Within 1.1e-5."""
    FIVE_DECIMALS = "five-decimals"
    """Exactly 1 when rounded to five decimals."""
    SIX_DECIMALS = "six-decimals"
    """Exactly 1 when rounded to six decimals."""
    FREE = "free"
    """Not checked."""


class LabelRule(str, Enum):
    """How the text of a label is parsed."""

    EXACT = "exact"
    """Numbers by value (`1`, `1.0` and `True` are the same), texts as they are."""
    TRUNCATED = "truncated"
    """Numbers without their decimals: 3.7 is 3."""
    FIRST_WORD = "first-word"
    """The first word of the cell, a whole number."""
    TEXT = "text"
    """Texts, character by character; an empty cell is a label, too."""


class Competition(Value):
    """A competition as defined in its `competition.yaml`.

    The directory layout is MLE-bench's (https://github.com/openai/mle-bench): the notebook sees
    `<root>/<id>/prepared/public` at `/kaggle/input/<id>`; `prepared/private` contains the answers
    and is never visible to a kernel. Paths are relative to `<root>/<id>`.
    """

    id: str
    """The slug, as in the competition's address on Kaggle."""
    name: str
    metric: Metric
    higher_is_better: bool
    id_columns: tuple[str, ...]
    target_columns: tuple[str, ...]
    """Columns of a submission that contain the predictions."""
    answer_columns: tuple[str, ...]
    """Columns of the answers that contain the truth."""
    classes: tuple[str, ...] = ()
    """For multi-class log loss with one answer column: the label of each target column."""
    probability: bool = False
    """Predictions are probabilities in [0, 1]."""
    matching: Matching = Matching.ID
    columns: ColumnRule = ColumnRule.ANY
    required_columns: tuple[str, ...] = ()
    """Further columns a submission must have; they are not scored."""
    row_sums: RowSums = RowSums.CLOSE
    label_rule: LabelRule = LabelRule.EXACT
    value_range: tuple[float, float] | None = None
    """Smallest and largest value a prediction may have."""
    empty_as: dict[str, str] = Field(default_factory=dict)
    """By column of the submission: the value of an empty cell; in other columns it is refused."""
    scored_where: dict[str, str] = Field(default_factory=dict)
    """Column of the answers and the value it has in the rows that are scored."""
    support: dict[str, str] = Field(default_factory=dict)
    """Further columns of the answers that a metric needs: role and column, e.g. `group: type`."""
    options: dict[str, float] = Field(default_factory=dict)
    """The metric's options, e.g. `k: 12`."""
    scored_by_position: bool = False
    """The scored rows are selected by position in the submission and not by their id."""
    sample_submission: str = "prepared/public/sample_submission.csv"
    answers: str = "prepared/private/answers.csv"
    description: str = "prepared/public/description.md"


SLUG = r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}"
"""Regular expression for the name of a competition's folder."""


class Task(str, Enum):
    """Kind of prediction task."""

    BINARY = "binary classification"
    MULTICLASS = "classification"
    REGRESSION = "regression"


class SplitKind(str, Enum):
    """How the held-out rows are selected."""

    RANDOM = "random"
    STRATIFIED = "stratified"
    """Each label has the same share as in the data."""
    GROUP = "group"
    """Rows of the same group stay together."""
    TIME = "time"
    """The latest rows."""


@dataclass(frozen=True)
class Split:
    """Method of holding rows out.

    Attributes:
        kind: How they are selected.
        share: Share of the rows, between 0 and 1.
        seed: Random seed: the same seed selects the same rows.
        column: Name of the group column or the time column.
    """

    kind: SplitKind = SplitKind.RANDOM
    share: float = 0.2
    seed: int = 0
    column: str | None = None


class LookAtData(Value):
    """Body of `POST /competitions/look`: inspect a directory and guess its competition."""

    directory: str
    """Relative to the server's root; empty is the root itself."""
    train: str | None = None
    """File name of the labelled data; None: guess it."""
    id_column: str | None = None
    """None: guess it."""
    target_columns: tuple[str, ...] = ()
    """Empty: guess them."""


class CompetitionGuess(Value):
    """Guess from labelled data; every part can be changed before anything is written."""

    directory: str
    files: tuple[str, ...]
    """The CSVs that could be the labelled data."""
    train: str
    test: str | None
    sample: str | None
    columns: tuple[str, ...]
    id_column: str | None
    """None: no column identifies a row, and one is added."""
    target_columns: tuple[str, ...]
    task: Task
    metrics: tuple[Metric, ...]
    """Suitable metrics, the likeliest first."""
    split: SplitKind
    name: str
    id: str
    """Suggested name of its folder below the data root."""


class MakeCompetition(Value):
    """Body of `POST /competitions`."""

    directory: str
    """Directory of the labelled data, relative to the server's root."""
    train: str
    """Its file name."""
    id_column: str | None = None
    """None: one is added."""
    target_columns: tuple[str, ...] = Field(min_length=1)
    metric: Metric
    split: SplitKind = SplitKind.RANDOM
    split_column: str | None = None
    """Name of the group column or the time column."""
    share: float = Field(default=0.2, gt=0, lt=1)
    """Share of the rows held out as the answers."""
    seed: int = Field(default=0, ge=0, lt=2**32)
    """Random seed: the same seed selects the same rows."""
    name: str = Field(min_length=1, max_length=200)
    id: str = Field(pattern=f"^{SLUG}$")
    """Name of its folder below the data root."""
    overwrite: bool = False
    """Overwrite existing files."""
