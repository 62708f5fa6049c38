"""Successful changes of earlier searches, stored for later ones on similar tasks.

A file with one line for each finished search, the newest last: the task's metric, size and kind,
the family of the notebook's model, and each known change with its verdict. It includes no data or
code, and no text of a model. A task is similar if it predicts the same kind of target with a model
of the same family and has a tenth to ten times the rows.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from pathlib import Path

from jupyter_core.paths import jupyter_data_dir
from pydantic import ValidationError

from mle_modernizer_server.code.pipeline.pipeline import Pipeline
from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.improvement import (
    Comparison,
    EarlierResult,
    Improvement,
    PlanSource,
    TriedVersion,
)
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.improving.candidates.variant import Facts
from mle_modernizer_server.improving.compare import verdict
from mle_modernizer_server.untrusted.files import FileTooLarge, is_file, read_regular

_logger = logging.getLogger(__name__)

_VARIABLE = "MLE_MODERNIZER_MEMORY"
_MOST_KEPT = 500
_MOST_BYTES = 4 * 2**20
_TIMES_AS_LARGE = 10
_NOT_KNOWN_CHANGES = frozenset({"", "combined", "blend", "ablation"})


class SearchedTask(Value):
    """Features that make tasks similar.

    Attributes:
        classes: Whether labels are predicted, and not numbers.
        metric: The competition's.
        rows: Of the training data.
        family: Of the notebook's first model, e.g. `linear`; empty if absent.
    """

    classes: bool
    metric: str
    rows: int
    family: str

    @classmethod
    def of(cls, now: Improvement, notebook: Notebook, facts: Facts) -> SearchedTask:
        """Return the task of a search."""
        models = Pipeline(notebook).models
        return cls(
            classes=bool(facts.classes),
            metric=facts.metric.value,
            rows=now.folds.rows,
            family=models[0].estimator.family.value if models else "",
        )

    def is_like(self, other: SearchedTask) -> bool:
        """Return whether changes that helped there may help here."""
        small, large = sorted((self.rows, other.rows))
        same = (self.classes, self.family) == (other.classes, other.family)
        return same and large <= _TIMES_AS_LARGE * small


class KeptChange(Value):
    """A known change that was tried, and its verdict against its parent."""

    kind: str
    name: str
    comparison: Comparison


class KeptSearch(Value):
    """A line of the file."""

    task: SearchedTask
    changes: tuple[KeptChange, ...]


def memory_file() -> Path | None:
    """Return the file: `MLE_MODERNIZER_MEMORY`, or one among Jupyter's data; None for `no`."""
    named = os.environ.get(_VARIABLE, "")
    if named.lower() == "no":
        return None
    return Path(named or Path(jupyter_data_dir()) / "mle-modernizer" / "searches.jsonl")


def earlier_results(task: SearchedTask) -> tuple[EarlierResult, ...]:
    """Return the results of searches on similar tasks, the most promising change first."""
    counts: dict[tuple[str, str], list[Comparison]] = {}
    for search in _kept():
        if task.is_like(search.task):
            for one in search.changes:
                counts.setdefault((one.kind, one.name), []).append(one.comparison)
    found = [
        EarlierResult(
            kind=kind,
            name=name,
            tried=len(known),
            better=known.count(Comparison.BETTER),
            worse=known.count(Comparison.WORSE),
        )
        for (kind, name), known in counts.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.promise, one.name)))


def promise(earlier: Sequence[EarlierResult], kind: str, name: str) -> float:
    """Return the expected success rate of a change, 0 to 1; in the middle if unknown."""
    plain = plain_name(name)
    known = (one.promise for one in earlier if (one.kind, one.name) == (kind, plain))
    return next(known, 0.5)


def plain_name(name: str) -> str:
    """Return the name of a change without the cell of its edit."""
    return name.partition(" (cell ")[0]


def remember(task: SearchedTask, found: Improvement) -> None:
    """Store the results of a finished search; log a failure to write."""
    changes = tuple(
        KeptChange(kind=one.kind, name=plain_name(one.name), comparison=comparison)
        for one in found.candidates
        if one.source is not PlanSource.MODEL
        and one.kind not in _NOT_KNOWN_CHANGES
        and (comparison := _verdict(one)) is not None
    )
    file = memory_file()
    if file is None or not changes:
        return
    kept = [*_kept(), KeptSearch(task=task, changes=changes)][-_MOST_KEPT:]
    beside = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text("".join(f"{one.model_dump_json()}\n" for one in kept), "utf-8")
        beside.replace(file)
    except OSError as error:
        _logger.warning("What the search found is not kept: %s", error)


def _verdict(one: TriedVersion) -> Comparison | None:
    """Return the comparison with its parent; None if the folds are inconclusive."""
    if one.comparison in (None, Comparison.FAILED):
        return None
    if one.raced_out or one.step is None or one.step.low is None:
        return one.comparison
    return verdict(one.step)


def _kept() -> list[KeptSearch]:
    """Return the file's lines; skip unreadable ones."""
    file = memory_file()
    if file is None or not is_file(file):
        return []
    try:
        lines = read_regular(file, _MOST_BYTES).decode("utf-8", "replace").splitlines()
    except FileTooLarge:
        _logger.warning("%s is too large to be read; it will be written anew.", file)
        return []
    except OSError as error:
        _logger.warning("Earlier searches cannot be read: %s", error)
        return []
    found = []
    for line in lines:
        try:
            found.append(KeptSearch.model_validate_json(line))
        except ValidationError:
            _logger.warning("A line of %s is no search that was kept.", file)
    return found
