"""Which names the packages of an environment have, asked in the sandbox once and kept.

The packages are imported by the environment's own interpreter, isolated like a kernel and with
limits; no code of a notebook runs. Answers are kept for each environment, by the versions of its
packages, under Jupyter's data directory: `<root>/<id>.json`.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from jupyter_core.paths import jupyter_data_dir
from pydantic import TypeAdapter, ValidationError

from mle_modernizer_server import pools
from mle_modernizer_server.domain.environment import Absence, Interpreter, NameQuestion
from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.execution.kernel.inside import installed_names as inside
from mle_modernizer_server.execution.outputs import clean
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.local import Local
from mle_modernizer_server.untrusted.files import read_regular

_WALL_SECONDS = 600.0
_MOST_QUESTIONS = 2_000
"""Of one notebook."""
_MOST_KEPT = 50_000
"""Answers of one environment."""
_LARGEST = 20_000_000
"""Bytes of a file of answers."""
_MOST_FILES = 50

_Answer = tuple[str, str, str] | None
_Line: TypeAdapter[_Answer] = TypeAdapter(_Answer)
_Table: TypeAdapter[dict[str, _Answer]] = TypeAdapter(dict[str, _Answer])


@dataclass(frozen=True)
class NameAnswers:
    """Answers of an environment.

    Attributes:
        absences: Names that it does not have.
        is_complete: False: not all names have been asked for yet.
    """

    absences: tuple[Absence, ...] = ()
    is_complete: bool = True


class InstalledNames:
    """The answers of all environments.

    Args:
        root: Folder for the answers; in Jupyter's data directory if None.
    """

    def __init__(self, root: Path | None = None) -> None:
        self._root = root or Path(str(jupyter_data_dir())) / "mle-modernizer" / "names"
        self._turn = asyncio.Lock()
        self._asking: set[asyncio.Task[None]] = set()

    async def absent(
        self,
        sandbox: Sandbox,
        interpreter: Interpreter | None,
        environment: Environment,
        questions: Sequence[NameQuestion],
        *,
        patience: float | None = None,
    ) -> NameAnswers:
        """Return those names that the packages do not have.

        Only what no earlier question has answered is asked, for one notebook at a time. Nothing is
        known in a sandbox that does not isolate, or that has a Python of its own.

        Args:
            sandbox: The sandbox of the notebook's run.
            interpreter: Python of the run; None: the sandbox's own.
            environment: Its packages.
            questions: The names.
            patience: Seconds after which the answers so far are returned, while the packages are
                still asked; None waits for them.
        """
        if not isinstance(sandbox, Local) or not sandbox.isolated:
            return NameAnswers()
        wanted = {one.key: one for one in questions[:_MOST_QUESTIONS]}
        file = self._root / f"{_id_of(interpreter, environment)}.json"
        known = await pools.files.run(_read, file)
        if not wanted.keys() <= known.keys():
            asking = asyncio.create_task(self._ask(sandbox, interpreter, file, wanted))
            self._asking.add(asking)
            asking.add_done_callback(self._asking.discard)
            await asyncio.wait({asking}, timeout=patience)
            if asking.done():
                asking.result()
            known = await pools.files.run(_read, file)
        absences = tuple(
            Absence(question=one, failing=answer[0], ename=answer[1], evalue=answer[2])
            for key, one in wanted.items()
            if (answer := known.get(key)) is not None
        )
        return NameAnswers(absences, is_complete=wanted.keys() <= known.keys())

    async def _ask(
        self,
        sandbox: Local,
        interpreter: Interpreter | None,
        file: Path,
        wanted: Mapping[str, NameQuestion],
    ) -> None:
        """Ask for what is not known yet, and keep the answers."""
        async with self._turn:
            known = await pools.files.run(_read, file)
            left = [one for key, one in wanted.items() if key not in known]
            if left:
                known |= await _asked(sandbox, interpreter, left)
                await pools.files.run(_keep, file, known)


async def _asked(
    sandbox: Local, interpreter: Interpreter | None, questions: Sequence[NameQuestion]
) -> dict[str, _Answer]:
    """Return the answers by key; a package whose import ends the process has none of its names.

    The package that did so is left out, and the rest is asked again.
    """
    found: dict[str, _Answer] = {}
    left = sorted(questions, key=lambda one: one.top)
    while left:
        answers = await _answers(sandbox, interpreter, left)
        if answers is None:
            return found  # the sandbox cannot be used now: nothing is kept
        found |= {one.key: answer for one, answer in zip(left, answers, strict=False)}
        rest = left[len(answers) :]
        ended = rest[0].top if rest else ""
        found |= {one.key: None for one in rest if one.top == ended}
        left = [one for one in rest if one.top != ended]
    return found


async def _answers(
    sandbox: Local, interpreter: Interpreter | None, questions: Sequence[NameQuestion]
) -> list[_Answer] | None:
    """Return the answers to the first questions; None if the process could not be started."""
    request = json.dumps([(one.kind.value, one.address, one.detail) for one in questions])
    try:
        async with sandbox.workspace(None, None) as space:
            mounts = replace(space.mounts(None, None, interpreter), packages=None)
            script, asked = mounts.runtime / "names.py", mounts.runtime / "names.json"
            await pools.files.run(script.write_text, _script(), "utf-8")
            await pools.files.run(asked.write_text, request, "utf-8")
            await pools.sandboxes.run(sandbox.prepare, mounts)
            finished = await sandbox.run_isolated(
                ("python", str(script), str(asked)),
                mounts,
                end=asyncio.get_running_loop().time() + _WALL_SECONDS,
                cancel=asyncio.Event(),
            )
    except (OSError, SandboxUnavailable):
        return None
    answers: list[_Answer] = []
    for line in finished.stdout.splitlines()[: len(questions)]:
        try:
            answer = _Line.validate_json(line)
        except ValidationError:
            break  # a package wrote into the answer
        if answer is not None:
            failing, ename, evalue = (clean(part) for part in answer)
            answer = failing[:300], ename[:100], evalue[: inside.LONGEST_MESSAGE]
        answers.append(answer)
    return answers


@cache
def _script() -> str:
    return f"{inspect.getsource(inside)}\nmain(sys.argv[1])\n"


def _id_of(interpreter: Interpreter | None, environment: Environment) -> str:
    place = "" if interpreter is None else str(interpreter.python)
    packages = sorted(environment.packages.items())
    text = json.dumps([place, environment.python, packages, _script()])
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]


def _read(file: Path) -> dict[str, _Answer]:
    try:
        return _Table.validate_json(read_regular(file, _LARGEST))
    except (OSError, ValidationError):
        return {}  # no file yet, or a damaged one: ask the environment


def _keep(file: Path, known: dict[str, _Answer]) -> None:
    """Write the answers of an environment; if that fails, they are asked again next time."""
    merged = {**_read(file), **known}
    if len(merged) > _MOST_KEPT:
        merged = known
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=file.parent, suffix=".part", delete=False
        ) as writing:
            json.dump(merged, writing)
        Path(writing.name).replace(file)
        files = sorted(file.parent.glob("*.json"), key=os.path.getmtime)
        for old in files[:-_MOST_FILES]:
            old.unlink(missing_ok=True)
    except OSError:
        return
