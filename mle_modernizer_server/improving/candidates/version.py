"""Versions of a notebook, to compare by their scores."""

from __future__ import annotations

from dataclasses import dataclass

from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.notebook import Notebook


@dataclass(frozen=True)
class Version:
    """A version of a notebook that may score better.

    Attributes:
        name: Its name for the user, unique among the versions of a notebook.
        notebook: Its sources.
        kind: The codemod that wrote it; empty if it was passed in.
        what: Description of the change.
        block: Number of the first block that it changes; None if unknown.
    """

    name: str
    notebook: Notebook
    kind: str = ""
    what: Messages = ()
    block: int | None = None
