"""Query the packages of an interpreter that may be started.

It runs isolated, with limits and without the server's environment, and imports nothing.

Answers are kept in memory until the interpreter or a folder on its path changes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path

from pydantic import BaseModel, ValidationError

from mle_modernizer_server.domain.environment import EnvironmentTrouble
from mle_modernizer_server.domain.errors import EnvironmentUnavailable
from mle_modernizer_server.environments.bounded import bounded
from mle_modernizer_server.environments.inspect_python import MARK
from mle_modernizer_server.untrusted.files import is_file
from mle_modernizer_server.untrusted.private_folders import exposes_private_files
from mle_modernizer_server.untrusted.programs import minimal_environ

OLDEST = (3, 6)
_LIMIT = 30.0
_MOST_KEPT = 200


class InterpreterAnswer(BaseModel):
    """Packages of an interpreter, of the requested names.

    Attributes:
        packages: Version by import name of those it can import; empty if unknown.
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


_answers: dict[tuple[str, str], _Kept] = {}
_BASE = "base"
"""Key in place of the user's packages: queried without any."""


def ask(
    interpreter: Path, names: tuple[str, ...], *, user_site: str = ""
) -> InterpreterAnswer | NoAnswer:
    """Return the packages of an interpreter.

    Args:
        interpreter: Started, so it must be one that may be (`listed.py`).
        names: Top-level import names to look up.
        user_site: Folder of the user's packages, if they count, as for the server's own Python.
    """
    key = (str(interpreter), user_site)
    kept = _answers.get(key)
    wanted = frozenset(names)
    if kept and wanted <= kept.asked and _state(interpreter, kept.answer.path) == kept.state:
        return _narrowed(kept.answer, names)
    if kept:
        wanted |= kept.asked  # so that notebooks in turn do not ask again and again
    answer = _asked(interpreter, ("-I",), json.dumps(sorted(wanted)), user_site)
    if isinstance(answer, NoAnswer):
        return answer
    _keep(key, interpreter, answer, wanted)
    return _narrowed(answer, names)


def ask_base(interpreter: Path) -> InterpreterAnswer | NoAnswer:
    """Return the version and the directories of a Python, without loading its packages.

    Neither `sitecustomize` nor `.pth` files run.

    Args:
        interpreter: As for `ask`; of no virtual environment.
    """
    key = (str(interpreter), _BASE)
    kept = _answers.get(key)
    if kept and _state(interpreter, kept.answer.path) == kept.state:
        return kept.answer
    answer = _asked(interpreter, ("-I", "-S"), "[]", "")
    if isinstance(answer, InterpreterAnswer):
        _keep(key, interpreter, answer, frozenset())
    return answer


def _keep(
    key: tuple[str, str], interpreter: Path, answer: InterpreterAnswer, asked: frozenset[str]
) -> None:
    if len(_answers) >= _MOST_KEPT:
        _answers.clear()
    _answers[key] = _Kept(_state(interpreter, answer.path), answer, asked)


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
    interpreter: Path, options: tuple[str, ...], names: str, user_site: str
) -> InterpreterAnswer | NoAnswer:
    if not is_file(interpreter):
        return NoAnswer(EnvironmentTrouble.NO_INTERPRETER)
    command = (str(interpreter), *options, "-c", _question(), names, user_site)
    try:
        done = bounded(command, minimal_environ(), limit=_LIMIT)
    except EnvironmentUnavailable:
        return NoAnswer(EnvironmentTrouble.NO_ANSWER)
    rows = [row for row in done.stdout.splitlines() if row.startswith(MARK)]
    if done.code != 0 or not rows:
        return NoAnswer(_trouble(done.stderr))
    try:
        answer = InterpreterAnswer.model_validate_json(rows[-1][len(MARK) :])
    except ValidationError:
        return NoAnswer(EnvironmentTrouble.NO_ANSWER)
    if answer.version[:2] < OLDEST:
        return NoAnswer(EnvironmentTrouble.TOO_OLD)
    directories = list(map(Path, answer.directories))
    if not all(_is_prefix(item, answer.version) for item in directories):
        return NoAnswer(EnvironmentTrouble.NO_ANSWER)
    if any(map(exposes_private_files, directories)):
        return NoAnswer(EnvironmentTrouble.IN_HOME)
    return answer


def _is_prefix(directory: Path, version: tuple[int, int, int]) -> bool:
    """Return whether a directory is that of a Python's files, and not any other."""
    minor = f"{version[0]}.{version[1]}"
    names = (f"python{minor}", f"pypy{minor}")
    places = [directory / lib / name for lib in ("lib", "lib64") for name in names]
    places += [directory / "pyvenv.cfg", directory / "Lib", directory / "lib-python"]
    return directory.is_absolute() and any(place.exists() for place in places)


def _trouble(stderr: str) -> EnvironmentTrouble:
    """Python 2 knows no isolated mode."""
    old = "Unknown option: -I" in stderr
    return EnvironmentTrouble.TOO_OLD if old else EnvironmentTrouble.NO_ANSWER


@cache
def _question() -> str:
    return (resources.files(__package__) / "inspect_python.py").read_text(encoding="utf-8")
