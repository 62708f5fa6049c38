"""The REST handlers for batches: their folders, looked at and reviewed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mle_modernizer_server import pools
from mle_modernizer_server.batch.overview import Overviews, proposed
from mle_modernizer_server.domain.errors import BadInput, NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.web import messages
from mle_modernizer_server.web.contents import folder_below, may, server_root
from mle_modernizer_server.web.endpoint import ModernizerHandler, endpoint

_overviews = Overviews()
"""Cache of read results; a result's file never changes."""


class BatchesHandler(ModernizerHandler):
    """Looks at batches."""

    @endpoint("read")
    async def get(self) -> None:
        """Answer with `BatchOverview`: `?path=FOLDER&since=STAMP`."""
        await may(self, "read")
        since = self.get_query_argument("since", "0")
        if not since.isdecimal() or len(since) > 20:
            raise BadInput(coded("request.no-number", name="since", text=since[:50]))
        root, folder = _folder(self, self.get_query_argument("path", ""))
        self.reply(await pools.files.run(_overviews.look, root, folder, int(since)))


class ReviewBatchResultHandler(ModernizerHandler):
    """Review of the changes that batches propose."""

    @endpoint("write", droppable=True)
    async def post(self) -> None:
        """Answer 201 with a session of the notebook in which the changes wait for review."""
        ask = await self.body(messages.ReviewBatchResult)
        await may(self, "read")
        root, folder = _folder(self, ask.path)
        found = await pools.files.run(proposed, root, folder, ask.key)
        # Further settings of the batch (a sandbox, the network) are not taken over from a folder.
        settings = SessionSettings(competition=found.competition, target_score=found.target)
        session = await self.modernizer.sessions.review_elsewhere(
            found.row.path or "",
            found.file,
            settings,
            found.proposal,
            found.file.path.parent,
        )
        self.reply_session(session, 201)


def _folder(handler: ModernizerHandler, path: str) -> tuple[Path, Path]:
    """Return the server's root, and a folder of the file browser.

    Raises:
        NotFound: There is none.
    """
    root = server_root(handler).resolve()
    folder = folder_below(root, path)
    if folder is None:
        raise NotFound(coded("request.no-file", path=path))
    return root, folder


def routes() -> list[tuple[str, type[Any]]]:
    """Return their routes."""
    return [(r"batches", BatchesHandler), (r"batches/review", ReviewBatchResultHandler)]
