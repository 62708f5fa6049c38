"""`jupyter modernize resources`: the files that were fetched for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.arguments import Options, parse_options
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.option_types import web_address
from mle_modernizer_server.cli.options import AsJson
from mle_modernizer_server.cli.terminal.environment_text import size_text
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.files import LARGEST_RESOURCE
from mle_modernizer_server.domain.settings import Flag
from mle_modernizer_server.resources.store import KeptResources

_EXIT_CODES = """\
exit codes:
  0    done
  2    bad usage, or no such file
  3    failed: an address could not be fetched
"""


class ResourcesOptions(Options):
    """Options of the command.

    Attributes:
        fetch: Addresses to fetch.
        remove: Ids of fetched files to remove.
    """

    DESCRIPTION = (
        "List the files that were fetched from the network for notebooks, fetch a file, or remove "
        "files. To use a file in a notebook's runs: `--fetch URL`."
    )
    EPILOG = _EXIT_CODES
    EXCLUSIVE = ("fetch", "remove")

    fetch: Annotated[
        tuple[str, ...],
        Flag(
            f"fetch files from public servers, at most {LARGEST_RESOURCE // 1_000_000} MB each",
            "URL",
            parse=web_address,
            several=True,
        ),
    ] = ()
    remove: Annotated[tuple[str, ...], Flag("remove fetched files", "ID", several=True)] = ()
    as_json: AsJson = False


def run(argv: Sequence[str]) -> int:
    """Run the command; return its exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        ModernizerError: There is no such file, or an address cannot be fetched.
    """
    return show_resources(parse_options(ResourcesOptions, "resources", argv), KeptResources())


def show_resources(options: ResourcesOptions, kept: KeptResources) -> int:
    """Print, fetch or remove files of a store; return the exit code."""
    console = new_console()
    for resource_id in options.remove:
        kept.remove(resource_id)
        console.print(f"Removed {resource_id}.")
    for address in options.fetch:
        file = kept.fetch(address)
        console.print(
            Text(f"Fetched {one_line(address, 500)} ({size_text(file.stat().st_size)})."),
            soft_wrap=True,
        )
    if options.remove or options.fetch:
        return int(ExitCode.REPRODUCIBLE)
    found = kept.all()
    if options.as_json:
        print("[" + ",\n".join(item.model_dump_json() for item in found) + "]")
        return int(ExitCode.REPRODUCIBLE)
    if not found:
        console.print("Nothing was fetched yet.")
        return int(ExitCode.REPRODUCIBLE)
    table = Table(box=None, pad_edge=False)
    for column in ("id", "size", "fetched", "address"):
        table.add_column(column, overflow="fold")
    for item in found:
        day = item.fetched.strftime("%Y-%m-%d")
        table.add_row(item.id, size_text(item.size), day, Text(one_line(item.address, 500)))
    console.print(table)
    total = sum(item.size for item in found)
    console.print(f"{size_text(total)} in {kept.root}", soft_wrap=True, markup=False)
    return int(ExitCode.REPRODUCIBLE)
