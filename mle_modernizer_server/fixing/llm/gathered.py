"""What has come of a model's answer so far, whichever API it comes by."""

from __future__ import annotations

from dataclasses import dataclass

from mle_modernizer_server.fixing.llm.usage import Counts, counts_of


@dataclass
class Gathered:
    """An answer that is still coming.

    Attributes:
        pieces: How many pieces have come; 0: no answer has begun.
        text: What was said.
        refusal: Why the model refuses to answer, as far as it does.
        complete: Whether it came to its end; None where the endpoint has not said.
        counts: The provider's count of tokens, once it has come.
    """

    pieces: int = 0
    text: str = ""
    refusal: str = ""
    complete: bool | None = None
    counts: Counts | None = None

    def add(self, piece: str | None) -> None:
        """Take some more text."""
        # JSON can hold lone surrogates, which nothing behind us could store or send on
        self.text += (piece or "").encode("utf-8", "replace").decode("utf-8")

    def count(self, usage: object) -> None:
        """Take the provider's count, unless it is none."""
        self.counts = counts_of(usage) or self.counts
