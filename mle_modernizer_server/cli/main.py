"""The console script `jupyter-modernize`, which is `jupyter modernize`."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from mle_modernizer_server.cli.arguments import PROGRAM, parse
from mle_modernizer_server.cli.exit_codes import ExitCode, code_of_error
from mle_modernizer_server.domain.errors import ModernizerError

_logger = logging.getLogger(__name__)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit codes are in `--help` and docs/cli.md."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Unicode is no error
    try:
        return _carry_out(list(sys.argv[1:] if argv is None else argv))
    except ModernizerError as error:
        print(f"{PROGRAM}: {error.message}", file=sys.stderr)
        return int(code_of_error(error))
    except KeyboardInterrupt:
        print("Cancelled.", file=sys.stderr)
        return 128 + signal.SIGINT
    except Exception:  # the last stop: a defect of ours is logged whole and has an exit code
        _logger.exception("Something went wrong inside MLE Modernizer; please report it")
        return int(ExitCode.FAILED)


def _carry_out(argv: list[str]) -> int:
    """Do what the first word says; what stands behind it is imported only then."""
    if argv[:1] == ["grade"]:
        from mle_modernizer_server.cli.grade import grade

        return grade(argv[1:])
    if argv[:1] == ["competition"]:
        from mle_modernizer_server.cli.competition import competition

        return competition(argv[1:])
    options = parse(argv)
    # Only now: `--help` and wrong usage need none of the libraries behind the rooms.
    from mle_modernizer_server.cli.modernization import modernize

    return modernize(options)
