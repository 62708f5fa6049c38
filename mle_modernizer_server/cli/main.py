"""Select and run the command of `jupyter modernize`."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

from mle_modernizer_server.cli.arguments import PROGRAM
from mle_modernizer_server.cli.exit_codes import ExitCode, code_of_error
from mle_modernizer_server.cli.notebook_options import parse
from mle_modernizer_server.cli.terminal.safe_text import GuardedTerminal, harmless, one_line
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.execution.schema_formats import leave_out_grammar
from mle_modernizer_server.words import text

_logger = logging.getLogger(__name__)


_COMMANDS = (
    *("rules", "preflight", "probe", "grade", "competition", "kaggle", "kernelspec", "statistics"),
    *("paper", "batch", "report", "environments", "draft", "catalogue", "resources", "mcp"),
)
"""Commands by their names; each is a module, imported only on use: other work needs less."""


def _work(argv: list[str]) -> int:
    """Do the work that the arguments request; return the exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help` and `--version`.
    """
    if argv and argv[0] in _COMMANDS:
        command = import_module(f"mle_modernizer_server.cli.commands.{argv[0]}")
        return int(command.run(argv[1:]))
    options = parse(argv)
    print(f"Reading {one_line(str(options.notebook))} …", file=sys.stderr, flush=True)
    from mle_modernizer_server.cli.commands.modernize import modernize

    return modernize(options)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit codes are in `--help` and docs/cli.md."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Unicode is no error
            if stream.isatty():
                setattr(sys, name, GuardedTerminal(stream))
    leave_out_grammar()
    try:
        return _work(list(sys.argv[1:] if argv is None else argv))
    except ModernizerError as error:
        print(f"{PROGRAM}: {harmless(text(error.message))}", file=sys.stderr)
        return int(code_of_error(error))
    except KeyboardInterrupt:
        print("Cancelled.", file=sys.stderr)
        return 128 + signal.SIGINT
    except Exception:  # the last stop: a defect of ours is logged whole and has an exit code
        _logger.exception("Something went wrong inside MLE Modernizer; please report it")
        return int(ExitCode.FAILED)
