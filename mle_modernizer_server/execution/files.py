"""Finds the CSVs a run left behind."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from mle_modernizer_server.domain.execution import CsvFile

_CSV = re.compile(
    r"\.csv(\.(gz|zip|bz2|xz|zst|tar|tgz|7z))?$"
    # pandas packs by the suffix alone: to_csv("submission.zip")
    r"|^[^/]*sub[^/]*\.(gz|zip|bz2|xz)$",
    re.IGNORECASE,
)
_MOST_FILES = 200
_MOST_DIRECTORIES = 5_000
_MOST_ENTRIES = 100_000


def find_csvs(working: Path, given: frozenset[str] = frozenset()) -> tuple[CsvFile, ...]:
    """The CSVs, also compressed ones, below a working directory, sorted by path.

    The directory is what hostile code left: only regular files count, no link is followed (a
    link to a file within the directory adds nothing to it), hidden directories are left out, and
    no more than a bounded number of entries is looked at.

    Args:
        working: The directory.
        given: Paths below it that the run was given and did not change; they are left out.
    """
    found: list[CsvFile] = []
    waiting = [working]
    directories = entries = 0
    while waiting and directories < _MOST_DIRECTORIES and entries < _MOST_ENTRIES:
        directory = waiting.pop(0)
        directories += 1
        try:
            listing = sorted(os.scandir(directory), key=lambda entry: entry.name)
        except OSError:
            continue  # a directory without the right to read it holds no submission
        entries += len(listing)
        for entry in listing:
            if entry.is_symlink() or entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(Path(entry.path))
            elif _CSV.search(entry.name):
                status = entry.stat(follow_symlinks=False)
                path = Path(entry.path).relative_to(working).as_posix()
                if stat.S_ISREG(status.st_mode) and path not in given:
                    found.append(CsvFile(path=path, size=status.st_size))
    kept = [file for file in found if file.path.isprintable()]
    return tuple(sorted(kept, key=lambda file: file.path)[:_MOST_FILES])
