"""The process that looks into notebooks, as a command starts it: it reads the command's notebook.

The command needs a second until it can ask; by then the first notebook it names is read, and the
answer to the usual first questions is at hand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.execution.schema_formats import leave_out_grammar
from mle_modernizer_server.fixing.rules.analysis import EraQuestion, serve


def main() -> None:
    """Serve, with the notebook looked into that the last argument names, if it names one."""
    serve(questions_about(sys.argv[-1]))


def questions_about(name: str) -> Iterator[EraQuestion]:
    """Yield the first questions of the command; nothing if the notebook cannot be read."""
    if not name:
        return
    leave_out_grammar()
    from mle_modernizer_server.execution.notebook_file import open_notebook
    from mle_modernizer_server.fixing.rules.era.evidence import of_traces

    try:
        file = open_notebook(Path(name))
    except ModernizerError:  # the command reads it too, and reports the error
        return
    traces = of_traces(file.traces)
    yield EraQuestion(notebook=file.notebook, traces=traces)
