"""Files a notebook can read, the paths it names, and web files fetched for it."""

from __future__ import annotations

import posixpath
import re
from datetime import datetime
from enum import Enum
from typing import Annotated
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, StringConstraints

from mle_modernizer_server.domain.base import Value


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
    outside: tuple[str, ...] = ()
    """The requested paths that exist above the notebook's project, where no run may look."""


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
    outside: bool = False
    """It exists, but above the notebook's project, where no run may look."""


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


LARGEST_RESOURCE = 200_000_000
"""Largest number of bytes downloaded from one address."""
MOST_RESOURCES = 20
"""Largest number of files for one notebook."""

_NLTK = "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/"
_SEABORN = "https://raw.githubusercontent.com/mwaskom/seaborn-data/master/"
_KERAS = re.compile(
    r"https://(?:storage\.googleapis\.com/(?:tensorflow|download\.tensorflow\.org|keras|keras-applications)/|"
    r"s3\.amazonaws\.com/(?:img-datasets|text-datasets|keras-datasets)/)"
)
_TORCH = "https://download.pytorch.org/models/"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_NAME = re.compile(r"[^\x00-\x1f\x7f/\\]{1,150}")
_NOT_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f\\]")


def checked_address(address: str) -> str:
    """Return the address unchanged if a file may be downloaded from it.

    Raises:
        ValueError: It is not http or https, contains a user name or password, or does not end with
            the name of a file.
    """
    if _NOT_IN_ADDRESS.search(address):
        raise ValueError("a web address has no blanks, control signs or backslashes")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https"):
        raise ValueError("only addresses that begin with http:// or https:// can be fetched")
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise ValueError("a web address with a name or a password in it is not fetched")
    if not parts.hostname:
        raise ValueError("the web address names no server")
    if parts.port is not None and not 0 < parts.port < 65_536:
        raise ValueError("the web address has a port that is none")
    name = downloaded_name(address)
    if name is None or not _NAME.fullmatch(name) or name.startswith("."):
        raise ValueError("the web address does not end with the name of a file")
    return address


WebAddress = Annotated[str, StringConstraints(max_length=2_000), AfterValidator(checked_address)]
"""Address of a file that a person agreed to have downloaded."""


class KeptResource(Value):
    """A downloaded and stored file."""

    id: str
    address: str
    name: str
    size: int
    """Bytes."""
    sha256: str
    """SHA-256 of the content."""
    fetched: datetime


def places_of(address: str) -> tuple[str, ...]:
    """Return the paths at which a run finds the file of an address; `~` is the run's home
    directory.

    nltk, seaborn, Keras and torch search folders of their own. All other files, and those that code
    may also read by address, are in the notebook's folder under their names.
    """
    name = downloaded_name(address) or ""
    if address.startswith(_NLTK):
        below = unquote(urlsplit(address).path).split("/packages/", 1)[1]
        if below.count("/") == 1 and posixpath.normpath(below) == below:
            return (f"~/nltk_data/{below}",)
    if address.startswith(_SEABORN):
        return (f"~/seaborn-data/{name}", f"~/.cache/seaborn/{name}", name)
    if address.startswith(_TORCH):
        return (f"~/.cache/torch/hub/checkpoints/{name}", name)
    if _KERAS.match(address):
        kind = "models" if "weights" in name or "/keras-applications/" in address else "datasets"
        return (f"~/.keras/{kind}/{name}", name)
    return (name,)


def nltk_address(category: str, name: str) -> str | None:
    """Return the address of an nltk resource; None if the names are invalid."""
    if not _PLAIN.fullmatch(category) or not _PLAIN.fullmatch(name):
        return None
    return f"{_NLTK}{category}/{name}.zip"


def seaborn_address(name: str) -> str | None:
    """Return the address of a seaborn data set; None if the name is invalid."""
    return f"{_SEABORN}{name}.csv" if _PLAIN.fullmatch(name) else None
