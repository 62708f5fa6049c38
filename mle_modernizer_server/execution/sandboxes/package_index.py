"""Speaks to the configured package indexes for an installer that has no network.

The installer lives in a namespace, or a container, without a network. A process of ours in there
listens on its loopback and passes everything on to a Unix socket; behind that, this forwarder asks
the indexes, with their credentials, certificates and proxy, which the installer never sees. It
answers for the projects of the configured indexes, and for the files that their pages list, and for
nothing else.
Protocol: https://packaging.python.org/en/latest/specifications/simple-repository-api/
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import html
import inspect
import io
import ipaddress
import json
import netrc
import os
import re
import socket
import ssl
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from mle_modernizer_server.execution.sandboxes import socket_relay as passing_on
from mle_modernizer_server.execution.sandboxes.socket_server import SocketServer, read_head
from mle_modernizer_server.resources.body import read_body

PORT = 8417
"""On the installer's own loopback."""
PYPI = "https://pypi.org/simple"
_TIMEOUT = 60.0
_LARGEST_PAGE = 64 << 20
_PAGE_SECONDS = 300.0
_BLOCK = 1 << 16
_MOST_FILES = 1_000_000
_REDIRECTS = 5
_PROJECT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,200}")
_ARCHIVES = (".whl", ".tar.gz", ".tar.bz2", ".zip")
_FILE_NAME = re.compile(r"[^/\\\x00-\x1f]{1,300}")
_LINK = re.compile(r"(<a\b[^>]*?\bhref\s*=\s*)(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_BASE = re.compile(r"<base\b[^>]*?\bhref\s*=\s*[\"']([^\"']*)[\"'][^>]*>", re.IGNORECASE)
_PASSED_ON = ("Accept", "Range", "If-None-Match", "If-Modified-Since")
_HANDED_BACK = (
    *("Content-Type", "Content-Length", "Content-Range", "Accept-Ranges", "ETag"),
    *("Last-Modified", "Cache-Control"),
)


@dataclass(frozen=True)
class Place:
    """An address without its credentials, and the `Authorization` for its host.

    Attributes:
        url: The address.
        authorization: The header's value; empty for none.
        listed_by: The page that named it; empty for an address of the configuration.
    """

    url: str
    authorization: str = ""
    listed_by: str = ""

    @property
    def host(self) -> tuple[str, str, int | None]:
        """Return scheme, name and port."""
        return _host(self.url)


@dataclass(frozen=True)
class Sources:
    """Sources of packages, as configured for pip.

    Attributes:
        indexes: By their number in the installer's addresses.
        pages: Pages of links (`find-links`), the same.
        certificates: File with certificates to trust besides the system's; empty for none.
        trusted: Hosts whose certificates are not checked.
        proxy: Proxy for both schemes; empty leaves it to the environment.
    """

    indexes: tuple[Place, ...] = ()
    pages: tuple[Place, ...] = ()
    certificates: str = ""
    trusted: frozenset[str] = field(default_factory=frozenset)
    proxy: str = ""


def sources_of(environ: Mapping[str, str]) -> Sources:
    """Return the sources of packages.

    Args:
        environ: pip's settings as environment variables.
    """
    urls: list[str] = []
    if environ.get("PIP_NO_INDEX", "").lower() not in ("1", "true", "yes", "on"):
        urls = [environ.get("PIP_INDEX_URL") or PYPI]
        urls += environ.get("PIP_EXTRA_INDEX_URL", "").split()
    pages = [word for word in environ.get("PIP_FIND_LINKS", "").split() if "://" in word]
    certificates = next(
        (
            environ[name]
            for name in ("PIP_CERT", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE")
            if environ.get(name)
        ),
        "",
    )
    return Sources(
        tuple(_place(url) for url in urls),
        tuple(_place(url) for url in pages),
        certificates,
        frozenset(environ.get("PIP_TRUSTED_HOST", "").split()),
        environ.get("PIP_PROXY", ""),
    )


def inside_environ(environ: Mapping[str, str], sources: Sources) -> dict[str, str]:
    """Return pip's settings for the installer: the same, with our addresses for the indexes.

    Wheels only, unless pip's configuration lists packages to build: then building is
    isolated like the rest of the installer.

    Args:
        environ: pip's settings of this machine.
        sources: Read from them.
    """
    kept = {name: value for name, value in environ.items() if name not in _HIDDEN}
    local = [word for word in environ.get("PIP_FIND_LINKS", "").split() if "://" not in word]
    here = f"http://127.0.0.1:{PORT}"
    indexes = [f"{here}/index/{number}/" for number in range(len(sources.indexes))]
    pages = [f"{here}/links/{number}/" for number in range(len(sources.pages))]
    if indexes:
        kept["PIP_INDEX_URL"] = indexes[0]
    if indexes[1:]:
        kept["PIP_EXTRA_INDEX_URL"] = " ".join(indexes[1:])
    if local or pages:
        kept["PIP_FIND_LINKS"] = " ".join((*local, *pages))
    if "PIP_ONLY_BINARY" not in kept and "PIP_NO_BINARY" not in kept:
        kept["PIP_ONLY_BINARY"] = ":all:"
    return kept | {"PIP_CONFIG_FILE": os.devnull}


_HIDDEN = frozenset(
    {
        *("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_CERT", "PIP_PROXY"),
        *("PIP_TRUSTED_HOST", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
        *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
    }
)
"""Variables that only the forwarder needs, or that would bypass it in the installer."""


def passing_on_argv(python: str, place: str, port: int, argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command that passes the loopback's port on while another one runs.

    Args:
        python: The interpreter in there.
        place: The socket's path in there.
        port: Of the loopback in there.
        argv: The other command: `python` and its arguments.
    """
    text = inspect.getsource(passing_on) + "\nmain()\n"
    return (python, "-I", "-S", "-c", text, place, str(port), *argv[1:])


def _place(url: str) -> Place:
    parts = urllib.parse.urlsplit(url)
    user, password = parts.username, parts.password
    host = parts.netloc.rpartition("@")[2]
    plain = urllib.parse.urlunsplit((parts.scheme, host, parts.path, parts.query, ""))
    if user is None:
        with contextlib.suppress(OSError, netrc.NetrcParseError):
            found = netrc.netrc().authenticators(parts.hostname or "")
            if found is not None:
                user, password = found[0], found[2]
    if user is None:
        return Place(plain)
    words = f"{urllib.parse.unquote(user)}:{urllib.parse.unquote(password or '')}"
    return Place(plain, "Basic " + base64.b64encode(words.encode()).decode("ascii"))


def _host(url: str) -> tuple[str, str, int | None]:
    parts = urllib.parse.urlsplit(url)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, (parts.hostname or "").lower(), parts.port or usual


def _based(at: Place, base: str) -> Place:
    """Return the page's address, changed by its `<base>`; credentials stay with their host."""
    moved = Place(urllib.parse.urljoin(at.url, base))
    return replace(moved, authorization=at.authorization if moved.host == at.host else "")


def _addresses(name: str, port: int | None) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """Return the addresses of a name; empty if only a proxy can resolve it."""
    try:
        found = socket.getaddrinfo(name, port)
    except OSError:
        return []
    there = (ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found)
    return [getattr(one, "ipv4_mapped", None) or one for one in there]


class Refused(Exception):
    """The forwarder does not ask for that."""


class PackageIndex:
    """The forwarder; use with `with`. Leaving the context closes its socket.

    Args:
        socket_path: Its socket; the installer sees it.
        sources: The package sources it forwards to.
    """

    def __init__(self, socket_path: Path, sources: Sources) -> None:
        self._path = socket_path
        self._sources = sources
        self._files: dict[str, Place] = {}
        self._hosts = {place.host for place in (*sources.indexes, *sources.pages)}
        self._server: SocketServer | None = None

    def __enter__(self) -> PackageIndex:
        self._server = SocketServer(self._path, partial(_Handler, self))
        return self

    def __exit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()

    def wanted(self, path: str) -> tuple[Place, bool]:
        """Return the address for a path of the installer, and whether it is a page of links.

        Raises:
            Refused: The path is unknown.
        """
        kind, _, rest = path.partition("?")[0].lstrip("/").partition("/")
        key, _, name = rest.partition("/")
        name = urllib.parse.unquote(name)
        if kind == "file" and key in self._files and _FILE_NAME.fullmatch(name):
            place = self._files[key]
            if name.endswith(".metadata") and not place.url.endswith(".metadata"):
                return replace(place, url=place.url + ".metadata"), False
            return place, False
        places = {"index": self._sources.indexes, "links": self._sources.pages}.get(kind, ())
        if not key.isdecimal() or int(key) >= len(places):
            raise Refused(path)
        place = places[int(key)]
        if kind == "links" and not name:
            return place, True
        project = name.rstrip("/")
        if kind == "index" and _PROJECT.fullmatch(project):
            return Place(f"{place.url.rstrip('/')}/{project}/", place.authorization), True
        raise Refused(path)

    def fetch(self, place: Place, headers: Mapping[str, str]) -> Any:
        """Open an address, following a few redirections to allowed addresses.

        Raises:
            Refused: It leads to a host of this machine or its neighbours.
            OSError: It cannot be reached.
        """
        if place.url.startswith("file:"):
            return self._local(place.url)
        for _ in range(_REDIRECTS):
            self._check(place)
            request = urllib.request.Request(place.url, headers=dict(headers))
            if place.authorization:
                request.add_unredirected_header("Authorization", place.authorization)
            try:
                return self._opener(place).open(request, timeout=_TIMEOUT)
            except urllib.error.HTTPError as error:
                to = error.headers.get("Location")
                if error.code not in (301, 302, 303, 307, 308) or not to:
                    return error
                error.close()
                there = urllib.parse.urljoin(place.url, to)
                same = _host(there) == place.host
                place = Place(there, place.authorization if same else "", place.url)
        raise Refused(place.url)

    def _local(self, url: str) -> Any:
        path = Path(urllib.request.url2pathname(urllib.parse.urlsplit(url).path)).resolve()
        roots = [
            Path(urllib.request.url2pathname(urllib.parse.urlsplit(one.url).path)).resolve()
            for one in (*self._sources.indexes, *self._sources.pages)
            if one.url.startswith("file:")
        ]
        if path.name.removesuffix(".metadata").endswith(_ARCHIVES):
            # Only listed files are requested; files are often next to `simple/`.
            roots += [root.parent for root in roots]
        if not any(path == root or root in path.parents for root in roots):
            raise Refused(url)
        if path.is_dir():
            path = path / "index.html"
        return urllib.request.urlopen(path.as_uri())

    def _opener(self, place: Place) -> urllib.request.OpenerDirector:
        context = ssl.create_default_context()
        if self._sources.certificates:
            context.load_verify_locations(self._sources.certificates)
        _, name, port = place.host
        if name in self._sources.trusted or f"{name}:{port}" in self._sources.trusted:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        proxy = self._sources.proxy
        proxies = {"http": proxy, "https": proxy} if proxy else None
        return urllib.request.build_opener(
            _NoRedirection, urllib.request.HTTPSHandler(context=context),
            urllib.request.ProxyHandler(proxies),
        )  # fmt: skip

    def _check(self, place: Place) -> None:
        """Only configured indexes may lie on this machine, and only they lead into its network.

        Raises:
            Refused: It leads there, or is no address of the web.
        """
        scheme, name, port = place.host
        if scheme not in ("http", "https") or not name:
            raise Refused(place.url)
        if place.host in self._hosts:
            return
        found = _addresses(name, port)
        if any(one.is_loopback or one.is_link_local or one.is_unspecified for one in found):
            raise Refused(place.url)
        if not all(one.is_global for one in found):
            _, near, near_port = _host(place.listed_by)
            if all(one.is_global for one in _addresses(near, near_port)):
                raise Refused(place.url)

    def rewritten(self, content: bytes, content_type: str, at: Place) -> bytes:
        """Return a page of an index with our addresses for its files.

        Args:
            content: The page.
            content_type: JSON or HTML.
            at: Its address.

        Raises:
            ValueError: It is no such page.
        """
        if "json" in content_type:
            page = json.loads(content)
            for file in page["files"]:
                file["url"] = self._ours(str(file["url"]), at)
            return json.dumps(page).encode()
        text = content.decode("utf-8", "replace")
        base = _BASE.search(text)
        if base is not None:
            at = _based(at, html.unescape(base[1]))
            text = _BASE.sub("", text)

        def replace(match: re.Match[str]) -> str:
            url = html.unescape(match[2] if match[2] is not None else match[3])
            return f'{match[1]}"{html.escape(self._ours(url, at))}"'

        return _LINK.sub(replace, text).encode()

    def _ours(self, url: str, at: Place) -> str:
        whole, fragment = urllib.parse.urldefrag(urllib.parse.urljoin(at.url, url))
        place = _place(whole)
        same = at.authorization if place.host == at.host else ""
        place = Place(place.url, place.authorization or same, at.url)
        if place.url.startswith("file:") and not at.url.startswith("file:"):
            return "#"
        key = hashlib.sha256(place.url.encode()).hexdigest()[:32]
        if len(self._files) < _MOST_FILES:
            self._files[key] = place
        name = urllib.parse.urlsplit(place.url).path.rstrip("/").rpartition("/")[2] or "file"
        return f"http://127.0.0.1:{PORT}/file/{key}/{name}" + (f"#{fragment}" if fragment else "")


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any, **named: Any) -> None:
        """Do nothing: we check each redirected address before requesting it."""


class _Handler(BaseHTTPRequestHandler):
    """One request; the connection is closed after it."""

    timeout = 120

    def __init__(self, index: PackageIndex, *connection: Any) -> None:
        self._index = index
        super().__init__(*connection)

    def setup(self) -> None:
        """Read the request's head.

        Raises:
            OSError: It did not arrive in time.
        """
        super().setup()
        head, _ = read_head(self.connection)
        self.rfile = io.BufferedReader(io.BytesIO(head + b"\r\n\r\n"))
        self.connection.settimeout(self.timeout)

    def address_string(self) -> str:
        """Return a placeholder: a Unix socket has no address."""
        return "installer"

    def log_message(self, format: str, *arguments: object) -> None:
        """Log nothing: pip does."""

    def do_HEAD(self) -> None:
        """Answer like `GET`, without a body."""
        self._answer(body=False)

    def do_GET(self) -> None:
        """Send a page of an index, or a file that one listed."""
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        index = self._index
        try:
            place, is_page = index.wanted(self.path)
            headers = {
                name: self.headers[name] for name in _PASSED_ON if self.headers.get(name)
            } | {"User-Agent": self.headers.get("User-Agent", "pip")[:1000]}
            with index.fetch(place, headers) as answer:
                status = getattr(answer, "status", None) or 200
                if is_page and status == 200:
                    self._page(answer, place, body)
                else:
                    self._file(answer, status, body)
        except Refused:
            self._say(404, "not of the configured indexes")
        except (OSError, HTTPException, ValueError, KeyError, TypeError) as error:
            self._say(502, f"the package index cannot be reached ({type(error).__name__})")

    def _say(self, status: int, words: str) -> None:
        with contextlib.suppress(OSError):
            self.send_error(status, words)

    def _page(self, answer: Any, place: Place, body: bool) -> None:
        content = read_body(answer, _LARGEST_PAGE, _PAGE_SECONDS)
        kind = answer.headers.get("Content-Type", "text/html")
        content = self._index.rewritten(content, kind, place)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body:
            self.wfile.write(content)

    def _file(self, answer: Any, status: int, body: bool) -> None:
        self.send_response(status)
        for name in _HANDED_BACK:
            value = answer.headers.get(name)
            if value and "\r" not in value and "\n" not in value:
                self.send_header(name, value)
        self.end_headers()
        while body and (block := answer.read1(_BLOCK)):
            self.wfile.write(block)
