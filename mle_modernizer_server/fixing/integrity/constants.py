"""Compare two literals: a file's name, a renamed option, or a part of the experiment."""

from __future__ import annotations

import re

from mle_modernizer_server.code.calls import facts
from mle_modernizer_server.code.experiment.parameters import MATTERS, parameter_name
from mle_modernizer_server.domain.proposal import Meaning
from mle_modernizer_server.fixing.integrity.equivalences import (
    TEXTS,
    TYPES,
    UNITS,
    equivalences,
    same_value,
)

_FILE = re.compile(
    r"[^\n]*\.(?:csv|tsv|txt|zip|gz|bz2|xz|7z|tar|json|jsonl|parquet|feather|pkl|pickle|joblib|"
    r"h5|hdf5|hdf|keras|pt|pth|ckpt|bin|model|npy|npz|png|jpe?g|svg|pdf|html|dot|xlsx?|cbm|"
    r"weights|tflite|onnx|db|sqlite|md|log|ya?ml|tif|tiff|dcm|wav|mp3)\Z",
    re.IGNORECASE,
)
_ROLES = (("train", "test"), ("train", "sample"), ("train", "valid"), ("test", "sample"))
_TYPES = frozenset(
    {"uint8", "int8", "int16", "uint16", "uint32", "uint64", "float16", "category"}
).union(*TYPES)
_FREQUENCY = re.compile(r"(?P<number>-?\d*)(?P<unit>[A-Za-z]{1,4})(?P<anchor>-[A-Z]{3})?\Z")
_YEARS = frozenset({"A", "Y", "YE"})
_FREQUENCY_PLACES = facts("places", "frequencies")
_FILES = facts("places", "files")
_WORDS = re.compile(r"[a-z][\w -]*\Z")
_PUNCTUATION = str.maketrans("", "", "_- ")
_STYLES = re.compile(r"(?:seaborn(?:-v0_8)?(?:-\w+)?|ggplot|default|classic)\Z")


def compare(old: object, new: object, places: frozenset[str]) -> Meaning:
    """Return the meaning of the difference of two literals.

    It is a renaming if both mean the same; another one if they are neither known to be the same nor
    a part of the experiment.

    Args:
        old: The literal as it was.
        new: The literal in its place.
        places: Names of the function it is handed to and of the argument, as far as there are.
    """
    respelled = equivalences().values  # by documented changes
    if any(repr(new) in respelled.get((place, repr(old)), ()) for place in places):
        return Meaning.RENAME
    for place in places:
        name = parameter_name(place)
        if name in MATTERS and same_value(name, repr(old), repr(new)):
            return Meaning.RENAME
    if isinstance(old, bytes) and isinstance(new, str):
        return Meaning.RENAME if old.decode("latin-1") == new else Meaning.EXPERIMENT
    if old == new:
        return Meaning.RENAME  # 1, 1.0 and True
    if isinstance(old, bool) or isinstance(new, bool) or old is None or new is None:
        off = (old is None and new is False) or (old is False and new is None)
        if off and not any(parameter_name(place) in MATTERS for place in places):
            return Meaning.OTHER  # neither is true
        options = places & {"sparse", "normed", "inplace", "copy", "inclusive", "squeeze", "silent"}
        return Meaning.RENAME if options else Meaning.EXPERIMENT
    if isinstance(old, str) and isinstance(new, str):
        return _texts(old, new, places)
    return Meaning.EXPERIMENT


def _texts(old: str, new: str, places: frozenset[str]) -> Meaning:
    if old.startswith("val_") and new.startswith("val_"):
        return _texts(old.removeprefix("val_"), new.removeprefix("val_"), places)
    if frozenset((old, new)) in TEXTS:
        return Meaning.RENAME
    if _is_path(old) and _is_path(new):
        return _paths(old, new)
    if places & _FILES and new.startswith(f"{old}.") and _FILE.match(new):
        return Meaning.PATH
    if "open" in places and {*old, *new} <= set("rwabtU+"):
        return Meaning.OTHER
    if new.endswith(f" {old}") or sorted(old) == sorted(new):
        return Meaning.OTHER  # LightGBM's "valid auc-mean"; flags that moved within a pattern
    if _is_renamed(old, new, places):
        return Meaning.RENAME
    if {old, new} <= _TYPES and places & {"dtype", "astype", "dtypes", "np", "asarray", "array"}:
        return Meaning.OTHER
    if _letters(old) == _letters(new):
        return Meaning.OTHER  # imbalanced-learn's "borderline2" is "borderline-2"
    return Meaning.EXPERIMENT


def _is_renamed(old: str, new: str, places: frozenset[str]) -> bool:
    """Return whether two texts are names of the same thing."""
    if places & {"orient", "to_dict", "to_json"} and new.startswith(old):
        return True  # pandas 2 no longer takes "r" for "records"
    if any(same_value(name, repr(old), repr(new)) for name in MATTERS):
        return True
    if any({old, new} <= family for family in TYPES):
        return True
    if places & _FREQUENCY_PLACES and _same_frequency(old, new):
        return True
    return bool(_STYLES.match(old) and _STYLES.match(new))


def _letters(text: str) -> str:
    """Return a word without its punctuation; another text as it is."""
    text = text.strip().lower()
    return text.translate(_PUNCTUATION) if _WORDS.match(text) else text


def _is_path(text: str) -> bool:
    return "/" in text or "\\" in text or bool(_FILE.match(text))


def _paths(old: str, new: str) -> Meaning:
    """Compare two paths: the same file in another folder or format, or another table."""
    one, other = _stem(old), _stem(new)
    for first, second in _ROLES:
        for here, there in ((first, second), (second, first)):
            if here in one and here not in other and there in other and there not in one:
                return Meaning.EXPERIMENT
    return Meaning.PATH


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
    return any(units <= {before, after} for before, after in UNITS.items())
