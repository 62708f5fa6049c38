"""The lines of a batch: the notebooks of a folder or a glob, or the entries of a manifest."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import JsonValue

from mle_modernizer_server.batch.study import Line, Problem
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.settings import SessionSettings, checked_settings
from mle_modernizer_server.untrusted.files import (
    FileTooLarge,
    expanded,
    is_file,
    is_folder,
    read_regular,
)
from mle_modernizer_server.untrusted.parsing import UnreadableText, read_json, read_yaml
from mle_modernizer_server.words import text as words

FORMATS = (".csv", ".jsonl", ".ndjson", ".yaml", ".yml")
FOUND = "found_"
"""Prefix of columns with a plan's findings, for people to read; a batch ignores them."""
_ALIASES = {"target": "target_score"}
_NOT_A_LINES = frozenset({"mode"})
"""Settings that only an arm may set."""
_SETTINGS = frozenset(SessionSettings.model_fields) - _NOT_A_LINES
_RESOURCES = {"gpu": "GPU", "memory": "MEMORY"}
_OTHERS = ("notebook", "seconds")
_MOST_BYTES = 200_000_000
_MOST_BYTES_YAML = 10_000_000
"""Parsed, YAML takes some hundred times as much memory."""
_LONGEST_NAME = 200
_LONGEST_MESSAGE = 500

Row = tuple[int, dict[str, object]]


def read_lines(what: str) -> tuple[list[Line], list[Problem]]:
    """Return the lines of a batch, and the problems of the lines left out.

    Args:
        what: A folder (searched for notebooks; hidden folders and checkpoints are skipped), a
            notebook, a glob, or a manifest (CSV, JSON lines or YAML).

    Raises:
        BadInput: There is no such thing, it cannot be read, or there is no notebook in it.
    """
    path = expanded(Path(what))
    if is_folder(path):
        lines, problems = _of_files(_notebooks_below(path), path)
    elif path.suffix.lower() in FORMATS and is_file(path):
        lines, problems = _of_manifest(path)
    elif is_file(path):
        lines, problems = _of_files([path], path.parent)
    else:
        matches = _matches(path)
        if not matches:
            shown = what[:_LONGEST_NAME]
            raise BadInput(coded("manifest.none", what=shown, formats=", ".join(FORMATS)))
        files = [each for each in matches if each.suffix == ".ipynb" and is_file(each)]
        lines, problems = _of_files(files, _common(files))
    if not lines and not problems:
        raise BadInput(coded("manifest.no-notebook", what=what))
    return lines, problems


def _matches(pattern: Path) -> list[Path]:
    """Return the matches of a glob; an empty list if the pattern is invalid."""
    try:
        return sorted(Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor))))
    except (OSError, ValueError, NotImplementedError):
        return []


def _notebooks_below(folder: Path) -> list[Path]:
    def hidden(path: Path) -> bool:
        return any(part.startswith(".") for part in path.relative_to(folder).parts)

    return sorted(path for path in folder.rglob("*.ipynb") if is_file(path) and not hidden(path))


def _common(files: list[Path]) -> Path:
    if not files:
        return Path()
    folders = [path.absolute().parent for path in files]
    common = folders[0]
    while not all(folder.is_relative_to(common) for folder in folders):
        common = common.parent
    return common


def _of_files(files: Iterable[Path], root: Path) -> tuple[list[Line], list[Problem]]:
    lines: list[Line] = []
    problems: list[Problem] = []
    for number, file in enumerate(files, 1):
        absolute = file.absolute()
        name = absolute.relative_to(root.absolute()).as_posix()
        if _printable(str(absolute)) == str(absolute):
            lines.append(Line(number=number, notebook=str(absolute), name=name))
        else:
            problems.append(_problem(number, name, "Its name is no UTF-8 text; rename it."))
    return lines, problems


def _problem(line: int, name: str, message: str) -> Problem:
    return Problem(
        line=line,
        name=_printable(name[:_LONGEST_NAME]),
        message=_printable(message[:_LONGEST_MESSAGE]),
    )


def _printable(text: str) -> str:
    """Return a text without lone surrogates, which no terminal or file takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


# Manifests


def _of_manifest(path: Path) -> tuple[list[Line], list[Problem]]:
    suffix = path.suffix.lower()
    is_yaml = suffix in (".yaml", ".yml")
    most = _MOST_BYTES_YAML if is_yaml else _MOST_BYTES
    try:
        text = read_regular(path, most).decode("utf-8-sig")
    except FileTooLarge as error:
        raise BadInput(coded("manifest.too-large", path=str(path), most_bytes=most)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(coded("file.not-readable", path=str(path), why=str(error))) from error
    problems: list[Problem] = []
    if suffix == ".csv":
        rows = list(_csv_rows(text, path, problems))
    elif is_yaml:
        rows = list(_yaml_rows(text, path, problems))
    else:
        rows = list(_json_rows(text, problems))
    lines: list[Line] = []
    seen: dict[str, int] = {}
    for number, row in rows:
        name = str(row.get("notebook") or "").strip()
        try:
            line = _line(number, row, path.parent)
            mark = line.model_copy(update={"number": 0}).model_dump_json()
        except (BadInput, ValueError) as error:
            problems.append(_problem(number, name, _words(error)))
            continue
        if mark in seen:
            message = f"The same as line {seen[mark]}; it is taken once."
            problems.append(_problem(number, name, message))
            continue
        seen[mark] = number
        lines.append(line)
    return lines, sorted(problems, key=lambda problem: problem.line)


def _words(error: BadInput | ValueError) -> str:
    if isinstance(error, BadInput):
        return words(error.message)
    return str(error)


def _csv_rows(text: str, path: Path, problems: list[Problem]) -> Iterator[Row]:
    reader = csv.DictReader(io.StringIO(text))
    try:
        columns = reader.fieldnames or ()
    except csv.Error as error:
        raise BadInput(
            coded("manifest.line", path=str(path), line_num=1, error=str(error))
        ) from error
    if "notebook" not in columns:
        raise BadInput(coded("manifest.no-column", path=str(path)))
    for column in columns:
        if not _known(column):
            message = f"The column {column[:_LONGEST_NAME]!r} is not known and not used."
            problems.append(_problem(1, "", message))
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problems.append(_problem(reader.reader.line_num, "", f"It is no CSV: {error}."))
            continue
        if row.get(None):  # DictReader puts surplus fields there
            message = "It has more fields than the file has columns."
            problems.append(_problem(reader.line_num, row.get("notebook") or "", message))
            continue
        yield (
            reader.line_num,
            {
                name: _typed(name, value)
                for name, value in row.items()
                if _known(name) and value not in (None, "")
            },
        )


def _typed(name: str, text: str) -> object:
    """Return a field of a CSV: parse lists and objects as JSON, leave the rest to the settings."""
    if name == "fixers" and not text.lstrip().startswith("["):
        return [part.strip() for part in text.split(",")]
    if text.lstrip()[:1] in ("[", "{"):
        try:
            return read_json(text)
        except UnreadableText:
            return text
    return text


def _json_rows(text: str, problems: list[Problem]) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = read_json(line)
        except UnreadableText as error:
            problems.append(_problem(number, "", f"It is no JSON: {error}."))
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            problems.append(_problem(number, "", "It is no JSON object."))


def _yaml_rows(text: str, path: Path, problems: list[Problem]) -> Iterator[Row]:
    try:
        content = read_yaml(text)
    except UnreadableText as error:
        why = f"line {error.line}: {error}"
        raise BadInput(coded("manifest.no-yaml", path=str(path), error=why)) from error
    if not isinstance(content, list):
        raise BadInput(coded("manifest.no-list", path=str(path)))
    for number, row in enumerate(content, 1):
        if isinstance(row, dict):
            yield number, row
        else:
            problems.append(_problem(number, "", "It is no mapping."))


def _known(column: object) -> bool:
    name = str(column)
    return (
        name in _OTHERS
        or name in _RESOURCES
        or _ALIASES.get(name, name) in _SETTINGS
        or name.startswith(FOUND)
    )


def _line(number: int, row: dict[str, object], folder: Path) -> Line:
    unknown = [repr(name)[:_LONGEST_NAME] for name in row if not _known(name)]
    if unknown:
        raise BadInput(coded("manifest.unknown-fields", fields=", ".join(unknown)))
    name = str(row.get("notebook") or "").strip()
    if not name:
        raise BadInput(coded("manifest.names-none"))
    path = (folder / expanded(Path(name))).absolute()
    if not is_file(path):
        raise BadInput(coded("file.missing", path=_shortened(str(path))))
    settings: dict[str, JsonValue] = {
        _ALIASES.get(key, key): value  # type: ignore[misc]  # what JSON, YAML or CSV gave
        for key, value in row.items()
        if _ALIASES.get(key, key) in _SETTINGS and value is not None
    }
    # Validate each setting alone, and now: an error must not appear on the batch's last day.
    checked = checked_settings(settings).model_dump(mode="json")
    resources = {
        resource: _amount(row[key], key) for key, resource in _RESOURCES.items() if row.get(key)
    }
    seconds = row.get("seconds")
    return Line(
        number=number,
        notebook=str(path),
        name=name,
        settings={key: checked[key] for key in settings},
        resources=resources,
        seconds=None if seconds in (None, "") else _amount(seconds, "seconds"),
    )


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"


_UNITS = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def _amount(value: object, name: str) -> float:
    text = str(value).strip().lower().removesuffix("b")
    factor = _UNITS.get(text[-1:], 1) if name == "memory" else 1
    try:
        number = float(text[:-1] if factor > 1 else text) * factor
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise BadInput(coded("manifest.no-number", name=name, value=repr(str(value)[:40])))
    return number
