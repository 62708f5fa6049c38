"""Reproduction of a paper's experiment, and the notebook written for it."""

from __future__ import annotations

from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.execution import Ending, Environment
from mle_modernizer_server.domain.model_calls import Range, Usage
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.paper import Claim, PaperFormat, Statement, Topic
from mle_modernizer_server.domain.proposal import CellEdit

MOST_CLAIMS_CHOSEN = 50
"""Largest number of claims for one notebook."""
MOST_REPEATED = 20
"""Largest number of runs of one check."""
DEFAULT_TOLERANCE = 0.02
"""Allowed difference of a claim and its reproduction, as a share of the larger number."""
FAR = 0.1
"""Difference, as a share, from which a worse number is no reproduction any more."""


class ExpectedClaim(Value):
    """A claim that a notebook must compute."""

    claim: Claim
    where: str = Field(default="", max_length=200)
    """Its place in the paper, in words: `Table 1 row 5`."""


class Parameter(Value):
    """A requirement of the method as a named constant of the notebook."""

    name: str = Field(max_length=64, pattern=r"^[A-Z][A-Z0-9_]*$")
    """Name of the constant: `LEARNING_RATE`."""
    requirement: str = Field(max_length=64)
    topic: Topic
    statement: Statement
    stated: str = Field(default="", max_length=500)
    """The stated value as the paper prints it."""
    value: str = Field(max_length=500)
    """Initial Python literal of the constant; `None` if there is no value."""
    where: str = Field(default="", max_length=200)
    """Place of the statement in the paper, in words."""
    quote: str = Field(default="", max_length=500)
    """The sentence or the table row."""


class Experiment(Value):
    """Experiment for a notebook to reproduce: stored in its metadata, in none of its cells."""

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
    """Relation of a computed number to the claimed one."""

    WITHIN_ROUNDING = "within-rounding"
    """Rounded as in the paper, it is equal."""
    WITHIN_TOLERANCE = "within-tolerance"
    """Within the tolerance, or within the spread that the paper states."""
    OFF = "off"
    """Further away, but not far, or better than claimed."""
    NOT_REACHED = "not-reached"
    """Far away and not known to be better."""
    NOT_COMPUTED = "not-computed"
    """No run computed a number."""

    @property
    def holds(self) -> bool:
        """Return whether the claim is reproduced."""
        return self in (ClaimOutcome.WITHIN_ROUNDING, ClaimOutcome.WITHIN_TOLERANCE)


class ClaimRemark(str, Enum):
    """Note on a claim's result."""

    WRITTEN = "written"
    """The number is a literal in the code: it is not computed, and does not count."""
    SCALE = "scale"
    """A hundred times it, or a hundredth of it, would be within tolerance: percent or share?"""
    SOME_RUNS = "some-runs"
    """Not every run computed a number."""


class ClaimCheck(Value):
    """Comparison of one claim with the numbers that the runs computed."""

    expected: ExpectedClaim
    outcome: ClaimOutcome
    values: tuple[float | None, ...] = ()
    """Number of each run."""
    value: float | None = None
    """Mean of the values."""
    deviation: float | None = None
    """Standard deviation of the values; None for fewer than two."""
    gap: float | None = None
    """|a - b| / max(|a|, |b|), as AutoReproduce measures it."""
    difference: float | None = None
    """(computed - claimed) / |claimed|; None if the claim is 0."""
    remarks: tuple[ClaimRemark, ...] = ()


class AlignmentCode(str, Enum):
    """Whether the notebook meets the paper's requirement."""

    MET = "met"
    DIFFERS = "differs"
    """It has another value than the paper states."""
    MISSING = "missing"
    """No code uses it."""
    ASSUMED = "assumed"
    """The paper does not state it: the notebook's value is an assumption."""
    UNREADABLE = "unreadable"
    """The paper states it without a value that rules can compare: a person must check it."""


class Alignment(Value):
    """Comparison of one requirement with the notebook's code."""

    parameter: Parameter
    code: AlignmentCode
    found: str = ""
    """The value in the code, verbatim."""
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
    """Whether it ran a copy with other seeds."""


class ReproductionCheck(Value):
    """Result of reproducing a paper's experiment."""

    experiment: Experiment
    tolerance: float
    claims: tuple[ClaimCheck, ...]
    alignments: tuple[Alignment, ...]
    runs: tuple[ReproductionRun, ...]
    environment: Environment
    sandbox: str = ""

    @property
    def holds(self) -> bool:
        """Return whether every claim is within rounding or tolerance."""
        return all(check.outcome.holds for check in self.claims)


MOST_ROUNDS = 20
"""Largest number of requests of one stage."""


class WritingStage(str, Enum):
    """Stage of writing, in this order."""

    DATA = "data"
    """The cell that loads the data; it is run, and the loaded data are described."""
    METHOD = "method"
    """The model, tried on a batch of the data."""
    EXPERIMENT = "experiment"
    """Training and evaluation, run on a sample of the data."""
    ALIGNMENT = "alignment"
    """Differences from the paper's method, and missing parts."""
    REFINEMENT = "refinement"
    """Remaining problems of a clean run on all data."""


class StageEnding(str, Enum):
    """How a stage ended."""

    DONE = "done"
    GIVEN_UP = "given-up"
    """The model proposed no change, and a problem remains."""
    REJECTED = "rejected"
    """The person rejected a change."""
    ROUNDS = "rounds"
    """The largest number of rounds was used up."""
    BUDGET = "budget"
    """A bound of the budget was reached."""


class WrittenStage(Value):
    """Result of a stage."""

    stage: WritingStage
    ending: StageEnding
    rounds: int
    """Number of requests to the model."""
    edits: tuple[CellEdit, ...] = ()
    """All edits, round by round."""
    problem: str = ""
    """The remaining problem; empty if there is none."""
    seconds: float = 0.0
    """Duration of the runs of the written code."""


class Writing(Value):
    """State of writing a notebook; writing can resume from it."""

    version: int = Field(default=1, ge=1, le=1)
    experiment: Experiment
    notebook: Notebook
    stages: tuple[WrittenStage, ...] = ()
    """Completed stages."""
    usage: Usage = Usage()
    seconds: float = 0.0
    """Seconds of work."""
    ran: bool = False
    """A clean run of the current `notebook` met no error."""

    def ended(self, stage: WritingStage) -> bool:
        """Return whether a stage has ended."""
        return any(one.stage is stage for one in self.stages)


class SessionWriting(Value):
    """State of writing a session's notebook: as a `Writing`, with hashes."""

    experiment_hash: str
    """Hash of the experiment to reproduce: writing starts again if it differs."""
    base_hash: str
    """Hash of the user's notebook: writing starts again if it differs."""
    notebook_hash: str
    """Hash of the notebook written so far; in no document before it is accepted."""
    stages: tuple[WrittenStage, ...] = ()
    """Completed stages."""
    usage: Usage = Usage()
    """Usage of all requests of the session for writing, earlier attempts included."""
    seconds: float = 0.0
    """Seconds of work."""
    ran: bool = False
    """A clean run of it met no error: it was submitted for review."""


class WritingEstimate(Value):
    """Estimated cost of writing a notebook."""

    model: str
    questions: Range
    runs: Range
    """Runs of the notebook in the sandbox, on a sample or on all data."""
    input_tokens: Range
    output_tokens: Range
    cost_usd: Range | None
    """US dollars; None if the model's price is unknown."""
