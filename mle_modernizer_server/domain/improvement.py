"""Comparison of versions of a notebook on validation folds."""

from __future__ import annotations

from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.verification import Proof, ProofOutcome

DEFAULT_FOLDS = 5
DEFAULT_PARTITIONS = 3
"""Number of partitions of the rows into folds."""
MOST_PARTITIONS = 5
FEWEST_FOLDS = 1
"""One is a single hold-out set: weak evidence, which never suffices for "better"."""
MOST_STEPS = 20
"""Largest number of steps of one kind in a refinement course."""
MOST_FOLDS = 20
MOST_REPAIRS = 2
"""Largest number of repairs of a failing change; each calls a model."""


class Comparison(str, Enum):
    """Result of comparing a candidate's scores on the folds with the baseline's."""

    BETTER = "better"
    """The interval of its gain is above 0."""
    UNDECIDED = "undecided"
    """It cannot be distinguished from the baseline."""
    WORSE = "worse"
    """The interval of its gain is below 0, or it was eliminated after the first fold."""
    FAILED = "failed"
    """It had no score on a fold."""


class LeakKind(str, Enum):
    """Kind of data leak that makes a score too optimistic."""

    FIT_ON_TEST = "fit-on-test"
    """Something is fitted on rows of the test data, alone or with the training data."""
    TARGET_IN_FEATURES = "target-in-features"
    """The features contain the target, or a column computed from it."""
    TARGET_MEAN = "target-mean"
    """A feature is a statistic of the target over the same rows that are trained on."""
    FIT_BEFORE_SPLIT = "fit-before-split"
    """A transformer is fitted on rows that are held out afterwards."""
    COPIES_BEFORE_SPLIT = "copies-before-split"
    """Rows are copied before some are held out, so that copies are on both sides."""
    GROUP_SPLIT = "group-split"
    """Rows are held out without regard to groups, but the groups of the test data are new."""
    TIME_SPLIT = "time-split"
    """Rows are held out at random although the test data come later."""
    TRAINED_ON_HELD_OUT = "trained-on-held-out"
    """A score is computed on rows that the model was fitted on, although they were split off."""
    FUTURE = "future"
    """A feature is computed from a later row."""


class Leak(Value):
    """A place in the code that may leak.

    Attributes:
        kind: Kind of the leak.
        cell_id: The cell.
        cell: Number of the code cell, from 1.
        line: Of the cell, from 1.
        name: Class, function or column concerned; empty if none has a name.
    """

    kind: LeakKind
    cell_id: str
    cell: int
    line: int
    name: str = ""


class LeakOpinion(Value):
    """A model's opinion on leaks in a notebook; it decides nothing.

    Attributes:
        leaks: Whether there is one; None if the model gives no opinion.
        cells: Numbers of the code cells concerned, from 1.
        why: The model's explanation.
        reason: Reason why there is no opinion.
    """

    leaks: bool | None = None
    cells: tuple[int, ...] = ()
    why: str = ""
    reason: Messages = ()


class BlockRole(str, Enum):
    """Purpose of a part of a notebook."""

    IMPORTS = "imports"
    LOADING = "loading"
    LOOKING = "looking"
    """Displays data or scores; the submission does not depend on it."""
    CLEANING = "cleaning"
    ENCODING = "encoding"
    FEATURES = "features"
    MODEL = "model"
    TRAINING = "training"
    PREDICTION = "prediction"
    BLENDING = "blending"
    SUBMISSION = "submission"
    OTHER = "other"


class Block(Value):
    """Statements of a cell that follow each other and have one role.

    Attributes:
        number: Among the notebook's blocks, from 1.
        role: Their purpose.
        cell_id: The cell.
        cell: Number of the code cell, from 1.
        first: Their first line in the cell, from 1.
        last: Their last line.
        text: The first line itself.
        submitted: Whether the submission depends on them.
        corrected: Whether a person corrected the role.
    """

    number: int
    role: BlockRole
    cell_id: str
    cell: int
    first: int
    last: int
    text: str
    submitted: bool
    corrected: bool = False


class RoleChoice(Value):
    """The role of a block as corrected by a person.

    Attributes:
        cell_id: The cell.
        text: The block's first line, as `Block.text`.
        role: The block's purpose.
    """

    cell_id: str = Field(max_length=200)
    text: str = Field(max_length=200)
    role: BlockRole


class EarlierResult(Value):
    """Results of earlier searches on similar tasks for a known change.

    Attributes:
        kind: The codemod.
        name: Display name.
        tried: Number of searches that tried it.
        better: Number of these in which it was better.
        worse: Number of these in which it was worse.
    """

    kind: str
    name: str
    tried: int
    better: int
    worse: int

    @property
    def promise(self) -> float:
        """Return the estimated probability that it helps, 0 to 1 (rule of succession)."""
        return (self.better + 1) / (self.tried + 2)


class FoldPlan(Value):
    """Split of the public training data into validation folds.

    Attributes:
        count: Number of folds.
        split: Method of assigning rows to folds.
        column: Name of the group column or the time column.
        seed: Random seed: the same seed yields the same folds.
        reason: Code of the reason for this split: `asked`, `labels`, `time`, `group`, `default`.
        table: The training table, by its path below the public directory.
        rows: Rows of that table.
        held_out: Rows that each fold of the first partition holds out.
        classes: The labels, if there are few; empty if there are many.
        copies: Rows held out by the last fold that also occur among its training rows, ids aside; 0
            if they are one in a hundred or fewer.
    """

    count: int
    split: SplitKind
    column: str | None = None
    seed: int = 0
    reason: str = "default"
    table: str
    rows: int
    held_out: tuple[int, ...]
    classes: tuple[str, ...] = ()
    copies: int = 0


class FoldScore(Value):
    """Run of a notebook on one fold.

    Attributes:
        fold: Its number, from 1.
        score: Score by the competition's metric; None if absent.
        seconds: Duration of the run.
        reason: Reason why there is no score.
    """

    fold: int
    score: float | None
    seconds: float
    reason: Messages = ()


class Gain(Value):
    """Difference of two notebooks' scores over folds; positive is better, whatever the metric.

    Attributes:
        mean: Mean of the paired differences.
        low: Lower end of the corrected interval; None with one fold.
        high: Upper end.
        p: Two-sided p-value of the corrected paired t-test; None if undefined.
        confidence: Confidence level of the interval, corrected for the number of candidates.
    """

    mean: float
    low: float | None = None
    high: float | None = None
    p: float | None = None
    confidence: float = 0.95


class Course(Value):
    """Bounds of a step-by-step refinement from the best version of a search.

    Attributes:
        models: Number of models from the catalogue that a model must integrate; M of MLE-STAR.
        rounds: Number of rounds, each on another block; T of MLE-STAR.
        steps: Steps of a round; K of MLE-STAR.
        ensembles: Number of ensembles requested from a model; R of MLE-STAR.
        most_runs: Largest number of notebook runs of the whole search.
        asks_model: Whether a model may be called, if one is configured.
    """

    models: int = Field(default=2, ge=0, le=MOST_STEPS)
    rounds: int = Field(default=2, ge=0, le=MOST_STEPS)
    steps: int = Field(default=3, ge=0, le=MOST_STEPS)
    ensembles: int = Field(default=1, ge=0, le=MOST_STEPS)
    most_runs: int = Field(default=60, ge=1, le=1_000)
    asks_model: bool = True

    def most_steps(self, *, asks_model: bool) -> int:
        """Return the largest number of versions it may try."""
        refined = self.rounds * self.steps
        if not asks_model:
            return refined
        return refined + 2 * self.models - (self.models > 0) + self.ensembles


class FoldSettings(Value):
    """Settings of a comparison of versions on validation folds."""

    folds: int = Field(default=DEFAULT_FOLDS, ge=FEWEST_FOLDS, le=MOST_FOLDS)
    partitions: int = Field(default=DEFAULT_PARTITIONS, ge=1, le=MOST_PARTITIONS)
    """Most partitions of the rows into folds, for versions whose gain is inconclusive."""
    split: SplitKind | None = None
    """How rows are assigned to folds; None: as the competition itself seems split."""
    column: str | None = Field(default=None, min_length=1, max_length=200)
    """The group's or the time's column, if rows are assigned by one."""
    seed: int = Field(default=0, ge=0, le=2**31 - 1)
    """The same seed gives the same folds."""
    budget: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """Seconds that all runs together may take; None is no bound."""
    ablate: bool = False
    """Measure first the worth of each part of the notebook."""
    refine: Course | None = None
    """Continue with the most important parts, step by step from the best version so far, instead
    of trying each known change once; measure first the worth of each part."""
    roles: tuple[RoleChoice, ...] = Field(default=(), max_length=1_000)
    """The user's corrections of the blocks' inferred roles."""


class PlanSource(str, Enum):
    """Author of a version's plan."""

    RULES = "rules"
    """A known change."""
    CATALOGUE = "catalogue"
    MODEL = "model"


class TriedVersion(Value):
    """A version of the notebook that was tried.

    Attributes:
        name: Display name.
        notebook_hash: Hash of the notebook that ran.
        scores: One for each fold it ran on.
        gain: Gain over the baseline on the folds that both have scores for; None if there are none.
        comparison: The verdict; None while it is undecided.
        raced_out: Whether it was eliminated after the first fold as clearly worse.
        kind: The codemod that wrote it, e.g. `boosting`; `combined` for several in one; empty for
            a version from outside.
        what: Description of the change.
        block: Number of the block that it changes first; None if unknown.
        parent: Name of the version it was derived from; empty for the baseline or a version from
            outside.
        step: Its gain over its parent on the folds that both have scores for.
        round: The round of a refinement, from 1; 0 if it belongs to none.
        source: Author of the plan.
    """

    name: str
    notebook_hash: str
    scores: tuple[FoldScore, ...] = ()
    gain: Gain | None = None
    comparison: Comparison | None = None
    raced_out: bool = False
    kind: str = ""
    what: Messages = ()
    block: int | None = None
    parent: str = ""
    step: Gain | None = None
    round: int = 0
    source: PlanSource = PlanSource.RULES

    @property
    def seconds(self) -> float:
        """Return the total time of its runs."""
        return sum(score.seconds for score in self.scores)


class UnusedPlan(Value):
    """A change that a model was asked for and that was not tried.

    Attributes:
        kind: The step of the course, e.g. `refine`.
        round: The round, from 1; 0 if it belongs to none.
        reason: Reason why it was not tried.
    """

    kind: str
    round: int = 0
    reason: Messages


class Improvement(Value):
    """A search for a better score on validation folds.

    Attributes:
        folds: The validation folds.
        higher_is_better: The direction of the metric.
        baseline: The notebook before the search.
        candidates: Versions compared with it, in the order of their trials.
        runs: Number of notebook runs so far, those of the experiments included.
        done: Whether the search has ended.
        cancelled: Whether the user cancelled it; the results until then are retained.
        searched: Whether codemods wrote the candidates, none came from outside.
        tried: Number of candidates the intervals are widened for, apart from further looks at
            folds.
        leaks: Possible leaks in the baseline's code, in its order.
        unopened: Public files that the baseline's code never names.
        experiments: Leak tests: runs of the baseline on modified data of the last fold.
        opinion: A model's opinion on leaks; None if no model was called.
        budget: Upper bound of the runs' seconds; None is no bound.
        over_budget: Whether the baseline alone would exceed the budget, so nothing was compared.
        cut_short: Whether candidates were left out because the budget does not suffice.
        blocks: The baseline's parts and their roles, in its order.
        ablations: The baseline without one part each, in the order of their trials. The loss is the
            value of the part; a better one counts as a candidate.
        refined: Whether the best version was refined step by step.
        unused: Changes that a model was asked for and that were not tried.
        most_runs: Largest number of notebook runs of the search; None is no bound.
        earlier: Results of earlier searches on similar tasks, the most promising change first.
    """

    folds: FoldPlan
    higher_is_better: bool
    baseline: TriedVersion
    candidates: tuple[TriedVersion, ...] = ()
    runs: int = 0
    done: bool = False
    cancelled: bool = False
    searched: bool = False
    tried: int = 0
    leaks: tuple[Leak, ...] = ()
    unopened: tuple[str, ...] = ()
    experiments: tuple[Proof, ...] = ()
    opinion: LeakOpinion | None = None
    budget: float | None = None
    over_budget: bool = False
    cut_short: bool = False
    blocks: tuple[Block, ...] = ()
    ablations: tuple[TriedVersion, ...] = ()
    refined: bool = False
    unused: tuple[UnusedPlan, ...] = ()
    most_runs: int | None = None
    earlier: tuple[EarlierResult, ...] = ()

    @property
    def is_weak(self) -> bool:
        """Return whether there is one hold-out set only, which cannot tell a gain from chance."""
        return self.folds.count == 1

    @property
    def seconds(self) -> float:
        """Return the total time of all runs."""
        versions = (self.baseline, *self.ablations, *self.candidates)
        beside = sum(one.seconds for one in self.experiments)
        return beside + sum(one.seconds for one in versions)

    @property
    def failed_experiments(self) -> tuple[Proof, ...]:
        """Return the experiments that refute every score of the notebook."""
        return tuple(one for one in self.experiments if one.outcome is ProofOutcome.FAILED)

    def effects(self) -> list[TriedVersion]:
        """Return the ablations, the most valuable part first; without failed ones."""
        known = [
            one
            for one in self.ablations
            if one.gain is not None and one.comparison is not Comparison.FAILED
        ]
        return sorted(known, key=lambda one: 0.0 if one.gain is None else one.gain.mean)

    def version(self, digest: str) -> TriedVersion | None:
        """Return the version whose notebook has that hash; None if absent."""
        tried = (*self.candidates, *self.ablations)
        return next((one for one in tried if one.notebook_hash == digest), None)

    def best(self) -> TriedVersion | None:
        """Return the version with the largest gain of those that are better."""
        tried = (*self.candidates, *self.ablations)
        better = [one for one in tried if one.comparison is Comparison.BETTER]
        return max(better, key=lambda one: one.gain.mean if one.gain else 0.0, default=None)
