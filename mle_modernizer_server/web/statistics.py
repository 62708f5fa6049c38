"""Handlers of what work costs and led to: the estimate before, the statistics after."""

from __future__ import annotations

from functools import partial

from mle_modernizer_server.domain.estimate import Estimate
from mle_modernizer_server.domain.statistics import SessionStatistics, Statistics
from mle_modernizer_server.web import messages
from mle_modernizer_server.web.endpoint import ModernizerHandler, endpoint
from mle_modernizer_server.workflow.log.history import all_facts, beside, facts_of
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.estimate import NEWEST, estimate
from mle_modernizer_server.workflow.report.statistics import statistics


class EstimateHandler(ModernizerHandler):
    """Says what an auto run will probably cost."""

    @endpoint("read")
    async def post(self) -> None:
        """Answer with `Estimate`; `409` where no model would be asked."""
        ask = self.body(messages.EstimateRequest)
        rooms = self.modernizer.rooms

        def work(store: Store) -> Estimate:
            return estimate(rooms, ask.notebook, ask.settings, all_facts(store, most=NEWEST))

        self.reply(await beside(self.modernizer.journal.store, work))


class StatisticsHandler(ModernizerHandler):
    """The statistics of many sessions."""

    @endpoint("read")
    async def get(self) -> None:
        """Answer with `Statistics` of the sessions whose path begins with `path`."""
        prefix = self.get_query_argument("path", "")

        def work(store: Store) -> Statistics:
            return statistics(all_facts(store, prefix))

        self.reply(await beside(self.modernizer.journal.store, work))


class SessionStatisticsHandler(ModernizerHandler):
    """The statistics of one session."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with `SessionStatistics`."""
        store = self.modernizer.journal.store
        facts = await beside(store, partial(facts_of, session_id=session_id))
        self.reply(SessionStatistics(facts=facts, statistics=statistics([facts])))
