"""What the stubs say is what the rules know, and signatures are told apart by literals."""

import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import libcst as cst
import pytest

from mle_modernizer_server.code.types import returns
from mle_modernizer_server.code.types.type import FRAME, SERIES, Type

SCRIPT = Path(__file__).parents[2] / "scripts" / "return-types"

TABLE = Path(returns.__file__).with_name("returns.json")


def call(text: str) -> cst.Call:
    node = cst.parse_expression(text)
    assert isinstance(node, cst.Call)
    return node


def installed(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


@pytest.mark.process
@pytest.mark.thorough
@pytest.mark.process
def test_the_table_is_in_step_with_the_installed_stubs() -> None:
    read_from = json.loads(TABLE.read_text(encoding="utf-8"))["from"]
    if others := {
        name: installed(name) for name in read_from if installed(name) != read_from[name]
    }:
        pytest.skip(f"it was read from {read_from}, and installed are {others}")
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("owner", "text", "name"),
    [
        (FRAME, "x.reset_index()", "pandas.DataFrame"),
        (FRAME, "x.drop_duplicates(inplace=True)", "builtins.None"),
        (FRAME, "x.drop_duplicates(inplace=maybe)", None),
        (FRAME, "x.unstack()", None),
        (FRAME, "x.append(y)", "pandas.DataFrame"),
        (SERIES, "x.reset_index()", "pandas.DataFrame"),
        (SERIES, "x.reset_index(drop=True)", "pandas.Series"),
        (SERIES, "x.to_frame()", "pandas.DataFrame"),
    ],
)
def test_methods_give_what_the_signatures_that_fit_agree_on(
    owner: Type, text: str, name: str | None
) -> None:
    node = call(text)
    assert isinstance(node.func, cst.Attribute)
    found = returns.of_method(owner, node.func.attr.value, node)
    assert (None if found is None else found.name) == name


def test_a_flag_that_changes_the_type_is_told_apart() -> None:
    assert returns.of_function("numpy.unique", call("f(x)")) == Type("numpy.ndarray")
    both = returns.of_function("numpy.unique", call("f(x, return_counts=True)"))
    assert both is not None
    assert (both.name, len(both.items)) == ("builtins.tuple", 2)
    assert returns.of_function("numpy.unique", call("f(x, return_counts=flag)")) is None


def test_a_guess_takes_the_first_of_several_types() -> None:
    assert returns.of_method(SERIES, "apply", call("x.apply(f)")) is None
    assert returns.of_method(SERIES, "apply", call("x.apply(f)"), guess=True) in (SERIES, FRAME)
