"""`jupyter modernize report`: the report of a session that the Jupyter server keeps."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from mle_modernizer_server.cli.arguments import Options, parse_options
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.options import Database
from mle_modernizer_server.domain.errors import BadInput, NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.settings import Flag
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


class ReportOptions(Options):
    """Options of the command: a session, and the file to write in one of three forms."""

    DESCRIPTION = (
        "Write the report of a session in the Jupyter server's database. Runs of this command line "
        "are not stored there; use their --report."
    )
    EPILOG = _EXIT_CODES
    EXCLUSIVE = ("html", "markdown", "json_file")

    session: Annotated[
        str, Argument("id of a session, or path of a notebook (its latest session)", "ID|PATH")
    ]
    html: Annotated[Path | None, Flag("a page for people that needs nothing beside it", "FILE")] = (
        None
    )
    markdown: Annotated[Path | None, Flag("text for people", "FILE")] = None
    json_file: Annotated[Path | None, Flag("everything, for programs", "FILE", flag="json")] = None
    database: Database = None
    force: Annotated[bool, Flag("overwrite FILE if it exists")] = False

    def check(self, parser: argparse.ArgumentParser) -> None:
        """Require one form."""
        if not (self.html or self.markdown or self.json_file):
            parser.error("one of --html, --markdown and --json is required")


def run(argv: Sequence[str]) -> int:
    """Write the report; return the exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        ModernizerError: There is no such session, or a file cannot be used.
    """
    given = parse_options(ReportOptions, "report", argv)
    database = given.database or default_database()
    if not is_file(database):
        raise NotFound(coded("cli.no-database", database=str(database)))
    forms = {"html": given.html, "markdown": given.markdown, "json": given.json_file}
    ((form, output),) = ((form, file) for form, file in forms.items() if file is not None)
    if exists(output) and not given.force:
        raise BadInput(coded("cli.output-exists", path=str(output)))
    write_file(output, stored_report(database, given.session, form).encode("utf-8"))
    print(f"The report is in {output}.")
    return int(ExitCode.REPRODUCIBLE)
