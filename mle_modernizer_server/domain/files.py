"""Files a notebook may read, and what is known of the paths it names."""

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
"""Of IPython's `%run`, which raises a bare `Exception`."""
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
    """Where a file that a run can read comes from."""

    BESIDE = "beside"
    """The notebook's folder, or a folder next to it."""
    COMPETITION = "competition"
    """The competition's public files."""


class KnownFile(Value):
    """A file that a run can read."""

    path: str
    """As a notebook writes it: `data/train.csv`, `../input/spaceship-titanic/train.csv`."""
    origin: FileOrigin
    size: int
    """Bytes."""
    fingerprint: str
    """Of its size and its beginning: files that differ here differ."""
    single: bool = True
    """False: an archive of several files, which no reader takes for one table."""


class FoundFiles(Value):
    """What was looked up for the paths that a notebook's code names."""

    there: tuple[str, ...] = ()
    """Those of the paths, as they were asked for, that a run finds."""
    files: tuple[KnownFile, ...] = ()
    """Files with such names in other places."""
    folders: tuple[str, ...] = ()
    """Folders with the name of a folder or file that was asked for, as a notebook writes them."""


class FileFinding(Value):
    """A path that the code names and a run does not find."""

    cell_id: str
    """The cell that uses it."""
    path: str
    candidates: tuple[str, ...] = ()
    """Files that may be meant, as a notebook writes their paths."""
    taken: str | None = None
    """The one that is proposed; None: there is none, or several, of which a person chooses."""
    written: bool = False
    """The code writes it, into a folder that is not there."""


def missing_path(error: CellError) -> str | None:
    """Return the path that an error says is not there; None if it is about something else.

    A text of data that a library took for a path is no path.
    """
    text = error.evalue[:_LONGEST]
    if not_run := _NOT_RUN.match(text):
        return not_run[1]
    if error.ename not in _MISSING_FILE and "No such file or directory" not in text:
        return None
    if text.startswith("File ") and is_content(text.removeprefix("File ")):
        return None
    match = _PATH.search(text) or _PATH_FIRST.search(text) or _BARE.search(text)
    # pandas of old named it in bytes: File b'train.csv' does not exist
    return None if match is None or is_content(match[1]) else match[1]


def needs_network(error: CellError) -> bool:
    """Whether an error is a download that found no network."""
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
"""By the files of a library in the traceback."""


def downloading_library(error: CellError) -> str | None:
    """The library whose own data or weights a download that found no network is of, by its name.

    Only such as do not come as one file of one address; None for all other errors.
    """
    if not needs_network(error):
        return None
    text = _COLOUR.sub("", "\n".join(error.traceback))
    return next((name for name, sign in _LIBRARIES.items() if sign.search(text)), None)


def missing_resource(error: CellError) -> tuple[str, str] | None:
    """The data of a library that an error says are not installed: the library and their name.

    Resources of NLTK and models of spaCy: neither comes with the package.
    """
    text = error.evalue[:_LONGEST]
    for library, pattern in _RESOURCES.items():
        found = pattern.search(_COLOUR.sub("", text))
        if found is not None:
            return library, found[1]
    return None


def downloaded_name(text: str) -> str | None:
    """The name of the file that a web address gives: its last part; None where it has none."""
    if not text.lower().startswith(("http://", "https://")) or "\n" in text:
        return None
    try:
        path = unquote(urlsplit(text).path)
    except ValueError:
        return None
    name = path.rpartition("/")[2]
    return name if "." in name.strip(".") and "*" not in name and "\\" not in name else None


class HelperSource(Value):
    """A module of the notebook's folder that a run is shown a copy of."""

    path: str
    """As the notebook sees it: `helpers/__init__.py`."""
    source: str
    beside: tuple[str, ...] = ()
    """Names of the other modules of its package; empty where its folder is no package."""


class HelperReading(Value):
    """A module whose copy reads otherwise than the file, because the file is Python 2's."""

    path: str
    source: str
    translated: bool = False
    """The file is Python 2's as a whole: its copy is a translation."""
    relative: tuple[str, ...] = ()
    """Modules that it imports as Python 2 did: those of its own package, by their bare names."""
