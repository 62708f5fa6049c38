"""`jupyter modernize preflight`: predict errors in a notebook, without running it."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, ClassVar

from rich.console import Console
from rich.text import Text

from mle_modernizer_server.cli.arguments import PROGRAM, Groups, Options, parse_options
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.options import AsJson, RulesPath
from mle_modernizer_server.cli.terminal.safe_text import harmless, one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.cli.terminal.summary import edits_diff, proposal_text
from mle_modernizer_server.cli.work import new_modernizer
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.files import FileFinding
from mle_modernizer_server.domain.forecast import Foreseen, Impact, Preflight
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.proposal import Proposal, apply_edits
from mle_modernizer_server.domain.settings import Flag, SessionSettings, checked_settings
from mle_modernizer_server.execution.notebook_file import (
    NotebookFile,
    check_output,
    open_notebook,
    write_file,
)
from mle_modernizer_server.words import CellNames
from mle_modernizer_server.words import text as in_words
from mle_modernizer_server.workflow.service import Ahead, Modernizer, NoFix

_EXIT_CODES = """\
exit codes:
  0    nothing will certainly break (changes that may break something are listed)
  1    something will fail, or give a different result without an error
  2    bad usage or input
  3    failed: not all of the notebook was examined, or an internal error
"""
_IMPACT = {
    Impact.STOPS: ("fails", "red"),
    Impact.RESULT: ("other result, no error", "yellow"),
    Impact.DEFAULT: ("default changed", "yellow"),
    Impact.DISPLAY: ("looks different", "dim"),
}


class PreflightOptions(Options):
    """Options of the command.

    Attributes:
        fix: File to write the fixed notebook to; None writes nothing. Only with one notebook.
    """

    DESCRIPTION = "Predict what will break in notebooks and why, cell by cell. Nothing runs."
    EPILOG = _EXIT_CODES
    GROUPS: ClassVar[Groups] = {
        "": (
            *("sandbox", "era", "environment", "rules_seconds", "fix", "force", "as_json"),
            *("show_all", "rules_path"),
        )
    }

    notebooks: Annotated[tuple[Path, ...], Argument("the .ipynb files", "NOTEBOOK")]
    fix: Annotated[
        Path | None, Flag("write the notebook with all known fixes to this file", "OUT")
    ] = None
    force: Annotated[bool, Flag("overwrite OUT if it exists")] = False
    as_json: AsJson = False
    show_all: Annotated[bool, Flag("also list changes that rarely break something", flag="all")] = (
        False
    )
    rules_path: RulesPath = None

    def check(self, parser: argparse.ArgumentParser) -> None:
        """Refuse one file for several notebooks."""
        if self.fix is not None and len(self.notebooks) > 1:
            parser.error("--fix writes one file; name one notebook")


def run(argv: Sequence[str]) -> int:
    """Print predicted errors, and write the fixed notebook if requested; return the exit code.

    Each of several notebooks is checked, even if another cannot be read.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        ModernizerError: Something that stops everything; the message is for the user.
    """
    options = parse_options(PreflightOptions, "preflight", argv)
    settings = checked_settings(options.settings)
    console = new_console()
    modernizer = new_modernizer(rules_path=options.rules_path)
    several = len(options.notebooks) > 1
    worst, answers = ExitCode.REPRODUCIBLE, []
    for path in options.notebooks:
        if several and not options.as_json:
            console.print(Text(f"{one_line(str(path))}:", style="bold"), soft_wrap=True)
        try:
            found = _look(options, settings, modernizer, path, console)
        except ModernizerError as error:
            if not several:
                raise
            print(f"{PROGRAM}: {harmless(in_words(error.message))}", file=sys.stderr)
            worst = ExitCode.BAD_USAGE
            continue
        answers.append({"notebook": str(path), **found.model_dump(mode="json")})
        worst = max(worst, _exit_code(found))
        if options.as_json and not several:
            print(found.model_dump_json(indent=2))
        elif several and not options.as_json:
            console.print()
    if options.as_json and several:
        print(json.dumps(answers, indent=2))
    return int(worst)


def _exit_code(found: Preflight) -> ExitCode:
    if not found.complete:
        return ExitCode.FAILED
    return ExitCode.NOT_REPRODUCIBLE if found.stops + found.silent else ExitCode.REPRODUCIBLE


def _look(
    options: PreflightOptions,
    settings: SessionSettings,
    modernizer: Modernizer,
    path: Path,
    console: Console,
) -> Preflight:
    """Return predicted errors; print them unless JSON is requested, and write the requested file.

    Raises:
        ModernizerError: The notebook cannot be read, or the file not be written.
    """
    file = open_notebook(path)
    if options.fix is not None:
        check_output(options.fix, path, force=options.force)
    settings = settings.model_copy(update={"sandbox": _sandbox(modernizer, settings.sandbox)})
    ahead = Ahead(file.notebook, settings, file.traces, file.path.absolute().parent)
    found = asyncio.run(modernizer.runs.preflight(ahead))
    if not options.as_json:
        shown = preflight_text(file, found, show_all=options.show_all)
        console.print(shown, soft_wrap=True)
    if options.fix is not None:
        answer = asyncio.run(modernizer.runs.fix_before_run(ahead, found.era))
        said = Console(stderr=True) if options.as_json else console
        _write_fixed(said, options.fix, file, answer)
    return found


def _sandbox(modernizer: Modernizer, name: str | None) -> str | None:
    """Return the sandbox to query; nothing runs, so if none isolates here, any will do."""
    if name is not None:
        return name
    other = None
    for one in modernizer.services.sandboxes.values():
        if one.availability().ok:
            if one.isolated:
                return one.name
            other = other or one.name
    return other


def preflight_text(file: NotebookFile, found: Preflight, *, show_all: bool = False) -> Text:
    """Return predicted errors, cell by cell.

    Args:
        file: The notebook.
        found: The predictions for it.
        show_all: Whether to list unlikely errors, too.
    """
    text = Text()
    if found.headline:
        text.append(f"{in_words(found.headline)}\n", style="bold")
    cells = CellNames(file.notebook, file.saved.prompts)
    certain = [item for item in found.items if item.certain]
    possible = [item for item in found.items if not item.certain and (item.likely or show_all)]
    text.append(f"{in_words(found.outlook)}\n")
    _add_items(text, certain, cells)
    if possible:
        text.append("\nThis may break; it depends on the data or on when it was written:\n")
        _add_items(text, possible, cells)
    folded = 0 if show_all else found.possible - found.likely
    if folded:
        things = "1 change" if folded == 1 else f"{folded} changes"
        text.append(f"\n{things} that rarely break something not shown (--all).\n", style="dim")
    if found.files:
        text.append("\nFiles that a run will not find:\n")
    for lost in found.files:
        where = _place(lost.cell_id, cells)
        text.append(f"  {where}{one_line(file_text(lost), 300)}\n")
    _add_network(text, found, cells)
    _add_notes(text, found, cells)
    if found.era.evidence:
        text.append("\nEvidence of when it was written:\n")
    for item in found.era.evidence:
        where = _place(item.cell_id, cells)
        text.append(f"  {where}{one_line(item.text, 300, cells)}\n", style="dim")
    text.rstrip()
    return text


def _place(cell_id: str | None, cells: CellNames) -> str:
    """Return the name of a code cell at the beginning of a line; empty if there is none."""
    name = None if cell_id is None else cells.of(cell_id)
    return "" if name is None else f"cell {name}: "


def _add_network(text: Text, found: Preflight, cells: CellNames) -> None:
    needs = found.needs.network
    if not needs:
        return
    text.append("\nNeeds the network, which a run does not have:\n")
    for need in needs:
        where = _place(need.cell_id, cells)
        how = "" if need.addresses else " (only with --network)"
        text.append(f"  {where}{one_line(need.what)}{how}\n")
    if found.needs.addresses:
        text.append("  Fetch all files that have an address: --fetch all.\n")


def _add_notes(text: Text, found: Preflight, cells: CellNames) -> None:
    if found.notes:
        text.append("\nWorth knowing:\n")
    for note in found.notes:
        where = _place(note.cell_id, cells)
        text.append(f"  {where}{one_line(note.text, cells=cells)}\n", style="dim")
    if not found.complete:
        text.append("  To examine the rest, allow more time: --rules-time SECONDS.\n")


def file_text(lost: FileFinding) -> str:
    """Return a path that leads nowhere, and the file that is probably meant."""
    if lost.written:
        return f"{lost.path} lies in a folder that is not there (written as {lost.taken})"
    if lost.taken is not None:
        return f"{lost.path} is not there ({lost.taken} is taken)"
    if lost.candidates:
        return f"{lost.path} is not there; choose one: {', '.join(lost.candidates)}"
    if lost.outside:
        return in_words(coded("files.outside", path=lost.path))
    return f"{lost.path} is not there, and no file of that name was found"


def _add_items(text: Text, items: Sequence[Foreseen], cells: CellNames) -> None:
    for item in items:
        word, style = _IMPACT[item.impact]
        fix = "" if item.proposed else (" (fix after a run)" if item.fixable else " (no fix)")
        if item.left and not item.proposed:
            fix = " (not fixed)"
        text.append(f"  {_place(item.cell_id, cells)}", style="bold")
        text.append(word, style=style)
        since = f" since {item.library} {item.since}" if item.since else ""
        text.append(f"{since}{fix}\n")
        text.append(f"    {one_line(f'{item.what} {item.replacement}', 1000)}\n")
        if item.left:
            text.append(f"    {one_line(item.left, 300, cells)}\n")
        if item.rule:
            text.append(f"    {item.link}  [{item.rule}]\n", style="dim")


def _write_fixed(
    console: Console, output: Path, file: NotebookFile, answer: Proposal | NoFix
) -> None:
    cells = CellNames(file.notebook, file.saved.prompts)
    console.print()
    if not isinstance(answer, Proposal):
        refused = f"{in_words(answer.reason, cells)} {output} was not written."
        console.print(Text(harmless(refused)), soft_wrap=True)
        return
    console.print(proposal_text(answer, cells), soft_wrap=True)
    console.print(edits_diff(file.notebook, answer.edits, file.saved.prompts), soft_wrap=True)
    write_file(output, file.with_sources(apply_edits(file.notebook, answer.edits)))
    console.print(
        Text(harmless(f"\nThe notebook with these changes is in {output}.")), soft_wrap=True
    )
