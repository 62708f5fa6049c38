"""A run that a person allowed the network: public web servers, by way of the proxy, and no others.

No public server can be asked here; a server of this machine stands for one where private ones are
allowed.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mle_modernizer_server.domain.execution import ReachedServer
from mle_modernizer_server.execution.sandboxes.bubblewrap import Bubblewrap
from mle_modernizer_server.execution.sandboxes.public_network import PublicNetwork
from tests.execution.conftest import Runner
from tests.resources.conftest import Site
from tests.resources.conftest import site as site
from tests.values import worded

FETCH = """
import urllib.error, urllib.request
def fetch(address):
    try:
        with urllib.request.urlopen(address, timeout=20) as answer:
            print(answer.read().decode())
    except urllib.error.HTTPError as error:
        print(error.code, error.read().decode())
    except OSError as error:
        print("no network access", error)
"""


@pytest.fixture
def run(run_isolated: Runner) -> Runner:
    run_isolated.network = True
    return run_isolated


@pytest.fixture
def short(tmp_path: Path) -> Iterator[Path]:
    """A path that a socket can have."""
    place = Path(f"/tmp/mle-network-{threading.get_ident()}")
    yield place
    assert not place.exists()


def test_a_server_is_reached_and_named(
    run: Runner, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bubblewrap, "private_network", True)
    ran = run(FETCH, f"fetch({site.at('train.csv')!r})")
    assert "a,b\n1,2" in ran.text(1)
    (server,) = ran.execution.network or ()
    assert (server.name, server.refused) == ("127.0.0.1", False)
    assert server.size > 8
    assert "127.0.0.1 (0.0 MB)" in worded(ran.execution.remarks)
    assert site.headers[0].get("Connection") == "close"
    assert not any(name.lower().startswith("proxy-") for name in site.headers[0])


def test_this_machine_stays_out_of_reach(run: Runner, site: Site) -> None:
    direct = f"""
import socket
probe = socket.socket()
probe.settimeout(2)
try:
    probe.connect(("127.0.0.1", {site.port}))
    print("reached")
except OSError as error:
    print("direct:", type(error).__name__)
"""
    ran = run(
        FETCH,
        f"fetch({site.at('train.csv')!r})",
        "fetch('http://127.0.0.1/')",
        "fetch('http://169.254.169.254/latest/meta-data/')",
        "fetch('http://[::1]/')",
        "fetch('http://0/')",
        direct,
    )
    for index in (1, 2, 3, 4, 5):
        assert "403 only web servers of the public network" in ran.text(index), ran.text(index)
    assert "direct:" in ran.text(6)
    assert site.asked == []
    refused = {server.name for server in ran.execution.network or () if server.refused}
    assert refused == {f"127.0.0.1:{site.port}", "127.0.0.1", "169.254.169.254", "::1", "0"}
    assert "Blocked" in worded(ran.execution.remarks)


def test_without_leave_there_is_no_way(run_isolated: Runner, site: Site) -> None:
    ran = run_isolated(FETCH, f"fetch({site.at('train.csv')!r})", "import os; print(os.environ)")
    assert "no network access" in ran.text(1)
    assert "proxy" not in ran.text(2).lower()
    assert ran.execution.network is None
    assert site.asked == []


@pytest.fixture
def echo() -> Iterator[int]:
    """The port of a server that gives back what it gets."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def serve() -> None:
            while True:
                try:
                    one = listener.accept()[0]
                except OSError:
                    return
                with one:
                    while block := one.recv(4096):
                        one.sendall(block)

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]


def asked(place: Path, request: bytes) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(20)
    client.connect(str(place))
    client.sendall(request)
    return client


def read(client: socket.socket, until: bytes = b"") -> bytes:
    found = b""
    while not until or until not in found:
        try:
            block = client.recv(4096)
        except OSError:
            break
        if not block:
            break
        found += block
    return found


def test_a_tunnel_carries_both_ways_until_the_limit(short: Path, echo: int) -> None:
    with PublicNetwork(short, private=True, most_bytes=100) as network:
        client = asked(short, f"CONNECT 127.0.0.1:{echo} HTTP/1.1\r\n\r\n".encode())
        assert read(client, b"\r\n\r\n").startswith(b"HTTP/1.1 200")
        client.sendall(b"x" * 30)
        assert read(client, b"x" * 30) == b"x" * 30
        assert network.reached() == (ReachedServer(name="127.0.0.1", size=60),)
        client.sendall(b"x" * 60)
        read(client)
        assert client.recv(1) == b"", "it is closed beyond the limit"
        other = asked(short, f"CONNECT 127.0.0.1:{echo} HTTP/1.1\r\n\r\n".encode())
        assert b"502" in read(other)


@pytest.mark.parametrize(
    "request_line",
    [
        b"GET / HTTP/1.1",
        b"GET ftp://example.org/ HTTP/1.1",
        b"GET http://user:password@example.org/ HTTP/1.1",
        b"CONNECT example.org:99999 HTTP/1.1",
        b"CONNECT [::1 HTTP/1.1",
        b"CONNECT exa mple.org:443 HTTP/1.1",
        b"CONNECT :443 HTTP/1.1",
        b"CONNECT ex\x00ample.org:443 HTTP/1.1",
        b"\xff\xfe",
        b"x" * 70_000,
    ],
)
def test_what_is_no_request_is_refused(short: Path, request_line: bytes) -> None:
    with PublicNetwork(short):
        client = asked(short, request_line + b"\r\n\r\n")
        client.shutdown(socket.SHUT_WR)
        assert read(client).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize(
    "target",
    [
        *("127.0.0.1:443", "localhost:443", "[::1]:443", "10.0.0.1:80", "192.168.1.1:443"),
        *("169.254.169.254:80", "[::ffff:127.0.0.1]:443", "2130706433:443", "0x7f.1:443"),
        "8.8.8.8:22",
    ],
)
def test_what_is_not_public_is_refused(short: Path, target: str) -> None:
    with PublicNetwork(short) as network:
        client = asked(short, f"CONNECT {target} HTTP/1.1\r\n\r\n".encode())
        assert read(client).startswith(b"HTTP/1.1 403")
        assert all(server.refused for server in network.reached())


def test_leaving_ends_what_is_open(short: Path, echo: int) -> None:
    with PublicNetwork(short, private=True):
        client = asked(short, f"CONNECT 127.0.0.1:{echo} HTTP/1.1\r\n\r\n".encode())
        assert read(client, b"\r\n\r\n").startswith(b"HTTP/1.1 200")
    assert read(client) == b""
