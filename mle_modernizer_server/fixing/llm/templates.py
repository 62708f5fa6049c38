"""The templates of the prompts: plain text for a model, not HTML."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def templates() -> Environment:
    """Return the renderer of the templates in `prompts/`; a name that is not set is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only if one is written

    return Environment(
        loader=FileSystemLoader(Path(__file__).parent / "prompts"),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
