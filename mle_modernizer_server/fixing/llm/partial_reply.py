"""The received part of a model's answer, common to both APIs."""

from __future__ import annotations

from dataclasses import dataclass

from mle_modernizer_server.fixing.llm.usage import Counts, counts_of


@dataclass
class Gathered:
    """An answer that is still coming.

    Attributes:
        pieces: How many pieces have come; 0: no answer has begun.
        text: The answer's text.
        refusal: Why the model refuses to answer, as far as it does.
        words: Characters of text, refusal and reasoning.
        complete: Whether it came to its end; None if the endpoint has not reported it.
        counts: The provider's count of tokens, once it has come.
    """

    pieces: int = 0
    text: str = ""
    refusal: str = ""
    words: int = 0
    complete: bool | None = None
    counts: Counts | None = None

    def add(self, piece: str | None) -> None:
        """Take some more text."""
        self.text += self._said(piece)

    def add_refusal(self, piece: str | None) -> None:
        """Take some more of a refusal."""
        self.refusal += self._said(piece)

    def add_reasoning(self, piece: object) -> None:
        """Count some reasoning, which is not stored."""
        if isinstance(piece, str):
            self.words += len(piece)

    def _said(self, piece: str | None) -> str:
        # JSON can hold lone surrogates, which nothing behind us could store or send on
        text = (piece or "").encode("utf-8", "replace").decode("utf-8")
        self.words += len(text)
        return text

    def count(self, usage: object) -> None:
        """Take the provider's count, unless it is none."""
        self.counts = counts_of(usage) or self.counts
