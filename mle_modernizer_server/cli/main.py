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
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return _carry_out(arguments)
    except ModernizerError as error:
        print(f"{PROGRAM}: {error.message}", file=sys.stderr)
        return int(code_of_error(error))
    except KeyboardInterrupt:
        print("Cancelled.", file=sys.stderr)
        return 128 + signal.SIGINT
    except Exception:  # the last stop: a defect of ours is logged whole and has an exit code
        _logger.exception("Something went wrong inside MLE Modernizer; please report it")
        return int(ExitCode.FAILED)


def _carry_out(arguments: list[str]) -> int:
    # Imported late: `--help` and wrong usage need none of the libraries behind the rooms.
    if arguments[:1] == ["kernelspec"]:
        from mle_modernizer_server.cli.kernelspec import manage_kernelspec

        return manage_kernelspec(arguments[1:])
    options = parse(arguments)
    from mle_modernizer_server.cli.modernization import modernize

    return modernize(options)
