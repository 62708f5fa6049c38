"""The folder of a batch: the record of finished jobs, in small files that are written atomically.

    study.json            settings for all jobs
    results/KEY.json      one per job; exists once the job is done
    sessions/KEY.json     its full history, as `jupyter modernize --report` writes it
    notebooks/KEY.ipynb   the notebook as modernized, if it was changed
    claims/KEY.json       the worker that has it right now
    attempts/KEY.jsonl    time and place of each start, and the reason of an early end
    spending/KEY.jsonl    cost of its model calls, also of attempts that were cut off
    progress.json         progress of the running batch, every few seconds
    rules/ID.yaml         rules learned from a model's fixes, for later notebooks
    rules/own/            the user's own rules, as of the batch's start

All of it may be on a shared file system: every file has one writer at a time, and there is no
database.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timezone
from enum import Enum
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from mle_modernizer_server.batch.claim import Owner, owner_of
from mle_modernizer_server.batch.result import Result
from mle_modernizer_server.batch.study import Study
from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.proposal import LearnedRule
from mle_modernizer_server.untrusted.files import (
    FileTooLarge,
    NotRegular,
    copy_regular,
    is_file,
    read_regular,
)

_SUBFOLDERS = ("results", "sessions", "notebooks", "claims", "attempts", "spending", "rules")
LARGEST_RESULT = 5_000_000
"""Bytes of a job's result."""
_LARGEST = 50_000_000
"""Bytes of every other file."""
_MOST_LEARNED = 150
"""Rules that a batch may learn: together with the user's own they must fit a folder of rules."""


_Line = TypeVar("_Line", bound=Value)


class AttemptEvent(str, Enum):
    """Kind of an attempt's line."""

    BEGAN = "began"
    STOPPED = "stopped"
    """Somebody stopped the batch, or the worker was retired: not the notebook's fault."""


class Attempt(Value):
    """A line of a job's attempts."""

    at: datetime
    run: str
    """Id of the batch's start."""
    worker: str
    event: AttemptEvent


class Standing(Value):
    """Progress of a batch, as its own command reports it.

    Attributes:
        at: Time of the report.
        line: Jobs done, speed, jobs left, cost.
        running: The running jobs, a line each.
    """

    at: datetime
    line: str
    running: tuple[str, ...] = ()


class StudyFolder:
    """A batch's folder; several processes on several machines may use it at once."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def open(self, study: Study) -> Study:
        """Make the folder for a study, or continue in it; return the study as the folder has it.

        Raises:
            BadInput: The folder belongs to another study, or cannot be written.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            there = self.read_study()
            if there is None:
                if any(self.root.iterdir()):
                    raise BadInput(coded("batch.folder-taken", root=str(self.root)))
                for name in _SUBFOLDERS:
                    (self.root / name).mkdir()
                if study.rules_path is not None and study.learn:
                    self._take_own_rules(Path(study.rules_path))
                self._write("study.json", study.model_dump_json(indent=2))
                return study
        except OSError as error:
            raise BadInput(
                coded("file.not-writable", path=str(self.root), why=str(error.strerror))
            ) from error
        changed = there.differences(study)
        if changed:
            raise BadInput(
                coded("batch.other-settings", root=str(self.root), changed=", ".join(changed))
            )
        return there

    def read_study(self) -> Study | None:
        """Return the study the folder belongs to; None if it belongs to none.

        Raises:
            BadInput: Its file cannot be read.
        """
        path = self.root / "study.json"
        try:
            return Study.model_validate_json(read_regular(path, _LARGEST))
        except FileNotFoundError:
            return None
        except FileTooLarge as error:
            raise BadInput(coded("batch.file-too-large", name=path.name)) from error
        except (OSError, ValidationError) as error:
            raise BadInput(
                coded("batch.study-unreadable", path=str(path), why=str(error))
            ) from error

    # Results

    def result(self, key: str) -> Result | None:
        """Return a job's result; None if absent or broken."""
        try:
            content = read_regular(self._path("results", key), LARGEST_RESULT)
            return Result.model_validate_json(content)
        except (FileNotFoundError, FileTooLarge, NotRegular, ValidationError):
            return None

    def done(self) -> set[str]:
        """Return the keys of the jobs that have a result."""
        try:
            with os.scandir(self.root / "results") as entries:
                names = [entry.name for entry in entries]
        except FileNotFoundError:
            return set()
        return {
            name.removesuffix(".json")
            for name in names
            if name.endswith(".json") and not name.startswith(".")
        }

    def results(self) -> Iterator[Result]:
        """Read all results, by key; one that cannot be read is left out."""
        for key in sorted(self.done()):
            result = self.result(key)
            if result is not None:
                yield result

    def keep(self, result: Result, *, session: str = "", notebook: bytes | None = None) -> None:
        """Write a job's files, the result last: if it exists, so do the others.

        Raises:
            OSError: They cannot be written; there is no result then.
        """
        if session:
            self._write(f"sessions/{result.key}.json", session)
        if notebook is not None:
            self._write(f"notebooks/{result.key}.ipynb", notebook)
        self._write(f"results/{result.key}.json", result.model_dump_json())

    def notebook(self, key: str) -> Path:
        """Return the path of a job's modernized notebook, which may not exist."""
        return self._path("notebooks", key, "ipynb")

    def forget(self, key: str) -> None:
        """Take a result away, so that the job is done again."""
        self._path("results", key).unlink(missing_ok=True)
        self._path("attempts", key, "jsonl").unlink(missing_ok=True)

    # Progress

    def note_standing(self, line: str, running: Iterable[str]) -> None:
        """Write the progress of the batch; ignore errors such as a full disk."""
        standing = Standing(at=datetime.now(timezone.utc), line=line, running=tuple(running))
        with suppress(OSError):
            self._write("progress.json", standing.model_dump_json())

    def standing(self) -> Standing | None:
        """Return the last progress of the batch; None if absent."""
        try:
            content = read_regular(self.root / "progress.json", _LARGEST)
            return Standing.model_validate_json(content)
        except (OSError, ValidationError):
            return None

    def owners(self) -> dict[str, Owner]:
        """Return who works on which job right now."""
        found = {
            path.stem: owner_of(path) for path in sorted((self.root / "claims").glob("*.json"))
        }
        return {key: owner for key, owner in found.items() if owner is not None}

    # Rules

    @property
    def rules(self) -> Path:
        """Return the folder with the rules that were learned, and the user's own."""
        folder = self.root / "rules"
        folder.mkdir(exist_ok=True)  # a batch that was begun by an earlier version has none
        return folder

    def keep_rules(self, rules: Iterable[LearnedRule]) -> None:
        """Write rules for the notebooks still to come; the same rule is one file."""
        for rule in rules:
            if len(self.learned()) < _MOST_LEARNED:
                self._write(f"rules/{rule.id}.yaml", rule.content)

    def learned(self) -> list[str]:
        """Return the ids of the rules that were learned."""
        return sorted(path.stem for path in self.rules.glob("*.yaml"))

    def _take_own_rules(self, folder: Path) -> None:
        for file in sorted(file for file in folder.rglob("*.yaml") if is_file(file)):
            copy = self.root / "rules" / "own" / file.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy_regular(file, copy)

    # Attempts

    def note(self, key: str, event: AttemptEvent, run: str, worker: str) -> None:
        """Add a line to a job's attempts."""
        line = Attempt(at=datetime.now(timezone.utc), run=run, worker=worker, event=event)
        self._append("attempts", key, line.model_dump_json())

    def attempts(self, key: str) -> list[Attempt]:
        """Return the attempts at a job; a line cut off by a crash is left out."""
        return list(self._lines("attempts", key, Attempt))

    # Money

    def note_spending(self, key: str, usage: Usage) -> None:
        """Add the cost of a model's answer."""
        self._append("spending", key, usage.model_dump_json(exclude_defaults=True))

    def spent(self) -> Usage:
        """Return the cost of all work in the folder, attempts that were cut off included."""
        total = Usage()
        for path in (self.root / "spending").glob("*.jsonl"):
            for usage in self._lines("spending", path.stem, Usage):
                total += usage
        return total

    # Files

    def _path(self, kind: str, key: str, suffix: str = "json") -> Path:
        return self.root / kind / f"{key}.{suffix}"

    def _lines(self, kind: str, key: str, model: type[_Line]) -> Iterator[_Line]:
        try:
            content = read_regular(self._path(kind, key, "jsonl"), _LARGEST)
        except FileNotFoundError:
            return
        for line in content.splitlines():
            with suppress(ValidationError):  # the crash that interrupted it
                yield model.model_validate_json(line)

    def _append(self, kind: str, key: str, line: str) -> None:
        with self._path(kind, key, "jsonl").open("a", encoding="utf-8") as stream:
            stream.write(line + "\n")

    def _write(self, name: str, content: str | bytes) -> None:
        path = self.root / name
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            temporary.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
