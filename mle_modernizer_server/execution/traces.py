"""What a notebook's file tells of its time beside the sources."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from mle_modernizer_server.domain.era import MOST_OUTPUT, Traces
from mle_modernizer_server.execution.outputs import clean, without_colours

_DATE = re.compile(r"(?<!\d)20[12]\d-[01]\d-[0-3]\d(?=T)")
_MOST_DATES = 50
_LONGEST_OUTPUT = 2_000
"""Characters of one output that are looked at: versions and warnings stand at its beginning."""


def traces_from_json(content: dict[str, Any]) -> Traces:
    """The traces in a notebook's JSON, formats 3 and 4; what is malformed is left out."""
    metadata = _dict(content.get("metadata"))
    cells = [_dict(cell) for cell in _cells(content)]
    described = json.dumps([metadata, [_dict(cell.get("metadata")) for cell in cells]])
    return Traces(
        python=_text(_dict(metadata.get("language_info")).get("version"))[:100],
        kernel=_text(_dict(metadata.get("kernelspec")).get("name"))[:200],
        dates=tuple(sorted(set(_DATE.findall(described))))[-_MOST_DATES:],
        outputs=clean("\n".join(_outputs(cells)))[:MOST_OUTPUT],
    )


def _cells(content: dict[str, Any]) -> list[Any]:
    if isinstance(content.get("cells"), list):
        return list(content["cells"])
    sheets = content.get("worksheets")
    found = []
    for sheet in sheets if isinstance(sheets, list) else ():
        cells = _dict(sheet).get("cells")
        found += cells if isinstance(cells, list) else []
    return found


def _outputs(cells: list[dict[str, Any]]) -> Iterator[str]:
    for cell in cells:
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            one = _dict(output)
            data = _dict(one.get("data"))
            for text in (one.get("text"), data.get("text/plain")):
                joined = "".join(map(_text, text)) if isinstance(text, list) else _text(text)
                if joined:
                    yield without_colours(joined[:_LONGEST_OUTPUT])


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
