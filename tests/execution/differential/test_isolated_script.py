"""Cells in a Python other than the server's: what it tells, and what it can reach."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.forecast import Observed
from mle_modernizer_server.domain.notebook import Cell, CellType
from mle_modernizer_server.environments.discovery import interpreter_at
from mle_modernizer_server.environments.inspect_python import MARK
from mle_modernizer_server.execution.differential.isolated_script import observe
from mle_modernizer_server.execution.sandboxes.choose import sandboxes
from mle_modernizer_server.execution.sandboxes.local import Local
from mle_modernizer_server.execution.sandboxes.workspace import Workspace
from mle_modernizer_server.words import text
from tests.execution.conftest import LASTING, SLUG
from tests.fixing.rules.executed.environment import environment
from tests.old_pythons import python_of_2019
from tests.refusals import refused
from tests.thoroughness import HERE

Observe = Callable[..., Observed]


@pytest.fixture(params=HERE)
def sandbox(request: pytest.FixtureRequest) -> Local:
    chosen = sandboxes()[request.param]
    if not chosen.availability().ok:
        pytest.skip(f"{chosen.name} does not work here: {text(chosen.availability().reason)}")
    assert isinstance(chosen, Local)
    return chosen


@pytest.fixture
def other() -> Path:
    """Another Python than the one that runs the tests."""
    return environment("kaggle").python


@pytest.fixture
def run(sandbox: Local, workspace: Workspace, public: Path) -> Observe:
    """Runs cells, all of them concerned, in another Python."""

    def run(
        path: Path | None, *sources: str, time_limit: float = 60, cancel_after: float | None = None
    ) -> Observed:
        async def work() -> Observed:
            cancel = asyncio.Event()
            if cancel_after is not None:
                asyncio.get_running_loop().call_later(cancel_after, cancel.set)
            python = None if path is None else interpreter_at(path)
            return await observe(
                sandbox,
                replace(workspace.mounts(SLUG, public, python), packages=None),
                [
                    Cell(id=f"c{number}", type=CellType.CODE, source=source)
                    for number, source in enumerate(sources)
                ],
                concerned={f"c{number}" for number in range(len(sources))},
                libraries={"pandas", "no_such_library"},
                time_limit=time_limit,
                cancel=cancel,
            )

        return asyncio.run(work())

    return run


def facts(observed: Observed, number: int = 0) -> dict[str, str]:
    return dict(observed.cells[number].facts)


def test_cells_run_in_the_other_python_on_the_data(run: Observe, other: Path) -> None:
    found = run(
        other,
        "import sys\nimport pandas as pd\nt = pd.read_csv('../input/train.csv')\nprint(len(t))",
        "prefix = sys.prefix\n!ls\nt.describe()",
    )
    assert found.ended == ""
    assert found.environment.packages == {
        "pandas": environment("kaggle").installed.packages["pandas"]
    }
    assert facts(found)["t shape"] == "(2, 3)"
    assert facts(found)["t['age'] mean"] == "25"
    assert facts(found)["printed line 1"] == "2"
    assert facts(found, 1)["prefix"] == repr(str(other.parent.parent.resolve()))
    assert facts(found, 1)["value of the cell shape"] == "(8, 3)"


def test_a_failure_is_told_and_the_rest_still_runs(run: Observe, other: Path) -> None:
    found = run(
        other,
        "import no_such_module\nx = 1",
        "1 / 0\nx = 2",
        "raise SystemExit('enough')",
        "print 'Python 2'",
        "x",
    )
    first, second, third, fourth, fifth = found.cells
    assert first.missing == ("ModuleNotFoundError: No module named 'no_such_module'",)
    assert second.error == "ZeroDivisionError: division by zero"
    assert third.error == "SystemExit: enough"
    assert fourth.error.startswith("SyntaxError")
    assert dict(fifth.facts)["x"] == "1"


def test_objects_that_fail_on_inspection_stop_nothing(run: Observe, other: Path) -> None:
    found = run(
        other,
        "class Odd:\n    def get_params(self, deep):\n        raise RuntimeError\nodd = Odd()\n"
        "import os\nos.write(1, b'not the answer')\nx = 3",
    )
    assert facts(found)["odd"] == "not told (RuntimeError)"
    assert facts(found)["x"] == "3"


def test_a_run_that_does_not_end_is_stopped(run: Observe, other: Path) -> None:
    found = run(other, "x = 1", "while True: pass", time_limit=8)
    assert facts(found)["x"] == "1"
    assert len(found.cells) == 1
    assert found.ended == "it was stopped after 8 seconds"


def test_a_cancel_ends_all_processes(
    run: Observe, other: Path, assert_no_process: Callable[[str], None]
) -> None:
    begun = time.monotonic()
    run(other, f"import subprocess\nsubprocess.run(['sleep', '{LASTING}'])", cancel_after=3)
    assert time.monotonic() - begun < 30
    assert_no_process(LASTING)


def test_a_death_is_told(run: Observe, other: Path) -> None:
    found = run(other, "import os\nos._exit(3)")
    assert (found.cells, found.ended) == ((), "it died")


def test_the_other_python_is_closed_in_like_a_kernel(
    run: Observe, sandbox: Local, other: Path, tmp_path: Path, public: Path
) -> None:
    if not sandbox.isolated:
        pytest.skip("the sandbox `process` closes nothing in, and says so")
    secret = tmp_path / "secret.txt"
    secret.write_text("mine")
    answers = public.parent / "private" / "answers.csv"
    found = run(
        other,
        "import os, socket\n"
        f"seen = [os.path.exists(p) for p in ({str(secret)!r}, {str(answers)!r}, "
        f"{str(Path(__file__))!r}, {sys.prefix!r})]",
        "socket.create_connection(('1.1.1.1', 53), timeout=5)",
        "open(os.path.join(os.__file__), 'a')",
        "secrets = [name for name in os.environ if 'KEY' in name or 'TOKEN' in name]",
    )
    assert facts(found)["seen first"] == "False, False, False, False"
    assert "OSError" in found.cells[1].error
    assert "OSError" in found.cells[2].error
    assert facts(found, 3)["secrets length"] == "0"


@pytest.mark.thorough
def test_python_37_understands_the_driver(run: Observe) -> None:
    found = run(
        python_of_2019(),
        "import pandas as pd\nfrom sklearn.ensemble import RandomForestClassifier\n"
        "t = pd.read_csv('../input/train.csv')\nforest = RandomForestClassifier()",
    )
    assert found.environment.python.startswith("3.7.")
    assert found.environment.packages == {"pandas": "0.24.2"}
    assert facts(found)["forest.n_estimators"] == "'warn'"
    assert facts(found)["t['age'] dtype"] == "int64"


@pytest.mark.process
def test_what_is_no_python_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with refused(BadInput, match="There is no Python at"):
        interpreter_at(tmp_path / "python3")
    liar = tmp_path / "python3"
    liar.write_text("#!/bin/sh\necho hello\n")
    liar.chmod(0o755)
    with refused(BadInput, match="no Python that this machine lists"):
        interpreter_at(liar)
    with refused(BadInput, match="does not answer like a Python"):
        interpreter_at(liar, is_configured=True)
    monkeypatch.setenv("PATH", str(tmp_path))
    with refused(BadInput, match="does not answer like a Python"):
        interpreter_at(liar)


@pytest.mark.process
def test_a_python_that_would_open_the_home_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", str(home))
    (home / "pyvenv.cfg").touch()
    launcher = home / "python3"
    answer = {"executable": str(launcher), "version": [3, 7, 1], "directories": [str(home)]}
    answer |= {"path": [], "ipykernel": "", "packages": {}}
    launcher.write_text(f"#!/bin/sh\necho '{MARK}{json.dumps(answer)}'\n")
    launcher.chmod(0o755)
    with refused(BadInput, match="Make a virtual environment"):
        interpreter_at(launcher)
