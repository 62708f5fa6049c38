"""`jupyter modernize paper`: a paper's claims and method, and the notebook for it.

Only `--complete` and `--write` query a model.
"""

from __future__ import annotations

import asyncio
import csv
import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.arguments import Arguments
from mle_modernizer_server.cli.commands.paper_check import (
    CheckOptions,
    add_check,
    check_reproduction,
    take_check,
)
from mle_modernizer_server.cli.commands.paper_complete import (
    CompleteOptions,
    add_complete,
    complete_claims,
    completion_lines,
    take_complete,
)
from mle_modernizer_server.cli.commands.paper_write import (
    WriteOptions,
    add_write,
    take_write,
    write_notebook,
)
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.options import PROGRAM
from mle_modernizer_server.cli.terminal.safe_text import harmless, one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.paper import (
    Ancestor,
    Claim,
    Doubt,
    Paper,
    PaperReading,
    PaperRemark,
    Place,
    Requirement,
    SourceKind,
    Statement,
)
from mle_modernizer_server.execution.notebook_file import check_output, write_file
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.grading.competitions import default_data_root
from mle_modernizer_server.wiring import build_modernizer
from mle_modernizer_server.words import label
from mle_modernizer_server.workflow.service import Modernizer

DOUBTS = {
    Doubt.NO_METRIC: "metric?",
    Doubt.NO_METHOD: "method?",
    Doubt.NO_DATASET: "data set?",
    Doubt.FROM_PDF: "number",
    Doubt.SEVERAL_METRICS: "which metric?",
    Doubt.FROM_MODEL: "from the model",
}
STATEMENTS = {
    Statement.STATED: "stated",
    Statement.CITED: "from a cited work",
    Statement.NOT_STATED: "not stated",
}


def remark_text(remark: PaperRemark) -> str:
    """Return a remark on how a paper was read."""
    return label("paper-remark", remark.code.value, {"parameter": one_line(remark.parameter)})


def place_text(place: Place, paper: Paper) -> str:
    """Return a place in a paper as text."""
    return one_line(paper.where(place))


_EXIT_CODES = """\
exit codes:
  0    the paper was read; with --check: every claim is within rounding or tolerance
  1    with --check: a claim is not; with --write: no clean run, or not accepted
  2    bad usage, or a paper that cannot be read (scanned, locked, damaged, too large, …)
  3    failed: an internal error
  130  cancelled with Ctrl+C
"""
_SHOWN_CLAIMS = 40
_STYLES = {Statement.STATED: "green", Statement.CITED: "yellow", Statement.NOT_STATED: "red"}


@dataclass(frozen=True)
class PaperOptions:
    """Options of the command.

    Attributes:
        paper: The file.
        claims: Every claim as CSV, and nothing else.
        own: Only what the paper claims of its own method.
        text: The text with its headings, and nothing else.
        fetch_cited: Fetch cited works from arXiv.
        claim: Numbers or ids of the claims to reproduce; empty: those of the best table.
        out: File for the notebook that reproduces them; None writes nothing.
        force: Overwrite it if it exists.
        write: How a model fills it in; None: it is left to the user.
        complete: How a model completes the claims; None: none is queried.
    """

    paper: Path
    claims: bool
    own: bool
    text: bool
    as_json: bool
    fetch_cited: bool = False
    claim: tuple[str, ...] = ()
    out: Path | None = None
    force: bool = False
    write: WriteOptions | None = None
    complete: CompleteOptions | None = None


def parse(program: str, argv: Sequence[str]) -> PaperOptions | CheckOptions:
    """Parse the options of `paper`.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
    """
    parser = Arguments(
        prog=f"{program} paper",
        description="Read a paper (LaTeX, an archive from arXiv, PDF, Markdown, HTML) and list "
        "what it claims, what it states about its method and what it does not state. Nothing "
        "in it is compiled or executed. A model is asked only with --complete and "
        "--write.",
        epilog=_EXIT_CODES,
        allow_abbrev=False,
    )
    parser.add_argument("paper", type=Path, nargs="?", metavar="FILE", help="the paper's file")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--claims", action="store_true", help="print all claims as CSV")
    what.add_argument("--text", action="store_true", help="print the text, section by section")
    what.add_argument("--json", dest="as_json", action="store_true", help="print JSON")
    parser.add_argument(
        "--own", action="store_true", help="only claims about the paper's own method"
    )
    parser.add_argument(
        "--fetch-cited",
        action="store_true",
        help="download the works that the paper builds on from arXiv, unless they are beside it",
    )
    making = parser.add_argument_group("make a notebook that reproduces claims")
    making.add_argument(
        "--output",
        "--out",
        dest="out",
        type=Path,
        metavar="NOTEBOOK",
        help="write the notebook to this file",
    )
    making.add_argument(
        "--claim",
        action="extend",
        nargs="+",
        default=[],
        metavar="N",
        help="numbers of the claims in the list (default: those of the paper's main result table)",
    )
    making.add_argument("--force", action="store_true", help="overwrite NOTEBOOK if it exists")
    add_complete(parser)
    add_write(parser)
    add_check(parser)
    given = parser.parse_args(argv)
    completing = take_complete(parser, given)
    writing = take_write(parser, given, completes=completing is not None)
    checking = take_check(parser, given)
    if checking is not None:
        if completing is not None:
            parser.error("--complete goes with a paper, not with --check")
        return checking
    if given.paper is None:
        parser.error("name the paper's FILE, or a NOTEBOOK with --check")
    if given.out is None and (given.claim or given.force):
        parser.error("--claim and --force need --out NOTEBOOK")
    given.claim = tuple(given.claim)
    return PaperOptions(**vars(given), write=writing, complete=completing)


def show_paper(options: PaperOptions | CheckOptions) -> int:
    """Print the requested parts, write the notebook, or check it; return the exit code.

    Raises:
        ModernizerError: The paper cannot be read, or there is no such claim; the message is for the
            user.
    """
    if isinstance(options, CheckOptions):
        return check_reproduction(options)
    if options.write is not None and options.out is not None:
        check_output(options.out, options.paper, force=options.force)
    modernizer = build_modernizer(
        data_root=default_data_root(), sandbox=None, llm=LlmSettings.from_environment()
    )
    if options.complete is not None and not complete_claims(
        modernizer, options.paper, options.complete
    ):
        return int(ExitCode.REPRODUCIBLE)
    if options.write is not None and options.out is not None:
        return write_notebook(options.paper, options.claim, options.out, options.write)
    if options.out is not None:
        _write_notebook(modernizer, options, options.out)
        if not (options.as_json or options.claims or options.text):
            return int(ExitCode.REPRODUCIBLE)
    reading = asyncio.run(
        modernizer.papers.read_paper(options.paper, fetch_cited=options.fetch_cited)
    )
    claims = {
        number: claim
        for number, claim in enumerate(reading.ranked(), start=1)
        if claim.own or not options.own
    }
    if options.as_json:
        shown = reading.model_copy(update={"claims": tuple(claims.values())})
        print(shown.model_dump_json(indent=2))
    elif options.claims:
        print(_claims_csv(claims, reading.paper), end="")
    elif options.text:
        for section in reading.paper.sections:
            print(
                f"{'#' * section.level} {one_line(section.heading)}\n\n{harmless(section.text)}\n"
            )
    else:
        _print_reading(new_console(), reading, claims)
    return int(ExitCode.REPRODUCIBLE)


def _write_notebook(modernizer: Modernizer, options: PaperOptions, out: Path) -> None:
    """Write the notebook; report it on standard error if the output is for programs."""
    check_output(out, options.paper, force=options.force)
    write_file(out, asyncio.run(modernizer.papers.draft_reproduction(options.paper, options.claim)))
    said = f"The notebook is in {out}. Fill in its cells, then: {PROGRAM} paper --check {out}"
    printed = options.as_json or options.claims or options.text
    print(said, file=sys.stderr if printed else sys.stdout)


def _claims_csv(claims: Mapping[int, Claim], paper: Paper) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(
        ["no", "dataset", "method", "metric", "value", "spread", "own", "place", "check"]
    )
    for number, claim in claims.items():
        doubts = "; ".join(DOUBTS[doubt] for doubt in claim.doubts)
        spread = "" if claim.spread is None else f"{claim.spread:g}"
        what = [claim.dataset, claim.method, claim.metric, f"{claim.value:.{claim.decimals}f}"]
        own = "yes" if claim.own else ""
        writer.writerow([number, *what, spread, own, place_text(claim.place, paper), doubts])
    return text.getvalue()


def _print_reading(console: Console, reading: PaperReading, claims: Mapping[int, Claim]) -> None:
    paper = reading.paper
    console.print(one_line(paper.title) or "(no title)", style="bold", soft_wrap=True)
    counts = {
        "section": len(paper.sections),
        "table": len(paper.tables),
        "figure": len(paper.figures),
        "equation": len(paper.equations),
        "algorithm": len(paper.algorithms),
        "reference": len(paper.references),
    }
    line = ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts.items())
    pages = f", {paper.pages} pages" if paper.pages else ""
    console.print(f"{line}{pages}", soft_wrap=True)
    for remark in paper.remarks:
        console.print(f"  {remark_text(remark)}", style="yellow", soft_wrap=True)
    console.print()
    if reading.completion is not None:
        for line in completion_lines(reading.completion):
            console.print(line, soft_wrap=True, markup=False)
    console.print(_claims_table(claims, paper))
    if len(claims) > _SHOWN_CLAIMS:
        console.print(f"… and {len(claims) - _SHOWN_CLAIMS} more; --claims lists all of them.")
    console.print()
    console.print(_checklist_table(reading.checklist, paper))
    for one in reading.lineage:
        taken = ", ".join(name.replace("_", " ") for name in one.requirements)
        console.print(
            f"Builds on {one_line(one.text, 120)} [{one_line(one.key, 40)}]"
            + (f"; taken from it: {taken}" if taken else ""),
            soft_wrap=True,
            markup=False,
        )
        for line in _ancestor_lines(one, paper):
            console.print(f"  {line}", soft_wrap=True, markup=False)
    missing = [item for item in reading.checklist if item.statement is Statement.NOT_STATED]
    console.print(
        f"{len(missing)} of {len(reading.checklist)} requirements are not stated: a run needs an "
        "assumption for each.",
        soft_wrap=True,
    )


_AT_HAND = {
    SourceKind.FOLDER: "in the folder",
    SourceKind.INSTALLED: "installed",
    SourceKind.FETCHED: "fetched",
}


def _ancestor_lines(one: Ancestor, paper: Paper) -> Iterator[str]:
    """Yield the facts about a cited work, a line each."""
    for mention in one.mentions[:1]:
        yield f"{place_text(mention.place, paper)}: “{one_line(mention.quote)}”"
    for source in one.sources:
        version = f" ({one_line(source.version)})" if source.version else ""
        yield f"{_AT_HAND[source.kind]}: {one_line(source.name)}{version}"
    for taken in one.taken:
        name = taken.requirement.replace("_", " ")
        place = one_line(f"{taken.source}, {taken.where}")
        yield f"{name}: {one_line(taken.value, 60)} ({place})"
    if not one.sources and one.address:
        yield f"not at hand: put it into the folder `cited` beside the paper ({one.address})"


def _claims_table(claims: Mapping[int, Claim], paper: Paper) -> Table:
    table = Table(title=f"Claims ({len(claims)})", title_justify="left")
    for name in ("no", "data set", "method", "metric", "value", "where", "to check"):
        table.add_column(name, justify="right" if name in ("no", "value") else "left")
    for number, claim in islice(claims.items(), _SHOWN_CLAIMS):
        table.add_row(
            str(number),
            one_line(claim.dataset, 40),
            one_line(claim.method, 40) + (" (own)" if claim.own else ""),
            one_line(claim.metric, 20),
            one_line(claim.printed, 20),
            place_text(claim.place, paper),
            ", ".join(DOUBTS[doubt] for doubt in claim.doubts),
        )
    return table


def _checklist_table(checklist: Iterable[Requirement], paper: Paper) -> Table:
    table = Table(title="Method", title_justify="left")
    for name in ("requirement", "", "value", "where"):
        table.add_column(name)
    for item in checklist:
        value = item.value or (f"assume {item.assumption}" if item.assumption else "")
        table.add_row(
            item.name.replace("_", " "),
            Text(STATEMENTS[item.statement], style=_STYLES[item.statement]),
            one_line(value, 40),
            place_text(item.evidence[0].place, paper) if item.evidence else "",
        )
    return table
