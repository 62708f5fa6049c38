"""`jupyter modernize rules`: the knowledge of breaking changes, as a table or whole."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.options import add_rules_path
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.errors import NotFound
from mle_modernizer_server.fixing.rules.knowledge import all_rules
from mle_modernizer_server.fixing.rules.rule import Entry
from mle_modernizer_server.wiring import take_rules

_EXIT_CODES = """\
exit codes:
  0    something was found
  1    no rule fits the filters
  2    bad usage, or no rule has that id
"""


@dataclass(frozen=True)
class RulesOptions:
    """What of the knowledge to show.

    Attributes:
        rule: One entry, whole; None for a list.
        as_json: For programs.
    """

    rule: str | None
    library: str | None
    silent: bool
    automatic: bool
    as_json: bool
    rules_path: Path | None = None


def parse(program: str, argv: Sequence[str]) -> RulesOptions:
    """The options of `rules`.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
    """
    parser = argparse.ArgumentParser(
        prog=f"{program} rules",
        description="List the known breaking changes of Python's ML libraries, or show one whole.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("rule", nargs="?", metavar="ID", help="show this one with all it says")
    parser.add_argument("--library", metavar="NAME", help="only this library's (its import name)")
    parser.add_argument(
        "--silent", action="store_true", help="only changes of results, without an exception"
    )
    parser.add_argument("--automatic", action="store_true", help="only those with an automatic fix")
    parser.add_argument("--json", dest="as_json", action="store_true", help="for programs")
    add_rules_path(parser)
    return RulesOptions(**vars(parser.parse_args(argv)))


def show_rules(options: RulesOptions) -> int:
    """Print what was asked for; gives the exit code.

    Raises:
        NotFound: There is no entry of that id.
        BadSetting: There is no folder of that name.
    """
    take_rules(options.rules_path)
    console = new_console()
    if options.rule is not None:
        entry = next((one for one in all_rules() if one.id == options.rule), None)
        if entry is None:
            raise NotFound(
                f"There is no rule {options.rule!r}; `jupyter modernize rules` lists all."
            )
        if options.as_json:
            print(json.dumps(_for_programs(entry), indent=2))
        else:
            _show_whole(console, entry)
        return int(ExitCode.REPRODUCIBLE)
    found = [entry for entry in all_rules() if _fits(entry, options)]
    if options.as_json:
        print(json.dumps([_for_programs(entry) for entry in found], indent=2))
    elif found:
        console.print(_table(found))
        automatic = sum(entry.automatic for entry in found)
        silent = sum(entry.silent for entry in found)
        console.print(f"{len(found)} changes, {automatic} with an automatic fix, {silent} silent.")
    else:
        console.print("No rule fits.")
    return int(ExitCode.REPRODUCIBLE if found else ExitCode.NOT_REPRODUCIBLE)


def _fits(entry: Entry, options: RulesOptions) -> bool:
    library = options.library
    return (
        (library is None or entry.library.lower() == library.lower())
        and (entry.silent or not options.silent)
        and (entry.automatic or not options.automatic)
    )


def _for_programs(entry: Entry) -> dict[str, object]:
    return {
        "id": entry.id,
        "library": entry.library,
        "since": entry.since,
        "deprecated": entry.deprecated or None,
        "kind": entry.kind.value,
        "silent": entry.silent,
        "automatic": entry.automatic,
        "severity": entry.severity.value,
        "what": entry.what,
        "replacement": entry.replacement,
        "link": entry.link,
        "symptoms": list(entry.symptoms),
    }


def _table(entries: Sequence[Entry]) -> Table:
    table = Table()
    for name in ("rule", "since", "severity", "fix", "what changed"):
        table.add_column(name, no_wrap=name in ("since", "severity", "fix"), overflow="fold")
    for entry in entries:
        table.add_row(
            entry.id,
            f"{entry.library} {entry.since}",
            entry.severity.value,
            "automatic" if entry.automatic else "by hand",
            entry.what,
        )
    return table


def _show_whole(console: Console, entry: Entry) -> None:
    text = Text(f"{entry.id}\n", "bold")
    deprecated = f", deprecated since {entry.deprecated}" if entry.deprecated else ""
    facts = {
        "library": f"{entry.library}, changed in {entry.since}{deprecated}",
        "kind": f"{entry.kind.value}{', silent' if entry.silent else ''}",
        "severity": entry.severity.value,
        "what": entry.what,
        "now": entry.replacement,
        "fix": "automatic" if entry.automatic else "by hand",
        "meaning": entry.meaning.value,
        "needs": f"{entry.confirm.value} of a run",
        "concerns": ", ".join(sorted(entry.identifiers)),
        "symptom": "\n           ".join(entry.symptoms),
        "link": entry.link,
    }
    for name, value in facts.items():
        if value:
            text.append(f"  {name:<9}", style="dim").append(f"{value}\n")
    text.rstrip()
    console.print(text, soft_wrap=True)
