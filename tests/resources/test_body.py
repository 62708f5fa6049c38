"""Responses of web servers are read within limits, by every room that asks one."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from mle_modernizer_server.environments import uv
from mle_modernizer_server.execution.sandboxes import package_index
from mle_modernizer_server.improving.catalogue import endpoint
from mle_modernizer_server.resources.body import read_body
from mle_modernizer_server.resources.connecting import open_public
from tests.resources.conftest import Site


def test_whole_body_is_returned(site: Site) -> None:
    with urlopen(site.at("train.csv"), timeout=5) as response:
        assert read_body(response, 8, 5) == b"a,b\n1,2\n"


def test_endless_body_is_too_large(site: Site) -> None:
    with (
        urlopen(site.at("endless.csv"), timeout=5) as response,
        pytest.raises(ValueError, match="large"),
    ):
        read_body(response, 100_000, 5)


def test_dripping_body_takes_too_long(site: Site) -> None:
    began = time.monotonic()
    with urlopen(site.at("dripping.csv"), timeout=5) as response, pytest.raises(TimeoutError):
        read_body(response, 100_000, 0.2)
    assert time.monotonic() - began < 4


def test_dripping_archive_of_an_index_is_given_up(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uv, "_DOWNLOAD_LIMIT", 0.2)
    with pytest.raises(TimeoutError):
        uv.Uv(uv.Indexes(())).download(site.at("dripping.tar.gz"), 100_000)


def test_dripping_search_result_is_given_up(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "_SECONDS", 0.3)
    with pytest.raises(endpoint.SearchFailed):
        endpoint.SearchEndpoint(endpoint.SearchKind.SEARXNG, site.at("")).search("boosting")


def test_dripping_page_of_an_index_is_given_up(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_index, "_PAGE_SECONDS", 0.2)
    place = Path(f"/tmp/mle-body-{threading.get_ident()}")
    pages = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": site.at("dripping.html")}
    index = package_index.PackageIndex(place, package_index.sources_of(pages))
    with index, socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(str(place))
        client.sendall(b"GET /links/0/ HTTP/1.1\r\n\r\n")
        assert client.recv(4096).startswith(b"HTTP/1.0 502")


def test_all_addresses_share_the_time_to_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as deaf:
        port = deaf.getsockname()[1]
        full = [socket.socket() for _ in range(4)]
        for waiting in full:
            waiting.setblocking(False)
            waiting.connect_ex(("127.0.0.1", port))
        many = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))] * 50
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: many)
        began = time.monotonic()
        with pytest.raises(OSError):
            open_public("many.test", port, 1.0, private=True)
        assert 0.5 < time.monotonic() - began < 4
        for waiting in full:
            waiting.close()
