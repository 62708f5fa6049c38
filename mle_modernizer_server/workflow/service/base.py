"""What the five services share: the log, the rooms below, the jobs, and checks of a budget."""

from __future__ import annotations

from mle_modernizer_server.domain.errors import BadSetting, Conflict
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.model_calls import Bound
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.workflow.log.event_log import EventLog
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.verdict.endings import spent
from mle_modernizer_server.workflow.work import JobRunner, Work


class Service:
    """Base of a service.

    Operations on a session raise NotFound if there is no session of that id. Those that start work
    or change the session raise Conflict while work on it is running.

    Args:
        log: The log of the sessions.
        jobs: The work in the background.
    """

    def __init__(self, log: EventLog, services: Services, jobs: JobRunner) -> None:
        self.log = log
        self.services = services
        self.jobs = jobs

    def work(self, session_id: str) -> Work:
        """Return the context for an operation that is not a job.

        Raises:
            NotFound: No such session.
        """
        self.log.session(session_id)
        return Work(session_id, self.services, self.log)

    def check_budget(self, session: Session, fixers: tuple[FixerName, ...]) -> None:
        """Refuse to call a model if its possible cost exceeds the budget.

        Raises:
            Conflict: It does.
        """
        budget = session.settings.budget
        bound = budget.spent(session.spending)
        if FixerName.LLM in fixers and bound is not None and bound is not Bound.FIXES:
            raise Conflict(spent(bound, budget))
        self.check_price(session.settings, fixers)

    def check_price(self, settings: SessionSettings, fixers: tuple[FixerName, ...]) -> None:
        """Refuse a limit of money that is not enforceable.

        Raises:
            BadSetting: The price of the model is unknown.
        """
        asked = FixerName.LLM in fixers and FixerName.LLM in self.services.fixers
        if settings.max_usd is not None and asked and self.services.price is None:
            raise BadSetting(coded("budget.price-unknown", model=repr(self.services.model)))

    def check_settings(self, settings: SessionSettings) -> None:
        """Refuse settings that can only fail later."""
        self.check_price(settings, settings.fixers)
        if settings.competition is not None:
            self.services.competitions.get(settings.competition)
        if settings.sandbox is not None:
            self.services.choose_sandbox(settings.sandbox)

    def notebook(self, session_id: str, digest: str) -> Notebook:
        """Return a notebook of the session by its hash.

        Raises:
            NotFound: It does not exist.
        """
        return self.log.store.notebook(session_id, digest)
