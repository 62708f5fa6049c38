"""What a changed literal is: a file's name, a renamed option, or a part of the experiment."""

from __future__ import annotations

import re
from enum import Enum

from mle_modernizer_server.code.data_flow.meanings import words
from mle_modernizer_server.fixing.integrity.equivalences import known
from mle_modernizer_server.fixing.integrity.parameters import MATTERS, parameter_name, same_value


class Literal(str, Enum):
    """What the difference of two literals is."""

    PATH = "path"
    RENAMED = "renamed"
    """Old and new name of the same thing."""
    OTHER = "other"
    """Neither known to be the same nor a part of the experiment."""
    EXPERIMENT = "experiment"


_FILE = re.compile(
    r"[^\n]*\.(?:csv|tsv|txt|zip|gz|bz2|xz|7z|tar|json|jsonl|parquet|feather|pkl|pickle|joblib|"
    r"h5|hdf5|hdf|keras|pt|pth|ckpt|bin|model|npy|npz|png|jpe?g|svg|pdf|html|dot|xlsx?|cbm|"
    r"weights|tflite|onnx|db|sqlite|md|log|ya?ml|tif|tiff|dcm|wav|mp3)\Z",
    re.IGNORECASE,
)
_ROLES = (("train", "test"), ("train", "sample"), ("train", "valid"), ("test", "sample"))
# Old and new name of one thing in the era's libraries and today's: metrics and keys of Keras'
# history (2.3), data types (NumPy 1.20 and 1.24, pandas 3), scorers (scikit-learn 0.18), options.
_SAME_NAMES = frozenset(
    {
        ("acc", "accuracy"),
        ("val_acc", "val_accuracy"),
        ("mean_squared_error", "neg_mean_squared_error"),
        ("mean_absolute_error", "neg_mean_absolute_error"),
        ("median_absolute_error", "neg_median_absolute_error"),
        ("log_loss", "neg_log_loss"),
        ("mse", "mean_squared_error"),
        ("mae", "mean_absolute_error"),
        ("mse", "squared_error"),
        ("mae", "absolute_error"),
        ("tf", "channels_last"),
        ("th", "channels_first"),
        ("spectral", "nipy_spectral"),
        ("Vega20", "tab20"),
        ("record", "records"),
        ("index", "level_0"),
        ("gpu_hist", "hist"),
    }
)
_FAMILIES = (
    frozenset({"int", "int_", "int64", "i8", "long", "<i8", "Int64", "intp"}),
    frozenset({"int32", "i4", "intc", "<i4"}),
    frozenset({"float", "float_", "float64", "f8", "double", "<f8", "Float64"}),
    frozenset({"float32", "f4", "single", "<f4"}),
    frozenset({"complex", "complex_", "complex128"}),
    frozenset({"bool", "bool_", "boolean", "bool8"}),
    frozenset({"object", "object_", "O", "str", "str_", "string", "unicode", "U", "S", "string_"}),
    frozenset({"datetime64", "datetime64[ns]", "M8[ns]", "datetime64[D]", "datetime64[s]"}),
    frozenset({"timedelta64", "timedelta64[ns]", "m8[ns]"}),
)
_TYPES = frozenset(
    {"uint8", "int8", "int16", "uint16", "uint32", "uint64", "float16", "category"}
).union(*_FAMILIES)
_FREQUENCY = re.compile(r"(?P<number>-?\d*)(?P<unit>[A-Za-z]{1,4})(?P<anchor>-[A-Z]{3})?\Z")
# pandas 2.2 and 3.0
_UNITS = {
    "M": "ME",
    "Q": "QE",
    "A": "YE",
    "Y": "YE",
    "BM": "BME",
    "BQ": "BQE",
    "BA": "BYE",
    "BY": "BYE",
    "SM": "SME",
    "CBM": "CBME",
    "AS": "YS",
    "BAS": "BYS",
    "H": "h",
    "BH": "bh",
    "CBH": "cbh",
    "T": "min",
    "S": "s",
    "L": "ms",
    "U": "us",
    "N": "ns",
}
_YEARS = frozenset({"A", "Y", "YE"})
_FREQUENCY_PLACES = words(
    "resample Grouper TimeGrouper date_range period_range bdate_range asfreq to_period floor "
    "ceil round shift rolling to_offset timedelta_range freq rule unit Timedelta to_timedelta "
    "tshift timedelta64 astype to_datetime infer_freq period Period freqstr first last "
    "between_time"
)
_FILES = words(
    "save load load_model save_model dump save_weights load_weights ModelCheckpoint to_csv "
    "savetxt open read_csv filepath to_pickle read_pickle to_hdf plot_model"
)
_WORDS = re.compile(r"[a-z][\w -]*\Z")
_PUNCTUATION = str.maketrans("", "", "_- ")
_STYLES = re.compile(r"(?:seaborn(?:-v0_8)?(?:-\w+)?|ggplot|default|classic)\Z")


def compare(old: object, new: object, places: frozenset[str]) -> Literal:
    """What the difference of two literals is.

    Args:
        old: The literal as it was.
        new: What stands in its place.
        places: Names of the function it is handed to and of the argument, as far as there are.
    """
    if _known_value(old, new, places):
        return Literal.RENAMED
    for place in places:
        name = parameter_name(place)
        if name in MATTERS and same_value(name, repr(old), repr(new)):
            return Literal.RENAMED
    if isinstance(old, bytes) and isinstance(new, str):
        return Literal.RENAMED if old.decode("latin-1") == new else Literal.EXPERIMENT
    if old == new:
        return Literal.RENAMED  # 1, 1.0 and True
    if isinstance(old, bool) or isinstance(new, bool) or old is None or new is None:
        off = (old is None and new is False) or (old is False and new is None)
        if off and not _matter(places):
            return Literal.OTHER  # neither is true
        known = places & {"sparse", "normed", "inplace", "copy", "inclusive", "squeeze", "silent"}
        return Literal.RENAMED if known else Literal.EXPERIMENT
    if isinstance(old, str) and isinstance(new, str):
        return _texts(old, new, places)
    return Literal.EXPERIMENT


def _matter(places: frozenset[str]) -> bool:
    """Whether a literal is handed to a parameter of the experiment."""
    return any(parameter_name(place) in MATTERS for place in places)


def _known_value(old: object, new: object, places: frozenset[str]) -> bool:
    """Whether a documented change gave an option's value another spelling."""
    return any(repr(new) in known().values.get((place, repr(old)), ()) for place in places)


def _texts(old: str, new: str, places: frozenset[str]) -> Literal:
    if old.startswith("val_") and new.startswith("val_"):
        return _texts(old.removeprefix("val_"), new.removeprefix("val_"), places)
    if (old, new) in _SAME_NAMES or (new, old) in _SAME_NAMES:
        return Literal.RENAMED
    if _is_path(old) and _is_path(new):
        return _paths(old, new)
    if places & _FILES and new.startswith(f"{old}.") and _FILE.match(new):
        return Literal.PATH
    if "open" in places and {*old, *new} <= set("rwabtU+"):
        return Literal.OTHER
    if new.endswith(f" {old}") or sorted(old) == sorted(new):
        return Literal.OTHER  # LightGBM's "valid auc-mean"; flags that moved within a pattern
    if _is_renamed(old, new, places):
        return Literal.RENAMED
    if {old, new} <= _TYPES and places & {"dtype", "astype", "dtypes", "np", "asarray", "array"}:
        return Literal.OTHER
    if _letters(old) == _letters(new):
        return Literal.OTHER  # imbalanced-learn's "borderline2" is "borderline-2"
    return Literal.EXPERIMENT


def _is_renamed(old: str, new: str, places: frozenset[str]) -> bool:
    """Whether two texts are two names of the same."""
    if places & {"orient", "to_dict", "to_json"} and new.startswith(old):
        return True  # pandas 2 no longer takes "r" for "records"
    if any(same_value(name, repr(old), repr(new)) for name in MATTERS):
        return True
    if any({old, new} <= family for family in _FAMILIES):
        return True
    if places & _FREQUENCY_PLACES and _same_frequency(old, new):
        return True
    return bool(_STYLES.match(old) and _STYLES.match(new))


def _letters(text: str) -> str:
    """A word without what it is written with; another text as it is."""
    text = text.strip().lower()
    return text.translate(_PUNCTUATION) if _WORDS.match(text) else text


def _is_path(text: str) -> bool:
    return "/" in text or "\\" in text or bool(_FILE.match(text))


def _paths(old: str, new: str) -> Literal:
    """A file that lies elsewhere or is packed in another way; not another table."""
    one, other = _stem(old), _stem(new)
    for first, second in _ROLES:
        for here, there in ((first, second), (second, first)):
            if here in one and here not in other and there in other and there not in one:
                return Literal.EXPERIMENT
    return Literal.PATH


def _stem(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()


def _same_frequency(old: str, new: str) -> bool:
    one, other = _FREQUENCY.match(old), _FREQUENCY.match(new)
    if one is None or other is None:
        return False
    if (one["number"] or "1", one["anchor"]) != (other["number"] or "1", other["anchor"]):
        return False
    units = {one["unit"], other["unit"]}
    if units <= _YEARS:
        return True
    return any(units <= {before, after} for before, after in _UNITS.items())
