"""Files that are fetched for notebooks: bounds, addresses that are refused, what is kept."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from pathlib import Path

import pytest

from mle_modernizer_server.domain.errors import NotFound, ResourceUnavailable
from mle_modernizer_server.resources.connecting import is_public
from mle_modernizer_server.resources.download import Limits
from mle_modernizer_server.resources.store import KeptResources
from tests.resources.conftest import Site

_LIMITS = Limits(size=4000, seconds=1.5, silence=0.6, redirects=3)


@pytest.fixture
def kept(tmp_path: Path) -> KeptResources:
    return KeptResources(tmp_path / "resources", limits=_LIMITS, private=True)


def code_of(kept: KeptResources, address: str, **more: threading.Event) -> str:
    with pytest.raises(ResourceUnavailable) as raised:
        kept.fetch(address, **more)
    assert kept.all() == ()
    assert kept.file(address) is None
    assert [path.name for path in kept.root.glob(".fetching-*")] == []
    [message] = raised.value.message
    return message.code


def test_a_file_is_fetched_once_and_kept(kept: KeptResources, site: Site) -> None:
    seen: list[int] = []
    file = kept.fetch(site.at("data/train.csv?raw=true"), progress=seen.append)
    assert file.read_bytes() == b"a,b\n1,2\n"
    assert kept.fetch(site.at("data/train.csv?raw=true")) == file
    assert site.asked == ["/data/train.csv?raw=true"]
    assert seen == [8]
    [record] = kept.all()
    assert (record.name, record.size) == ("train.csv", 8)
    assert kept.given([record.address, site.at("other.csv")]) == {"train.csv": file}
    kept.remove(record.id)
    assert kept.all() == ()
    with pytest.raises(NotFound):
        kept.remove(record.id)
    with pytest.raises(NotFound):
        kept.remove("../environments")


def test_a_redirect_is_followed_and_nothing_of_ours_is_sent(
    kept: KeptResources, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert kept.fetch(site.at("moved.csv")).read_bytes() == b"a,b\n1,2\n"
    assert site.asked == ["/moved.csv", "/train.csv"]
    for headers in site.headers:
        assert {"Authorization", "Cookie", "Referer"} & set(headers) == set()


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("large.csv", "fetch.too-large"),
        ("endless.csv", "fetch.too-large"),
        ("dripping.csv", "fetch.time"),
        ("silent.csv", "fetch.silence"),
        ("broken.csv", "fetch.failed"),
        ("page.csv", "fetch.page"),
        ("missing.csv", "fetch.status"),
        ("circle.csv", "fetch.redirects"),
        ("file.csv", "fetch.bad-redirect"),
        ("keyed.csv", "fetch.bad-redirect"),
    ],
)
def test_bounds(kept: KeptResources, site: Site, path: str, code: str) -> None:
    began = time.monotonic()
    assert code_of(kept, site.at(path)) == code
    assert time.monotonic() - began < 20


def test_a_cancel_ends_it_at_once(kept: KeptResources, site: Site) -> None:
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    with pytest.raises(ResourceUnavailable) as raised:
        kept.fetch(site.at("silent.csv"), cancel=cancel)
    assert raised.value.cancelled
    assert kept.all() == ()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "2130706433"])
def test_this_machine_is_not_asked(tmp_path: Path, site: Site, host: str) -> None:
    kept = KeptResources(tmp_path / "resources", limits=_LIMITS)
    code = code_of(kept, f"http://{host}:{site.port}/train.csv")
    assert code in ("fetch.not-public", "fetch.no-server")
    assert site.asked == []


def test_inward_name_is_refused_even_after_a_redirect(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each connection is checked by what its name stands for when it is opened."""
    kept = KeptResources(tmp_path / "resources", limits=_LIMITS)
    names = {"public.test": "127.0.0.1", "inner.test": "10.0.0.8"}
    real = socket.getaddrinfo

    def resolve(host: str, port: int, **more: int) -> object:
        return real(names.get(host, host), port, **more)

    monkeypatch.setattr("mle_modernizer_server.resources.connecting.socket.getaddrinfo", resolve)
    assert code_of(kept, "http://inner.test/train.csv") == "fetch.not-public"
    # as if this machine's server were a public one
    monkeypatch.setattr(
        "mle_modernizer_server.resources.connecting.is_public",
        lambda address: address == ipaddress.ip_address("127.0.0.1") or is_public(address),
    )
    monkeypatch.setattr(
        "mle_modernizer_server.resources.connecting._own_addresses", lambda: frozenset()
    )
    assert code_of(kept, f"http://public.test:{site.port}/inward.csv") == "fetch.not-public"
    assert site.asked == ["/inward.csv"]
    assert kept.fetch(f"http://public.test:{site.port}/train.csv").read_bytes() == b"a,b\n1,2\n"


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:4700::1111", True),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.100.100.200", False),
        ("168.63.129.16", False),
        ("127.8.8.8", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fd00:ec2::254", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:93.184.216.34", True),
        ("64:ff9b::a9fe:a9fe", False),
        ("2002:7f00:1::", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(ipaddress.ip_address(address)) is public


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "ftp://example.org/a.csv",
        "http://me:secret@example.org/a.csv",
        "http://me@example.org/a.csv",
        "http://example.org/",
        "http://example.org/folder",
        "http:///a.csv",
        "http://example.org/a.csv\r\nHost: inner",
        "http://example.org\\@inner/a.csv",
        "http://example.org:99999/a.csv",
        "http://example.org/..%2f..%2f.bashrc",
        "http://example.org/a%00b.csv",
        "data:text/csv,a.csv",
        "a.csv",
    ],
)
def test_addresses_that_are_none(kept: KeptResources, address: str) -> None:
    assert code_of(kept, address) == "fetch.refused"


def test_what_was_tampered_with_is_fetched_again(kept: KeptResources, site: Site) -> None:
    file = kept.fetch(site.at("train.csv"))
    file.chmod(0o644)
    file.write_bytes(b"a,b\n9,9\n")
    assert kept.file(site.at("train.csv")) is None
    assert kept.fetch(site.at("train.csv")).read_bytes() == b"a,b\n1,2\n"
    (file.parent / "record.json").write_text("{}", "utf-8")
    assert kept.all() == ()
    assert kept.fetch(site.at("train.csv")).read_bytes() == b"a,b\n1,2\n"
    assert len(site.asked) == 3


def test_what_was_fetched_first_makes_room(tmp_path: Path, site: Site) -> None:
    kept = KeptResources(tmp_path / "r", limits=_LIMITS, private=True, most_bytes=20)
    for number in range(4):
        kept.fetch(site.at(f"{number}/train.csv"))
    assert [item.address for item in kept.all()] == [
        site.at("3/train.csv"),
        site.at("2/train.csv"),
    ]


def test_two_that_want_the_same_fetch_it_once(kept: KeptResources, site: Site) -> None:
    threads = [threading.Thread(target=kept.fetch, args=(site.at("train.csv"),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert site.asked == ["/train.csv"]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, site: Site) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    kept = KeptResources(tmp_path / "file" / "resources", limits=_LIMITS, private=True)
    with pytest.raises(ResourceUnavailable) as raised:
        kept.fetch(site.at("train.csv"))
    assert raised.value.message[0].code == "fetch.not-kept"
