"""The workflow's dependencies on other packages, bound together once by the server or the CLI."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.model_calls import Price, PromptPreview
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.paper import ClaimsQuestion
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.execution.installed_names import InstalledNames
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.fixing.fixer import Fixer, FixRequest
from mle_modernizer_server.fixing.llm.claims import ClaimsBrief
from mle_modernizer_server.fixing.llm.refining import RefiningBrief
from mle_modernizer_server.fixing.llm.writing import WritingBrief
from mle_modernizer_server.fixing.rules.analysis import Analysis
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.resources.store import KeptResources
from mle_modernizer_server.workflow.environments import NotebookEnvironments
from mle_modernizer_server.workflow.paused_runs import PausedRuns

if TYPE_CHECKING:  # it loads the client library, which takes longer than all the rest
    from mle_modernizer_server.fixing.llm.claim_reader import ClaimReader
    from mle_modernizer_server.fixing.llm.leak_reviewer import LeakReviewer

Explain = Callable[[CellError, Environment, Notebook], tuple[str, str] | None]
"""Return the explanation of an error: a sentence and a link, or None."""


@dataclass(frozen=True)
class Services:
    """The competitions, sandboxes, fixers and paused runs of this process.

    Attributes:
        competitions: The competitions under the data root.
        sandboxes: All sandboxes by name, usable here or not.
        choose_sandbox: Sandbox by name; None chooses the best isolated one. Raises
            SandboxUnavailable.
        fixers: The fixers that are configured.
        missing: Why a fixer is missing, a sentence each.
        model: Name of the language model, empty if none is configured.
        price: Price of its tokens; None if unknown.
        explain: Explains an error by the knowledge of breaking changes.
        old_pythons: Pythons with old libraries, by name.
        preview: Writes a model's prompt, even if no model is configured.
        environments: Chooses and creates the notebooks' environments; None: all run in the
            sandbox's own Python.
        notebook_folder: The folder of a notebook, by the path of its session; None if unknown, or
            on another machine.
        analysis: Runs the rules' analysis of notebooks.
        given: The user's files for paths of the notebook, checked.
        names: Asks the packages of an environment for their names; None: they are not asked.
        resources: Fetches and stores files with the user's consent.
        writer: The fixer that writes a stage of a paper's notebook; None if no model is configured.
        refiner: The fixer that changes a notebook for a better score; None likewise.
        leak_reviewer: Asks a model whether a notebook leaks; None likewise.
        claims_question: Returns the prompt for the claims of a paper; None likewise.
        claim_reader: Sends it; None likewise.
        paused: The runs that stopped at a failing cell and wait for its fix.
    """

    competitions: Competitions
    sandboxes: Mapping[str, Sandbox]
    choose_sandbox: Callable[[str | None], Sandbox]
    fixers: Mapping[FixerName, Fixer]
    missing: Mapping[FixerName, str]
    model: str
    explain: Explain
    preview: Callable[[FixRequest], PromptPreview]
    old_pythons: Mapping[str, Path] = field(default_factory=dict)
    price: Price | None = None
    notebook_folder: Callable[[str], Path | None] = field(default=lambda path: None)
    paused: PausedRuns = field(default_factory=PausedRuns)
    environments: NotebookEnvironments | None = None
    analysis: Analysis = field(default_factory=Analysis)
    given: Mapping[str, Path] = field(default_factory=dict)
    names: InstalledNames | None = None
    resources: KeptResources = field(default_factory=KeptResources)
    writer: Callable[[WritingBrief], Fixer] | None = None
    refiner: Callable[[RefiningBrief], Fixer] | None = None
    leak_reviewer: LeakReviewer | None = None
    claims_question: Callable[[ClaimsBrief], ClaimsQuestion] | None = None
    claim_reader: ClaimReader | None = None
