"""Papers, and the notebooks that reproduce their claims."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.domain.model_calls import Budget
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.paper import ClaimsQuestion, PagePicture, PaperReading
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.reproduction import (
    Experiment,
    ReproductionCheck,
    Writing,
    WritingEstimate,
)
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.execution.documents import check_runnable
from mle_modernizer_server.papers.read import page_picture, read_paper
from mle_modernizer_server.reproducing.checklist import checklist_of
from mle_modernizer_server.reproducing.cited_works import with_sources
from mle_modernizer_server.reproducing.claims.find import claims_of
from mle_modernizer_server.reproducing.lineage import lineage_of
from mle_modernizer_server.workflow.log.event_log import EventLog
from mle_modernizer_server.workflow.report.reproduction_report import (
    aligned_text,
    outcome_text,
    remark_texts,
    reproduction_html,
)
from mle_modernizer_server.workflow.service.base import Service
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.study.completion import complete, question_for, with_kept
from mle_modernizer_server.workflow.study.reproduce import ReproductionSettings, check
from mle_modernizer_server.workflow.study.reproduction import (
    begin_writing,
    draft,
    experiment_in,
    reproduction_file,
    write_beside,
)
from mle_modernizer_server.workflow.study.write import (
    WritingHooks,
    WritingSettings,
    check_model,
    estimate_writing,
    write,
)
from mle_modernizer_server.workflow.study.write_session import (
    Source,
    check_writable,
    source_of,
    write_notebook,
)
from mle_modernizer_server.workflow.work import JobRunner

__all__ = [
    "Papers",
    "ReproductionSettings",
    "WritingHooks",
    "WritingSettings",
    "aligned_text",
    "outcome_text",
    "remark_texts",
    "reproduction_file",
    "reproduction_html",
]


class Papers(Service):
    """Papers, and the notebooks that reproduce their claims."""

    def __init__(self, log: EventLog, services: Services, jobs: JobRunner) -> None:
        super().__init__(log, services, jobs)
        self._reading = asyncio.Lock()

    async def read_paper(self, path: Path, *, fetch_cited: bool = False) -> PaperReading:
        """Return a paper with its claims and the checklist of its method; one at a time.

        Args:
            path: Its file. Cited works are searched in its folder and among the installed packages.
            fetch_cited: The user agreed to fetch the missing ones from arXiv.

        Raises:
            BadPaper: It is not a paper, or is not readable.
            ResourceUnavailable: A cited work is unavailable.
        """
        by_rules = await self._read_by_rules(path, fetch_cited=fetch_cited)
        return await pools.files.run(with_kept, by_rules, path)

    async def page_picture(self, path: Path, page: int, mark: str = "") -> PagePicture:
        """Return a page of a PDF as a picture, to confirm extracted claims; one at a time.

        Args:
            path: The paper's file.
            page: Counted from 1.
            mark: Text to mark on it.

        Raises:
            BadPaper: It is not a readable PDF, or has no such page.
        """
        async with self._reading:
            return await pools.grading.run(page_picture, path, page, mark)

    async def _read_by_rules(self, path: Path, *, fetch_cited: bool = False) -> PaperReading:
        """Read a paper as `read_paper`, without a model's claims."""
        resources = self.services.resources
        kept = resources.fetch if fetch_cited else resources.file
        async with self._reading:
            paper = await pools.grading.run(read_paper, path)
            claims = await pools.code.run(claims_of, paper)
            checklist = await pools.code.run(checklist_of, paper)
            lineage = await pools.code.run(lineage_of, paper, checklist)
            lineage = await pools.files.run(with_sources, lineage, paper.references, path, kept)
        return PaperReading(paper=paper, claims=claims, checklist=checklist, lineage=lineage)

    async def claims_question(self, paper: Path) -> ClaimsQuestion:
        """Return the prompt for a paper's claims and its cost; send nothing.

        Raises:
            Conflict: No model is configured.
            BadPaper: It is not a paper, or is not readable.
        """
        reading = await self.read_paper(paper)
        return await pools.code.run(question_for, self.services, reading)

    async def complete_claims(
        self, paper: Path, budget: Budget, say: Callable[[str], None] = lambda said: None
    ) -> PaperReading:
        """Ask a model to complete the claims of a paper; store them in the paper's folder.

        Args:
            paper: Its file.
            budget: Of tokens and money.
            say: Called with progress messages for the user.

        Returns:
            The paper with its claims, and the validation of the model's claims.

        Raises:
            ModernizerError: As `study.completion.complete`.
            BadPaper: It is not a paper, or is not readable.
        """
        by_rules = await self._read_by_rules(paper)
        known = await pools.files.run(with_kept, by_rules, paper)
        await complete(self.services, known, paper, budget, say)
        return await pools.files.run(with_kept, by_rules, paper)

    async def draft_reproduction(self, paper: Path, chosen: tuple[str, ...]) -> bytes:
        """Return the file of a runnable notebook that reproduces a paper's claims.

        Args:
            paper: Its file.
            chosen: Ids or numbers of the claims; empty: those of the best table.

        Raises:
            BadPaper: It is not a paper, or is not readable.
            BadInput: There is no such claim, or none at all.
        """
        return await draft(await self.read_paper(paper), paper, chosen)

    async def make_reproduction(self, paper: Path, chosen: tuple[str, ...]) -> Path:
        """Write that notebook next to the paper under an unused name; return its path.

        Raises:
            BadPaper, BadInput: As `draft_reproduction`; or the folder is not writable.
            Conflict: Every suitable name is taken.
        """
        content = await self.draft_reproduction(paper, chosen)
        return await pools.files.run(write_beside, paper, content)

    async def begin_writing(
        self, paper: Path, chosen: tuple[str, ...]
    ) -> tuple[PaperReading, Writing, WritingEstimate]:
        """Return a model's input for writing the notebook of a paper, and the probable cost.

        Raises:
            Conflict: No model is configured.
            BadPaper, BadInput: As `draft_reproduction`.
        """
        reading = await self.read_paper(paper)
        begun = await pools.code.run(begin_writing, reading, paper, chosen)
        return reading, begun, estimate_writing(self.services, reading, begun.experiment)

    async def write_reproduction(
        self,
        reading: PaperReading,
        begun: Writing,
        settings: WritingSettings,
        hooks: WritingHooks,
        cancel: asyncio.Event,
    ) -> Writing:
        """Have a model write the notebook of a paper, stage by stage; as `study.write.write`."""
        return await write(self.services, reading, begun, settings, hooks, cancel)

    async def writing_estimate(self, session_id: str) -> WritingEstimate:
        """Return the probable cost of a model writing the session's notebook; send nothing.

        Raises:
            Conflict: No model is configured.
            BadInput: The notebook's file is not readable, or does not mention a paper.
            BadPaper: The paper is not readable.
            NotFound: No such session, or the paper is not in the notebook's folder.
        """
        check_model(self.services)
        source = await self._source(session_id)
        reading = await self.read_paper(source.paper)
        return await pools.code.run(estimate_writing, self.services, reading, source.experiment)

    async def start_writing(self, session_id: str, notebook: Notebook, rounds: int) -> Session:
        """Have a model write the session's notebook of a paper's experiment, stage by stage.

        Args:
            session_id: The session, whose file has the experiment in its metadata.
            notebook: The user's current version.
            rounds: Maximum number of questions in one stage.

        Raises:
            BadNotebook: It cannot run.
            Conflict: Work is running, no model is configured, the budget is spent, a proposal waits
                for review, or a section of the notebook was removed.
            BadInput, NotFound: As `writing_estimate`.
        """
        session = self.jobs.idle(session_id)
        check_runnable(notebook)
        check_writable(self.work(session_id), notebook)
        self.check_budget(session, (FixerName.LLM,))
        source = await self._source(session_id)
        return self.jobs.start(
            session_id,
            partial(
                write_notebook,
                source=source,
                notebook=notebook,
                rounds=rounds,
                read=self.read_paper,
            ),
        )

    async def _source(self, session_id: str) -> Source:
        """Return the experiment that the session's notebook must reproduce."""
        work = self.work(session_id)
        return await pools.files.run(source_of, work.folder, work.session.path)

    async def check_reproduction(
        self,
        notebook: Notebook,
        experiment: Experiment,
        settings: ReproductionSettings,
        *,
        say: Callable[[str], None],
        cancel: asyncio.Event,
    ) -> ReproductionCheck:
        """Run a notebook clean and compare its results with a paper's claims; as `check`."""
        return await check(self.services, notebook, experiment, settings, say=say, cancel=cancel)

    @staticmethod
    def experiment_in(content: bytes, name: str) -> Experiment:
        """Return the experiment to reproduce from a notebook's file; as `experiment_in`."""
        return experiment_in(content, name)
