"""A server of this machine that gives files, redirects, and answers that never end."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


@dataclass
class Site:
    port: int
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def at(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.site.asked.append(self.path)
        self.server.site.headers.append(dict(self.headers))
        name = self.path.partition("?")[0].rpartition("/")[2]
        answer = getattr(self, f"give_{name.partition('.')[0]}", None)
        if answer is None:
            self.send_error(404)
        else:
            answer()

    def give_train(self) -> None:
        self._give(b"a,b\n1,2\n")

    def give_large(self) -> None:
        self._give(b"x" * 5000)

    def give_endless(self) -> None:
        self.send_response(200)
        self.end_headers()
        while not self.server.over.is_set():
            self.wfile.write(b"x" * 1000)

    def give_dripping(self) -> None:
        self.send_response(200)
        self.end_headers()
        while not self.server.over.is_set():
            self.wfile.write(b"x")
            time.sleep(0.05)

    give_search = give_dripping

    def give_silent(self) -> None:
        self.server.over.wait(30)

    def give_broken(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"short")

    def give_page(self) -> None:
        self._give(b"<html>Please log in</html>", "text/html; charset=utf-8")

    def give_moved(self) -> None:
        self._redirect("/train.csv")

    def give_circle(self) -> None:
        self._redirect("/circle.csv")

    def give_inward(self) -> None:
        self._redirect("http://169.254.169.254/latest/meta-data")

    def give_file(self) -> None:
        self._redirect("file:///etc/passwd")

    def give_keyed(self) -> None:
        self._redirect(f"http://me:secret@127.0.0.1:{self.server.site.port}/train.csv")

    def _give(self, content: bytes, kind: str = "text/csv") -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _redirect(self, place: str) -> None:
        self.send_response(302)
        self.send_header("Location", place)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *parts: object) -> None:
        """Nothing is printed."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.over = threading.Event()
        self.site = Site(self.server_address[1])

    def handle_error(self, request: object, client: object) -> None:
        """A client that hung up is what some tests are about."""


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as found:
        yield found


@contextmanager
def running_site() -> Iterator[Site]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.site
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
