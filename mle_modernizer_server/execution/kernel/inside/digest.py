"""Describe a notebook's values as short comparable texts. Runs on any Python from 3.6 on.

Sent into the kernel as source: only the standard library of Python 3.6, none of our modules. A
plain value has the same text in every Python and with every version of a library. A notebook's
objects may run any code on access, so every access is guarded, and failures are omitted.
"""

import math
import time
import types
import zlib
from typing import Any, Iterator, Tuple  # noqa: UP035  # as Python 3.6 knows them

MOST_COLUMNS = 60
MOST_PARAMETERS = 200
MOST_LEARNED = 20
MOST_TEXTS = 2000
HEAD = 5
LONGEST = 160

Fact = Tuple[str, str]  # noqa: UP006  # Python 3.6 has no tuple[str, str]


def describe(name: str, value: Any, whole: bool = False) -> "list[Fact]":
    """Return the comparable facts of a value: shapes, types, missing values, means, first values.

    Args:
        name: Its name; the facts' names begin with it.
        value: The value.
        whole: Also a fingerprint of all values, and an estimator's learned attributes.
    """
    try:
        return list(_digest(name, value, whole))
    except Exception as failure:  # noqa: BLE001  # a notebook's object may raise anything
        return [(name, f"not told ({type(failure).__name__})")]


def values_of_names(
    names: "dict[str, Any]", wanted: "list[str]", most: int, seconds: float
) -> "list[Fact]":
    """Return the comparable facts of a notebook's variables.

    Args:
        names: The notebook's namespace.
        wanted: The names to describe; unbound ones are skipped.
        most: Largest number of facts.
        seconds: After so many no further variable is described.
    """
    end = time.monotonic() + seconds
    facts: list[Fact] = []
    for name in wanted:
        if time.monotonic() > end or len(facts) >= most:
            break
        if name in names:
            facts.extend(describe(name, names[name], True))
    return facts[:most]


def _digest(name: str, value: Any, whole: bool) -> "Iterator[Fact]":
    kind = type(value)
    library = str(kind.__module__).partition(".")[0]
    if isinstance(value, (types.ModuleType, type)) or kind.__name__ in _UNTOLD:
        return
    if library == "pandas" and kind.__name__ == "DataFrame":
        yield name + " shape", str(tuple(value.shape))
        for place in range(min(value.shape[1], MOST_COLUMNS)):
            label = f"{name}[{short(repr(value.columns[place]))}]"
            yield from _column(label, value.iloc[:, place], whole)
    elif library == "pandas" and kind.__name__ == "Series":
        yield name + " length", str(len(value))
        yield from _column(name, value, whole)
    elif library == "numpy" and hasattr(value, "shape") and value.shape:
        yield from _array(name, value, whole)
    elif callable(getattr(value, "get_params", None)):
        yield name, kind.__name__
        for parameter, given in sorted(value.get_params(deep=True).items())[:MOST_PARAMETERS]:
            yield f"{name}.{parameter}", _text(given)
        if whole:
            yield from _learned(name, value)
    elif isinstance(value, dict):
        yield name + " length", str(len(value))
        for key in list(value)[:HEAD]:
            yield f"{name}[{short(repr(key))}]", _text(value[key])
    elif isinstance(value, (list, tuple)):
        yield name + " length", str(len(value))
        yield name + " first", _texts(value[:HEAD])
    else:
        yield name, _text(value)


_UNTOLD = ("function", "builtin_function_or_method", "method", "ufunc", "generator")


def _learned(name: str, estimator: Any) -> "Iterator[Fact]":
    """Yield the learned attributes: scikit-learn ends their names with an underscore."""
    found = [
        (key, value)
        for key, value in sorted(vars(estimator).items())
        if key.endswith("_") and not key.startswith("_") and "time" not in key
    ]
    for key, value in found[:MOST_LEARNED]:
        if hasattr(value, "shape") and value.shape and type(value).__module__ == "numpy":
            yield from _array(f"{name} learned {key}", value, True)
        elif isinstance(value, (int, float, str)):
            yield f"{name} learned {key}", _text(value)


def _column(label: str, series: Any, whole: bool) -> "Iterator[Fact]":
    yield label + " dtype", str(series.dtype)
    yield label + " NaN", str(int(series.isnull().sum()))
    plain = getattr(series.dtype, "kind", "O") in "iufb"
    if plain:
        yield label + " mean", _number(float(series.mean()))
    yield label + " first", _texts(list(series.iloc[:HEAD]))
    if whole and len(series) > HEAD:
        values = getattr(series, "values", None)
        if plain and type(values).__module__ == "numpy":
            yield label + " fingerprint", _weighed(values)
        elif not plain:
            yield label + " fingerprint", _crc(series.iloc[:: _step(len(series))])


def _array(name: str, array: Any, whole: bool) -> "Iterator[Fact]":
    yield name + " shape", str(tuple(array.shape))
    yield name + " dtype", str(array.dtype)
    plain = array.dtype.kind in "iufb"
    if plain and array.size:
        values = array.astype(float)
        yield name + " NaN", str(int((values != values).sum()))  # NaN is not NaN
        yield name + " mean", _number(float(values.mean()))
    yield name + " first", _texts(array.ravel()[:HEAD].tolist())
    if whole and array.size > HEAD:
        if plain:
            yield name + " fingerprint", _weighed(array.ravel())
        else:
            yield name + " fingerprint", _crc(array.ravel()[:: _step(array.size)])


def _step(length: int) -> int:
    return max(1, length // MOST_TEXTS)


def _weighed(values: Any) -> str:
    """Return a sum weighted by position; rounding differences hardly change it."""
    values = values.astype(float)
    known = values == values  # NaN is not NaN
    weights = known.cumsum() % 97 + 1
    size = abs(values[known]).sum()
    return _number(float((values[known] * weights[known]).sum() / size) if size else 0.0)


def _crc(values: Any) -> str:
    text = "\0".join(_text(item) for item in values)
    return f"{zlib.crc32(text.encode('utf-8', 'replace')):08x}"


def _texts(values: Any) -> str:
    return short(", ".join(_text(item) for item in values))


def _text(value: Any) -> str:
    """Return a short text that is the same in every Python for the same plain value."""
    if isinstance(value, bool) or value is None or type(value).__name__ in ("bool_", "bool"):
        return str(value)
    if isinstance(value, float):
        return _number(float(value))
    if isinstance(value, str):
        return short(repr(str(value)))
    if type(value).__module__ == "numpy" and not getattr(value, "shape", None):
        plain = value.item()
        return _text(plain) if type(plain).__module__ == "builtins" else short(str(value))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (list, tuple)):
        return "(" + _texts(value[:HEAD]) + ")"
    if type(value).__name__ in ("Timestamp", "Timedelta", "NaTType", "NAType"):
        return short(str(value))
    return type(value).__name__


def _number(value: float) -> str:
    if math.isnan(value):
        return "nan"
    return f"{value:.10g}"


def short(text: str) -> str:
    """Return a text cut to a bounded length, in encodable characters."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
