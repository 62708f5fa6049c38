"""Source archives that hold nothing but Python become wheels; hostile and other ones do not."""

from __future__ import annotations

import io
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mle_modernizer_server.environments import source_archives
from mle_modernizer_server.environments.source_archives import wheel_of
from mle_modernizer_server.environments.uv import Indexes, Uv
from tests.environments.wheels import source_archive

PLAIN = {"gamma/__init__.py": "x = 1\n", "gamma/inner/__init__.py": "", "setup.py": "1 / 0"}


def made(files: dict[str, str], folder: Path, name: str = "gamma") -> dict[str, str] | None:
    """The wheel's files."""
    wheel = wheel_of(source_archive(f"{name}-1.0", files), name, "1.0", folder)
    if wheel is None:
        return None
    with zipfile.ZipFile(wheel) as content:
        assert content.testzip() is None
        return {path: content.read(path).decode() for path in content.namelist()}


def requires(files: dict[str, str], folder: Path) -> list[str]:
    content = made({**PLAIN, **files}, folder)
    assert content is not None
    rows = content["gamma-1.0.dist-info/METADATA"].splitlines()
    return [row.partition(": ")[2] for row in rows if row.startswith("Requires-Dist")]


@pytest.mark.parametrize(
    ("files", "name", "own"),
    [
        (PLAIN, "gamma", {"gamma/__init__.py", "gamma/inner/__init__.py"}),
        ({"lib/gamma/__init__.py": "", "tests/test_a.py": ""}, "gamma", {"gamma/__init__.py"}),
        ({"stop_it.py": "", "setup.py": ""}, "stop-it", {"stop_it.py"}),
        (
            {"src/Other/__init__.py": "", "x.egg-info/top_level.txt": "Other\ntests\n"},
            "x",
            {"Other/__init__.py"},
        ),
        (
            {
                **{
                    "gamma/__init__.py": "",
                    "gamma/words.txt": "a",
                    "gamma/tests/old.py": "print 1",
                },
                **{"gamma/a,b.txt": "", 'gamma/".txt': "", "gamma/a\nb.txt": ""},
            },
            "gamma",
            {"gamma/__init__.py", "gamma/words.txt", "gamma/tests/old.py"},
        ),
    ],
)
def test_the_packages_own_files_are_taken(
    tmp_path: Path, files: dict[str, str], name: str, own: set[str]
) -> None:
    content = made(files, tmp_path, name)
    assert content is not None
    assert {path for path in content if ".dist-info/" not in path} == own


@pytest.mark.parametrize(
    "files",
    [
        {"setup.py": ""},
        {"gamma/__init__.py": "print 'Python 2'"},
        {"gamma/__init__.py": "", "gamma/fast.pyx": ""},
        {"gamma/__init__.py": "", "gamma/_x.so": ""},
        {"gamma/__init__.py": "", "setup.py": "setup(ext_modules=[])"},
        {"gamma/__init__.py": "", "setup.py": "setup(use_2to3=True)"},
        {**PLAIN, "gamma.egg-info/requires.txt": "other @ https://example.org/o.zip\n"},
        {**PLAIN, "gamma.egg-info/requires.txt": "--index-url https://example.org\n"},
        {"../gamma/__init__.py": ""},
    ],
)
def test_others_are_left_alone(tmp_path: Path, files: dict[str, str]) -> None:
    assert made(files, tmp_path) is None
    assert not list(tmp_path.iterdir())


def test_what_it_needs_is_what_its_metadata_say(tmp_path: Path) -> None:
    told = "numpy>=1.9\nsix\n\n[:python_version < '3']\nfutures\n\n[plots]\nmatplotlib\n"
    assert requires({"gamma.egg-info/requires.txt": told}, tmp_path) == [
        "numpy>=1.9",
        "six",
        'futures; python_version < "3"',
    ]
    info = "Name: gamma\nRequires-Dist: pandas\nRequires-Dist: tox; extra == 'dev'\n"
    assert requires({"PKG-INFO": info}, tmp_path) == ["pandas"]
    resources = {"gamma/data.py": "import pkg_resources"}
    assert requires(resources, tmp_path) == ["setuptools<81"]


def test_links_bombs_and_rubbish_are_no_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        link = tarfile.TarInfo("gamma-1.0/gamma/__init__.py")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    assert wheel_of(stream.getvalue(), "gamma", "1.0", tmp_path) is None
    whole = source_archive("gamma-1.0", PLAIN)
    for cut in (b"", b"PK\x03\x04", whole[:40], whole[: len(whole) // 2], b"\x1f\x8b" * 100):
        assert wheel_of(cut, "gamma", "1.0", tmp_path) is None
    monkeypatch.setattr(source_archives, "_MOST_BYTES", 3)
    assert wheel_of(whole, "gamma", "1.0", tmp_path) is None
    monkeypatch.setattr(source_archives, "_MOST_BYTES", 1000)
    monkeypatch.setattr(source_archives, "_MOST_FILES", 1)
    assert wheel_of(whole, "gamma", "1.0", tmp_path) is None


@pytest.fixture
def guarded() -> Iterator[tuple[int, list[str]]]:
    """A server that gives files to whoever knows the password; its port and what it was told."""
    told: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.append(self.headers.get("Authorization", ""))
            self.send_response(200 if told[-1] == "Basic bWU6cEBzcw==" else 401)
            self.end_headers()
            self.wfile.write(b"content")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server.server_port, told
    server.shutdown()
    server.server_close()


def test_an_indexs_password_goes_to_the_index_alone(guarded: tuple[int, list[str]]) -> None:
    port, told = guarded
    uv = Uv(Indexes(("--default-index", f"http://me:p%40ss@127.0.0.1:{port}/simple")))
    assert uv.download(f"http://127.0.0.1:{port}/files/a.tar.gz", 100) == b"content"
    with pytest.raises(ValueError, match="large"):
        uv.download(f"http://127.0.0.1:{port}/files/a.tar.gz", 3)
    with pytest.raises(OSError, match="401"):
        uv.download(f"http://localhost:{port}/files/a.tar.gz", 100)
    assert told[-1] == ""


def test_files_come_from_an_index_of_files_only(tmp_path: Path) -> None:
    index, other = tmp_path / "index", tmp_path / "other"
    for folder in (index, other):
        folder.mkdir()
        (folder / "a.tar.gz").write_bytes(b"content")
    uv = Uv(Indexes(("--default-index", index.as_uri())))
    assert uv.download((index / "a.tar.gz").as_uri(), 100) == b"content"
    for url in (
        (other / "a.tar.gz").as_uri(),
        f"{index.as_uri()}/../other/a.tar.gz",
        f"{index.as_uri()}/%2e%2e/other/a.tar.gz",
        "ftp://127.0.0.1/a.tar.gz",
    ):
        with pytest.raises(ValueError, match="index"):
            uv.download(url, 100)
