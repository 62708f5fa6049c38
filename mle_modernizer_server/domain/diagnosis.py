"""Facts read from errors, the diagnosis of a run and its score, and the fix that is due."""

from __future__ import annotations

import re
from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.environment import HOSTED_MODULES, hosted_module
from mle_modernizer_server.domain.execution import CellError, ExecutionStatus
from mle_modernizer_server.domain.grade import OutputStatus
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import OutputAgreement


class Outcome(str, Enum):
    """The paper's outcomes of a notebook (Tables 1 and 3)."""

    ERROR_FREE_REPRODUCIBLE = "error-free-reproducible"
    ERROR_REPRODUCIBLE = "error-reproducible"
    ERROR_FREE_NON_REPRODUCIBLE = "error-free-non-reproducible"
    ERROR_NON_REPRODUCIBLE = "error-non-reproducible"
    FAILED = "failed"

    @property
    def reproducible(self) -> bool:
        """Return whether the score is inside the band."""
        return self in (Outcome.ERROR_FREE_REPRODUCIBLE, Outcome.ERROR_REPRODUCIBLE)


class FixType(str, Enum):
    """The three kinds of fixes (paper, section 3.1), and others that are not in the paper."""

    RUNTIME_REDUCTION = "runtime-reduction"
    ERROR_REPAIR = "error-repair"
    SCORE_CALIBRATION = "score-calibration"
    SUBMISSION = "submission"
    """Write a missing or invalid submission in the competition's format (not in the paper)."""
    BEFORE_RUN = "before-run"
    """Known changes that the code alone reveals: fixed before the first run, or after a run in
    which they failed without an error (not in the paper)."""
    IMPROVEMENT = "improvement"
    """A version with a better score on validation folds (not in the paper)."""
    WRITING = "writing"
    """The experiment of another paper, written into its notebook (not in the paper)."""


class FixScope(str, Enum):
    """How much of the notebook a fixer may read and change."""

    FILE = "file"
    CELL = "cell"
    """The first failing cell only, with the cells before it and the next one."""


class ErrorKind(str, Enum):
    """Effect of an error on the notebook."""

    ROOT = "root"
    CASCADE = "cascade"
    HARMLESS = "harmless"


class Finding(Value):
    """An error with its diagnosis."""

    kind: ErrorKind
    error: CellError
    caused_by: str | None = None
    """For a cascade: id of the failed cell that caused it."""
    explanation: str = ""
    """Known facts about this error, in a sentence (which library change, since when)."""
    link: str = ""
    """Link to the documentation of the change."""


class ErrorDiagnosis(Value):
    """The errors of a run, and the fix that is due."""

    execution_status: ExecutionStatus
    findings: tuple[Finding, ...]
    """In notebook order: root errors, their cascades, harmless ones."""
    fix_type: FixType | None
    """Kind of fix that is due; None if none is."""
    summary: Messages
    """Summary for the status line."""

    @property
    def roots(self) -> tuple[Finding, ...]:
        """Return the root errors, in notebook order."""
        return tuple(item for item in self.findings if item.kind is ErrorKind.ROOT)

    def first_root(self) -> Finding | None:
        """Return the first root error of the notebook, or None."""
        return next(iter(self.roots), None)

    @property
    def cascades(self) -> frozenset[str]:
        """Return the ids of the cells that failed only because another one did."""
        return frozenset(
            item.error.cell_id for item in self.findings if item.kind is ErrorKind.CASCADE
        )


class Diagnosis(ErrorDiagnosis):
    """Diagnosis of a run on all data: its errors, and the outcome by its score."""

    outcome: Outcome
    output_status: OutputStatus


def run_result(diagnosis: Diagnosis, agreement: OutputAgreement | None) -> Messages:
    """Return the outcome of a run that no score was compared with.

    Args:
        diagnosis: Of the run.
        agreement: Comparison of its outputs with those saved in the file; None if none were saved.
    """
    if diagnosis.outcome is Outcome.FAILED:
        return coded("result.failed")
    if diagnosis.execution_status is not ExecutionStatus.ERROR_FREE:
        return coded("result.with-errors")
    if agreement is None or not agreement.compared:
        return coded("result.without-errors")
    if agreement.agreeing == agreement.compared:
        return coded("result.saved-outputs")
    alike = agreement.agreeing + agreement.close == agreement.compared
    return coded("result.close-outputs") if alike else coded("result.other-outputs")


_NO_MODULE = re.compile(r"No module named '?(?P<name>\w+)(?P<inner>\.)?")
_MISSING = re.compile(r"No module named '?(?P<name>[\w.]{1,100})")
_OPTIONAL = re.compile(
    r"Missing optional dependency '(?P<name>[\w.-]+)'|^`Import (?P<since_3_0>[\w.-]+)` failed\."
)
"""Message of pandas for a missing optional dependency; the second form since 3.0."""
_PANDAS_NAMES = {
    "Bottleneck": "bottleneck",
    "Jinja2": "jinja2",
    "SQLAlchemy": "sqlalchemy",
    "beautifulsoup4": "bs4",
    "odfpy": "odf",
    "python-calamine": "python_calamine",
    "pytables": "tables",
}
"""Import names of the packages that pandas names differently (`pandas.compat._optional`)."""


def missing_module(error: CellError) -> str | None:
    """Return the top-level module that an error reports as not installed.

    Args:
        error: Any error of a cell.

    Returns:
        None for other errors: a file of the notebook's own that is imported by its bare name, a
        module that an installed package does not have (`sklearn.externals`), or one that only a
        hosting service has (`google.colab`).
    """
    if error.ename not in ("ModuleNotFoundError", "ImportError") or error.imported_beside:
        return None
    if missing_hosted_module(error) is not None:
        return None
    optional = _OPTIONAL.search(error.evalue)
    if optional is not None:
        name = optional["name"] or optional["since_3_0"]
        return _PANDAS_NAMES.get(name, name)
    match = _NO_MODULE.match(error.evalue)
    return match["name"] if match is not None and not match["inner"] else None


def missing_hosted_module(error: CellError) -> str | None:
    """Return the module of a hosting service that an error reports as missing; None for others.

    Without any package below `google`, the error names only that; the traceback has the rest.
    """
    match = _MISSING.match(error.evalue)
    if match is None:
        return None
    name = match["name"]
    known = hosted_module(name)
    if known is not None:
        return known
    lines = _COLOUR.sub("", "\n".join(error.traceback))
    inner = (one for one in HOSTED_MODULES if one.startswith(f"{name}."))
    return next((one for one in inner if one in lines), None)


_PATH = re.compile(
    r"(?:No such file or directory|does not exist|not found)[^'\"]*['\"]([^'\"]+)['\"]"
)
_PATH_FIRST = re.compile(r"['\"]([^'\"]+)['\"][^'\"]*(?:does not exist|not found)")
_BARE = re.compile(r"^(?:File )?(\S.*?) (?:does not exist|not found)")
_NOT_RUN = re.compile(r"^File `u?'([^']+)'`? not found")
"""Message of IPython's `%run`, which raises a bare `Exception`."""
_MISSING_FILE = frozenset({"FileNotFoundError", "NotFoundError", "NotADirectoryError"})
_LONGEST = 2_000
_OFFLINE = frozenset(
    {
        "URLError",
        "HTTPError",
        "ConnectionError",
        "ConnectTimeout",
        "ConnectionRefusedError",
        "gaierror",
        "NewConnectionError",
        "MaxRetryError",
        "NameResolutionError",
        "LocalEntryNotFoundError",
        "OfflineModeIsEnabled",
    }
)
_OFFLINE_WORDS = re.compile(
    r"name resolution|name or service not known|failed to resolve|network is unreachable|"
    r"max retries exceeded|urlopen error|couldn't connect to|could not connect to|"
    r"URL fetch failure",
    re.IGNORECASE,
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_RESOURCES = {
    "nltk": re.compile(r"Resource\s+'?([\w.-]+)'?\s+not\s+found[\s\S]*NLTK"),
    "spacy": re.compile(r"\[E050\] Can't find model '([\w.-]+)'"),
}


def missing_path(error: CellError) -> str | None:
    """Return the path that an error reports as missing; None if the error is another one.

    A text of data that a library mistook for a path is no path.
    """
    text = error.evalue[:_LONGEST]
    if not_run := _NOT_RUN.match(text):
        return not_run[1]
    if error.ename not in _MISSING_FILE and "No such file or directory" not in text:
        return None
    if text.startswith("File ") and is_content(text.removeprefix("File ")):
        return None
    match = _PATH.search(text) or _PATH_FIRST.search(text) or _BARE.search(text)
    # old pandas reported it as bytes: File b'train.csv' does not exist
    return None if match is None or is_content(match[1]) else match[1]


def needs_network(error: CellError) -> bool:
    """Return whether an error is a download that failed without network."""
    return error.ename in _OFFLINE or bool(_OFFLINE_WORDS.search(error.evalue[:_LONGEST]))


_LIBRARIES = {
    "scikit-learn": re.compile(r"\bsklearn[/\\]datasets[/\\]"),
    "Hugging Face": re.compile(
        r"\b(?:huggingface_hub|transformers)[/\\]|site-packages[/\\]datasets[/\\]"
    ),
    "torch.hub": re.compile(r"\btorch[/\\]hub\.py"),  # torchvision's weights, a file each, too
    "torchvision": re.compile(r"\btorchvision[/\\]"),
    "TensorFlow Datasets": re.compile(r"\btensorflow_datasets[/\\]"),
}
"""Patterns of a library's files in the traceback."""


def downloading_library(error: CellError) -> str | None:
    """Return the name of the library whose own data or weights failed to download.

    Only for data that is more than a single file at one address; None for all other errors.
    """
    if not needs_network(error):
        return None
    text = _COLOUR.sub("", "\n".join(error.traceback))
    return next((name for name, sign in _LIBRARIES.items() if sign.search(text)), None)


def missing_resource(error: CellError) -> tuple[str, str] | None:
    """Return the library and the name of its data that an error reports as not installed.

    Resources of NLTK and models of spaCy: neither comes with the package.
    """
    text = error.evalue[:_LONGEST]
    for library, pattern in _RESOURCES.items():
        found = pattern.search(_COLOUR.sub("", text))
        if found is not None:
            return library, found[1]
    return None


_CONTENT = re.compile(r"\s*(?:[{<]|\[(?![^]\s\"'{\[]+\].))")
"""First characters of JSON, XML and HTML; `[ab]*.csv` is a pattern of paths."""


def is_content(text: str) -> bool:
    """Return whether a text is data and not a path: it begins like JSON, XML or HTML."""
    return _CONTENT.match(text) is not None
