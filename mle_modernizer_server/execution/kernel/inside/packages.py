"""Runs within a kernel, a process or a container: which packages a Python has.

Its source is sent as it is: the standard library and syntax of Python 3.6, nothing of ours.
"""

import re
import sys
from pathlib import Path
from typing import Any, Iterable, Iterator  # noqa: UP035  # as Python 3.6 knows them


def describe_packages(names: "Iterable[str] | None") -> "dict[str, Any]":
    """Return Python's version and those of its packages by import name.

    Args:
        names: The import names that are wanted; None for all.
    """
    wanted = None if names is None else set(names)
    packages = {}  # type: dict[str, str]
    for version, modules in _distributions():
        for name in modules if wanted is None else modules & wanted:
            packages.setdefault(name, version)
    return {"python": ".".join(map(str, sys.version_info[:3])), "packages": packages}


def _distributions() -> "Iterator[tuple[str, set[str]]]":
    """Yield version and top-level modules of everything installed."""
    # metadata.packages_distributions() does the same, but before Python 3.11 only for
    # distributions with a top_level.txt, which most no longer have.
    try:
        from importlib import metadata
    except ImportError:  # before Python 3.8
        yield from _from_files()
        return
    for distribution in metadata.distributions():
        modules = set((distribution.read_text("top_level.txt") or "").split())
        if not modules:
            files = [file.parts for file in distribution.files or () if file.suffix == ".py"]
            modules = {parts[0].partition(".")[0] for parts in files}
        yield distribution.version, modules


def _from_files() -> "Iterator[tuple[str, set[str]]]":
    for place in map(Path, sys.path):
        for folder in sorted(place.iterdir()) if place.is_dir() else ():
            if folder.suffix not in (".dist-info", ".egg-info"):
                continue
            described = _text(folder / "METADATA") or _text(folder / "PKG-INFO") or _text(folder)
            version = re.search(r"^Version: *(\S+)", described, re.M)
            modules = set(_text(folder / "top_level.txt").split())
            if not modules:
                rows = [row.partition(",")[0] for row in _text(folder / "RECORD").splitlines()]
                modules = {re.split(r"[/.]", row)[0] for row in rows if row.endswith(".py")}
            if version:
                yield version.group(1), modules


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
