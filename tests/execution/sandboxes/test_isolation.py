"""What a notebook cannot see, change or reach."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from mle_modernizer_server.domain.execution import (
    CellStatus,
    Ending,
)


def test_the_data_cannot_be_written(run_isolated, public):
    ran = run_isolated(
        "open('/kaggle/input/spaceship-titanic/train.csv', 'a')",
        "open('/kaggle/input/new.csv', 'w')",
        "open('/etc/new', 'w')",
        "import os, numpy; open(os.path.dirname(numpy.__file__) + '/new.py', 'w')",
    )
    assert [error.ename for error in ran.execution.errors] == ["OSError"] * 4
    assert (public / "train.csv").read_text().startswith("id,age,y")


def test_the_sandbox_shows_nothing_of_the_host(run_isolated, tmp_path, public):
    (tmp_path / "secret.txt").write_text("secret")
    private = public.parent / "private" / "answers.csv"
    ran = run_isolated(
        f"import os\nprint(os.path.exists({str(tmp_path / 'secret.txt')!r}))\n"
        f"print(os.path.exists({str(private)!r}))\n"
        f"print(os.path.exists('/kaggle/input/spaceship-titanic/../private'))\n"
        f"print(os.path.exists({str(Path.home() / '.bashrc')!r}), os.path.exists('/var/log'))",
        "print(len([name for name in os.listdir('/proc') if name.isdigit()]) < 10)",
        f"print(os.path.exists('/proc/{os.getpid()}/environ'))",
        "import glob\nprint(glob.glob('/etc/java-*/management'))\n"
        "print(sorted(glob.glob('/etc/java-*/security')))",
    )
    assert ran.text(0) == "False\nFalse\nFalse\nFalse False\n"
    assert ran.text(1) == "True\n"
    # What Debian's Java reads when it starts is there, but for the passwords beside it.
    assert ran.text(3) == f"[]\n{sorted(map(str, Path('/etc').glob('java-*/security')))}\n"


def test_the_sandbox_has_no_network_and_no_sockets_of_the_host(run_isolated):
    import socket

    with socket.socket(socket.AF_UNIX) as abstract, socket.socket() as loopback:
        abstract.bind("\0mlem-test-abstract")
        abstract.listen()
        loopback.bind(("127.0.0.1", 0))
        loopback.listen()
        port = loopback.getsockname()[1]
        ran = run_isolated(
            "import socket\nsocket.create_connection(('1.1.1.1', 53), timeout=3)",
            f"socket.create_connection(('127.0.0.1', {port}), timeout=3)",
            "socket.socket(socket.AF_UNIX).connect('\\0mlem-test-abstract')",
        )
    assert [cell.status for cell in ran.execution.cells] == [CellStatus.ERROR] * 3


def test_what_a_notebook_sends_in_its_kernels_name_is_left_out(run_plainly):
    ran = run_plainly(
        "kernel = get_ipython().kernel\n"
        "kernel.session.send(kernel.iopub_socket, 'display_data', content={'data': 5},\n"
        "                    parent=kernel.get_parent(), ident=b'display_data');",
        "print('goes on')",
    )
    assert ran.execution.ending is Ending.COMPLETED
    assert ran.result.executed.cells[0].outputs == []
    assert ran.text(1) == "goes on\n"


def test_nested_user_namespace_without_filter_is_refused(run_isolated):
    """bubblewrap counts the namespaces too, if its version can: the filter is not all there is."""
    listed = subprocess.run(["bwrap", "--help"], capture_output=True, text=True).stdout
    script = "import ctypes; raise SystemExit(ctypes.CDLL(None).unshare(0x10000000) == 0)"
    mounts = run_isolated.workspace.mounts("slug", run_isolated.public)
    argv = list(run_isolated.sandbox.wrap(("python", "-c", script), mounts).argv)
    place = argv.index("--seccomp")
    del argv[place : place + 2]
    done = subprocess.run(argv, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.returncode == (0 if "--disable-userns" in listed else 1)
