"""What a later cell sees of a value: its class, shape, names, types and numbers, as text.

This source is executed behind a case's code, in Pythons from 3.6 on and libraries of all ages, so
that the same value is described alike in each of them.
"""

from __future__ import annotations

from typing import Any


def described(value: Any, depth: int = 0) -> str:
    """A value as text that is equal if and only if a later cell finds the same in it.

    Numbers are rounded to six digits; the width of an integer, the unit of a time and the type in
    which pandas keeps texts do not count. Objects of other classes are told by class only.
    """
    kind = type(value)
    known = kind.__module__.split(".")[0] + "." + kind.__name__
    if depth > 4:
        return known
    if known == "pandas.DataFrame":
        columns = [described(value.iloc[:, n], depth + 1) for n in range(value.shape[1])]
        index = described(value.index, depth + 1)
        names = described(list(value.columns), depth + 1)
        return f"table{value.shape} of {index} named {names}: {'; '.join(columns)}"
    if known == "pandas.Series":
        index = described(value.index, depth + 1)
        name = described(value.name, depth + 1)
        cells = described(list(value), depth + 1)
        return f"series {name} of {_stored(value.dtype)} by {index}: {cells}"
    if known.startswith("pandas.") and known.endswith("Index"):
        names = described(list(value.names), depth + 1)
        return f"index {names}: {described(list(value), depth + 1)}"
    if known == "numpy.ndarray" or known == "numpy.matrix":
        flat = described(value.ravel().tolist()[:200], depth + 1)
        return f"array{value.shape} of {_stored(value.dtype)}: {flat}"
    if hasattr(value, "toarray") and hasattr(value, "nnz"):
        return "sparse " + described(value.toarray(), depth + 1)
    if kind in (list, tuple):
        inner = ", ".join(described(one, depth + 1) for one in value)
        return f"[{inner}]" if kind is list else f"({inner})"
    if kind in (set, frozenset):
        return "set of " + ", ".join(sorted(described(one, depth + 1) for one in value))
    if isinstance(value, dict):
        pairs = [(described(k, depth + 1), described(v, depth + 1)) for k, v in value.items()]
        return "dict of " + ", ".join(f"{key}: {item}" for key, item in pairs)
    return _single(value, known)


def _single(value: Any, known: str) -> str:
    if value is None or isinstance(value, (str, bytes)):
        return repr(value)
    name = known.partition(".")[2]
    if name in ("bool", "bool_"):
        return str(bool(value))
    if name.lower().endswith("dtype"):
        return "type " + _stored(value)
    if name in ("NaTType", "NAType"):
        return "nan"
    if isinstance(value, int) or name.startswith(("int", "uint")):
        return str(int(value))
    if isinstance(value, float) or name.startswith("float"):
        return "nan" if value != value else f"{float(value):.6g} as float"
    if name in ("Timestamp", "Timedelta", "Period", "Interval", "datetime", "date"):
        return str(value)
    if name == "str_":
        return repr(str(value))
    return "a " + name


def _stored(dtype: Any) -> str:
    """The kind of numbers in an array; texts and objects are one kind."""
    kind = getattr(dtype, "kind", "O")
    text = str(dtype)
    if text == "category":
        return "category"
    if text in ("str", "string") or kind in "OUS":
        return "object"
    return str(kind)
