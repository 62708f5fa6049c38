"""A model writes the notebook of a session: as `write.py`, with the session's log as its memory.

The experiment is in the notebook's file, the paper in its folder. No written cell reaches the
notebook before the user has accepted it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Container, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from uuid import uuid4

from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.errors import BadInput, Conflict, NotFound
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.model_calls import Budget, ModelCall, Usage
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.paper import PaperReading
from mle_modernizer_server.domain.proposal import CellEdit, EditKind, FixerName, Meaning, Proposal
from mle_modernizer_server.domain.reproduction import (
    Experiment,
    SessionWriting,
    Writing,
    WrittenStage,
)
from mle_modernizer_server.domain.session import Phase, Session
from mle_modernizer_server.reproducing.skeleton import skeleton
from mle_modernizer_server.reproducing.stages import whole
from mle_modernizer_server.untrusted.files import FileTooLarge, is_file, read_regular, resolved
from mle_modernizer_server.workflow.fix.difference import difference, joined
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.environment import settle_environment
from mle_modernizer_server.workflow.run.resources import fetch_resources
from mle_modernizer_server.workflow.run.run_once import run_options
from mle_modernizer_server.workflow.study.reproduction import experiment_in, paper_checksum
from mle_modernizer_server.workflow.study.write import (
    WritingHooks,
    WritingSettings,
    check_model,
    write,
)
from mle_modernizer_server.workflow.work import Cancelled, Work

_MOST_NOTEBOOK = 50_000_000
_MOST_BESIDE = 200
"""Files of the folder that are looked at."""
_SUFFIXES = (".tex", ".ltx", ".pdf", ".gz", ".tgz", ".zip", ".md", ".html", ".htm", ".txt", ".xz")
_FILLED_IN = ("data", "method", "training", "evaluation")
"""Sections that a skeleton leaves to whoever writes."""


@dataclass(frozen=True)
class Source:
    """The experiment that a session's notebook must reproduce.

    Attributes:
        experiment: The one in the notebook's file.
        paper: The paper's file, in the notebook's folder.
    """

    experiment: Experiment
    paper: Path


def source_of(folder: Path | None, path: str) -> Source:
    """Return a notebook's experiment, from its file and the paper in its folder.

    Args:
        folder: The notebook's folder; None if unknown.
        path: Of the notebook; its last part is the file's name.

    Raises:
        BadInput: Its file is not readable, or has no experiment.
        NotFound: The paper is not in the folder, or has changed.
    """
    name = PurePosixPath(path).name
    file = None if folder is None else _inside(folder, name)
    if folder is None or file is None:
        raise BadInput(coded("writing.no-file"))
    try:
        content = read_regular(file, _MOST_NOTEBOOK)
    except FileTooLarge as error:
        raise BadInput(coded("reproduction.too-large", name=name)) from error
    except OSError as error:
        raise BadInput(coded("writing.no-file")) from error
    experiment = experiment_in(content, name)
    for paper in _papers(folder, experiment.source):
        if _checksum(paper) == experiment.checksum:
            return Source(experiment, paper)
    raise NotFound(coded("writing.no-paper", paper=PurePosixPath(experiment.source).name))


def _inside(folder: Path, name: str) -> Path | None:
    """Return a regular file of a folder; None if absent, or a link elsewhere."""
    home, file = resolved(folder), resolved(folder / name)
    if home is None or file is None or file.parent != home or not is_file(file):
        return None
    return file


def _papers(folder: Path, source: str) -> Iterator[Path]:
    """Return candidate files for the paper: its own name first, as it may have been renamed."""
    first = _inside(folder, source)
    if first is not None:
        yield first
    try:
        names = sorted(one.name for one in folder.iterdir() if one.name.lower().endswith(_SUFFIXES))
    except OSError:
        return  # a folder that nobody may list has no other paper to offer
    for name in names[:_MOST_BESIDE]:
        file = _inside(folder, name)
        if file is not None and file != first:
            yield file


def _checksum(paper: Path) -> str:
    """Return the SHA-256 of a file; empty if it is too large for a paper or cannot be read."""
    try:
        return paper_checksum(paper)
    except BadInput:
        return ""


def check_writable(work: Work, notebook: Notebook) -> None:
    """Raise if the notebook cannot be written.

    Raises:
        Conflict: No model is configured, a review is open, or a section was removed.
    """
    check_model(work.services)
    if any(review.open for review in work.session.all_reviews):
        raise Conflict(coded("conflict.undecided"))
    if not whole(notebook):
        raise Conflict(coded("writing.sections"))


async def write_notebook(
    work: Work,
    source: Source,
    notebook: Notebook,
    rounds: int,
    read: Callable[[Path], Awaitable[PaperReading]],
) -> None:
    """Have a model write the session's notebook, and stage the whole for review.

    Continue from an earlier try for the same notebook.

    Args:
        source: The experiment to reproduce.
        notebook: The user's current version.
        rounds: Maximum number of questions in one stage.
        read: Reads a paper.

    Raises:
        Cancelled: The user stopped it; the written cells are in the log.
        BadPaper: The paper is not readable.
        ModernizerError: As `write`.
    """
    before = work.session
    work.progress(Phase.FIXING, coded("writing.reading"))
    reading = await read(source.paper)
    await settle_environment(work, notebook)
    await fetch_resources(work)
    memory = _Memory(work, source.experiment, notebook)
    options = run_options(work)
    limit = options.settings.time_limit
    try:
        written = await write(
            work.services,
            reading,
            memory.begun,
            WritingSettings(
                rounds=rounds,
                budget=_left(before),
                time_limit=limit,
                options=replace(options, values=False),
            ),
            WritingHooks(
                keep=memory.keep, say=partial(work.progress, Phase.FIXING), on_call=memory.note
            ),
            work.cancel,
        )
    except Cancelled as stopped:
        raise Cancelled(stopped.message + coded("writing.kept")) from None
    if not written.ran:
        work.write(_unfinished(written))
        return
    memory.propose(written)


def _left(session: Session) -> Budget:
    """Return the session's budget without the seconds of earlier work; fixes are not counted."""
    budget = session.settings.budget
    seconds = budget.seconds
    return budget.model_copy(
        update={
            "fixes": None,
            "seconds": None if seconds is None else max(seconds - session.worked_seconds, 0.0),
        }
    )


def _unfinished(written: Writing) -> events.Rested:
    last = written.stages[-1]
    message = coded("writing.not-run", stage=last.stage.value, ending=last.ending.value)
    return events.Rested(phase=Phase.READY, message=message)


class _Memory:
    """Stores in a session's log the progress of its notebook, and its cost."""

    def __init__(self, work: Work, experiment: Experiment, notebook: Notebook) -> None:
        self._work = work
        self._notebook = notebook
        self._exchange = uuid4().hex
        digest = notebook_hash(notebook)
        about = hashlib.sha256(experiment.model_dump_json().encode()).hexdigest()
        earlier = work.session.writing
        goes_on = (
            earlier is not None
            and not earlier.ran
            and (earlier.experiment_hash, earlier.base_hash) == (about, digest)
        )
        if earlier is None or not goes_on:
            usage = Usage() if earlier is None else earlier.usage
            earlier = SessionWriting(
                experiment_hash=about, base_hash=digest, notebook_hash=digest, usage=usage
            )
            work.keep(notebook)
        self._now = earlier
        self.begun = Writing(
            experiment=experiment,
            notebook=work.notebook(earlier.notebook_hash),
            stages=earlier.stages,
            # Other fixers of the session have spent of its budget, too.
            usage=work.session.usage,
        )

    def note(self, call: ModelCall) -> None:
        """Store a call of the model, and its cost."""
        self._work.log.store.exchanges.keep(self._work.session_id, self._exchange, call)
        self._now = self._now.model_copy(update={"usage": self._now.usage + call.usage})
        self._work.write(events.Written(writing=self._now))

    def keep(self, written: Writing) -> None:
        """Keep how far it is."""
        digest = notebook_hash(written.notebook)
        self._work.keep(written.notebook)
        self._now = self._now.model_copy(
            update={
                "notebook_hash": digest,
                "stages": written.stages,
                "seconds": written.seconds,
                "ran": written.ran,
            }
        )
        self._work.write(events.Written(writing=self._now))

    def propose(self, written: Writing) -> None:
        """Stage all written cells for review together: they ran together."""
        work, session = self._work, self._work.session
        proposal = Proposal(
            id=f"writing-{self._now.notebook_hash[:12]}-{len(session.all_reviews)}",
            fixer=FixerName.LLM,
            model=work.services.model,
            fix_type=FixType.WRITING,
            scope=FixScope.FILE,
            plan=_plan(written),
            edits=_edits(self._notebook, written),
        )
        work.log.store.exchanges.belongs_to(work.session_id, self._exchange, proposal.id)
        work.stage(proposal, coded("writing.review"))


def _edits(before: Notebook, written: Writing) -> tuple[CellEdit, ...]:
    """Return the edits of the notebook, cell by cell; each depends on the others.

    Completing an empty section changes no experiment; changing an assumption, or the user's own
    text, does.
    """
    history: dict[str, CellEdit] = {}
    for stage in written.stages:
        for edit in stage.edits:
            history = joined(history, (edit,))
    edits = difference(before, written.notebook, history)
    empty = {
        cell.id
        for cell in skeleton(written.experiment).cells
        if cell.id in _FILLED_IN and before.cell(cell.id) == cell
    }
    group = "writing" if len(edits) > 1 else ""
    return tuple(
        edit.model_copy(update={"meaning": _meaning(edit, empty), "group": group}) for edit in edits
    )


def _meaning(edit: CellEdit, empty: Container[str]) -> Meaning:
    is_new = edit.kind is EditKind.INSERT or edit.cell_id in empty
    return Meaning.OTHER if is_new else Meaning.EXPERIMENT


def _plan(written: Writing) -> Messages:
    return tuple(step for one in written.stages for step in _step(one))


def _step(written: WrittenStage) -> Messages:
    about = {"stage": written.stage.value, "ending": written.ending.value}
    if not written.problem:
        return coded("plan.stage", **about, count=written.rounds)
    problem = written.problem[:300]
    return coded("plan.stage-open", **about, count=written.rounds, problem=problem)
