"""The server answers before the workflow is loaded, and stops cleanly at any moment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.conftest import code_notebook
from tests.web.own_server import Server, serving, until

LEFT_FOR_LATER = (
    "numpy",
    "libcst",
    "mle_modernizer_server.workflow",
    "mle_modernizer_server.domain",
)


def test_the_servers_start_imports_none_of_what_is_heavy() -> None:
    code = (
        "import sys; sys.modules['rfc3987_syntax'] = None; "  # Jupyter compiles its grammar
        "from mle_modernizer_server import _jupyter_server_extension_points as points; "
        f"points(); print([name for name in {LEFT_FOR_LATER} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_workflow_is_loaded_without_what_few_need() -> None:
    seldom = ("numpy", "libcst", "rapidfuzz", "IPython", "mle_modernizer_server.reproducing")
    code = (
        "import sys; sys.modules['rfc3987_syntax'] = None; import mle_modernizer_server.wiring; "
        f"print([name for name in {seldom} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    (home / "tmp").mkdir(parents=True)
    return home


def assert_stopped_cleanly(server: Server, home: Path) -> None:
    assert server.process.returncode == 0
    # "Cannot operate on a closed database" among others.
    assert "Traceback" not in server.log, server.log
    assert "Error" not in server.log, server.log
    until(lambda: not list((home / "tmp").glob("mlem-*")), seconds=10)


def test_server_stopped_during_a_run_logs_no_error(home: Path, data_root: Path) -> None:
    notebook = code_notebook("import time", "time.sleep(654)")
    with serving(home, data_root) as server:
        made = server.ask("sessions", {"path": "old.ipynb", "notebook": notebook})
        address = f"sessions/{made['id']}"
        server.ask(f"{address}/runs", {"notebook": notebook})
        until(lambda: (server.ask(address)["progress"] or {}).get("ordinal") == 2)
    assert_stopped_cleanly(server, home)


@pytest.mark.thorough
def test_a_server_that_is_stopped_while_it_loads_says_no_error(home: Path, data_root: Path) -> None:
    server = Server(home, data_root)
    until(lambda: "running at" in server.log)
    server.process.terminate()
    server.process.wait(30)
    assert_stopped_cleanly(server, home)
