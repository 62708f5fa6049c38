"""How the modernization of a notebook came out."""

from __future__ import annotations

from enum import Enum


class Verdict(str, Enum):
    """How a session came out."""

    REPRODUCED = "reproduced"
    WITHIN_NOISE = "within-noise"
    """Outside the band, but no further from the target than the notebook's own spread."""
    ABOVE_TARGET = "above-target"
    """The score is better than the target's band; nothing pushes it down."""
    BELOW_TARGET = "below-target"
    """It runs without errors, its score is worse than the band, and no cause is left to mend."""
    TARGET_IMPLAUSIBLE = "target-implausible"
    """No run could be expected to score that: a constant's score, or none the metric can have."""
    GRADER_MISMATCH = "grader-mismatch"
    """Target and score are of another kind, direction or scale."""
    NEEDS_EXTERNAL_DATA = "needs-external-data"
    """It reads a file the competition does not have, or downloads one."""
    NON_DETERMINISTIC = "non-deterministic"
    """Repeated runs fall inside the band and outside of it."""
    CANNOT_RUN = "cannot-run"
    """No kernel, code that is no Python, or a package that cannot be had."""
    NEEDS_TIME = "needs-time"
    """No cell failed on its own as far as it came; it needs longer than its time limit."""
    AWAITS_YES = "awaits-yes"
    """What is proposed changes the experiment: a person has to say yes."""
    NO_FIX = "no-fix"
    """No fixer has anything to propose."""
    BUDGET_SPENT = "budget-spent"
    """The fixes, tokens, money or time allowed are used up."""
    NOT_PROVEN = "not-proven"
    """The score is there, but an experiment shows that no trained model made it."""
    NO_PROGRESS = "no-progress"
    """The fixes changed nothing, or led back to where the session had been."""
