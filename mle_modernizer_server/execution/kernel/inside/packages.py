"""Runs within a kernel, a process or a container: which packages a Python has.

Its source is sent as it is: the standard library and syntax of Python 3.6, nothing of ours.
"""

import re
import sys
from functools import partial
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator  # noqa: UP035  # as Python 3.6 knows them


def describe_packages(names: "Iterable[str] | None") -> "dict[str, Any]":
    """Return Python's version and those of its packages by import name.

    Args:
        names: The requested import names; None for all.
    """
    wanted = None if names is None else set(names)
    packages = {}  # type: dict[str, str]
    for modules, version in _distributions():
        found = modules if wanted is None else modules & wanted
        if found:
            told = version()
            for name in found:
                packages.setdefault(name, told)
    return {"python": ".".join(map(str, sys.version_info[:3])), "packages": packages}


def _distributions() -> "Iterator[tuple[set[str], Callable[[], str]]]":
    """Yield the top-level modules of each installed distribution, and its version's reader.

    A run waits for it: only requested distributions are parsed.
    """
    # metadata.packages_distributions() does the same, but before Python 3.11 only for
    # distributions with a top_level.txt, which most no longer have.
    try:
        from importlib import metadata
    except ImportError:  # before Python 3.8
        for version, modules in _from_files():
            yield modules, partial(str, version)
        return
    for distribution in metadata.distributions():
        modules = set((distribution.read_text("top_level.txt") or "").split())
        if not modules:
            record = distribution.read_text("RECORD")
            if record is None:
                rows = [str(file) for file in distribution.files or ()]
            else:
                rows = _files_of(record)
            modules = _modules_of(rows)
        yield modules, partial(getattr, distribution, "version")


def _from_files() -> "Iterator[tuple[str, set[str]]]":
    for place in map(Path, sys.path):
        for folder in sorted(place.iterdir()) if place.is_dir() else ():
            if folder.suffix not in (".dist-info", ".egg-info"):
                continue
            described = _text(folder / "METADATA") or _text(folder / "PKG-INFO") or _text(folder)
            version = re.search(r"^Version: *(\S+)", described, re.M)
            modules = set(_text(folder / "top_level.txt").split())
            if not modules:
                modules = _modules_of(_files_of(_text(folder / "RECORD")))
            if version:
                yield version.group(1), modules


def _files_of(record: str) -> "list[str]":
    return [row.partition(",")[0] for row in record.splitlines()]


def _modules_of(files: "Iterable[str]") -> "set[str]":
    return {re.split(r"[/.]", file)[0] for file in files if file.endswith(".py")}


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
