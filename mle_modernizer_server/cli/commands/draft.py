"""`jupyter modernize draft`: a first notebook from nothing but a competition."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from mle_modernizer_server.cli.arguments import Arguments
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.options import PROGRAM
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import CellType, Notebook
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


def draft(argv: Sequence[str]) -> int:
    """Write the notebook; return the exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        ModernizerError: The competition cannot be used, or its task is none of tables.
    """
    given = _parser().parse_args(argv)
    output: Path = given.out
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
    run = f"  {PROGRAM} run {output} --competition {given.competition}"
    console.print(run, soft_wrap=True, markup=False)
    return int(ExitCode.REPRODUCIBLE)


def _parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} draft",
        description="Write a first notebook for a competition: it loads the data, looks at them, "
        "fits a model, estimates its score by cross-validation and writes a submission. For "
        "tables of numbers, categories, dates and texts; nothing is run.",
        epilog=_EXIT_CODES,
        allow_abbrev=False,
    )
    parser.add_argument("competition", metavar="COMPETITION", help="slug of the competition")
    parser.add_argument(
        "--data-root", type=Path, metavar="DIR", help="directory with the competitions"
    )
    parser.add_argument(
        "--output",
        "--out",
        dest="out",
        type=Path,
        required=True,
        metavar="NB",
        help="write the notebook to this file",
    )
    parser.add_argument("--force", action="store_true", help="overwrite the file if it exists")
    return parser


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
