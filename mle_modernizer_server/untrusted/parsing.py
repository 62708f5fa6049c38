"""Parses JSON, YAML and TOML of others, in time and memory that grow with the text's length only.

The parsers alone do not: a few hundred bytes of YAML aliases expand to gigabytes, nested brackets
end in a `RecursionError`, and the time for a number of many digits, or for a dotted key of TOML,
grows with the square of its length. All functions raise one error for all of that. The caller
limits the text's length.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable
from typing import Any

import yaml

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DEEPEST = 100
"""Nesting depth of lists and mappings; notebooks have about ten."""
_MOST_DIGITS = 4_000
"""Digits of a whole number in JSON; Python itself has a limit of 4,300."""
_LONGEST_YAML_NUMBER = 100
_LARGEST_YAML_INTEGER = 2**63
"""Larger ones could be chosen so that, as keys, they all have the same hash."""
_MOST_KEY_PARTS = 50
"""Parts of a dotted key in TOML."""
_LONGEST_ERROR = 300


class UnreadableText(ValueError):
    """A text is not in its format, or beyond a limit; the message says why.

    Attributes:
        line: Line of the problem, counted from 1.
    """

    def __init__(self, why: str, line: int = 1) -> None:
        super().__init__(" ".join(why.split())[:_LONGEST_ERROR])
        self.line = line


def read_json(text: str | bytes, *, numbers_as_text: bool = False) -> object:
    """Parse JSON.

    Args:
        text: Bytes are UTF-8, with or without a byte order mark.
        numbers_as_text: Return numbers as they are written: 98.90 has two digits.

    Raises:
        UnreadableText: It is no JSON, or beyond a limit.
    """
    text = _decoded(text)
    _check_depth(text, _JSON_TOKEN, text.count("[") + text.count("{"))
    try:
        if numbers_as_text:
            return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
        return json.loads(text, parse_int=_json_integer)
    except json.JSONDecodeError as error:
        raise UnreadableText(str(error), error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise UnreadableText(str(error)) from error


_JSON_TOKEN = re.compile(r'"[^"]*"?|[\[\]{}]')
"""A string without escaped quotes, which may contain brackets, or a bracket."""


def _check_depth(text: str, token: re.Pattern[str], brackets: int) -> None:
    if brackets <= DEEPEST:
        return
    depth = 0
    text = _without_escaped_quotes(text)
    for match in token.finditer(text):
        sign = match[0]
        if sign in ("[", "{"):
            depth += 1
            if depth > DEEPEST:
                line = text.count("\n", 0, match.start()) + 1
                raise UnreadableText(_too_deep(), line)
        elif sign in ("]", "}"):
            depth -= 1


def _without_escaped_quotes(text: str) -> str:
    """Return a text in which each quote begins or ends a string; it has the same lines.

    A pattern with escapes in it would remember a place for each of them.
    """
    return text.replace("\\\\", "").replace('\\"', "")


def _too_deep() -> str:
    return f"it is nested more than {DEEPEST} levels deep"


def _json_integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise UnreadableText(f"it has a number of {len(digits):,} digits")
    return int(digits)


def finite_number(value: object) -> float | None:
    """Return a parsed value as a number; None if it is none, or beyond the range of floats."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def read_yaml(text: str | bytes) -> object:
    """Parse one YAML document, without aliases and of bounded depth; None if it is empty.

    Args:
        text: Bytes are UTF-8, with or without a byte order mark.

    Raises:
        UnreadableText: It is no YAML, or beyond a limit.
    """
    return read_yaml_nodes(text)[1]


def read_yaml_nodes(text: str | bytes) -> tuple[yaml.Node | None, object]:
    """Parse one YAML document as nodes, which know their lines, and as plain values.

    Args:
        text: As for `read_yaml`.

    Raises:
        UnreadableText: As `read_yaml`.
    """
    text = _decoded(text)
    try:
        # Events come one after the other, whatever is nested; nodes are composed recursively.
        _check_events(yaml.parse(text, Loader=_YamlLoader))
        loader = _YamlLoader(text)
        node = loader.get_single_node()
        return node, None if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        why = " ".join(part for part in (error.context, error.problem) if part)
        last = text.count("\n") + 1  # libyaml's mark may be behind it
        raise UnreadableText(why, 1 if mark is None else min(mark.line + 1, last)) from error
    except UnreadableText:
        raise
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnreadableText(str(error)) from error
    except (ArithmeticError, AttributeError, LookupError, TypeError) as error:
        # PyYAML's own, for values that do not fit a written tag: `!!int ""`
        raise UnreadableText("a value does not fit its tag (`!!name`)") from error


class _YamlLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Plain values, numbers within limits; libyaml's loader takes a tenth of the time."""

    def bounded_int(self, node: yaml.ScalarNode) -> int:
        """Return a whole number.

        Raises:
            yaml.MarkedYAMLError: It is too long or too large.
        """
        _check_number(node)
        number: int = self.construct_yaml_int(node)
        if not -_LARGEST_YAML_INTEGER <= number < _LARGEST_YAML_INTEGER:
            raise _number_too_large(node)
        return number

    def bounded_float(self, node: yaml.ScalarNode) -> float:
        """Return a number.

        Raises:
            yaml.MarkedYAMLError: It is too long.
        """
        _check_number(node)
        number: float = self.construct_yaml_float(node)
        return number


_YamlLoader.add_constructor("tag:yaml.org,2002:int", _YamlLoader.bounded_int)
_YamlLoader.add_constructor("tag:yaml.org,2002:float", _YamlLoader.bounded_float)


def _check_number(node: yaml.ScalarNode) -> None:
    if len(node.value) > _LONGEST_YAML_NUMBER:
        raise _number_too_large(node)


def _number_too_large(node: yaml.ScalarNode) -> yaml.MarkedYAMLError:
    why = "a number is too large; write it in quotes if it is text"
    return yaml.MarkedYAMLError(problem=why, problem_mark=node.start_mark)


def _check_events(events: Iterable[yaml.Event]) -> None:
    depth = 0
    for event in events:
        if isinstance(event, yaml.AliasEvent):
            why = "aliases (`*name`) are not allowed here; write the value again"
            raise UnreadableText(why, _line(event))
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                raise UnreadableText(_too_deep(), _line(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _line(event: yaml.Event) -> int:
    return 1 if event.start_mark is None else event.start_mark.line + 1


def read_toml(text: str | bytes) -> dict[str, Any]:
    """Parse TOML.

    Args:
        text: Bytes are UTF-8, with or without a byte order mark.

    Raises:
        UnreadableText: It is no TOML, or beyond a limit.
    """
    text = _decoded(text)
    _check_depth(text, _TOML_TOKEN, text.count("[") + text.count("{"))
    _check_keys(text)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableText(str(error)) from error


_TOML_TEXT = (
    r'"""[\s\S]*?(?:"""(?!")|\Z)',  # its text may end with quotes
    r"'''[\s\S]*?(?:'''(?!')|\Z)",
    r'"[^"\n]*"?',
    r"'[^'\n]*'?",
    r"#[^\n]*",
)
"""Strings without escaped quotes, and comments; a string without an end ends with its line."""
_TOML_TOKEN = re.compile("|".join((*_TOML_TEXT, r"[\[\]{}]")))
_TOML_KEY_TOKEN = re.compile("|".join((*_TOML_TEXT, r"[.=,\n\[\]{}]")))


def _check_keys(text: str) -> None:
    """Check that no key has too many parts: for tomllib they cost the square of their number."""
    if text.count(".") < _MOST_KEY_PARTS:
        return
    dots = 0
    text = _without_escaped_quotes(text)
    for match in _TOML_KEY_TOKEN.finditer(text):
        sign = match[0]
        if sign == ".":
            dots += 1
            if dots >= _MOST_KEY_PARTS:
                line = text.count("\n", 0, match.start()) + 1
                raise UnreadableText(f"a key has more than {_MOST_KEY_PARTS} parts", line)
        elif sign in ("=", ",", "\n", "[", "]", "{", "}"):
            dots = 0


def _decoded(text: str | bytes) -> str:
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableText("it is no UTF-8 text") from error
