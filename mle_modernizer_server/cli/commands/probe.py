"""`jupyter modernize probe`: silent changes, tried with the libraries of the time and today's."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.arguments import Groups, Options, parse_options
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.options import AsJson, DataRoot, RulesPath
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.cli.work import new_modernizer, until_cancelled
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.forecast import Probe, Probed, Told
from mle_modernizer_server.domain.settings import Flag, checked_settings
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.words import CellNames, text
from mle_modernizer_server.workflow.service import Modernizer, ProbeSettings

_EXIT_CODES = """\
exit codes:
  0    no change explains a difference
  1    at least one change explains a difference
  2    bad usage or input
  3    failed: an internal error
  130  cancelled with Ctrl+C
"""
_VERDICT = {
    Told.EXPLAINS: ("explains a difference", "yellow"),
    Told.NO_DIFFERENCE: ("makes no difference here", "green"),
    Told.UNTOLD: ("could not be determined", "dim"),
}
_LONGEST = 60


class ProbeOptions(Options):
    """Options of a comparison; as `ProbeSettings`."""

    DESCRIPTION = (
        "Test silent changes: run the cells they concern on the first rows of the data, with old "
        "libraries, with today's, and with today's and the fix."
    )
    EPILOG = _EXIT_CODES
    GROUPS: ClassVar[Groups] = {
        "": ("competition", "sandbox", "era", "data_root", "as_json", "rules_path")
    }

    notebook: Annotated[Path, Argument("the .ipynb file", "NOTEBOOK")]
    old_python: Annotated[
        Path,
        Flag("a Python (3.6 or newer) with the old libraries, or its virtual environment", "PATH"),
    ]
    rule: Annotated[str | None, Flag("test only this change", "ID")] = None
    rows: Annotated[int, Flag("rows of every CSV (default: {default})")] = Field(default=200, ge=1)
    time_limit: Annotated[float, Flag("for each run (default: {default})", "SECONDS")] = Field(
        default=120.0, gt=0
    )
    data_root: DataRoot = None
    as_json: AsJson = False
    rules_path: RulesPath = None


def run(argv: Sequence[str]) -> int:
    """Compare and print; return the exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        ModernizerError: Something that stops everything; the message is for the user.
        KeyboardInterrupt: It was cancelled; no process is left.
    """
    options = parse_options(ProbeOptions, "probe", argv)
    file = open_notebook(options.notebook)
    modernizer = new_modernizer(options.data_root, options.rules_path)
    found = until_cancelled(lambda cancel: _probe(modernizer, file, options, cancel))
    if options.as_json:
        print(found.model_dump_json(indent=2))
    else:
        print_probe(new_console(), file, found)
    explains = any(item.verdict is Told.EXPLAINS for item in found.items)
    return int(ExitCode.NOT_REPRODUCIBLE if explains else ExitCode.REPRODUCIBLE)


async def _probe(
    modernizer: Modernizer, file: NotebookFile, options: ProbeOptions, cancel: asyncio.Event
) -> Probe:
    settings = checked_settings(options.settings)
    competition = settings.competition or file.defaults.competition
    if competition is None:
        competition, _ = modernizer.environments.find_competition(file.notebook, file.path.parent)
    return await modernizer.studies.probe(
        file.notebook,
        ProbeSettings(
            old_python=options.old_python,
            sandbox=settings.sandbox,
            competition=competition,
            rule=options.rule,
            rows=options.rows,
            time_limit=options.time_limit,
            era=settings.era,
        ),
        traces=file.traces,
        say=lambda step: print(f"{text(step)} …", file=sys.stderr),
        cancel=cancel,
    )


def print_probe(console: Console, file: NotebookFile, found: Probe) -> None:
    """Print a table per change: the values then, now, and now with the fix."""
    cells = CellNames(file.notebook, file.saved.prompts)
    if not found.items:
        console.print("No silent change is known to concern this notebook.")
    for item in found.items:
        console.print(_heading(item, cells), soft_wrap=True)
        if item.contrasts:
            console.print(_table(item, found))
        for line in _uncounted(item):
            console.print(f"  {line}", style="dim")
        console.print()
    for note in found.notes:
        console.print(Text(one_line(note, 300), style="dim"), soft_wrap=True)


def _heading(item: Probed, cells: CellNames) -> Text:
    words, style = _VERDICT[item.verdict]
    text = Text()
    text.append(f"{cells.place(item.cell_id)}: ", style="bold")
    text.append(words, style=style)
    text.append(f" ({one_line(item.why, 300)})" if item.why else "")
    text.append(f"\n  {item.what}\n")
    text.append(f"  {item.compared} values compared. {item.link}  [{item.rule}]", style="dim")
    return text


def _table(item: Probed, found: Probe) -> Table:
    table = Table("value", box=None, padding=(0, 2, 0, 2))
    table.add_column(_versions("then", item.library, found.then))
    table.add_column(_versions("now", item.library, found.now))
    table.add_column("now with the fix")
    for one in item.contrasts:
        style = "yellow" if one.explained else "dim"
        shown = (one.name, one.then, one.now, one.fixed)
        table.add_row(
            *(Text("–" if value is None else one_line(value, _LONGEST)) for value in shown),
            style=style,
        )
    return table


def _uncounted(item: Probed) -> Iterator[str]:
    if item.unlisted:
        yield f"{item.unlisted} more values differ."
    if item.incomparable:
        yield f"{item.incomparable} values could not be compared: they exist on one side only."


def _versions(when: str, library: str, environment: Environment) -> Text:
    version = environment.packages.get(library)
    named = f"{library} {version}" if version else f"Python {environment.python}"
    return Text(f"{when} ({one_line(named, 40)})")
