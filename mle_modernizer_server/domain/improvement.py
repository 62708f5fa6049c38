"""Whether one version of a notebook is better than another, on validation folds."""

from __future__ import annotations

from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.own_competition import SplitKind
from mle_modernizer_server.domain.proof import Proof, ProofOutcome

DEFAULT_FOLDS = 5
DEFAULT_PARTITIONS = 3
"""Of the rows into folds."""
MOST_PARTITIONS = 5
FEWEST_FOLDS = 1
"""One is a single hold-out set: weak evidence, by which nothing is called better."""
MOST_STEPS = 20
"""Of one kind, in a course."""
MOST_FOLDS = 20
MOST_REPAIRS = 2
"""Of a change that fails; a model is asked for each."""


class Comparison(str, Enum):
    """What the scores on the folds show of a candidate."""

    BETTER = "better"
    """The interval of its gain lies above 0."""
    UNDECIDED = "undecided"
    """It cannot be told apart from the baseline."""
    WORSE = "worse"
    """The interval of its gain lies below 0, or the first fold set it aside."""
    FAILED = "failed"
    """It gave no score on a fold."""


class LeakKind(str, Enum):
    """How a score may come to look better than it is."""

    FIT_ON_TEST = "fit-on-test"
    """Something is fitted on rows of the test data, alone or with the training data."""
    TARGET_IN_FEATURES = "target-in-features"
    """The features hold the target, or a column made of it."""
    TARGET_MEAN = "target-mean"
    """A feature is a statistic of the target over the very rows that are trained on."""
    FIT_BEFORE_SPLIT = "fit-before-split"
    """A transformer is fitted on rows that are held out afterwards."""
    COPIES_BEFORE_SPLIT = "copies-before-split"
    """Rows are copied before some are held out, so that copies stand on both sides."""
    GROUP_SPLIT = "group-split"
    """Rows are held out without regard to the groups that the test data are new in."""
    TIME_SPLIT = "time-split"
    """Rows are held out at random although the test data come later."""
    TRAINED_ON_HELD_OUT = "trained-on-held-out"
    """A score is computed on rows that the model was fitted on, although they were split off."""
    FUTURE = "future"
    """A feature is taken from a later row."""


class Leak(Value):
    """A place in the code that may leak.

    Attributes:
        kind: How.
        cell_id: The cell.
        cell: Which code cell it is, from 1.
        line: Of the cell, from 1.
        name: What it is about: a class, a function or a column; empty where nothing is named.
    """

    kind: LeakKind
    cell_id: str
    cell: int
    line: int
    name: str = ""


class LeakOpinion(Value):
    """What a model thinks of leaks in a notebook; it decides nothing.

    Attributes:
        leaks: Whether there is one; None where the model gave no opinion.
        cells: Where, by the numbers of code cells from 1.
        why: In the model's words.
        reason: Why there is no opinion.
    """

    leaks: bool | None = None
    cells: tuple[int, ...] = ()
    why: str = ""
    reason: Messages = ()


class BlockRole(str, Enum):
    """What a part of a notebook does."""

    IMPORTS = "imports"
    LOADING = "loading"
    LOOKING = "looking"
    """Shows data or scores; nothing that is submitted depends on it."""
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
        role: What they do.
        cell_id: The cell.
        cell: Which code cell it is, from 1.
        first: Their first line in the cell, from 1.
        last: Their last line.
        text: The first line itself.
        submitted: Whether what is submitted depends on them.
        corrected: A person said what their role is.
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
    """What a block does as a person says.

    Attributes:
        cell_id: The cell.
        text: The block's first line, as `Block.text`.
        role: What it does.
    """

    cell_id: str = Field(max_length=200)
    text: str = Field(max_length=200)
    role: BlockRole


class EarlierResult(Value):
    """What earlier searches on similar tasks found of a known change.

    Attributes:
        kind: The codemod.
        name: What it is called.
        tried: Searches it was tried in.
        better: In how many it was better.
        worse: In how many it was worse.
    """

    kind: str
    name: str
    tried: int
    better: int
    worse: int

    @property
    def promise(self) -> float:
        """How often it may be expected to help, 0 to 1 (rule of succession)."""
        return (self.better + 1) / (self.tried + 2)


class FoldPlan(Value):
    """How the validation folds are made of the public training data.

    Attributes:
        count: How many folds.
        split: How rows are assigned to them.
        column: The group's or the time's column.
        seed: The same seed gives the same folds.
        reason: Code of why this split was chosen: `asked`, `labels`, `time`, `group`, `default`.
        table: The training table, by its path below the public directory.
        rows: Rows of that table.
        held_out: Rows that each fold holds out, of the first partition of the rows.
        classes: The labels, where there are few; empty where there are many.
        copies: Rows that the last fold holds out and that stand among its training rows too, ids
            apart; 0 where they are one in a hundred or fewer.
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
    """A run of a notebook on one fold.

    Attributes:
        fold: Its number, from 1.
        score: By the competition's metric; None where there is none.
        seconds: How long the run took.
        reason: Why there is no score.
    """

    fold: int
    score: float | None
    seconds: float
    reason: Messages = ()


class Gain(Value):
    """The difference of two notebooks' scores over folds; positive is better, whatever the metric.

    Attributes:
        mean: Mean of the paired differences.
        low: Lower end of the corrected interval; None with one fold.
        high: Upper end.
        p: Of the corrected paired t-test, two-sided; None where it is not defined.
        confidence: Of the interval, after correction for the number of candidates.
    """

    mean: float
    low: float | None = None
    high: float | None = None
    p: float | None = None
    confidence: float = 0.95


class Course(Value):
    """How far a search goes on from its best version, step by step.

    Attributes:
        models: Models of the catalogue that a model is asked to put in; M of MLE-STAR.
        rounds: On another block each; T of MLE-STAR.
        steps: Of a round; K of MLE-STAR.
        ensembles: Ensembles that a model is asked for; R of MLE-STAR.
        most_runs: Notebook runs of the whole search.
        asks_model: Whether a model may be asked, where one is configured.
    """

    models: int = Field(default=2, ge=0, le=MOST_STEPS)
    rounds: int = Field(default=2, ge=0, le=MOST_STEPS)
    steps: int = Field(default=3, ge=0, le=MOST_STEPS)
    ensembles: int = Field(default=1, ge=0, le=MOST_STEPS)
    most_runs: int = Field(default=60, ge=1, le=1_000)
    asks_model: bool = True

    def most_steps(self, *, asks_model: bool) -> int:
        """How many versions it may try at most."""
        refined = self.rounds * self.steps
        if not asks_model:
            return refined
        return refined + 2 * self.models - (self.models > 0) + self.ensembles


class PlanSource(str, Enum):
    """Who had the plan of a version."""

    RULES = "rules"
    """A known change."""
    CATALOGUE = "catalogue"
    MODEL = "model"


class TriedVersion(Value):
    """A version of the notebook that was tried.

    Attributes:
        name: How it is called.
        notebook_hash: What ran.
        scores: One for each fold it ran on.
        gain: Against the baseline, over the folds that both have scores for; None without any.
        comparison: The verdict; None while it is not settled.
        raced_out: The first fold set it aside as clearly worse.
        kind: The codemod that wrote it, e.g. `boosting`; `combined` for several in one; empty for
            a version that was handed in.
        what: What it changes.
        block: Number of the block that it changes first; None where that is not known.
        parent: Name of the version it was made of; empty for the baseline, or where it was handed
            in.
        step: Its gain over that version, over the folds that both have scores for.
        round: The round of a refinement, from 1; 0 for what belongs to none.
        source: Who had the plan.
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
        """Time of all its runs."""
        return sum(score.seconds for score in self.scores)


class UnusedPlan(Value):
    """A change that a model was asked for and that was not tried.

    Attributes:
        kind: The step of the course, e.g. `refine`.
        round: The round, from 1; 0 for what belongs to none.
        reason: Why.
    """

    kind: str
    round: int = 0
    reason: Messages


class Improvement(Value):
    """A search for a better score on validation folds.

    Attributes:
        folds: How the folds are made.
        higher_is_better: The direction of the metric.
        baseline: The notebook as it was.
        candidates: What was tried against it, in that order.
        runs: Notebook runs so far, those of the experiments included.
        done: Whether no more runs come.
        cancelled: The user stopped it; what was measured is kept.
        searched: The candidates were written by codemods, none was handed in.
        tried: How many candidates the intervals are widened for, beside further looks at folds.
        leaks: Places of the baseline's code that may leak, in its order.
        unopened: Public files that the baseline's code names nowhere.
        experiments: What runs of the baseline on changed data of the last fold show of leaks.
        opinion: What a model thinks of leaks; None where none was asked.
        budget: Seconds that the runs may take; None is no bound.
        over_budget: The baseline alone would take more than the budget, so nothing was compared.
        cut_short: Candidates were left out because the budget would not do for them.
        blocks: The baseline's parts and what they do, in its order.
        ablations: The baseline without one part each, in the order they were tried. What loses
            shows what the part is worth; one that is better is as good as a candidate.
        refined: The best version was refined step by step.
        unused: What a model was asked for and what was not tried.
        most_runs: Notebook runs that the search may take; None is no bound.
        earlier: What earlier searches on similar tasks found, the most promising change first.
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
        """Whether there is one hold-out set only, which cannot tell a gain from chance."""
        return self.folds.count == 1

    @property
    def seconds(self) -> float:
        """Time of all runs."""
        versions = (self.baseline, *self.ablations, *self.candidates)
        beside = sum(one.seconds for one in self.experiments)
        return beside + sum(one.seconds for one in versions)

    @property
    def failed_experiments(self) -> tuple[Proof, ...]:
        """The experiments that speak against every score of the notebook."""
        return tuple(one for one in self.experiments if one.outcome is ProofOutcome.FAILED)

    def effects(self) -> list[TriedVersion]:
        """The ablations by what the part is worth, the most first; without those that failed."""
        known = [
            one
            for one in self.ablations
            if one.gain is not None and one.comparison is not Comparison.FAILED
        ]
        return sorted(known, key=lambda one: 0.0 if one.gain is None else one.gain.mean)

    def version(self, digest: str) -> TriedVersion | None:
        """The version whose notebook has that hash; None where there is none."""
        tried = (*self.candidates, *self.ablations)
        return next((one for one in tried if one.notebook_hash == digest), None)

    def best(self) -> TriedVersion | None:
        """The version with the largest gain of those that are better."""
        tried = (*self.candidates, *self.ablations)
        better = [one for one in tried if one.comparison is Comparison.BETTER]
        return max(better, key=lambda one: one.gain.mean if one.gain else 0.0, default=None)
