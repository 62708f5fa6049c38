"""`jupyter modernize environments`: those made for notebooks, and a notebook's packages here."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from rich.console import Console
from rich.table import Table

from mle_modernizer_server.cli.arguments import Groups, Options, parse_options
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.option_types import memory_size
from mle_modernizer_server.cli.options import AsJson
from mle_modernizer_server.cli.terminal.environment_text import (
    called,
    choice_line,
    found_line,
    made_line,
    refused_line,
    remark_line,
    size_text,
)
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.environment import EnvironmentReport, MakingProgress
from mle_modernizer_server.domain.settings import Flag
from mle_modernizer_server.execution.notebook_file import open_notebook
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.environments import (
    MOST_BYTES,
    NotebookEnvironments,
    NotebookPlace,
    step_message,
)

_EXIT_CODES = """\
exit codes:
  0    done; with --for: an environment here has all imports of the notebook
  1    with --for: packages are missing
  2    bad usage or input
  3    failed: an environment could not be made
"""


class EnvironmentsOptions(Options):
    """Options of the command.

    Attributes:
        notebook: Report the environments found and chosen for it, and missing packages.
        make: Make one for it: `own` or `own-time`.
        remove: Ids of made ones to remove.
        cache: Print the size of uv's cache.
        prune: Bytes that environments, and uv's cache, may have; None: nothing is removed.
    """

    DESCRIPTION = (
        "List the environments made for notebooks, or show which Python and packages a notebook "
        "would use. Nothing is installed into an environment of yours."
    )
    EPILOG = _EXIT_CODES
    GROUPS: ClassVar[Groups] = {
        "": ("notebook", "remove", "cache", "prune", "make", "era", "as_json")
    }
    HELP: ClassVar[Mapping[str, str]] = {
        "era": "with --make own-time: when the notebook was written"
    }
    EXCLUSIVE = ("notebook", "remove", "cache", "prune")

    notebook: Annotated[
        Path | None,
        Flag(
            "show the environments found on this machine, which one is selected and why, and what "
            "is missing",
            "NOTEBOOK",
            flag="for",
        ),
    ] = None
    remove: Annotated[tuple[str, ...], Flag("remove these environments", "ID", several=True)] = ()
    cache: Annotated[
        bool, Flag("show the size of uv's cache, which environments are made from")
    ] = False
    prune: Annotated[
        int | None,
        Flag(
            "remove the environments not used for the longest time until the rest is below SIZE "
            "(default: 20g), and likewise unreferenced files and the oldest downloads from uv's "
            "cache",
            "SIZE",
            parse=memory_size,
            bare=str(MOST_BYTES),
        ),
    ] = None
    make: Annotated[
        Literal["own", "own-time"] | None,
        Flag(
            "with --for: make an environment with today's packages (own) or those of the "
            "notebook's time (own-time)"
        ),
    ] = None
    as_json: AsJson = False

    def check(self, parser: argparse.ArgumentParser) -> None:
        """Refuse to make an environment for no notebook."""
        if self.make and self.notebook is None:
            parser.error("--make needs --for NOTEBOOK")


def run(argv: Sequence[str]) -> int:
    """Run the command; return its exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        ModernizerError: The notebook cannot be read, there is no such environment, or one cannot be
            made.
    """
    options = parse_options(EnvironmentsOptions, "environments", argv)
    console = new_console()
    environments = NotebookEnvironments()
    if options.remove:
        for environment_id in options.remove:
            environments.remove(environment_id)
            console.print(f"Removed {environment_id}.")
        return int(ExitCode.REPRODUCIBLE)
    if options.cache or options.prune is not None:
        return _show_cache(console, environments, options.prune)
    if options.notebook is not None:
        return _show_for(console, environments, options, options.notebook)
    kept = environments.kept_environments()
    if options.as_json:
        print("[" + ",\n".join(item.model_dump_json() for item in kept) + "]")
        return int(ExitCode.REPRODUCIBLE)
    if not kept:
        console.print("No environment has been made yet.")
        return int(ExitCode.REPRODUCIBLE)
    table = Table(box=None, pad_edge=False)
    for column in ("id", "size", "made", "used", "what it holds"):
        table.add_column(column, overflow="fold")
    for item in kept:
        if item.made is None:
            table.add_row(item.id, "", "", "", "not as it was made; it is not used. Remove it.")
            continue
        row = (size_text(item.made.size), _ago(item.made.created), _ago(item.last_used))
        table.add_row(item.id, *row, made_line(item.made))
    console.print(table)
    total = sum(item.made.size for item in kept if item.made is not None)
    console.print(f"{size_text(total)} in {environments.kept.root}", soft_wrap=True)
    console.print("Downloaded packages stay in uv's cache: `environments --cache`.")
    return int(ExitCode.REPRODUCIBLE)


def _show_cache(console: Console, environments: NotebookEnvironments, most: int | None) -> int:
    """Print the size of uv's cache; reduce it, and the environments, if requested."""
    cache = environments.cache()
    if most is None:
        console.print(f"{size_text(cache.size())} in {cache.folder}", soft_wrap=True)
        console.print("`environments --prune` makes it smaller; environments stay whole.")
        return int(ExitCode.REPRODUCIBLE)
    for environment_id in environments.prune(most):
        console.print(f"Removed {environment_id}.")
    before, after = cache.prune(most)
    console.print(
        f"uv's cache had {size_text(before)} and has {size_text(after)}: {cache.folder}",
        soft_wrap=True,
    )
    return int(ExitCode.REPRODUCIBLE)


def _show_for(
    console: Console,
    environments: NotebookEnvironments,
    options: EnvironmentsOptions,
    notebook: Path,
) -> int:
    file = open_notebook(notebook)
    place = NotebookPlace(file.notebook, notebook.absolute().parent, file.traces)
    report = environments.report(place)
    if options.as_json and not options.make:
        print(report.model_dump_json(indent=2))
    elif not options.as_json:
        _print_report(console, report)
    if options.make:

        def show(step: MakingProgress) -> None:
            if not options.as_json:
                console.print(f"{text(step_message(step))} …", soft_wrap=True)

        choice = environments.settle(
            place, options.make, era=str(options.settings.get("era", "")), progress=show
        )
        if options.as_json:
            print(choice.model_dump_json(indent=2))
        elif choice.environment is not None:
            console.print(f"\n{found_line(choice.environment)}", soft_wrap=True)
            for remark in choice.remarks:
                console.print(f"  {remark_line(remark)}", soft_wrap=True)
        complete = choice.environment is not None and choice.environment.complete
    else:
        chosen = report.choice.environment
        complete = chosen is not None and chosen.complete
    return int(ExitCode.REPRODUCIBLE if complete else ExitCode.NOT_REPRODUCIBLE)


def _print_report(console: Console, report: EnvironmentReport) -> None:
    console.print(f"Environment: {choice_line(report.choice)}", soft_wrap=True)
    needs = report.requirements
    named = [f"{item.name}{item.specifier}" for item in needs.packages if not item.optional]
    if named:
        console.print(f"\nNeeds: {one_line(', '.join(named), 600)}", soft_wrap=True)
    if needs.local:
        console.print(f"Its own modules: {one_line(', '.join(needs.local))}", soft_wrap=True)
    if needs.unknown:
        console.print(
            f"Unknown package of: {one_line(', '.join(needs.unknown))}. Such a package is "
            "never installed by itself; put the package's name into a requirements.txt beside the "
            "notebook.",
            soft_wrap=True,
        )
    for refused in needs.refused:
        console.print(refused_line(refused), soft_wrap=True)
    console.print("\nFound on this machine:")
    for environment in report.found:
        chosen = report.choice.environment
        mark = "*" if chosen is not None and called(chosen) == called(environment) else " "
        console.print(f" {mark} {found_line(environment)}", soft_wrap=True)


def _ago(seconds: float) -> str:
    """Return how long ago something was, roughly."""
    minutes = max(0.0, time.time() - seconds) / 60
    for size, word in ((60 * 24, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = int(minutes // size)
            return f"{count} {word}{'' if count == 1 else 's'} ago"
    return "just now"
