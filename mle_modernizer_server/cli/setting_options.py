"""The command line options of a session's settings, made from their model."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from mle_modernizer_server.cli.option_types import digits, number
from mle_modernizer_server.domain.settings import Option, OptionGroup, flag_of, setting_options


def add_settings(group: argparse._ArgumentGroup, heading: OptionGroup) -> None:
    """Add the flags of all settings under a heading."""
    for name, (_, option) in setting_options().items():
        if option.group is heading:
            add_setting(group, name)


def add_setting(group: argparse._ActionsContainer, name: str, help: str = "") -> None:
    """Add the flag of one setting; the arguments hold None if it is not passed.

    Args:
        group: The group of flags.
        name: The setting.
        help: Its meaning for a command, if it differs from that for a session.
    """
    field, option = setting_options()[name]
    kind = _kind(field)
    words: dict[str, Any] = {"dest": name, "help": help or help_of(field, option)}
    if kind is bool:
        words |= {"action": "store_const", "const": True}
    else:
        words |= {"type": _parser(field, option), "metavar": metavar_of(field, option)}
    if option.repeatable:
        words["action"] = "append"
    if option.bare:
        words |= {"nargs": "?", "const": words["type"](option.bare)}
    group.add_argument(flag_of(name), **words)


def take_settings(given: argparse.Namespace) -> dict[str, object]:
    """Return the settings that were passed, and remove all of them from the arguments."""
    taken = {name: vars(given).pop(name, None) for name in setting_options()}
    return {
        name: tuple(dict.fromkeys(value)) if isinstance(value, list) else value
        for name, value in taken.items()
        if value is not None
    }


# A flag and its words


def help_of(field: FieldInfo, option: Option) -> str:
    """Return the help of a setting, with its default."""
    default = field.default
    words = str(default.value) if isinstance(default, Enum) else str(default)
    if isinstance(default, float):
        words = f"{default / option.unit:g}"
    return option.help.replace("{default}", words)


def metavar_of(field: FieldInfo, option: Option) -> str:
    """Return the placeholder of a setting's value; empty for a switch."""
    kind = _kind(field)
    if option.metavar or kind is bool:
        return option.metavar
    if issubclass(kind, Enum):
        return "|".join(str(member.value) for member in kind)
    return "N"


# Parsing


def _kind(field: FieldInfo) -> type:
    """Return the type of a setting without None and without the type of its elements."""
    kind = field.annotation
    if get_origin(kind) in (Union, UnionType):
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
    kind = get_origin(kind) or kind
    assert isinstance(kind, type)
    return kind


def _parser(field: FieldInfo, option: Option) -> Callable[[str], object]:
    """Return the parser of a flag's text, for `argparse`."""
    kind = _kind(field)

    def parse(text: str) -> object:
        try:
            if option.parse is not None:
                return option.parse(text)
            if issubclass(kind, Enum):
                return _member(kind, text)
            if kind in (int, float):
                return _number(text, field, option)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        return text

    return parse


def _member(kind: type[Enum], text: str) -> Enum:
    try:
        return kind(text)
    except ValueError as error:
        *others, last = (str(member.value) for member in kind)
        raise ValueError(f"{text!r} is not {', '.join(others)} or {last}") from error


def _number(text: str, field: FieldInfo, option: Option) -> float:
    value = digits(text) if _kind(field) is int else number(text) * option.unit
    low, above, high = _bounds(field)
    if not (low <= value <= high and value > above):
        raise ValueError(f"{text!r} is not {values_of(field, option)}")
    return value


def values_of(field: FieldInfo, option: Option) -> str:
    """Return the permitted numbers of a setting in the flag's unit, in words; empty if none."""
    if option.parse is not None or _kind(field) not in (int, float):
        return ""
    words = "a whole number" if _kind(field) is int else "a number"
    low, above, high = (f"{bound / option.unit:.12g}" for bound in _bounds(field))
    if low != "-inf":
        return f"{words} from {low}" + ("" if high == "inf" else f" to {high}")
    if above != "-inf":
        return f"{words} above {above}" + ("" if high == "inf" else f" and at most {high}")
    return words if high == "inf" else f"{words} of at most {high}"


def _bounds(field: FieldInfo) -> tuple[float, float, float]:
    """Return the smallest number, the one that is too small, and the largest."""
    bounds = {
        name: getattr(each, name)
        for each in field.metadata
        for name in _BOUNDS
        if hasattr(each, name)
    }
    return bounds.get("ge", -math.inf), bounds.get("gt", -math.inf), bounds.get("le", math.inf)


_BOUNDS = ("ge", "gt", "le")
"""Attributes of Pydantic's constraints."""
