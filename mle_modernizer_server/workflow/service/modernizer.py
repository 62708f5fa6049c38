"""The five services of a process, bound together."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.execution.sampling.cache import remove_orphans
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.service.environments import Environments
from mle_modernizer_server.workflow.service.runs import Runs
from mle_modernizer_server.workflow.service.sessions import Sessions
from mle_modernizer_server.workflow.service.studies import Studies
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.work import JobRunner

if TYPE_CHECKING:
    from mle_modernizer_server.workflow.service.papers import Papers


class Modernizer:
    """All operations for clients, for all sessions of this process.

    Args:
        log: The log of the sessions.
        concurrent_work: Sessions with work at once; the others wait in a queue.
    """

    def __init__(self, log: Store, services: Services, *, concurrent_work: int = 1) -> None:
        self.log = log
        self.services = services
        self.jobs = JobRunner(services, log, concurrent_work)
        self.sessions = Sessions(log, services, self.jobs)
        self.runs = Runs(log, services, self.jobs)
        self.studies = Studies(log, services, self.jobs)
        self.environments = Environments(log, services, self.jobs)
        self.problems: Messages = ()
        """Failures at the start of the process, a sentence each."""

    @cached_property
    def papers(self) -> Papers:
        """Return the service for papers, whose modules nothing else needs."""
        from mle_modernizer_server.workflow.service.papers import Papers

        return Papers(self.log, self.services, self.jobs)

    def recover(self) -> None:
        """Finish sessions whose process has exited, and remove their temporary data."""
        self.jobs.recover()
        remove_orphans()

    async def close(self) -> None:
        """Stop all work, marked as interrupted, end the paused kernels, close the store."""
        await self.jobs.close()
        await self.services.paused.close()
        self.log.close()
