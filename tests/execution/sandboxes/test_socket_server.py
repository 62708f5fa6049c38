"""The number of a sandbox's connections that the server holds, and how long each may take."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, cast

import psutil
import pytest
import requests

from mle_modernizer_server.execution.sandboxes import public_network, socket_server
from mle_modernizer_server.execution.sandboxes.docker import relay
from mle_modernizer_server.execution.sandboxes.package_index import (
    PackageIndex,
    passing_on_argv,
    sources_of,
)
from mle_modernizer_server.execution.sandboxes.public_network import PublicNetwork

Server = Callable[[Path], AbstractContextManager[object]]


def index(path: Path) -> PackageIndex:
    return PackageIndex(path, sources_of({"PIP_NO_INDEX": "1"}))


BOTH = pytest.mark.parametrize("serve", [PublicNetwork, index])


@pytest.fixture
def short() -> Iterator[Path]:
    """A path that a socket can have."""
    place = Path(f"/tmp/mle-server-{threading.get_ident()}")
    yield place
    assert not place.exists()


def connect(place: Path) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(20)
    client.connect(str(place))
    return client


def open_at_once(place: Path, number: int, stack: ExitStack) -> int:
    """Try to open so many connections without waiting; return how many were opened."""
    opened = 0
    for _ in range(number):
        client = socket.socket(socket.AF_UNIX)
        client.setblocking(False)
        try:
            client.connect(str(place))
        except BlockingIOError:
            client.close()
            continue
        stack.enter_context(client)
        opened += 1
        if opened % socket_server.MOST_CONNECTIONS == 0:
            time.sleep(0.2)  # the server accepts what waits in its queue
    return opened


def answer(client: socket.socket) -> bytes:
    received = b""
    while block := client.recv(4096):
        received += block
    return received


@BOTH
def test_half_open_connections_are_bounded(serve: Server, short: Path) -> None:
    own = psutil.Process()
    with serve(short), ExitStack() as stack:
        threads, files = threading.active_count(), own.num_fds()
        opened = open_at_once(short, 7_000, stack)
        assert threading.active_count() - threads <= socket_server.MOST_CONNECTIONS
        assert own.num_fds() - files - opened <= socket_server.MOST_CONNECTIONS


@BOTH
def test_late_request_waits_for_a_free_place(
    serve: Server, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_server, "HEAD_SECONDS", 0.3)
    with serve(short), ExitStack() as stack:
        open_at_once(short, socket_server.MOST_CONNECTIONS, stack)
        with connect(short) as client:
            client.sendall(b"GET /nothing HTTP/1.1\r\n\r\n")
            assert answer(client).startswith((b"HTTP/1.1 400", b"HTTP/1.0 404"))


@BOTH
def test_head_sent_byte_by_byte_is_cut_off(
    serve: Server, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_server, "HEAD_SECONDS", 0.3)
    with serve(short), connect(short) as client:
        began = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - began < 10:
                client.sendall(b"G")
                time.sleep(0.05)
        assert time.monotonic() - began < 5


@BOTH
def test_closed_server_ends_open_connections(serve: Server, short: Path) -> None:
    with serve(short):
        client = connect(short)
        client.sendall(b"GET ")
        time.sleep(0.2)
    with client:
        assert answer(client) == b""


@pytest.fixture
def source() -> Iterator[int]:
    """The port of a server that sends twelve bytes in 1.2 seconds, and then nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            client = listener.accept()[0]
            with client:
                for _ in range(12):
                    client.sendall(b"x")
                    time.sleep(0.1)
                time.sleep(20)

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]


def test_tunnel_ends_after_silence_of_both_sides(
    short: Path, source: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_network, "_SILENCE", 0.4)
    with PublicNetwork(short, private=True), connect(short) as client:
        client.sendall(f"CONNECT 127.0.0.1:{source} HTTP/1.1\r\n\r\n".encode())
        began = time.monotonic()
        # a client that only listens is not cut off while something comes
        assert answer(client).endswith(b"x" * 12)
        assert time.monotonic() - began < 8


def test_relay_inside_bounds_its_threads(short: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    script = tmp_path / "wait.py"
    script.write_text("print('ready', flush=True)\ninput()\n")
    argv = passing_on_argv(sys.executable, str(short), port, ("python", str(script)))
    with PublicNetwork(short), ExitStack() as stack:
        process = stack.enter_context(
            subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        )
        stack.callback(process.kill)
        assert process.stdout is not None
        process.stdout.readline()
        for _ in range(300):
            client = stack.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", port))
        time.sleep(0.5)
        assert psutil.Process(process.pid).num_threads() <= 2 + 2 * 64


class Engine:
    """An engine that answers no request."""

    def __init__(self) -> None:
        self.asked = threading.Semaphore(0)
        self.ended = threading.Event()

    @property
    def api(self) -> Engine:
        return self

    def exec_create(self, *arguments: object, **options: object) -> dict[str, str]:
        self.asked.release()
        self.ended.wait(20)
        raise requests.ConnectionError


def test_docker_relay_bounds_its_connections(short: Path) -> None:
    engine = Engine()
    threads = threading.active_count()
    carried = relay.Relay(cast(Any, engine), "id", {short: "/there"})
    with ExitStack() as stack:
        open_at_once(short, 100, stack)
        for _ in range(relay.MOST_CONNECTIONS):
            assert engine.asked.acquire(timeout=10)
        assert not engine.asked.acquire(timeout=0.3)
        assert threading.active_count() - threads <= relay.MOST_CONNECTIONS + 1
    engine.ended.set()
    carried.close()
    short.unlink()
