"""Only regular files are opened, and no path raises."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from mle_modernizer_server.untrusted.files import (
    FileTooLarge,
    copy_regular,
    exists,
    expanded,
    is_file,
    is_folder,
    open_regular,
    read_regular,
    resolved,
)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(path))


def _link_to_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("target"))
    path.symlink_to("target")


@pytest.mark.parametrize("make", [os.mkfifo, _socket, _link_to_pipe, Path.mkdir, None])
def test_what_is_no_regular_file_is_refused(
    tmp_path: Path, make: Callable[[Path], None] | None
) -> None:
    path = tmp_path / "data.csv"
    if make is not None:
        make(path)
    with pytest.raises(OSError):
        open_regular(path)
    with pytest.raises(OSError):
        read_regular(path, 10)
    with pytest.raises(OSError):
        copy_regular(path, tmp_path / "copy")
    assert not is_file(path)


def test_device_without_an_end_is_refused() -> None:
    with pytest.raises(OSError, match="not a regular file"):
        read_regular(Path("/dev/zero"), 10)


def test_size_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"12345")
    assert read_regular(path, 5) == b"12345"
    with pytest.raises(FileTooLarge) as caught:
        read_regular(path, 4)
    assert caught.value.size == 5
    with pytest.raises(FileTooLarge):
        read_regular(Path("/proc/self/environ"), 1)  # its size is given as 0


def test_link_is_refused_on_request(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"1")
    (tmp_path / "link").symlink_to("a.txt")
    assert read_regular(tmp_path / "link", 5) == b"1"
    with pytest.raises(OSError):
        read_regular(tmp_path / "link", 5, follow_links=False)


def test_copy_has_the_same_content(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1" * 3_000_000)
    copy_regular(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == b"1" * 3_000_000


@pytest.mark.parametrize(
    "name", ["n" * 300, "a\0b", "\ud800", "loop", "~nosuchuser/x", "x/" * 3_000]
)
def test_path_that_no_file_can_have_never_raises(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    path = tmp_path / name
    assert not is_file(path)
    assert not is_folder(path)
    assert not exists(path)
    assert expanded(Path(name)) == Path(name)
    resolved(path)
    with pytest.raises(OSError):
        open_regular(path)
