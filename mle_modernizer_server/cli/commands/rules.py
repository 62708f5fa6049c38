"""`jupyter modernize rules`: the knowledge of breaking changes, as a table or whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.arguments import Options, parse_options
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.options import AsJson, RulesPath
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.errors import NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.settings import Flag
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


class RulesOptions(Options):
    """Options of the command.

    Attributes:
        rule: One entry, whole; None for a list.
    """

    DESCRIPTION = "List the known breaking changes of Python ML libraries, or show one in full."
    EPILOG = _EXIT_CODES

    rule: Annotated[str | None, Argument("show this rule in full", "ID")] = None
    library: Annotated[str | None, Flag("only rules of this library (import name)", "NAME")] = None
    silent: Annotated[bool, Flag("only changes of results without an exception")] = False
    automatic: Annotated[bool, Flag("only rules with an automatic fix")] = False
    as_json: AsJson = False
    rules_path: RulesPath = None


def run(argv: Sequence[str]) -> int:
    """Print the requested entries; return the exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        NotFound: There is no entry of that id.
        BadSetting: There is no folder of that name.
    """
    options = parse_options(RulesOptions, "rules", argv)
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
