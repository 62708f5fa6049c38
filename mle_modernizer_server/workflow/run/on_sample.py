"""Rehearsals: the sample of the data, the short training, and the meaning of their errors.

The result is only a hint: it has no grade. Errors that the sample or the short training may
have caused are separated, and no fixer sees them.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from mle_modernizer_server import pools
from mle_modernizer_server.code.training import ShortTraining, shorten_training
from mle_modernizer_server.diagnosis.causes import findings
from mle_modernizer_server.diagnosis.sample_caused import sample_caused
from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.diagnosis import ErrorDiagnosis, ErrorKind, Finding, FixType
from mle_modernizer_server.domain.execution import Ending, Execution
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.verification import (
    Rehearsal,
    Sample,
    ShortenedTraining,
    own_errors,
)
from mle_modernizer_server.execution.sampling.cache import LONGEST, KeptSample, get_sample
from mle_modernizer_server.execution.sampling.making import Layout, Stopped, Watch
from mle_modernizer_server.execution.sampling.notebook_files import NotebookFiles
from mle_modernizer_server.untrusted.files import exists
from mle_modernizer_server.workflow.work import Cancelled

_PUBLIC = "prepared/public/"
_INPUT = re.compile(r"^.*?(?:/kaggle/input|\.\./input|\./input|input)/")


@dataclass(frozen=True)
class SampledData:
    """The sample of a run.

    Attributes:
        kept: The sample.
        whole: The competition's full public directory.
        seconds: Seconds it took to create the sample.
    """

    kept: KeptSample
    whole: Path
    seconds: float


def layout_of(competition: Competition) -> Layout:
    """Return the file layout of a competition."""
    submission = competition.sample_submission
    return Layout(
        ids=competition.id_columns,
        targets=(*competition.target_columns, *competition.answer_columns),
        submission=submission.removeprefix(_PUBLIC) if submission.startswith(_PUBLIC) else "",
    )


async def choose_sample(
    competition: Competition,
    public: Path,
    rows: int,
    cancel: asyncio.Event,
    *,
    whole_test: bool = False,
) -> SampledData:
    """Return a sample of a competition's data, created or from the cache.

    Args:
        public: Its public directory.
        rows: Approximate number of rows of a table.
        cancel: Ends it.
        whole_test: Retain all test data, so that predictions can be graded.

    Raises:
        CannotSample: The data do not allow it.
        Cancelled: `cancel` was set.
    """
    layout = replace(layout_of(competition), whole_test=whole_test)
    watch = Watch(LONGEST, cancel.is_set)
    began = time.monotonic()
    try:
        kept = await pools.files.run(get_sample, competition.id, public, layout, rows, watch)
    except Stopped as error:
        raise Cancelled from error
    return SampledData(kept, public, time.monotonic() - began)


@dataclass
class Reduction:
    """A notebook with a short training, and the data of its rehearsal.

    Attributes:
        notebook: The notebook that runs; its lines have the numbers of the original's.
        training: Its reduced numbers.
        data: The sample of the competition's data; None if there is none.
        rows: Requested approximate number of rows of a table.
        time_limit: Seconds the run may take.
        files: The sample of the notebook's folder; None before the run, or if it is not used.
    """

    notebook: Notebook
    training: ShortTraining
    data: SampledData | None
    rows: int
    time_limit: float
    files: NotebookFiles | None = None

    @property
    def shortened(self) -> tuple[ShortenedTraining, ...]:
        """Return the reduced numbers with the ids of their cells."""
        cells = self.notebook.code_cells()
        return tuple(
            ShortenedTraining(cell_id=cells[cut.cell].id, name=cut.name, was=cut.was)
            for cut in self.training.cuts
        )


def reduce_notebook(
    notebook: Notebook, data: SampledData | None, rows: int, time_limit: float
) -> Reduction:
    """Return a copy of a notebook with a short training.

    Args:
        data: The sample it will run on; None if all data are used.
        rows: Requested approximate number of rows of a table.
        time_limit: Seconds the run may take.
    """
    cells = notebook.code_cells()
    training = shorten_training([cell.source for cell in cells])
    sources = {cell.id: source for cell, source in zip(cells, training.sources, strict=True)}
    short = tuple(
        cell.model_copy(update={"source": sources.get(cell.id, cell.source)})
        for cell in notebook.cells
    )
    reduced = notebook.model_copy(update={"cells": short})
    return Reduction(reduced, training, data, rows, time_limit)


def diagnose_on_sample(
    notebook: Notebook, execution: Execution, reduction: Reduction
) -> tuple[ErrorDiagnosis, Rehearsal]:
    """Diagnose a rehearsal; the fix type is set if an error is the notebook's own.

    Args:
        notebook: The notebook, with its whole training.
        execution: The run of its reduction.
    """
    data = reduction.data
    sample = Sample()
    left_out: Callable[[str], bool] = _nothing
    if reduction.files is not None:
        sample, left_out = reduction.files.sample, reduction.files.left_out
    if data is not None:
        sample = data.kept.sample
        left_out = partial(_left_out, data.whole, data.kept.public)
    found = findings(notebook, execution)
    doubtful = sample_caused(found, notebook, sample, left_out, reduction.training)
    rehearsal = Rehearsal(
        rows=reduction.rows,
        sample=sample,
        seconds_for_sample=0.0 if data is None else data.seconds,
        doubtful=doubtful,
        shortened=reduction.shortened,
    )
    diagnosis = ErrorDiagnosis(
        execution_status=execution.status,
        findings=found,
        fix_type=FixType.ERROR_REPAIR if own_errors(found, doubtful) else None,
        summary=_summary(execution, found, doubtful, rehearsal.size),
    )
    return diagnosis, rehearsal


def _summary(
    execution: Execution, found: tuple[Finding, ...], doubtful: dict[str, Messages], size: Messages
) -> Messages:
    """Return the result of a rehearsal in words; never a score."""
    roots = [finding.error.cell_id for finding in found if finding.kind is ErrorKind.ROOT]
    own = sum(cell_id not in doubtful for cell_id in roots)
    ended: Messages = ()
    if execution.ending is Ending.TIMED_OUT:
        ended = coded("rehearsal.timed-out", limit=execution.time_limit)
    elif execution.ending is not Ending.COMPLETED:
        ended = coded("rehearsal.kernel-ended")
    if roots and roots[0] in doubtful:
        return coded("rehearsal.doubtful", size=size, ended=ended)
    if not roots:
        return coded("rehearsal.no-error", size=size, ended=ended)
    if own == len(roots):
        return coded("rehearsal.failed", size=size, ended=ended, count=own)
    doubted = len(roots) - own
    return coded("rehearsal.failed-and", size=size, ended=ended, count=own, doubted=doubted)


def _nothing(name: str) -> bool:
    """Return False: no file is left out."""
    return False


def _left_out(public: Path, sample: Path, name: str) -> bool:
    """Return whether a requested path names a file that the sample lacks."""
    parts = PurePosixPath(_INPUT.sub("", name[:1000])).parts
    if not parts or ".." in parts or parts[0] == "/" or "\0" in name:
        return False
    return any(
        exists(public.joinpath(*rest)) and not exists(sample.joinpath(*rest))
        for rest in (parts, parts[1:])
        if rest
    )
