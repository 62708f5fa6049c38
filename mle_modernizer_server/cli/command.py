"""The console script `jupyter-modernize` (`jupyter modernize`): the process around the work.

A command that looks into notebooks starts the process which does so first, and loads its own part
while that one loads the rules. Once all is written it leaves at once: unloading the modules would
take a third of a second without benefit.
"""

from __future__ import annotations

import atexit
import gc
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
READING_AHEAD = (
    "from mle_modernizer_server.cli.command import collect_seldom; collect_seldom(); "
    "from mle_modernizer_server.cli.reading_ahead import main; main()"
)
"""Jobs of the process that looks into notebooks."""


def command() -> NoReturn:
    """Carry out the command line, and leave with its exit code."""
    collect_seldom()
    argv = sys.argv[1:]
    if looks_into_notebooks(argv):
        start_ahead(READING_AHEAD, next((word for word in argv if word.endswith(".ipynb")), ""))
    from mle_modernizer_server.cli.main import main

    leave(main(argv))


def collect_seldom() -> None:
    """Have Python look for unreachable objects less often.

    While modules are loaded there are none, and looking for them takes an eighth of the time.
    """
    gc.set_threshold(500_000)


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
        except (OSError, ValueError):  # the reader has exited: Python's own end would report it too
            code = code or 1
    os._exit(code)
