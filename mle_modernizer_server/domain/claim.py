"""A claim of a paper: a number with its metric, dataset, method and place in the text."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.paper import Place


class ClaimSource(str, Enum):
    """Part of a paper in which a claim was found."""

    TABLE = "table"
    SENTENCE = "sentence"


class Doubt(str, Enum):
    """Reason to compare a claim with the paper before it is used."""

    NO_METRIC = "no_metric"
    """No metric's name is near the number."""
    NO_METHOD = "no_method"
    """The method of the number is not clear."""
    NO_DATASET = "no_dataset"
    """The dataset of the number is not clear."""
    FROM_PDF = "from_pdf"
    """The number was extracted from a page's layout."""
    SEVERAL_METRICS = "several_metrics"
    """Several metrics' names are near the number."""
    FROM_MODEL = "from_model"
    """A model proposed the claim: the paper's text has the number, but its meaning is the model's
    reading."""


class Claim(Value):
    """A number that a paper claims.

    Empty attributes are unknown; a person fills them in.
    """

    id: str
    """Stable for one paper's file: made from the place and the number."""
    dataset: str = ""
    method: str = ""
    metric: str = ""
    value: float
    printed: str
    """The number as the paper prints it."""
    decimals: int = 0
    """Digits after the point as printed; they define "within rounding"."""
    percent: bool = False
    """The number is followed by a percent sign."""
    spread: float | None = None
    """Number after ± or in brackets."""
    higher_is_better: bool | None = None
    own: bool = False
    """The paper calls the method its own ("ours", or by its name in the title)."""
    best: bool = False
    """Printed in bold."""
    source: ClaimSource
    place: Place
    quote: str = ""
    """The sentence or the table row."""
    doubts: tuple[Doubt, ...] = ()
