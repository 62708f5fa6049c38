"""A server on a Unix socket for the connections of one sandbox.

The code on the other side is a stranger's: the number of connections is bounded, and so is the
time in which a request's head must arrive.
"""

from __future__ import annotations

import socket
import socketserver
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

MOST_CONNECTIONS = 64
"""Served at a time, each by a thread of its own; further ones wait in the socket's queue."""
HEAD_SECONDS = 10.0
"""Time for the whole head of a request."""
_LONGEST_HEAD = 1 << 16
_BLOCK = 1 << 16
_POLL = 0.1


class SocketServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Serve connections until it is closed.

    Args:
        path: Its socket; any user may connect who can reach its directory.
        handler: Called with socket, address and server for each connection, in its thread.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = MOST_CONNECTIONS

    def __init__(self, path: Path, handler: Callable[[Any, Any, Any], Any]) -> None:
        self._path = path
        self._free = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        path.unlink(missing_ok=True)
        super().__init__(str(path), handler)
        path.chmod(0o666)
        name = f"mle-modernizer-{path.name}"
        threading.Thread(target=self.serve_forever, args=(_POLL,), name=name, daemon=True).start()

    def close(self) -> None:
        """Stop listening and end all connections."""
        self.shutdown()
        self.server_close()
        with self._lock:
            for connection in self._open:
                with suppress(OSError):  # the client has closed it
                    connection.shutdown(socket.SHUT_RDWR)
        self._path.unlink(missing_ok=True)

    def get_request(self) -> tuple[socket.socket, Any]:
        """Accept a connection if there is room for it.

        Raises:
            OSError: There is none yet; the caller tries again.
        """
        if not self._free.acquire(timeout=_POLL):
            raise TimeoutError("all connections are in use")
        try:
            connection, address = super().get_request()
        except OSError:
            self._free.release()
            raise
        with self._lock:
            self._open.add(connection)
        return connection, address

    def close_request(self, request: Any) -> None:
        """Close a connection and make room for the next one."""
        with self._lock:
            self._open.discard(request)
        super().close_request(request)
        self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of a connection: its client has left or was too slow."""


def read_head(connection: socket.socket) -> tuple[bytes, bytes]:
    """Return the head of a request without its empty line, and the bytes received after it.

    Raises:
        OSError: It did not arrive in time.
    """
    received = bytearray()
    end = time.monotonic() + HEAD_SECONDS
    while b"\r\n\r\n" not in received and len(received) <= _LONGEST_HEAD:
        connection.settimeout(max(end - time.monotonic(), 0.001))
        block = connection.recv(_BLOCK)
        if not block:
            break
        received += block
    head, _, rest = bytes(received).partition(b"\r\n\r\n")
    return head, rest
