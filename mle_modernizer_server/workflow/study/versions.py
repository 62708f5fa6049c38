"""Versions to compare on validation folds, settings of the folds, and the extent of a search."""

from __future__ import annotations

from dataclasses import dataclass

from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.domain.improvement import (
    DEFAULT_FOLDS,
    DEFAULT_PARTITIONS,
    Course,
    RoleChoice,
)
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.notebook import Notebook


@dataclass(frozen=True)
class Version:
    """A version of the notebook to compare.

    Attributes:
        name: Its name for the user.
        notebook: Its sources.
        kind: The codemod that wrote it; empty if it was passed in.
        what: Description of the change.
        block: Number of the block that it changes first.
    """

    name: str
    notebook: Notebook
    kind: str = ""
    what: Messages = ()
    block: int | None = None


@dataclass(frozen=True)
class FoldSettings:
    """Settings of the folds.

    Attributes:
        count: Number of folds.
        split: Assignment of rows; None infers it from the competition's own split.
        column: The group's or the time's column.
        seed: The same seed gives the same folds.
        budget: Seconds that all runs together may take; None is no limit.
        ablate: Measure first the value of each part of the notebook.
        course: Refine the best version step by step, instead of trying each known change once;
            measure first the value of each part. None: no refinement.
        roles: The user's roles of blocks.
        partitions: Maximum number of partitions of the rows into folds. Apparent but inconclusive
            improvements on the first run on the next.
    """

    count: int = DEFAULT_FOLDS
    split: SplitKind | None = None
    column: str | None = None
    seed: int = 0
    budget: float | None = None
    ablate: bool = False
    course: Course | None = None
    roles: tuple[RoleChoice, ...] = ()
    partitions: int = DEFAULT_PARTITIONS


DEFAULT_FOLD_SETTINGS = FoldSettings()
