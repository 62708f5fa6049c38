"""`jupyter modernize rules`: the knowledge of breaking changes, as a table or whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.arguments import Arguments
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.options import add_rules_path
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.errors import NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.text import counted
from mle_modernizer_server.fixing.rules.knowledge import all_rules
from mle_modernizer_server.fixing.rules.rule import Rule
from mle_modernizer_server.wiring import take_rules

_EXIT_CODES = """\
exit codes:
  0    something was found
  1    no rule matches the filters
  2    bad usage, or no rule has that id
"""


@dataclass(frozen=True)
class RulesOptions:
    """Options of the command.

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
    """Parse the options of `rules`.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
    """
    parser = Arguments(
        prog=f"{program} rules",
        description="List the known breaking changes of Python ML libraries, or show one in full.",
        epilog=_EXIT_CODES,
        allow_abbrev=False,
    )
    parser.add_argument("rule", nargs="?", metavar="ID", help="show this rule in full")
    parser.add_argument(
        "--library", metavar="NAME", help="only rules of this library (import name)"
    )
    parser.add_argument(
        "--silent", action="store_true", help="only changes of results without an exception"
    )
    parser.add_argument("--automatic", action="store_true", help="only rules with an automatic fix")
    parser.add_argument("--json", dest="as_json", action="store_true", help="print JSON")
    add_rules_path(parser)
    return RulesOptions(**vars(parser.parse_args(argv)))


def show_rules(options: RulesOptions) -> int:
    """Print the requested entries; return the exit code.

    Raises:
        NotFound: There is no entry of that id.
        BadSetting: There is no folder of that name.
    """
    take_rules(options.rules_path)
    console = new_console()
    if options.rule is not None:
        rule = next((one for one in all_rules() if one.id == options.rule), None)
        if rule is None:
            raise NotFound(coded("cli.no-rule", rule=repr(options.rule)))
        if options.as_json:
            print(json.dumps(_for_programs(rule), indent=2))
        else:
            _show_whole(console, rule)
        return int(ExitCode.REPRODUCIBLE)
    found = [rule for rule in all_rules() if _fits(rule, options)]
    if options.as_json:
        print(json.dumps([_for_programs(rule) for rule in found], indent=2))
    elif found:
        console.print(_table(found))
        automatic = sum(rule.automatic for rule in found)
        silent = sum(rule.silent for rule in found)
        console.print(
            f"{counted(len(found), 'change')}, {automatic} with an automatic fix, {silent} silent."
        )
    else:
        console.print("No rule matches.")
    return int(ExitCode.REPRODUCIBLE if found else ExitCode.NOT_REPRODUCIBLE)


def _fits(rule: Rule, options: RulesOptions) -> bool:
    library = options.library
    return (
        (library is None or rule.library.lower() == library.lower())
        and (rule.silent or not options.silent)
        and (rule.automatic or not options.automatic)
    )


def _for_programs(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "library": rule.library,
        "since": rule.since,
        "deprecated": rule.deprecated or None,
        "kind": rule.kind.value,
        "silent": rule.silent,
        "automatic": rule.automatic,
        "severity": rule.severity.value,
        "what": rule.what,
        "replacement": rule.replacement,
        "link": rule.link,
        "symptoms": list(rule.symptoms),
    }


def _table(rules: Sequence[Rule]) -> Table:
    table = Table()
    for name in ("rule", "since", "severity", "fix", "what changed"):
        table.add_column(name, no_wrap=name in ("since", "severity", "fix"), overflow="fold")
    for rule in rules:
        table.add_row(
            rule.id,
            f"{rule.library} {rule.since}",
            rule.severity.value,
            "automatic" if rule.automatic else "by hand",
            rule.what,
        )
    return table


def _show_whole(console: Console, rule: Rule) -> None:
    text = Text(f"{rule.id}\n", "bold")
    deprecated = f", deprecated since {rule.deprecated}" if rule.deprecated else ""
    facts = {
        "library": f"{rule.library}, changed in {rule.since}{deprecated}",
        "kind": f"{rule.kind.value}{', silent' if rule.silent else ''}",
        "severity": rule.severity.value,
        "what": rule.what,
        "now": rule.replacement,
        "fix": "automatic" if rule.automatic else "by hand",
        "meaning": rule.meaning.value,
        "needs": f"{rule.confirm.value} of a run",
        "concerns": ", ".join(sorted(rule.identifiers)),
        "symptom": "\n           ".join(rule.symptoms),
        "link": rule.link,
    }
    for name, value in facts.items():
        if value:
            text.append(f"  {name:<9}", style="dim").append(f"{value}\n")
    text.rstrip()
    console.print(text, soft_wrap=True)
