"""Prompt that writes the notebook of a paper's experiment, one stage at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mle_modernizer_server.fixing.fixer import FixRequest
from mle_modernizer_server.fixing.llm.prompting import Prompt, Prompts, Quotes
from mle_modernizer_server.fixing.llm.redaction import Redactor
from mle_modernizer_server.fixing.llm.settings import LlmSettings


@dataclass(frozen=True)
class WritingBrief:
    """Task of a stage, and the facts that the model may use.

    Attributes:
        task: In words.
        paper: The paper's description of its method, without its results.
        editable: Ids of the cells that may change.
        hidden: Numbers that the paper claims, hidden from every prompt.
        described: Description of the loaded data.
        lineage: Code and words of the works that the paper builds on.
        problem: Errors of the last run, or differences from the paper.
    """

    task: str
    paper: str
    editable: tuple[str, ...]
    hidden: tuple[re.Pattern[str], ...] = ()
    described: str = ""
    lineage: Sequence[tuple[str, str]] = ()
    problem: str = ""


class WritingPrompts(Prompts):
    """Writes the prompts of one stage, for the fixer that asks a model."""

    def __init__(self, settings: LlmSettings, brief: WritingBrief) -> None:
        """
        Args:
            settings: Endpoint, model and key.
            brief: Task and facts.
        """
        super().__init__(settings)
        self._brief = brief

    def redactor(self) -> Redactor:
        """Return the redactor of secrets and claimed numbers."""
        return Redactor(self._settings.secrets, self._brief.hidden)

    def write(self, request: FixRequest, redactor: Redactor) -> Prompt:
        """Return the prompt for a stage; of the request only the notebook is used."""
        brief = self._brief
        quotes = Quotes(self.mark, redactor, self._max_chars // 3)
        view = self._view_of_all(request, redactor, brief.editable)
        share = self._max_chars // 12
        return self._of_parts(
            "writing",
            view,
            quotes,
            brief.editable,
            paper=quotes.quote("the paper", brief.paper),
            lineage="\n".join(quotes.quote(title, code, share) for title, code in brief.lineage),
            described=quotes.quote("the loaded data", brief.described, share),
            task=brief.task,
            editable=brief.editable,
            problem=quotes.quote("of the last run", brief.problem, share),
        )
