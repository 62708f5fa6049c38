"""Run uv with the package indexes that pip is set up for, bounded; its errors as ours.

Options and their meaning: https://docs.astral.sh/uv/reference/cli/
"""

from __future__ import annotations

import base64
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import Request, urlopen

from mle_modernizer_server.code.ipython import literal_value
from mle_modernizer_server.domain.environment import MakingProblem
from mle_modernizer_server.domain.errors import EnvironmentUnavailable
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.environments.bounded import Finished, bounded
from mle_modernizer_server.resources.body import read_body
from mle_modernizer_server.untrusted.programs import (
    neutral_folder,
    path_folders,
    program_on_path,
)

_LONGEST_MESSAGE = 1_500
_PIP_LIMIT = 30.0
_SILENCE = 60.0
_DOWNLOAD_LIMIT = 300.0
_SECRET = re.compile(r"(?P<scheme>\w+://)[^/\s@]+@")

_LEFT_OUT = ("PYTHON", "VIRTUAL_ENV", "CONDA_PREFIX", "UV_")
_KEPT = frozenset(
    {
        *("UV_CACHE_DIR", "UV_LINK_MODE", "UV_OFFLINE", "UV_NATIVE_TLS", "UV_SYSTEM_CERTS"),
        *("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS"),
        *("UV_INDEX_STRATEGY", "UV_INSECURE_HOST", "UV_KEYRING_PROVIDER", "UV_HTTP_TIMEOUT"),
        *("UV_CONCURRENT_DOWNLOADS", "UV_PYTHON_INSTALL_MIRROR"),
    }
)
"""uv's variables that locate packages; the others would change the resolution."""


@dataclass(frozen=True)
class Indexes:
    """Package indexes of pip's configuration.

    Attributes:
        arguments: uv's options for it.
        environ: uv's variables for it: certificates and the proxy.
    """

    arguments: tuple[str, ...] = ()
    environ: tuple[tuple[str, str], ...] = ()


class Uv:
    """uv, as the package `uv` brings it.

    Raises:
        EnvironmentUnavailable: It is not installed.
    """

    def __init__(self, indexes: Indexes | None = None, *, program: str | None = None) -> None:
        self._program = program or _program()
        self._indexes = pip_indexes() if indexes is None else indexes

    def run(
        self,
        command: Sequence[str],
        *,
        indexed: bool = False,
        limit: float = 600.0,
        cancel: threading.Event | None = None,
        config: Path | None = None,
    ) -> Finished:
        """Run a command; its child processes end with it.

        Args:
            command: Of uv, for example `("venv", …)`.
            indexed: Whether to add the options for the indexes.
            limit: Seconds.
            cancel: When set, the command is killed.
            config: uv's configuration for this call.

        Raises:
            EnvironmentUnavailable: It was cancelled, took too long or cannot be started.
        """
        argv = [self._program, "--no-progress", "--color", "never", *command]
        argv += ["--config-file", str(config)] if config else ["--no-config"]
        argv += self._indexes.arguments if indexed else ()
        return bounded(argv, self._environ(), limit=limit, cancel=cancel)

    def download(self, url: str, most: int) -> bytes:
        """Return the file at an address from an index, with the index's password if it has one.

        Raises:
            OSError: It cannot be had, or not in time.
            ValueError: It is larger than so many bytes, or the address is of another kind.
        """
        parts = urlsplit(url)
        indexes = [urlsplit(text) for text in self._indexes.arguments if "://" in text]
        folders = [f"{one.path.rstrip('/')}/" for one in indexes if one.scheme == "file"]
        local = parts.scheme == "file" and "/../" not in unquote(parts.path)
        if parts.scheme not in ("http", "https") and not (
            local and any(map(parts.path.startswith, folders))
        ):
            raise ValueError("no address of an index")
        request = Request(url)  # the schemes are looked at above
        known = [one for one in indexes if _origin(one) == _origin(parts) and one.password]
        if known:
            user = f"{unquote(known[0].username or '')}:{unquote(known[0].password or '')}"
            secret = base64.b64encode(user.encode()).decode()
            request.add_unredirected_header("Authorization", f"Basic {secret}")
        with urlopen(request, timeout=_SILENCE) as answer:
            return read_body(answer, most, _DOWNLOAD_LIMIT)

    def _environ(self) -> dict[str, str]:
        environ = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(_LEFT_OUT) or name in _KEPT
        }
        environ["PATH"] = os.pathsep.join(map(str, path_folders()))
        return environ | {"UV_PYTHON_DOWNLOADS": "manual"} | dict(self._indexes.environ)


def _origin(address: SplitResult) -> tuple[str, str | None, int | None]:
    return address.scheme, address.hostname, address.port


def _program() -> str:
    try:
        from uv import find_uv_bin
    except ImportError as error:
        raise EnvironmentUnavailable(coded("environment.no-uv"), MakingProblem.NO_UV) from error
    try:
        return str(find_uv_bin())
    except FileNotFoundError as error:
        program = program_on_path("uv")
        if program is None:
            raise EnvironmentUnavailable(
                coded("environment.uv-broken"),
                MakingProblem.NO_UV,
            ) from error
        return program


_SIGNS = (
    (MakingProblem.DISK, r"No space left on device|os error 28\b|Disk quota exceeded"),
    (
        MakingProblem.OLD_METADATA,
        r"[Mm]etadata for `|(invalid|inconsistent) metadata|invalid package format",
    ),
    (
        MakingProblem.NETWORK,
        r"dns error|failed to lookup address|Could not connect|error sending request|"
        r"Network connectivity is disabled|tcp connect error|Connection refused|"
        r"Request failed after|operation timed out|Failed to fetch",
    ),
    (MakingProblem.NO_WHEEL, r"no usable wheels|no wheels with|building from source is disabled"),
    (MakingProblem.NOT_FOUND, r"was not found in the package registry|not found in the provided"),
    (MakingProblem.NO_SOLUTION, r"No solution found"),
)
_WORDS = {
    MakingProblem.DISK: "The disk is full.",
    MakingProblem.OLD_METADATA: "A package describes itself in a way that is not read any more.",
    MakingProblem.NETWORK: "The package index cannot be reached.",
    MakingProblem.NO_WHEEL: "A package has no wheel for this Python, and nothing is built here.",
    MakingProblem.NOT_FOUND: "The package index has no such package.",
    MakingProblem.NO_SOLUTION: "No versions of these packages go together.",
    MakingProblem.FAILED: "The environment could not be made.",
}


def failure(done: Finished) -> EnvironmentUnavailable:
    """Return the error of a failed call, with uv's message (without passwords of indexes)."""
    text = _SECRET.sub(r"\g<scheme>", done.stderr)
    problem = next((item for item, sign in _SIGNS if re.search(sign, text)), MakingProblem.FAILED)
    rows = [row for row in text.splitlines() if not row.startswith("warning:")]
    detail = " ".join(" ".join(rows).split())[:_LONGEST_MESSAGE]
    return EnvironmentUnavailable(
        coded("environment.uv-says", words=_WORDS[problem], detail=detail), problem
    )


@cache
def pip_indexes() -> Indexes:
    """Return the indexes of pip's effective configuration; none if uv has its own.

    pip takes the best version of all its indexes, so uv is configured to do the same.
    """
    if any(os.environ.get(name) for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX")):
        return Indexes()
    return indexes_of(_pip_configuration())


def indexes_of(settings: dict[str, str]) -> Indexes:
    """Return uv's options for pip's settings."""
    arguments: list[str] = []
    environ: list[tuple[str, str]] = []
    if url := settings.get("index-url"):
        arguments += ["--default-index", url]
    for url in settings.get("extra-index-url", "").split():
        arguments += ["--index", url]
    for place in settings.get("find-links", "").split():
        arguments += ["--find-links", place]
    if settings.get("no-index", "").lower() in ("1", "true", "yes", "on"):
        arguments.append("--no-index")
    for host in settings.get("trusted-host", "").split():
        arguments += ["--allow-insecure-host", host]
    if arguments:
        arguments += ["--index-strategy", "unsafe-best-match"]
    if cert := settings.get("cert"):
        environ.append(("SSL_CERT_FILE", cert))
    if proxy := settings.get("proxy"):
        environ += [("HTTPS_PROXY", proxy), ("HTTP_PROXY", proxy)]
    return Indexes(tuple(arguments), tuple(environ))


def _pip_configuration() -> dict[str, str]:
    """Return pip's settings by name; those of `pip install` and variables override global ones."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-m", "pip", "--no-color", "config", "list"],
            cwd=neutral_folder(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PIP_LIMIT,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return {}  # without a pip that works there are no settings of its
    found: dict[str, tuple[int, str]] = {}
    ranks = {"global": 0, "install": 1, ":env:": 2}
    for row in done.stdout.splitlines():
        match = re.match(r"(?P<section>:env:|\w+)\.(?P<name>[\w-]+)=(?P<value>.+)$", row)
        if match is None or match["section"] not in ranks:
            continue
        try:
            value = str(literal_value(match["value"]))
        except (ValueError, SyntaxError):
            value = match["value"]
        rank = ranks[match["section"]]
        if rank >= found.get(match["name"], (-1, ""))[0]:
            found[match["name"]] = (rank, value)
    return {name: value for name, (_, value) in found.items()}
