"""The notebook's own modules: content of their copies, and imports between them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from mle_modernizer_server.code.contents import source_encoding
from mle_modernizer_server.domain.execution import CellError, FileAccess
from mle_modernizer_server.domain.files import HelperReading, HelperSource
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.text import plain_text
from mle_modernizer_server.execution.notebook_folder.visible_files import Item, ReadHelpers, Shown
from mle_modernizer_server.untrusted.files import is_file, read_regular

_MOST = 50
_LONGEST = 200_000
"""Bytes of a module that is looked into."""
_INIT = "__init__.py"
_FRAME = re.compile(r"^File (?P<path>\S.*?\.py):\d+", re.MULTILINE)
_NO_MODULE = re.compile(r"^No module named '(?P<name>\w+)")
_INSTALLED = re.compile(r"/(?:site|dist)-packages/")


def read_copies(shown: Shown, read: ReadHelpers) -> tuple[HelperReading, ...]:
    """Return the copied modules whose content must differ from their files.

    Args:
        shown: The run's visible files.
        read: Returns the content of the copies.
    """
    modules = _modules(shown)
    sources: list[HelperSource] = []
    for item in shown.items:
        if item.at in modules and item.access is FileAccess.COPY and len(sources) < _MOST:
            text = _text(item)
            if text is not None:
                beside = _package(item.at, modules)
                sources.append(HelperSource(path=item.at, source=text, beside=beside))
    return read(tuple(sources)) if sources else ()


def encoding_of(module: Path) -> str:
    """Return the encoding of a module's source.

    Raises:
        OSError: The file cannot be read any more.
    """
    return source_encoding(read_regular(module, _LONGEST)) or "utf-8"


def remarks_on(readings: Iterable[HelperReading]) -> Messages:
    """Return messages that name the modules whose copies differ from their files."""
    readings = tuple(readings)
    translated = [one.path for one in readings if one.translated]
    relative = [one for one in readings if one.relative]
    found: Messages = ()
    if translated:
        found += coded("beside.translated", count=len(translated), files=_listed(translated))
    for one in relative[:_MOST_REMARKS]:
        names = _listed(one.relative)
        found += coded("beside.relative", file=one.path, modules=names, count=len(one.relative))
    return found


_MOST_REMARKS = 5


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = "" if len(names) <= _MOST_REMARKS else ", …"
    return ", ".join(f"`{name}`" for name in names[:_MOST_REMARKS]) + more


def imported_beside(error: CellError, shown: Shown) -> str:
    """Return the module that failed to import another one from its own folder.

    Args:
        error: Of a cell.
        shown: The run's visible files.

    Returns:
        Its path as the notebook sees it; "" for any other error.
    """
    missing = _NO_MODULE.match(error.evalue)
    if error.ename != "ModuleNotFoundError" or missing is None:
        return ""
    frames = _FRAME.findall(plain_text(error.traceback))
    if not frames or _INSTALLED.search(frames[-1]):
        return ""
    modules = _modules(shown)
    raising = [at for at in modules if f"/{frames[-1]}".endswith(f"/{at}")]
    at = max(raising, key=len, default="")
    return at if at and missing["name"] in _package(at, modules) else ""


def _modules(shown: Shown) -> frozenset[str]:
    """Return the visible Python files, including those in mounted folders."""
    return frozenset(at for at, _ in zip(_all_modules(shown), range(_MOST_LOOKED_AT), strict=False))


_MOST_LOOKED_AT = 2_000


def _all_modules(shown: Shown) -> Iterator[str]:
    for item in shown.items:
        if item.access not in (FileAccess.COPY, FileAccess.READ_ONLY):
            continue
        if not item.is_folder and item.at.endswith(".py"):
            yield posixpath.normpath(item.at)
        elif item.is_folder and is_file(item.source / _INIT):
            for file in sorted(item.source.glob("*.py")):
                yield posixpath.join(item.at, file.name)


def _package(at: str, modules: frozenset[str]) -> tuple[str, ...]:
    """Return the names of the other modules in a module's package; empty if it is in none."""
    folder, _, own = at.rpartition("/")
    if not folder or f"{folder}/{_INIT}" not in modules:
        return ()
    found: dict[str, None] = {}
    for other in sorted(modules):
        if other.startswith(f"{folder}/"):
            first, _, rest = other.removeprefix(f"{folder}/").partition("/")
            if rest == _INIT:
                found[first] = None
            elif not rest and first not in (_INIT, own):
                found[first.removesuffix(".py")] = None
    return tuple(found)


def _text(item: Item) -> str | None:
    """Return a module's source; None if it is too long or cannot be read."""
    try:
        content = read_regular(item.source, _LONGEST)
    except OSError:
        return None  # too long, removed, or made unreadable since it was listed
    encoding = source_encoding(content)
    try:
        return None if encoding is None else content.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None  # neither Python can read it
