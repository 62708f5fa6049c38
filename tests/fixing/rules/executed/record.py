"""What came of snippets that were executed before, so that unchanged ones are not run again.

A snippet (a cell before it, the code, what must hold) is known by its hash together with the
pinned versions of its environment. What the rules make of old code is not recorded: it is computed
in every test, and only its execution is saved where the very same code has run before. Results are
written down after tests that passed only; the record is committed.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mle_modernizer_server.domain.execution import Environment

PINS = Path(__file__).parents[1] / "environments"
FOLDER = Path(__file__).with_name("results")
LIGHT, DEEP, VISION = "light", "deep", "vision"
"""Kinds of Pythons of an environment: plain, with TensorFlow and PyTorch, with torchvision."""
EVERY = os.environ.get("EXECUTE_RULES") == "all"
"""Whether everything is executed, known or not (`make test-all`)."""
_SAMPLE = 20
"""One in so many known snippets is executed all the same, always the same ones."""
_AT_ONCE = 200
_WORKER = Path(__file__).with_name("worker.py")
_PLACE = re.compile(r"/[^\s'\"()]*/(site-packages|lib/python3\.\d+)/")
"""Where a module lies on this machine, in a message."""


@dataclass(frozen=True)
class Raised:
    """An exception in a snippet."""

    ename: str
    evalue: str
    line: int | None
    traceback: str = ""


@dataclass(frozen=True)
class Result:
    """What came of a snippet."""

    raised: Raised | None
    """In the code itself."""
    holds: bool
    """Whether the expression is true afterwards."""
    why: str = ""
    """Traceback of the expression, if it raised."""


Written = bool | list[str | int | None]
"""As JSON: whether the expression holds, or type, message and line of the exception."""


class Record:
    """The results of one environment."""

    def __init__(self, name: str) -> None:
        self._file = FOLDER / f"{name}.json"
        self._pins = {
            kind: "".join(_pins(PINS / f"{part}.txt") for part in parts)
            for kind, parts in (
                (LIGHT, [name]),
                (DEEP, [name, f"{name}-deep"]),
                (VISION, [name, f"{name}-vision"]),
            )
        }
        self._known: dict[str, Written] = {}
        self._new: dict[str, Written] = {}
        self._pending: dict[str, Written] = {}
        self.installed: Environment | None = None
        """Versions of all packages, those of deep learning included."""
        content = json.loads(self._file.read_text("utf-8")) if self._file.exists() else {}
        if content.get("pins") == self._hash_of_pins:
            self.installed = Environment.model_validate(content["installed"])
        self._known = content.get("results", {})

    @property
    def _hash_of_pins(self) -> str:
        vision = self._pins[VISION]
        return _hash([self._pins[DEEP], *([vision] if vision != self._pins[LIGHT] else [])])

    def key(self, parts: Sequence[str], kind: str) -> str:
        """The hash of a snippet in this environment's Python of a kind."""
        return _hash([*parts, self._pins[kind], _WORKER.read_text("utf-8")])

    def known(self, key: str) -> Result | None:
        """What came of the snippet when it was executed; None where it was not."""
        written = self._known.get(key)
        if written is None:
            return None
        if isinstance(written, bool):
            return Result(None, written)
        ename, evalue, line = written
        return Result(Raised(str(ename), str(evalue), None if line is None else int(line)), False)

    def note(self, key: str, result: Result) -> None:
        """Keep a result until its test has passed."""
        if result.raised is None:
            self._pending[key] = result.holds
        else:
            seen = result.raised
            evalue = _PLACE.sub(r"/\1/", seen.evalue)
            self._pending[key] = [seen.ename, evalue, seen.line]

    def end_test(self, *, passed: bool) -> None:
        """Take what a test has noted, or forget it."""
        if passed:
            self._new |= self._pending
        self._pending.clear()

    @property
    def is_due(self) -> bool:
        """Whether so much is new that it had better be written before the tests end."""
        return len(self._new) >= _AT_ONCE

    def write(self, installed: Environment | None) -> None:
        """Add what is new to the file; several processes may do so at once."""
        new = {key: one for key, one in self._new.items() if not _alike(self._known.get(key), one)}
        self._known |= new
        self._new.clear()
        if not new:
            return
        FOLDER.mkdir(exist_ok=True)
        with self._file.open("a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            text = file.read()
            content = json.loads(text) if text else {}
            results = {**content.get("results", {}), **new}
            if installed is not None:
                content["pins"] = self._hash_of_pins
                content["installed"] = installed.model_dump(mode="json")
            lines = [f"{json.dumps(key)}: {json.dumps(results[key])}" for key in sorted(results)]
            head = json.dumps({k: content[k] for k in ("pins", "installed") if k in content})
            file.truncate(0)
            file.write(f'{head[:-1]}{", " if len(head) > 2 else ""}"results": {{\n')
            file.write(",\n".join(lines) + "\n}}\n")


def _alike(known: Written | None, seen: Written) -> bool:
    """Whether a snippet did again what it did: a message may name a set in another order."""
    if isinstance(known, list) and isinstance(seen, list):
        return (known[0], known[2]) == (seen[0], seen[2])
    return known == seen


def is_sampled(key: str) -> bool:
    """Whether a known snippet is executed all the same."""
    return EVERY or int(key, 16) % _SAMPLE == 0


def _pins(file: Path) -> str:
    """The pinned versions of a file, without comments; empty if there is no such file."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return "".join(f"{line}\n" for line in sorted(lines) if "==" in line)


def _hash(parts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
