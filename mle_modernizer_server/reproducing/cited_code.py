"""Code that names a work in its documentation: of installed libraries, and of dropped repositories.

Libraries cite the papers that they implement: a title in the docstring of a class identifies the
implementation. Sources are read as text and parsed; nothing is imported or executed.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from mle_modernizer_server.code.contents import Definition, definitions
from mle_modernizer_server.domain.paper import CitedSource, SourceKind
from mle_modernizer_server.untrusted.files import read_regular

LIBRARIES = (
    *("sklearn", "statsmodels", "scipy", "xgboost", "lightgbm", "catboost", "imblearn"),
    *("torch", "torchvision", "keras", "tensorflow", "transformers"),
)
"""Packages to search."""
_MOST_FILES = 20_000
_MOST_BYTES = 2_000_000
"""Of one file."""
_SECONDS = 15.0
_MOST_FOUND = 3
_EXCERPT = 2_000
_SKIPPED = frozenset({"tests", "test", "testing", "benchmarks", "node_modules", "site-packages"})
_FEWEST_WORDS = 3
_FEWEST_LETTERS = 16


@dataclass(frozen=True)
class _Root:
    """A folder of sources."""

    folder: Path
    prefix: str
    """Prefix of its module names."""
    kind: SourceKind
    version: str = ""


_Found = dict[str, tuple[CitedSource, ...]]


def code_citing(
    titles: dict[str, str],
    repositories: tuple[Path, ...] = (),
    libraries: tuple[str, ...] = LIBRARIES,
) -> _Found:
    """Find code that names works in its documentation. Blocks, for a quarter of a minute at most.

    Args:
        titles: By key of a work, its title; a title of few words is ambiguous and is skipped.
        repositories: Folders of code that a person dropped next to a paper.
        libraries: Names of packages of this Python.

    Returns:
        By key, at most three sources, those of repositories first, classes before functions.
    """
    roots = [_Root(one, "", SourceKind.FOLDER) for one in repositories]
    dropped = _search(titles, roots)
    installed = _in_libraries(tuple(sorted(titles.items())), libraries)
    return {key: (*dropped.get(key, ()), *installed.get(key, ()))[:_MOST_FOUND] for key in titles}


@lru_cache(maxsize=32)
def _in_libraries(titles: tuple[tuple[str, str], ...], libraries: tuple[str, ...]) -> _Found:
    """Search installed libraries; cached, since they do not change in this process."""
    roots = [root for name in libraries if (root := _installed(name)) is not None]
    return _search(dict(titles), roots)


def _search(titles: dict[str, str], roots: list[_Root]) -> _Found:
    patterns = {key: made for key, title in titles.items() if (made := _pattern(title))}
    hits: dict[str, list[tuple[bool, CitedSource]]] = {key: [] for key in patterns}
    until = time.monotonic() + _SECONDS
    for root, path in _files(roots) if patterns else ():
        if time.monotonic() > until:
            break
        text = _text(path)
        low = text.lower()
        for key, (rare, pattern) in patterns.items():
            if rare in low and pattern.search(text):
                hits[key] += _citing(root, path, text, pattern)
    return {
        key: tuple(one for _, one in sorted(found, key=lambda hit: hit[0]))[:_MOST_FOUND]
        for key, found in hits.items()
    }


def _files(roots: list[_Root]) -> Iterator[tuple[_Root, Path]]:
    count = 0
    for root in roots:
        for folder, folders, names in os.walk(root.folder):
            folders[:] = sorted(
                name
                for name in folders
                if name.lower() not in _SKIPPED and not name.startswith(".")
            )
            for name in sorted(names):
                path = Path(folder, name)
                if not name.endswith(".py") or path.is_symlink():
                    continue
                count += 1
                if count > _MOST_FILES:
                    return
                yield root, path


def _installed(name: str) -> _Root | None:
    """Return the sources of a package of this Python without importing it."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None  # a package without sources is skipped
    if spec is None or not spec.submodule_search_locations:
        return None
    distributions = importlib.metadata.packages_distributions().get(name, [name])
    try:
        version = f"{distributions[0]} {importlib.metadata.version(distributions[0])}"
    except importlib.metadata.PackageNotFoundError:
        version = name
    folder = Path(next(iter(spec.submodule_search_locations)))
    return _Root(folder, name, SourceKind.INSTALLED, version)


def _pattern(title: str) -> tuple[str, re.Pattern[str]] | None:
    """Return a title's longest word, and a pattern of its words with any separators."""
    words = re.findall(r"\w+", title)[:30]
    if len(words) < _FEWEST_WORDS or sum(map(len, words)) < _FEWEST_LETTERS:
        return None
    between = r"[\W_]{1,80}"  # a title goes over lines of a docstring
    pattern = re.compile(rf"\b{between.join(map(re.escape, words))}\b", re.IGNORECASE)
    return max(words, key=len).lower(), pattern


def _text(path: Path) -> str:
    try:
        return read_regular(path, _MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""  # an unreadable file cites nothing


def _citing(
    root: _Root, path: Path, text: str, pattern: re.Pattern[str]
) -> list[tuple[bool, CitedSource]]:
    """Return the public classes and functions of a file whose docstring names the work."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # code by others
            defined = definitions(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # code of another Python: its text alone names no class
    return [
        (one.is_function, _source(root, path, one))
        for one in defined
        if not one.name.startswith("_") and pattern.search(one.docstring)
    ]


def _source(root: _Root, path: Path, one: Definition) -> CitedSource:
    place = path.relative_to(root.folder)
    if root.kind is SourceKind.FOLDER:
        name = f"{root.folder.name}/{place.as_posix()}: {one.name}"
    else:
        name = ".".join([root.prefix, *_module(path, place, one.name), one.name])
    return CitedSource(
        kind=root.kind, name=name[:300], version=root.version, excerpt=one.code[:_EXCERPT]
    )


def _module(path: Path, place: Path, name: str) -> tuple[str, ...]:
    """Return the module to import a name from: a private module's package if it has the name."""
    parts = place.with_suffix("").parts
    if parts[-1].startswith("_") and re.search(
        rf"\b{re.escape(name)}\b", _text(path.with_name("__init__.py"))
    ):
        return parts[:-1]
    return parts
