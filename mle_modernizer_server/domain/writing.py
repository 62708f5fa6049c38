"""A notebook for a paper's experiment that a model writes, stage by stage."""

from __future__ import annotations

from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.estimate import Range
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import CellEdit, Usage
from mle_modernizer_server.domain.reproduction import Experiment

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
