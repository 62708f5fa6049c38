"""What is compared on validation folds, how these are made, and how far a search goes."""

from __future__ import annotations

from dataclasses import dataclass

from mle_modernizer_server.domain.improvement import DEFAULT_FOLDS
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.own_competition import SplitKind

MOST_RUNS = 60


@dataclass(frozen=True)
class Version:
    """A version of the notebook that is to be compared.

    Attributes:
        name: How it is called, for a person.
        notebook: Its sources.
        kind: The codemod that wrote it; empty where it was handed in.
        what: What it changes, a sentence.
        block: Number of the block that it changes first.
    """

    name: str
    notebook: Notebook
    kind: str = ""
    what: str = ""
    block: int | None = None


@dataclass(frozen=True)
class Course:
    """How far a search goes on with its best version.

    Attributes:
        models: Models of the catalogue that a model is asked to put in; M of the paper.
        rounds: On another block each; T of the paper.
        steps: Of a round; K of the paper.
        ensembles: Ensembles that a model is asked for; R of the paper.
        most_runs: Notebook runs of the whole search.
    """

    models: int = 2
    rounds: int = 2
    steps: int = 3
    ensembles: int = 1
    most_runs: int = MOST_RUNS

    def most_steps(self, *, asks_model: bool) -> int:
        """How many versions it may try at most."""
        refined = self.rounds * self.steps
        if not asks_model:
            return refined
        return refined + 2 * self.models - (self.models > 0) + self.ensembles


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
    """

    count: int = DEFAULT_FOLDS
    split: SplitKind | None = None
    column: str | None = None
    seed: int = 0
    budget: float | None = None
    ablate: bool = False
    course: Course | None = None


DEFAULT_FOLD_SETTINGS = FoldSettings()
