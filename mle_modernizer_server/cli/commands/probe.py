"""`jupyter modernize probe`: silent changes, tried with the libraries of the time and today's."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.arguments import Arguments
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.option_types import positive, whole
from mle_modernizer_server.cli.options import add_rules_path
from mle_modernizer_server.cli.setting_options import add_setting
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.forecast import Probe, Probed, Told
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.grading.competitions import default_data_root
from mle_modernizer_server.wiring import build_modernizer
from mle_modernizer_server.words import CellNames, text
from mle_modernizer_server.workflow.service import Cancelled, Modernizer, ProbeSettings

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


@dataclass(frozen=True)
class ProbeOptions:
    """Options of a comparison; as `ProbeSettings`."""

    notebook: Path
    old_python: Path
    rule: str | None
    rows: int
    time_limit: float
    competition: str | None
    data_root: Path | None
    sandbox: str | None
    era: str | None
    as_json: bool
    rules_path: Path | None = None


def parse(program: str, argv: Sequence[str]) -> ProbeOptions:
    """Parse the options of `probe`.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
    """
    parser = Arguments(
        prog=f"{program} probe",
        description="Test silent changes: run the cells they concern on the first rows of the "
        "data, with old libraries, with today's, and with today's and the fix.",
        epilog=_EXIT_CODES,
        allow_abbrev=False,
    )
    parser.add_argument("notebook", type=Path, metavar="NOTEBOOK", help="the .ipynb file")
    parser.add_argument(
        "--old-python",
        type=Path,
        required=True,
        metavar="PATH",
        help="a Python (3.6 or newer) with the old libraries, or its virtual environment",
    )
    parser.add_argument("--rule", metavar="ID", help="test only this change")
    parser.add_argument(
        "--rows", type=whole(1), default=200, metavar="N", help="rows of every CSV (default: 200)"
    )
    parser.add_argument(
        "--time-limit",
        type=positive,
        default=120.0,
        metavar="SECONDS",
        help="for each run (default: 120)",
    )
    for name in ("competition", "sandbox", "era"):
        add_setting(parser, name)
    parser.add_argument(
        "--data-root", type=Path, metavar="DIR", help="directory with the competitions"
    )
    parser.add_argument("--json", dest="as_json", action="store_true", help="print JSON")
    add_rules_path(parser)
    return ProbeOptions(**vars(parser.parse_args(argv)))


def show_probe(options: ProbeOptions) -> int:
    """Compare and print; return the exit code.

    Raises:
        ModernizerError: Something that stops everything; the message is for the user.
        KeyboardInterrupt: It was cancelled; no process is left.
    """
    file = open_notebook(options.notebook)
    modernizer = build_modernizer(
        data_root=options.data_root or default_data_root(),
        sandbox=None,
        llm=LlmSettings.from_environment(),
        rules_path=options.rules_path,
    )
    try:
        found = asyncio.run(_probe(modernizer, file, options))
    except Cancelled:
        raise KeyboardInterrupt from None
    if options.as_json:
        print(found.model_dump_json(indent=2))
    else:
        print_probe(new_console(), file, found)
    explains = any(item.verdict is Told.EXPLAINS for item in found.items)
    return int(ExitCode.NOT_REPRODUCIBLE if explains else ExitCode.REPRODUCIBLE)


async def _probe(modernizer: Modernizer, file: NotebookFile, options: ProbeOptions) -> Probe:
    competition = options.competition or file.defaults.competition
    if competition is None:
        competition, _ = modernizer.environments.find_competition(file.notebook, file.path.parent)
    cancel = asyncio.Event()
    if sys.platform != "win32":
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, cancel.set)
    return await modernizer.studies.probe(
        file.notebook,
        ProbeSettings(
            old_python=options.old_python,
            sandbox=options.sandbox,
            competition=competition,
            rule=options.rule,
            rows=options.rows,
            time_limit=options.time_limit,
            era=options.era,
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
