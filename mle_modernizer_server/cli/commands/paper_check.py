"""`jupyter modernize paper --check`: check whether a notebook reproduces a paper's claims."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mle_modernizer_server._version import __version__
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.option_types import positive, whole
from mle_modernizer_server.cli.setting_options import add_setting
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.reproduction import (
    DEFAULT_TOLERANCE,
    MOST_REPEATED,
    AlignmentCode,
    ClaimCheck,
    ReproductionCheck,
)
from mle_modernizer_server.domain.settings import flag_of
from mle_modernizer_server.execution.notebook_file import (
    NotebookFile,
    check_output,
    open_notebook,
    write_file,
)
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.grading.competitions import default_data_root
from mle_modernizer_server.wiring import build_modernizer, clear_leftovers
from mle_modernizer_server.workflow.service import Cancelled, Modernizer
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


@dataclass(frozen=True)
class CheckOptions:
    """Options of a check; as `ReproductionSettings`.

    Attributes:
        report: File for the report as a page; None writes none.
        force: Overwrite it if it exists.
    """

    notebook: Path
    runs: int
    tolerance: float
    time_limit: float | None
    sandbox: str | None
    report: Path | None
    force: bool
    as_json: bool


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the options of a check."""
    group = parser.add_argument_group("check a notebook against its paper")
    group.add_argument(
        "--check",
        type=Path,
        metavar="NOTEBOOK",
        help="run this notebook from a clean start and compare its results with the claims",
    )
    group.add_argument(
        "--runs", type=whole(1, MOST_REPEATED), metavar="K", help="number of runs (default: 1)"
    )
    group.add_argument(
        "--tolerance",
        type=_share,
        metavar="T",
        help=f"relative difference that counts as equal (default: {DEFAULT_TOLERANCE:g})",
    )
    add_setting(group, "time_limit")
    add_setting(group, "sandbox")
    group.add_argument(
        "--report", type=Path, metavar="FILE", help="write the report as an HTML page"
    )


def take_check(parser: argparse.ArgumentParser, given: argparse.Namespace) -> CheckOptions | None:
    """Pop the options of a check from all others; return None if none is requested.

    Raises:
        SystemExit: With 2, if they are not compatible with the others.
    """
    names = ("check", "runs", "tolerance", "time_limit", "sandbox", "report")
    own = {name: given.__dict__.pop(name) for name in names}
    if own["check"] is None:
        for name, value in own.items():
            if value is not None:
                parser.error(f"{flag_of(name)} needs --check NOTEBOOK")
        return None
    others = [given.paper, given.out, given.claim, given.claims, given.text, given.own]
    if any(others):
        parser.error("--check NOTEBOOK takes no paper and none of its options")
    return CheckOptions(
        notebook=own["check"],
        runs=own["runs"] or 1,
        tolerance=own["tolerance"] or DEFAULT_TOLERANCE,
        time_limit=own["time_limit"],
        sandbox=own["sandbox"],
        report=own["report"],
        force=given.force,
        as_json=given.as_json,
    )


def _share(text: str) -> float:
    value = positive(text)
    if value >= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share below 1")
    return value


def check_reproduction(options: CheckOptions) -> int:
    """Run the notebook, print the outcome of its claims; return the exit code.

    Raises:
        ModernizerError: Something that stops everything; the message is for the user.
        KeyboardInterrupt: It was cancelled; no process is left.
    """
    file = open_notebook(options.notebook)
    if options.report is not None:
        check_output(options.report, options.notebook, force=options.force)
    modernizer = build_modernizer(
        data_root=default_data_root(), sandbox=None, llm=LlmSettings.from_environment()
    )
    clear_leftovers()
    try:
        found = asyncio.run(_check(modernizer, file, options))
    except Cancelled:
        raise KeyboardInterrupt from None
    if options.as_json:
        print(found.model_dump_json(indent=2))
    else:
        _print_check(new_console(), found)
    if options.report is not None:
        page = reproduction_html(found, str(options.notebook), __version__)
        write_file(options.report, page.encode("utf-8", "replace"))
        print(f"The report is in {options.report}.", file=sys.stderr)
    return int(ExitCode.REPRODUCIBLE if found.holds else ExitCode.NOT_REPRODUCIBLE)


async def _check(
    modernizer: Modernizer, file: NotebookFile, options: CheckOptions
) -> ReproductionCheck:
    cancel = asyncio.Event()
    if sys.platform != "win32":
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, cancel.set)
    experiment = modernizer.papers.experiment_in(file.content, options.notebook.name)
    settings = ReproductionSettings(
        folder=file.path.absolute().parent,
        runs=options.runs,
        tolerance=options.tolerance,
        time_limit=options.time_limit or file.defaults.time_limit or 600.0,
        sandbox=options.sandbox,
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
    table = Table(title=f"Claims ({len(found.claims)})", title_justify="left")
    for name in ("claim", "where", "claimed", "computed", "gap", "outcome"):
        number = name in ("claimed", "computed", "gap")
        table.add_column(name, justify="right" if number else "left")
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
    table = Table(title="Method", title_justify="left")
    for name in ("requirement", "", "stated", "notebook", "where"):
        table.add_column(name)
    for one in found.alignments:
        table.add_row(
            Text(one.parameter.requirement.replace("_", " ")),
            Text(aligned_text(one.code), style=_STYLES[one.code]),
            Text(one_line(one.parameter.stated, 40)),
            Text(one_line(one.found, 40)),
            Text(one_line(one.parameter.where, 40)),
        )
    return table
