"""What is compared on validation folds, how these are made, and how far a search goes."""

from __future__ import annotations

from dataclasses import dataclass

from mle_modernizer_server.domain.improvement import (
    DEFAULT_FOLDS,
    DEFAULT_PARTITIONS,
    Course,
    RoleChoice,
)
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.own_competition import SplitKind


@dataclass(frozen=True)
class Version:
    """A version of the notebook that is to be compared.

    Attributes:
        name: How it is called, for a person.
        notebook: Its sources.
        kind: The codemod that wrote it; empty where it was handed in.
        what: What it changes.
        block: Number of the block that it changes first.
    """

    name: str
    notebook: Notebook
    kind: str = ""
    what: Messages = ()
    block: int | None = None


@dataclass(frozen=True)
class FoldSettings:
    """How the folds are made.

    Attributes:
        count: How many.
        split: How rows are assigned; None goes by how the competition itself seems split.
        column: The group's or the time's column.
        seed: The same seed gives the same folds.
        budget: Seconds that all runs together may take; None is no bound.
        ablate: Find out first what each part of the notebook is worth.
        course: Refine the best version step by step; takes the place of trying each known change
            once, and finds out first what each part is worth. None: it is not refined.
        roles: What blocks do as a person says.
        partitions: How many partitions of the rows into folds there may be. What looks better on
            the first but cannot be told apart is run on the next.
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
