"""Further runs that test a result: repeats, noise, proofs, rehearsals, calibration."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from pydantic import Field, model_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding, Outcome
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.proposal import KnownChange

MOST_RUNS = 10
"""Largest number of runs, as in the paper's verification."""
STEADY_RUNS = 3
"""Number of runs with equal scores after which a notebook is considered deterministic."""
SIGNIFICANCE = 0.05
"""p-value from which scores and target are consistent."""
SURE = 0.001
"""p-value below which the runs end early: the target is inconsistent with the scores."""
_MOST_SHOWN = 3
"""Number of reduced numbers that a rehearsal names."""


class VerificationKind(str, Enum):
    """Evidence required to accept an outcome."""

    QUICK = "quick"
    """One clean run inside the band."""
    STRICT = "strict"
    """Repeated clean runs whose scores are consistent with the target."""


class RepeatedRun(Value):
    """One clean run for measurement, not for fixing: it is no iteration."""

    number: int
    """From 1."""
    outcome: Outcome
    score: float | None
    within_threshold: bool
    seconds: float
    """Wall-clock time of the notebook."""
    reseeded: bool = False
    """Whether it ran a copy with other seeds."""
    reason: Messages = ()
    """Reason why there is no score."""


class Spread(Value):
    """Statistics of a sample of scores."""

    count: int
    mean: float
    deviation: float | None
    """Standard deviation of the sample (n - 1); None for a single score."""
    least: float
    greatest: float
    low: float | None
    """Lower end of the 95 % confidence interval of the mean (Student's t)."""
    high: float | None
    steady: bool
    """All scores are equal, except for rounding."""


class Answer(str, Enum):
    """Result of a verification."""

    REPRODUCIBLE = "reproducible"
    NOT_REPRODUCIBLE = "not-reproducible"
    OPEN = "open"
    """Still running, cancelled early, or without a target to compare with."""


class Verification(Value):
    """Repeated clean runs of one notebook, each in a fresh kernel, and their result."""

    kind: VerificationKind
    notebook_hash: str
    """Hash of the notebook that ran."""
    iteration: int | None
    """The iteration with that notebook; None if none ran it."""
    asked: int
    """Number of runs requested."""
    runs: tuple[RepeatedRun, ...] = ()
    target: float | None = None
    threshold: float = 0.1
    spread: Spread | None = None
    """Spread of the scores so far."""
    p_value: float | None = None
    """p-value of a two-sided one-sample t-test of the scores against the target; None if undefined:
    fewer than two scores, or all equal."""
    deviation: float | None = None
    """Deviation of the mean score from the target, computed as for a grade."""
    within_threshold: bool = False
    """Whether the mean score is inside the band."""
    runs_within: int = 0
    """Number of runs inside the band."""
    answer: Answer = Answer.OPEN
    message: Messages = ()
    """The result and the rule behind it."""
    ended: Messages = ()
    """Reason why there are fewer runs than requested; empty if there are not, or while running."""
    cancelled: bool = False
    """Whether the user cancelled it."""
    failed: bool = False
    """Whether a problem stopped it; `ended` names it."""
    done: bool = False
    """Whether the verification has ended."""


class NoiseWish(str, Enum):
    """When auto mode measures the noise before it calibrates a score."""

    WHEN_CHEAP = "when-cheap"
    """If a run takes less than a minute."""
    ALWAYS = "always"
    NEVER = "never"


class NoiseAnswer(str, Enum):
    """Result of comparing the noise with the distance between score and target."""

    WITHIN = "within-noise"
    """The target is within the range of another run's score: no explanation is needed."""
    BEYOND = "beyond-noise"
    """The distance is larger than the notebook's own spread: there is another cause."""
    STEADY = "steady"
    """The score does not depend on randomness, which is not the cause."""
    OPEN = "open"
    """Still running, cancelled early, over budget, or inconclusive."""


class Noise(Value):
    """Repeated runs of one notebook, unchanged and with other seeds, and their spread."""

    notebook_hash: str
    iteration: int
    """The iteration whose notebook is measured; its score is part of the sample."""
    asked: int
    runs: tuple[RepeatedRun, ...] = ()
    seeds: tuple[str, ...] = ()
    """The fixed seeds in the notebook's code; other values were tried."""
    repeats: bool | None = None
    """Whether the unchanged notebook reproduces its score; None: not tried."""
    target: float | None = None
    score: float | None = None
    spread: Spread | None = None
    low: float | None = None
    """Lower end of the range, up to `high`, of one more score with 95 % probability."""
    high: float | None = None
    multiple: float | None = None
    """Distance of the target from the mean score in standard deviations."""
    answer: NoiseAnswer = NoiseAnswer.OPEN
    message: Messages = ()
    """The result and the rule behind it."""
    done: bool = False


class ProofKind(str, Enum):
    """Kind of experiment."""

    LABEL_SHUFFLE = "label-shuffle"
    """A run with the training labels permuted must lose its score."""
    ROW_SHUFFLE = "row-shuffle"
    """Test rows and ids permuted must permute the predictions alike."""
    HALF_ROWS = "half-rows"
    """Half of the test rows must have the predictions that they have among all of them."""
    NO_COPY = "no-copy"
    """The submission is neither the sample nor a pre-existing file."""
    WAY = "way"
    """No cell in the backward slice of the submission failed."""


class ProofOutcome(str, Enum):
    """Result of an experiment."""

    PASSED = "passed"
    FAILED = "failed"
    """The result does not come from a model trained on the labels."""
    UNCLEAR = "unclear"
    """Inconclusive: neither a proof nor evidence against the result."""


class ProofCode(str, Enum):
    """Reason for a proof's outcome."""

    LABELS_MATTER = "labels-matter"
    LABELS_UNUSED = "labels-unused"
    """Permuted labels gave the same submission."""
    SCORE_KEPT = "score-kept"
    """The score survived permuted labels."""
    SCORE_NOT_COMPUTED = "score-not-computed"
    """Permuted labels led to the same printed score to the last digit."""
    SCORE_FELL_LITTLE = "score-fell-little"
    NO_BETTER_THAN_FLOOR = "no-better-than-floor"
    """There is no score above the floor to lose."""
    NO_SCORE = "no-score"
    """One of the runs has none."""
    FOLLOWS_ROWS = "follows-rows"
    FOLLOWS_IDS = "follows-ids"
    """The predictions moved with the ids of the permuted rows."""
    FOLLOWS_PLACES = "follows-places"
    """The predictions stayed in place although the rows were permuted."""
    ALL_THE_SAME = "all-the-same"
    """Every row has the same prediction."""
    ORDER_MATTERS = "order-matters"
    """The predictions changed with the rows' order."""
    ROWS_COST_SCORE = "rows-cost-score"
    """With the rows in another order the score is lost, though most predictions follow them."""
    ROWS_ALONE = "rows-alone"
    """The predictions of a row are independent of the other test rows."""
    ROWS_TOGETHER = "rows-together"
    """The predictions of a row depend on other test rows."""
    VARIES = "varies"
    """Two runs on the same data predict differently, so no comparison is possible."""
    IDS_DIFFER = "ids-differ"
    """The two submissions have different rows."""
    COPY = "copy"
    OWN = "own"
    CELLS_FAILED = "cells-failed"
    CELLS_RAN = "cells-ran"
    NOT_POSSIBLE = "not-possible"
    """The data cannot be permuted."""


class Proof(Value):
    """One experiment and its result."""

    kind: ProofKind
    outcome: ProofOutcome
    code: ProofCode
    parameters: dict[str, str] = Field(default_factory=dict)
    """Parameters of the code: scores, a file, cells."""
    reason: Messages = ()
    """Reason why it is not possible, as a clause after `because`."""
    seconds: float = 0.0
    """Duration of the run for it; 0 if there was none."""
    sample: Messages = ()
    """Size of the sample of the training data it used; empty for all of the data."""

    @model_validator(mode="before")
    @classmethod
    def _of_sentence(cls, value: Any) -> Any:
        """Convert logs from before reasons had codes, with a sentence among the parameters."""
        if isinstance(value, dict) and "reason" in value.get("parameters", {}):
            parameters = dict(value["parameters"])
            return {**value, "parameters": parameters, "reason": parameters.pop("reason")}
        return value


def speaks_against(proof: Proof) -> bool:
    """Return whether a proof rules out calling a result reproduced."""
    return proof.outcome is ProofOutcome.FAILED or proof.code is ProofCode.CELLS_FAILED


class RehearsalSettings(Value):
    """Settings of a rehearsal."""

    rows: int = Field(default=2_000, ge=20, le=1_000_000)
    """Approximate number of rows of a table in the sample."""
    time_limit: float | None = Field(default=None, gt=0, le=24 * 3600)
    """Seconds; None: a tenth of the notebook's own limit, but between 30 s and 120 s."""

    def limit(self, of_run: float) -> float:
        """Return the time limit of a rehearsal in seconds.

        Args:
            of_run: The notebook's own limit, the upper bound of a rehearsal's.
        """
        chosen = self.time_limit or min(max(of_run / 10, 30.0), 120.0)
        return min(chosen, of_run)


class SampledTable(Value):
    """A table of which the sample contains only some rows."""

    name: str
    """Path below the competition's public directory."""
    rows: int
    """Number of rows in the sample."""
    of: int
    """Number of rows in the data."""


class Sample(Value):
    """Content of a sample of a competition's data."""

    tables: tuple[SampledTable, ...] = ()
    """Tables that were cut; the others are complete."""
    files_left_out: int = 0
    """Number of pictures and similar files that no sampled row names."""
    notes: Messages = ()
    """Parts of the sample that are inconsistent."""

    @property
    def cut(self) -> bool:
        """Return whether it is smaller than the data."""
        return bool(self.tables) or self.files_left_out > 0

    @property
    def size(self) -> Messages:
        """Return its share of the data, by its largest table: `2,000 rows of 891,000`."""
        if not self.tables:
            return coded("sample.files", count=self.files_left_out)
        largest = max(self.tables, key=lambda table: table.of)
        return coded("sample.rows", rows=largest.rows, of=largest.of)


class ShortenedTraining(Value):
    """A number of epochs, steps, trees or folds that is smaller in a rehearsal."""

    cell_id: str
    name: str
    """Argument, variable or function: `epochs`."""
    was: str
    """Expression in the notebook; empty if there was none."""


class Rehearsal(Value):
    """Details of an iteration of the kind `rehearsal`: it decides nothing."""

    rows: int
    """Approximate number of rows of a table requested."""
    sample: Sample
    seconds_for_sample: float
    """Seconds to create the sample; nearly 0 if it existed already."""
    doubtful: dict[str, Messages] = Field(default_factory=dict)
    """By cell id: reason why its error may come from the sample or the short training."""
    shortened: tuple[ShortenedTraining, ...] = ()
    """Reduced numbers of the training."""

    @property
    def size(self) -> Messages:
        """Return its share of the data and of the training."""
        data = self.sample.size if self.sample.cut else coded("sample.all")
        if not self.shortened:
            return data
        named = dict.fromkeys(
            f"{one.name} {one.was}" if one.was.isdecimal() else one.name
            for one in self.shortened
            if one.was
        )
        shown = ", ".join(list(named)[:_MOST_SHOWN]) + (", …" if len(named) > _MOST_SHOWN else "")
        if not shown:
            return coded("rehearsal.steps", data=data)
        return coded("rehearsal.size", data=data, named=shown)


def own_errors(found: tuple[Finding, ...], doubtful: Mapping[str, Messages]) -> tuple[Finding, ...]:
    """Return the root errors of a rehearsal that do not depend on the sample.

    Empty if the first one may come from the sample: the later ones are then doubtful too.

    Args:
        found: All findings.
        doubtful: By cell id, the reason why an error may come from the sample.
    """
    roots = [finding for finding in found if finding.kind is ErrorKind.ROOT]
    if not roots or roots[0].error.cell_id in doubtful:
        return ()
    return tuple(finding for finding in roots if finding.error.cell_id not in doubtful)


class Tried(Value):
    """An experiment: the notebook with some old defaults and behaviours restored."""

    rules: tuple[str, ...]
    """Ids of the rules that restore them."""
    what: Messages
    """The restored behaviours, a sentence each."""
    changes: tuple[KnownChange, ...] = ()
    """The libraries' changes that the rules address."""
    before: float
    """Score of the unchanged notebook."""
    after: float | None
    """Score of this run; None if absent."""
    moved: bool
    """Whether the score differs by more than the notebook's own noise."""
    nearer: bool
    """Whether the score is nearer to the target."""
    within_threshold: bool
    """Whether the score is inside the band."""
    seconds: float


class Calibration(Value):
    """The search for the cause of a score's distance among the libraries' silent changes."""

    notebook_hash: str
    iteration: int
    """The iteration whose score is to be explained."""
    score: float
    target: float
    control: float | None = None
    """Score of a repeated run of the unchanged notebook: smaller differences are noise."""
    tried: tuple[Tried, ...] = ()
    """Every experiment in order; the first restores all at once."""
    causes: tuple[Tried, ...] = ()
    """The smallest sets that move the score, the largest effect first."""
    left_out: tuple[str, ...] = ()
    """Ids of rules that are not proposed: they move nothing, or lead away from the target."""
    message: Messages = ()
    """Summary of the result."""
    done: bool = False
