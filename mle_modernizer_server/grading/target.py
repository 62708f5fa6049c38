"""Scores that a notebook claims: suggestions for the target, each with its source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mle_modernizer_server.domain.grade import TargetSource, TargetSuggestion
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.untrusted.parsing import UnreadableText, finite_number, read_json

METADATA_KEY = "mle_modernizer"
KERNEL_METADATA = "kernel-metadata.json"
"""Kaggle's file next to a notebook that was pulled with its command line."""
_MOST_TEXT = 200_000
_LONGEST_LINE = 2_000
_NUMBER = r"([-+]?(?:\d{1,6}(?:[.,]\d{1,10})?|[.]\d{1,10}))(?![\d%])"
_NAMES = (
    r"(?:public\s+|private\s+)?(?:LB|leader\s?board|leaderboard\s+score)",
    r"(?:public|private|kaggle|final|best|competition)\s+(?:LB\s+)?score",
    r"score\s+on\s+(?:the\s+)?(?:public\s+|private\s+)?(?:LB|leader\s?board)",
)
_SCORE = re.compile(
    rf"\b(?:{'|'.join(_NAMES)})\b[*_`\s]{{0,5}}(?:score|of|is|was|around|about|:|=|-(?=\s)|(?<=\w)-|~|≈|\)|\(|"
    rf"\*|_|`|\s){{0,12}}{_NUMBER}",
    re.IGNORECASE,
)
_BEFORE = re.compile(rf"(?<![\w.,]){_NUMBER}\s{{0,3}}(?:on\s+)?(?:the\s+)?(?:public\s+)?LB\b", re.I)


def suggest_targets(
    notebook: Notebook,
    *,
    metadata: Mapping[str, object] | None = None,
    title: str = "",
    kernel_metadata: bytes | None = None,
) -> tuple[TargetSuggestion, ...]:
    """Return the scores a notebook mentions, the surest first; the user chooses one.

    Args:
        notebook: Its cells; headings and sentences of Markdown cells are read.
        metadata: The notebook's metadata; our own key counts most.
        title: Its title or file name.
        kernel_metadata: Content of Kaggle's `kernel-metadata.json` next to it.
    """
    found = [*_own(metadata or {}), *_in_text(title, TargetSource.TITLE)]
    found += _in_text(_kaggle(kernel_metadata).get("title"), TargetSource.KAGGLE)
    for cell in notebook.cells:
        if cell.type is CellType.MARKDOWN:
            found += _in_text(cell.source, TargetSource.MARKDOWN, cell.id)
    unique: dict[tuple[float, TargetSource], TargetSuggestion] = {}
    for suggestion in found:
        unique.setdefault((suggestion.score, suggestion.source), suggestion)
    return tuple(unique.values())


def kaggle_competition(kernel_metadata: bytes | None) -> str | None:
    """Return the competition that Kaggle's `kernel-metadata.json` names first, or None."""
    sources = _kaggle(kernel_metadata).get("competition_sources")
    if isinstance(sources, list) and sources and isinstance(sources[0], str):
        return sources[0].rstrip("/").rsplit("/", 1)[-1] or None
    return None


def _own(metadata: Mapping[str, object]) -> Iterator[TargetSuggestion]:
    own = metadata.get(METADATA_KEY)
    score = finite_number(own.get("target_score")) if isinstance(own, Mapping) else None
    if score is not None:
        quote = f"{METADATA_KEY}.target_score"
        yield TargetSuggestion(score=score, source=TargetSource.METADATA, quote=quote)


def _in_text(
    text: object, source: TargetSource, cell_id: str | None = None
) -> Iterator[TargetSuggestion]:
    if not isinstance(text, str):
        return
    for line in text[:_MOST_TEXT].splitlines():
        if len(line) > _LONGEST_LINE:
            continue  # a pasted image or table, no sentence
        for pattern in (_SCORE, _BEFORE):
            for match in pattern.finditer(line):
                quote = " ".join(line.split())[:200]
                yield TargetSuggestion(
                    score=float(match.group(1).replace(",", ".")),
                    source=source,
                    quote=quote,
                    cell_id=cell_id,
                )


def _kaggle(content: bytes | None) -> dict[str, object]:
    try:
        raw = read_json(content or b"{}")
    except UnreadableText:
        return {}  # not Kaggle's file, and nothing depends on it
    return raw if isinstance(raw, dict) else {}
