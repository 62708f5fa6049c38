"""Versions to compare on validation folds."""

from __future__ import annotations

from dataclasses import dataclass

from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.notebook import Notebook


@dataclass(frozen=True)
class Version:
    """A version of the notebook to compare.

    Attributes:
        name: Its name for the user.
        notebook: Its sources.
        kind: The codemod that wrote it; empty if it was passed in.
        what: Description of the change.
        block: Number of the block that it changes first.
    """

    name: str
    notebook: Notebook
    kind: str = ""
    what: Messages = ()
    block: int | None = None
