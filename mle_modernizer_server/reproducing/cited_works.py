"""The available works that a paper builds on, and the values they state in its place.

A cited paper is in the paper's folder, or in its subfolder `cited`, or was fetched from
arXiv at a person's request; code is in folders of `cited`, or is installed. Nothing is executed,
and nothing is fetched here.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from mle_modernizer_server.domain.errors import BadPaper
from mle_modernizer_server.domain.paper import (
    Ancestor,
    CitedSource,
    Paper,
    Reference,
    SourceKind,
    Statement,
    TakenValue,
)
from mle_modernizer_server.papers.read import ReadingLimits, read_paper
from mle_modernizer_server.reproducing.checklist import checklist_of
from mle_modernizer_server.reproducing.cited_code import code_citing
from mle_modernizer_server.untrusted.files import is_file, is_folder, open_regular

CITED_FOLDER = "cited"
"""Folder next to the paper for works and repositories that a person drops."""
_SUFFIXES = (".tex", ".ltx", ".pdf", ".tar.gz", ".tgz", ".gz", ".zip", ".md", ".html", ".htm")
_MOST_FILES = 100
_MOST_READ = 6
"""Most files that are opened only to check their title."""
_SECONDS = 60.0
_LIMITS = ReadingLimits(seconds=30.0)
_SAME_TITLE = 0.9
_HEAD = 64_000
_FEWEST_LETTERS = 12

Kept = Callable[[str], Path | None]
"""Returns the file fetched from an address; None if absent."""


def with_sources(
    ancestors: Sequence[Ancestor],
    references: Sequence[Reference],
    paper: Path,
    kept: Kept,
) -> tuple[Ancestor, ...]:
    """Return the works with their available sources, and the values they state. Blocks.

    Args:
        ancestors: The works that the paper builds on.
        references: All that it cites.
        paper: Its file.
        kept: Returns the fetched file of an address.
    """
    if not ancestors:
        return ()
    cited = {one.key: one for one in references}
    known = [(one, cited[one.key]) for one in ancestors if one.key in cited]
    papers = _papers_of(known, paper, kept)
    titles = {reference.key: reference.title for _, reference in known}
    sources = code_citing(titles, tuple(_repositories(paper.parent)))
    return tuple(_with(one, papers.get(one.key), sources.get(one.key, ())) for one in ancestors)


def _with(
    ancestor: Ancestor,
    found: tuple[CitedSource, Paper] | None,
    code: tuple[CitedSource, ...],
) -> Ancestor:
    if found is None:
        return ancestor.model_copy(update={"sources": code})
    source, paper = found
    stated = {item.name: item for item in checklist_of(paper)} if ancestor.requirements else {}
    taken = []
    for name in ancestor.requirements:
        item = stated.get(name)
        if item is None or item.statement is not Statement.STATED or not item.value:
            continue
        evidence = next((one for one in item.evidence if one.value == item.value), None)
        if evidence is not None:
            taken.append(
                TakenValue(
                    requirement=name,
                    value=item.value[:500],
                    source=source.name,
                    where=paper.where(evidence.place)[:200],
                    quote=evidence.quote[:500],
                )
            )
    return ancestor.model_copy(update={"sources": (source, *code), "taken": tuple(taken)})


def _papers_of(
    known: Sequence[tuple[Ancestor, Reference]], paper: Path, kept: Kept
) -> dict[str, tuple[CitedSource, Paper]]:
    """Return the available cited papers by key, parsed."""
    found: dict[str, tuple[CitedSource, Paper]] = {}
    until = time.monotonic() + _SECONDS
    files = list(_files(paper))
    for _, reference in known:
        named = [file for file in files if _is_named(file, reference)]
        for file in named[:1]:
            read = _read(file, until)
            if read is not None:
                found[reference.key] = (_file_source(file, paper, read), read)
                files.remove(file)
    missing = [one for _, one in known if one.key not in found and one.title]
    for file in files[:_MOST_READ] if missing else ():
        read = _read(file, until)
        if read is None:
            continue
        for one in missing:
            if _same_title(one.title, read.title):
                found.setdefault(one.key, (_file_source(file, paper, read), read))
    for ancestor, reference in known:
        address = ancestor.address
        fetched = kept(address) if address and reference.key not in found else None
        read = None if fetched is None else _read(fetched, until)
        if read is not None:
            source = CitedSource(kind=SourceKind.FETCHED, name=address, title=read.title[:300])
            found[reference.key] = (source, read)
    return found


def _file_source(file: Path, paper: Path, read: Paper) -> CitedSource:
    name = file.relative_to(paper.parent.resolve()).as_posix()
    return CitedSource(kind=SourceKind.FOLDER, name=name[:300], title=read.title[:300])


def _read(file: Path, until: float) -> Paper | None:
    """Read a cited paper; None if it is none, or if time is up."""
    if time.monotonic() > until:
        return None
    try:
        return read_paper(file, _LIMITS)
    except BadPaper:
        return None  # a neighbouring file that is no paper is not a mistake


def _files(paper: Path) -> Iterator[Path]:
    """Yield files that may be cited papers: those of `cited` first, no links to elsewhere."""
    home = paper.parent.resolve()
    own = paper.resolve()
    count = 0
    for folder in (home / CITED_FOLDER, home):
        if folder.is_symlink():
            continue  # it leads to files of others
        try:
            names = sorted(one.name for one in folder.iterdir())
        except OSError:
            continue  # there is no such folder
        for name in names:
            file = folder / name
            if not name.lower().endswith(_SUFFIXES) or file.is_symlink() or not is_file(file):
                continue
            if file == own or not _is_whole(file):
                continue
            count += 1
            if count > _MOST_FILES:
                return
            yield file


def _is_whole(file: Path) -> bool:
    """Return whether a file may be a complete paper: a LaTeX source may be a part of one."""
    if file.suffix.lower() not in (".tex", ".ltx"):
        return True
    try:
        with open_regular(file) as stream:
            return b"\\documentclass" in stream.read(_HEAD)
    except OSError:
        return False


def _repositories(folder: Path) -> Iterator[Path]:
    """Return the folders in `cited`."""
    dropped = folder / CITED_FOLDER
    if not is_folder(dropped) or dropped.is_symlink():
        return
    for one in sorted(dropped.iterdir()):
        if is_folder(one) and not one.is_symlink():
            yield one


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def _is_named(file: Path, reference: Reference) -> bool:
    """Return whether a file is named after a work: its key, arXiv number or title."""
    stem = _plain(re.sub(r"(\.tar)?\.\w+$", "", file.name))
    key, title = _plain(reference.key), _plain(reference.title)
    if not key.isdigit() and len(key) > 3 and stem == key:
        return True
    if reference.arxiv and _plain(reference.arxiv) in stem:
        return True
    return len(stem) >= _FEWEST_LETTERS and len(title) >= _FEWEST_LETTERS and title.startswith(stem)


def _same_title(one: str, other: str) -> bool:
    first, second = _plain(one), _plain(other)
    if min(len(first), len(second)) < _FEWEST_LETTERS:
        return False
    return SequenceMatcher(None, first, second).ratio() >= _SAME_TITLE


def taken_values(ancestors: Sequence[Ancestor]) -> Mapping[str, TakenValue]:
    """Return by requirement the value that a cited work states; the first of several."""
    found: dict[str, TakenValue] = {}
    for ancestor in ancestors:
        for one in ancestor.taken:
            found.setdefault(one.requirement, one)
    return found
