"""The format of a paper's file, by its first bytes, and the files of an archive, in memory.

An archive is never unpacked to the disk: a member's name is only a key, so that no path, link or
device in it can lead anywhere.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import posixpath
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from mle_modernizer_server.domain.paper import (
    PaperFormat,
    PaperProblem,
    PaperRemark,
    PaperRemarkCode,
)
from mle_modernizer_server.untrusted.archives import UNREADABLE

MOST_UNPACKED = 64_000_000
"""Total bytes of the stored files of an archive."""
MOST_STREAM = 512_000_000
"""Bytes an archive may unpack to, with the pictures that are passed over."""
MOST_MEMBERS = 5_000
KEPT_SUFFIXES = (".tex", ".ltx", ".bbl", ".bib", ".sty", ".cls", ".def")
_PIECE = 1 << 16


class UnreadablePaper(Exception):
    """A file is no paper that can be read."""

    def __init__(self, problem: PaperProblem, detail: str = "") -> None:
        super().__init__(problem.value, detail)
        self.problem = problem
        self.detail = detail


@dataclass
class Sources:
    """A paper's files.

    Attributes:
        format: Format to read them as.
        files: Content by normalised relative name.
        main: The name of the file to begin with.
        remarks: Messages about ignored files.
    """

    format: PaperFormat
    files: Mapping[str, bytes]
    main: str
    remarks: list[PaperRemark] = field(default_factory=list)


def identify(name: str, files: Mapping[str, bytes]) -> Sources:
    """Identify the format of a file and its content.

    Args:
        name: The requested file.
        files: It, and the files in its folder that a LaTeX source may include.

    Raises:
        UnreadablePaper: It is none that can be read.
    """
    data = files[name]
    suffix = posixpath.splitext(name)[1].lower()
    if data[:1024].lstrip().startswith(b"%PDF-"):
        return Sources(PaperFormat.PDF, files, name)
    if data.startswith(b"PK\x03\x04"):
        return _of_archive(_zip_members(data))
    unpacked = _decompressed(data)
    if unpacked is not None:
        if unpacked[257:262] == b"ustar" or _is_tar(unpacked):
            return _of_archive(_tar_members(unpacked))
        inner = {posixpath.splitext(name)[0] or "paper": unpacked}
        return identify(next(iter(inner)), inner)
    if data[257:262] == b"ustar":
        return _of_archive(_tar_members(data))
    if b"\0" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadablePaper(PaperProblem.UNKNOWN_FORMAT)
    if not data.strip():
        raise UnreadablePaper(PaperProblem.EMPTY)
    return Sources(_text_format(data, suffix), files, name)


def _text_format(data: bytes, suffix: str) -> PaperFormat:
    head = data[:20_000].lower()
    if suffix in (".tex", ".ltx") or re.search(rb"\\documentclass|\\begin\{document\}", data):
        return PaperFormat.LATEX
    if suffix in (".html", ".htm", ".xhtml") or b"<html" in head or b"<!doctype html" in head:
        return PaperFormat.HTML
    if suffix in (".md", ".markdown", ".txt", ""):
        return PaperFormat.MARKDOWN
    raise UnreadablePaper(PaperProblem.UNKNOWN_FORMAT)


def _decompressed(data: bytes) -> bytes | None:
    """Return the content of a compressed file; None if it is none."""
    pieces: list[bytes] = []
    size = 0
    try:
        read: Callable[[int], bytes]
        if data.startswith(b"\x1f\x8b"):
            read = gzip.GzipFile(fileobj=io.BytesIO(data)).read
        elif data.startswith(b"BZh"):
            read = bz2.BZ2File(io.BytesIO(data)).read
        elif data.startswith(b"\xfd7zXZ\x00"):
            read = io.BytesIO(_unpacked_xz(data)).read
        else:
            return None
        while piece := read(_PIECE):
            size += len(piece)
            if size > MOST_STREAM:
                raise UnreadablePaper(PaperProblem.TOO_LARGE)
            pieces.append(piece)
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise UnreadablePaper(PaperProblem.BAD_ARCHIVE, str(error)) from error
    return b"".join(pieces)


def _unpacked_xz(data: bytes) -> bytes:
    unpacked = lzma.LZMADecompressor(memlimit=_PIECE << 11).decompress(data, MOST_STREAM + 1)
    if len(unpacked) > MOST_STREAM:
        raise UnreadablePaper(PaperProblem.TOO_LARGE)
    return unpacked


def _is_tar(data: bytes) -> bool:
    """Return whether bytes are an archive of the oldest form, which has no magic number."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            return archive.next() is not None
    except tarfile.TarError:
        return False


@dataclass(frozen=True)
class _Member:
    name: str
    size: int
    regular: bool
    content: bytes | None = None


def _tar_members(data: bytes) -> Iterator[_Member]:
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for member in archive:
                wanted = member.isreg() and _is_kept(member.name)
                if wanted and member.size > MOST_UNPACKED:
                    raise UnreadablePaper(PaperProblem.TOO_LARGE)
                stream = archive.extractfile(member) if wanted else None
                regular = member.isreg() or member.isdir()
                yield _Member(
                    member.name, member.size, regular, None if stream is None else stream.read()
                )
    except (tarfile.TarError, OSError, EOFError) as error:
        raise UnreadablePaper(PaperProblem.BAD_ARCHIVE, str(error)) from error


def _zip_members(data: bytes) -> Iterator[_Member]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                link = (info.external_attr >> 16) & 0o170000 == 0o120000
                content = None
                if _is_kept(info.filename) and not link and not info.is_dir():
                    with archive.open(info) as stream:
                        content = stream.read(MOST_UNPACKED + 1)
                yield _Member(info.filename, info.file_size, not link, content)
    except (OSError, *UNREADABLE) as error:
        raise UnreadablePaper(PaperProblem.BAD_ARCHIVE, str(error)) from error


def _is_kept(name: str) -> bool:
    return name.lower().endswith((*KEPT_SUFFIXES, ".pdf", ".md", ".html"))


def _of_archive(members: Iterator[_Member]) -> Sources:
    """Return the files of an archive that a reader may need.

    Raises:
        UnreadablePaper: It contains too much, or no paper.
    """
    files: dict[str, bytes] = {}
    remarks: list[PaperRemark] = []
    size = 0
    for count, member in enumerate(members):
        if count >= MOST_MEMBERS:
            raise UnreadablePaper(PaperProblem.TOO_LARGE)
        name = normalised(member.name)
        if name is None or not member.regular:
            remarks.append(
                PaperRemark(code=PaperRemarkCode.UNSAFE_MEMBER, parameter=member.name[:200])
            )
        elif member.content is not None:
            size += len(member.content)
            if size > MOST_UNPACKED:
                raise UnreadablePaper(PaperProblem.TOO_LARGE)
            files[name] = member.content
    main = main_source(files)
    if main is not None:
        return Sources(PaperFormat.LATEX, files, main, remarks)
    pdfs = [name for name in files if name.lower().endswith(".pdf")]
    if len(pdfs) == 1:
        return Sources(PaperFormat.PDF, files, pdfs[0], remarks)
    raise UnreadablePaper(PaperProblem.NO_SOURCE)


def normalised(name: str) -> str | None:
    """Return a relative name without `.` and `..`; None if it leads out of its folder."""
    plain = posixpath.normpath(name.replace("\\", "/"))
    if plain.startswith(("/", "../")) or plain in ("..", ".") or re.match(r"[A-Za-z]:", plain):
        return None if plain != "." else ""
    return plain


def main_source(files: Mapping[str, bytes]) -> str | None:
    """Return the main LaTeX file: a class, a document, and most text included from it."""
    found = [
        name
        for name, data in files.items()
        if name.lower().endswith((".tex", ".ltx"))
        and re.search(rb"^[^%\n]*\\document(?:class|style)", data, re.MULTILINE)
    ]

    def rank(name: str) -> tuple[bool, bool, int, int]:
        data = files[name]
        included = len(re.findall(rb"\\(?:input|include|subfile)\b", data))
        return (
            b"\\begin{document}" in data,
            "standalone" not in data[:2000].decode("latin-1"),
            -name.count("/"),
            len(data) + 20_000 * included,
        )

    return max(found, key=rank, default=None)
