"""The works that a paper builds on most, inferred from its sentences about them."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.paper import Place


class Mention(Value):
    """A sentence of the paper that cites a work."""

    quote: str
    place: Place
    follows: bool = False
    """The sentence reports that the paper follows that work in something."""


class SourceKind(str, Enum):
    """Source of a cited work, or of code for it."""

    FOLDER = "folder"
    """A file or a repository that a person put next to the paper."""
    INSTALLED = "installed"
    """An installed Python library whose documentation names the work."""
    FETCHED = "fetched"
    """Downloaded from arXiv at a person's request."""


class CitedSource(Value):
    """An available cited work, or code that names it."""

    kind: SourceKind
    name: str
    """Name of the file, the class or function, or its address."""
    title: str = ""
    """Title of the paper in the file."""
    version: str = ""
    """Name and version of the installed library."""
    excerpt: str = ""
    """The beginning of the code."""


class TakenValue(Value):
    """Value that a cited work states for a requirement that the paper adopts from it."""

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
    """Key of the reference."""
    text: str
    """Title, or the reference as printed."""
    weight: float
    """How much of the paper's text is about it; comparable within one paper."""
    mentions: tuple[Mention, ...] = ()
    """The most informative ones first."""
    requirements: tuple[str, ...] = ()
    """Items of the checklist that are adopted from it."""
    sources: tuple[CitedSource, ...] = ()
    """Available copies of it and of its code."""
    taken: tuple[TakenValue, ...] = ()
    """Values that it states for those items."""
    address: str = ""
    """Address of its sources on arXiv; empty if the reference has none."""
