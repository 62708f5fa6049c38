"""`jupyter modernize paper --write`: a model fills in the notebook of a paper's experiment."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console

from mle_modernizer_server import pools
from mle_modernizer_server.cli.arguments import PROGRAM
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.paper_options import PaperOptions
from mle_modernizer_server.cli.terminal.review import Answer, ask_about_fix, ask_to_start
from mle_modernizer_server.cli.terminal.safe_text import harmless
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.cli.terminal.summary import edits_diff, proposal_text
from mle_modernizer_server.cli.work import new_modernizer, until_cancelled
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook, source_hash
from mle_modernizer_server.domain.proposal import CellEdit, EditKind, Proposal
from mle_modernizer_server.domain.reproduction import (
    Writing,
    WritingEstimate,
    WritingStage,
)
from mle_modernizer_server.execution.notebook_file import write_file
from mle_modernizer_server.untrusted.files import exists, read_regular
from mle_modernizer_server.wiring import clear_leftovers
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.service.papers import (
    WritingHooks,
    WritingSettings,
    reproduction_file,
)

_MOST_KEPT = 50_000_000


def write_notebook(paper: Path, out: Path, options: PaperOptions) -> int:
    """Have the notebook written, and put it into its file; return the exit code.

    Raises:
        ModernizerError: Something that stops everything; the message is for the user.
        KeyboardInterrupt: It was cancelled; finished work is stored, and no process is left.
    """
    modernizer = new_modernizer()
    clear_leftovers()
    try:
        return until_cancelled(
            lambda cancel: _write(modernizer, paper, out.absolute(), options, cancel)
        )
    except KeyboardInterrupt:
        kept = _kept_file(out)
        if exists(kept):
            print(
                f"The work so far is in {kept}; run the same command again to continue.",
                file=sys.stderr,
            )
        raise


async def _write(
    modernizer: Modernizer,
    paper: Path,
    out: Path,
    options: PaperOptions,
    cancel: asyncio.Event,
) -> int:
    console, kept = new_console(), _kept_file(out)
    try:
        reading, fresh, estimate = await modernizer.papers.begin_writing(paper, options.claim)
        begun = _taken_up(kept, fresh)
        console.print(_estimate_text(estimate), soft_wrap=True, markup=False)
        if not options.yes and not await pools.process.run(ask_to_start, console):
            return int(ExitCode.NOT_REPRODUCIBLE)

        async def review(stage: WritingStage, notebook: Notebook, proposal: Proposal) -> bool:
            console.print(f"\nStage {stage.value}", style="bold")
            console.print(proposal_text(proposal))
            console.print(edits_diff(notebook, proposal.edits))
            return await pools.process.run(ask_about_fix, console) is Answer.ACCEPT

        written = await modernizer.papers.write_reproduction(
            reading,
            begun,
            WritingSettings(folder=out.parent, rounds=options.rounds, budget=options.budget),
            WritingHooks(
                keep=lambda now: write_file(kept, now.model_dump_json().encode()),
                say=lambda said: print(harmless(text(said)), file=sys.stderr),
                review=review if options.step else None,
            ),
            cancel,
        )
        return await pools.process.run(_deliver, console, fresh, written, out, options)
    finally:
        await modernizer.close()


def _deliver(
    console: Console, fresh: Writing, written: Writing, out: Path, options: PaperOptions
) -> int:
    """Write the notebook that ran, in auto mode after a review of the whole."""
    for one in written.stages:
        console.print(
            f"{one.stage.value}: {one.ending.value}, asked {one.rounds} "
            f"{'time' if one.rounds == 1 else 'times'}",
            markup=False,
        )
        if one.problem:
            console.print(harmless(one.problem[-1500:]), style="yellow", markup=False)
    kept = _kept_file(out)
    if not written.ran:
        print(f"No clean run completed, so nothing is written to {out}.")
        print(f"The work so far is in {kept}; run the same command again to continue.")
        return int(ExitCode.NOT_REPRODUCIBLE)
    if not options.step and not options.yes and console.is_terminal and sys.stdin.isatty():
        console.print(edits_diff(fresh.notebook, _changes(fresh.notebook, written.notebook)))
        if ask_about_fix(console) is not Answer.ACCEPT:
            print(f"Nothing is written to {out}; what was done is in {kept}.")
            return int(ExitCode.NOT_REPRODUCIBLE)
    write_file(out, reproduction_file(written.experiment, written.notebook))
    kept.unlink(missing_ok=True)
    print(f"The notebook is in {out}; it ran. Next: {PROGRAM} paper --check {out}")
    return int(ExitCode.REPRODUCIBLE)


def _changes(old: Notebook, new: Notebook) -> list[CellEdit]:
    """Return the changes in the new notebook, whose cells are the old ones and more."""
    edits, before = [], None
    for cell in new.cells:
        was = old.cell(cell.id)
        source = "" if was is None else was.source
        if was is None or source != cell.source:
            edits.append(
                CellEdit(
                    id=cell.id,
                    kind=EditKind.INSERT if was is None else EditKind.MODIFY,
                    cell_id=cell.id,
                    after=before if was is None else None,
                    cell_type=cell.type,
                    base_source=source,
                    base_hash="" if was is None else source_hash(source),
                    new_source=cell.source,
                )
            )
        before = cell.id
    return edits


def _kept_file(out: Path) -> Path:
    return out.with_name(f"{out.name}.writing.json")


def _taken_up(kept: Path, fresh: Writing) -> Writing:
    """Return an earlier try's work, if it was for the same claims of the same paper.

    Raises:
        BadInput: The stored work is for another paper or claims, or cannot be read.
    """
    if not exists(kept):
        return fresh
    try:
        found = Writing.model_validate_json(read_regular(kept, _MOST_KEPT))
    except (OSError, ValueError, ValidationError) as error:
        raise BadInput(coded("writing.unreadable", path=str(kept))) from error
    if found.experiment != fresh.experiment:
        raise BadInput(coded("writing.other-paper", path=str(kept)))
    return found


def _estimate_text(found: WritingEstimate) -> str:
    money = "its price is not known"
    if found.cost_usd is not None:
        cost = found.cost_usd
        money = f"{cost.low:.3f} to {cost.high:.2f} USD (likely {cost.likely:.2f})"
    return (
        f"{found.model} will be asked {found.questions.low:.0f} to {found.questions.high:.0f} "
        f"times (likely {found.questions.likely:.0f}), and the notebook will run "
        f"{found.runs.low:.0f} to {found.runs.high:.0f} times: "
        f"{found.input_tokens.likely:,.0f} tokens in, {found.output_tokens.likely:,.0f} out; "
        f"{money}. The paper's text is sent, without the numbers it claims."
    )
