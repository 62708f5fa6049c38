"""Fetching an image from a real registry, which is started for the test."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import socket
import subprocess
import tarfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.execution.sandboxes.docker.images import find_image, pull
from mle_modernizer_server.words import text
from tests.refusals import refused

_CONFIG = """
version: 0.1
storage:
  filesystem:
    rootdirectory: {root}
http:
  addr: 127.0.0.1:{port}
"""
_LAYERS = 3


def _program(folder: Path) -> str:
    """Debian's registry, from its package where it is not installed."""
    found = shutil.which("docker-registry")
    if found:
        return found
    try:
        subprocess.run(
            ["apt-get", "download", "docker-registry"], cwd=folder, check=True, capture_output=True
        )
        [package] = folder.glob("docker-registry*.deb")
        subprocess.run(["dpkg", "-x", package, folder / "registry"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"there is no registry to fetch from: install docker-registry ({error})")
    return str(folder / "registry" / "usr" / "bin" / "docker-registry")


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of an empty registry."""
    folder = tmp_path_factory.mktemp("registry")
    program = _program(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = folder / "config.yml"
    config.write_text(_CONFIG.format(root=folder / "images", port=port))
    server = subprocess.Popen(
        [program, "serve", config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/v2/").close()
                break
            except urllib.error.URLError:
                assert server.poll() is None
                time.sleep(0.1)
        yield f"127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


def _context() -> bytes:
    """A Dockerfile for some layers of random bytes, and these: nothing that could run."""
    files = {f"layer{number}": os.urandom(6_000_000) for number in range(_LAYERS)}
    lines = "".join(f"COPY {name} /\n" for name in files)
    files["Dockerfile"] = f"FROM scratch\n{lines}CMD ['none']\n".encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


@pytest.fixture
def absent_image(box, registry) -> Iterator[str]:
    """Name of an image that the registry has and the engine has not."""
    name = f"{registry}/kaggle/python:{os.getpid()}"
    build = ["docker", "build", "-q", "-t", name, "-"]
    subprocess.run(build, input=_context(), check=True, capture_output=True)
    for command in (["push", name], ["rmi", name]):
        subprocess.run(["docker", *command], check=True, capture_output=True)
    yield name
    subprocess.run(["docker", "rmi", "-f", name], capture_output=True)


def test_an_image_is_fetched_with_progress_and_then_used(run, box, absent_image):
    box.configure(replace(box.settings, image=absent_image))
    assert not box.availability().at_hand
    said = []
    run.cancel_at = lambda event: bool(said.append(text(event.message)))
    with refused(SandboxUnavailable, match="cannot run a kernel"):  # it has nothing but our bytes
        run("print('hello')")
    fetching = [message for message in said if "Pulling the image" in message]
    assert len(fetching) >= 2
    assert f"of {_LAYERS} layers" in fetching[-1]
    assert box.availability().at_hand


def test_a_cancel_ends_fetching(run, box, absent_image):
    box.configure(replace(box.settings, image=absent_image))
    run.cancel_at = lambda event: "Pulling the image" in text(event.message)
    begun = time.monotonic()
    ran = run("print('hello')")
    assert ran.execution.ending is Ending.CANCELLED
    assert time.monotonic() - begun < 20


def test_a_silent_registry_does_not_hold_up_a_cancel(box):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        name = f"127.0.0.1:{silent.getsockname()[1]}/never:answers"

        async def fetch() -> float:
            cancel = asyncio.Event()
            asyncio.get_running_loop().call_later(0.5, cancel.set)
            begun = time.monotonic()
            assert await pull(box.engine, name, say=lambda _: None, cancel=cancel) is None
            return time.monotonic() - begun

        assert asyncio.run(fetch()) < 15
    assert find_image(box.engine, name) is None
