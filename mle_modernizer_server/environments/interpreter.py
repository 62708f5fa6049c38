"""Asks an interpreter of the person's what it has; it runs isolated, bounded, and imports nothing.

Answers are kept in memory until the interpreter or a folder on its path changes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path

from pydantic import BaseModel, ValidationError

from mle_modernizer_server.domain.environments import EnvironmentTrouble
from mle_modernizer_server.environments.question import MARK

OLDEST = (3, 6)
_LIMIT = 30.0
_MOST_KEPT = 200


class InterpreterAnswer(BaseModel):
    """What an interpreter has, of the names it was asked for.

    Attributes:
        packages: Version by import name of those it can import; empty where it tells none.
    """

    executable: str
    version: tuple[int, int, int]
    directories: tuple[str, ...]
    path: tuple[str, ...]
    ipykernel: str
    packages: dict[str, str]


@dataclass(frozen=True)
class NoAnswer:
    """An interpreter that cannot be used, and why."""

    trouble: EnvironmentTrouble


@dataclass
class _Kept:
    state: tuple[tuple[str, int], ...]
    answer: InterpreterAnswer
    asked: frozenset[str] = field(default_factory=frozenset)


_answers: dict[tuple[str, bool], _Kept] = {}


def ask(
    interpreter: Path, names: tuple[str, ...], *, user_site: bool = False
) -> InterpreterAnswer | NoAnswer:
    """What an interpreter has.

    Args:
        interpreter: Started in isolated mode, without the server's Python variables.
        names: Top-level import names to look up.
        user_site: Whether the user's site-packages count, as they do for the server's own Python.
    """
    key = (str(interpreter), user_site)
    kept = _answers.get(key)
    wanted = frozenset(names)
    if kept and wanted <= kept.asked and _state(interpreter, kept.answer.path) == kept.state:
        return _narrowed(kept.answer, names)
    if kept:
        wanted |= kept.asked  # so that notebooks in turn do not ask again and again
    answer = _asked(interpreter, tuple(sorted(wanted)), user_site)
    if isinstance(answer, NoAnswer):
        return answer
    if len(_answers) >= _MOST_KEPT:
        _answers.clear()
    _answers[key] = _Kept(_state(interpreter, answer.path), answer, wanted)
    return _narrowed(answer, names)


def _narrowed(answer: InterpreterAnswer, names: tuple[str, ...]) -> InterpreterAnswer:
    has = {name: answer.packages[name] for name in names if name in answer.packages}
    return answer.model_copy(update={"packages": has})


def _state(interpreter: Path, path: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Changes whenever a package is installed or removed, or the interpreter replaced."""
    found = []
    for place in (str(interpreter), *path):
        try:
            found.append((place, Path(place).stat().st_mtime_ns))
        except OSError:
            continue  # a place on the path that does not exist holds no packages
    return tuple(found)


def _asked(
    interpreter: Path, names: tuple[str, ...], user_site: bool
) -> InterpreterAnswer | NoAnswer:
    if not interpreter.is_file():
        return NoAnswer(EnvironmentTrouble.NO_INTERPRETER)
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [str(interpreter), "-I", "-c", _question()]
    try:
        done = subprocess.run(
            [*command, json.dumps(names), "user" if user_site else "no"],
            env=environ,
            cwd=interpreter.anchor,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LIMIT,
        )
    except (OSError, subprocess.SubprocessError):
        return NoAnswer(EnvironmentTrouble.NO_ANSWER)
    rows = [row for row in done.stdout.splitlines() if row.startswith(MARK)]
    if done.returncode != 0 or not rows:
        return NoAnswer(_trouble(done.stderr))
    try:
        answer = InterpreterAnswer.model_validate_json(rows[-1][len(MARK) :])
    except ValidationError:
        return NoAnswer(EnvironmentTrouble.NO_ANSWER)
    if answer.version[:2] < OLDEST:
        return NoAnswer(EnvironmentTrouble.TOO_OLD)
    return answer


def _trouble(stderr: str) -> EnvironmentTrouble:
    """Python 2 knows no isolated mode."""
    old = "Unknown option: -I" in stderr
    return EnvironmentTrouble.TOO_OLD if old else EnvironmentTrouble.NO_ANSWER


@cache
def _question() -> str:
    return (resources.files(__package__) / "question.py").read_text(encoding="utf-8")


def server_python() -> Path:
    """The Python of this server."""
    return Path(sys.executable)
