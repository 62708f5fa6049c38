"""Writes the report of a batch into its folder."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from mle_modernizer_server import __version__
from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.report.database import write_database
from mle_modernizer_server.batch.report.pictures import HEIGHT, WIDTH, Flow, flow, shares
from mle_modernizer_server.batch.report.tables import (
    Cell,
    Table,
    arms,
    have_targets,
    state_name,
    tables,
)
from mle_modernizer_server.batch.result import Result
from mle_modernizer_server.batch.study import Arm, Study, Work
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.text import duration, without_controls

_MOST_NOTEBOOKS = 1000
"""On the page; all are in the tables."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_report(folder: StudyFolder) -> Path:
    """Write the page, the tables, the summary and the database; return the page's path.

    Raises:
        BadInput: It is no batch's folder, or cannot be written.
    """
    study = folder.read_study()
    if study is None:
        raise BadInput(coded("batch.no-folder", root=str(folder.root)))
    order = {arm.name: number for number, arm in enumerate(study.arms)}
    results = sorted(
        folder.results(),
        key=lambda result: (
            order.get(result.arm, len(order)),
            result.line.number,
            result.line.name,
            result.repetition,
        ),
    )
    made = tables(results)
    page = folder.root / "report.html"
    try:
        (folder.root / "tables").mkdir(exist_ok=True)
        for table in [*made, notebooks_table(results)]:
            path = folder.root / "tables" / f"{table.name}.csv"
            path.write_text(as_csv(table), encoding="utf-8")
        summary = summary_of(study, results, made)
        (folder.root / "summary.json").write_text(json.dumps(summary, indent=2), encoding="utf-8")
        write_database(folder.root / "study.sqlite", results)
        page.write_text(as_page(study, results, made), encoding="utf-8")
    except OSError as error:
        raise BadInput(
            coded("batch.report-not-written", why=str(error.strerror or error))
        ) from error
    return page


def notebooks_table(results: Sequence[Result]) -> Table:
    """Return a table with a row for each result."""
    targets = have_targets(results)
    rows = []
    for result in results:
        best = next((score for score in result.scores if score.number == result.best), None)
        rows.append(
            (
                *(result.line.name, result.arm, result.repetition, result.status.value),
                *(state_name(state, targets) for state in (result.first_state, result.last_state)),
                None if best is None else best.score,
                result.target,
                0 if result.facts is None else result.facts.fixes_made,
                round(result.seconds, 1),
                result.competition,
                result.message,
            )
        )
    columns = (
        *("notebook", "arm", "repetition", "status", "first run", "best run", "score", "target"),
        *("fixes", "seconds", "competition", "message"),
    )
    return Table(name="notebooks", title="Notebooks", columns=columns, rows=tuple(rows))


def as_csv(table: Table) -> str:
    """Return a table as CSV; no cell is one that a spreadsheet would compute."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_harmless(cell) for cell in row] for row in table.rows)
    return without_controls(text.getvalue())


def _harmless(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def summary_of(study: Study, results: Sequence[Result], made: Sequence[Table]) -> dict[str, object]:
    """Return the machine-readable summary: the question, and each table as a list of objects."""
    return {
        "version": __version__,
        "arms": [arm.name for arm in study.arms],
        "repeat": study.repeat,
        "settings": study.settings,
        "results": len(results),
        "tables": {
            table.name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
            for table in made
        },
    }


def as_page(study: Study, results: Sequence[Result], made: Sequence[Table]) -> str:
    """Return a page that needs nothing but itself and names no path of this machine."""
    environment = Environment(
        loader=PackageLoader("mle_modernizer_server.batch", "report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    flows: list[Flow] = []
    for name in arms(results):
        mine = [result for result in results if result.arm == name]
        if any(result.first_state is not result.last_state for result in mine):
            flows.append(flow(name, mine))
    every = notebooks_table(results)
    shown = every.model_copy(update={"rows": every.rows[:_MOST_NOTEBOOKS]})
    targets = have_targets(results)
    environment.filters["duration"] = duration
    page = environment.get_template("report.html.j2").render(
        study=study,
        count=len({(result.line.number, result.line.name) for result in results}),
        targets=targets,
        numbers=_numbers,
        shares=shares,
        described=_described,
        called=lambda state: state_name(state, targets),
        version=__version__,
        made_at=datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        tables=[_filled(table) for table in made],
        flows=flows,
        width=WIDTH,
        height=HEIGHT,
        notebooks=_filled(shown),
        all_notebooks=len(every.rows),
    )
    return without_controls(page)


def _filled(table: Table) -> Table:
    """Return a table without its empty columns."""
    kept = [
        any(cell not in (None, "") for cell in column) for column in zip(*table.rows, strict=True)
    ]
    if not table.rows or all(kept):
        return table
    rows = tuple(tuple(itertools.compress(row, kept)) for row in table.rows)
    columns = tuple(itertools.compress(table.columns, kept))
    return table.model_copy(update={"rows": rows, "columns": columns})


def _numbers(table: Table) -> list[bool]:
    """Return which columns are numbers, which are aligned to the right."""
    found = []
    for place in range(len(table.columns)):
        cells = [row[place] for row in table.rows if row[place] not in (None, "")]
        found.append(bool(cells) and all(map(_is_number, cells)))
    return found


def _is_number(cell: Cell) -> bool:
    return not isinstance(cell, str) or cell.removesuffix("%").replace(".", "", 1).isdigit()


def _described(arm: Arm) -> str:
    """Return an arm's description for a reader who has only the page."""
    environment = arm.settings.get("environment")
    libraries = "original libraries" if environment == "own-time" else "today's libraries"
    if arm.work is Work.RUN:
        return f"unchanged, with {libraries}"
    if arm.model is not None:
        return f"fixes by the model {arm.model} alone, with {libraries}"
    if arm.settings.get("fixers") == ["rules"]:
        return f"fixes by rules alone, with {libraries}"
    return f"with fixes, with {libraries}"
