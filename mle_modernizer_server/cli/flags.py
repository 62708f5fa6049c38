"""Flags of the command line, made from the fields of models: settings, and options of commands."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from mle_modernizer_server.cli.option_types import digits, number
from mle_modernizer_server.cli.terminal.safe_text import plain
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.settings import Flag, flag_of


class Argument(Flag):
    """An argument that is named by its place."""


def add_flag(
    group: argparse._ActionsContainer, name: str, field: FieldInfo, flag: Flag, help: str = ""
) -> None:
    """Add the flag of a field; the parsed arguments hold None if it is not passed.

    Args:
        group: The group of flags.
        name: The field.
        field: Its type, bounds and default.
        flag: Its form.
        help: Its meaning for a command, if it differs from the usual one.
    """
    kind = _kind(field)
    words: dict[str, Any] = {"help": help or help_of(field, flag)}
    if get_origin(kind) is Literal:
        words["choices"] = get_args(kind)
    elif kind is bool:
        words |= {"action": "store_const", "const": True}
    else:
        words |= {"type": _parser(field, flag), "metavar": metavar_of(field, flag)}
    if isinstance(flag, Argument):
        several = "+" if field.is_required() else "*"
        one = None if field.is_required() else "?"
        group.add_argument(name, nargs=several if _is_tuple(field) else one, **words)
        return
    if flag.several:
        words |= {"action": "extend", "nargs": "+"}
    elif flag.repeatable:
        words["action"] = "append"
    if flag.bare:
        words |= {"nargs": "?", "const": words["type"](flag.bare)}
    flags = [f"--{flag.flag}" if flag.flag else flag_of(name)]
    flags += [f"--{flag.also}"] if flag.also else []
    group.add_argument(*flags, dest=name, required=field.is_required(), **words)


def help_of(field: FieldInfo, flag: Flag) -> str:
    """Return the help of a field, with its default."""
    default = field.default
    words = str(default.value) if isinstance(default, Enum) else str(default)
    if isinstance(default, float):
        words = f"{default / flag.unit:g}"
    return flag.help.replace("{default}", words)


def metavar_of(field: FieldInfo, flag: Flag) -> str:
    """Return the placeholder of a field's value; empty for a switch."""
    kind = _kind(field)
    if flag.metavar or kind is bool:
        return flag.metavar
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "|".join(str(member.value) for member in kind)
    return "N"


# Parsing


def _is_tuple(field: FieldInfo) -> bool:
    return get_origin(field.annotation) is tuple and ... in get_args(field.annotation)


def _kind(field: FieldInfo) -> Any:
    """Return the type of a field without None; of a tuple with a flag for each, its elements'."""
    kind: Any = field.annotation
    if get_origin(kind) in (Union, UnionType):
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
    if _is_tuple(field):
        kind = get_args(kind)[0]
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return kind


def _parser(field: FieldInfo, flag: Flag) -> Callable[[str], object]:
    """Return the parser of a flag's text, for `argparse`."""
    kind = _kind(field)
    is_enum = isinstance(kind, type) and issubclass(kind, Enum)
    if flag.parse is None and kind not in (str, Path, int, float) and not is_enum:
        raise TypeError(f"a flag of {kind} needs a parser")

    def parse(text: str) -> object:
        try:
            if flag.parse is not None:
                return flag.parse(text)
            if kind is Path:
                return Path(text)
            if kind in (int, float):
                return _number(text, field, flag)
            if is_enum:
                return _member(kind, text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        except BadInput as error:
            raise argparse.ArgumentTypeError(plain(error.message)) from error
        return text

    return parse


def _member(kind: type[Enum], text: str) -> Enum:
    try:
        return kind(text)
    except ValueError as error:
        *others, last = (str(member.value) for member in kind)
        raise ValueError(f"{text!r} is not {', '.join(others)} or {last}") from error


def _number(text: str, field: FieldInfo, flag: Flag) -> float:
    value = digits(text) if _kind(field) is int else number(text) * flag.unit
    low, above, high, below = _bounds(field)
    if not (low <= value <= high and above < value < below):
        raise ValueError(f"{text!r} is not {values_of(field, flag)}")
    return value


def values_of(field: FieldInfo, flag: Flag) -> str:
    """Return the permitted numbers of a field in the flag's unit, in words; empty if none."""
    if flag.parse is not None or _kind(field) not in (int, float):
        return ""
    words = "a whole number" if _kind(field) is int else "a number"
    low, above, high, below = (f"{bound / flag.unit:.12g}" for bound in _bounds(field))
    upper = f" and below {below}" if below != "inf" else ""
    if low != "-inf":
        return f"{words} from {low}" + (upper if high == "inf" else f" to {high}")
    if above != "-inf":
        return f"{words} above {above}" + (upper if high == "inf" else f" and at most {high}")
    return words if high == "inf" else f"{words} of at most {high}"


def _bounds(field: FieldInfo) -> tuple[float, float, float, float]:
    """Return the smallest number, the one that is too small, the largest, and one too large."""
    bounds = {
        name: getattr(each, name)
        for each in field.metadata
        for name in _BOUNDS
        if hasattr(each, name)
    }
    low, above, high, below = (bounds.get(name, limit) for name, limit in _BOUNDS.items())
    return low, above, high, below


_BOUNDS = {"ge": -math.inf, "gt": -math.inf, "le": math.inf, "lt": math.inf}
"""Attributes of Pydantic's constraints, and the bound without one."""
