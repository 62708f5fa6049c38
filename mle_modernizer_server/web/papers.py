"""The REST handler for papers."""

from __future__ import annotations

from typing import Any

from mle_modernizer_server.domain.errors import NotFound
from mle_modernizer_server.web import messages
from mle_modernizer_server.web.contents import file_below, may, server_root
from mle_modernizer_server.web.endpoint import ModernizerHandler, endpoint


class PaperHandler(ModernizerHandler):
    """Reads papers."""

    @endpoint("read")
    async def post(self) -> None:
        """Answer with `PaperReading`; nothing is written and nothing of the paper is executed."""
        ask = await self.body(messages.ReadPaper)
        await may(self, "read")
        file = file_below(server_root(self), ask.path)
        if file is None:
            raise NotFound(f"There is no file {ask.path} in the file browser.")
        self.reply(await self.modernizer.read_paper(file))


def routes() -> list[tuple[str, type[Any]]]:
    """Its route."""
    return [(r"papers", PaperHandler)]
