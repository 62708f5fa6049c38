"""Applies a batch's proposals to the notebooks, on request, if the results ran without errors.

Changes that need a person's judgement are not applied: to a notebook that was changed since
the batch read it, to one whose cells still fail or whose score is not reached, and, unless
requested, changes that a language model wrote.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.result import Result, Status
from mle_modernizer_server.batch.study import Work
from mle_modernizer_server.domain.errors import BadInput, ModernizerError
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import notebook_hash
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.statistics import State
from mle_modernizer_server.execution.notebook_file import open_notebook, write_file
from mle_modernizer_server.untrusted.files import resolved
from mle_modernizer_server.words import text

_RUNS = (State.ERROR_FREE_REPRODUCIBLE, State.ERROR_FREE_NON_REPRODUCIBLE)


class Answer(str, Enum):
    """Outcome of applying a changed notebook."""

    APPLIED = "applied"
    ALREADY = "already"
    """The file holds the changes."""
    MODEL = "model"
    """A language model wrote some of them, or taught a rule that did; not requested."""
    FAILS = "fails"
    """Cells still fail, or the run was too long."""
    SCORE = "score"
    """It runs, but its target score is not reached."""
    CHANGED = "changed"
    """The file differs from the one that the batch read."""
    UNREADABLE = "unreadable"
    """The file, or the batch's own copy, cannot be read or written."""


@dataclass(frozen=True)
class Application:
    """A changed notebook, and the outcome for its file.

    Attributes:
        name: Its name in the batch.
        detail: The error if it is unreadable.
    """

    name: str
    answer: Answer
    detail: str = ""


def apply_batch(folder: StudyFolder, *, with_model: bool = False) -> list[Application]:
    """Write the modernized notebooks of a batch over the files it read; return one entry for each.

    Of several arms the first one that modernizes counts, of several repetitions the first. Each
    file is replaced atomically or not at all; applying twice changes nothing more.

    Args:
        with_model: Apply also changes that a language model wrote.

    Raises:
        BadInput: The folder is not that of a batch, or the batch modernized nothing.
    """
    study = folder.read_study()
    if study is None:
        raise BadInput(coded("batch.no-folder", root=str(folder.root)))
    arm = next((arm for arm in study.arms if arm.work is Work.MODERNIZE), None)
    if arm is None:
        raise BadInput(coded("batch.only-ran", root=str(folder.root)))
    results = (one for one in folder.results() if one.arm == arm.name and one.repetition == 1)
    return [
        _apply(folder, result, with_model)
        for result in sorted(results, key=lambda one: one.line.number)
        if result.modernized and result.status is Status.DONE
    ]


def _apply(folder: StudyFolder, result: Result, with_model: bool) -> Application:
    name = result.line.name
    if result.last_state not in _RUNS:
        return Application(name, Answer.FAILS)
    if result.target is not None and not result.last_state.reproducible:
        return Application(name, Answer.SCORE)
    fixes = () if result.facts is None else result.facts.fixes
    if not with_model and any(
        fix.applied and (fix.fixer is not FixerName.RULES or fix.learned) for fix in fixes
    ):
        return Application(name, Answer.MODEL)
    named = Path(result.line.notebook)
    path = resolved(named) or named
    kept = folder.notebook(result.key)
    try:
        there, mended = open_notebook(path), open_notebook(kept)
        if there.notebook == mended.notebook:
            return Application(name, Answer.ALREADY)
        if notebook_hash(there.notebook) != result.notebook_hash:
            return Application(name, Answer.CHANGED)
        write_file(path, mended.content)
    except ModernizerError as error:
        return Application(name, Answer.UNREADABLE, text(error.message))
    except OSError as error:
        return Application(name, Answer.UNREADABLE, str(error))
    return Application(name, Answer.APPLIED)
