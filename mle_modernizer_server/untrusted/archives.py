"""The errors that a damaged or hostile archive raises when it is unpacked."""

from __future__ import annotations

import errno
import lzma
import struct
import zipfile
import zlib

UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, struct.error),
    *(RuntimeError, UnicodeDecodeError),
)
"""Errors of unpacking besides OSError; the last two for an unknown method or a password, and for a
name that is no text."""
_OF_CONTENT = (None, errno.EINVAL)


def is_of_content(error: OSError) -> bool:
    """Return whether an archive's content causes an error of reading, not the disk.

    bz2 and gzip report damage without an error number, zipfile a place before the beginning.
    """
    return error.errno in _OF_CONTENT
