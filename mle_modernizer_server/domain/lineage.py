"""The works that a paper builds on most, by its own words about them."""

from __future__ import annotations

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.paper import Place


class Mention(Value):
    """A sentence of the paper that cites a work."""

    quote: str
    place: Place
    follows: bool = False
    """It says that something is done as there."""


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
