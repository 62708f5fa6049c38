"""Prompts for a model, both to send and to preview."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.model_calls import ChatMessage, PromptPreview
from mle_modernizer_server.domain.text import without_controls
from mle_modernizer_server.fixing.fixer import FixRequest
from mle_modernizer_server.fixing.llm.redaction import Redactor, masked_in
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.llm.templates import render
from mle_modernizer_server.fixing.llm.usage import tokens_in
from mle_modernizer_server.fixing.llm.view import NotebookView, shorten, view_notebook

_SHORTEST = 12_000
"""Characters: rules, reply format and the failing cells need as much."""


class Quotes:
    """Quotes of texts for one prompt, with a record of omissions.

    Attributes:
        share: Characters a quoted text may have.
        left_out: Omissions, a sentence each.
    """

    def __init__(self, mark: str, redactor: Redactor, share: int) -> None:
        self._mark = mark
        self._redactor = redactor
        self.share = share
        self.left_out: list[str] = []

    def clean(self, text: str) -> str:
        """Return the text without secrets, control characters and our delimiter."""
        return self.unmarked(self._redactor.redact(without_controls(text)))

    def cut(self, title: str, text: str, limit: int) -> str:
        """Return the text without secrets, shortened to a limit."""
        text = self.clean(text)
        short = shorten(text, limit)
        if len(short) < len(text):
            self.left_out.append(
                f"{title[:1].upper()}{title[1:]}: about {limit:,} of {len(text):,} characters "
                "are shown."
            )
        return short

    def quote(self, title: str, text: str, limit: int | None = None) -> str:
        """Return the text as a block of data; nothing if it is blank."""
        if not text.strip():
            return ""
        body = self.cut(title, text, self.share if limit is None else limit)
        return f"[data {self._mark}: {title}]\n{body}\n[end of data {self._mark}]"

    def unmarked(self, text: str) -> str:
        """Return an untrusted text without our delimiter."""
        return text.replace(self._mark, "")


@dataclass(frozen=True)
class Prompt:
    """Messages of a request, and the facts needed to parse the reply.

    Attributes:
        system: Rules and reply format: the same for every notebook.
        stable: The part that is mostly constant from fix to fix of a session: competition,
            environment, and then the current notebook. Comes first, so that a provider has it
            cached up to the first cell that changed.
        changing: The task, earlier fixes, and the results of the last run.
        view: The included cells and their names.
        editable: Ids of the cells that may change; None: all.
        scope: The scope really used: cell scope needs a cell to look at.
        left_out: Omissions because of length, a sentence each.
    """

    system: str
    stable: str
    changing: str
    view: NotebookView
    editable: frozenset[str] | None
    scope: FixScope
    left_out: tuple[str, ...]

    @property
    def request(self) -> str:
        """Return the message that goes behind the system's."""
        return self.stable + self.changing

    @property
    def messages(self) -> tuple[ChatMessage, ChatMessage]:
        """Return the first messages."""
        return (
            ChatMessage(role="system", text=self.system),
            ChatMessage(role="user", text=self.request),
        )

    @property
    def characters(self) -> int:
        """Return the length of all that is sent first."""
        return len(self.system) + len(self.stable) + len(self.changing)


class Prompts(ABC):
    """Writes the prompts of one server process: whoever asks twice gets the same text.

    Attributes:
        mark: Random text that delimits data; constant, so that providers can cache prefixes.
    """

    def __init__(self, settings: LlmSettings) -> None:
        """
        Args:
            settings: Endpoint, model and key, configured or not.
        """
        self.mark = secrets.token_hex(4)
        self._settings = settings
        self._max_chars = settings.max_prompt_chars

    def redactor(self) -> Redactor:
        """Return the redactor of one prompt's secrets, the endpoint's own key among them."""
        return Redactor(self._settings.secrets)

    @abstractmethod
    def write(self, request: FixRequest, redactor: Redactor) -> Prompt:
        """Return the prompt for a run."""

    def retry(self, mistakes: Sequence[str], standing: Sequence[str] = ()) -> str:
        """Return the message for a reply that could not be used, or not all of it.

        Args:
            mistakes: The errors, a line each.
            standing: Names of the cells whose edits are used.
        """
        return render("retry.j2", mistakes=mistakes, standing=standing)

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

    def _view_of_all(
        self, request: FixRequest, redactor: Redactor, focus: Iterable[str]
    ) -> NotebookView:
        """Return all cells; those in `focus` are seen in full if anything is."""
        return view_notebook(
            request.notebook,
            shown=range(len(request.notebook.cells)),
            focus=frozenset(focus),
            mark=self.mark,
            redact=redactor.redact,
            budget=self._max_chars // 3,
        )

    def _of_parts(
        self,
        name: str,
        view: NotebookView,
        quotes: Quotes,
        editable: Iterable[str],
        /,
        **parts: object,
    ) -> Prompt:
        """Return the prompt of the two templates `name` and `name_system`.

        Args:
            name: Of the template, without its suffix.
            view: The cells.
            quotes: The quotes among the parts.
            editable: Ids of the cells that may change.
            parts: The parts of the template besides the cells.
        """
        return Prompt(
            system=render(f"{name}_system.j2", mark=self.mark),
            stable="",
            changing=render(f"{name}.j2", cells=view.cells + view.again, **parts),
            view=view,
            editable=frozenset(editable),
            scope=FixScope.FILE,
            left_out=(*quotes.left_out, *view.left_out),
        )
