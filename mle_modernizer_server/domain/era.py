"""The period in which a notebook was written, and its run with the libraries of that time."""

from __future__ import annotations

import re
from datetime import date
from enum import Enum

from pydantic import Field, JsonValue, computed_field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.environment import EnvironmentRemark
from mle_modernizer_server.domain.grade import ScoreKind
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.notebook import OutputDifference

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


class OwnTimeEnd(str, Enum):
    """Outcome of a run with the original library versions."""

    SCORE = "score"
    """A score, which is a target."""
    OUTPUTS = "outputs"
    """No score, but outputs to compare with the saved ones."""
    NO_SCORE = "no-score"
    """It ran, without a score or output to compare later runs with."""
    FAILED = "failed"
    """It fails there too."""


class OwnTimeRun(Value):
    """Result of a notebook with its original library versions."""

    end: OwnTimeEnd
    notebook_hash: str
    environment: str
    """Id of the environment created for it, which contains the lock file."""
    lock: str
    """SHA-256 of the lock file."""
    python: str
    packages: dict[str, str] = Field(default_factory=dict)
    """Version by distribution of the notebook's requirements."""
    until: date | None = None
    """No package is newer than this day."""
    remarks: tuple[EnvironmentRemark, ...] = ()
    score: float | None = None
    score_kind: ScoreKind = ScoreKind.GRADED
    reason: Messages = ()
    """Reason why there is no score, or the first failure."""
    failing: tuple[str, ...] = ()
    """Ids of the cells that fail, not because of another cell."""
    ran: tuple[str, ...] = ()
    """Ids of the cells that completed."""
    compared: int = 0
    """Number of cells whose outputs could be compared with the saved ones."""
    agreeing: int = 0
    """Number of these with equal outputs."""
    close: int = 0
    """Number of further cells within the threshold."""
    seconds: float = 0.0
    """Duration of the run."""

    @property
    def libraries(self) -> str:
        """Return the libraries and their time: `pandas 0.24.2, scikit-learn 0.20.4 (2019-06)`."""
        named = [f"{name} {version}" for name, version in self.packages.items()]
        shown = ", ".join(named[:_MOST_NAMED]) or f"Python {self.python}"
        return shown if self.until is None else f"{shown} ({self.until:%Y-%m})"


_MOST_NAMED = 4


class ContrastKind(str, Enum):
    """Difference between a cell of today's run and of the run with original library versions."""

    FAILS = "fails"
    """It ran then, and fails today or is not reached."""
    VALUES = "values"
    """A variable it binds or changes has another value."""
    PRINTED = "printed"
    """Only its printed output differs."""
    SETTINGS = "settings"
    """Only settings of its estimators differ: defaults that a library changed."""


class ValueContrast(Value):
    """A value, then and now."""

    name: str
    """Name of the value: `df shape`, `df['age'] mean`, `forest.n_estimators`."""
    then: str
    now: str


class CellContrast(Value):
    """A cell with a different result today."""

    cell_id: str
    ordinal: int
    """Number of the code cell in today's notebook, from 1."""
    kind: ContrastKind
    values: tuple[ValueContrast, ...] = ()
    """The differences, at most a few."""
    unlisted: int = 0
    """Number of further differing values."""
    output: OutputDifference | None = None
    """The first difference in the printed output: `saved` is then, `fresh` is now."""
    error: str = ""
    """The error of a cell that fails."""


class OwnTimeContrast(Value):
    """Cell-by-cell comparison of a run today with the run in the original library versions."""

    notebook_hash: str
    """Hash of the notebook that ran today."""
    iteration: int | None = None
    """Number of that run; None if it is no iteration of the session."""
    cells: tuple[CellContrast, ...] = ()
    """Cells that differ, in notebook order; only the first ones if there are many."""
    compared: int = 0
    """Number of cells that could be compared."""
    agreeing: int = 0
    """Number of these that agree, settings of estimators aside."""
    unsteady: int = 0
    """Number of values that vary between runs of today and were not compared."""

    @computed_field  # type: ignore[prop-decorator]  # mypy cannot see through it
    @property
    def first(self) -> CellContrast | None:
        """The first differing cell; one with only other settings if no other differs.

        None if all cells agree.
        """
        given = [cell for cell in self.cells if cell.kind is not ContrastKind.SETTINGS]
        return next(iter(given or self.cells), None)


class KeptRun(Value):
    """Results of a run's cells, stored for comparison: in old libraries, or today's."""

    notebook_hash: str

    values: dict[str, tuple[tuple[str, str], ...]] = Field(default_factory=dict)
    """Facts by cell id, of the cells that succeeded."""
    outputs: dict[str, tuple[dict[str, JsonValue], ...]] = Field(default_factory=dict)
    """Outputs by cell id, as in nbformat 4; of the run in old libraries."""
    unsteady: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Facts that vary between runs of today, by cell id."""


class Backport(Value):
    """An unchanged notebook's kernel with original library versions in Jupyter's menu."""

    environment: str
    """Id of the environment created for it, which contains the lock file."""
    lock: str
    """SHA-256 of the lock file."""
    kernel: str
    """Name of the kernel."""
    title: str
    """Title in the menu."""
