"""Names of frequencies: `M` → `ME`, `H` → `h`, `T` → `min`, … since pandas 3.0.

https://pandas.pydata.org/docs/whatsnew/v2.2.0.html#deprecate-aliases-m-q-y-etc-in-favour-of-me-qe-ye-etc-for-offsets

Offsets, periods and time spans have each their own names: a period of a month is still `M`.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Scene, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, like_quotes, string
from mle_modernizer_server.fixing.rules.generic.target import function_matches

_SHORT = {"H": "h", "T": "min", "S": "s", "L": "ms", "U": "us", "N": "ns"}
_OFFSETS = _SHORT | {
    "M": "ME",
    "Q": "QE",
    "A": "YE",
    "Y": "YE",
    "SM": "SME",
    "BM": "BME",
    "CBM": "CBME",
    "BQ": "BQE",
    "BA": "BYE",
    "BY": "BYE",
    "AS": "YS",
    "BAS": "BYS",
    "BH": "bh",
    "CBH": "cbh",
}
_NAMES = {
    "pandas-frequency-names": _OFFSETS,
    "pandas-period-frequencies": _SHORT | {"A": "Y"},
    "pandas-timedelta-abbreviations": {name: _SHORT[name] for name in "TLUN"},
}
Places = dict[str, tuple[str, int | None]]

_FUNCTIONS: dict[str, Places] = {
    "pandas-frequency-names": {
        "pandas.date_range": ("freq", 3),
        "pandas.bdate_range": ("freq", 3),
        "pandas.timedelta_range": ("freq", 3),
        "pandas.Grouper": ("freq", None),
        "pandas.tseries.frequencies.to_offset": ("freq", 0),
    },
    "pandas-period-frequencies": {
        "pandas.period_range": ("freq", 3),
        "pandas.Period": ("freq", 1),
    },
    "pandas-timedelta-abbreviations": {
        "pandas.to_timedelta": ("unit", 1),
        "pandas.Timedelta": ("unit", 1),
    },
}
_METHODS: dict[str, Places] = {
    "pandas-frequency-names": {
        "resample": ("rule", 0),
        "asfreq": ("freq", 0),
        "shift": ("freq", 1),
        "rolling": ("window", 0),
        "floor": ("freq", 0),
        "ceil": ("freq", 0),
        "round": ("freq", 0),
    },
    "pandas-period-frequencies": {"to_period": ("freq", 0)},
    "pandas-timedelta-abbreviations": {},
}
_FREQUENCY = re.compile(r"(-?\d*)([A-Z]{1,3})((?:-[A-Z]{3})?)")


@codemod(
    cst.Call,
    *(address.rpartition(".")[2] for table in _FUNCTIONS.values() for address in table),
    *(method for table in _METHODS.values() for method in table),
)
def renamed(scene: Scene, node: cst.Call) -> Answer:
    """`df.resample('15T')` → `df.resample('15min')`."""
    where: tuple[str, int | None] | None = None
    for address, place in _FUNCTIONS[scene.entry.id].items():
        if function_matches(scene, node.func, (address,)):
            where = place
    if where is None and isinstance(node.func, cst.Attribute) and not scene.qualnames(node.func):
        where = _METHODS[scene.entry.id].get(node.func.attr.value)
    if where is None:
        return None
    arg = argument(node, *where)
    text = string(arg.value) if arg is not None else None
    found = _FREQUENCY.fullmatch(text) if text else None
    if arg is None or found is None:
        return None
    new = _NAMES[scene.entry.id].get(found[2])
    if new is None:
        return None
    return one(arg.value, like_quotes(repr(f"{found[1]}{new}{found[3]}"), arg.value))
