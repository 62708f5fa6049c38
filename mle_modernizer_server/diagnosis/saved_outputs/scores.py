"""Scores in saved outputs, to be offered as targets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mle_modernizer_server.domain.notebook import PrintedScore

_METRIC = (
    r"accuracy|acc|auc|roc[\s_-]?auc|f1(?:[\s_-]?score)?|score|rmse|rmsle|mae|mse|mape|r2|r\^2|r²|"
    r"log[\s_-]?loss|logloss|loss|precision|recall|kappa|mcc|gini|error|map(?:@\d+)?|ndcg|iou|dice"
)
_LINE = re.compile(
    rf"^(?P<name>[^\n\d:=]{{0,60}}?\b(?:{_METRIC})\b[^\n\d:=]{{0,40}}?)"
    r"(?P<between>\s*(?::|=|is|of)\s*)(?P<number>[-+]?\d+\.\d+(?:[eE][-+]?\d+)?)(?P<unit>\s?%)?",
    re.IGNORECASE | re.MULTILINE,
)
_LONGEST = 100_000
_MOST = 20


def printed_scores(
    saved: Sequence[tuple[str, Sequence[Mapping[str, object]]]],
) -> tuple[PrintedScore, ...]:
    """Return the scores in a notebook's saved outputs, the last of the notebook first.

    Args:
        saved: Each code cell's id and saved outputs (nbformat 4), in notebook order.
    """
    found = [
        PrintedScore(
            cell_id=cell_id,
            ordinal=ordinal,
            name=" ".join(match["name"].split()),
            value=float(match["number"]),
            pattern=f"{match['name'].strip()}{match['between']}{{}}".strip(),
        )
        for ordinal, (cell_id, outputs) in enumerate(saved, start=1)
        for text in _texts(outputs)
        for match in _LINE.finditer(text[-_LONGEST:])
    ]
    return tuple(reversed(found))[:_MOST]


def _texts(outputs: Sequence[Mapping[str, object]]) -> Iterator[str]:
    for output in outputs:
        if output.get("output_type") == "stream" and output.get("name") != "stderr":
            text = output.get("text")
            yield "".join(text) if isinstance(text, list) else str(text or "")
