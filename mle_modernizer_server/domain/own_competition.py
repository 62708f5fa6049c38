"""Making a competition of one's own from labelled data: what is asked, guessed and wished."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.competition import Metric

SLUG = r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}"
"""What the folder of a competition may be called, as a regular expression."""


class Task(str, Enum):
    """What is predicted."""

    BINARY = "binary classification"
    MULTICLASS = "classification"
    REGRESSION = "regression"


class SplitKind(str, Enum):
    """How the held-out rows are chosen."""

    RANDOM = "random"
    STRATIFIED = "stratified"
    """Each label keeps its share."""
    GROUP = "group"
    """Rows of the same group stay together."""
    TIME = "time"
    """The latest rows."""


@dataclass(frozen=True)
class Split:
    """A way to hold rows out.

    Attributes:
        kind: How they are chosen.
        share: Share of the rows, between 0 and 1.
        seed: Of the random numbers: the same seed gives the same rows.
        column: The group's or the time's column.
    """

    kind: SplitKind = SplitKind.RANDOM
    share: float = 0.2
    seed: int = 0
    column: str | None = None


class LookAtData(Value):
    """Body of `POST /competitions/look`: what lies there, and what does it seem to be?"""

    directory: str
    """Relative to the server's root; empty is the root itself."""
    train: str | None = None
    """File name of the labelled data; None: it is guessed."""
    id_column: str | None = None
    """None: it is guessed."""
    target_columns: tuple[str, ...] = ()
    """Empty: they are guessed."""


class CompetitionGuess(Value):
    """What labelled data seems to be; every guess can be changed before anything is written."""

    directory: str
    files: tuple[str, ...]
    """The CSVs that could be the labelled data."""
    train: str
    test: str | None
    sample: str | None
    columns: tuple[str, ...]
    id_column: str | None
    """None: no column names a row, and one is added."""
    target_columns: tuple[str, ...]
    task: Task
    metrics: tuple[Metric, ...]
    """Those that fit, the likeliest first."""
    split: SplitKind
    name: str
    id: str
    """How its folder below the data root would be called."""


class MakeCompetition(Value):
    """Body of `POST /competitions`."""

    directory: str
    """Where the labelled data lies, relative to the server's root."""
    train: str
    """Its file name."""
    id_column: str | None = None
    """None: one is added."""
    target_columns: tuple[str, ...] = Field(min_length=1)
    metric: Metric
    split: SplitKind = SplitKind.RANDOM
    split_column: str | None = None
    """The group's or the time's column."""
    share: float = Field(default=0.2, gt=0, lt=1)
    """Of the rows, held out as the answers."""
    seed: int = Field(default=0, ge=0, lt=2**32)
    """The same seed gives the same rows."""
    name: str = Field(min_length=1, max_length=200)
    id: str = Field(pattern=f"^{SLUG}$")
    """How its folder below the data root is called."""
    overwrite: bool = False
    """Write files that are there already anew."""
