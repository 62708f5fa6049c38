"""Fetches the file of a web address within bounds of size, time and redirects."""

from __future__ import annotations

import hashlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import BinaryIO
from urllib.parse import quote, urljoin, urlsplit

from mle_modernizer_server.domain.errors import ResourceUnavailable
from mle_modernizer_server.domain.files import LARGEST_RESOURCE
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.resources.connecting import NotPublic, PublicConnection

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BLOCK = 65_536
_POLL = 0.1
_PAGES = (".html", ".htm", ".xhtml")


@dataclass(frozen=True)
class Limits:
    """How much is fetched of one address.

    Attributes:
        size: Bytes.
        seconds: From the first connection to the last byte.
        silence: Seconds without an answer.
        redirects: How many other addresses one may lead to.
    """

    size: int = LARGEST_RESOURCE
    seconds: float = 600.0
    silence: float = 20.0
    redirects: int = 5


@dataclass(frozen=True)
class Downloaded:
    """Size and checksum of a downloaded file.

    Attributes:
        size: Bytes.
        sha256: Of the content.
    """

    size: int
    sha256: str


OnBytes = Callable[[int], object]
"""Called now and then with the number of bytes received."""


def download(
    address: str,
    target: BinaryIO,
    *,
    limits: Limits,
    private: bool = False,
    progress: OnBytes = lambda size: None,
    cancel: threading.Event | None = None,
) -> Downloaded:
    """Download an address into a file. Blocks.

    Neither cookies nor credentials are sent, and settings for proxies are not followed.

    Args:
        address: An address that passed `checked_address`.
        target: Destination.
        limits: Limits of size and time.
        private: Allow servers that are not public, too.
        progress: Called with the bytes received.
        cancel: When set, fetching ends.

    Raises:
        ResourceUnavailable: It cannot be fetched; the message is the reason. `cancelled` if it was.
    """
    cancel = cancel or threading.Event()
    end = time.monotonic() + limits.seconds
    here = address
    for _ in range(limits.redirects + 1):
        parts = _allowed(here, address)
        secure = parts.scheme == "https"
        connection = PublicConnection(
            parts.hostname or "",
            parts.port or (443 if secure else 80),
            timeout=limits.silence,
            secure=secure,
            private=private,
        )
        try:
            with _guarded(connection, end, cancel):
                response = _ask(connection, parts.path or "/", parts.query)
                if response.status in _REDIRECTS and response.headers.get("Location"):
                    here = urljoin(here, response.headers["Location"])
                    continue
                _check(response, address, limits)
                return _read(response, target, address, limits, progress)
        except NotPublic as error:
            raise _unavailable("fetch.not-public", address, server=str(error)) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise _ended(error, address, end, cancel, limits) from error
        finally:
            connection.close()
    raise _unavailable("fetch.redirects", address, most=limits.redirects)


def _allowed(here: str, address: str) -> _Parts:
    """Return the parts of an address if it may be requested.

    Raises:
        ResourceUnavailable: It may not: a redirect leads to something else than a web address, to
            one with credentials, or from an encrypted connection to an open one.
    """
    try:
        parts = urlsplit(here)
        found = _Parts(parts.scheme, parts.hostname, parts.port, parts.path, parts.query)
    except ValueError as error:
        raise _unavailable("fetch.bad-redirect", address) from error
    downgraded = address.startswith("https:") and found.scheme != "https"
    if found.scheme not in ("http", "https") or not found.hostname or "@" in parts.netloc:
        raise _unavailable("fetch.bad-redirect", address)
    if downgraded:
        raise _unavailable("fetch.downgrade", address)
    return found


@dataclass(frozen=True)
class _Parts:
    scheme: str
    hostname: str | None
    port: int | None
    path: str
    query: str


def _ask(connection: PublicConnection, path: str, query: str) -> http.client.HTTPResponse:
    target = quote(path, safe="/%:@!$&'()*+,;=~-._")
    if query:
        target += "?" + quote(query, safe="/%:@!$&'()*+,;=~-._?[]")
    connection.request(
        "GET",
        target,
        headers={"User-Agent": "mle-modernizer", "Accept": "*/*", "Accept-Encoding": "identity"},
    )
    return connection.getresponse()


def _check(response: http.client.HTTPResponse, address: str, limits: Limits) -> None:
    if response.status != 200:
        raise _unavailable("fetch.status", address, status=response.status)
    if response.headers.get("Content-Encoding", "identity") not in ("", "identity"):
        raise _unavailable("fetch.packed", address)
    kind = response.headers.get_content_type()
    path = urlsplit(address).path.lower()
    if kind in ("text/html", "application/xhtml+xml") and not path.endswith(_PAGES):
        raise _unavailable("fetch.page", address)
    if response.length is not None and response.length > limits.size:
        raise _too_large(address, limits)


def _read(
    response: http.client.HTTPResponse,
    target: BinaryIO,
    address: str,
    limits: Limits,
    progress: OnBytes,
) -> Downloaded:
    expected = response.length
    size = 0
    digest = hashlib.sha256()
    while block := response.read1(_BLOCK):
        size += len(block)
        if size > limits.size:
            raise _too_large(address, limits)
        digest.update(block)
        target.write(block)
        progress(size)
    if expected is not None and size < expected:
        raise http.client.IncompleteRead(b"", expected - size)
    return Downloaded(size, digest.hexdigest())


@contextmanager
def _guarded(connection: PublicConnection, end: float, cancel: threading.Event) -> Iterator[None]:
    """Cut a connection on timeout or cancellation, even while it waits."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_POLL):
            if not cancel.is_set() and time.monotonic() < end:
                continue
            opened = connection.opened
            if opened is not None:
                with suppress(OSError):  # closed meanwhile
                    opened.shutdown(socket.SHUT_RDWR)

    watcher = threading.Thread(target=watch, name="mle-modernizer-fetch", daemon=True)
    watcher.start()
    try:
        yield
        if cancel.is_set() or time.monotonic() >= end:
            raise TimeoutError  # data after the cut is incomplete
    finally:
        done.set()
        watcher.join()


def _ended(
    error: Exception, address: str, end: float, cancel: threading.Event, limits: Limits
) -> ResourceUnavailable:
    """Return the reason for the early end of fetching."""
    if cancel.is_set():
        return ResourceUnavailable(coded("fetch.cancelled", address=address), cancelled=True)
    if time.monotonic() >= end:
        return _unavailable("fetch.time", address, seconds=limits.seconds)
    if isinstance(error, TimeoutError):
        return _unavailable("fetch.silence", address, seconds=limits.silence)
    if isinstance(error, ssl.SSLCertVerificationError):
        return _unavailable("fetch.certificate", address, detail=error.verify_message)
    if isinstance(error, socket.gaierror):
        return _unavailable("fetch.no-server", address)
    return _unavailable("fetch.failed", address, detail=str(error) or type(error).__name__)


def _too_large(address: str, limits: Limits) -> ResourceUnavailable:
    return _unavailable("fetch.too-large", address, megabytes=limits.size / 1e6)


def _unavailable(code: str, address: str, **more: str | int | float) -> ResourceUnavailable:
    return ResourceUnavailable(coded(code, address=address, **more))
