"""The experiment on silent changes: the same cells with the old libraries and with today's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.domain.environment import Interpreter
from mle_modernizer_server.domain.era import Traces
from mle_modernizer_server.domain.errors import BadSetting, ModernizerError
from mle_modernizer_server.domain.forecast import Observed, Probe, Probed
from mle_modernizer_server.domain.message import Message, Messages, coded
from mle_modernizer_server.domain.notebook import Cell, Notebook
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.domain.settings import checked_settings
from mle_modernizer_server.environments.discovery import SERVER, interpreter_at
from mle_modernizer_server.execution.differential.data_head import copy_head
from mle_modernizer_server.execution.differential.isolated_script import as_local, observe
from mle_modernizer_server.execution.pip.installed import installed_packages
from mle_modernizer_server.execution.sandboxes.local import Local
from mle_modernizer_server.execution.sandboxes.workspace import Workspace, scratch_unavailable
from mle_modernizer_server.fixing.rules.probe import (
    Suspect,
    fixed_sources,
    had_it_already,
    judge,
    suspects,
    untold,
)
from mle_modernizer_server.workflow.era import date
from mle_modernizer_server.workflow.fix.absent_names import Ahead
from mle_modernizer_server.workflow.fix.before_run import look_ahead
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.work import Cancelled, Work

_MOST_CHANGES = 12

Say = Callable[[Messages], None]


@dataclass(frozen=True)
class ProbeSettings:
    """Settings of a comparison with old libraries.

    Attributes:
        old_python: The interpreter with the old libraries, or its virtual environment.
        sandbox: Name of the sandbox; None is the best isolated one.
        competition: Source of the data; None runs without data.
        rule: Id of the one change to try; None tries all.
        rows: Rows of every table.
        time_limit: Seconds one run may take.
        era: The user's statement of when the notebook was written, if any.
    """

    old_python: Path
    sandbox: str | None = None
    competition: str | None = None
    rule: str | None = None
    rows: int = 200
    time_limit: float = 120.0
    era: str | None = None


async def probe(
    services: Services,
    notebook: Notebook,
    settings: ProbeSettings,
    *,
    traces: Traces,
    say: Say,
    cancel: asyncio.Event,
) -> Probe:
    """Try a notebook's silent changes with the old libraries and with today's, each run sealed.

    Args:
        services: For sandboxes and competitions.
        settings: Changes to try.
        traces: Evidence in its file beyond the sources.
        say: Called with every step.
        cancel: Ends it and all its processes.

    Raises:
        BadInput: The old Python is not usable.
        BadSetting: The notebook has no such change, or a setting is out of range.
        Cancelled: `cancel` was set.
        SandboxUnavailable: The sandbox cannot run a Python of this machine.
        UnknownCompetition: No such competition.
        ScratchUnavailable: There is no room for the scratch directory.
    """
    if settings.rows < 1 or settings.time_limit <= 0:
        raise BadSetting(coded("comparison.bad-limits"))
    chosen = services.choose_sandbox(settings.sandbox)
    local = as_local(chosen, chosen.name)
    is_configured = settings.old_python in services.old_pythons.values()
    old = await pools.packages.run(interpreter_at, settings.old_python, is_configured=is_configured)
    options = checked_settings({"sandbox": chosen.name, "era": settings.era, "environment": SERVER})
    found = await look_ahead(services, Ahead(notebook, options, traces))
    suspected = suspects(found.items, settings.rule)
    if settings.rule is not None and not suspected:
        raise BadSetting(coded("comparison.no-such-change", rule=settings.rule))
    notes: Messages = ()
    if len(suspected) > _MOST_CHANGES:
        named = ", ".join(one.rule.id for one in suspected[_MOST_CHANGES:])
        notes += coded("comparison.not-tried", rules=named)
    public = None
    if settings.competition is None:
        notes += coded("comparison.without-data")
    else:
        public = services.competitions.public_dir(settings.competition)
        notes += coded("comparison.rows", rows=settings.rows)
    environment = await installed_packages(chosen)
    sources = partial(fixed_sources, notebook, environment, found.era)
    async with Workspace() as space:
        head = None if public is None else space.temp / "public"
        experiment = _Experiment(local, old, settings, head, cancel, notebook, sources, say)
        try:
            if public is not None and head is not None:
                say(coded("comparison.copying", rows=settings.rows))
                notes += await pools.files.run(copy_head, public, head, settings.rows)
            then, items = await experiment.run_all(suspected[:_MOST_CHANGES])
        except OSError as error:
            raise scratch_unavailable(error, space.temp) from error
    notes += _failures(notebook, then)
    order = {cell.id: place for place, cell in enumerate(notebook.cells)}
    return Probe(
        then=then.environment,
        now=found.environment,
        rows=settings.rows,
        items=tuple(sorted(items, key=lambda item: order[item.cell_id])),
        notes=notes,
    )


async def compare(
    work: Work, notebook: Notebook, traces: Traces, settings: ProbeSettings
) -> Messages:
    """Run the experiment as a session's study; return why it is impossible, or nothing.

    Args:
        notebook: Its current version in the document.
        traces: Evidence of its era in its file, beyond the sources.
        settings: Changes to try.
    """
    say = partial(work.progress, Phase.PREPARING)
    await date(work, notebook)
    try:
        found = await probe(
            work.services, notebook, settings, traces=traces, say=say, cancel=work.cancel
        )
    except ModernizerError as error:
        return coded("comparison.impossible", reason=error.message)
    work.write(events.Compared(probe=found))
    return ()


@dataclass(frozen=True)
class _Experiment:
    """Runs cells in one of the two Pythons, each time in a fresh scratch directory."""

    sandbox: Local
    old: Interpreter
    settings: ProbeSettings
    head: Path | None
    cancel: asyncio.Event
    notebook: Notebook
    sources: Callable[..., Notebook]
    say: Say

    async def run_all(self, suspected: Sequence[Suspect]) -> tuple[Observed, list[Probed]]:
        """Return the run with the old libraries, and the findings on each suspected change.

        Raises:
            Cancelled: `cancel` was set.
        """
        self.say(coded("comparison.old"))
        then = await self._run(self.notebook, suspected, old=True)
        items: list[Probed] = []
        if not suspected:
            return then, items
        mended = await pools.code.run(self.sources)
        self.say(coded("comparison.new"))
        fixed = await self._run(mended, suspected)
        for number, one in enumerate(suspected, start=1):
            why = had_it_already(one.rule, then.environment)
            if why:
                items += [untold(one.rule, cell_id, why) for cell_id in one.cell_ids]
                continue
            rule = one.rule
            self.say(coded("comparison.without", rule=rule.id, number=number, of=len(suspected)))
            plain = await pools.code.run(self.sources, rule)
            applies = plain != mended
            now = await self._run(plain, [one]) if applies else fixed
            with_fix = fixed if applies else None
            items += [judge(rule, cell_id, then, now, with_fix) for cell_id in one.cell_ids]
        return then, items

    async def _run(
        self, notebook: Notebook, suspected: Sequence[Suspect], *, old: bool = False
    ) -> Observed:
        """Run the cells up to the last one concerned."""
        wanted = {cell_id for one in suspected for cell_id in one.cell_ids}
        async with self.sandbox.workspace(self.settings.competition, self.head) as space:
            mounts = replace(
                space.mounts(self.settings.competition, self.head, self.old if old else None),
                packages=None,
            )
            observed = await observe(
                self.sandbox,
                mounts,
                _up_to(notebook, wanted),
                concerned=wanted,
                libraries={one.rule.library for one in suspected},
                time_limit=self.settings.time_limit,
                cancel=self.cancel,
            )
        if self.cancel.is_set():
            raise Cancelled
        return observed


def _up_to(notebook: Notebook, wanted: set[str]) -> list[Cell]:
    """Return the code cells up to the last of the requested ones."""
    cells = notebook.run_cells()
    last = max((place for place, cell in enumerate(cells) if cell.id in wanted), default=-1)
    return list(cells[: last + 1])


def _failures(notebook: Notebook, then: Observed) -> Messages:
    """Return the failures with the old libraries in cells before the concerned ones."""
    numbers = notebook.code_numbers()
    return tuple(
        Message(
            code="comparison.old-fails",
            parameters={"cell": numbers.get(cell.cell, 0), "problem": problem},
        )
        for cell in then.cells
        for problem in (*cell.missing, cell.error)
        if problem
    )[:10]
