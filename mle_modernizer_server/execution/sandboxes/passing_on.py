"""Passes connections to a port of the loopback on to a Unix socket while a command runs.

This file's text runs inside the sandbox, by whatever Python is there: syntax of Python 3.6, the
standard library, nothing of ours.
"""

import os
import socket
import subprocess
import sys
import threading


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
    while True:
        client = listener.accept()[0]
        peer = socket.socket(socket.AF_UNIX)
        try:
            peer.connect(path)
        except OSError:
            client.close()
            continue
        for one, other in ((client, peer), (peer, client)):
            threading.Thread(target=_pass_on, args=(one, other), daemon=True).start()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    try:
        while True:
            block = one.recv(65536)
            if not block:
                break
            other.sendall(block)
        other.shutdown(socket.SHUT_WR)
    except OSError:
        one.close()
        other.close()
