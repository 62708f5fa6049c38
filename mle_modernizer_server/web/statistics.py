"""Handlers of what work costs and led to: the estimate before, the statistics after."""

from __future__ import annotations

from mle_modernizer_server.web import messages
from mle_modernizer_server.web.endpoint import MOST_WITH_NOTEBOOK, ModernizerHandler, endpoint


class EstimateHandler(ModernizerHandler):
    """Says what an auto run will probably cost."""

    most_bytes = MOST_WITH_NOTEBOOK

    @endpoint("read")
    async def post(self) -> None:
        """Answer with `Estimate`; `409` where no model would be asked."""
        ask = await self.body(messages.EstimateRequest)
        self.reply(await self.modernizer.estimate(ask.notebook, ask.settings))


class StatisticsHandler(ModernizerHandler):
    """The statistics of many sessions."""

    @endpoint("read")
    async def get(self) -> None:
        """Answer with `Statistics` of the sessions whose path begins with `path`."""
        self.reply(await self.modernizer.statistics(self.get_query_argument("path", "")))


class SessionStatisticsHandler(ModernizerHandler):
    """The statistics of one session."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with `SessionStatistics`."""
        self.reply(await self.modernizer.session_statistics(session_id))
