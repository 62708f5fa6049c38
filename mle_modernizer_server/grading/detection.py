"""Detect which competition a notebook's code mentions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.grading.csv_table import read_table
from mle_modernizer_server.grading.refusal import InvalidSubmission, shown
from mle_modernizer_server.untrusted.files import is_within

_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_INPUT_PATH = re.compile(rf"(?<![\w-])input[/\\]+(?:competitions[/\\]+)?({_NAME})(/|\\)?")
_DOWNLOAD = re.compile(rf"competitions\s+download\s+(?:-\S+\s+)*({_NAME})")
_LITERAL = re.compile(r"""(['"])((?:(?!\1)[^\\\n]|\\.){1,300})\1""")
_ATTRIBUTE = re.compile(r"\.([A-Za-z_]\w*)")
_DATA_FILE = re.compile(r"\.(csv|tsv|json|zip|gz|parquet|feather|h5|txt)$", re.IGNORECASE)
_ENOUGH_COLUMNS = 3
_MOST_SOURCE = 2_000_000
_MOST_FILES = 20
"""Files compared, of a notebook and of a competition."""
_LARGEST = 100_000_000
"""Bytes of a file whose rows are counted."""


def detect(
    notebook: Notebook,
    public: Mapping[str, Path],
    target_columns: Mapping[str, tuple[str, ...]],
) -> tuple[str | None, Messages]:
    """Find the competition by the paths, names, files and columns in a notebook's code cells.

    Args:
        notebook: The notebook.
        public: The public directory of each competition, by slug.
        target_columns: The target columns of each, by slug.

    Returns:
        The slug, or None if the code does not indicate one, and why; empty if it mentions no
        competition.
    """
    code = "\n".join(cell.source for cell in notebook.code_cells())[:_MOST_SOURCE]
    literals = [match.group(2) for match in _LITERAL.finditer(code)]
    by_lower = {slug.lower(): slug for slug in public}

    folders = [match.group(1) for match in _INPUT_PATH.finditer(code) if match.group(2)]
    named = Counter(by_lower[name.lower()] for name in folders if name.lower() in by_lower)
    loose = [match.group(1) for match in _DOWNLOAD.finditer(code)]
    loose += [match.group(1) for match in _INPUT_PATH.finditer(code)]
    loose += [part for literal in literals for part in re.split(r"[/\\]+", literal)]
    spoken = Counter(by_lower[name.lower()] for name in loose if name.lower() in by_lower)
    if named:
        return _most(named, "detected.path", "detected.several")
    if spoken:
        return _most(spoken, "detected.name", "detected.several")

    flat = {
        match.group(1)
        for match in _INPUT_PATH.finditer(code)
        if not match.group(2) and _DATA_FILE.search(match.group(1))
    }
    flat |= {literal for literal in literals if "/" not in literal and _DATA_FILE.search(literal)}
    words = set(literals) | {match.group(1) for match in _ATTRIBUTE.finditer(code)}
    slug = _by_files(words, flat, set(folders), public, target_columns) if flat else None
    if slug is not None:
        return slug, coded("detected.files", competition=slug)
    if folders:
        unknown = shown(Counter(folders).most_common(1)[0][0])
        return None, coded("detected.absent", competition=unknown[1:-1])
    return None, ()


def _most(found: Counter[str], one: str, several: str) -> tuple[str | None, Messages]:
    """Return the competition found most often; None if several were found equally often."""
    ranking = found.most_common()
    if len(ranking) == 1 or ranking[0][1] > ranking[1][1]:
        return ranking[0][0], coded(one, competition=ranking[0][0])
    return None, coded(several, competitions=", ".join(sorted(found)))


def detect_by_data(
    files: Sequence[Path], public: Mapping[str, Path]
) -> tuple[str | None, Messages]:
    """Find the competition whose public files have the columns and rows of the files read.

    Args:
        files: The files that a notebook reads.
        public: The public directory of each competition, by slug.

    Returns:
        As `detect`: none if two competitions have the same data.
    """
    alike: Counter[str] = Counter()
    for file in files[:_MOST_FILES]:
        header = _header(file)
        rows = -1
        for slug, folder in public.items() if header else ():
            for other in sorted(folder.iterdir())[:_MOST_FILES]:
                if _is_link_out(other, folder) or _header(other) != header:
                    continue
                rows = rows if rows >= 0 else _rows(file)
                if rows > 0 and rows == _rows(other):
                    alike[slug] += 1
                    break
    return _most(alike, "detected.data", "detected.several-data") if alike else (None, ())


def _is_link_out(file: Path, folder: Path) -> bool:
    return file.is_symlink() and not is_within(file, folder)


def _rows(file: Path) -> int:
    """Return the number of rows of a CSV; 0 if it cannot be read or is very large."""
    try:
        return 0 if file.stat().st_size > _LARGEST else len(read_table(file, ()))
    except (InvalidSubmission, OSError):
        return 0


def _by_files(
    words: set[str],
    flat: set[str],
    folders: set[str],
    public: Mapping[str, Path],
    target_columns: Mapping[str, tuple[str, ...]],
) -> str | None:
    """Return the one competition whose public files and columns fit a notebook without folders."""
    scores: dict[str, int] = {}
    for slug, folder in public.items():
        there = {path.name for path in folder.iterdir()}
        read = {name for name in flat if name in there or f"{name}.zip" in there}
        if not read or not folders <= there:
            continue  # `../input/titanic/` is not the flat form unless the data has that folder
        columns = {name for file in sorted(read) for name in _header(folder / file)}
        mentioned = len(words & columns)
        if words & set(target_columns[slug]) or mentioned >= _ENOUGH_COLUMNS:
            scores[slug] = mentioned + len(read)
    best = max(scores.values(), default=0)
    winners = [slug for slug, score in scores.items() if score == best]
    return winners[0] if len(winners) == 1 else None


def _header(file: Path) -> tuple[str, ...]:
    if not file.name.lower().endswith((".csv", ".csv.zip", ".csv.gz")):
        return ()
    try:
        return read_table(file, (), most_rows=0).header
    except InvalidSubmission:
        return ()  # a data file that is no CSV has no columns to compare
