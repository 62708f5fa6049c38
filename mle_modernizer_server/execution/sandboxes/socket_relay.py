"""Forward connections from a port of the loopback to a Unix socket while a command runs.

This file's text runs inside the sandbox, in any Python: syntax of Python 3.6, the
standard library, none of our modules.
"""

import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress


def main() -> None:
    """`path port argument …`: run this Python with the arguments, and end as it ends."""
    path, port = sys.argv[1], int(sys.argv[2])
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(64)
    threading.Thread(target=_accept, args=(listener, path), daemon=True).start()
    code = subprocess.call([sys.executable, *sys.argv[3:]])
    os._exit(code if code >= 0 else 128 - code)


def _accept(listener: socket.socket, path: str) -> None:
    free = threading.BoundedSemaphore(64)
    while True:
        free.acquire()  # further connections wait in the queue
        client = listener.accept()[0]
        threading.Thread(target=_serve, args=(client, path, free), daemon=True).start()


def _serve(client: socket.socket, path: str, free: threading.BoundedSemaphore) -> None:
    peer = socket.socket(socket.AF_UNIX)
    with suppress(OSError):
        peer.connect(path)
        threading.Thread(target=_pass_on, args=(client, peer), daemon=True).start()
        _pass_on(peer, client)
    for one in (client, peer):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)  # ends the other thread
        one.close()
    free.release()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while True:
            block = one.recv(65536)
            if not block:
                break
            other.sendall(block)
        other.shutdown(socket.SHUT_WR)
