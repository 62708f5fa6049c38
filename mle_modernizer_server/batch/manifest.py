"""The lines of a batch: the notebooks of a folder or a glob, or what a manifest lists."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml
from pydantic import JsonValue, ValidationError

from mle_modernizer_server.batch.study import Line, Problem
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.session import SessionSettings
from mle_modernizer_server.words import text as words

FORMATS = (".csv", ".jsonl", ".ndjson", ".yaml", ".yml")
FOUND = "found_"
"""Columns whose names begin so are what a plan found, for people to read; a batch ignores them."""
_ALIASES = {"target": "target_score"}
_NOT_A_LINES = frozenset({"mode"})
"""Settings that are the arm's."""
_SETTINGS = frozenset(SessionSettings.model_fields) - _NOT_A_LINES
_RESOURCES = {"gpu": "GPU", "memory": "MEMORY"}
_OTHERS = ("notebook", "seconds")
_MOST_BYTES = 200_000_000

Row = tuple[int, dict[str, object]]


def read_lines(what: str) -> tuple[list[Line], list[Problem]]:
    """Return the lines of a batch, and what is wrong with those that are left out.

    Args:
        what: A folder (searched for notebooks; hidden folders and checkpoints aside), a notebook,
            a glob, or a manifest (CSV, JSON lines or YAML).

    Raises:
        BadInput: There is no such thing, it cannot be read, or there is no notebook in it.
    """
    path = Path(what).expanduser()
    if path.is_dir():
        lines, problems = _of_files(_notebooks_below(path), path)
    elif path.suffix.lower() in FORMATS and path.is_file():
        lines, problems = _of_manifest(path)
    elif path.is_file():
        lines, problems = _of_files([path], path.parent)
    else:
        found = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
        if not found:
            raise BadInput(coded("manifest.none", what=what, formats=", ".join(FORMATS)))
        files = [each for each in found if each.suffix == ".ipynb" and each.is_file()]
        lines, problems = _of_files(files, _common(files))
    if not lines and not problems:
        raise BadInput(coded("manifest.no-notebook", what=what))
    return lines, problems


def _notebooks_below(folder: Path) -> list[Path]:
    def hidden(path: Path) -> bool:
        return any(part.startswith(".") for part in path.relative_to(folder).parts)

    return sorted(path for path in folder.rglob("*.ipynb") if path.is_file() and not hidden(path))


def _common(files: list[Path]) -> Path:
    if not files:
        return Path()
    folders = [path.absolute().parent for path in files]
    common = folders[0]
    while not all(folder.is_relative_to(common) for folder in folders):
        common = common.parent
    return common


def _of_files(files: Iterable[Path], root: Path) -> tuple[list[Line], list[Problem]]:
    lines = []
    for number, file in enumerate(files, 1):
        absolute = file.absolute()
        name = absolute.relative_to(root.absolute()).as_posix()
        lines.append(Line(number=number, notebook=str(absolute), name=name))
    return lines, []


# Manifests


def _of_manifest(path: Path) -> tuple[list[Line], list[Problem]]:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise BadInput(coded("manifest.too-large", path=str(path), most_bytes=_MOST_BYTES))
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(coded("file.not-readable", path=str(path), why=str(error))) from error
    problems: list[Problem] = []
    suffix = path.suffix.lower()
    if suffix == ".csv":
        rows = list(_csv_rows(text, path, problems))
    elif suffix in (".yaml", ".yml"):
        rows = list(_yaml_rows(text, path))
    else:
        rows = list(_json_rows(text, problems))
    lines: list[Line] = []
    seen: dict[str, int] = {}
    for number, row in rows:
        name = str(row.get("notebook") or "").strip()
        try:
            line = _line(number, row, path.parent)
        except (BadInput, ValidationError, ValueError) as error:
            message = words(error.message) if isinstance(error, BadInput) else str(error)
            problems.append(Problem(line=number, name=name, message=message))
            continue
        mark = line.model_copy(update={"number": 0}).model_dump_json()
        if mark in seen:
            message = f"The same as line {seen[mark]}; it is taken once."
            problems.append(Problem(line=number, name=name, message=message))
            continue
        seen[mark] = number
        lines.append(line)
    return lines, sorted(problems, key=lambda problem: problem.line)


def _csv_rows(text: str, path: Path, problems: list[Problem]) -> Iterator[Row]:
    reader = csv.DictReader(io.StringIO(text))
    columns = reader.fieldnames or ()
    if "notebook" not in columns:
        raise BadInput(coded("manifest.no-column", path=str(path)))
    for column in columns:
        if not _known(column):
            message = f"The column {column!r} is not known and not used."
            problems.append(Problem(line=1, name="", message=message))
    try:
        for row in reader:
            if row.get(None):  # that is where DictReader puts them
                message = "It has more fields than the file has columns."
                name = row.get("notebook") or ""
                problems.append(Problem(line=reader.line_num, name=name, message=message))
                continue
            yield (
                reader.line_num,
                {
                    name: _typed(name, value)
                    for name, value in row.items()
                    if _known(name) and value not in (None, "")
                },
            )
    except csv.Error as error:
        raise BadInput(
            coded("manifest.line", path=str(path), line_num=reader.line_num, error=str(error))
        ) from error


def _typed(name: str, text: str) -> object:
    """A field of a CSV: lists and objects are JSON, the rest is left to the settings."""
    if name == "fixers" and not text.lstrip().startswith("["):
        return [part.strip() for part in text.split(",")]
    if text.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(text)
        except json.JSONDecodeError:
            return text
    return text


def _json_rows(text: str, problems: list[Problem]) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            problems.append(Problem(line=number, name="", message=f"It is no JSON: {error}."))
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            problems.append(Problem(line=number, name="", message="It is no JSON object."))


def _yaml_rows(text: str, path: Path) -> Iterator[Row]:
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise BadInput(coded("manifest.no-yaml", path=str(path), error=str(error))) from error
    if not isinstance(content, list) or not all(isinstance(item, dict) for item in content):
        raise BadInput(coded("manifest.no-list", path=str(path)))
    yield from enumerate(content, 1)


def _known(column: object) -> bool:
    name = str(column)
    return (
        name in _OTHERS
        or name in _RESOURCES
        or _ALIASES.get(name, name) in _SETTINGS
        or name.startswith(FOUND)
    )


def _line(number: int, row: dict[str, object], folder: Path) -> Line:
    unknown = [name for name in row if not _known(name)]
    if unknown:
        raise BadInput(coded("manifest.unknown-fields", fields=", ".join(map(repr, unknown))))
    name = str(row.get("notebook") or "").strip()
    if not name:
        raise BadInput(coded("manifest.names-none"))
    path = (folder / Path(name).expanduser()).absolute()
    if not path.is_file():
        raise BadInput(coded("file.missing", path=str(path)))
    settings: dict[str, JsonValue] = {
        _ALIASES.get(key, key): value  # type: ignore[misc]  # what JSON, YAML or CSV gave
        for key, value in row.items()
        if _ALIASES.get(key, key) in _SETTINGS and value is not None
    }
    # Each setting by itself, and now: a wrong one should not come up on the last day of the batch.
    checked = SessionSettings.model_validate(settings).model_dump(mode="json")
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
