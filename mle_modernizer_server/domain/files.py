"""Files a notebook can read, and the resolution of the paths it names."""

from __future__ import annotations

import re
from enum import Enum
from urllib.parse import unquote, urlsplit

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.code_paths import is_content
from mle_modernizer_server.domain.execution import CellError

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


class FileOrigin(str, Enum):
    """Location of a file that a run can read."""

    BESIDE = "beside"
    """The notebook's folder, or a neighbouring folder."""
    COMPETITION = "competition"
    """The competition's public files."""


class KnownFile(Value):
    """A file that a run can read."""

    path: str
    """Path in a notebook's notation: `data/train.csv`, `../input/spaceship-titanic/train.csv`."""
    origin: FileOrigin
    size: int
    """Bytes."""
    fingerprint: str
    """Hash of its size and its beginning: files with different hashes differ."""
    single: bool = True
    """False: an archive of several files, which no reader parses as one table."""


class FoundFiles(Value):
    """Result of the lookup of paths that a notebook's code names."""

    there: tuple[str, ...] = ()
    """The requested paths that exist for a run."""
    files: tuple[KnownFile, ...] = ()
    """Files with such names in other places."""
    folders: tuple[str, ...] = ()
    """Folders with the name of a requested folder or file, in a notebook's notation."""


class FileFinding(Value):
    """A path that the code names and a run does not find."""

    cell_id: str
    """The cell that uses it."""
    path: str
    candidates: tuple[str, ...] = ()
    """Possible replacements, as paths in a notebook's notation."""
    taken: str | None = None
    """The proposed one; None: there is none, or a person must choose among several."""
    written: bool = False
    """The code writes it, into a folder that does not exist."""


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
    "torchvision": re.compile(r"\btorchvision[/\\]"),
    "torch.hub": re.compile(r"\btorch[/\\]hub\.py"),
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


def downloaded_name(text: str) -> str | None:
    """Return the file name in a web address: its last part; None if it has none."""
    if not text.lower().startswith(("http://", "https://")) or "\n" in text:
        return None
    try:
        path = unquote(urlsplit(text).path)
    except ValueError:
        return None
    name = path.rpartition("/")[2]
    return name if "." in name.strip(".") and "*" not in name and "\\" not in name else None


class HelperSource(Value):
    """A module of the notebook's folder, of which a run gets a copy."""

    path: str
    """Path as the notebook sees it: `helpers/__init__.py`."""
    source: str
    beside: tuple[str, ...] = ()
    """Names of the other modules of its package; empty if its folder is no package."""


class HelperReading(Value):
    """Differences between a module and its copy in the run, if the file is Python 2's."""

    path: str
    source: str
    translated: bool = False
    """The file is Python 2's as a whole: its copy is a translation."""
    relative: tuple[str, ...] = ()
    """Modules that it imports as Python 2 did: modules of its own package, by bare name."""
