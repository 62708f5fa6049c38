"""Files that the user supplies for the paths that a notebook reads, checked before any run.

They may be in any folder, because the user named each of them. Hidden files, system files and
files with a competition's answers are refused nevertheless.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.files import downloaded_name, places_of
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.notebook_folder.visible_files import may_hold_answers

_NO_PATH = ("~", "http://", "https://")
_OF_MANY_FILES = frozenset({"huggingface.co", "tfhub.dev", "www.openml.org", "openml.org"})
"""Servers of models and data that libraries keep in folders with indexes of their own."""
_OF_SYSTEM = frozenset({"boot", "dev", "etc", "proc", "run", "sys"})


def check_given(given: Mapping[str, Path], data_root: Path) -> dict[str, Path]:
    """Return the files by the paths they are served at, links followed.

    Args:
        given: Files by the path or web address in the notebook: a file for an address is served
            where libraries look for it (`places_of`), or under its name in the notebook's folder,
            and a fix rewrites the address to it.
        data_root: Directory of the competitions, whose answers are not served.

    Raises:
        BadInput: A path or a file cannot be used; the message states the reason.
    """
    found = {}
    for path, file in given.items():
        name = downloaded_name(path)
        at = posixpath.normpath(name or path)
        if (
            not path
            or "\0" in path
            or (name is None and path.startswith(_NO_PATH))
            or at in (".", "..", "/")
        ):
            raise BadInput(coded("given.no-path", path=path, file=str(file), path2=repr(path)))
        try:
            real = file.resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise BadInput(coded("given.no-file", path=path, file=str(file))) from error
        why = _refusal(file.absolute(), real, data_root)
        if why:
            raise BadInput(coded("given.unusable", path=path, file=str(file), why=why))
        if name is not None and urlsplit(path).hostname in _OF_MANY_FILES:
            why = "the library reads it together with others; offer your cache (--caches) instead"
            raise BadInput(coded("given.unusable", path=path, file=str(file), why=why))
        for place in (at,) if name is None else places_of(path):
            found[place] = real
    return found


def _refusal(named: Path, real: Path, data_root: Path) -> str:
    """Return the reason for refusing a file; empty if it can be served."""
    if real.is_dir():
        return "it is a folder; name a file"
    if not real.is_file():
        return "it is no file"
    for path in (Path(os.path.normpath(named)), real):
        if any(part.startswith(".") for part in path.parts[1:]):
            return "it is hidden or lies in a hidden folder"
        if path.parts[1:2] and path.parts[1] in _OF_SYSTEM:
            return "it belongs to the system"
    if not os.access(real, os.R_OK):
        return "it cannot be read with your rights"
    if may_hold_answers(real, data_root.resolve()):
        return "it may hold a competition's answers; only prepared/public is shown to a notebook"
    return ""
