"""Frequency names: `M` → `ME`, `H` → `h`, `T` → `min`, … since pandas 3.0.

https://pandas.pydata.org/docs/whatsnew/v2.2.0.html#deprecate-aliases-m-q-y-etc-in-favour-of-me-qe-ye-etc-for-offsets

Offsets, periods and time spans have each their own names: a period of a month is still `M`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import libcst as cst

from mle_modernizer_server.code.tree import argument, like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

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


@dataclass(frozen=True)
class Places:
    """Calls that take names of frequencies, and the changed names there."""

    new: Mapping[str, str]
    functions: Mapping[str, tuple[str, int | None]]
    """Parameter and its position by address."""
    methods: Mapping[str, tuple[str, int | None]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """Return the last names of the calls."""
        return [*(address.rpartition(".")[2] for address in self.functions), *self.methods]


_OF_OFFSETS = Places(
    new=_OFFSETS,
    functions={
        "pandas.date_range": ("freq", 3),
        "pandas.bdate_range": ("freq", 3),
        "pandas.timedelta_range": ("freq", 3),
        "pandas.Grouper": ("freq", None),
        "pandas.tseries.frequencies.to_offset": ("freq", 0),
    },
    methods={
        "resample": ("rule", 0),
        "asfreq": ("freq", 0),
        "shift": ("freq", 1),
        "rolling": ("window", 0),
        "floor": ("freq", 0),
        "ceil": ("freq", 0),
        "round": ("freq", 0),
    },
)
_OF_PERIODS = Places(
    new=_SHORT | {"A": "Y"},
    functions={"pandas.period_range": ("freq", 3), "pandas.Period": ("freq", 1)},
    methods={"to_period": ("freq", 0), "asfreq": ("freq", 0), "resample": ("rule", 0)},
)
_OF_SPANS = Places(
    new={name: _SHORT[name] for name in "TLUN"},
    functions={"pandas.to_timedelta": ("unit", 1), "pandas.Timedelta": ("unit", 1)},
)
_OF_BOTH = ("asfreq", "resample")
"""Methods of objects that are indexed by dates or by periods."""
_PERIODS = re.compile(r"\b(period_range|PeriodIndex|to_period|Period)\b|kind\s*=\s*['\"]period")
_DEEPEST = 10
"""Limit of the names and calls that are followed to the creation of an object."""
_MAKE_PERIODS = ("pandas.period_range", "pandas.PeriodIndex", "pandas.Period")
_MADE_OF_DATES = re.compile(r"date_range|to_datetime|parse_dates|DatetimeIndex|to_timestamp")
_FREQUENCY = re.compile(r"(-?\d*)([A-Z]{1,3})((?:-[A-Z]{3})?)")


@codemod("pandas-frequency-names", on=cst.Call, names=_OF_OFFSETS.names, places=_OF_OFFSETS)
@codemod("pandas-period-frequencies", on=cst.Call, names=_OF_PERIODS.names, places=_OF_PERIODS)
@codemod("pandas-timedelta-abbreviations", on=cst.Call, names=_OF_SPANS.names, places=_OF_SPANS)
def renamed(context: Context, node: cst.Call, places: Places) -> Answer:
    """Rewrite `df.resample('15T')` as `df.resample('15min')`; `periods.asfreq('M')` stays."""
    where: tuple[str, int | None] | None = None
    for address, place in places.functions.items():
        if context.refers_to(node.func, address):
            where = place
    if where is None and isinstance(node.func, cst.Attribute) and not context.qualnames(node.func):
        name = node.func.attr.value
        if name in _OF_BOTH:
            of_periods = _of_periods(context, node)
            if of_periods is not (places is _OF_PERIODS):
                return None
            if not of_periods and _may_be_of_periods(context, node.func.value):
                return Unsure("it may be of periods, whose frequencies have other names")
        where = places.methods.get(name)
    if where is None:
        return None
    kind = argument(node, "kind")
    if kind is not None and string(kind.value) == "period":
        return Unsure("kind='period' is gone as well: the periods are made of what comes out")
    arg = argument(node, *where)
    text = string(arg.value) if arg is not None else None
    new = None if text is None else _renamed(text, places.new)
    if arg is None or new is None:
        return None
    return one(arg.value, like_quotes(repr(new), arg.value))


def offset_name(text: str) -> str:
    """Return the current name of a frequency of offsets: `ME` for `M`."""
    return _renamed(text, _OFFSETS) or text


def _renamed(text: str, names: Mapping[str, str]) -> str | None:
    found = _FREQUENCY.fullmatch(text)
    new = names.get(found[2]) if found is not None else None
    return None if found is None or new is None else f"{found[1]}{new}{found[3]}"


def _of_periods(context: Context, call: cst.Call, depth: int = 0) -> bool:
    """Return whether a call of `asfreq` is on periods: it has `how`, or they are made as such."""
    assert isinstance(call.func, cst.Attribute)
    if call.func.attr.value == "asfreq" and argument(call, "how", 1) is not None:
        return True
    return _gives_periods(context, call.func.value, depth)


def _may_be_of_periods(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether the notebook makes periods, and these are not known to be dates."""
    if not any(_PERIODS.search(cell.source) for cell in context.program.cells):
        return False
    return not _gives_dates(context, node)


def _gives_dates(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether a table or series is made with an index of dates."""
    made: list[cst.CSTNode] = [node]
    if isinstance(node, cst.Name):
        made = [getattr(bound, "value", node) for bound in context.bounds(node)]
    return bool(made) and all(_MADE_OF_DATES.search(context.code(one)) for one in made)


def _gives_periods(context: Context, node: cst.BaseExpression, depth: int) -> bool:
    if depth > _DEEPEST:
        return False
    if isinstance(node, cst.Name):
        made = [getattr(binding, "value", None) for binding in context.bounds(node)]
        return bool(made) and all(
            isinstance(one, cst.Call) and _gives_periods(context, one, depth + 1) for one in made
        )
    if not isinstance(node, cst.Call):
        return False
    if context.refers_to(node.func, *_MAKE_PERIODS):
        return True
    if context.refers_to(node.func, "pandas.DataFrame", "pandas.Series"):
        index = argument(node, "index", 1)
        return index is not None and _gives_periods(context, index.value, depth + 1)
    func = node.func
    if not isinstance(func, cst.Attribute):
        return False
    if func.attr.value == "to_period":
        return True
    if func.attr.value in _OF_BOTH:
        return _of_periods(context, node, depth + 1)
    return _gives_periods(context, func.value, depth + 1)  # `.resample('Y').mean()`
