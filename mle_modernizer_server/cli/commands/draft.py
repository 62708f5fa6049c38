"""`jupyter modernize draft`: a first notebook from nothing but a competition."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from mle_modernizer_server.cli.arguments import PROGRAM, Options, parse_options
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.options import DataRoot
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.settings import Flag
from mle_modernizer_server.execution.notebook_file import write_file
from mle_modernizer_server.grading.competitions import Competitions, default_data_root
from mle_modernizer_server.grading.metric_facts import FACTS
from mle_modernizer_server.untrusted.files import exists
from mle_modernizer_server.workflow.service import draft_notebook

_EXIT_CODES = """\
exit codes:
  0    the notebook is written
  2    bad usage, no such competition, or a task that drafts do not cover
  3    failed: the file cannot be written
"""


class DraftOptions(Options):
    """Options of the command."""

    DESCRIPTION = (
        "Write a first notebook for a competition: it loads the data, looks at them, fits a model, "
        "estimates its score by cross-validation and writes a submission. For tables of numbers, "
        "categories, dates and texts; nothing is run."
    )
    EPILOG = _EXIT_CODES

    competition: Annotated[str, Argument("slug of the competition", "COMPETITION")]
    data_root: DataRoot = None
    output: Annotated[Path, Flag("write the notebook to this file", "NB", also="out")]
    force: Annotated[bool, Flag("overwrite the file if it exists")] = False


def run(argv: Sequence[str]) -> int:
    """Write the notebook; return the exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        ModernizerError: The competition cannot be used, or its task is none of tables.
    """
    given = parse_options(DraftOptions, "draft", argv)
    output = given.output
    if output.suffix != ".ipynb":
        raise BadInput(coded("cli.no-ipynb", output=str(output)))
    if exists(output) and not given.force:
        raise BadInput(coded("cli.output-exists", path=str(output)))
    competitions = Competitions(given.data_root or default_data_root())
    task, notebook = draft_notebook(competitions, given.competition)
    write_file(output, _content(notebook))
    console = new_console()
    console.print(
        f"{one_line(task.title, 200)}: {task.kind.value}, {FACTS[task.metric].title}", markup=False
    )
    counts = Counter(task.columns.values())
    columns = ", ".join(f"{count} {kind.value}" for kind, count in counts.items())
    console.print(f"{task.rows:,} rows; columns: {columns}", markup=False)
    console.print(f"The draft is in {output}; run it with", soft_wrap=True, markup=False)
    command = f"  {PROGRAM} run {output} --competition {given.competition}"
    console.print(command, soft_wrap=True, markup=False)
    return int(ExitCode.REPRODUCIBLE)


def _content(notebook: Notebook) -> bytes:
    cells = []
    for cell in notebook.cells:
        code: dict[str, object] = {"execution_count": None, "outputs": []}
        own = code if cell.type is CellType.CODE else {}
        common: dict[str, object] = {"cell_type": cell.type.value, "id": cell.id, "metadata": {}}
        cells.append({**common, "source": cell.source, **own})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    file = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(file, indent=1, ensure_ascii=False) + "\n").encode("utf-8")
