"""Texts of others on their way into a prompt: without secrets, bounded, marked as data."""

from __future__ import annotations

from mle_modernizer_server.fixing.llm.redaction import Redactor
from mle_modernizer_server.fixing.llm.view import plain, shorten


class Quotes:
    """Quotes texts for one prompt, and keeps account of what is cut off.

    Attributes:
        share: Characters a quoted text may have.
        left_out: What was cut, a sentence each.
    """

    def __init__(self, mark: str, redactor: Redactor, share: int) -> None:
        self._mark = mark
        self._redactor = redactor
        self.share = share
        self.left_out: list[str] = []

    def clean(self, text: str) -> str:
        """The text without secrets, control characters and our delimiter."""
        return self.unmarked(self._redactor.redact(plain(text)))

    def cut(self, title: str, text: str, limit: int) -> str:
        """The text without secrets, shortened to a limit."""
        text = self.clean(text)
        short = shorten(text, limit)
        if len(short) < len(text):
            self.left_out.append(
                f"{title[:1].upper()}{title[1:]}: about {limit:,} of {len(text):,} characters "
                "are shown."
            )
        return short

    def quote(self, title: str, text: str, limit: int | None = None) -> str:
        """The text as a block of data; nothing where it is blank."""
        if not text.strip():
            return ""
        body = self.cut(title, text, self.share if limit is None else limit)
        return f"[data {self._mark}: {title}]\n{body}\n[end of data {self._mark}]"

    def unmarked(self, text: str) -> str:
        """No text of others may hold our delimiter."""
        return text.replace(self._mark, "")
