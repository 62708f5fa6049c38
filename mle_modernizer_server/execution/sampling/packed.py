"""Text files, packed or not: read as a stream, written packed the same way."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

UNREADABLE = (EOFError, RuntimeError, zipfile.BadZipFile, zlib.error, lzma.LZMAError)
"""What unpacking raises, beside OSError, for a file that is broken or locked by a password."""

_PACKED = (".gz", ".bz2", ".xz", ".zip")


def bare_name(name: str) -> str:
    """A file's name in lower case, without the suffix of its packing."""
    name = name.lower()
    packing = next((suffix for suffix in _PACKED if name.endswith(suffix)), "")
    return name.removesuffix(packing)


def only_member(path: Path) -> str | None:
    """Name of the one file within a zip; None where there are none or several, or it is no zip."""
    try:
        with zipfile.ZipFile(path) as packed:
            members = [item.filename for item in packed.infolist() if not item.is_dir()]
    except (OSError, *UNREADABLE):
        return None
    return members[0] if len(members) == 1 else None


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The unpacked content of a file.

    Raises:
        OSError: It cannot be read.
        EOFError, RuntimeError, BadZipFile, zlib.error, LZMAError: It cannot be unpacked.
    """
    suffix = path.suffix.lower()
    if suffix == ".zip":
        with zipfile.ZipFile(path) as packed, packed.open(only_member(path) or "") as member:
            yield io.BufferedReader(cast(io.RawIOBase, member), 2**20)
    elif suffix == ".gz":
        with gzip.open(path, "rb") as stream:
            yield io.BufferedReader(cast(io.RawIOBase, stream), 2**20)
    elif suffix == ".bz2":
        with bz2.open(path, "rb") as stream:
            yield io.BufferedReader(cast(io.RawIOBase, stream), 2**20)
    elif suffix == ".xz":
        with lzma.open(path, "rb") as stream:
            yield io.BufferedReader(cast(io.RawIOBase, stream), 2**20)
    else:
        with path.open("rb", buffering=2**20) as stream:
            yield stream


def write_like(source: Path, target: Path, parts: Iterable[bytes]) -> None:
    """Write parts one after the other, packed as `source` is; the same parts, the same bytes.

    Raises:
        OSError: It cannot be written.
    """
    suffix = source.suffix.lower()
    if suffix == ".zip":
        with zipfile.ZipFile(source) as packed:
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
