"""What a paper claims: a number, of what, on what, by what, and where it says so."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.paper import Place


class ClaimSource(str, Enum):
    """Where in a paper a claim was found."""

    TABLE = "table"
    SENTENCE = "sentence"


class Doubt(str, Enum):
    """Why a claim should be looked at beside the paper before it is used."""

    NO_METRIC = "no_metric"
    """No name of a metric is near the number."""
    NO_METHOD = "no_method"
    """It is not clear which method it belongs to."""
    NO_DATASET = "no_dataset"
    """It is not clear on which data."""
    FROM_PDF = "from_pdf"
    """It was read from a page's layout."""
    SEVERAL_METRICS = "several_metrics"
    """Several metrics are named near it."""
    FROM_MODEL = "from_model"
    """A model named it; the paper's text has the number, and what it is of is the model's word."""


class Claim(Value):
    """One number that a paper claims.

    Attributes of an empty text are not known; a person fills them in.
    """

    id: str
    """Stable for one paper's file: the place and the number."""
    dataset: str = ""
    method: str = ""
    metric: str = ""
    value: float
    printed: str
    """As the paper prints it."""
    decimals: int = 0
    """Digits after the point as printed: what "within rounding" means."""
    percent: bool = False
    """The number is followed by a percent sign."""
    spread: float | None = None
    """After ± or in brackets."""
    higher_is_better: bool | None = None
    own: bool = False
    """The paper says that the method is its own ("ours", or its name in the title)."""
    best: bool = False
    """Printed bold."""
    source: ClaimSource
    place: Place
    quote: str = ""
    """The sentence, or the table's row."""
    doubts: tuple[Doubt, ...] = ()
