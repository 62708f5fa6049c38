"""The report of a session as one self-contained HTML page.

All content of a notebook, its outputs or a model is text to the template, which escapes all of it;
the page's own policy forbids scripts and every request. Pictures are accepted only if their bytes
are PNG or JPEG.
"""

from __future__ import annotations

import base64
import binascii
import difflib
import re
import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from mle_modernizer_server.domain.diagnosis import Finding, run_result
from mle_modernizer_server.domain.notebook import Notebook, RunOutputs, outputs_count
from mle_modernizer_server.domain.session import Iteration, Session, grade_of
from mle_modernizer_server.domain.text import duration, without_controls
from mle_modernizer_server.words import CellNames
from mle_modernizer_server.words import text as words
from mle_modernizer_server.workflow.era import era_of
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.measurements_text import contrast_rows, two_ways
from mle_modernizer_server.workflow.report.report import cell_names
from mle_modernizer_server.workflow.verdict.own_time import message_on, message_on_contrast

if TYPE_CHECKING:
    from jinja2 import Template

_MAGIC = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
_MOST_PICTURES = 40
_LARGEST_PICTURES = 10_000_000
"""Bytes of all pictures together."""
_LONGEST_TRACEBACK = 6_000
_CONTEXT = 3


class DiffLine(NamedTuple):
    """A line of a cell's difference, without its sign: `+`, `-`, `@` or a space."""

    sign: str
    text: str


class CellDiff(NamedTuple):
    """Change of a cell, which is named in words: `changed`, `inserted` or `deleted`."""

    name: str
    what: str
    lines: tuple[DiffLine, ...]


class Picture(NamedTuple):
    """A picture of the best run: its cell in words, and the picture as a `data:` address."""

    cell: str
    address: str


class Point(NamedTuple):
    """A run in the drawing of the scores, in its units from the top left."""

    number: int
    x: float
    y: float
    score: float


class RootError(NamedTuple):
    """A root error of a run: the run's number, the cell in words, and the traceback, cut."""

    run: int
    cell: str
    finding: Finding
    traceback: str


def report_html(session: Session, store: Store) -> str:
    """Return the report as one self-contained page."""
    before = store.notebook(session.id, session.notebook_hash)
    best = session.best_run
    after = before if best is None else store.notebook(session.id, best.notebook_hash)
    outputs = None if best is None else store.run_outputs(session.id, best.number)
    latest = _latest(session) if best is None or best.execution is None else best
    points, target_y = score_points(session)
    own, contrast = session.own_time, session.contrast
    cells = cell_names(session, store)
    return report_template("report.html.j2").render(
        session=session,
        settings=session.settings,
        era=words(era_of(session).summary),
        best=best,
        latest=latest,
        cells=cells,
        errors=tuple(_root_errors(session, cells)),
        diffs=tuple(cell_diffs(before, after, cells)),
        pictures=() if outputs is None else tuple(pictures(outputs, cells)),
        points=points,
        target_y=target_y,
        command=repeat_command(session),
        run_result=run_result,
        outputs_count=outputs_count,
        own_time=words(() if own is None else message_on(own, taken=False), cells),
        ways=two_ways(session),
        contrast=words(message_on_contrast(session), cells),
        contrast_rows=() if contrast is None else tuple(contrast_rows(contrast, cells)),
    )


def report_template(name: str) -> Template:
    """Return a template of this folder; its arguments are text, and are escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # only if a report is written

    environment = Environment(
        loader=PackageLoader("mle_modernizer_server.workflow.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: without_controls(value) if isinstance(value, str) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["web"] = web_address
    environment.filters["words"] = words
    environment.filters["duration"] = duration
    environment.filters["score"] = lambda value: "–" if value is None else f"{value:.5g}"
    return environment.get_template(name)


def web_address(address: str) -> str:
    """Return a plain web address; empty otherwise: a link must not be a script."""
    return address if re.fullmatch(r"https?://[^\s<>\"'\\]+", address) else ""


def cell_diffs(before: Notebook, after: Notebook, cells: CellNames) -> Iterator[CellDiff]:
    """Yield the changed cells in the order of the later notebook, then the deleted ones."""
    old = {cell.id: cell for cell in before.cells}
    new = {cell.id for cell in after.cells}
    for cell in after.cells:
        was = old.get(cell.id)
        if was is None or was.source != cell.source:
            what = "inserted" if was is None else "changed"
            lines = _lines("" if was is None else was.source, cell.source)
            yield CellDiff(cells.title(cell.id), what, lines)
    for cell in before.cells:
        if cell.id not in new:
            yield CellDiff(cells.title(cell.id), "deleted", _lines(cell.source, ""))


def _lines(old: str, new: str) -> tuple[DiffLine, ...]:
    made = difflib.unified_diff(old.splitlines(), new.splitlines(), n=_CONTEXT, lineterm="")
    lines = [line for line in made if not line.startswith(("---", "+++"))]
    return tuple(DiffLine(line[0], line if line[0] == "@" else line[1:]) for line in lines)


def pictures(outputs: RunOutputs, cells: CellNames) -> Iterator[Picture]:
    """Yield the pictures among a run's outputs that have a valid type and size."""
    left, count = _LARGEST_PICTURES, 0
    for cell in outputs.cells:
        for output in cell.outputs:
            data = output.get("data")
            for kind, magic in _MAGIC.items():
                encoded = data.get(kind) if isinstance(data, dict) else None
                picture = _decoded(encoded)
                if not picture.startswith(magic) or len(picture) > left or count >= _MOST_PICTURES:
                    continue
                left, count = left - len(picture), count + 1
                clean = base64.b64encode(picture).decode()
                yield Picture(cells.title(cell.cell_id), f"data:{kind};base64,{clean}")
                break


def _decoded(encoded: object) -> bytes:
    text = "".join(map(str, encoded)) if isinstance(encoded, list) else encoded
    if not isinstance(text, str):
        return b""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return b""


def score_points(session: Session) -> tuple[tuple[Point, ...], float | None]:
    """Return the graded runs and the target, placed in a drawing of 600 by 120."""
    scores = [
        (item.number, grade.score)
        for item in session.iterations
        if (grade := grade_of(item)) is not None and grade.score is not None
    ]
    target = session.settings.target_score
    values = [score for _, score in scores] + ([] if target is None else [target])
    if not scores:
        return (), None
    low, high = min(values), max(values)
    room = (high - low) or abs(high) or 1.0
    step = 540 / max(1, len(scores) - 1)

    def height(value: float) -> float:
        return round(100 - 80 * (value - low) / room, 1)

    points = tuple(
        Point(number, round(30 + step * place, 1), height(score), score)
        for place, (number, score) in enumerate(scores)
    )
    return points, None if target is None else height(target)


def repeat_command(session: Session) -> str:
    """Return the command that writes the report again."""
    settings = session.settings
    words = ["jupyter", "modernize", session.path or "notebook.ipynb", "--auto"]
    if settings.competition is not None:
        words += ["--competition", settings.competition]
    if settings.target_score is not None:
        words += ["--target-score", f"{settings.target_score:g}"]
    words += ["--threshold", f"{settings.threshold:g}", "--time-limit", f"{settings.time_limit:g}"]
    words += ["--fixer", ",".join(fixer.value for fixer in settings.fixers)]
    return " ".join(map(shlex.quote, [*words, "--finish", "--output", "modernized.ipynb"]))


def _root_errors(session: Session, cells: CellNames) -> Iterator[RootError]:
    for iteration in session.iterations:
        for finding in iteration.roots:
            text = without_controls("\n".join(finding.error.traceback))[-_LONGEST_TRACEBACK:]
            yield RootError(iteration.number, cells.title(finding.error.cell_id), finding, text)


def _latest(session: Session) -> Iteration | None:
    ran = [item for item in session.iterations if item.execution is not None]
    return ran[-1] if ran else None
