"""The period in which a notebook was written, and the library versions it was written for."""

from __future__ import annotations

import re
from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages

MOST_OUTPUT = 20_000
"""Characters of outputs searched for versions and dates."""


class Traces(Value):
    """Hints at a notebook's era in its file, apart from the sources."""

    python: str = Field(default="", max_length=100)
    """Version of the kernel that wrote it last (`metadata.language_info.version`)."""
    kernel: str = Field(default="", max_length=200)
    """Name of its kernel (`metadata.kernelspec.name`)."""
    dates: tuple[str, ...] = Field(default=(), max_length=50)
    """Dates in the metadata, ISO 8601 (Kaggle's own and others')."""
    outputs: str = Field(default="", max_length=MOST_OUTPUT)
    """The beginning of the text of its outputs."""


class Evidence(Value):
    """A piece of evidence for the era: it bounds a library's version, or the time."""

    text: Messages
    """Description of the evidence."""
    cell_id: str | None = None
    library: str = ""
    """Import name, for a bound on its version."""
    at_least: str = ""
    """The library was this version or newer."""
    below: str = ""
    """The library was older than this version."""
    since: str = ""
    """Not written before this month (`2017-05`)."""
    until: str = ""
    """Not written after this month."""
    certain: bool = True
    """False: ignored if other evidence contradicts it."""


class LibraryEra(Value):
    """Range of versions of a library that a notebook may have been written for."""

    library: str
    first: str = ""
    """The oldest minor version that fits (`0.20`); empty if unbounded."""
    last: str = ""
    """The newest minor version that fits; empty if unbounded."""
    surely: str = ""
    """At least this version, by evidence that is certain."""
    text: Messages
    """`pandas 0.20–0.25`, `pandas before 1.0`."""


class Era(Value):
    """Inferred period in which a notebook was written, with the evidence."""

    chosen: str = ""
    """The era that the user entered; it overrides all evidence."""
    first_year: int | None = None
    last_year: int | None = None
    libraries: tuple[LibraryEra, ...] = ()
    """The most informative ones first."""
    evidence: tuple[Evidence, ...] = ()
    used: tuple[str, ...] = ()
    """Import names of the libraries the notebook uses, of those whose releases are known."""
    summary: Messages = ()
    """`pandas 0.20–0.25, sklearn 0.18–0.19 (2017–2018)`; empty if unknown."""

    def of(self, library: str) -> LibraryEra | None:
        """Return the era of a library, or None if unknown."""
        return next((item for item in self.libraries if item.library == library), None)


class Standing(str, Enum):
    """Position of an era relative to a change of a library."""

    BEFORE = "before"
    """The notebook was written for versions older than the change."""
    AFTER = "after"
    """It was written for versions that had the change."""
    UNKNOWN = "unknown"


_YEAR = re.compile(r"(?P<year>(?:19|20)\d\d)")
_VERSION = re.compile(r"(?P<library>[A-Za-z_][\w-]*)[ =]+(?P<version>\d+(?:\.\d+)*)")

_IMPORT_NAMES = {
    "scikit-learn": "sklearn",
    "scikit-image": "skimage",
    "imbalanced-learn": "imblearn",
    "bayesian-optimization": "bayes_opt",
    "category-encoders": "category_encoders",
    "ipython": "IPython",
    "pytorch": "torch",
    "tensorflow-gpu": "tensorflow",
    "tf": "tensorflow",
    "np": "numpy",
    "pd": "pandas",
    "sns": "seaborn",
    "xgb": "xgboost",
    "lgb": "lightgbm",
}


def import_name(name: str) -> str:
    """Return the name a library is imported by: `scikit-learn` → `sklearn`."""
    return _IMPORT_NAMES.get(name.lower(), name.lower())


def chosen_year(text: str) -> int | None:
    """Return the year of an era that the user entered, or None if it lists versions."""
    match = _YEAR.fullmatch(text.strip())
    return int(match["year"]) if match else None


def chosen_versions(text: str) -> dict[str, str]:
    """Return the version by library of an era that the user entered; empty if it is a year.

    Raises:
        ValueError: It is neither a year nor a list such as `pandas 0.23, sklearn 0.19`.
    """
    if chosen_year(text) is not None:
        return {}
    found = {}
    for part in text.split(","):
        match = _VERSION.fullmatch(part.strip())
        if match is None:
            raise ValueError(
                "the era must be a year such as 2018, or versions such as "
                "'pandas 0.23, sklearn 0.19'"
            )
        found[import_name(match["library"])] = match["version"]
    return found
