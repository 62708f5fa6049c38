"""Files of the network that a person may have fetched for a notebook, by their addresses.

A run has no network. What a person agrees to is fetched once, by the server, and shown to the runs
read-only: where a library looks for it, or under its name beside the notebook.
"""

from __future__ import annotations

import posixpath
import re
from datetime import datetime
from typing import Annotated
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, StringConstraints

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.files import downloaded_name

LARGEST_RESOURCE = 200_000_000
"""Bytes that are fetched of one address at most."""
MOST_RESOURCES = 20
"""Of one notebook."""

_NLTK = "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/"
_SEABORN = "https://raw.githubusercontent.com/mwaskom/seaborn-data/master/"
_KERAS = re.compile(
    r"https://(?:storage\.googleapis\.com/(?:tensorflow|download\.tensorflow\.org|keras)/|"
    r"s3\.amazonaws\.com/(?:img-datasets|text-datasets|keras-datasets)/)"
)
_TORCH = "https://download.pytorch.org/models/"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_NAME = re.compile(r"[^\x00-\x1f\x7f/\\]{1,150}")
_NOT_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f\\]")


def checked_address(address: str) -> str:
    """The address of a file that may be fetched, as it was given.

    Raises:
        ValueError: It is none: not http or https, with a name or password in it, or without the
            name of a file at its end.
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
"""The address of a file that a person agreed to have fetched."""


class KeptResource(Value):
    """A file that was fetched and is kept."""

    id: str
    address: str
    name: str
    size: int
    """Bytes."""
    sha256: str
    """Of the content."""
    fetched: datetime


def places_of(address: str) -> tuple[str, ...]:
    """Where a run finds what an address gives; `~` is the run's home directory.

    nltk, seaborn, Keras and torch look in folders of their own. All else, and what the code may
    read by its address too, lies under its name beside the notebook.
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
    """The address of a resource of nltk's; None where its names are none."""
    if not _PLAIN.fullmatch(category) or not _PLAIN.fullmatch(name):
        return None
    return f"{_NLTK}{category}/{name}.zip"


def seaborn_address(name: str) -> str | None:
    """The address of a data set of seaborn's; None where its name is none."""
    return f"{_SEABORN}{name}.csv" if _PLAIN.fullmatch(name) else None
