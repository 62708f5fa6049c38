"""`jupyter modernize catalogue`: models and recipes, searched by words."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field
from rich.console import Console
from rich.table import Table

from mle_modernizer_server.cli.arguments import PROGRAM, Options, parse_options
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.options import AsJson
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.settings import Flag
from mle_modernizer_server.improving.catalogue.endpoint import Found, configured_endpoint
from mle_modernizer_server.improving.catalogue.entry import Entry, TaskKind
from mle_modernizer_server.improving.catalogue.shelf import all_entries, search
from mle_modernizer_server.wiring import take_catalogue

_EXIT_CODES = """\
exit codes:
  0    something was found
  1    nothing matches
  2    bad usage, no such folder, or no search endpoint is set
  3    the search endpoint does not answer
"""


class CatalogueOptions(Options):
    """Options of the command."""

    DESCRIPTION = (
        "Search the catalogue of models and recipes by words, or show one entry with its example "
        "by its id. Without words, all entries are listed."
    )
    EPILOG = _EXIT_CODES

    query: Annotated[tuple[str, ...], Argument("words, or the id of an entry", "QUERY")] = ()
    task: Annotated[
        TaskKind | None,
        Flag("only entries for this task", f"{{{','.join(one.value for one in TaskKind)}}}"),
    ] = None
    most: Annotated[int, Flag("number of entries (default: {default})")] = Field(default=10, ge=0)
    as_json: AsJson = False
    catalogue_path: Annotated[
        Path | None,
        Flag("folder with your own entries (default: $MLE_MODERNIZER_CATALOGUE)", "DIR"),
    ] = None
    web: Annotated[
        bool, Flag("send the query to the search endpoint of $MLE_MODERNIZER_SEARCH instead")
    ] = False
    yes: Annotated[bool, Flag("send the query without asking")] = False


def run(argv: Sequence[str]) -> int:
    """Print the matches; return the exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        BadSetting: There is no such folder, or no search endpoint is set.
        SearchFailed: The search endpoint does not answer.
    """
    given = parse_options(CatalogueOptions, "catalogue", argv)
    take_catalogue(given.catalogue_path)
    query = " ".join(given.query)
    console = new_console()
    if given.web:
        return _search_web(console, query, confirmed=given.yes)
    whole = [one for one in all_entries() if one.id == query]
    tasks = [given.task] if given.task else []
    most = given.most if query else len(all_entries())
    found = whole or search(query, tasks=tasks, most=most)
    if given.as_json:
        print(json.dumps([one.model_dump(mode="json") for one in found], indent=2))
    elif whole:
        _show_whole(console, whole[0])
    elif found:
        console.print(_table(found))
        console.print(f"{PROGRAM} catalogue ID shows one with its example.", markup=False)
    else:
        console.print("No entry of the catalogue matches.")
    return int(ExitCode.REPRODUCIBLE if found else ExitCode.NOT_REPRODUCIBLE)


def _search_web(console: Console, query: str, *, confirmed: bool) -> int:
    endpoint = configured_endpoint()
    if endpoint is None or not query:
        raise BadSetting(coded("catalogue.no-search"))
    console.print(f"Only this query is sent to {endpoint.host}: {query}", markup=False)
    if not confirmed and not _confirm():
        return int(ExitCode.NOT_REPRODUCIBLE)
    found = endpoint.search(query)
    for one in found:
        _show_result(console, one)
    return int(ExitCode.REPRODUCIBLE if found else ExitCode.NOT_REPRODUCIBLE)


def _confirm() -> bool:
    if not sys.stdin.isatty():
        return False
    return input("Send it? [y/N] ").strip().lower() in ("y", "yes")


def _show_result(console: Console, one: Found) -> None:
    for text in (one.title, f"  {one.url}", f"  {one.content}"):
        console.print(one_line(text, 400), soft_wrap=True, markup=False, highlight=False)


def _show_whole(console: Console, entry: Entry) -> None:
    packages = ", ".join(f"{name} {least}" for name, least in entry.packages.items())
    tasks = ", ".join(task.value for task in entry.tasks)
    lines = [f"{entry.title} ({entry.id})", entry.about, f"for: {tasks}; needs {packages}"]
    for line in (*lines, f"see {entry.source}", "", *entry.example.rstrip().splitlines()):
        console.print(line, soft_wrap=True, markup=False, highlight=False)


def _table(found: Sequence[Entry]) -> Table:
    table = Table()
    for name in ("entry", "part", "for", "what it is"):
        table.add_column(name, overflow="fold")
    for one in found:
        tasks = ", ".join(task.value for task in one.tasks)
        table.add_row(one.id, one.role.value, tasks, one_line(one.title, 100))
    return table
