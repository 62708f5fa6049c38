"""Check whether a notebook reproduces a paper's claims: clean runs, the claims, the checklist."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.execution import Environment, FilesBeside
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.reproduction import (
    DEFAULT_TOLERANCE,
    MOST_REPEATED,
    Experiment,
    ReproductionCheck,
    ReproductionRun,
)
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.execution.documents import check_runnable
from mle_modernizer_server.reproducing.alignment import align, written_results
from mle_modernizer_server.reproducing.judging import judge_claim, printed_results
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.run_once import Run, RunRequest, run_once
from mle_modernizer_server.workflow.services import Services

Say = Callable[[str], None]
_LONGEST_ERROR = 500


@dataclass(frozen=True)
class ReproductionSettings:
    """Settings of a reproduction check.

    Attributes:
        folder: The notebook's folder: neighbouring files that its code names are visible to it.
        runs: Number of runs; from the second on with other seeds, if it has some.
        tolerance: Allowed difference of a claim and its reproduction, as a share of the larger
            number.
        time_limit: Seconds one run may take.
        sandbox: Name of the sandbox; None is the best isolated one.
    """

    folder: Path | None = None
    runs: int = 1
    tolerance: float = DEFAULT_TOLERANCE
    time_limit: float = 600.0
    sandbox: str | None = None


async def check(
    services: Services,
    notebook: Notebook,
    experiment: Experiment,
    settings: ReproductionSettings,
    *,
    say: Say,
    cancel: asyncio.Event,
) -> ReproductionCheck:
    """Run a notebook clean, and compare its results with a paper's claims.

    Args:
        notebook: The notebook to run.
        experiment: The experiment to reproduce.
        settings: Settings of the check.
        say: Called with every step, a sentence each.
        cancel: Ends it and all its processes.

    Raises:
        BadNotebook: It cannot run.
        BadSetting: A setting is out of its range.
        Cancelled: `cancel` was set.
        ModernizerError: As `run_once`.
    """
    from mle_modernizer_server.fixing.reseeding import reseeded  # which loads the parser

    if not 1 <= settings.runs <= MOST_REPEATED or not 0 < settings.tolerance < 1:
        raise BadSetting(coded("reproduction.settings", most_repeated=MOST_REPEATED))
    check_runnable(notebook)
    values: list[dict[str, float]] = []
    runs: list[ReproductionRun] = []
    environment = Environment(python="unknown", packages={})
    sandbox = ""
    for number in range(1, settings.runs + 1):
        copy = await pools.code.run(reseeded, notebook, number - 1)
        run = await _run(services, copy.notebook, settings, number, say, cancel)
        outputs = [cell.get("outputs", ()) for cell in run.executed.cells]
        values.append(await pools.code.run(printed_results, outputs))
        runs.append(_told(notebook, run, number, other=number > 1 and bool(copy.seeds)))
        environment, sandbox = run.execution.environment, run.execution.sandbox
    written = await pools.code.run(written_results, notebook)
    return ReproductionCheck(
        experiment=experiment,
        tolerance=settings.tolerance,
        claims=tuple(
            judge_claim(
                expected,
                [one.get(expected.claim.id) for one in values],
                settings.tolerance,
                written=expected.claim.id in written,
            )
            for expected in experiment.claims
        ),
        alignments=await pools.code.run(align, experiment, notebook),
        runs=tuple(runs),
        environment=environment,
        sandbox=sandbox,
    )


async def _run(
    services: Services,
    notebook: Notebook,
    settings: ReproductionSettings,
    number: int,
    say: Say,
    cancel: asyncio.Event,
) -> Run:
    def tell(event: events.Progressed | events.Executed) -> None:
        if isinstance(event, events.Progressed) and event.total is not None:
            progress = text(event.message)
            say(f"Run {number} of {settings.runs}: {progress[:1].lower()}{progress[1:]}")

    chosen = SessionSettings(
        time_limit=settings.time_limit, sandbox=settings.sandbox, files_beside=FilesBeside.NAMED
    )
    request = RunRequest(notebook, chosen, folder=settings.folder)
    return await run_once(request, services, on_event=tell, cancel=cancel)


def _told(notebook: Notebook, run: Run, number: int, *, other: bool) -> ReproductionRun:
    """Return the summary of a run."""
    execution = run.execution
    raised = next(iter(execution.raised), None)
    numbers = notebook.code_numbers()
    error = "" if raised is None else f"{raised.ename}: {raised.evalue}"[:_LONGEST_ERROR]
    return ReproductionRun(
        number=number,
        ending=execution.ending,
        seconds=execution.seconds,
        error=error or text(execution.message),
        cell=None if raised is None else numbers.get(raised.cell_id),
        reseeded=other,
    )
