"""`jupyter modernize statistics`: outcomes and costs of fixes, over all sessions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.arguments import Options, parse_options
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.options import AsJson, Database
from mle_modernizer_server.cli.terminal.money import cost_text, usage_text
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.cli.terminal.tables import new_table
from mle_modernizer_server.domain.errors import NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.settings import Flag
from mle_modernizer_server.domain.statistics import (
    FixRow,
    SessionStatistics,
    Spread,
    State,
    Statistics,
)
from mle_modernizer_server.domain.text import counted
from mle_modernizer_server.untrusted.files import is_file
from mle_modernizer_server.wiring import default_database
from mle_modernizer_server.workflow.service import stored_statistics

_EXIT_CODES = """\
exit codes:
  0    the statistics are shown
  2    bad usage, or no sessions to speak of
  3    failed: the database cannot be used
"""
_STATES = {
    State.TIMEOUT: "timeout",
    State.ERROR_NON_REPRODUCIBLE: "error,\nnot repr.",
    State.ERROR_FREE_NON_REPRODUCIBLE: "error-free,\nnot repr.",
    State.ERROR_REPRODUCIBLE: "error,\nrepr.",
    State.ERROR_FREE_REPRODUCIBLE: "error-free,\nrepr.",
    State.FAILED: "failed",
    State.NOT_RUN: "not run",
}
_MOST_ERRORS = 15
_MOST_FIXES = 8
"""Columns of numbers of fixes; greater numbers go into the last one."""


class StatisticsOptions(Options):
    """Of which sessions.

    Attributes:
        database: The server's SQLite file.
        path: Beginning of the notebooks' paths.
        session: Only this one.
    """

    DESCRIPTION = (
        "Show what fixes led to and what they cost, over the sessions in the Jupyter server's "
        "database. Runs of this command line are not stored there; use their --report."
    )
    EPILOG = _EXIT_CODES
    EXCLUSIVE = ("path", "session")

    database: Database = None
    path: Annotated[str, Flag("only notebooks whose path begins with this", "PREFIX")] = ""
    session: Annotated[str | None, Flag("only this session", "ID")] = None
    as_json: AsJson = False


def run(argv: Sequence[str]) -> int:
    """Print them; return the exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        ModernizerError: There is no such file or session, or it cannot be used.
    """
    options = parse_options(StatisticsOptions, "statistics", argv)
    database = options.database or default_database()
    if not is_file(database):
        raise NotFound(coded("cli.no-database", database=str(database)))
    answer = stored_statistics(database, prefix=options.path, session_id=options.session)
    found = answer.statistics if isinstance(answer, SessionStatistics) else answer
    if options.as_json:
        print(answer.model_dump_json(indent=2))
        return int(ExitCode.REPRODUCIBLE)
    if not found.sessions:
        raise NotFound(coded("cli.no-such-sessions", path=repr(options.path)))
    print_statistics(new_console(), found)
    return int(ExitCode.REPRODUCIBLE)


def print_statistics(console: Console, found: Statistics) -> None:
    """Print tables: fixes and their outcomes, cost, notebooks, errors, similarity."""
    console.print(_headline(found), soft_wrap=True)
    for title, rows in (
        ("Fixes by type, and what they led to", found.by_type),
        ("By fixer", found.by_fixer),
        ("By scope", found.by_scope),
    ):
        if rows:
            console.print()
            console.print(_fix_table(title, rows))
    if any(row.asked for row in found.by_type):
        console.print()
        console.print(_cost_table(found.by_type))
    for table in (_outcome_table(found), _error_table(found), _similarity_table(found)):
        if table.row_count:
            console.print()
            console.print(table)


def _headline(found: Statistics) -> Text:
    reached = sum(item.sessions for item in found.outcomes if item.best.reproducible)
    text = Text(
        f"{counted(found.sessions, 'session')}, {counted(found.runs, 'run')}; "
        f"{counted(reached, 'session')} came to a reproducible notebook\n",
        style="bold",
    )
    if found.mean_fixes is not None:
        text.append(f"Fixes a session: {found.mean_fixes:.2f}")
        if found.mean_fixes_reproducible is not None:
            text.append(f"; of reproducible ones: {found.mean_fixes_reproducible:.2f}")
        text.append("\n")
    if found.seconds is not None:
        text.append(f"Seconds a run: {_spread(found.seconds, '.1f')}\n")
    text.append(f"Model: {usage_text(found.usage) or 'never asked'}")
    return text


def _spread(numbers: Spread, form: str) -> str:
    return (
        f"median {numbers.median:{form}}, half of them {numbers.lower:{form}} to "
        f"{numbers.upper:{form}}, at most {numbers.most:{form}}"
    )


def _table(title: str, first: str, columns: Iterable[str]) -> Table:
    numbers = tuple(columns)
    table = new_table(title, (first, *numbers), numbers)
    table.columns[0].no_wrap = True
    return table


def _fix_table(title: str, rows: Sequence[FixRow]) -> Table:
    states = [state for state in State if any(row.led_to.get(state) for row in rows)]
    columns = ["proposed", "applied", *(_STATES[state] for state in states), "made it\nrepr."]
    table = _table(title, "fix", columns)
    for row in rows:
        led_to = (_number(row.led_to.get(state, 0)) for state in states)
        counts = (str(row.proposed), str(row.applied), *led_to, _number(row.reproducible))
        table.add_row(row.name, *counts)
    return table


def _cost_table(rows: Sequence[FixRow]) -> Table:
    columns = ("asked", "fresh in", "cached in", "out", "reasoning", "USD a fix", "all")
    table = _table("What a fix by the model costs (tokens a fix)", "fix", columns)
    for row in rows:
        usage, asked = row.usage, row.asked
        if not asked:
            continue
        each = "–" if usage.cost_usd is None else f"{usage.cost_usd / asked:.4f}"
        tokens = (
            usage.fresh_input_tokens,
            usage.cached_input_tokens,
            usage.output_tokens,
            usage.reasoning_tokens,
        )
        numbers = (f"{number / asked:,.0f}" for number in tokens)
        table.add_row(row.name, str(asked), *numbers, each, cost_text(usage))
    return table


def _outcome_table(found: Statistics) -> Table:
    table = _table("Notebooks: from the first run to the best", "first run", ("best", "sessions"))
    for item in found.outcomes:
        table.add_row(item.first.value, item.best.value, str(item.sessions))
    return table


def _error_table(found: Statistics) -> Table:
    rows = found.errors[:_MOST_ERRORS]
    longest = max((len(row.by_fixes) for row in rows), default=0)
    shown = min(longest, _MOST_FIXES)
    columns = [f"after {number}" for number in range(shown)]
    if longest > shown:
        columns[-1] += "+"
    table = _table(
        "Root errors by number of fixes", "error", ["sessions", *columns, "fixes it took", "left"]
    )
    for row in rows:
        counts = [*row.by_fixes[: shown - 1], sum(row.by_fixes[shown - 1 :])]
        counts += [0] * (shown - len(counts))
        gone = sum(row.took)
        mean = sum(fixes * times for fixes, times in enumerate(row.took)) / gone if gone else None
        table.add_row(
            one_line(row.name, 40),
            str(row.sessions),
            *map(_number, counts),
            "–" if mean is None else f"{mean:.1f}",
            _number(row.left),
        )
    return table


def _similarity_table(found: Statistics) -> Table:
    columns = ("sessions", "median", "lower quartile", "least")
    table = _table("Similarity to the original (1: unchanged)", "after", columns)
    for item in found.similarity_to_original:
        if item.fixes:
            numbers = item.similarity
            fixes = "1 fix" if item.fixes == 1 else f"{item.fixes} fixes"
            shown = (numbers.median, numbers.lower, numbers.least)
            table.add_row(fixes, str(numbers.count), *(f"{number:.3f}" for number in shown))
    if found.similarity_to_previous is not None:
        one = found.similarity_to_previous
        table.caption = f"One fix to the next: {_spread(one, '.3f')}, at least {one.least:.3f}"
    return table


def _number(number: int) -> str:
    return str(number) if number else "·"
