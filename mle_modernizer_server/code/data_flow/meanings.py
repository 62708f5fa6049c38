"""What names in a notebook's code mean: training, predicting, reading, writing, measuring."""

from __future__ import annotations

import re

from mle_modernizer_server.code.data_flow.values import Origin


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set of names."""
    return frozenset(text.split())


TRAINING = frozenset(
    {"fit", "fit_generator", "partial_fit", "train_on_batch", "fit_on_batch", "fit_one_cycle"}
    | {"fit_transform", "fit_resample", "fit_sample", "fit_predict", "fine_tune", "learn"}
)
TRAINING_FUNCTIONS = frozenset({"train", "cv"})
"""Of modules: `xgb.train`, `lgb.cv`; as a method `train` with arguments."""
PREPARING = frozenset(
    {"transform", "fit_transform", "inverse_transform", "fit_resample", "fit_sample"}
    | {"get_feature_names", "get_feature_names_out", "texts_to_sequences", "texts_to_matrix"}
)
"""What they give is prepared data, no prediction."""
PREDICTING = words(
    "decision_function forecast score evaluate evaluate_generator kneighbors score_samples "
    "fit_predict recommend get_forecast get_prediction infer generate staged_predict "
    "staged_predict_proba get_preds run"
)
FITTING_AND_PREDICTING = words(
    "cross_val_predict cross_val_score cross_validate learning_curve validation_curve "
    "permutation_test_score train_and_evaluate"
)
"""Functions that take a model and data."""
OPTIMIZING = frozenset({"backward", "step", "minimize", "apply_gradients"})
LOADING = frozenset({"load", "load_model", "from_pretrained", "load_weights", "read_pickle"})

READERS = words(
    "read_csv read_table read_parquet read_feather read_excel read_json read_hdf read_fwf "
    "loadtxt genfromtxt fromfile imread read_sql read_text read_bytes from_csv scan_csv "
    "read_stata DictReader"
)
ONLY_SHAPE = words(
    "len type id isinstance hasattr zeros_like ones_like full_like empty_like range dir "
    "callable issubclass time arange"
)
"""What they give does not depend on what is in their first argument."""
SHAPES = frozenset({"shape", "size", "columns", "index", "dtypes", "dtype", "ndim", "name"})
SAME_TABLE = words(
    "copy reset_index set_index drop fillna sort_values sort_index astype rename head tail "
    "sample drop_duplicates dropna query replace infer_objects reindex clip round sort "
    "convert_objects truncate"
)
JOINING = frozenset({"merge", "join", "concat", "append", "combine_first", "hstack", "vstack"})
INDEXERS = frozenset({"loc", "iloc", "ix", "at", "iat"})
MUTATORS = frozenset({"append", "extend", "add", "update", "insert", "setdefault", "put", "push"})
PART_OF = frozenset({"head", "tail", "sample", "nlargest", "nsmallest"})
WRITERS = frozenset({"write", "writelines", "writerow", "writerows"})
SHOWING = frozenset({"print", "display", "info", "pprint", "display_html", "log"})
BUILTINS = words(
    "abs all any bool bytes chr dict divmod enumerate filter float frozenset hash hex int iter "
    "list map max min next object oct ord pow repr reversed round set slice sorted str sum "
    "super tuple zip xrange unicode format complex input raw_input property staticmethod "
    "classmethod globals locals vars True False None Exception ValueError KeyError NameError "
    "TypeError get_ipython quit exit setattr getattr delattr NotImplementedError __name__ "
    "__file__ Warning RuntimeError ImportError AttributeError"
)
DATA_LIBRARIES = words(
    "numpy pandas scipy math random itertools collections re os pathlib time datetime string "
    "json functools operator warnings gc matplotlib seaborn plotly tqdm copy glob csv io sys "
    "pylab bokeh IPython pprint statistics typing __future__ calendar decimal builtins six gzip "
    "zipfile types logging unicodedata fractions argparse contextlib dateutil pytz psutil "
    "shutil tabulate missingno"
)
"""What their functions give depends on nothing but the arguments."""

_METRIC = re.compile(
    r"(?:_score|_error|_loss|log_loss|_auc|auc|logloss|kappa|rmse|rmsle|mape|smape|gini|"
    r"_deviance|matthews_corrcoef|classification_report|confusion_matrix|spearmanr|pearsonr)\Z",
    re.IGNORECASE,
)
_NO_METRIC = FITTING_AND_PREDICTING | {"zero_one_loss_", "total_loss"}
_SAMPLE = re.compile(r"sample|gender_?sub|example|template|submission_?format", re.IGNORECASE)
_SUBMISSION = re.compile(r"submi(?:ssion|t)", re.IGNORECASE)
_TEST = re.compile(r"test", re.IGNORECASE)
_TRAIN = re.compile(r"train", re.IGNORECASE)


def is_metric(name: str) -> bool:
    """Whether a function of that name measures predictions; `plot_confusion_matrix` draws."""
    measures = bool(_METRIC.search(name)) and not name.startswith("plot_")
    return measures and name not in _NO_METRIC


def is_predicting(name: str) -> bool:
    """Whether a method of that name predicts."""
    return name.startswith("predict") or name in PREDICTING


def origin_of_file(path: str) -> Origin:
    """What a file of the competition holds, by its name."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    if _SAMPLE.search(name):
        return Origin.SAMPLE
    if _SUBMISSION.search(name):
        return Origin.OLD
    if _TEST.search(name) and not _TRAIN.search(name):
        return Origin.TEST
    return Origin.TRAIN


def file_name(path: str) -> str:
    """The last part of a path."""
    return path.replace("\\", "/").rpartition("/")[2]


def is_submission(path: str) -> bool:
    """Whether a file is called like a submission."""
    name = file_name(path)
    return bool(_SUBMISSION.search(name) or re.match(r"sub\b|sub[_\d.]", name, re.IGNORECASE))
