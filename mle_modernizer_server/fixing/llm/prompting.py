"""Prompts for a model, both to send and to preview."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.model_calls import PromptPreview
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.fixer import FixRequest
from mle_modernizer_server.fixing.llm.prompt import (
    Explain,
    KnowledgeEntry,
    Prompt,
    PromptWriter,
    Relevant,
)
from mle_modernizer_server.fixing.llm.redaction import Redactor, masked_in
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.llm.usage import tokens_in

_SHORTEST = 12_000
"""Characters: rules, reply format and the failing cells need as much."""


def _nothing_known(
    error: CellError, environment: Environment, notebook: Notebook
) -> tuple[str, str] | None:
    return None


def _nothing_relevant(
    notebook: Notebook, environment: Environment, era: Era
) -> tuple[KnowledgeEntry, ...]:
    return ()


class Prompts:
    """Writes the prompts of one server process: whoever asks twice gets the same text."""

    def __init__(
        self,
        settings: LlmSettings,
        *,
        explain: Explain = _nothing_known,
        relevant: Relevant = _nothing_relevant,
    ) -> None:
        """
        Args:
            settings: Endpoint, model and key, configured or not.
            explain: Explains an error, for the prompt.
            relevant: Finds the breaking changes a notebook touches, for the prompt.
        """
        self._settings = settings
        self._max_chars = settings.max_prompt_chars
        self._writer = PromptWriter(
            secrets.token_hex(4),
            explain=explain,
            relevant=relevant,
            send_scores=settings.send_scores,
        )

    def redactor(self) -> Redactor:
        """Return the redactor of one prompt's secrets, the endpoint's own key among them."""
        key = self._settings.api_key
        return Redactor([key.get_secret_value()] if key else [])

    def write(self, request: FixRequest, redactor: Redactor) -> Prompt:
        """Return the prompt for a run."""
        return self._writer.write(request, redactor, max_chars=self._max_chars)

    def retry(self, mistakes: Sequence[str], standing: Sequence[str] = ()) -> str:
        """Return the message for a reply that could not be used, or not all of it."""
        return self._writer.retry(mistakes, standing)

    def shrink(self, prompt: Prompt, share: float) -> bool:
        """Make all prompts from now on a share as long as one that was refused as too long.

        Returns:
            Whether that is possible.
        """
        length = max(int(prompt.characters * share), _SHORTEST)
        if length >= prompt.characters:
            return False
        self._max_chars = length
        return True

    def preview(self, request: FixRequest) -> PromptPreview:
        """Return the prompt for a run; nothing is sent."""
        prompt = self.write(request, self.redactor())
        return PromptPreview(
            configured=self._settings.configured,
            host=self._settings.host,
            model=self._settings.model,
            fix_type=request.fix_type,
            scope=prompt.scope,
            messages=prompt.messages,
            characters=prompt.characters,
            tokens=tokens_in(prompt.characters),
            masked=masked_in(message.text for message in prompt.messages),
            left_out=prompt.left_out,
        )
