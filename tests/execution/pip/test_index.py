"""An installer reaches the configured indexes through our forwarder, and nothing else."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import http.server
import io
import os
import socket
import subprocess
import sys
import tarfile
import threading
import urllib.parse
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from mle_modernizer_server.execution.sandboxes.base import Finished
from mle_modernizer_server.execution.sandboxes.bubblewrap import Bubblewrap
from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker
from mle_modernizer_server.execution.sandboxes.package_index import (
    PackageIndex,
    Refused,
    inside_environ,
    sources_of,
)
from mle_modernizer_server.execution.sandboxes.pip_settings import (
    constraints_text,
)
from mle_modernizer_server.execution.sandboxes.workspace import Workspace
from tests.engine import docker_with

PASSWORD = "s3cret-of-the-index"
HOSTILE = """\
import os, socket, sys
read = [str(dict(os.environ)), str(sys.argv)]
for place in {folders!r}:
    for folder, inner, files in os.walk(place):
        inner[:] = [one for one in inner if one not in ('lib', 'share', 'include')]  # Python's own
        for name in files:
            path = os.path.join(folder, name)
            try:
                if os.path.isfile(path) and os.path.getsize(path) < 1000000:
                    read.append(open(path, errors='replace').read())
            except OSError:
                pass
for name in os.listdir('/proc'):
    if name.isdigit():
        for one in ('environ', 'cmdline'):
            try:
                read.append(open('/proc/%s/%s' % (name, one)).read())
            except OSError:
                pass
reached = ['the password'] if {drowssap!r}[::-1] in ''.join(read) else []
for kind, place in {places!r}:
    talking = socket.socket(kind)
    talking.settimeout(3)
    try:
        talking.connect(place)
        reached.append(str(place))
    except OSError:
        pass
try:
    reached += socket.gethostbyname_ex('localhost.example')[2]
except OSError:
    pass
raise SystemExit('reached ' + (' '.join(reached) or 'nothing') + '.')
"""


CarriedOut = Callable[..., tuple[Finished, dict[str, str]]]
"""Runs a command as pip is run."""


def wheel(name: str) -> bytes:
    """A wheel with one module."""
    out = io.BytesIO()
    facts = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
    tags = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {
        f"{name}.py": b"here = 1\n",
        f"{name}-1.0.dist-info/METADATA": facts.encode(),
        f"{name}-1.0.dist-info/WHEEL": tags,
    }
    with zipfile.ZipFile(out, "w") as archive:
        rows = []
        for path, content in files.items():
            archive.writestr(path, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
            rows.append(f"{path},sha256={digest.decode()},{len(content)}")
        archive.writestr(f"{name}-1.0.dist-info/RECORD", "\n".join(rows) + "\n")
    return out.getvalue()


class Index(http.server.ThreadingHTTPServer):
    """An index on localhost that asks for a password; it notes what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages: dict[str, tuple[str, bytes]] = {}
        self.asked: list[str] = []

    def add(self, project: str, file: str, content: bytes) -> None:
        page = f'<html><a data-x="1" href="../../files/{file}">{file}</a></html>'
        self.pages[f"/simple/{project}/"] = ("text/html", page.encode())
        self.pages[f"/files/{file}"] = ("application/octet-stream", content)


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Index

    def log_message(self, format: str, *arguments: object) -> None:
        pass

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        wanted = "Basic " + base64.b64encode(f"me:{PASSWORD}".encode()).decode()
        if self.headers.get("Authorization") != wanted:
            self.send_error(401)
        elif self.path == "/simple/moved/":
            self.send_response(302)
            self.send_header("Location", self.server.pages["moved"][0])
            self.end_headers()
        elif self.path in self.server.pages:
            kind, content = self.server.pages[self.path]
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        else:
            self.send_error(404)


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    server = Index()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name in list(os.environ):
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv(
        "PIP_INDEX_URL", f"http://me:{PASSWORD}@127.0.0.1:{server.server_port}/simple/"
    )
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.socket() as listening:
        listening.bind(("0.0.0.0", 0))
        listening.listen()
        yield listening


@pytest.fixture(params=["bubblewrap", "docker"])
def closed(request: pytest.FixtureRequest) -> Iterator[Bubblewrap | Docker]:
    """Each sandbox that isolates."""
    sandbox: Bubblewrap | Docker
    if request.param == "docker":
        with docker_with(memory=2**30, disk=2**30, cpus=1.0) as sandbox:
            yield sandbox
    else:
        sandbox = Bubblewrap()
        if not sandbox.availability().ok:
            pytest.skip("bubblewrap cannot be used here")
        yield sandbox


@pytest.fixture
def carried_out(closed: Bubblewrap | Docker) -> CarriedOut:
    """Run a command as pip is run; how it ended, and the modules that are installed then."""

    async def running(argv: tuple[str, ...]) -> tuple[Finished, dict[str, str]]:
        workspace = Workspace()
        try:
            mounts = workspace.mounts(None, None)
            closed.prepare(mounts)
            end = asyncio.get_running_loop().time() + 120
            done = await closed.run(argv, mounts, end=end, cancel=asyncio.Event())
            assert mounts.packages is not None
            return done, {one.stem: one.read_text() for one in mounts.packages.glob("*.py")}
        finally:
            workspace.remove()

    return lambda *argv: asyncio.run(running(argv))


PIP = ("python", "-m", "pip", "--no-color", "install", "--target", "/kaggle/packages")


def test_wheel_of_a_local_index_with_a_password_is_installed(
    index: Index, carried_out: CarriedOut
) -> None:
    index.add("harmless", "harmless-1.0-py3-none-any.whl", wheel("harmless"))
    done, modules = carried_out(*PIP, "harmless")
    assert done.code == 0, done.stderr
    assert modules == {"harmless": "here = 1\n"}
    assert PASSWORD not in done.stdout + done.stderr


def test_the_installer_sees_no_password_and_no_network(
    index: Index, listener: socket.socket, carried_out: CarriedOut
) -> None:
    look = (
        "import os, socket, glob\n"
        "print(dict(os.environ), [open(p).read() for p in glob.glob('/proc/[0-9]*/environ')])\n"
        "print([line.split(':')[0].strip() for line in open('/proc/net/dev') if ':' in line])\n"
        f"print(socket.socket().connect_ex(('127.0.0.1', {listener.getsockname()[1]})))\n"
    )
    done, _ = carried_out("python", "-c", look)
    assert done.code == 0, done.stderr
    assert PASSWORD not in done.stdout and f":{index.server_port}" not in done.stdout
    assert done.stdout.splitlines()[-2:] == ["['lo']", "111"]


Places = Sequence[tuple[int, object]]


def attack(places: Places, folders: Sequence[str]) -> str:
    """A program that tries to reach places and to read the password, and says what it could."""
    return HOSTILE.format(
        drowssap=PASSWORD[::-1],
        places=[(int(kind), at) for kind, at in places],
        folders=[*folders],
    )


def hostile(index: Index, places: Places = ()) -> None:
    """Put a package into the index whose build attacks."""
    text = attack(places, ("/etc", "/home", "/kaggle", "/root", "/run", "/tmp"))
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for path, content in {
            "hostile-1.0/setup.py": text,
            "hostile-1.0/PKG-INFO": "Metadata-Version: 2.1\nName: hostile\nVersion: 1.0\n",
        }.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(content.encode())
            archive.addfile(entry, io.BytesIO(content.encode()))
    index.add("hostile", "hostile-1.0.tar.gz", out.getvalue())


def addresses(port: int) -> Places:
    """Where a port of this machine is reached: by each of its addresses, Docker's bridge too."""
    found = []
    for cards in psutil.net_if_addrs().values():
        for card in cards:
            if card.family in (socket.AF_INET, socket.AF_INET6):
                found.append((card.family, (card.address.partition("%")[0], port)))
    return found


def test_nothing_of_a_package_is_built_by_default(index: Index, carried_out: CarriedOut) -> None:
    hostile(index)
    done, modules = carried_out(*PIP, "hostile")
    assert done.code != 0 and "No matching distribution" in done.stderr
    assert not modules and not any("tar.gz" in path for path in index.asked)


def test_what_is_built_reaches_no_port_no_socket_and_no_password(
    index: Index,
    listener: socket.socket,
    carried_out: CarriedOut,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("PIP_ONLY_BINARY", ":none:")
    with open_places(listener, tmp_path) as places:
        in_the_open = subprocess.run(
            (sys.executable, "-c", attack(places, ())), capture_output=True, text=True
        )
        assert "reached the password " in in_the_open.stderr
        assert all(str(place) in in_the_open.stderr for _, place in places[:3])
        hostile(index, [*places, (socket.AF_UNIX, "/var/run/docker.sock")])
        done, _ = carried_out(*PIP, "--no-build-isolation", "hostile")
    assert "reached nothing." in done.stderr, done.stderr


@contextmanager
def open_places(listener: socket.socket, folder: Path) -> Iterator[list[tuple[int, object]]]:
    """Everything of this machine that listens: sockets of two types, and a port."""
    abstract, named = f"\0mle-modernizer-test-{os.getpid()}", str(folder / "s")
    with socket.socket(socket.AF_UNIX) as other, socket.socket(socket.AF_UNIX) as file:
        for one, place in ((other, abstract), (file, named)):
            one.bind(place)
            one.listen()
        yield [
            *((socket.AF_UNIX, place) for place in (abstract, named)),
            *addresses(listener.getsockname()[1]),
        ]


def forwarder(environ: dict[str, str]) -> PackageIndex:
    return PackageIndex(Path("/nowhere"), sources_of(environ))


def test_only_what_an_index_lists_is_asked_for(index: Index) -> None:
    here = forwarder(dict(os.environ))
    for path in (
        "/", "/index/1/six/", "/index/0/../x/", "/index/0/a%2f..%2fb/", "/index/0/",
        "/file/0123/x.whl", "http://127.0.0.1/", "/links/0/", "/index/-1/six/",
    ):  # fmt: skip
        with pytest.raises(Refused):
            here.wanted(path)
    assert not index.asked


def test_a_page_does_not_lead_to_a_port_of_this_machine(
    index: Index, listener: socket.socket
) -> None:
    port = listener.getsockname()[1]
    page, _ = (here := forwarder(dict(os.environ))).wanted("/index/0/moved/")
    for name in ("127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"):
        index.pages["moved"] = (f"http://{name}:{port}/x.whl", b"")
        with pytest.raises(Refused):
            here.fetch(page, {})
        text = here.rewritten(
            b'<a href="http://%s:%d/x.whl">' % (name.encode(), port), "html", page
        )
        place, _ = here.wanted(urllib.parse.urlsplit(text.decode().split('"')[1]).path)
        with pytest.raises(Refused):
            here.fetch(place, {})
    listener.setblocking(False)
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_credentials_stay_with_their_host(index: Index) -> None:
    here = forwarder(dict(os.environ))
    page, _ = here.wanted("/index/0/six/")
    assert page.authorization and PASSWORD not in page.url
    links = b'<base href="https://elsewhere.example/x/"><a href="six.whl">'
    text = here.rewritten(links, "text/html", page).decode()
    place, _ = here.wanted(urllib.parse.urlsplit(text.split('"')[1]).path)
    assert place.url == "https://elsewhere.example/x/six.whl" and not place.authorization


def test_an_index_of_files_is_served_and_nothing_beside_it(tmp_path: Path) -> None:
    root = tmp_path / "simple"
    (root / "six").mkdir(parents=True)
    (tmp_path / "files").mkdir()
    links = ("six.whl", "../../files/a.tar.gz", "../../secret", "../../../a.whl")
    (root / "six" / "index.html").write_text("".join(f'<a href="{link}">' for link in links))
    for place in (root / "six" / "six.whl", tmp_path / "files" / "a.tar.gz"):
        place.write_bytes(b"wheel")
    (tmp_path / "secret").write_text("secret")
    here = forwarder({"PIP_INDEX_URL": root.as_uri()})
    page, is_page = here.wanted("/index/0/six/")
    with here.fetch(page, {}) as answer:
        text = here.rewritten(answer.read(), "text/html", page).decode()
    wheel, beside, *others = (urllib.parse.urlsplit(part).path for part in text.split('"')[1::2])
    for path in (wheel, beside):
        with here.fetch(here.wanted(path)[0], {}) as answer:
            assert is_page and answer.read() == b"wheel"
    for path in others:
        with pytest.raises(Refused):
            here.fetch(here.wanted(path)[0], {})


def test_pips_settings_are_handed_over_without_what_is_secret() -> None:
    given = {
        "PIP_INDEX_URL": f"https://me:{PASSWORD}@index.example/simple",
        "PIP_EXTRA_INDEX_URL": "https://more.example/simple",
        "PIP_FIND_LINKS": "/opt/wheels https://links.example/",
        "PIP_CONSTRAINT": "/opt/constraints.txt",
        "HTTPS_PROXY": f"http://me:{PASSWORD}@proxy.example",
    }
    inside = inside_environ(given, sources_of(given))
    assert PASSWORD not in str(inside) and "example" not in str(inside)
    assert inside["PIP_CONSTRAINT"] == "/opt/constraints.txt"
    assert inside["PIP_FIND_LINKS"].split()[0] == "/opt/wheels"
    assert inside["PIP_ONLY_BINARY"] == ":all:"
    assert "PIP_ONLY_BINARY" not in inside_environ({"PIP_NO_BINARY": "x"}, sources_of({}))


def test_constraints_are_one_text_with_the_files_they_include(tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text("numpy<2\n")
    first = tmp_path / "first.txt"
    first.write_text("-c more.txt\n-c https://example.org/all.txt\npandas<3\n")
    text = constraints_text({"PIP_CONSTRAINT": f"{first} {tmp_path / 'gone.txt'}"})
    assert text.split() == ["-c", "https://example.org/all.txt", "pandas<3", "numpy<2"]
    assert constraints_text({}) == ""
