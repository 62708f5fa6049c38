"""The console script `jupyter-modernize` (`jupyter modernize`): the process around the work.

A command that looks into notebooks starts the process which does so first, and loads its own part
while that one loads the rules. Once all is written it leaves at once: taking apart what was loaded
takes a third of a second that nobody gains from.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from mle_modernizer_server.fixing.rules.analysis_process import start_ahead

WITHOUT_ANALYSIS = frozenset(
    {
        *("rules", "probe", "grade", "competition", "kaggle", "kernelspec", "statistics"),
        *("paper", "batch", "report", "environments", "draft", "resources", "catalogue"),
    }
)
"""Commands that look into no notebook, or have other processes do so."""


def command() -> NoReturn:
    """Carry out the command line, and leave with its exit code."""
    argv = sys.argv[1:]
    if looks_into_notebooks(argv):
        start_ahead()
    from mle_modernizer_server.cli.main import main

    leave(main(argv))


def looks_into_notebooks(argv: Sequence[str]) -> bool:
    """Return whether a command line is for a notebook's code."""
    asks = not argv or any(word in ("-h", "--help", "--version") for word in argv)
    return not asks and argv[0] not in WITHOUT_ANALYSIS


def leave(code: int) -> NoReturn:
    """End this process at once, with all that was registered for its end done."""
    atexit._run_exitfuncs()
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # whoever read it has gone: so would Python's own end say
            code = code or 1
    os._exit(code)
