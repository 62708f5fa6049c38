"""Proxy to public servers only, for a sandboxed run with the user's permission for the network.

The kernel stays in its namespace without a network. A process of ours in there listens on its
loopback and forwards everything to a Unix socket (`passing_on`); behind that, this proxy opens
connections to web ports of the public network, by addresses that it has checked, never to this
machine or its neighbours. Libraries find it by the usual variables. It records the reached
servers, and the bytes from each.
Protocol: RFC 9110 §9.3.6 (CONNECT) and RFC 9112 §3.2.2 (absolute form).
"""

from __future__ import annotations

import re
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from mle_modernizer_server.domain.execution import ReachedServer
from mle_modernizer_server.execution.sandboxes.socket_server import SocketServer, read_head
from mle_modernizer_server.resources.connecting import NotPublic, open_public

PORT = 8418
"""On the kernel's own loopback."""
SOCKET = "network"
"""In the runtime directory, while the kernel lives."""
MOST_BYTES = 5_000_000_000
"""Of all servers together, in both directions."""
MOST_SERVERS = 200
_PORTS = frozenset({80, 443})
_SILENCE = 120.0
_CONNECT = 20.0
_BLOCK = 1 << 16
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,252}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\]")
_VARIABLES = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")


def proxy_environ() -> dict[str, str]:
    """Return the variables by which a kernel's libraries find the proxy."""
    here = f"http://127.0.0.1:{PORT}"
    return dict.fromkeys(_VARIABLES, here)


class PublicNetwork:
    """The proxy; use with `with`. Leaving the context closes its socket and all connections.

    Args:
        socket_path: Its socket; the sandbox sees it.
        most_bytes: Limit of all bytes; beyond it every connection ends.
        private: Servers that are not public are allowed, at any port.
    """

    def __init__(
        self, socket_path: Path, *, most_bytes: int = MOST_BYTES, private: bool = False
    ) -> None:
        self._path = socket_path
        self._left = most_bytes
        self._private = private
        self._lock = threading.Lock()
        self._bytes: dict[str, int] = {}
        self._refused: dict[str, None] = {}
        self._open: set[socket.socket] = set()
        self._server: SocketServer | None = None

    def __enter__(self) -> PublicNetwork:
        self._server = SocketServer(self._path, self._serve)
        return self

    def __exit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        with self._lock:
            self._left = 0
            for one in self._open:
                _cut(one)

    def reached(self) -> tuple[ReachedServer, ...]:
        """Return the servers so far that were reached, and those that were refused."""
        with self._lock:
            found = [ReachedServer(name=name, size=size) for name, size in self._bytes.items()]
            found += [ReachedServer(name=name, refused=True) for name in self._refused]
        return tuple(found)

    def connect(self, host: str, port: int) -> socket.socket:
        """Open a connection for the kernel.

        Raises:
            NotPublic: It leads to this machine, its network, or no web port.
            OSError: The server does not answer, or too many servers or bytes were requested.
        """
        name = host.strip("[]").lower()
        with self._lock:
            full = self._left <= 0
            known = name in self._bytes or len(self._bytes) < MOST_SERVERS
        if full or not known:
            raise OSError("no more connections are opened")
        if not self._private and port not in _PORTS:
            self._note_refused(f"{name}:{port}")
            raise NotPublic(name)
        try:
            opened = open_public(name, port, _CONNECT, private=self._private)
        except NotPublic:
            self._note_refused(name)
            raise
        with self._lock:
            if self._left <= 0:  # the run has ended meanwhile
                opened.close()
                raise OSError("no more connections are opened")
            self._bytes.setdefault(name, 0)
            self._open.add(opened)
        return opened

    def passed(self, host: str, size: int) -> bool:
        """Count transferred bytes; return False beyond the limit."""
        name = host.strip("[]").lower()
        with self._lock:
            self._bytes[name] = self._bytes.get(name, 0) + size
            self._left -= size
            return self._left > 0

    def closed(self, opened: socket.socket) -> None:
        """Take a connection out of the count, and close it."""
        with self._lock:
            self._open.discard(opened)
        opened.close()

    def _serve(self, client: socket.socket, address: object, server: object) -> None:
        """Serve one connection of the kernel's, which leads to one server.

        Raises:
            OSError: The head did not arrive in time, or one of the two has closed its end.
        """
        head, rest = read_head(client)
        client.settimeout(_SILENCE)
        asked = _asked(head)
        if asked is None:
            _say(client, 400, "not a request for a server of the web")
            return
        host, port, first = asked
        try:
            opened = self.connect(host, port)
        except NotPublic:
            _say(client, 403, "only web servers of the public network can be reached")
            return
        except OSError as error:
            _say(client, 502, f"the server cannot be reached ({type(error).__name__})")
            return
        try:
            if first:
                opened.sendall(first + rest)
            else:
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                opened.sendall(rest)
            _Tunnel(self, host, client, opened).carry()
        finally:
            self.closed(opened)

    def _note_refused(self, name: str) -> None:
        with self._lock:
            if len(self._refused) < MOST_SERVERS:
                self._refused[name] = None


def _asked(head: bytes) -> tuple[str, int, bytes] | None:
    """Parse host, port, and the head for the server: empty for a tunnel. None if no request."""
    line, _, headers = head.partition(b"\r\n")
    words = line.decode("latin-1").split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        return None
    method, target, version = words
    try:
        if method == "CONNECT":
            parts = urlsplit(f"//{target}")
            port, first = parts.port or 443, b""
        else:
            parts = urlsplit(target)
            if parts.scheme != "http" or "@" in parts.netloc:
                return None
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            port = parts.port or 80
            kept = [one for one in headers.split(b"\r\n") if not one.lower().startswith(_OF_PROXY)]
            lines = [f"{method} {path} {version}".encode("latin-1"), *kept, b"Connection: close"]
            first = b"\r\n".join(lines) + b"\r\n\r\n"
    except ValueError:  # a port that is none, brackets that do not match
        return None
    host = parts.hostname or ""
    if not _HOST.fullmatch(f"[{host}]" if ":" in host else host):
        return None
    return host, port, first


_OF_PROXY = (b"proxy-", b"connection:", b"keep-alive:")


@dataclass
class _Tunnel:
    """Carries bytes between the kernel and a server until the server's end.

    Attributes:
        heard: When something passed, in whichever direction.
    """

    network: PublicNetwork
    host: str
    client: socket.socket
    server: socket.socket
    heard: float = field(default_factory=time.monotonic)

    def carry(self) -> None:
        """Return at the server's end, after silence of both, or at the limit of bytes."""
        ends = (self.client, self.server)
        for end in ends:
            end.settimeout(_SILENCE)
        sending = threading.Thread(target=self._pass_on, args=ends, daemon=True)
        sending.start()
        try:
            self._pass_on(self.server, self.client)
        finally:
            for end in ends:
                _cut(end)
            sending.join()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while block := self._received(source):
                if not self.network.passed(self.host, len(block)):
                    raise OSError("the limit is reached")
                target.sendall(block)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            _cut(source)
            _cut(target)

    def _received(self, source: socket.socket) -> bytes:
        """Return the next bytes.

        Raises:
            TimeoutError: Nothing passed for too long.
        """
        while True:
            try:
                block = source.recv(_BLOCK)
            except TimeoutError:
                if time.monotonic() - self.heard >= _SILENCE:
                    raise
            else:
                self.heard = time.monotonic()
                return block


def _cut(end: socket.socket) -> None:
    """Shut down both directions of a connection; threads that wait for it continue."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


def _say(client: socket.socket, status: int, words: str) -> None:
    body = f"{words}\n".encode()
    head = f"HTTP/1.1 {status} {words[:60]}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
    with suppress(OSError):
        client.sendall(head.encode() + b"Content-Type: text/plain\r\n\r\n" + body)
