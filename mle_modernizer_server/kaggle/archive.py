"""Unpacks a downloaded archive as untrusted input."""

from __future__ import annotations

import os
import re
import stat
import zipfile
from pathlib import Path, PurePosixPath

from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.untrusted.archives import UNREADABLE, is_of_content

_CHUNK = 1 << 20
_MOST_MEMBERS = 2_000_000
_LONGEST_PATH = 1_000
_LONGEST_NAME = 255
"""Bytes of a file's or folder's name, on most file systems."""
_ODD = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')
"""Characters that leave the folder or are not allowed in file names on some system."""


def unpack(archive: Path, into: Path, most_bytes: int) -> int:
    """Unpack a zip file into an empty directory; return the number of files.

    Unpack regular files and directories only, below the directory, none twice (upper and lower case
    are the same). The total size is bounded whatever sizes the archive claims.

    Args:
        archive: The zip file.
        into: A directory that is empty; on an error the unpacked files stay for the caller.
        most_bytes: Bound on the bytes written.

    Raises:
        BadInput: It is no zip file, is damaged, or contains forbidden entries.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            return _members(opened, into, most_bytes)
    except (OSError, *UNREADABLE) as error:
        if isinstance(error, OSError) and not is_of_content(error):
            raise
        raise BadInput(coded("archive.broken", error=str(error)[:200])) from error


def _members(opened: zipfile.ZipFile, into: Path, most_bytes: int) -> int:
    members = opened.infolist()
    if len(members) > _MOST_MEMBERS:
        raise BadInput(coded("archive.too-many", most_members=_MOST_MEMBERS))
    if sum(member.file_size for member in members) > most_bytes:
        raise _too_large(most_bytes)
    seen: set[str] = set()
    left = most_bytes
    files = 0
    for member in members:
        path = _place(member)
        if member.is_dir():
            into.joinpath(*path.parts).mkdir(parents=True, exist_ok=True)
            continue
        key = str(path).casefold()
        if key in seen:
            raise BadInput(coded("archive.twice", member=_shown(member)))
        seen.add(key)
        target = into.joinpath(*path.parts)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            left -= _copy(opened, member, target, left, most_bytes)
        except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
            message = coded("archive.both", member=_shown(member))
            raise BadInput(message) from error
        files += 1
    return files


def _place(member: zipfile.ZipInfo) -> PurePosixPath:
    path = PurePosixPath(member.filename)
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise BadInput(coded("archive.link", member=_shown(member)))
    odd = _ODD.search(member.filename) or len(member.filename) > _LONGEST_PATH
    odd = odd or any(len(os.fsencode(part)) > _LONGEST_NAME for part in path.parts)
    if path.is_absolute() or ".." in path.parts or not path.parts or odd:
        raise BadInput(coded("archive.path", member=_shown(member)))
    return path


def _copy(
    opened: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, left: int, most_bytes: int
) -> int:
    written = 0
    with opened.open(member) as source, target.open("xb") as file:
        while chunk := source.read(_CHUNK):
            written += len(chunk)
            if written > left:
                raise _too_large(most_bytes)
            file.write(chunk)
    return written


def _too_large(most_bytes: int) -> BadInput:
    return BadInput(coded("archive.too-large", most_bytes=most_bytes / 1000000000.0))


def _shown(member: zipfile.ZipInfo) -> str:
    return repr(member.filename[:100])
