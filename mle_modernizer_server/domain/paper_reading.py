"""Content of a paper's file, parsed by rules, and a model's additions that the paper confirms."""

from __future__ import annotations

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.checklist import Requirement
from mle_modernizer_server.domain.claim import Claim, ClaimSource
from mle_modernizer_server.domain.claim_reading import ClaimCompletion
from mle_modernizer_server.domain.lineage import Ancestor
from mle_modernizer_server.domain.paper import Paper


class PaperReading(Value):
    """A paper, its claims, and the requirements of its method."""

    paper: Paper
    claims: tuple[Claim, ...]
    checklist: tuple[Requirement, ...]
    lineage: tuple[Ancestor, ...] = ()
    """The cited works that it builds on most."""
    completion: ClaimCompletion | None = None
    """Result of asking a model for further claims; None if none was asked."""

    def ranked(self) -> tuple[Claim, ...]:
        """Return the claims in numbering order: those of the paper's own method first, tables
        first."""
        return tuple(
            sorted(self.claims, key=lambda one: (not one.own, one.source is ClaimSource.SENTENCE))
        )
