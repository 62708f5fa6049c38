"""`jupyter modernize report`: the report of a session that the Jupyter server keeps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mle_modernizer_server.cli.arguments import Arguments
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.domain.errors import BadInput, NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.notebook_file import write_file
from mle_modernizer_server.untrusted.files import exists, is_file
from mle_modernizer_server.wiring import default_database
from mle_modernizer_server.workflow.service import stored_report

_EXIT_CODES = """\
exit codes:
  0    the report is written
  2    bad usage, or no such session
  3    failed: the database cannot be used
"""


def write_report(program: str, argv: Sequence[str]) -> int:
    """Write the report; return the exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        ModernizerError: There is no such session, or a file cannot be used.
    """
    parser = Arguments(
        prog=f"{program} report",
        description="Write the report of a session in the Jupyter server's database. Runs of this "
        "command line are not stored there; use their --report.",
        epilog=_EXIT_CODES,
        allow_abbrev=False,
    )
    parser.add_argument(
        "session",
        metavar="ID|PATH",
        help="id of a session, or path of a notebook (its latest session)",
    )
    form = parser.add_mutually_exclusive_group(required=True)
    for name, text in (
        ("html", "a page for people that needs nothing beside it"),
        ("markdown", "text for people"),
        ("json", "everything, for programs"),
    ):
        form.add_argument(f"--{name}", type=Path, metavar="FILE", help=text)
    parser.add_argument("--database", type=Path, metavar="FILE", help="the server's database")
    parser.add_argument("--force", action="store_true", help="overwrite FILE if it exists")
    given = parser.parse_args(argv)
    database = given.database or default_database()
    if not is_file(database):
        raise NotFound(coded("cli.no-database", database=str(database)))
    name = next(name for name in ("html", "markdown", "json") if getattr(given, name) is not None)
    output: Path = getattr(given, name)
    if exists(output) and not given.force:
        raise BadInput(coded("cli.output-exists", path=str(output)))
    write_file(output, stored_report(database, given.session, name).encode("utf-8"))
    print(f"The report is in {output}.")
    return int(ExitCode.REPRODUCIBLE)
