"""Prompt that raises a notebook's score, one change at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mle_modernizer_server.fixing.fixer import FixRequest
from mle_modernizer_server.fixing.llm.prompting import Prompt, Prompts, Quotes
from mle_modernizer_server.fixing.llm.redaction import Redactor
from mle_modernizer_server.fixing.llm.settings import LlmSettings


@dataclass(frozen=True)
class RefiningBrief:
    """Task of a change, and the facts that the model may use.

    Attributes:
        task: In words.
        focus: Ids of the cells that matter most for it.
        worth: The worth of each part of the notebook, a line each.
        tried: Earlier changes and their effects, a line each.
        recipes: Title and text of useful material: examples, other versions.
        failure: The failure of the notebook to repair; empty if none.
        unopened: Names of public files that the notebook does not open.
    """

    task: str
    focus: tuple[str, ...] = ()
    worth: Sequence[str] = ()
    tried: Sequence[str] = ()
    recipes: Sequence[tuple[str, str]] = ()
    failure: str = ""
    unopened: Sequence[str] = ()


class RefiningPrompts(Prompts):
    """Writes the prompts of one change, for the fixer that asks a model."""

    def __init__(self, settings: LlmSettings, brief: RefiningBrief) -> None:
        """
        Args:
            settings: Endpoint, model and key.
            brief: Task and facts.
        """
        super().__init__(settings)
        self._brief = brief

    def write(self, request: FixRequest, redactor: Redactor) -> Prompt:
        """Return the prompt for a change; of the request's run only its environment is used."""
        brief = self._brief
        quotes = Quotes(self.mark, redactor, self._max_chars // 6)
        view = self._view_of_all(request, redactor, brief.focus)
        share = self._max_chars // 24
        environment = request.execution.environment
        packages = {} if environment is None else environment.packages
        competition = request.competition
        return self._of_parts(
            "refining",
            view,
            quotes,
            (cell.id for cell in request.notebook.cells),
            metric="unknown" if competition is None else competition.metric.value,
            higher_is_better=competition is not None and competition.higher_is_better,
            description=quotes.quote("the competition", request.description),
            data=quotes.quote("its files", request.data),
            environment=", ".join(f"{name} {packages[name]}" for name in sorted(packages)),
            worth=quotes.quote("parts", "\n".join(brief.worth), share),
            tried=quotes.quote("earlier changes", "\n".join(brief.tried)),
            recipes="\n".join(quotes.quote(title, code, share) for title, code in brief.recipes),
            failure=quotes.quote("the failure", brief.failure, share),
            unopened=quotes.quote("file names", "\n".join(brief.unopened), share),
            task=brief.task,
        )
