"""What a notebook itself says of its competition and of the score it once had."""

from __future__ import annotations

from dataclasses import dataclass

from mle_modernizer_server.domain.grade import TargetSuggestion
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.target import (
    KERNEL_METADATA,
    kaggle_competition,
    suggest_targets,
)

__all__ = ["KERNEL_METADATA", "Detected", "detect"]


@dataclass(frozen=True)
class Detected:
    """What was found.

    Attributes:
        competition: Its slug; None where nothing tells.
        reason: Why it is that one or none, a sentence.
        targets: Scores the notebook speaks of, the surest first.
    """

    competition: str | None
    reason: str
    targets: tuple[TargetSuggestion, ...]


def detect(
    competitions: Competitions, notebook: Notebook, *, title: str, kernel_metadata: bytes | None
) -> Detected:
    """What a notebook says of its competition and its score; nothing is taken unasked.

    Args:
        competitions: Those there are.
        notebook: The sources.
        title: Its file name without the suffix.
        kernel_metadata: Content of Kaggle's `kernel-metadata.json` beside it, where it is there
            and speaks of this notebook.
    """
    targets = suggest_targets(notebook, title=title, kernel_metadata=kernel_metadata)
    named = kaggle_competition(kernel_metadata)
    if named is not None and any(known.id == named for known in competitions.list()[0]):
        return Detected(named, f"Kaggle's {KERNEL_METADATA} beside it names {named}.", targets)
    slug, reason = competitions.detect(notebook)
    return Detected(slug, reason, targets)
