"""A paper's stated value → a Python literal: `10^-3` → `0.001`, `Adam` → `'Adam'`."""

from __future__ import annotations

import math
import re

_WORDS = {
    **{"single": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7},
    **{"eight": 8, "nine": 9, "ten": 10, "hundred": 100},
}
_NUMBER = re.compile(
    r"(?P<base>[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?)"
    r"(?:\s*(?:[·×*]\s*)?(?P<ten>10)?\s*\^\s*\{?(?P<power>[-+]?\d{1,3})\}?|e(?P<e>[-+]?\d{1,3}))?"
    r"\s*(?P<unit>[kK%])?"
)
_LARGEST_SEED = 2**32 - 1


def python_literal(stated: str) -> str:
    """Return the literal of a stated value: a string if it is no number, `None` if it is empty.

    Args:
        stated: The value as the paper prints it.
    """
    printable = "".join(char if char.isprintable() else " " for char in stated)
    text = " ".join(printable.split()).replace("−", "-").replace("–", "-")
    if not text:
        return "None"
    if text.casefold() in _WORDS:
        return repr(_WORDS[text.casefold()])
    number = _number(text)
    return repr(text[:200]) if number is None else repr(number)


def seed_literal(stated: str) -> str:
    """Return the first stated seed, as a literal that every library accepts; else `None`."""
    found = re.search(r"\d+", stated)
    if found is None or int(found.group()) > _LARGEST_SEED:
        return "None"
    return repr(int(found.group()))


def _number(text: str) -> int | float | None:
    match = _NUMBER.fullmatch(text)
    if match is None or not re.search(r"\d", match["base"]):
        return None
    base = match["base"].replace(",", "")
    try:
        if match["power"] is not None and match["ten"] is None:
            value = float(base) ** int(match["power"])  # `10^-3`, whose base is the ten
        else:
            value = float(base) * 10.0 ** int(match["power"] or match["e"] or 0)
    except (OverflowError, ZeroDivisionError):
        return None
    value *= {"k": 1_000.0, "K": 1_000.0, "%": 0.01}.get(match["unit"], 1.0)
    value = float(f"{value:.12g}")
    if not math.isfinite(value):
        return None
    whole = re.fullmatch(r"[-+]?\d+", base) and value.is_integer() and match["unit"] != "%"
    return int(value) if whole else value
