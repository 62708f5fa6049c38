"""`jupyter modernize resources`: the files that were fetched for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.arguments import Arguments
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.option_types import web_address
from mle_modernizer_server.cli.terminal.environment_text import size_text
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.files import LARGEST_RESOURCE
from mle_modernizer_server.resources.store import KeptResources

_EXIT_CODES = """\
exit codes:
  0    done
  2    bad usage, or no such file
  3    failed: an address could not be fetched
"""


@dataclass(frozen=True)
class ResourcesOptions:
    """Options of the command.

    Attributes:
        fetch: Addresses to fetch.
        remove: Ids of fetched files to remove.
    """

    fetch: tuple[str, ...]
    remove: tuple[str, ...]
    as_json: bool


def parse(program: str, argv: Sequence[str]) -> ResourcesOptions:
    """Parse the options of `resources`.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
    """
    parser = Arguments(
        prog=f"{program} resources",
        description="List the files that were fetched from the network for notebooks, fetch a "
        "file, or remove files. To use a file in a notebook's runs: `--fetch URL`.",
        epilog=_EXIT_CODES,
        allow_abbrev=False,
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--fetch",
        type=web_address,
        nargs="+",
        default=[],
        metavar="URL",
        help=f"fetch files from public servers, at most {LARGEST_RESOURCE // 1_000_000} MB each",
    )
    what.add_argument("--remove", nargs="+", default=[], metavar="ID", help="remove fetched files")
    parser.add_argument("--json", dest="as_json", action="store_true", help="print JSON")
    given = parser.parse_args(argv)
    return ResourcesOptions(tuple(given.fetch), tuple(given.remove), given.as_json)


def show_resources(options: ResourcesOptions, kept: KeptResources | None = None) -> int:
    """Run the command; return its exit code.

    Args:
        options: The command's options.
        kept: The store of the files; the user's if None.

    Raises:
        ModernizerError: There is no such file, or an address cannot be fetched.
    """
    console = new_console()
    kept = kept or KeptResources()
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
