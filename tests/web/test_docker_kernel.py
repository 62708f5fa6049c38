"""JupyterLab's kernel menu: the kernelspec through Jupyter Server's own REST interface."""

from __future__ import annotations

import asyncio
import json

import pytest
from jupyter_client.session import Session

from mle_modernizer_server.execution.process_identity import this_process
from mle_modernizer_server.execution.sandboxes.docker import kernelspec
from mle_modernizer_server.execution.sandboxes.docker.isolation import OWNER
from tests.engine import IMAGE, containers_of, docker_with


@pytest.fixture
def box():
    with docker_with() as sandbox:
        yield sandbox


async def _ask(socket, code: str) -> str:
    """What a cell printed."""
    request = Session().msg("execute_request", {"code": code, "silent": False})
    await socket.write_message(json.dumps({**request, "channel": "shell"}, default=str))
    text = ""
    while True:
        message = json.loads(await asyncio.wait_for(socket.read_message(), 30))
        if message["parent_header"].get("msg_id") != request["header"]["msg_id"]:
            continue
        if message["msg_type"] == "stream":
            text += message["content"]["text"]
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return text


async def test_a_kernel_of_the_menu_runs_restarts_and_ends(
    box, jp_fetch, jp_ws_fetch, jp_serverapp, tmp_path
):
    spec = kernelspec.kernelspec(image=IMAGE, memory="1g", cpus=1.0, gpus="none")
    folder = tmp_path / "kernels" / "kaggle-docker"
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text(json.dumps(spec))
    jp_serverapp.kernel_spec_manager.kernel_dirs.append(str(folder.parent))
    mine = f"{OWNER}={this_process()}"  # others may run tests on this machine
    before = set(containers_of(box, mine))

    body = json.dumps({"name": "kaggle-docker"})
    kernel = json.loads((await jp_fetch("api", "kernels", method="POST", body=body)).body)["id"]
    socket = await jp_ws_fetch("api", "kernels", kernel, "channels")
    assert await _ask(socket, "import os; x = 1; print(os.getcwd())") == "/kaggle/working\n"
    first = set(containers_of(box, mine)) - before
    assert len(first) == 1
    await jp_fetch("api", "kernels", kernel, "restart", method="POST", body="{}")
    socket.close()  # as JupyterLab does
    socket = await jp_ws_fetch("api", "kernels", kernel, "channels")
    assert await _ask(socket, "print('x' in globals())") == "False\n"
    assert not first & set(containers_of(box, mine))
    socket.close()
    await jp_fetch("api", "kernels", kernel, method="DELETE")
    assert set(containers_of(box, mine)) == before
