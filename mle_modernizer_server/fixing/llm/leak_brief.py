"""What a model may know that is asked whether a notebook leaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mle_modernizer_server.domain.notebook import Notebook


@dataclass(frozen=True)
class LeakBrief:
    """What a model may know for its opinion.

    Attributes:
        notebook: The cells.
        findings: What rules and runs have found, a line each.
    """

    notebook: Notebook
    findings: Sequence[str] = ()
