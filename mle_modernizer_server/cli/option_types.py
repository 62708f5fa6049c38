"""Types of command line options: each a function for `argparse`'s `type`."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from pathlib import Path

from mle_modernizer_server.cli.terminal.safe_text import plain
from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.files import checked_address
from mle_modernizer_server.domain.improvement import BlockRole
from mle_modernizer_server.execution.sandboxes.docker.settings import PipNetwork, gpus, size

_DIGITS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+|[0-9]+(_[0-9]+)*")


def number(text: str) -> float:
    """Parse a finite number, for `argparse`."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a finite number")
    return value


def positive(text: str) -> float:
    """Parse a finite number above 0, for `argparse`."""
    value = number(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value


def whole(low: int, high: float = math.inf) -> Callable[[str], int]:
    """Return a parser of whole numbers within bounds, for `argparse`."""

    def parse(text: str) -> int:
        value = digits(text)
        if not low <= value <= high:
            upper = "" if high == math.inf else f" to {high}"
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low}{upper}")
        return int(value)

    return parse


def digits(text: str) -> float:
    """Return the whole number in a text such as `200,000`; NaN if there is none."""
    if not _DIGITS.fullmatch(text):
        return math.nan
    return int(text.replace("_", "").replace(",", ""))


def memory_size(text: str) -> int:
    """Parse a size such as `16g` in bytes, for `argparse`."""
    try:
        return size(text, "memory")
    except BadSetting as error:
        raise argparse.ArgumentTypeError(plain(error.message)) from error


def gpu_choice(text: str) -> str:
    """Return the choice of GPUs, for `argparse`."""
    try:
        return gpus(text)
    except BadSetting as error:
        raise argparse.ArgumentTypeError(plain(error.message)) from error


def pip_network(text: str) -> PipNetwork:
    """Return the network access of `pip install`, for `argparse`."""
    try:
        return PipNetwork(text)
    except ValueError as error:
        known = ", ".join(choice.value for choice in PipNetwork)
        raise argparse.ArgumentTypeError(f"{text!r} is none of {known}") from error


def given_file(text: str) -> tuple[str, Path]:
    """Parse a path or address in a notebook and the file that replaces it, for `argparse`."""
    # An address may have a `=` of its own.
    path, sign, file = text.rpartition("=") if "://" in text else text.partition("=")
    if not (path and sign and file):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form PATH=FILE")
    return path, Path(file)


def web_address(text: str) -> str:
    """Parse the address of a file to fetch, for `argparse`."""
    try:
        return checked_address(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not fetched: {error}") from error


def block_role(text: str) -> tuple[int, BlockRole]:
    """Parse a block's number and its role: `4=features`."""
    number, _, name = text.partition("=")
    try:
        return int(number), BlockRole(name.strip().lower())
    except ValueError as error:
        known = ", ".join(role.value for role in BlockRole)
        raise argparse.ArgumentTypeError(f"must be NUMBER=ROLE, with a role of {known}") from error


def fold_split(text: str) -> tuple[SplitKind, str | None]:
    """Return the fold assignment: `random`, `stratified`, `group:COLUMN` or `time:COLUMN`."""
    name, _, column = text.partition(":")
    try:
        kind = SplitKind(name)
    except ValueError as error:
        known = ", ".join(one.value for one in SplitKind)
        raise argparse.ArgumentTypeError(f"{name!r} is none of {known}") from error
    if (kind in (SplitKind.GROUP, SplitKind.TIME)) != bool(column):
        raise argparse.ArgumentTypeError("`group` and `time` need a column: group:COLUMN")
    return kind, column or None
