"""A batch's folder as read during the batch and afterwards; nothing is written.

The folder is untrusted: its files are read with limits, and unreadable ones are counted. A
result is cached until its file changes.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mle_modernizer_server.batch.folder import LARGEST_RESULT, StudyFolder
from mle_modernizer_server.batch.result import Result
from mle_modernizer_server.domain.errors import BadInput, Conflict, NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import notebook_hash
from mle_modernizer_server.domain.proposal import FixerName, Proposal
from mle_modernizer_server.domain.statistics import BatchOverview, BatchRow
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.untrusted.files import FileTooLarge, exists, read_regular, resolved
from mle_modernizer_server.untrusted.parsing import read_json

MOST_RESULTS = 50_000
_LARGEST_SESSION = 50_000_000
_LONGEST_MESSAGE = 500
_KEPT_FOLDERS = 3
_OVERLAP = 2_000_000_000
"""Nanoseconds of tolerance for two clocks, or a coarse one."""


@dataclass(frozen=True)
class _Read:
    """A result file's cached content; `row` is None if it was unreadable."""

    changed: int
    size: int
    row: BatchRow | None


@dataclass
class _Kept:
    """The cached content of a folder."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    results: dict[str, _Read] = field(default_factory=dict)


class Overviews:
    """Reads the folders of batches; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Path, _Kept] = OrderedDict()

    def look(self, root: Path, folder: Path, since: int = 0) -> BatchOverview:
        """Return the batch in a folder.

        Args:
            root: The root directory of the file browser.
            folder: A directory below it.
            since: The stamp of an earlier call; only newer results are in the answer.

        Raises:
            NotFound: The folder is not a batch's.
            BadInput: Its own files cannot be read, or are too large.
        """
        study = StudyFolder(folder)
        read = study.read_study()
        if read is None:
            raise NotFound(coded("batch.no-folder", root=_below(root, folder) or folder.name))
        kept = self._of(folder)
        with kept.lock:
            _read_results(root, folder, kept)
            found = kept.results
        rows = [
            one.row
            for one in found.values()
            if one.row is not None and one.changed > since - _OVERLAP
        ]
        return BatchOverview(
            path=_below(root, folder) or "",
            what=read.what,
            arms=tuple(arm.name for arm in read.arms),
            rows=tuple(rows),
            done=len(found),
            unreadable=sum(one.row is None for one in found.values()),
            stamp=max((one.changed for one in found.values()), default=0),
            standing=study.standing(),
            report=_below(root, folder / "report.html"),
        )

    def _of(self, folder: Path) -> _Kept:
        with self._lock:
            kept = self._kept.setdefault(folder, _Kept())
            self._kept.move_to_end(folder)
            while len(self._kept) > _KEPT_FOLDERS:
                self._kept.popitem(last=False)
            return kept


@dataclass(frozen=True)
class Proposed:
    """A batch's proposal for a notebook.

    Attributes:
        row: Its line.
        file: The notebook, as the batch read it.
        proposal: The changes, with their reasons; its id is the batch's own.
        competition: The competition that the notebook was graded with.
        target: The score it should have.
    """

    row: BatchRow
    file: NotebookFile
    proposal: Proposal
    competition: str | None
    target: float | None


def proposed(root: Path, folder: Path, key: str) -> Proposed:
    """Return a batch's proposal for one of its notebooks.

    Raises:
        NotFound: There is no such result, the notebook is outside of the server's root or was
            removed, or the batch proposes nothing for it.
        Conflict: The notebook was changed since the batch read it.
        BadInput: A file of the batch or the notebook cannot be read, or is too large.
    """
    if os.sep in key or key.startswith("."):
        raise NotFound(coded("batch.no-result", key=key[:_LONGEST_MESSAGE]))
    path = folder / "results" / f"{key}.json"
    result = _result(path)
    if result is None:
        raise NotFound(coded("batch.no-result", key=key))
    row = _row(root, result)
    if row.path is None:
        raise NotFound(coded("batch.notebook-elsewhere", name=row.name))
    file = open_notebook(root / row.path)
    if notebook_hash(file.notebook) != result.notebook_hash:
        raise Conflict(coded("batch.notebook-changed", name=row.name))
    proposal = _final_proposal(folder / "sessions" / f"{key}.json")
    if proposal is None:
        raise NotFound(coded("batch.no-proposal", name=row.name))
    named = proposal.model_copy(update={"id": f"batch-{key}"})
    return Proposed(row, file, named, result.competition, result.target)


def _read_results(root: Path, folder: Path, kept: _Kept) -> None:
    """Load new result files; drop deleted ones.

    Raises:
        BadInput: There are too many.
    """
    seen: dict[str, _Read] = {}
    try:
        entries = os.scandir(folder / "results")
    except OSError:
        kept.results = seen
        return
    with entries:
        for entry in entries:
            if not entry.name.endswith(".json") or entry.name.startswith("."):
                continue
            if len(seen) == MOST_RESULTS:
                raise BadInput(coded("batch.too-many", most=MOST_RESULTS))
            try:
                state = entry.stat(follow_symlinks=False)
            except OSError:
                continue  # deleted meanwhile
            name = entry.name.removesuffix(".json")
            before = kept.results.get(name)
            if before and (before.changed, before.size) == (state.st_mtime_ns, state.st_size):
                seen[name] = before
                continue
            result = _result(Path(entry.path))
            row = None if result is None or result.key != name else _row(root, result)
            seen[name] = _Read(state.st_mtime_ns, state.st_size, row)
    kept.results = seen


def _result(path: Path) -> Result | None:
    """Read a result; None if there is no readable one."""
    try:
        content = read_regular(path, LARGEST_RESULT, follow_links=False)
        return Result.model_validate_json(content)
    except (OSError, ValidationError):
        return None


def _row(root: Path, result: Result) -> BatchRow:
    facts = result.facts
    best = next((one for one in result.scores if one.number == result.best), None)
    fixes = () if facts is None else tuple(fix for fix in facts.fixes if fix.applied)
    return BatchRow(
        key=result.key,
        name=result.line.name,
        path=_below(root, Path(result.line.notebook)),
        arm=result.arm,
        repetition=result.repetition,
        status=result.status.value,
        has_target=result.target is not None,
        first=result.first_state,
        last=result.last_state,
        runs=0 if facts is None else len(facts.runs),
        fixes=len(fixes),
        by_model=any(fix.fixer is not FixerName.RULES or fix.learned for fix in fixes),
        score=None if best is None else best.score,
        deviation=None if best is None else best.deviation,
        seconds=result.seconds,
        cost=result.usage.cost_usd,
        changed=result.modernized,
        message=result.message[:_LONGEST_MESSAGE],
    )


def _final_proposal(path: Path) -> Proposal | None:
    """Return the changes at the end of a session; None if there are none.

    Raises:
        BadInput: The session's file cannot be read, is too large, or is none.
    """
    try:
        session: Any = read_json(read_regular(path, _LARGEST_SESSION, follow_links=False))
        reviews = _reviews(session)
        if not reviews or not reviews[-1].get("final"):
            return None
        return Proposal.model_validate(reviews[-1]["proposal"])
    except FileNotFoundError:
        return None
    except FileTooLarge as error:
        raise BadInput(coded("batch.file-too-large", name=path.name)) from error
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise BadInput(coded("batch.session-unreadable", name=path.name)) from error


def _reviews(session: dict[str, Any]) -> list[dict[str, Any]]:
    iterations = session["iterations"]
    return list(iterations[-1]["reviews"]) if iterations else []


def _below(root: Path, file: Path) -> str | None:
    """Return an existing file's path in the file browser; None if it does not show it."""
    place, home = resolved(file), resolved(root)
    if place is None or home is None or not exists(place) or not place.is_relative_to(home):
        return None
    return place.relative_to(home).as_posix()
