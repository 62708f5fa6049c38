"""Query a model whether a notebook leaks, and again if the answer has no opinion in it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import openai
from pydantic import BaseModel, Field, ValidationError

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.improvement import LeakOpinion
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.model_calls import ChatMessage
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.text import without_controls
from mle_modernizer_server.fixing.fixer import OnCall
from mle_modernizer_server.fixing.llm.client import ModelClient
from mle_modernizer_server.fixing.llm.endpoint_options import Accepted
from mle_modernizer_server.fixing.llm.failures import BrokenAnswer, explain_failure
from mle_modernizer_server.fixing.llm.prompt import Quotes
from mle_modernizer_server.fixing.llm.redaction import Redactor
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.llm.templates import templates
from mle_modernizer_server.fixing.llm.view import names, shorten, view_notebook

_MOST_TRIES = 2
_LONGEST_REPLY = 20_000
_LONGEST_WHY = 600
_QUOTED_REPLY = 2_000
_RETRY = (
    'That answer is not the JSON object asked for. Answer with {"leak": true or false, "cells": '
    '[names of cells], "why": "one or two sentences"} and nothing else.'
)


class _Reply(BaseModel):
    leak: bool
    cells: list[str] = Field(default_factory=list, max_length=200)
    why: str = ""


class LeakReviewer:
    """Has a model behind an OpenAI-compatible endpoint look for leaks.

    Args:
        settings: Endpoint, model and key.
    """

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._accepted = Accepted()

    async def review(
        self, notebook: Notebook, findings: Sequence[str], on_call: OnCall
    ) -> LeakOpinion:
        """Request an opinion; cancelling the task closes the connection at once.

        Args:
            notebook: The cells.
            findings: Findings of rules and runs, a line each.
            on_call: Called with each request and its cost.

        Raises:
            FixerFailed: The endpoint cannot be used, or returned no usable answer.
        """
        settings = self._settings
        messages = [*await pools.code.run(self._messages, notebook, findings)]
        async with ModelClient(settings, self._accepted, on_call) as client:
            for _ in range(_MOST_TRIES):
                try:
                    answer = await client.ask(messages, lambda text: None, lambda text: None)
                except BrokenAnswer:
                    continue  # counted as a try, and heard of by `on_call`
                except openai.APIError as error:
                    said = f"LLM failed: {explain_failure(error, settings)}"
                    raise FixerFailed(verbatim(said)) from error
                opinion = read_opinion(answer.text, notebook)
                if opinion is not None:
                    return opinion
                quoted = shorten(answer.text, _QUOTED_REPLY) or "(empty)"
                messages += [
                    ChatMessage(role="assistant", text=quoted),
                    ChatMessage(role="user", text=_RETRY),
                ]
        raise FixerFailed(coded("improve.no-opinion", model=repr(settings.model)))

    def _messages(self, notebook: Notebook, findings: Sequence[str]) -> tuple[ChatMessage, ...]:
        settings = self._settings
        key = settings.api_key
        redactor = Redactor([key.get_secret_value()] if key else [])
        mark = secrets.token_hex(4)
        quotes = Quotes(mark, redactor, settings.max_prompt_chars // 6)
        view = view_notebook(
            notebook,
            shown=range(len(notebook.cells)),
            focus=frozenset(),
            mark=mark,
            redact=redactor.redact,
            budget=settings.max_prompt_chars // 2,
        )
        text = (
            templates()
            .get_template("leak_review.j2")
            .render(
                cells=view.cells + view.again,
                findings=quotes.quote("findings", "\n".join(findings)),
            )
        )
        system = templates().get_template("leak_review_system.j2").render(mark=mark)
        return (
            ChatMessage(role="system", text=system),
            ChatMessage(role="user", text=text.encode("utf-8", "replace").decode("utf-8")),
        )


def read_opinion(text: str, notebook: Notebook) -> LeakOpinion | None:
    """Return the opinion in an answer; None if absent. Cells that do not exist are left out."""
    begin, end = text.find("{"), text.rfind("}")
    if begin < 0 or end < begin or len(text) > _LONGEST_REPLY:
        return None
    try:
        reply = _Reply.model_validate_json(text[begin : end + 1])
    except ValidationError:
        return None  # the caller repeats the request with the error
    by_id = names(notebook)
    named = [by_id[cell.id] for cell in notebook.code_cells()]
    cells = sorted({named.index(name) + 1 for name in reply.cells if name in named})
    why = " ".join(without_controls(reply.why).split())[:_LONGEST_WHY]
    return LeakOpinion(leaks=reply.leak, cells=tuple(cells), why=why)
