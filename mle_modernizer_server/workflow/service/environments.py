"""The surroundings of a notebook: Pythons, packages, kernels, and its competition."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from mle_modernizer_server import pools
from mle_modernizer_server.domain.competition import (
    Competition,
    CompetitionGuess,
    LookAtData,
    MakeCompetition,
)
from mle_modernizer_server.domain.environment import EnvironmentReport
from mle_modernizer_server.domain.era import Traces
from mle_modernizer_server.domain.errors import BadInput, Conflict
from mle_modernizer_server.domain.grade import DetectAnswer
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Phase, Session
from mle_modernizer_server.execution.sampling.watch import TookTooLong, Watch
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.workflow import competition as own_competition
from mle_modernizer_server.workflow.competition import detect
from mle_modernizer_server.workflow.environments import NotebookPlace, remove_kernel
from mle_modernizer_server.workflow.era import date
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.service.base import Service
from mle_modernizer_server.workflow.study.own_time import backport
from mle_modernizer_server.workflow.work import Work

if TYPE_CHECKING:
    from mle_modernizer_server.improving.draft import DraftTask


_LONGEST = 300.0
"""Seconds that looking at the data of a competition may take."""


def draft_notebook(competitions: Competitions, slug: str) -> tuple[DraftTask, Notebook]:
    """Return a first notebook for a competition, and the facts behind it; run nothing.

    Raises:
        BadInput: No notebook can be drafted for such a task; the message has the reason.
        ModernizerError: The competition is not usable.
    """
    from mle_modernizer_server.improving.draft import survey_task, write_draft

    try:
        task = survey_task(competitions, slug, Watch(_LONGEST))
    except TookTooLong as error:
        raise BadInput(coded("draft.too-large")) from error
    return task, write_draft(task)


class Environments(Service):
    """The surroundings of a notebook: Pythons, packages, kernels, and its competition."""

    async def report(
        self, notebook: Notebook, folder: Path | None, traces: Traces
    ) -> EnvironmentReport:
        """Return a notebook's requirements, this machine's environments, and the default choice.

        Raises:
            Conflict: Notebooks run only in the sandbox's own Python.
        """
        environments = self.services.environments
        if environments is None:
            raise Conflict(coded("conflict.sandbox-python"))
        place = NotebookPlace(notebook, folder, traces)
        return await pools.packages.run(environments.report, place)

    def start_backport(self, session_id: str) -> Session:
        """Add a kernel with the unchanged notebook's original libraries to Jupyter's menu."""
        session = self.jobs.idle(session_id)

        async def study(work: Work) -> Messages:
            await date(work, work.notebook(session.notebook_hash))
            return await backport(work, _place(work))

        return self.start_study(
            session, study, cancelled=coded("run.cancelled"), without_run=Phase.READY, queued=False
        )

    def remove_backport(self, session_id: str) -> Session:
        """Take the notebook's kernel out of Jupyter's menu; its environment stays.

        Raises:
            NotFound: No such session, or no kernel of it.
        """
        work = self.work(self.jobs.idle(session_id).id)
        remove_kernel(_place(work))
        work.write(events.Backported(backport=None))
        return work.session

    def backport_lock(self, session_id: str) -> str:
        """Return the lock file (`pylock.toml`, PEP 751) of the notebook's original libraries.

        Raises:
            Conflict: No kernel was added to the menu.
            NotFound: No such session, or its environment was removed.
            EnvironmentUnavailable: The environment fails its integrity check.
        """
        session = self.log.get(session_id)
        environments = self.services.environments
        if session.backport is None or environments is None:
            raise Conflict(coded("conflict.no-backport"))
        kept = environments.kept
        return kept.lock_text(kept.get(session.backport.environment))

    def find_competition(
        self, notebook: Notebook, folder: Path | None
    ) -> tuple[str | None, Messages]:
        """Return a notebook's competition, and the reason; as `competition.find_competition`."""
        return own_competition.find_competition(self.services.competitions, notebook, folder)

    def detect(
        self,
        notebook: Notebook,
        *,
        title: str,
        kernel_metadata: bytes | None,
        folder: Path | None = None,
    ) -> DetectAnswer:
        """Detect the notebook's competition and the scores in its text; as `competition.detect`."""
        return detect(
            self.services.competitions,
            notebook,
            title=title,
            kernel_metadata=kernel_metadata,
            folder=folder,
        )

    def draft(self, slug: str) -> tuple[str, Notebook]:
        """Return a competition's title and a first notebook for it; as `draft_notebook`."""
        task, notebook = draft_notebook(self.services.competitions, slug)
        return task.title, notebook

    def look_at_data(self, root: Path, ask: LookAtData) -> CompetitionGuess:
        """Infer a competition from labelled data below `root`; as `competition.guess`."""
        return own_competition.guess(root, ask)

    def make_competition(self, root: Path, request: MakeCompetition) -> Competition:
        """Make a competition of labelled data below `root`; as `competition.make`."""
        return own_competition.make(root, self.services.competitions, request)


def _place(work: Work) -> str:
    """Return the path of the session's notebook, as far as it is known."""
    path = work.session.path
    return path if work.folder is None else str(work.folder / PurePath(path).name)
