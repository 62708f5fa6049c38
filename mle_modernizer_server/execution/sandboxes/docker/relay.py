"""Reach a kernel's sockets through the engine's API if the engine does not share our files.

Every connection to one of our sockets becomes a process in the container (`docker exec`) that talks
to the kernel's socket of the same name. No port is opened, on no machine, and the container stays
without a network.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from docker.utils.socket import STDOUT, frames_iter

from mle_modernizer_server.execution.sandboxes.docker.engine import ENGINE_ERRORS, Engine

MOST_CONNECTIONS = 16
"""Carried at a time for each socket, each by two threads; further ones wait in its queue."""
_BLOCK = 65536

_WITHIN = """
import os, socket, sys, threading
peer = socket.socket(socket.AF_UNIX)
peer.connect(sys.argv[1])
def send():
    while block := os.read(0, 65536):
        peer.sendall(block)
    os._exit(0)
threading.Thread(target=send, daemon=True).start()
while block := peer.recv(65536):
    while block:
        block = block[os.write(1, block):]
"""
_PYTHON = 'exec "$(command -v python || command -v python3)" -I -S -c "$0" "$1"'

logger = logging.getLogger(__name__)


class Relay:
    """Listens on Unix sockets here for the sockets of a container.

    Args:
        engine: The container's engine.
        container: Its id.
        sockets: The container's paths by the paths to listen on.
    """

    def __init__(self, engine: Engine, container: str, sockets: dict[Path, str]) -> None:
        self._engine = engine
        self._container = container
        self._listeners: list[socket.socket] = []
        for here, there in sockets.items():
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(here))
            here.chmod(0o600)
            listener.listen()
            self._listeners.append(listener)
            _thread(self._accept, listener, there)

    def close(self) -> None:
        """Stop listening; the connections end with the container."""
        for listener in self._listeners:
            with suppress(OSError):  # wakes the thread that waits in `accept`
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()

    def _accept(self, listener: socket.socket, there: str) -> None:
        free = threading.BoundedSemaphore(MOST_CONNECTIONS)
        while True:
            free.acquire()
            try:
                client, _ = listener.accept()
            except OSError:
                return  # closed
            _thread(self._connect, client, there, free)

    def _connect(self, client: socket.socket, there: str, free: threading.BoundedSemaphore) -> None:
        try:
            self._carry(client, there)
        finally:
            free.release()

    def _carry(self, client: socket.socket, there: str) -> None:
        with client:
            try:
                stream = self._start(there)
            except ENGINE_ERRORS as error:
                # The container has ended; the client notices that its connection is closed.
                logger.debug("No connection to %s: %s", there, error)
                return
            raw: socket.socket = getattr(stream, "_sock", stream)
            sending = _thread(_send, client, raw)
            try:
                frames: Callable[[Any, bool], Iterator[tuple[int, bytes]]] = frames_iter
                for kind, block in frames(stream, False):
                    if kind == STDOUT:
                        client.sendall(block)
            except OSError:
                pass  # one of the two is closed: close the other
            finally:
                for end in (client, raw):
                    with suppress(OSError):
                        end.shutdown(socket.SHUT_RDWR)
                sending.join(1)
                stream.close()

    def _start(self, there: str) -> Any:
        api = self._engine.api
        started = api.exec_create(
            self._container,
            ["sh", "-c", _PYTHON, _WITHIN, there],
            stdin=True,
            stdout=True,
            stderr=False,
        )
        return api.exec_start(started["Id"], socket=True)


def _send(client: socket.socket, raw: socket.socket) -> None:
    with suppress(OSError):
        while block := client.recv(_BLOCK):
            raw.sendall(block)
        raw.shutdown(socket.SHUT_WR)


def _thread(target: Any, *arguments: object) -> threading.Thread:
    thread = threading.Thread(
        target=target, args=arguments, name="mle-modernizer-relay", daemon=True
    )
    thread.start()
    return thread
