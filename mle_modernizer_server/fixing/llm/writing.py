"""Prompt that writes the notebook of a paper's experiment, one stage at a time."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.fixing.fixer import FixRequest
from mle_modernizer_server.fixing.llm.prompt import Prompt, Quotes
from mle_modernizer_server.fixing.llm.prompting import Prompts
from mle_modernizer_server.fixing.llm.redaction import Redactor
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.llm.templates import templates
from mle_modernizer_server.fixing.llm.view import view_notebook


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
        self._mark = secrets.token_hex(4)

    def redactor(self) -> Redactor:
        """Return the redactor of secrets and claimed numbers."""
        key = self._settings.api_key
        return Redactor([key.get_secret_value()] if key else [], self._brief.hidden)

    def write(self, request: FixRequest, redactor: Redactor) -> Prompt:
        """Return the prompt for a stage; of the request only the notebook is used."""
        brief = self._brief
        quotes = Quotes(self._mark, redactor, self._max_chars // 3)
        view = view_notebook(
            request.notebook,
            shown=range(len(request.notebook.cells)),
            focus=frozenset(brief.editable),
            mark=self._mark,
            redact=redactor.redact,
            budget=self._max_chars // 3,
        )
        share = self._max_chars // 12
        text = (
            templates()
            .get_template("writing.j2")
            .render(
                paper=quotes.quote("the paper", brief.paper),
                lineage="\n".join(
                    quotes.quote(title, code, share) for title, code in brief.lineage
                ),
                cells=view.cells + view.again,
                described=quotes.quote("the loaded data", brief.described, share),
                task=brief.task,
                editable=brief.editable,
                problem=quotes.quote("of the last run", brief.problem, share),
            )
        )
        return Prompt(
            system=templates().get_template("writing_system.j2").render(mark=self._mark),
            stable="",
            changing=text.encode("utf-8", "replace").decode("utf-8"),
            view=view,
            editable=frozenset(brief.editable),
            scope=FixScope.FILE,
            left_out=(*quotes.left_out, *view.left_out),
        )
