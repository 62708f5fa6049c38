"""Creation of a custom competition from labelled data: requests and guesses."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.competition import Metric

SLUG = r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}"
"""Regular expression for the name of a competition's folder."""


class Task(str, Enum):
    """Kind of prediction task."""

    BINARY = "binary classification"
    MULTICLASS = "classification"
    REGRESSION = "regression"


class SplitKind(str, Enum):
    """How the held-out rows are selected."""

    RANDOM = "random"
    STRATIFIED = "stratified"
    """Each label has the same share as in the data."""
    GROUP = "group"
    """Rows of the same group stay together."""
    TIME = "time"
    """The latest rows."""


@dataclass(frozen=True)
class Split:
    """Method of holding rows out.

    Attributes:
        kind: How they are selected.
        share: Share of the rows, between 0 and 1.
        seed: Random seed: the same seed selects the same rows.
        column: Name of the group column or the time column.
    """

    kind: SplitKind = SplitKind.RANDOM
    share: float = 0.2
    seed: int = 0
    column: str | None = None


class LookAtData(Value):
    """Body of `POST /competitions/look`: inspect a directory and guess its competition."""

    directory: str
    """Relative to the server's root; empty is the root itself."""
    train: str | None = None
    """File name of the labelled data; None: guess it."""
    id_column: str | None = None
    """None: guess it."""
    target_columns: tuple[str, ...] = ()
    """Empty: guess them."""


class CompetitionGuess(Value):
    """Guess from labelled data; every part can be changed before anything is written."""

    directory: str
    files: tuple[str, ...]
    """The CSVs that could be the labelled data."""
    train: str
    test: str | None
    sample: str | None
    columns: tuple[str, ...]
    id_column: str | None
    """None: no column identifies a row, and one is added."""
    target_columns: tuple[str, ...]
    task: Task
    metrics: tuple[Metric, ...]
    """Suitable metrics, the likeliest first."""
    split: SplitKind
    name: str
    id: str
    """Suggested name of its folder below the data root."""


class MakeCompetition(Value):
    """Body of `POST /competitions`."""

    directory: str
    """Directory of the labelled data, relative to the server's root."""
    train: str
    """Its file name."""
    id_column: str | None = None
    """None: one is added."""
    target_columns: tuple[str, ...] = Field(min_length=1)
    metric: Metric
    split: SplitKind = SplitKind.RANDOM
    split_column: str | None = None
    """Name of the group column or the time column."""
    share: float = Field(default=0.2, gt=0, lt=1)
    """Share of the rows held out as the answers."""
    seed: int = Field(default=0, ge=0, lt=2**32)
    """Random seed: the same seed selects the same rows."""
    name: str = Field(min_length=1, max_length=200)
    id: str = Field(pattern=f"^{SLUG}$")
    """Name of its folder below the data root."""
    overwrite: bool = False
    """Overwrite existing files."""
