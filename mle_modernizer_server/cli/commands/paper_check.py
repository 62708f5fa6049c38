"""`jupyter modernize paper --check`: check whether a notebook reproduces a paper's claims."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mle_modernizer_server._version import __version__
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.paper_options import PaperOptions
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.cli.terminal.tables import new_table
from mle_modernizer_server.cli.work import new_modernizer, until_cancelled
from mle_modernizer_server.domain.reproduction import (
    AlignmentCode,
    ClaimCheck,
    ReproductionCheck,
)
from mle_modernizer_server.domain.settings import checked_settings
from mle_modernizer_server.execution.notebook_file import (
    NotebookFile,
    check_output,
    open_notebook,
    write_file,
)
from mle_modernizer_server.wiring import clear_leftovers
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.service.papers import (
    ReproductionSettings,
    aligned_text,
    outcome_text,
    remark_texts,
    reproduction_html,
)

_STYLES = {
    AlignmentCode.MET: "green",
    AlignmentCode.DIFFERS: "red",
    AlignmentCode.MISSING: "red",
    AlignmentCode.ASSUMED: "yellow",
    AlignmentCode.UNREADABLE: "dim",
}


def check_reproduction(options: PaperOptions, notebook: Path) -> int:
    """Run the notebook, print the outcome of its claims; return the exit code.

    Raises:
        ModernizerError: Something that stops everything; the message is for the user.
        KeyboardInterrupt: It was cancelled; no process is left.
    """
    file = open_notebook(notebook)
    if options.report is not None:
        check_output(options.report, notebook, force=options.force)
    modernizer = new_modernizer()
    clear_leftovers()
    found = until_cancelled(lambda cancel: _check(modernizer, file, options, cancel))
    if options.as_json:
        print(found.model_dump_json(indent=2))
    else:
        _print_check(new_console(), found)
    if options.report is not None:
        page = reproduction_html(found, str(notebook), __version__)
        write_file(options.report, page.encode("utf-8", "replace"))
        print(f"The report is in {options.report}.", file=sys.stderr)
    return int(ExitCode.REPRODUCIBLE if found.holds else ExitCode.NOT_REPRODUCIBLE)


async def _check(
    modernizer: Modernizer, file: NotebookFile, options: PaperOptions, cancel: asyncio.Event
) -> ReproductionCheck:
    experiment = modernizer.papers.experiment_in(file.content, file.path.name)
    own_limit = {"time_limit": file.defaults.time_limit} if file.defaults.time_limit else {}
    chosen = checked_settings({**own_limit, **options.settings})
    settings = ReproductionSettings(
        folder=file.path.absolute().parent,
        runs=options.runs,
        tolerance=options.tolerance,
        time_limit=chosen.time_limit,
        sandbox=chosen.sandbox,
    )
    try:
        return await modernizer.papers.check_reproduction(
            file.notebook,
            experiment,
            settings,
            say=lambda text: print(text, file=sys.stderr),
            cancel=cancel,
        )
    finally:
        await modernizer.close()


def _print_check(console: Console, found: ReproductionCheck) -> None:
    console.print(one_line(found.experiment.title) or "(no title)", style="bold", soft_wrap=True)
    for run in found.runs:
        if run.error:
            where = "" if run.cell is None else f" in code cell {run.cell}"
            text = f"Run {run.number} failed{where}: {one_line(run.error, 300)}"
            console.print(text, style="red", soft_wrap=True, markup=False)
    console.print(_claims_table(found))
    console.print(_method_table(found))
    holding = sum(check.outcome.holds for check in found.claims)
    console.print(
        f"{holding} of {len(found.claims)} claims are reproduced "
        f"(tolerance {100 * found.tolerance:g} %)."
    )


def _claims_table(found: ReproductionCheck) -> Table:
    numbers = ("claimed", "computed", "gap")
    columns = ("claim", "where", *numbers, "outcome")
    table = new_table(f"Claims ({len(found.claims)})", columns, numbers)
    for check in found.claims:
        claim = check.expected.claim
        what = " / ".join(filter(None, [claim.dataset, claim.method, claim.metric]))
        table.add_row(
            Text(one_line(what, 60)),
            Text(one_line(check.expected.where, 40)),
            Text(one_line(claim.printed, 20)),
            _computed(check),
            "" if check.gap is None else f"{100 * check.gap:.2f} %",
            Text(
                "; ".join(filter(None, [outcome_text(check), remark_texts(check)])),
                style="green" if check.outcome.holds else "red",
            ),
        )
    return table


def _computed(check: ClaimCheck) -> str:
    if check.value is None:
        return "–"
    spread = "" if check.deviation is None else f" ± {check.deviation:.2g}"
    return f"{check.value:.5g}{spread}"


def _method_table(found: ReproductionCheck) -> Table:
    table = new_table("Method", ("requirement", "", "stated", "notebook", "where"))
    for one in found.alignments:
        table.add_row(
            Text(one.parameter.requirement.replace("_", " ")),
            Text(aligned_text(one.code), style=_STYLES[one.code]),
            Text(one_line(one.parameter.stated, 40)),
            Text(one_line(one.found, 40)),
            Text(one_line(one.parameter.where, 40)),
        )
    return table
