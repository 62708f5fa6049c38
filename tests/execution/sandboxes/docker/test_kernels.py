"""Containers behind Jupyter's own kernel managers, and what a crashed server leaves."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from mle_modernizer_server.domain.execution import Ending, ExecutionEventKind
from mle_modernizer_server.execution.documents import new_code_cell, new_notebook
from mle_modernizer_server.execution.sandboxes.docker import kernelspec
from mle_modernizer_server.execution.sandboxes.docker.isolation import LABEL, OWNER, RUN
from mle_modernizer_server.execution.sandboxes.workspace import Workspace
from mle_modernizer_server.words import text
from tests.engine import IMAGE, containers_of
from tests.execution.conftest import Runner


class OneSpec(KernelSpecManager):
    def get_kernel_spec(self, kernel_name):
        return KernelSpec(**kernelspec.kernelspec(image=IMAGE, memory="1g", gpus="none"))


def manager() -> AsyncKernelManager:
    return AsyncKernelManager(kernel_spec_manager=OneSpec(), kernel_name="any")


async def value(client, expression: str) -> str:
    """An expression's value, from the reply alone: outputs may not be connected yet."""
    request = client.execute("", silent=True, user_expressions={"it": expression})
    while True:
        reply = await client.get_shell_msg(timeout=30)
        if reply["parent_header"].get("msg_id") == request:
            return reply["content"]["user_expressions"]["it"]["data"]["text/plain"]


def test_a_kernel_of_the_menu_is_interrupted_restarted_and_gone(box):
    async def session() -> Path:
        kernel = manager()
        await kernel.start_kernel()
        runtime = Path(kernel.connection_file).parent
        client = kernel.client()
        client.start_channels()
        await client.wait_for_ready(timeout=30)
        assert await value(client, "__import__('os').getcwd()") == "'/kaggle/working'"

        sleeping = client.execute("x = 1\nwhile True: pass", stop_on_error=False)
        await asyncio.sleep(1)
        await kernel.interrupt_kernel()
        while (reply := await client.get_shell_msg(timeout=10))["parent_header"].get(
            "msg_id"
        ) != sleeping:
            pass
        assert reply["content"]["ename"] == "KeyboardInterrupt"
        assert await value(client, "x") == "1"

        [before] = containers_of(box, f"{RUN}={runtime}")
        await kernel.restart_kernel(now=True)
        await client.wait_for_ready(timeout=30)
        assert await value(client, "'x' in globals()") == "False"
        [after] = containers_of(box, f"{RUN}={runtime}")
        assert after != before
        await kernel.restart_kernel(now=False)
        await client.wait_for_ready(timeout=30)
        client.stop_channels()
        await kernel.shutdown_kernel()
        return runtime

    runtime = asyncio.run(session())
    assert containers_of(box, f"{RUN}={runtime}") == []
    assert not runtime.exists()


def test_nbclient_runs_a_notebook_with_the_kernelspec(box):
    notebook = new_notebook(cells=[new_code_cell("import os; print(os.path.exists('/kaggle'))")])
    kernel = manager()
    NotebookClient(notebook, km=kernel).execute()
    asyncio.run(kernel.shutdown_kernel(now=True))
    assert notebook.cells[0].outputs[0].text == "True\n"


def test_the_kernelspec_is_installed_and_removed(box, tmp_path, monkeypatch, public):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    spec = kernelspec.kernelspec(competition="titanic", public=public)
    place = kernelspec.install(kernelspec.name_of("titanic"), spec, prefix=None)
    written = json.loads((place / "kernel.json").read_text())
    assert written["display_name"] == "Kaggle Python (Docker): titanic"
    assert written["interrupt_mode"] == "message"
    assert written["metadata"]["kernel_provisioner"]["config"]["public"] == str(public)
    assert kernelspec.remove("kaggle-docker-titanic") == place
    assert not place.exists()


@pytest.mark.parametrize(
    "name", ["a path with spaces", "ünïcödé-目录", "x" * 120], ids=["spaces", "unicode", "long"]
)
def test_any_path_of_the_scratch_directory_will_do(box, public, tmp_path, name):
    root = tmp_path / name
    root.mkdir()
    with Workspace(root) as workspace:
        ran = Runner(box, workspace, public)("print(open('input/train.csv').readline())")
        assert ran.execution.errors == ()
        assert ran.text(0) == "id,age,y\n\n"


def test_run_takes_the_waiting_container_that_is_not_reused(box, public):
    box.configure(replace(box.settings, pool=1))
    names: list[str] = []

    def run_once() -> str:
        async def once() -> None:
            async with box.workspace("spaceship-titanic", public) as workspace:
                runner = Runner(box, workspace, public)
                ran = await runner._run(("import os; print(os.listdir())",), 60, True)
                names.append(ran.text(0))

        asyncio.run(once())
        return names[-1]

    try:
        box.warm_up("spaceship-titanic", public)
        waiting = wait_for_waiting(box)
        assert run_once() == "['input']\n"
        assert waiting not in containers_of(box, LABEL)
        following = wait_for_waiting(box)
        assert following != waiting
        assert run_once() == "['input']\n"
    finally:
        asyncio.run(box.close())
    mine = f"{OWNER}={os.getpid()}"
    assert [name for name in containers_of(box, LABEL) if mine in name] == []


def wait_for_waiting(box) -> str:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if box._pool._waiting:
            kernel = box._pool._waiting[0].kernel
            [name] = containers_of(box, f"{RUN}={kernel.mounts.runtime}")
            return name
        time.sleep(0.05)
    raise AssertionError("no container was started in advance")


_SERVER = """
import asyncio, sys, tests
from dataclasses import replace
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from tests.running import run_notebook
from mle_modernizer_server.execution.sandboxes.choose import docker
from mle_modernizer_server.execution.sandboxes.workspace import Workspace

docker().configure(replace(docker().settings, image=sys.argv[1], memory=2**30))
with Workspace() as workspace:
    print(workspace.runtime, flush=True)
    cell = Cell(id="a", type=CellType.CODE, source="import time; time.sleep(600)")
    asyncio.run(run_notebook(Notebook(cells=(cell,)), sandbox=docker(), workspace=workspace,
        time_limit=600, on_event=lambda event: print(event.kind.value, flush=True),
        cancel=asyncio.Event()))
"""


def test_next_start_removes_only_leftovers_of_a_killed_server(box, workspace, public):
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER, IMAGE], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    runtime = server.stdout.readline().strip()
    while "cell-started" not in server.stdout.readline():
        assert server.poll() is None
    [orphan] = containers_of(box, f"{RUN}={runtime}")

    box.remove_orphans()  # its server lives
    assert containers_of(box, f"{RUN}={runtime}") == [orphan]

    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdout.close()
    assert containers_of(box, f"{RUN}={runtime}") == [orphan]
    other = box.engine.api.create_container(
        IMAGE, labels={LABEL: "another-host 0", OWNER: "1 0.0"}, command=["true"]
    )["Id"]
    try:
        assert box.remove_orphans() >= 1
        assert containers_of(box, f"{RUN}={runtime}") == []
        assert box.engine.api.inspect_container(other)["Id"] == other
    finally:
        box.engine.api.remove_container(other)


def test_run_waits_for_a_free_container_and_can_be_cancelled(box, public):
    box.configure(replace(box.settings, containers=1))

    async def scene() -> tuple[list[str], Ending]:
        with Workspace() as first, Workspace() as second:
            running = asyncio.Event()

            def started(event):
                if event.kind is ExecutionEventKind.CELL_STARTED:
                    running.set()
                return False

            leading = Runner(box, first, public, cancel_at=started)
            task = asyncio.create_task(
                leading._run(("import time; time.sleep(2)",), 60, install=True)
            )
            await running.wait()
            following = Runner(
                box, second, public, cancel_at=lambda event: "Waiting" in text(event.message)
            )
            ran = await following._run(("1",), 60, install=True)
            assert not task.done()
            await task
            return [text(event.message) for event in ran.events], ran.execution.ending

    messages, ending = asyncio.run(scene())
    assert "Waiting for a free container" in messages
    assert ending is Ending.CANCELLED


_CARELESS = """
import asyncio, sys
from jupyter_client.manager import AsyncKernelManager
from tests.execution.sandboxes.docker.test_kernels import OneSpec

kernel = AsyncKernelManager(kernel_spec_manager=OneSpec(), kernel_name="any")
asyncio.run(kernel.start_kernel())
print(kernel.connection_file)
"""


def test_a_program_that_forgets_its_kernel_leaves_no_container(box):
    done = subprocess.run(
        [sys.executable, "-c", _CARELESS], capture_output=True, text=True, check=True
    )
    runtime = Path(done.stdout.strip()).parent
    assert runtime.name == "runtime"
    assert containers_of(box, f"{RUN}={runtime}") == []
