"""Read the files next to a notebook: those that name packages, and modules of its own.

The folder is hostile: files are read within a bound, never run, and no link is followed out of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from mle_modernizer_server.untrusted.files import (
    FileTooLarge,
    is_file,
    read_regular,
    resolved,
)
from mle_modernizer_server.untrusted.parsing import UnreadableText, read_toml, read_yaml

_LARGEST = 200_000
_MOST_ENTRIES = 2_000
_MOST_MODULES = 30
_REQUIREMENT_FILES = ("requirements.txt", "requirements.in")
_ENVIRONMENT_FILES = ("environment.yml", "environment.yaml")


@dataclass
class NamedPackages:
    """Texts that name packages, by their file.

    Attributes:
        texts: (file, text) in order.
        too_large: Files that were not read.
    """

    texts: list[tuple[str, str]] = field(default_factory=list)
    too_large: list[str] = field(default_factory=list)


def named_packages(folder: Path) -> NamedPackages:
    """Return the package texts of requirements.txt, pyproject.toml and environment.yml."""
    found = NamedPackages()
    for name in _REQUIREMENT_FILES:
        rows = (_read(folder / name, found) or "").replace("\\\n", " ").splitlines()
        found.texts += [
            (name, text) for row in rows if (text := re.sub(r"(^|\s)#.*$", "", row).strip())
        ]
    if content := _read(folder / "pyproject.toml", found):
        found.texts += [("pyproject.toml", text) for text in _of_pyproject(content)]
    for name in _ENVIRONMENT_FILES:
        if content := _read(folder / name, found):
            found.texts += [(name, text) for text in _of_environment(content)]
    return found


def is_local(name: str, folder: Path, places: tuple[str, ...], known: bool) -> bool:
    """Return whether an import name is a module of the notebook's own.

    Args:
        name: A top-level import name.
        folder: The notebook's folder.
        places: Further folders that the notebook puts on Python's path, as it writes them.
        known: Whether a table knows a distribution of that name: a folder of plain data or scripts
            of the same name does not hide it, as it does not in Python.
    """
    for place in (folder, *_inside(folder, places)):
        if is_file(place / f"{name}.py") or is_file(place / name / "__init__.py"):
            return True
        if not known and _has_modules(place / name):
            return True
    return False


def module_texts(name: str, folder: Path, places: tuple[str, ...]) -> Iterator[str]:
    """Yield the texts of a module of the notebook's own; of a package those of its folder.

    Args:
        name: A top-level import name.
        folder: The notebook's folder.
        places: Further folders that the notebook puts on Python's path, as it writes them.
    """
    left_out = NamedPackages()
    for place in (folder, *_inside(folder, places)):
        files = [place / f"{name}.py"]
        try:
            within = list(islice((place / name).iterdir(), _MOST_ENTRIES))
        except OSError:
            within = []
        files += sorted(entry for entry in within if entry.suffix == ".py")[:_MOST_MODULES]
        for file in files:
            if text := _read(file, left_out):
                yield text


def _has_modules(folder: Path) -> bool:
    try:
        for number, entry in enumerate(folder.iterdir()):
            if entry.suffix == ".py":
                return True
            if number > _MOST_ENTRIES:
                break
    except OSError:
        return False
    return False


def _inside(folder: Path, places: tuple[str, ...]) -> Iterator[Path]:
    """Yield the folders named, relative ones only, at most two levels above the notebook's."""
    for place in places:
        path = Path(place)
        if not path.is_absolute() and path.parts.count("..") <= 2 and "\0" not in place:
            yield folder / path


def _read(path: Path, found: NamedPackages) -> str | None:
    place, folder = resolved(path), resolved(path.parent)
    if place is None or place.parent != folder:
        return None
    try:
        return read_regular(place, _LARGEST, follow_links=False).decode("utf-8-sig", "replace")
    except FileTooLarge:
        found.too_large.append(path.name)
    except OSError:
        pass  # an unreadable file has no requirements
    return None


def _of_pyproject(content: str) -> list[str]:
    try:
        data = read_toml(content)
    except UnreadableText:
        return []
    project = data.get("project")
    listed = project.get("dependencies") if isinstance(project, dict) else None
    found = [text for text in listed if isinstance(text, str)] if isinstance(listed, list) else []
    tool = data.get("tool")
    poetry = tool.get("poetry") if isinstance(tool, dict) else None
    wanted = poetry.get("dependencies") if isinstance(poetry, dict) else None
    for name, value in wanted.items() if isinstance(wanted, dict) else ():
        if name != "python":
            found.append(name + _of_poetry(value))
    return found


def _of_poetry(value: object) -> str:
    """Return a version of Poetry's as a specifier; a caret is taken as its lower bound."""
    text = value.get("version") if isinstance(value, dict) else value
    if not isinstance(text, str) or text.strip() in ("*", ""):
        return ""
    text = text.strip()
    if text[0] in "^~" and not text.startswith("~="):
        return f">={text[1:].strip()}"
    return f"=={text}" if text[0].isdigit() else text


def _of_environment(content: str) -> list[str]:
    """Return the dependencies of a conda environment; `name=1.2` is conda's `==1.2.*`."""
    try:
        data = read_yaml(content)
    except UnreadableText:
        return []
    listed = data.get("dependencies") if isinstance(data, dict) else None
    found: list[str] = []
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, str):
            found += [text] if (text := conda_requirement(item)) else []
        elif isinstance(item, dict) and isinstance(item.get("pip"), list):
            found += [text for text in item["pip"] if isinstance(text, str)]
    return found


def conda_requirement(text: str) -> str:
    """Return conda's name of a package as a PEP 508 requirement; "" if it is not on PyPI."""
    text = text.rpartition("::")[2].strip()
    name = re.split(r"[\s=<>!~]", text, maxsplit=1)[0]
    if name in ("python", "pip", "anaconda", "conda", "nb_conda_kernels"):
        return ""
    rest = text[len(name) :].strip()
    exact = re.fullmatch(r"=([\w.]+)(?:=\S+)?", rest)
    if exact:
        return f"{_ON_INDEX.get(name, name)}=={exact[1]}.*"
    rest = re.sub(r"^(==[\w.]+)=\w+$", r"\1", rest)  # conda's build
    return _ON_INDEX.get(name, name) + rest


_ON_INDEX = {"pytorch": "torch", "opencv": "opencv-python-headless", "tensorflow-gpu": "tensorflow"}
"""Conda's name → the index's, if they differ."""
