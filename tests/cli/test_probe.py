"""`jupyter modernize probe`, with real Pythons of other times."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.execution.sandboxes.choose import sandboxes
from tests.cli.conftest import Cli, Write, start
from tests.fixing.rules.executed.environment import environment
from tests.old_pythons import python_of_2019

LOAD = "import pandas as pd\nt = pd.read_csv('../input/parity/train.csv')"
CHAINED = "t['age'][t['age'].isnull()] = 0\nprint(t['age'].mean())"
FOREST = (
    "from sklearn.ensemble import RandomForestClassifier\n"
    "model = RandomForestClassifier(random_state=0)\n"
    "model.fit(t[['Id']], t['Odd'])\nmodel.score(t[['Id']], t['Odd'])"
)


@pytest.fixture
def sandbox() -> str:
    """The sandbox that closes in, where it works."""
    return "bubblewrap" if sandboxes()["bubblewrap"].availability().ok else "process"


@pytest.fixture
def table(data_root: Path) -> None:
    """A table with holes; those in its first ten rows are three."""
    rows = [f"{i},{'' if i in (2, 5, 8) or i > 500 else 20 + i},{i % 2}" for i in range(1, 1000)]
    path = data_root / "parity/prepared/public/train.csv"
    path.write_text("Id,age,Odd\n" + "\n".join(rows) + "\n")


def items(out: str) -> dict[str, dict[str, Any]]:
    return {item["rule"]: item for item in json.loads(out)["items"]}


def values(item: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    return {one["name"]: (one["then"], one["now"], one["fixed"]) for one in item["contrasts"]}


@pytest.mark.thorough
@pytest.mark.usefixtures("table")
def test_last_years_pandas_explains_a_copy_on_write_change(
    cli: Cli, write: Write, sandbox: str
) -> None:
    path = write(LOAD, CHAINED, "!ls\n%matplotlib inline\nunrelated = 1")
    before = path.read_bytes()
    arguments = ("--old-python", environment("kaggle").python, "--sandbox", sandbox)
    ended = cli("probe", path, *arguments, "--rows", "10", "--json")
    assert ended.code == 1, ended.err
    found = items(ended.out)["pandas-chained-setitem"]
    assert (found["verdict"], found["cell_id"]) == ("explains", "c1")
    assert values(found)["t['age'] NaN"] == ("0", "3", "0")
    assert values(found)["printed line 1"][0] == values(found)["printed line 1"][2]
    assert path.read_bytes() == before

    ended = cli("probe", path, *arguments, "--rows", "1", "--rule", "pandas-chained-setitem")
    assert ended.code == 0, "one row has no hole"
    assert "cell number 2 `t['age'][t['age'].isnul…`: makes no difference here" in ended.out
    assert "Compared on the first 1 rows" in ended.out


@pytest.mark.thorough
def test_text_columns_that_no_loop_finds_any_more_are_explained(
    cli: Cli, write: Write, sandbox: str
) -> None:
    path = write(
        "import pandas as pd\nt = pd.DataFrame({'kind': ['a', 'b'], 'n': [1, 2]})",
        "texts = [c for c in t.columns if t[c].dtype == object]",
    )
    ended = cli(
        "probe", path, "--old-python", environment("kaggle").python, "--sandbox", sandbox, "--json"
    )
    found = items(ended.out)["pandas-infer-string"]
    assert (ended.code, found["verdict"], found["cell_id"]) == (1, "explains", "c1")
    assert values(found)["texts length"] == ("1", "0", "1")
    assert values(found)["t['kind'] dtype"] == ("object", "str", "object")
    assert {"code": "comparison.without-data", "parameters": {}} in json.loads(ended.out)["notes"]


@pytest.mark.thorough
@pytest.mark.usefixtures("table")
def test_a_change_that_the_old_python_has_too_cannot_be_told(
    cli: Cli, write: Write, sandbox: str
) -> None:
    path = write(LOAD, FOREST)
    ended = cli(
        "probe",
        path,
        "--old-python",
        environment("kaggle").python,
        "--sandbox",
        sandbox,
        "--rule",
        "sklearn-pin-forest-size",
    )
    assert ended.code == 0
    assert "cell number 2 `from sklearn.ensemble i…`: could not be determined" in ended.out
    assert "which has the change already" in ended.out


@pytest.mark.thorough
@pytest.mark.usefixtures("table")
def test_the_libraries_of_2019_explain_a_default(cli: Cli, write: Write, sandbox: str) -> None:
    path = write(LOAD, FOREST)
    arguments = ("--old-python", python_of_2019().parent.parent, "--sandbox", sandbox)
    ended = cli(
        "probe", path, *arguments, "--rule", "sklearn-pin-forest-size", "--json", "--rows", "100"
    )
    assert ended.code == 1, ended.err
    found = items(ended.out)["sklearn-pin-forest-size"]
    assert found["verdict"] == "explains"
    assert values(found)["model.n_estimators"] == ("10", "100", "10")
    then, now, fixed = values(found)["value of the cell"]
    assert float(then) == pytest.approx(float(fixed))
    assert float(now) > float(then)

    ended = cli("probe", path, *arguments, "--rule", "sklearn-pin-forest-size")
    assert "then (sklearn 0.20.4)" in ended.out
    assert "explains a difference" in ended.out


def test_what_cannot_be_compared_is_refused(cli: Cli, write: Write, tmp_path: Path) -> None:
    path = write("x = 1")
    here = ("--old-python", sys.executable, "--sandbox", "process")
    ended = cli("probe", path, "--old-python", tmp_path / "no-python", "--sandbox", "process")
    assert (ended.code, "There is no Python at" in ended.err) == (2, True)
    ended = cli("probe", path, *here, "--rule", "pandas-append")
    assert (ended.code, "not a silent change that concerns" in ended.err) == (2, True)
    ended = cli("probe", path, *here)
    assert (ended.code, "No silent change is known" in ended.out) == (0, True)


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_ctrl_c_ends_it(write: Write) -> None:
    path = write("import time\ntime.sleep(3600)", LOAD, CHAINED)
    process = start(
        "probe", path, "--old-python", environment("kaggle").python, "--sandbox", "process"
    )
    assert process.stderr is not None
    lines = iter(process.stderr.readline, "")
    assert any("Running with the old libraries" in line for line in lines)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Cancelled." in err
