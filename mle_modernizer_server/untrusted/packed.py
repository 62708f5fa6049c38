"""Text files, packed or not: read as a stream, written packed the same way."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from mle_modernizer_server.untrusted.archives import UNREADABLE
from mle_modernizer_server.untrusted.files import open_regular

PACKED = (".gz", ".bz2", ".xz", ".zip")


class NotOneMember(zipfile.BadZipFile):
    """A zip holds no file, or several.

    Attributes:
        count: How many.
    """

    def __init__(self, count: int) -> None:
        super().__init__("it does not hold one file")
        self.count = count


def bare_name(name: str) -> str:
    """Return a file's name in lower case, without the suffix of its compression."""
    name = name.lower()
    packing = next((suffix for suffix in PACKED if name.endswith(suffix)), "")
    return name.removesuffix(packing)


def only_member(path: Path) -> str | None:
    """Return the name of the only file in a zip; None unless it is a zip with one file."""
    try:
        with open_regular(path) as file, zipfile.ZipFile(file) as packed:
            return _member(packed)
    except (OSError, *UNREADABLE):
        return None


def _member(packed: zipfile.ZipFile) -> str:
    names = [item.filename for item in packed.infolist() if not item.is_dir()]
    if len(names) != 1:
        raise NotOneMember(len(names))
    return names[0]


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Yield the unpacked content of a file.

    Raises:
        OSError: It cannot be read.
        EOFError, RuntimeError, BadZipFile, zlib.error, LZMAError: It cannot be unpacked.
    """
    with open_regular(path) as file, unpacked(file, path.suffix) as stream:
        yield stream


@contextmanager
def unpacked(file: BinaryIO, suffix: str) -> Iterator[IO[bytes]]:
    """Yield the unpacked content of an open file.

    Args:
        file: The file.
        suffix: Of its name; it names the compression.

    Raises:
        EOFError, RuntimeError, BadZipFile, zlib.error, LZMAError, OSError: It cannot be unpacked.
    """
    suffix = suffix.lower()
    if suffix == ".zip":
        with zipfile.ZipFile(file) as packed, packed.open(_member(packed)) as member:
            yield _buffered(member)
    elif suffix == ".gz":
        with gzip.open(file) as stream:
            yield _buffered(stream)
    elif suffix == ".bz2":
        with bz2.open(file) as stream:
            yield _buffered(stream)
    elif suffix == ".xz":
        with lzma.open(file) as stream:
            yield _buffered(stream)
    else:
        yield file


def _buffered(stream: object) -> io.BufferedReader:
    return io.BufferedReader(cast(io.RawIOBase, stream), 2**20)


def write_like(source: Path, target: Path, parts: Iterable[bytes]) -> None:
    """Write parts one after the other, packed as `source` is; the same parts, the same bytes.

    Raises:
        OSError: It cannot be written.
    """
    suffix = source.suffix.lower()
    if suffix == ".zip":
        with open_regular(source) as opened_source, zipfile.ZipFile(opened_source) as packed:
            info = next(item for item in packed.infolist() if not item.is_dir())
        member = zipfile.ZipInfo(info.filename, info.date_time)
        member.compress_type = zipfile.ZIP_DEFLATED
        with zipfile.ZipFile(target, "w") as out:
            out.writestr(member, b"".join(parts))
    elif suffix == ".gz":
        with target.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as zipped:
            zipped.writelines(parts)
    elif suffix == ".bz2":
        with bz2.open(target, "wb") as bzipped:
            bzipped.writelines(parts)
    elif suffix == ".xz":
        with lzma.open(target, "wb") as xzipped:
            xzipped.writelines(parts)
    else:
        with target.open("wb") as plain:
            plain.writelines(parts)
