"""Select and run the command of `jupyter modernize`."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from io import TextIOWrapper

from mle_modernizer_server.cli.exit_codes import ExitCode, code_of_error
from mle_modernizer_server.cli.notebook_options import parse
from mle_modernizer_server.cli.options import PROGRAM
from mle_modernizer_server.cli.terminal.safe_text import GuardedTerminal, harmless, one_line
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.execution.schema_formats import leave_out_grammar
from mle_modernizer_server.words import text

_logger = logging.getLogger(__name__)


def _rules(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands import rules

    return partial(rules.show_rules, rules.parse(PROGRAM, rest))


def _preflight(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands import preflight

    return partial(preflight.show_preflight, preflight.parse(PROGRAM, rest))


def _probe(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands import probe

    return partial(probe.show_probe, probe.parse(PROGRAM, rest))


def _grade(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands.grade import grade

    return partial(grade, rest)


def _competition(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands.competition import competition

    return partial(competition, rest)


def _kaggle(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands.kaggle import kaggle

    return partial(kaggle, rest)


def _kernelspec(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands.kernelspec import manage_kernelspec

    return partial(manage_kernelspec, rest)


def _statistics(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands import statistics

    return partial(statistics.show_statistics, statistics.parse(PROGRAM, rest))


def _paper(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands import paper

    return partial(paper.show_paper, paper.parse(PROGRAM, rest))


def _batch(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands.batch import batch

    return partial(batch, rest)


def _report(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands.report import write_report

    return partial(write_report, PROGRAM, rest)


def _draft(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands.draft import draft

    return partial(draft, rest)


def _catalogue(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands.catalogue import catalogue

    return partial(catalogue, rest)


def _environments(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands import environments

    return partial(environments.show_environments, environments.parse(PROGRAM, rest))


def _resources(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands import resources

    return partial(resources.show_resources, resources.parse(PROGRAM, rest))


def _mcp(rest: list[str]) -> Callable[[], int]:
    from mle_modernizer_server.cli.commands.mcp import serve

    return partial(serve, PROGRAM, rest)


_COMMANDS: Mapping[str, Callable[[list[str]], Callable[[], int]]] = {
    "rules": _rules,
    "preflight": _preflight,
    "probe": _probe,
    "grade": _grade,
    "competition": _competition,
    "kaggle": _kaggle,
    "kernelspec": _kernelspec,
    "statistics": _statistics,
    "paper": _paper,
    "batch": _batch,
    "report": _report,
    "environments": _environments,
    "draft": _draft,
    "catalogue": _catalogue,
    "resources": _resources,
    "mcp": _mcp,
}
"""Function of each command by name, imported only on use; other work needs less."""


def _work(argv: list[str]) -> Callable[[], int]:
    """Return the work that the arguments request.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help` and `--version`.
    """
    command = _COMMANDS.get(argv[0]) if argv else None
    if command is not None:
        return command(argv[1:])
    options = parse(argv)
    print(f"Reading {one_line(str(options.notebook))} …", file=sys.stderr, flush=True)
    from mle_modernizer_server.cli.commands.modernize import modernize

    return partial(modernize, options)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit codes are in `--help` and docs/cli.md."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Unicode is no error
            if stream.isatty():
                setattr(sys, name, GuardedTerminal(stream))
    leave_out_grammar()
    work = _work(list(sys.argv[1:] if argv is None else argv))
    try:
        return work()
    except ModernizerError as error:
        print(f"{PROGRAM}: {harmless(text(error.message))}", file=sys.stderr)
        return int(code_of_error(error))
    except KeyboardInterrupt:
        print("Cancelled.", file=sys.stderr)
        return 128 + signal.SIGINT
    except Exception:  # the last stop: a defect of ours is logged whole and has an exit code
        _logger.exception("Something went wrong inside MLE Modernizer; please report it")
        return int(ExitCode.FAILED)
