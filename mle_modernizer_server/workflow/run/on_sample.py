"""Runs on a sample of the data: the sample, and the meaning of its errors.

The result is only a hint: it has no grade. Errors that the sample may have caused are separated,
and no fixer sees them.
"""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from mle_modernizer_server import pools
from mle_modernizer_server.diagnosis.causes import findings
from mle_modernizer_server.diagnosis.sample_caused import sample_caused
from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.diagnosis import (
    ErrorDiagnosis,
    ErrorKind,
    Finding,
    FixType,
)
from mle_modernizer_server.domain.execution import Ending, Execution
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.verification import Rehearsal, own_errors
from mle_modernizer_server.execution.sampling.cache import LONGEST, KeptSample, get_sample
from mle_modernizer_server.execution.sampling.making import Layout, Stopped, Watch
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
        rows: Requested approximate number of rows of a table.
        seconds: Seconds it took to create the sample.
        time_limit: Seconds the run may take.
    """

    kept: KeptSample
    whole: Path
    rows: int
    seconds: float
    time_limit: float


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
    time_limit: float,
    cancel: asyncio.Event,
    *,
    whole_test: bool = False,
) -> SampledData:
    """Return a sample of a competition's data, created or from the cache.

    Args:
        competition: The competition.
        public: Its public directory.
        rows: Approximate number of rows of a table.
        time_limit: Seconds a run on it may take.
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
    return SampledData(kept, public, rows, time.monotonic() - began, time_limit)


def diagnose_on_sample(
    notebook: Notebook, execution: Execution, data: SampledData
) -> tuple[ErrorDiagnosis, Rehearsal]:
    """Diagnose a run on a sample; the fix type is set if an error is the notebook's own."""
    sample = data.kept.sample
    found = findings(notebook, execution)
    left_out = partial(_left_out, data.whole, data.kept.public)
    doubtful = sample_caused(found, notebook, sample, left_out)
    diagnosis = ErrorDiagnosis(
        execution_status=execution.status,
        findings=found,
        fix_type=FixType.ERROR_REPAIR if own_errors(found, doubtful) else None,
        summary=_summary(execution, found, doubtful, sample.size),
    )
    rehearsal = Rehearsal(
        rows=data.rows, sample=sample, seconds_for_sample=data.seconds, doubtful=doubtful
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
