"""The templates of the prompts: plain text for a model, not HTML."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def render(name: str, **parts: object) -> str:
    """Return a template of `prompts/` with its parts; a name that is not set is an error.

    The text has `?` for lone surrogates, which no UTF-8 can carry.
    """
    text = _templates().get_template(name).render(parts)
    return text.encode("utf-8", "replace").decode("utf-8")


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only if one is written

    return Environment(
        loader=FileSystemLoader(Path(__file__).parent / "prompts"),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
