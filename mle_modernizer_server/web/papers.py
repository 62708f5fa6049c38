"""The REST handlers for papers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mle_modernizer_server.domain.errors import NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.model_calls import Budget
from mle_modernizer_server.web import messages
from mle_modernizer_server.web.contents import file_below, may, server_root
from mle_modernizer_server.web.endpoint import MOST_WITH_NOTEBOOK, ModernizerHandler, endpoint


class PaperHandler(ModernizerHandler):
    """Reads papers."""

    @endpoint("read")
    async def post(self) -> None:
        """Answer with `PaperReading`; nothing is written and nothing of the paper is executed."""
        ask = await self.body(messages.ReadPaper)
        await may(self, "read")
        self.reply(await self.modernizer.papers.read_paper(_file(self, ask.path)))


class PageHandler(ModernizerHandler):
    """Shows pages of papers."""

    @endpoint("read")
    async def post(self) -> None:
        """Answer with `PagePicture`; nothing is written and nothing of the paper is executed."""
        ask = await self.body(messages.ShowPage)
        await may(self, "read")
        self.reply(
            await self.modernizer.papers.page_picture(_file(self, ask.path), ask.page, ask.mark)
        )


class ClaimsQuestionHandler(ModernizerHandler):
    """Preview of the data that a model would get for the claims of a paper."""

    @endpoint("read")
    async def post(self) -> None:
        """Answer with `ClaimsQuestion`; nothing is sent to a model."""
        ask = await self.body(messages.ReadPaper)
        await may(self, "read")
        self.reply(await self.modernizer.papers.claims_question(_file(self, ask.path)))


class ClaimsHandler(ModernizerHandler):
    """Has a model complete the claims of a paper."""

    @endpoint("execute")
    async def post(self) -> None:
        """Query the model, store its claims next to the paper, and answer with `PaperReading`."""
        ask = await self.body(messages.CompleteClaims)
        await may(self, "read")
        await may(self, "write")
        budget = Budget(tokens=ask.max_tokens, usd=ask.max_usd)
        asking = self.modernizer.papers.complete_claims(_file(self, ask.path), budget)
        reading = await self.unless_client_leaves(asking)
        if reading is not None:
            self.reply(reading)


class ReproductionHandler(ModernizerHandler):
    """Makes notebooks to reproduce papers with."""

    @endpoint("write")
    async def post(self) -> None:
        """Write a new notebook next to a paper and answer 201 with `MadeReproduction`."""
        ask = await self.body(messages.MakeReproduction)
        await may(self, "read")
        await may(self, "write")
        file = _file(self, ask.path)
        made = await self.modernizer.papers.make_reproduction(file, ask.claims)
        root = server_root(self).resolve()
        self.set_status(201)
        self.reply(messages.MadeReproduction(path=made.relative_to(root).as_posix()))


class WritingHandler(ModernizerHandler):
    """Has a model write the notebook of a paper's experiment."""

    most_bytes = MOST_WITH_NOTEBOOK

    @endpoint("read")
    async def get(self, session_id: str) -> None:
        """Answer with `WritingEstimate`; the paper is read, and nothing is sent to a model."""
        await may(self, "read")
        self.reply(await self.modernizer.papers.writing_estimate(session_id))

    @endpoint("execute")
    async def post(self, session_id: str) -> None:
        """Write the session's notebook, stage by stage, and put it up for review: `202`."""
        ask = await self.body(messages.WriteReproduction)
        await may(self, "read")
        session = await self.modernizer.papers.start_writing(session_id, ask.notebook, ask.rounds)
        self.reply_session(session, 202)


def _file(handler: ModernizerHandler, path: str) -> Path:
    """Return a file of the file browser.

    Raises:
        NotFound: There is none.
    """
    file = file_below(server_root(handler), path)
    if file is None:
        raise NotFound(coded("request.no-file", path=path))
    return file


def routes(session: str) -> list[tuple[str, type[Any]]]:
    """Return their routes, and the one below a session's."""
    return [
        (r"papers", PaperHandler),
        (r"papers/page", PageHandler),
        (r"papers/claims", ClaimsHandler),
        (r"papers/claims/question", ClaimsQuestionHandler),
        (r"papers/notebook", ReproductionHandler),
        (session + r"/writing", WritingHandler),
    ]
