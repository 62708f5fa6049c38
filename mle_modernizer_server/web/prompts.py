"""Prompts that a model would get, and those sent, with their replies."""

from __future__ import annotations

from mle_modernizer_server.domain.model_calls import ExchangeList
from mle_modernizer_server.web import messages
from mle_modernizer_server.web.endpoint import MOST_WITH_NOTEBOOK, ModernizerHandler, endpoint


class PromptHandler(ModernizerHandler):
    """Shows a prompt before anything is sent."""

    most_bytes = MOST_WITH_NOTEBOOK

    @endpoint("read")
    async def post(self, session_id: str) -> None:
        """Answer with `PromptPreview`; nothing is sent and nothing is stored."""
        ask = await self.body(messages.AskFix)
        self.reply(
            await self.modernizer.runs.preview_prompt(
                session_id, fix_type=ask.fix_type, scope=ask.scope, notebook=ask.notebook
            )
        )


class ExchangesHandler(ModernizerHandler):
    """Exchanges with models in a session."""

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with `ExchangeList`, oldest first."""
        self.reply(ExchangeList(exchanges=self.modernizer.sessions.exchanges(session_id)))


class ExchangeHandler(ModernizerHandler):
    """Exchanges with models for one proposal."""

    @endpoint("read")
    async def get(self, session_id: str, exchange_id: str) -> None:
        """Answer with `Exchange`."""
        self.reply(self.modernizer.sessions.exchange(session_id, exchange_id))


def routes(session: str) -> list[tuple[str, type[ModernizerHandler]]]:
    """Return the routes below a session's."""
    return [
        (session + r"/prompt", PromptHandler),
        (session + r"/exchanges", ExchangesHandler),
        (session + r"/proposals/([\w.-]{1,128})/exchange", ExchangeHandler),
    ]
