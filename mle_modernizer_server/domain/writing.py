"""A notebook for a paper's experiment as a model writes it, stage by stage."""

from __future__ import annotations

from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.estimate import Range
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import CellEdit, Usage
from mle_modernizer_server.domain.reproduction import Experiment

MOST_ROUNDS = 20
"""Questions of one stage."""


class WritingStage(str, Enum):
    """What is written, in this order."""

    DATA = "data"
    """The cell that loads the data; it is run, and what it loads described."""
    METHOD = "method"
    """The model, tried on a batch of the data."""
    EXPERIMENT = "experiment"
    """Training and evaluation, run on a sample of the data."""
    ALIGNMENT = "alignment"
    """What differs from the paper's method, or is missing."""
    REFINEMENT = "refinement"
    """What a clean run on all data still meets."""


class StageEnding(str, Enum):
    """How a stage came to its end."""

    DONE = "done"
    GIVEN_UP = "given-up"
    """The model had no change to propose, and something is still wrong."""
    REJECTED = "rejected"
    """The person rejected a change."""
    ROUNDS = "rounds"
    """The most rounds were used up."""
    BUDGET = "budget"
    """A bound of the budget was reached."""


class WrittenStage(Value):
    """What came of a stage."""

    stage: WritingStage
    ending: StageEnding
    rounds: int
    """How often the model was asked."""
    edits: tuple[CellEdit, ...] = ()
    """All that was changed, round by round."""
    problem: str = ""
    """What is still wrong; empty where nothing is."""
    seconds: float = 0.0
    """Of running what was written."""


class Writing(Value):
    """How far a notebook has been written; it can be taken up again from here."""

    version: int = Field(default=1, ge=1, le=1)
    experiment: Experiment
    notebook: Notebook
    stages: tuple[WrittenStage, ...] = ()
    """Those that have ended."""
    usage: Usage = Usage()
    seconds: float = 0.0
    """Of work."""
    ran: bool = False
    """A clean run of `notebook`, as it stands, met no error."""

    def ended(self, stage: WritingStage) -> bool:
        """Whether a stage has come to its end."""
        return any(one.stage is stage for one in self.stages)


class SessionWriting(Value):
    """How far the notebook of a session has been written: as a `Writing`, with hashes."""

    experiment_hash: str
    """Of what is to be reproduced: for something else writing begins anew."""
    base_hash: str
    """The notebook as the user had it; for another one writing begins anew."""
    notebook_hash: str
    """The notebook as far as it is written; in no document before it is accepted."""
    stages: tuple[WrittenStage, ...] = ()
    """Those that have ended."""
    usage: Usage = Usage()
    """Of all questions that the session has asked to write, those of earlier tries included."""
    seconds: float = 0.0
    """Of work."""
    ran: bool = False
    """A clean run of it, as it is, met no error: it was put up for review."""


class WritingEstimate(Value):
    """What writing a notebook will probably cost."""

    model: str
    questions: Range
    runs: Range
    """Of the notebook in the sandbox, on a sample or on all data."""
    input_tokens: Range
    output_tokens: Range
    cost_usd: Range | None
    """None where the price of the model is not known."""
