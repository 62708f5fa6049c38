"""Hostile archives: nothing is written outside, linked, twice or without bound."""

from __future__ import annotations

import io
import stat
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.kaggle.archive import unpack
from tests.refusals import refused
from tests.thoroughness import tries


def zipped(path: Path, *members: tuple[str, bytes, int]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content, mode in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = mode << 16
            file.writestr(info, content)
    return path


@pytest.fixture
def into(tmp_path: Path) -> Path:
    folder = tmp_path / "deep" / "into"
    folder.mkdir(parents=True)
    return folder


def test_files_and_directories_are_unpacked(tmp_path: Path, into: Path) -> None:
    packed = zipped(
        tmp_path / "a.zip",
        ("train.csv", b"a\n1\n", stat.S_IFREG | 0o777),
        ("images/", b"", stat.S_IFDIR | 0o755),
        ("images/ü 1.png", b"x", 0),
    )
    assert unpack(packed, into, 1000) == 2
    assert (into / "images" / "ü 1.png").read_bytes() == b"x"
    assert not (into / "train.csv").stat().st_mode & 0o111


@pytest.mark.parametrize(
    "name",
    ["../evil", "a/../../evil", "/evil", "..\\evil", "C:/evil", "C:evil", "a\x01b", "con?", "."],
)
def test_a_path_that_leads_elsewhere_is_refused(tmp_path: Path, into: Path, name: str) -> None:
    with refused(BadInput, match="not allowed"):
        unpack(zipped(tmp_path / "a.zip", (name, b"x", 0)), into, 1000)
    assert list(tmp_path.rglob("*evil*")) == []


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_a_link_is_refused(tmp_path: Path, into: Path, kind: int) -> None:
    with refused(BadInput, match="a link or not a regular file"):
        unpack(zipped(tmp_path / "a.zip", ("data", b"/etc/passwd", kind | 0o777)), into, 1000)
    assert list(into.iterdir()) == []


def test_a_bomb_is_refused_by_its_size(tmp_path: Path, into: Path) -> None:
    packed = zipped(tmp_path / "a.zip", ("a", b"0" * 1_000_000, 0))
    with refused(BadInput, match=r"larger than 0\.0005 GB"):
        unpack(packed, into, 500_000)


def test_a_size_that_lies_is_found_out(tmp_path: Path, into: Path) -> None:
    content = zipped(tmp_path / "a.zip", ("a", b"0" * 1_000_000, 0)).read_bytes()
    lying = content.replace((1_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lying != content
    (tmp_path / "a.zip").write_bytes(lying)
    with pytest.raises(BadInput):
        unpack(tmp_path / "a.zip", into, 500_000)
    assert sum(path.stat().st_size for path in into.iterdir()) <= 500_000


def test_the_same_name_twice_is_refused(tmp_path: Path, into: Path) -> None:
    with refused(BadInput, match="twice"):
        unpack(zipped(tmp_path / "a.zip", ("A.csv", b"x", 0), ("a.csv", b"y", 0)), into, 1000)


def test_a_file_that_is_also_a_directory_is_refused(tmp_path: Path, into: Path) -> None:
    with refused(BadInput, match="both as a file and as a directory"):
        unpack(zipped(tmp_path / "a.zip", ("a", b"x", 0), ("a/b", b"y", 0)), into, 1000)


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 cut off"])
def test_what_is_no_archive_is_refused(tmp_path: Path, into: Path, content: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    with refused(BadInput, match="cannot be unpacked"):
        unpack(tmp_path / "a.zip", into, 1000)


def test_damage_inside_is_refused(tmp_path: Path, into: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("a", b"unmistakable")
    (tmp_path / "a.zip").write_bytes(packed.getvalue().replace(b"unmistakable", b"exchanged!!!"))
    with refused(BadInput, match="cannot be unpacked"):
        unpack(tmp_path / "a.zip", into, 1000)


@pytest.mark.parametrize("name", ["n" * 300, "ü" * 200, f"{'d' * 300}/a.csv"])
def test_name_longer_than_file_systems_allow_is_refused(
    tmp_path: Path, into: Path, name: str
) -> None:
    with refused(BadInput, match="not allowed"):
        unpack(zipped(tmp_path / "a.zip", (name, b"x", 0)), into, 1000)


def _packed(method: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as file:
        file.writestr("train.csv", b"a,b\n" * 50)
        file.writestr("images/ü.png", b"x")
    return made.getvalue()


_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


@given(method=st.sampled_from(_METHODS), changes=st.lists(st.tuples(st.integers(0), st.binary())))
@settings(max_examples=tries(200, 3_000), deadline=None)
def test_damaged_archive_is_refused_or_unpacked(
    tmp_path_factory: pytest.TempPathFactory, method: int, changes: list[tuple[int, bytes]]
) -> None:
    content = bytearray(_packed(method))
    for place, part in changes:
        at = place % len(content)
        content[at : at + len(part)] = part
    folder = tmp_path_factory.mktemp("damaged")
    (folder / "a.zip").write_bytes(content)
    (folder / "into").mkdir()
    with suppress(BadInput):
        unpack(folder / "a.zip", folder / "into", 10_000)
