"""What an error of an old notebook comes from, by a written rule: its data, an API, or itself.

The rule knows no fix. What it cannot tell counts as an API's, so that a share of mended errors is
rather too low than too high.
"""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.knowledge import explain


class Cause(str, Enum):
    """Whom a root error is counted for."""

    MISSING = "data, package or network missing"
    API = "a changed API"
    OWN = "the notebook's own"


_FILES = {"FileNotFoundError", "PermissionError", "IsADirectoryError", "NotADirectoryError"}
_NETWORK = {"URLError", "HTTPError", "ConnectionError", "SSLError", "gaierror", "EmptyDataError"}
_MISSING = re.compile(
    r"No such file|does not exist|Unable to open file|Failed to connect|resolve host"
    r"|Resource .*not found|Please use the NLTK Downloader|nltk\.download|Can't find model"
    r"|Missing optional dependency|requires .* to be installed|but it is not installed"
    r"|pip install|conda install|Implement enable_gui in a subclass"  # there is no window here
    r"|URL fetch failure|No module named|not found in the system path|executables? not found"
)
_OF_OTHER_PACKAGES = re.compile(r"'(?:DataFrame|Series)' object has no attribute 'iplot'")
"""Methods that a package which is not installed hangs onto pandas (cufflinks)."""
_OWN = {
    *("NameError", "UnboundLocalError", "ZeroDivisionError", "RecursionError", "KeyboardInterrupt"),
    *("AssertionError", "SystemExit", "MemoryError", "StdinNotImplementedError"),
}
_NAMES = re.compile(r"'([^']*)'|\"([^\"]*)\"")


def cause(error: CellError, notebook: Notebook, data: Path, environment: Environment) -> Cause:
    """Whom an error is counted for.

    Missing: a file, the network, a package that is not installed (and no entry knows another
    address for), and columns that no data file of the notebook has and no cell makes. The
    notebook's own: what no entry explains and what Python raised in the notebook's own code, not in
    a library, over its own names and values. Everything else is an API's.
    """
    text = f"{error.ename}: {error.evalue}"
    explained = explain(error, environment) is not None
    if error.ename in _FILES | _NETWORK:
        return Cause.MISSING
    if error.ename == "ModuleNotFoundError":
        name = error.evalue.partition("'")[2].partition("'")[0].split(".")[0]
        return Cause.API if explained or name in environment.packages else Cause.MISSING
    if _OF_OTHER_PACKAGES.search(text):
        return Cause.MISSING
    if not explained and _MISSING.search(text):
        return Cause.MISSING
    if not explained and _columns_missing(error, notebook, data):
        return Cause.MISSING
    if explained:
        return Cause.API
    if error.ename in _OWN or error.ename in ("SyntaxError", "IndentationError", "TabError"):
        return Cause.OWN
    if error.ename in ("IndexError", "KeyError", "ValueError", "TypeError") and not _in_library(
        error
    ):
        return Cause.OWN
    return Cause.API


def _in_library(error: CellError) -> bool:
    """Whether the innermost frame is a library's; a call with wrong arguments counts as such."""
    call = re.search(r"argument|positional|callable|subscriptable|iterable", error.evalue)
    last = error.traceback[-1] if error.traceback else ""
    return call is not None or last.startswith("File ")


def _columns_missing(error: CellError, notebook: Notebook, data: Path) -> bool:
    """Whether it asks for a column that stands in no data file and no cell makes."""
    lookup = error.ename == "KeyError" or re.search(
        r"not in (?:the )?index|not found in axis|Missing column provided|not in list"
        r"|Could not interpret value|columns expected but not found|do not match columns",
        error.evalue,
    )
    attribute = re.search(r"'DataFrame' object has no attribute '(\w+)'", error.evalue)
    if attribute is not None:
        names = [attribute[1]]
    elif lookup:
        names = [one or two for one, two in _NAMES.findall(error.evalue)]
    else:
        return False
    code = "\n".join(cell.source for cell in notebook.code_cells())
    headers = _headers(code, data)
    if attribute is not None and not re.search(rf"\.{attribute[1]}\b(?!\()", code):
        return False
    return bool(names) and bool(headers) and not any(_known(name, code, headers) for name in names)


def _known(name: str, code: str, headers: str) -> bool:
    stored = re.compile(rf"\[\s*['\"]{re.escape(name)}['\"]\s*\]\s*=[^=]")
    return not name or name in headers or stored.search(code) is not None


def _headers(code: str, data: Path) -> str:
    """First lines of the data files that the code names."""
    lines = []
    for path in sorted(data.rglob("*.csv")):
        if path.name in code:
            with path.open(encoding="utf-8", errors="replace") as file:
                lines.append(file.readline(100_000))
    return "\n".join(lines)
