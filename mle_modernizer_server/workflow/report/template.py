"""The templates of reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mle_modernizer_server.domain.text import duration, without_controls
from mle_modernizer_server.words import text

if TYPE_CHECKING:
    from jinja2 import Template


def report_template(name: str, **filters: Callable[..., object]) -> Template:
    """Return a template of this folder, with filters.

    Its arguments are text. In a page of HTML they are escaped, in Markdown by the filter `md`.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined  # only if a report is written

    environment = Environment(
        loader=PackageLoader("mle_modernizer_server.workflow.report", "."),
        autoescape=name.endswith(".html.j2"),
        undefined=StrictUndefined,
        finalize=lambda value: without_controls(value) if isinstance(value, str) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"words": text, "duration": duration, **filters}
    environment.filters["score"] = lambda value: "–" if value is None else f"{value:.5g}"
    return environment.get_template(name)
