"""Doing a paper's experiment again: what is to be reproduced, and what came of it."""

from __future__ import annotations

from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.checklist import Statement, Topic
from mle_modernizer_server.domain.claim import Claim
from mle_modernizer_server.domain.execution import Ending, Environment
from mle_modernizer_server.domain.paper import PaperFormat

MOST_CLAIMS_CHOSEN = 50
"""Of one notebook."""
MOST_REPEATED = 20
"""Runs of one check."""
DEFAULT_TOLERANCE = 0.02
"""Share of the larger of the two numbers that a claim and its reproduction may be apart."""
FAR = 0.1
"""Share from which a worse number is no reproduction any more."""


class ExpectedClaim(Value):
    """A claim that a notebook is to compute."""

    claim: Claim
    where: str = Field(default="", max_length=200)
    """Its place in the paper, in words: `Table 1 row 5`."""


class Parameter(Value):
    """A requirement of the method as a named constant of the notebook."""

    name: str = Field(max_length=64, pattern=r"^[A-Z][A-Z0-9_]*$")
    """Of the constant: `LEARNING_RATE`."""
    requirement: str = Field(max_length=64)
    topic: Topic
    statement: Statement
    stated: str = Field(default="", max_length=500)
    """What the paper states, as it prints it."""
    value: str = Field(max_length=500)
    """The Python literal that the constant begins with; `None` where there is no value."""
    where: str = Field(default="", max_length=200)
    """Where the paper states it, in words."""
    quote: str = Field(default="", max_length=500)
    """The sentence, or the table's row."""


class Experiment(Value):
    """What a notebook is to reproduce: kept in its metadata, in none of its cells."""

    version: int = Field(default=1, ge=1, le=1)
    title: str = Field(default="", max_length=1000)
    source: str = Field(max_length=500)
    """Name of the paper's file."""
    checksum: str = Field(pattern=r"^[0-9a-f]{64}$")
    """SHA-256 of the paper's file."""
    format: PaperFormat
    claims: tuple[ExpectedClaim, ...] = Field(min_length=1, max_length=MOST_CLAIMS_CHOSEN)
    parameters: tuple[Parameter, ...] = Field(max_length=100)


class ClaimOutcome(str, Enum):
    """How a computed number stands to the claimed one."""

    WITHIN_ROUNDING = "within-rounding"
    """It would be printed as the paper prints it."""
    WITHIN_TOLERANCE = "within-tolerance"
    """Within the tolerance, or within the spread that the paper gives."""
    OFF = "off"
    """Further away, but not far, or better than claimed."""
    NOT_REACHED = "not-reached"
    """Far away and not known to be better."""
    NOT_COMPUTED = "not-computed"
    """No run gave a number."""

    @property
    def holds(self) -> bool:
        """Whether the claim is reproduced."""
        return self in (ClaimOutcome.WITHIN_ROUNDING, ClaimOutcome.WITHIN_TOLERANCE)


class ClaimRemark(str, Enum):
    """What a reader should know about a claim's result."""

    WRITTEN = "written"
    """The number stands in the code as a literal: it is not computed, and does not count."""
    SCALE = "scale"
    """A hundred times it, or a hundredth of it, would be within tolerance: percent or share?"""
    SOME_RUNS = "some-runs"
    """Not every run gave a number."""


class ClaimCheck(Value):
    """One claim against what the runs computed."""

    expected: ExpectedClaim
    outcome: ClaimOutcome
    values: tuple[float | None, ...] = ()
    """Of each run."""
    value: float | None = None
    """Their mean."""
    deviation: float | None = None
    """Their standard deviation; None for fewer than two."""
    gap: float | None = None
    """|a - b| / max(|a|, |b|), as AutoReproduce measures it."""
    difference: float | None = None
    """(computed - claimed) / |claimed|; None where the claim is 0."""
    remarks: tuple[ClaimRemark, ...] = ()


class AlignmentCode(str, Enum):
    """Whether the notebook does what the paper requires."""

    MET = "met"
    DIFFERS = "differs"
    """It has another value than the paper states."""
    MISSING = "missing"
    """No code uses it."""
    ASSUMED = "assumed"
    """The paper does not state it: the notebook's value is an assumption."""
    UNREADABLE = "unreadable"
    """The paper states it without a value that rules can compare: a person reads it."""


class Alignment(Value):
    """One requirement against the notebook's code."""

    parameter: Parameter
    code: AlignmentCode
    found: str = ""
    """What the code has, as it stands there."""
    cells: tuple[int, ...] = ()
    """Code cells that use it, counted from 1."""


class ReproductionRun(Value):
    """One clean run of the notebook."""

    number: int
    ending: Ending
    seconds: float
    error: str = ""
    """The first error: its name and message."""
    cell: int | None = None
    """Code cell of the error, counted from 1."""
    reseeded: bool = False
    """It was a copy with other seeds."""


class ReproductionCheck(Value):
    """What came of doing a paper's experiment again."""

    experiment: Experiment
    tolerance: float
    claims: tuple[ClaimCheck, ...]
    alignments: tuple[Alignment, ...]
    runs: tuple[ReproductionRun, ...]
    environment: Environment
    sandbox: str = ""

    @property
    def holds(self) -> bool:
        """Whether every claim is within rounding or tolerance."""
        return all(check.outcome.holds for check in self.claims)
