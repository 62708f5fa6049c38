"""JSON, YAML and TOML of others cost what their length says, and every fault is one error."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mle_modernizer_server.untrusted.parsing import (
    DEEPEST,
    UnreadableText,
    finite_number,
    read_json,
    read_toml,
    read_yaml,
)

_CPU_SECONDS = 5.0
"""Processor time; each takes a few hundredths, those that it replaces took minutes."""


@pytest.mark.parametrize(
    "text",
    [
        *("", "[", "[1,]", "{'a': 1}", '"a', "9" * 5_000, "[" * 100_000, '{"a":' * 3_000),
        '[["' + '\\"' * 100_000,
    ],
)
def test_json_beyond_a_limit_is_refused(text: str) -> None:
    with pytest.raises(UnreadableText):
        read_json(text)


def test_json_within_the_limits_is_read() -> None:
    deep = "[" * DEEPEST + "]" * DEEPEST
    assert read_json(deep) is not None
    assert read_json('{"a": "' + "[{" * 200 + '", "b": [1, 0.5, null]}') == {
        "a": "[{" * 200,
        "b": [1, 0.5, None],
    }
    assert read_json(b'\xef\xbb\xbf{"a": "\xc3\xa9"}') == {"a": "é"}
    with pytest.raises(UnreadableText):
        read_json(b"\xff")


_TEXTS = st.text(alphabet='"\\[]{}a\n', max_size=6)
_VALUES = st.recursive(
    _TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXTS, inner, max_size=2),
)


def _depth(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_depth, inner), default=0) if isinstance(value, dict | list) else 0


@given(value=_VALUES, around=st.integers(DEEPEST - 4, DEEPEST))
def test_json_depth_is_counted_outside_of_strings(value: object, around: int) -> None:
    text = "[" * around + json.dumps(value) + "]" * around
    if around + _depth(value) <= DEEPEST:
        read_json(text)
    else:
        with pytest.raises(UnreadableText):
            read_json(text)


def test_json_fault_names_its_line() -> None:
    with pytest.raises(UnreadableText) as caught:
        read_json("{\n\n" + "[" * 200)
    assert caught.value.line == 3


@pytest.mark.parametrize(
    "text",
    [
        *("a: &a [x]\nb: *a", "a: ]", "a\n---\nb", "a: '\ud800'", "a: '\0'", "{[a]: 1}"),
        *("[" * 3_000, "- " * 3_000, "{a: " * 3_000, "a: " + "9" * 30, "a: 1" + ":59" * 5_000),
        *("!!int ''", "!!timestamp a", "!!bool a", "!!float a", "!!binary é", "!!python/name:o a"),
        *("a: 2001-99-99", "a: {<<: 5}", "a: ="),
    ],
)
def test_yaml_beyond_a_limit_is_refused(text: str) -> None:
    with pytest.raises(UnreadableText):
        read_yaml(text)


def test_yaml_within_the_limits_is_read() -> None:
    assert read_yaml("") is None
    assert read_yaml(b"\xef\xbb\xbfa: [1, 0x10, 1.5, yes, 2020-01-01T00:00:00Z, '9']\nb: &c x") == {
        "a": [1, 16, 1.5, True, read_yaml("2020-01-01T00:00:00Z"), "9"],
        "b": "x",
    }


def test_yaml_fault_names_its_line() -> None:
    with pytest.raises(UnreadableText, match="aliases") as caught:
        read_yaml("a: &a 1\nb:\n- *a\n")
    assert caught.value.line == 3


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 100_000 + " = 1",
        "['a'" + ".'a'" * 50_000 + "]",
        "x = {a" + " . a" * 50_000 + " = 1}",
        "x = " + "[" * 100_000,
        "x = " + "9" * 100_000,
        'x = "' + '\\"' * 100_000 + "\n",
        'x = """' + '\\"' * 100_000,
        'x = {a = """b"""", c' + ".c" * 100_000 + " = 1}",
        "x = {a = 'b\\', c" + ".c" * 100_000 + " = 1}",
        'x = {a = "\\\\", c' + ".c" * 100_000 + " = 1}",
        "x = " + "'" * 200_001,
        "x = \ud800",
    ],
)
def test_toml_beyond_a_limit_is_refused_at_once(text: str) -> None:
    begin = time.process_time()
    with pytest.raises(UnreadableText):
        read_toml(text)
    assert time.process_time() - begin < _CPU_SECONDS


def test_toml_within_the_limits_is_read() -> None:
    versions = [f"package-{number}==1.2.{number}" for number in range(200)]
    text = f"a.b.c = 1\n# {'.' * 100}\n[project]\ndependencies = {versions}\nt = '''{'a.' * 99}'''"
    found = read_toml(text)
    assert found["a"] == {"b": {"c": 1}}
    assert found["project"]["dependencies"] == versions


@pytest.mark.parametrize(
    ("value", "number"),
    [(1, 1.0), (0.5, 0.5), (True, None), ("1", None), (10**400, None), (float("inf"), None)],
)
def test_number_out_of_range_is_none(value: object, number: float | None) -> None:
    assert finite_number(value) == number
