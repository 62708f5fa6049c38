"""Parsers of command line options: each raises ValueError for a text that it refuses."""

from __future__ import annotations

import math
import re
from pathlib import Path

from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.domain.files import checked_address
from mle_modernizer_server.domain.improvement import BlockRole
from mle_modernizer_server.execution.sandboxes.docker.settings import size

_DIGITS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+|[0-9]+(_[0-9]+)*")


def number(text: str) -> float:
    """Parse a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is not a finite number")
    return value


def digits(text: str) -> float:
    """Return the whole number in a text such as `200,000`; NaN if there is none."""
    if not _DIGITS.fullmatch(text):
        return math.nan
    return int(text.replace("_", "").replace(",", ""))


def memory_size(text: str) -> int:
    """Parse a size such as `16g` in bytes.

    Raises:
        BadSetting: It is none.
    """
    return size(text, "memory")


def given_file(text: str) -> tuple[str, Path]:
    """Parse a path or address in a notebook and the file that replaces it."""
    # An address may have a `=` of its own.
    path, sign, file = text.rpartition("=") if "://" in text else text.partition("=")
    if not (path and sign and file):
        raise ValueError(f"{text!r} is not of the form PATH=FILE")
    return path, Path(file)


def web_address(text: str) -> str:
    """Parse the address of a file to fetch."""
    try:
        return checked_address(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is not fetched: {error}") from error


def block_role(text: str) -> tuple[int, BlockRole]:
    """Parse a block's number and its role: `4=features`."""
    number, _, name = text.partition("=")
    try:
        return int(number), BlockRole(name.strip().lower())
    except ValueError as error:
        known = ", ".join(role.value for role in BlockRole)
        raise ValueError(f"must be NUMBER=ROLE, with a role of {known}") from error


def split_choice(text: str) -> tuple[SplitKind, str | None]:
    """Return the fold assignment: `random`, `stratified`, `group:COLUMN` or `time:COLUMN`."""
    name, _, column = text.partition(":")
    try:
        kind = SplitKind(name)
    except ValueError as error:
        known = ", ".join(one.value for one in SplitKind)
        raise ValueError(f"{name!r} is none of {known}") from error
    if (kind in (SplitKind.GROUP, SplitKind.TIME)) != bool(column):
        raise ValueError("`group` and `time` need a column: group:COLUMN")
    return kind, column or None
