"""The interface of every fixer."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.diagnosis import Diagnosis, ErrorDiagnosis, FixScope, FixType
from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.execution import Environment, Execution
from mle_modernizer_server.domain.files import FoundFiles
from mle_modernizer_server.domain.grade import Grade
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.model_calls import ModelCall, Usage
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import CellEdit, FixerName, Proposal


class Attempt(Value):
    """An earlier fix of the same session and its outcome."""

    iteration: int
    """The iteration the fix was made for."""
    fixer: FixerName
    plan: Messages
    accepted: bool
    """False: the user rejected it."""
    carried_out: bool = True
    """False: it was refused before it came into the notebook, for the reason in `result`."""
    edits: tuple[CellEdit, ...] = ()
    """Its changes; empty if unknown."""
    result: Messages
    """Outcome and score of the run that followed, or why there was none."""
    verdict: Messages = ()
    """The same without the score."""
    unseen: tuple[str, ...] = ()
    """Ids of the cells it changed that the run that followed did not come to, or that failed only
    because of another one: there it has neither helped nor failed."""


class Measured(Value):
    """Result of repeated runs, a sentence."""

    text: str
    """Without any score."""
    with_scores: str


class FixRequest(Value):
    """All a fixer gets to see."""

    notebook: Notebook
    """The sources that ran."""
    original: Notebook | None = None
    """The notebook as the session began with it; None: the same."""
    execution: Execution
    installed: Environment | None = None
    """All packages of the environment, imported or not; None: not known."""
    absent: tuple[str, ...] = ()
    """Modules of packages that the notebook imports in some cell and that are not installed."""
    first_environment: Environment | None = None
    """Environment of the session's first run; None: the same as this one."""
    grade: Grade | None = None
    """None: the run was a rehearsal."""
    sample: Messages = ()
    """The run was a rehearsal with so much of the data and of the training (`2,000 rows of
    891,000`): nothing was graded. Empty: on all data."""
    diagnosis: Diagnosis | ErrorDiagnosis
    fix_type: FixType
    """The diagnosis' choice or the user's."""
    scope: FixScope
    cells: frozenset[str] | None = None
    """Ids of the cells that the rules may change; None: as the scope has it."""
    competition: Competition | None = None
    description: str = ""
    """The competition's task description (Markdown), empty if there is none."""
    data: str = ""
    """Preview of the competition's files: tree, columns, first rows; empty if unknown."""
    attempts: tuple[Attempt, ...] = ()
    measured: tuple[Measured, ...] = ()
    """Results of runs besides the iterations: effects of restored defaults, the noise."""
    as_saved: frozenset[str] = frozenset()
    """Ids of the cells that fail as they did when the file was saved."""
    left_out: tuple[str, ...] = ()
    """Ids of rules that are no calibration: they were tried and are of no use for the score."""
    era: Era = Era()
    """When the notebook was written, as far as that is known."""
    files: FoundFiles | None = None
    """Files found for the paths in its code; None: no search was made."""
    none_texts: frozenset[tuple[str, str]] = frozenset()
    """Cell id and code of the path, of each table that is read and holds the text None."""
    rules_seconds: float = 30.0
    """Processor time for the rules."""
    outside_data: bool = False
    """Data that libraries bring may be used: a paper's notebook is written, and no competition is
    entered."""
    file_choices: dict[str, str] = Field(default_factory=dict)
    """By path as the code has it, the file a person chose of several."""


class Gap(str, Enum):
    """Why a fixer did not examine all of a notebook."""

    TIME = "time"
    """Its processor time was used up."""
    FAILURE = "failure"
    """It needed too much memory, or broke down."""


class NoFix(Value):
    """A fixer has nothing to propose; the reason is displayed to the user."""

    reason: Messages
    gap: Gap | None = None
    """None: all that it could look at was examined."""
    usage: Usage = Usage()


OnText = Callable[[str], None]
"""Takes the written part of the plan, or the reason for waiting; called as it grows."""
OnCall = Callable[[ModelCall], None]
"""Takes each call of a model when it has ended, also one that was cancelled or failed."""


def no_matter(call: ModelCall) -> None:
    """Discard a call: the `OnCall` of callers that record none."""


class Fixer(Protocol):
    """Proposer of a patch for the results of a run."""

    @property
    def name(self) -> FixerName:
        """Return the name of this fixer."""

    async def propose(
        self, request: FixRequest, on_text: OnText, on_call: OnCall = no_matter
    ) -> Proposal | NoFix:
        """Examine a run and propose a patch, or return why there is none.

        The patch's edits have the sources they were made for; nothing is applied here. Cancelling
        the task must stop the work at once.

        Raises:
            FixerFailed: The fixer broke down (for the LLM: no usable reply after all retries,
                endpoint not reachable, key refused).
        """
