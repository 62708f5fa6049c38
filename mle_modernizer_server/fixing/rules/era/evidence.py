"""Evidence of a notebook's era outside of its code: its file, its outputs, its words."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache

from mle_modernizer_server.code.ipython import escapes, is_python, is_too_large
from mle_modernizer_server.domain.era import MOST_OUTPUT, Evidence, Traces, import_name
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.fixing.rules.era.era import exactly
from mle_modernizer_server.fixing.rules.era.releases import histories, minor, month_text, numbers

_PYTHON_LIVES = 60
"""Months after which libraries drop a version of Python, five years at the most:
https://devguide.python.org/versions/ and https://numpy.org/neps/nep-0029-deprecation_policy.html"""
_FIRST_YEAR = 2010
_YEAR = re.compile(r"(?<![\d.,/$€£#-])(20[12]\d)(?![\d.,%]*\d|%)")
_DATE = re.compile(r"\b(20[12]\d)-(0[1-9]|1[0-2])-([0-2]\d|3[01])\b")
_PRINTED = re.compile(
    r"(?<![\w/\\.-])(?P<name>[A-Za-z][A-Za-z_-]{1,24})"
    r"(?P<said>\.__version__|[ \t]+\(?version\)?|==)?"
    r"[\"']?[ \t:=|]*[\"']?v?(?P<version>\d{1,2}\.\d{1,3}(?P<patch>\.\d{1,2})?)(?![\w.]*\d)"
)
"""A library's name and a version. Two numbers alone may be a score (`xgb 0.82`)."""
_WARNING = re.compile(
    r"(?:site|dist)-packages[/\\](?P<library>\w{1,40})[/\\.][^\n]{0,200}?"
    r"Warning: (?P<text>(?:(?!(?:site|dist)-packages[/\\]).){0,600})",
    re.S,
)
"""A warning's own text, up to the beginning of the next one."""
_WILL = re.compile(
    r"(?:will|to) (?:be |have )?(?:removed|change|changed|raise|default)\b"
    r"(?: from \S{1,20} in (?:version )?v?\d+\.\d+ to)?[^\n]{0,80}?"
    r"(?:in|from|with)(?: version)? v?(?P<version>\d+\.\d+)"
)
_WAS = re.compile(r"deprecated (?:in|since)(?: version)? v?(?P<version>\d+\.\d+)")
INSTALLS = "era.installs"
"""Code of the evidence that a cell installs a version."""
_PIN = re.compile(r"([A-Za-z][\w-]*)(?:\[[^\]]*\])?==(\d+(?:\.\d+)+)")
_INSTALL = re.compile(r"[!%](?:pip3?|python3? -m pip|conda) +install +(?P<what>.*)")


_RUNNING = "{}.{}".format(*sys.version_info)


def of_traces(traces: Traces, running: str = _RUNNING) -> tuple[Evidence, ...]:
    """Return the evidence in the file outside of its sources.

    Args:
        traces: Of the notebook's file.
        running: Version of the Python that is used today: JupyterLab writes the version of the
            running kernel into the file, so today's own is no evidence.
    """
    found = [*_of_python(traces, running)]
    if "keras" in traces.outputs or "TensorFlow backend" in traces.outputs:
        found += _backend(traces.outputs)
    dates = sorted({date[:7] for date in traces.dates if _DATE.match(date)})
    if dates:
        found.append(
            Evidence(
                text=coded("era.ran-in", month=dates[-1]),
                since=dates[-1],
                until=dates[-1],
                certain=False,
            )
        )
    text = traces.outputs[:MOST_OUTPUT]
    found += _warnings(text)
    found += _printed(text)
    return tuple(found)


def of_words(notebook: Notebook) -> tuple[Evidence, ...]:
    """Return the latest year in its text and comments, and its installed packages, as evidence."""
    latest: tuple[int, str] | None = None
    newest = _newest_year()
    found: list[Evidence] = []
    for cell in notebook.cells:
        if cell.type is CellType.CODE:
            words = "\n".join(re.findall(r"#[^\n]*", cell.source))
        else:
            words = re.sub(r"https?://\S+|!?\[[^\]]*\]\([^)]*\)|<[^>]*>", " ", cell.source)
        for year in map(int, _YEAR.findall(words)):
            if _FIRST_YEAR <= year <= newest and (latest is None or year > latest[0]):
                latest = (year, cell.id)
        is_small = not is_too_large(cell.source)
        if cell.type is CellType.CODE and is_small and is_python(cell.source):
            found += _pins(cell.id, cell.source)
    if latest is not None:
        year, cell_id = latest
        found.append(
            Evidence(
                text=coded("era.speaks-of", year=year),
                cell_id=cell_id,
                since=f"{year}-01",
                certain=False,
            )
        )
    return tuple(found)


_END_OF_PYTHON_2 = "2020-12"


def of_python_2(text: Messages, cell_id: str | None = None, *, certain: bool = True) -> Evidence:
    """Return evidence that the notebook is written in Python 2."""
    return Evidence(
        text=text,
        cell_id=cell_id,
        library="python",
        below="3.0",
        until=_END_OF_PYTHON_2,
        certain=certain,
    )


def _of_python(traces: Traces, running: str) -> Iterator[Evidence]:
    version = minor(numbers(traces.python)) if numbers(traces.python) else ()
    if version[:1] == (2,) or (not version and traces.kernel == "python2"):
        yield of_python_2(coded("era.kernel-python-2"), certain=False)
    elif version and version < minor(numbers(running)):
        text = ".".join(map(str, version))
        out = histories()["python"].month_of(text)
        if out is not None:
            yield Evidence(
                text=coded("era.saved-with", version=text),
                library="python",
                at_least=text,
                below=f"{version[0]}.{version[1] + 1}",
                since=month_text(out),
                until=month_text(out + _PYTHON_LIVES),
                certain=False,
            )


def _backend(text: str) -> Iterator[Evidence]:
    if "Using TensorFlow backend" in text or "Using Theano backend" in text:
        yield Evidence(
            text=coded("era.keras-backend"),
            library="keras",
            below="2.4",
        )


def _warnings(text: str) -> Iterator[Evidence]:
    for warning in _WARNING.finditer(text):
        library = warning["library"]
        history = histories().get(library)
        if history is None:
            continue
        # sklearn's deprecation.py also warns for packages that build on it, with their versions
        will, was = (
            found if found and numbers(found["version"]) > history.releases[0].numbers else None
            for found in (_WILL.search(warning["text"]), _WAS.search(warning["text"]))
        )
        if will:
            yield Evidence(
                text=coded("era.will-change", library=library, version=will["version"]),
                library=library,
                below=will["version"],
            )
        if was:
            yield Evidence(
                text=coded("era.deprecated", library=library, version=was["version"]),
                library=library,
                at_least=was["version"],
            )


def _printed(text: str) -> Iterator[Evidence]:
    for match in _PRINTED.finditer(text):
        library = import_name(match["name"])
        history = histories().get(library)
        version = minor(numbers(match["version"]))
        if history is None or version not in {one.numbers for one in history.releases}:
            continue
        if not (match["said"] or match["patch"]):
            continue
        word = ".".join(map(str, version))
        named = coded("era.outputs-name", library=library, version=match["version"])
        yield exactly(library, word, named)


def _pins(cell_id: str, source: str) -> Iterator[Evidence]:
    for escape in escapes(source):
        install = _INSTALL.match(escape.text)
        for name, version in _PIN.findall(install["what"]) if install else ():
            library = import_name(name)
            if library in histories():
                said = coded(INSTALLS, library=name, version=version)
                yield exactly(library, version, said, cell_id)


@cache
def _newest_year() -> int:
    return max(one.month for history in histories().values() for one in history.releases) // 12
