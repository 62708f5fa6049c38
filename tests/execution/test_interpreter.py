"""A notebook runs in a Python other than the server's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from mle_modernizer_server.domain.environment import Interpreter
from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.environments.discovery import interpreter_at
from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker
from mle_modernizer_server.execution.sandboxes.local import own_interpreter
from mle_modernizer_server.execution.sandboxes.workspace import Workspace
from tests.execution.conftest import Runner
from tests.fixing.rules.executed.environment import environment
from tests.refusals import refused
from tests.thoroughness import HERE


@pytest.fixture(params=HERE)
def runner(request: pytest.FixtureRequest, run_in: Callable[[str], Runner]) -> Runner:
    return run_in(request.param)


@pytest.fixture(scope="module")
def other() -> Interpreter:
    """Another environment on this machine, with packages of its own."""
    return interpreter_at(environment("kaggle").python)


def test_cells_run_in_the_interpreter_that_is_given(runner: Runner, other: Interpreter) -> None:
    runner.interpreter = other
    ran = runner("import sys, pandas\nprint(sys.prefix)")
    assert ran.text(0).strip() == str(other.python.parent.parent)
    assert (
        ran.execution.environment.packages["pandas"]
        == (environment("kaggle").installed.packages["pandas"])
    )


def test_an_interpreter_without_a_kernel_is_a_clear_error(runner: Runner, tmp_path: Path) -> None:
    own = own_interpreter()
    bare = tmp_path / "bare"
    (bare / "bin").mkdir(parents=True)
    python = bare / "bin" / "python"
    python.symlink_to(own.python.resolve())
    (bare / "pyvenv.cfg").write_text(f"home = {own.python.resolve().parent}\n")
    runner.interpreter = Interpreter(python, (bare, *own.prefixes))
    with refused(SandboxUnavailable, match="No module named ipykernel"):
        runner("1")


async def test_a_container_has_a_python_of_its_own(
    workspace: Workspace, other: Interpreter
) -> None:
    mounts = workspace.mounts(interpreter=other)
    with refused(SandboxUnavailable, match="cannot run in a container"):
        async with Docker().place(mounts, say=lambda _: None, cancel=asyncio.Event()):
            pytest.fail("the interpreter was ignored")
