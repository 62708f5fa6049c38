"""Preview a competition's data in a few lines, for a reader that does not see the files.

Only the beginning of a table is read, whatever its size; its content is untrusted.
"""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from itertools import groupby
from pathlib import Path

from mle_modernizer_server.untrusted.archives import UNREADABLE
from mle_modernizer_server.untrusted.files import is_file, is_within
from mle_modernizer_server.untrusted.packed import opened

_HEAD = 64 * 2**10
"""Bytes of a table that are read."""
_TYPED_ROWS = 200
_SHOWN_ROWS = 2
_COLUMNS = 40
_CELL = 40
"""Most characters of a value in a preview."""
_TABLES = 8
_ENTRIES = 40
_DEEPEST = 3


def data_preview(public: Path) -> str:
    """Return the tree, sizes, and the columns, types and first rows of the tables in a directory.

    Args:
        public: The competition's public data.

    Returns:
        Plain text of at most some thousand characters; empty if nothing can be read.
    """
    try:
        lines = _tree(public, 0)
    except OSError:
        return ""
    tables = [
        path
        for path in sorted(public.iterdir())
        if _is_table(path) and is_file(path) and is_within(path, public)
    ]
    known: dict[str, dict[str, str]] = {}
    for table in tables[:_TABLES]:
        lines += ["", *_table(table, known)]
    return "\n".join(lines)


def _is_table(path: Path) -> bool:
    return path.name.lower().removesuffix(".gz").endswith((".csv", ".tsv"))


def _tree(directory: Path, depth: int) -> list[str]:
    """Return the entries of a directory, one a line; a crowd of like files in one line."""
    entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    folders = [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
    files = [entry for entry in entries if is_file(Path(entry.path))]
    indent = "  " * depth
    lines = []
    if len(files) > _ENTRIES:
        kinds = Counter(Path(entry.name).suffix or "no suffix" for entry in files)
        told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common(5))
        lines.append(f"{indent}{len(files)} files ({told}), such as {files[0].name}")
    else:
        lines += [f"{indent}{entry.name} ({_size(entry.stat().st_size)})" for entry in files]
    for folder in folders[:_ENTRIES]:
        lines.append(f"{indent}{folder.name}/")
        if depth + 1 < _DEEPEST:
            lines += _tree(Path(folder.path), depth + 1)
    if len(folders) > _ENTRIES:
        lines.append(f"{indent}… {len(folders) - _ENTRIES} more directories")
    return lines


def _table(path: Path, known: dict[str, dict[str, str]]) -> list[str]:
    """Return the columns with their types and the first rows of a table.

    Args:
        path: The table.
        known: Types by column, by name of the tables described before; this one is added.
    """
    try:
        text, whole = _beginning(path)
        separator = "\t" if ".tsv" in path.name.lower() else ","
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    except (OSError, csv.Error, *UNREADABLE) as error:
        return [f"{path.name}: cannot be read ({type(error).__name__})"]
    if not whole and rows:
        rows.pop()  # cut off in its middle
    if not rows:
        return [f"{path.name}: empty"]
    header, body = rows[0], rows[1:]
    count = f"{len(body)} rows" if whole else f"about {_estimate(path, len(text), len(rows))} rows"
    types = {
        _short(name): _type([row[at] for row in body[:_TYPED_ROWS] if at < len(row)])
        for at, name in enumerate(header[:_COLUMNS])
    }
    like, columns = _columns(types, known)
    known[path.name] = types
    if len(header) > _COLUMNS:
        columns.append(f"… {len(header) - _COLUMNS} more")
    typed = min(len(body), _TYPED_ROWS)
    part = "" if whole and typed == len(body) else f" (as in the first {typed} rows)"
    lines = [f"{path.name}: {count}, {len(header)} columns{part}: {'; '.join(columns)}"]
    for row in body[: 1 if like else _SHOWN_ROWS]:
        lines.append("  " + ",".join(_short(value) for value in row[:_COLUMNS]))
    return lines


def _columns(types: dict[str, str], known: dict[str, dict[str, str]]) -> tuple[str, list[str]]:
    """Return the columns with their types, neighbours of one type together.

    Returns:
        The table described before that has most of them, if one has more than half, and the text,
        which does not repeat the columns of that table.
    """
    shared = {
        name: {column for column, kind in types.items() if other.get(column) == kind}
        for name, other in known.items()
    }
    like = max(shared, key=lambda name: len(shared[name]), default="")
    if not like or 2 * len(shared[like]) <= len(types):
        return "", _in_groups(types)
    rest = {name: kind for name, kind in types.items() if name not in shared[like]}
    missing = [name for name in known[like] if name not in types]
    without = f" without {', '.join(missing)}" if missing else ""
    return like, [f"as {like}{without}", *_in_groups(rest)]


def _in_groups(types: dict[str, str]) -> list[str]:
    return [
        f"{', '.join(name for name, _ in group)} {kind}"
        for kind, group in groupby(types.items(), key=lambda item: item[1])
    ]


def _beginning(path: Path) -> tuple[str, bool]:
    """Return the first characters of a table, and whether that is all of it."""
    with opened(path) as stream:
        data = stream.read(_HEAD + 1)
    text = data[:_HEAD].decode("utf-8-sig", "replace").replace("\0", "")
    return text, len(data) <= _HEAD


def _estimate(path: Path, characters: int, rows: int) -> str:
    """Estimate the rows of a table from its first ones; packed text is about a fourth as long."""
    size = path.stat().st_size * (4 if path.name.lower().endswith(".gz") else 1)
    return f"{float(f'{size / characters * rows:.1g}'):,.0f}"


def _type(values: list[str]) -> str:
    given = [value for value in values if value.strip().lower() not in ("", "na", "nan", "null")]
    missing = " (some missing)" if len(given) < len(values) else ""
    if not given:
        return f"empty{missing}"
    for kind, reads in (("int", int), ("float", float)):
        try:
            for value in given:
                reads(value)
        except ValueError:
            continue
        return f"{kind}{missing}"
    different = len(set(given))
    few = f" with {different} values" if different <= 10 < len(given) else ""
    return f"text{few}{missing}"


def _short(value: str) -> str:
    flat = " ".join(value.split())
    return flat if len(flat) <= _CELL else f"{flat[:_CELL]}…"


def _size(number: int) -> str:
    size = float(number)
    for unit in ("bytes", "KB", "MB"):
        if size < 1024:
            return f"{size:.3g} {unit}"
        size /= 1024
    return f"{size:.3g} GB"
