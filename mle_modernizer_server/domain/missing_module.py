"""Which package an error says is not there."""

from __future__ import annotations

import re

from mle_modernizer_server.domain.execution import CellError

_NO_MODULE = re.compile(r"No module named '?(?P<name>\w+)(?P<inner>\.)?")
_OPTIONAL = re.compile(
    r"Missing optional dependency '(?P<name>[\w.-]+)'|^`Import (?P<since_3_0>[\w.-]+)` failed\."
)
"""What pandas says of a package that it needs for a kind of file; the second form since 3.0."""
_PANDAS_NAMES = {
    "Bottleneck": "bottleneck",
    "Jinja2": "jinja2",
    "SQLAlchemy": "sqlalchemy",
    "beautifulsoup4": "bs4",
    "odfpy": "odf",
    "python-calamine": "python_calamine",
    "pytables": "tables",
}
"""Import names of the packages that pandas calls by another name (`pandas.compat._optional`)."""


def missing_module(error: CellError) -> str | None:
    """The top-level module that an error says is not installed.

    Args:
        error: Any error of a cell.

    Returns:
        None for other errors: a file of the notebook's own that is imported by its bare name, or a
        module that a package which is there does not have (`sklearn.externals`).
    """
    if error.ename not in ("ModuleNotFoundError", "ImportError") or error.imported_beside:
        return None
    optional = _OPTIONAL.search(error.evalue)
    if optional is not None:
        name = optional["name"] or optional["since_3_0"]
        return _PANDAS_NAMES.get(name, name)
    match = _NO_MODULE.match(error.evalue)
    return match["name"] if match is not None and not match["inner"] else None
