"""The first phase of a run: `pip install` lines, in a container removed before the kernel's.

The kernel's container never has a network; this one never has the kernel's working directory, but
only a socket to the configured package indexes. On an engine of another machine it has a
network, because no socket of ours reaches it.
"""

from __future__ import annotations

import asyncio
import configparser
import os
import re
import shutil
from contextlib import ExitStack
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.execution.sandboxes.base import Finished
from mle_modernizer_server.execution.sandboxes.docker.container import Container
from mle_modernizer_server.execution.sandboxes.docker.engine import Engine
from mle_modernizer_server.execution.sandboxes.docker.isolation import Maker
from mle_modernizer_server.execution.sandboxes.docker.settings import PipNetwork, Settings
from mle_modernizer_server.execution.sandboxes.package_index import (
    PORT,
    PackageIndex,
    inside_environ,
    passing_on_argv,
    sources_of,
)
from mle_modernizer_server.execution.sandboxes.pip_options import (
    InstallRequest,
    confined_refusal,
    local_path,
)
from mle_modernizer_server.execution.sandboxes.pip_settings import (
    constraints_text,
    install_environ,
    install_files,
    pip_config_files,
)
from mle_modernizer_server.execution.sandboxes.waiting import is_done
from mle_modernizer_server.execution.sandboxes.workspace import HOME, TEMP, Mounts

_SOCKET = "index"
_SOCKET_INSIDE = "/run/package-index"
_CERTIFICATES = ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")
_CERTIFICATES_INSIDE = "/run/certificates"
_CONSTRAINTS_INSIDE = "/run/constraints.txt"
_OUT_OF_REACH = ("SSL_CERT_DIR", "PIP_FIND_LINKS", "PIP_CONSTRAINT")
"""Directories and files of this machine, which the container does not have."""
_HARMLESS = ("--upgrade", "--upgrade-strategy", "--no-deps", "--pre", "--prefer-binary")
_LONGEST_SHOWN = 200
_BY_NAME = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*\s*(\[[\w\s,.-]*\])?\s*([<>=!~][<>=!~\w\s.,*+-]*)?"
)


def refused(pip: PipNetwork, request: InstallRequest) -> str:
    """Return why an install line is not carried out, as a sentence; "" if it is.

    Args:
        pip: The server's setting.
        request: The arguments of the line.
    """
    if pip is PipNetwork.NEVER:
        return "Not installed: this server lets notebooks install nothing."
    if pip is PipNetwork.INDEX_ONLY:
        options = (*request.finding, *request.choosing, *request.sources, *request.builds)
        others = [one for one in options if one.partition("=")[0] not in _HARMLESS]
        others += [one for one in request.requirements if not _is_name(one)]
        for argument in others:
            return (
                "Not installed: this server installs wheels of its package index by name only, "
                f"and {argument[:_LONGEST_SHOWN]!r} asks for something else."
            )
    return confined_refusal(request)


def _is_name(requirement: str) -> bool:
    return local_path(requirement) is None and bool(_BY_NAME.fullmatch(requirement.strip()))


async def install(
    engine: Engine,
    settings: Settings,
    maker: Maker,
    argv: tuple[str, ...],
    mounts: Mounts,
    *,
    end: float,
    cancel: asyncio.Event,
) -> Finished:
    """Run pip to its end, its timeout or a cancel.

    Args:
        engine: The engine.
        settings: Of the sandbox.
        maker: Makes the container.
        argv: `python` and its arguments.
        mounts: Whose `packages` it writes.
        end: When to stop, on the event loop's clock.
        cancel: Stops it at once.

    Raises:
        SandboxUnavailable: The engine refuses the container.
    """
    with ExitStack() as stack:
        if maker.remote:
            environ, files = await pools.sandboxes.run(_reaching_the_index, mounts, maker.user)
            environ = await pools.sandboxes.run(_sent, environ, files, mounts, maker)
            environ.setdefault("PIP_ONLY_BINARY", ":all:")
        else:
            of_pip = await pools.sandboxes.run(install_environ)
            sources = await pools.sandboxes.run(sources_of, of_pip)
            place = mounts.runtime / _SOCKET
            stack.enter_context(PackageIndex(place, sources))
            environ = inside_environ(of_pip, sources)
            files = {place: _SOCKET_INSIDE}
            files |= {file: str(file) for file in install_files(environ)}
            argv = passing_on_argv("python", _SOCKET_INSIDE, PORT, argv)
        if settings.pip is PipNetwork.INDEX_ONLY:
            environ["PIP_ONLY_BINARY"] = ":all:"
        environ["TMPDIR"] = TEMP
        rest = max(1.0, end - asyncio.get_running_loop().time())
        arguments = maker.installer(argv[1:], mounts, life=rest + 30, environ=environ, files=files)
        return await _run(await pools.sandboxes.run(Container, engine, arguments), rest, cancel)


async def _run(container: Container, rest: float, cancel: asyncio.Event) -> Finished:
    """Wait for the end of a container, its seconds or a cancel, and end it."""
    ending = asyncio.ensure_future(container.ending())
    try:
        in_time = await is_done(ending, cancel, rest)
    finally:
        await pools.sandboxes.run(container.end)
    found = await ending
    return Finished(found.code if in_time else None, found.stdout, found.stderr)


def _reaching_the_index(
    mounts: Mounts, user: tuple[int, int]
) -> tuple[dict[str, str], dict[Path, str]]:
    """Return this machine's pip settings for the container, and the files they name.

    The files are copies that the container's user can read.
    """
    environ = install_environ()
    constraints = constraints_text(environ)
    for name in _OUT_OF_REACH:
        environ.pop(name, None)
    copies = mounts.runtime / "pip"
    copies.mkdir(exist_ok=True)
    files: dict[Path, str] = {}

    def show(file: Path, inside: str) -> None:
        copy = copies / inside.strip("/").replace("/", "-")
        shutil.copyfile(file, copy)
        if os.geteuid() == 0:
            os.chown(copy, *user)
        files[copy] = inside

    if constraints:  # before those named in the configuration files, which are absent there
        written = mounts.runtime / "constraints.txt"
        written.write_text(constraints, "utf-8")
        show(written, _CONSTRAINTS_INSIDE)
        environ["PIP_CONSTRAINT"] = _CONSTRAINTS_INSIDE
    for file in pip_config_files():
        inside = str(file)
        if not inside.startswith("/etc/"):
            inside = f"{HOME}/{file.relative_to(Path.home())}"
        show(file, inside)
        certificate = _certificate_of(file)
        if certificate:
            environ.setdefault("PIP_CERT", certificate)
    for name in _CERTIFICATES:
        given = environ.pop(name, "")
        if given and Path(given).is_file():
            inside = f"{_CERTIFICATES_INSIDE}/{name.lower()}.pem"
            show(Path(given), inside)
            environ[name] = inside
    return environ, files


def _certificate_of(config: Path) -> str:
    parser = configparser.RawConfigParser()
    try:
        parser.read(config, encoding="utf-8")
    except (configparser.Error, OSError, UnicodeDecodeError):
        return ""  # pip itself will report the error
    return parser.get("global", "cert", fallback="")


def _sent(
    environ: dict[str, str], files: dict[Path, str], mounts: Mounts, maker: Maker
) -> dict[str, str]:
    """Return the same settings for an engine that cannot see our files; send the files there."""
    merged = configparser.RawConfigParser()
    merged.read([copy for copy, inside in files.items() if inside.endswith(".conf")], "utf-8")
    config = mounts.runtime / "pip" / "merged.conf"
    with config.open("w", encoding="utf-8") as stream:
        merged.write(stream)
    place = maker.volumes(mounts).send_pip_settings([*files, config], maker.user)
    names = {inside: f"{place}/{copy.name}" for copy, inside in files.items()}
    moved = {name: names.get(value, value) for name, value in environ.items()}
    return moved | {"PIP_CONFIG_FILE": f"{place}/{config.name}"}
