"""The works that a paper builds on most, by its own words about them."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.paper import Place


class Mention(Value):
    """A sentence of the paper that cites a work."""

    quote: str
    place: Place
    follows: bool = False
    """It says that something is done as there."""


class SourceKind(str, Enum):
    """Where a cited work, or code of it, is at hand."""

    FOLDER = "folder"
    """A file or a repository that a person laid beside the paper."""
    INSTALLED = "installed"
    """A library of this Python whose documentation names the work."""
    FETCHED = "fetched"
    """A person had it fetched from arXiv."""


class CitedSource(Value):
    """A cited work that is at hand, or code that names it."""

    kind: SourceKind
    name: str
    """Of the file, the class or function, or its address."""
    title: str = ""
    """Of the paper that the file is."""
    version: str = ""
    """Of the installed library, with its name."""
    excerpt: str = ""
    """The beginning of the code."""


class TakenValue(Value):
    """What a cited work states for a requirement that the paper takes from it."""

    requirement: str
    value: str
    source: str
    """Name of the file."""
    where: str = ""
    """Its place in the cited work, in words."""
    quote: str = ""


class Ancestor(Value):
    """A cited work that the paper builds on."""

    key: str
    """Of the reference."""
    text: str
    """Title, or the reference as it is printed."""
    weight: float
    """How much the paper's words say of it; comparable within one paper."""
    mentions: tuple[Mention, ...] = ()
    """The telling ones first."""
    requirements: tuple[str, ...] = ()
    """Items of the checklist that are taken from it."""
    sources: tuple[CitedSource, ...] = ()
    """Where it is at hand."""
    taken: tuple[TakenValue, ...] = ()
    """What it states for those items."""
    address: str = ""
    """Where arXiv has its sources; empty where the reference does not say."""
