"""Detection of a missing package from an error."""

from __future__ import annotations

import re

from mle_modernizer_server.domain.execution import CellError

_NO_MODULE = re.compile(r"No module named '?(?P<name>\w+)(?P<inner>\.)?")
_OPTIONAL = re.compile(
    r"Missing optional dependency '(?P<name>[\w.-]+)'|^`Import (?P<since_3_0>[\w.-]+)` failed\."
)
"""Message of pandas for a missing optional dependency; the second form since 3.0."""
_PANDAS_NAMES = {
    "Bottleneck": "bottleneck",
    "Jinja2": "jinja2",
    "SQLAlchemy": "sqlalchemy",
    "beautifulsoup4": "bs4",
    "odfpy": "odf",
    "python-calamine": "python_calamine",
    "pytables": "tables",
}
"""Import names of the packages that pandas names differently (`pandas.compat._optional`)."""


def missing_module(error: CellError) -> str | None:
    """Return the top-level module that an error reports as not installed.

    Args:
        error: Any error of a cell.

    Returns:
        None for other errors: a file of the notebook's own that is imported by its bare name, or a
        module that an installed package does not have (`sklearn.externals`).
    """
    if error.ename not in ("ModuleNotFoundError", "ImportError") or error.imported_beside:
        return None
    optional = _OPTIONAL.search(error.evalue)
    if optional is not None:
        name = optional["name"] or optional["since_3_0"]
        return _PANDAS_NAMES.get(name, name)
    match = _NO_MODULE.match(error.evalue)
    return match["name"] if match is not None and not match["inner"] else None
