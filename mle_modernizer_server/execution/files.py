"""Finds the CSVs a run left behind."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from mle_modernizer_server.domain.execution import CsvFile
from mle_modernizer_server.untrusted.files import open_regular

_CSV = re.compile(
    r"\.csv(\.(gz|zip|bz2|xz|zst|tar|tgz|7z))?$"
    # pandas packs by the suffix alone: to_csv("submission.zip")
    r"|^[^/]*sub[^/]*\.(gz|zip|bz2|xz)$",
    re.IGNORECASE,
)
_MOST_FILES = 200
_LONGEST_HEADER = 65_536
_MOST_DIRECTORIES = 5_000
_MOST_ENTRIES = 100_000


def find_csvs(
    working: Path, given: frozenset[str] = frozenset(), public: Path | None = None
) -> tuple[CsvFile, ...]:
    """Return the CSVs, also compressed ones, below a working directory, sorted by path.

    Hostile code wrote to the directory: only regular files count, no link is followed (a
    link to a file within the directory adds nothing to it), hidden directories are skipped, and
    the number of entries read is bounded.

    Args:
        working: The directory.
        given: Paths below it of unchanged files that were provided to the run; they are skipped.
        public: The competition's public files. If there are too many CSVs, those with the header
            of its sample submission are preferred, then those named like a submission.
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
    if len(kept) > _MOST_FILES:
        header = _sample_header(public)
        kept.sort(key=lambda file: (_likeness(working / file.path, header), file.path))
    return tuple(sorted(kept[:_MOST_FILES], key=lambda file: file.path))


def _likeness(path: Path, header: bytes) -> int:
    """Return how unlike a submission a CSV looks: 0 is the most likely one."""
    if header and _first_line(path) == header:
        return 0
    return 1 if "sub" in path.name.lower() else 2


def _sample_header(public: Path | None) -> bytes:
    if public is None:
        return b""
    samples = sorted(public.glob("*ample*ubmission*.csv"))
    return _first_line(samples[0]) if samples else b""


def _first_line(path: Path) -> bytes:
    """Return the first line of a regular file, cleaned; empty if it cannot be read."""
    try:
        with open_regular(path, follow_links=False) as file:
            return file.readline(_LONGEST_HEADER).removeprefix(b"\xef\xbb\xbf").strip()
    except OSError:
        return b""
