"""An engine that does not see this machine's files: the real one, behind a TCP address."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.execution import Ending, ExecutionEventKind
from mle_modernizer_server.execution.process_identity import this_process
from mle_modernizer_server.execution.sandboxes.docker.isolation import OWNER, RUN
from mle_modernizer_server.execution.sandboxes.docker.volumes import NAMES, volume
from mle_modernizer_server.execution.sandboxes.workspace import Mounts
from tests.engine import containers_of
from tests.execution.conftest import Runner
from tests.execution.sandboxes.docker.test_kernels import OneSpec, value
from tests.refusals import refused


def _forward(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while block := source.recv(65536):
            target.sendall(block)
        target.shutdown(socket.SHUT_WR)


class Line:
    """A TCP address of an engine, which can be cut."""

    def __init__(self, path: str) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.ends: list[socket.socket] = []
        self.path = path
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"

    def cut(self) -> None:
        for end in (self.listener, *self.ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                engine = socket.socket(socket.AF_UNIX)
                engine.connect(self.path)
                self.ends += [client, engine]
                for pair in ((client, engine), (engine, client)):
                    threading.Thread(target=_forward, args=pair, daemon=True).start()


@pytest.fixture
def line(box) -> Iterator[Line]:
    """To the engine on this machine."""
    line = Line(box.engine.host.removeprefix("unix://"))
    yield line
    line.cut()


@pytest.fixture
def far(box, line):
    """The sandbox with that engine."""
    here = box.settings.host
    box.configure(replace(box.settings, host=line.address))
    assert box.availability().ok
    assert not box.engine.facts().reachable_files
    yield box
    box.configure(replace(box.settings, host=here))


@pytest.fixture
def run_far(far, workspace, public) -> Iterator[Runner]:
    yield Runner(far, workspace, public)
    assert containers_of(far, f"{RUN}={workspace.runtime}") == []
    left = far.engine.api.volumes(filters={"label": f"{RUN}={workspace.runtime}"})
    assert not left["Volumes"]


def test_data_go_there_and_results_come_back(run_far, public):
    (public / "closed.csv").write_text("a\n")
    (public / "closed.csv").chmod(0o600)
    ran = run_far(
        "import os; print(os.getcwd(), os.getuid(), os.listdir('/sys/class/net'))",
        "names = '../input/train.csv', 'input/spaceship-titanic/train.csv'\n"
        "print(len({open(name).read() for name in names}) == 1)",
        "print(open('/kaggle/input/closed.csv').read())",
        "open('/kaggle/input/train.csv', 'w')",
        "os.makedirs('out'); open('out/submission.csv', 'w').write('id,y\\n1,0\\n')\n"
        "os.symlink('/etc/passwd', 'passwd.csv')",
        "1/0",
    )
    assert ran.execution.ending is Ending.COMPLETED
    assert ran.text(0) == "/kaggle/working 65534 ['lo']\n"
    assert ran.text(1) == "True\n"
    assert ran.text(2) == "a\n\n"
    assert [error.ename for error in ran.execution.errors] == ["OSError", "ZeroDivisionError"]
    assert [file.path for file in ran.execution.csv_files] == ["out/submission.csv"]
    written = run_far.workspace.working / "out" / "submission.csv"
    assert written.read_text() == "id,y\n1,0\n"
    assert not os.path.lexists(run_far.workspace.working / "passwd.csv")


def test_much_output_comes_through(run_far):
    ran = run_far("for _ in range(50): print('x' * 100_000)", "print('after')")
    assert ran.text(1) == "after\n"


@pytest.mark.thorough
def test_the_time_limit_holds_there_too(run_far):
    ran = run_far("while True:\n    try:\n        while True: pass\n    except: pass", time_limit=1)
    assert ran.execution.ending is Ending.TIMED_OUT


@pytest.mark.thorough
def test_a_cancel_before_the_data_are_there(run_far):
    run_far.cancel_at = lambda event: event.kind is ExecutionEventKind.PREPARING
    assert run_far("1").execution.ending is Ending.CANCELLED


@pytest.mark.thorough
def test_memory_is_told_there_too(run_far, far):
    far.configure(replace(far.settings, memory=256 * 2**20))
    assert run_far("x = b'1' * 2**31").execution.ending is Ending.OUT_OF_MEMORY


def test_packages_are_installed_there(run_far):
    ran = run_far(
        "!pip install iniconfig==2.0.0",
        "import iniconfig; print(iniconfig.__file__)",
        "import os; print(os.path.exists('/kaggle/pip'))",
    )
    [installed] = ran.execution.pip_installs
    assert installed.ok, installed.message
    assert ran.text(1).startswith("/kaggle/packages/")
    assert ran.text(2) == "False\n"  # pip's settings may hold a password


def test_a_kernel_of_the_menu_restarts_there(far):
    from jupyter_client.manager import AsyncKernelManager

    async def session() -> None:
        kernel = AsyncKernelManager(kernel_spec_manager=OneSpec(), kernel_name="any")
        await kernel.start_kernel()
        client = kernel.client()
        client.start_channels()
        await client.wait_for_ready(timeout=30)
        assert await value(client, "1 + 1") == "2"
        await kernel.restart_kernel(now=True)
        await client.wait_for_ready(timeout=30)
        assert await value(client, "2 + 1") == "3"
        client.stop_channels()
        await kernel.shutdown_kernel()

    asyncio.run(session())
    mine = f"{OWNER}={this_process()}"
    assert containers_of(far, mine) == []
    assert not far.engine.api.volumes(filters={"label": mine})["Volumes"]


def test_a_volumes_name_is_its_runs_own(tmp_path):
    names = {volume(Mounts(tmp_path, tmp_path / name), "input") for name in ("a", "b")}
    assert len(names) == 2


def test_an_engine_that_goes_away_ends_the_run_with_a_sentence(far, line, workspace, public):
    run = Runner(far, workspace, public)
    settings = far.settings

    def cut(event):
        if event.kind is ExecutionEventKind.CELL_STARTED:
            line.cut()
        return False

    run.cancel_at = cut
    with refused(SandboxUnavailable, match="no longer answers"):
        run("import time; time.sleep(60)")
    # The line is back: what could not be removed is removed.
    far.configure(replace(settings, host=""))
    assert len(containers_of(far, f"{RUN}={workspace.runtime}")) == 1
    far.discard(workspace.mounts("spaceship-titanic", public))
    assert containers_of(far, f"{RUN}={workspace.runtime}") == []
    for name in NAMES:
        far.engine.api.remove_volume(
            volume(workspace.mounts("spaceship-titanic", public), name), force=True
        )
