"""One row a notebook, a run and a fix: the results as a SQLite file, for questions of one's own.

In three lines: `import sqlite3, pandas`, `db = sqlite3.connect("study.sqlite")`,
`pandas.read_sql("select * from notebooks", db)`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from mle_modernizer_server.batch.result import Result

_TABLES = {
    "notebooks": (
        *("key", "line", "notebook", "arm", "repetition", "status", "message", "started"),
        *("seconds", "competition", "target", "first_year", "last_year", "sandbox", "python"),
        *("packages", "first_state", "last_state", "score", "deviation", "fixes", "similarity"),
        *("calls", "input_tokens", "cached_input_tokens", "output_tokens", "cost_usd"),
        *("modernized", "notebook_hash", "version"),
    ),
    "runs": (
        *("key", "number", "fixes", "state", "seconds", "score", "deviation", "output"),
        *("similarity_to_original", "errors"),
    ),
    "fixes": (
        *("key", "iteration", "fixer", "model", "fix_type", "scope", "edits", "accepted"),
        *("before", "after", "similarity", "calls", "input_tokens", "output_tokens", "cost_usd"),
    ),
}
_Row = tuple[object, ...]


def write_database(path: Path, results: Iterable[Result]) -> None:
    """Write the file anew.

    Raises:
        OSError: It cannot be written.
    """
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database, database:
        for name, columns in _TABLES.items():
            database.execute(f"create table {name} ({', '.join(columns)})")
        for result in results:
            for name, row in _rows(result):
                marks = ", ".join("?" * len(_TABLES[name]))
                database.execute(f"insert into {name} values ({marks})", row)


def _rows(result: Result) -> Iterable[tuple[str, _Row]]:
    best = next((score for score in result.scores if score.number == result.best), None)
    facts, usage, line = result.facts, result.usage, result.line
    yield (
        "notebooks",
        (
            *(result.key, line.number, line.name, result.arm, result.repetition),
            *(result.status.value, result.message, result.started.isoformat(), result.seconds),
            *(result.competition, result.target, result.first_year, result.last_year),
            *(result.sandbox, result.python, json.dumps(result.packages)),
            *(result.first_state.value, result.last_state.value),
            *((None, None) if best is None else (best.score, best.deviation)),
            *((0, None) if facts is None else (facts.fixes_made, facts.similarity)),
            *(usage.calls, usage.input_tokens, usage.cached_input_tokens, usage.output_tokens),
            *(usage.cost_usd, result.modernized, result.notebook_hash, result.version),
        ),
    )
    if facts is None:
        return
    scores = {score.number: score for score in result.scores}
    for run in facts.runs:
        score = scores.get(run.number)
        graded = (
            (None, None, None)
            if score is None
            else (score.score, score.deviation, score.output.value)
        )
        yield (
            "runs",
            (
                *(result.key, run.number, run.fixes, run.state.value, run.seconds, *graded),
                *(run.similarity_to_original, json.dumps(run.errors)),
            ),
        )
    for fix in facts.fixes:
        spent = fix.usage
        yield (
            "fixes",
            (
                *(result.key, fix.iteration, fix.fixer.value, fix.model, fix.fix_type.value),
                *(fix.scope.value, fix.edits, fix.accepted, fix.before.value, fix.after.value),
                *(fix.similarity, spent.calls, spent.input_tokens, spent.output_tokens),
                spent.cost_usd,
            ),
        )
