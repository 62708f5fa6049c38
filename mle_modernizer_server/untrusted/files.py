"""Opens regular files only, and answers questions about paths without ever raising.

A download may contain anything under any name: a pipe called `data.csv` would block its reader
forever, a device may never end. A path may come from a notebook's code: too long for the file
system, a loop of links, the home directory of a user that does not exist.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from pathlib import Path
from typing import BinaryIO

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)  # Windows has only this one
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_NONBLOCK", 0)  # opening a pipe must not wait for its writer
)
_BUFFER = 1 << 17
_BLOCK = 1 << 20


class NotRegular(OSError):
    """A path leads to a folder, a pipe, a socket or a device."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "not a regular file", str(path))


class FileTooLarge(OSError):
    """A file has more bytes than its reader accepts."""

    def __init__(self, path: Path, size: int, most: int) -> None:
        super().__init__(errno.EFBIG, f"more than {most:,} bytes", str(path))
        self.size = size
        """Bytes of the file."""


def open_regular(path: Path, *, follow_links: bool = True) -> BinaryIO:
    """Open a regular file for reading; never wait for a pipe or a device.

    Args:
        path: The file.
        follow_links: Open the file that a symbolic link leads to; else a link is refused.

    Raises:
        NotRegular: It is a folder, a pipe, a socket or a device.
        OSError: There is none, or it cannot be read.
    """
    flags = _FLAGS if follow_links else _FLAGS | getattr(os, "O_NOFOLLOW", 0)
    try:
        if not follow_links and path.is_symlink():  # Windows has no O_NOFOLLOW
            raise OSError(errno.ELOOP, "a symbolic link", str(path))
        descriptor = os.open(path, flags)
    except ValueError as error:  # a zero byte in the path
        raise OSError(errno.EINVAL, str(error), str(path)) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotRegular(path)
    return os.fdopen(descriptor, "rb", _BUFFER)


def read_regular(path: Path, most: int, *, follow_links: bool = True) -> bytes:
    """Return the content of a regular file.

    Args:
        path: The file.
        most: Bytes it may have; the size is checked on the open file.
        follow_links: As for `open_regular`.

    Raises:
        FileTooLarge: It has more.
        OSError: As `open_regular`.
    """
    with open_regular(path, follow_links=follow_links) as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > most:
            raise FileTooLarge(path, size, most)
        content = stream.read(most + 1)
    if len(content) > most:  # it grew meanwhile
        raise FileTooLarge(path, len(content), most)
    return content


def copy_regular(source: Path, target: Path) -> None:
    """Copy the content of a regular file.

    Raises:
        OSError: It is none or cannot be read, or the copy cannot be written.
    """
    with open_regular(source) as content, target.open("wb") as copy:
        shutil.copyfileobj(content, copy, _BLOCK)


def is_file(path: Path) -> bool:
    """Return whether a path leads to a regular file; False for a path that no file can have."""
    return os.path.isfile(path)  # noqa: PTH113  # `Path.is_file` raises if a name is too long


def is_folder(path: Path) -> bool:
    """Return whether a path leads to a folder; False for a path that no folder can have."""
    return os.path.isdir(path)  # noqa: PTH112  # `Path.is_dir` raises if a name is too long


def is_folder_entry(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry of a folder leads to a folder; False for a loop of links."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def exists(path: Path) -> bool:
    """Return whether a path leads to anything; False for a path that nothing can have."""
    return os.path.exists(path)  # noqa: PTH110  # `Path.exists` raises if a name is too long


def resolved(path: Path) -> Path | None:
    """Return the absolute path with all links followed; None for a loop of links or a zero byte.

    The last parts need not exist.
    """
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def is_within(path: Path, folder: Path) -> bool:
    """Return whether a path, all links followed, is below a folder or is that folder."""
    place, home = resolved(path), resolved(folder)
    return place is not None and home is not None and place.is_relative_to(home)


def expanded(path: Path) -> Path:
    """Return a path with `~` replaced; unchanged if there is no such user."""
    return Path(os.path.expanduser(path))  # noqa: PTH111  # `Path.expanduser` raises
