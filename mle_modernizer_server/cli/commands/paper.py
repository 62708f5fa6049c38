"""`jupyter modernize paper`: a paper's claims and method, and the notebook for it.

Only `--complete` and `--write` query a model.
"""

from __future__ import annotations

import asyncio
import csv
import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.arguments import PROGRAM, parse_options
from mle_modernizer_server.cli.commands.paper_check import check_reproduction
from mle_modernizer_server.cli.commands.paper_complete import complete_claims, completion_lines
from mle_modernizer_server.cli.commands.paper_write import write_notebook
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.paper_options import PaperOptions
from mle_modernizer_server.cli.terminal.safe_text import harmless, one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.cli.terminal.tables import new_table
from mle_modernizer_server.cli.work import new_modernizer
from mle_modernizer_server.domain.paper import (
    Ancestor,
    Claim,
    Paper,
    PaperReading,
    PaperRemark,
    Place,
    Requirement,
    Statement,
)
from mle_modernizer_server.execution.notebook_file import check_output, write_file
from mle_modernizer_server.words import label
from mle_modernizer_server.workflow.service import Modernizer


def remark_text(remark: PaperRemark) -> str:
    """Return a remark on how a paper was read."""
    return label("paper-remark", remark.code.value, parameter=one_line(remark.parameter))


def place_text(place: Place, paper: Paper) -> str:
    """Return a place in a paper as text."""
    return one_line(paper.where(place))


_SHOWN_CLAIMS = 40
_STYLES = {Statement.STATED: "green", Statement.CITED: "yellow", Statement.NOT_STATED: "red"}


def run(argv: Sequence[str]) -> int:
    """Print the requested parts, write the notebook, or check it; return the exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        ModernizerError: The paper cannot be read, or there is no such claim; the message is for the
            user.
    """
    options = parse_options(PaperOptions, "paper", argv)
    if options.check_notebook is not None:
        return check_reproduction(options, options.check_notebook)
    assert options.paper is not None
    return _show_paper(options, options.paper)


def _show_paper(options: PaperOptions, paper: Path) -> int:
    if options.write and options.output is not None:
        check_output(options.output, paper, force=options.force)
    modernizer = new_modernizer()
    if options.complete and not complete_claims(modernizer, paper, options):
        return int(ExitCode.REPRODUCIBLE)
    if options.output is not None:
        if options.write:
            return write_notebook(paper, options.output, options)
        _write_notebook(modernizer, options, paper, options.output)
        if not options.is_for_programs:
            return int(ExitCode.REPRODUCIBLE)
    reading = asyncio.run(modernizer.papers.read_paper(paper, fetch_cited=options.fetch_cited))
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


def _write_notebook(modernizer: Modernizer, options: PaperOptions, paper: Path, out: Path) -> None:
    """Write the notebook; report it on standard error if the output is for programs."""
    check_output(out, paper, force=options.force)
    write_file(out, asyncio.run(modernizer.papers.draft_reproduction(paper, options.claim)))
    said = f"The notebook is in {out}. Fill in its cells, then: {PROGRAM} paper --check {out}"
    print(said, file=sys.stderr if options.is_for_programs else sys.stdout)


def _claims_csv(claims: Mapping[int, Claim], paper: Paper) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ["no", "dataset", "method", "metric", "value", "spread", "own", "place", "check"]
    )
    for number, claim in claims.items():
        doubts = "; ".join(label("doubt", doubt.value) for doubt in claim.doubts)
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


def _ancestor_lines(one: Ancestor, paper: Paper) -> Iterator[str]:
    """Yield the facts about a cited work, a line each."""
    for mention in one.mentions[:1]:
        yield f"{place_text(mention.place, paper)}: “{one_line(mention.quote)}”"
    for source in one.sources:
        name, version = one_line(source.name), one_line(source.version)
        yield label("cited-source", source.kind.value, name=name, version=version)
    for taken in one.taken:
        name = taken.requirement.replace("_", " ")
        place = one_line(f"{taken.source}, {taken.where}")
        yield f"{name}: {one_line(taken.value, 60)} ({place})"
    if not one.sources and one.address:
        yield f"not at hand: put it into the folder `cited` beside the paper ({one.address})"


def _claims_table(claims: Mapping[int, Claim], paper: Paper) -> Table:
    columns = ("no", "data set", "method", "metric", "value", "where", "to check")
    table = new_table(f"Claims ({len(claims)})", columns, ("no", "value"))
    for number, claim in islice(claims.items(), _SHOWN_CLAIMS):
        table.add_row(
            str(number),
            one_line(claim.dataset, 40),
            one_line(claim.method, 40) + (" (own)" if claim.own else ""),
            one_line(claim.metric, 20),
            one_line(claim.printed, 20),
            place_text(claim.place, paper),
            ", ".join(label("doubt", doubt.value) for doubt in claim.doubts),
        )
    return table


def _checklist_table(checklist: Iterable[Requirement], paper: Paper) -> Table:
    table = new_table("Method", ("requirement", "", "value", "where"))
    for item in checklist:
        value = item.value or (f"assume {item.assumption}" if item.assumption else "")
        table.add_row(
            item.name.replace("_", " "),
            Text(label("statement", item.statement.value), style=_STYLES[item.statement]),
            one_line(value, 40),
            place_text(item.evidence[0].place, paper) if item.evidence else "",
        )
    return table
