"""A stand-in of Kaggle's HTTP interface on this machine, spoken to by the real `kaggle` package."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "KGAT_0123456789abcdef"
NOTEBOOK = {
    "cells": [{"cell_type": "code", "source": ["print(1)"], "metadata": {}, "outputs": []}],
    "metadata": {"kernelspec": {"name": "python3", "language": "python", "display_name": "P"}},
    "nbformat": 4,
    "nbformat_minor": 4,
}


def archive(members: dict[str, str]) -> bytes:
    """A zip file of texts."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, text in members.items():
            file.writestr(name, text)
    return packed.getvalue()


DATA = {
    "train.csv": "Id,price\n1,2\n",
    "images/1.txt": "one",
    "sample_submission.csv": "Id,price\n7,0\n8,0\n",
}


@dataclass
class Site:
    """What the stand-in answers and what it was asked.

    Attributes:
        refusals: By method (`GetKernel`): the status and headers it answers with, one after
            another; a status that ends on none left is a normal answer.
        submissions: What `GetSubmission` answers, one after another; the last one stays.
    """

    url: str = ""
    data: bytes = field(default_factory=lambda: archive(DATA))
    metric: str = "RMSE"
    notebooks_only: bool = False
    kernel: dict[str, Any] = field(default_factory=dict)
    refusals: dict[str, list[tuple[int, dict[str, str]]]] = field(default_factory=dict)
    submissions: list[dict[str, Any]] = field(default_factory=list)
    cut: int = 0
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    uploaded: bytes = b""
    upload_status: int = 201

    def answer(self, method: str, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to one call."""
        if method == "IntrospectToken":
            return {"active": asked.get("token") == TOKEN, "username": "me"}
        if method == "GetCompetition":
            facts = {"ref": asked["competitionName"], "title": "Houses"}
            only = self.notebooks_only
            return {**facts, "evaluationMetric": self.metric, "isKernelsSubmissionsOnly": only}
        if method == "ListCompetitionPages":
            pages = {"rules": "Do not.", "Description": "Guess <b>prices</b>."}
            return {"pages": [{"name": name, "content": text} for name, text in pages.items()]}
        if method == "GetKernel":
            facts = {"id": 5, "ref": "me/old", "title": "LB 0.12", "kernelType": "notebook"}
            sources = {"competitionDataSources": ["houses"], "enableGpu": True}
            blob = {"source": json.dumps(NOTEBOOK), "kernelType": "notebook", "slug": "../../evil"}
            return {"metadata": {**facts, **sources}, "blob": {**blob, **self.kernel}}
        if method == "StartSubmissionUpload":
            return {"token": "blob", "createUrl": f"{self.url}/upload?secret=1"}
        if method == "CreateSubmission":
            return {"message": "Successfully submitted", "ref": 42}
        if method == "GetSubmission":
            rest = self.submissions
            return {"ref": 42, **(rest.pop(0) if len(rest) > 1 else rest[0])}
        raise AssertionError(method)


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Nothing on standard error."""

        def _body(self) -> bytes:
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))

        def _send(self, status: int, body: bytes, kind: str, headers: dict[str, str]) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body[: len(body) - site.cut] if kind == "application/zip" else body)

        def do_POST(self) -> None:
            method = self.path.rsplit("/", 1)[-1]
            asked = json.loads(self._body() or b"{}")
            site.asked.append((method, asked))
            site.tokens.add(self.headers.get("Authorization", ""))
            if left := site.refusals.get(method):
                status, headers = left.pop(0)
                refusal = json.dumps({"code": status, "message": "It is\nrefused"}).encode()
                self._send(status, refusal, "application/json", headers)
            elif method == "DownloadDataFiles":
                # Kaggle redirects to a storage of Google's.
                self._send(302, b"", "text/plain", {"Location": f"{site.url}/storage?secret=1"})
            else:
                body = json.dumps(site.answer(method, asked)).encode()
                self._send(200, body, "application/json", {"X-Kaggle-APIVersion": "99.0"})

        def do_GET(self) -> None:
            self._send(200, site.data, "application/zip", {})

        def do_PUT(self) -> None:
            site.uploaded = self._body()
            self._send(site.upload_status, b"", "text/plain", {})

    return Handler


@contextmanager
def serving() -> Iterator[Site]:
    """The stand-in, running."""
    site = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(site))
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
