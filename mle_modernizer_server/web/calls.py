"""Handlers of the endpoints of a session that are one call of the workflow.

Each is named by that call. The fields of a request's message are its arguments.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import TypeVar

from pydantic import BaseModel

from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.web.endpoint import MOST_WITH_NOTEBOOK, ModernizerHandler, endpoint
from mle_modernizer_server.workflow.service import Modernizer

Handler = type[ModernizerHandler]
_Answer = TypeVar("_Answer", bound=BaseModel)


def shows(call: Callable[[Modernizer], Callable[..., BaseModel | Awaitable[BaseModel]]]) -> Handler:
    """Return the handler of a `GET` that answers with the result of a call.

    Args:
        call: Called with the ids in the path, the session's first.
    """

    class Shows(ModernizerHandler):
        """Shows something of a session."""

        @endpoint("read")
        async def get(self, *ids: str) -> None:
            """Answer with it."""
            self.reply(await _result(call(self.modernizer)(*ids)))

    return Shows


def changes(
    call: Callable[[Modernizer], Callable[..., Session | Awaitable[Session]]],
    body: type[BaseModel] | None = None,
    *,
    starts_work: bool = True,
) -> Handler:
    """Return the handler of a `POST` that changes a session and answers with it.

    Args:
        call: Called with the ids in the path, the session's first, and the fields of the body.
        body: Message of the request; its notebook, if it has one, may be large. None: it has none.
        starts_work: Whether the call starts or stops work: `202`, for a user who may execute.
            Otherwise it answers `200`, for a user who may write.
    """

    class Changes(ModernizerHandler):
        """Changes a session."""

        if body is not None and "notebook" in body.model_fields:
            most_bytes = MOST_WITH_NOTEBOOK

        @endpoint("execute" if starts_work else "write")
        async def post(self, *ids: str) -> None:
            """Answer with the session."""
            fields = {}
            if body is not None:
                ask = await self.body(body)
                fields = {name: getattr(ask, name) for name in body.model_fields}
            session = await _result(call(self.modernizer)(*ids, **fields))
            self.reply_session(session, 202 if starts_work else 200)

    return Changes


async def _result(answer: _Answer | Awaitable[_Answer]) -> _Answer:
    return await answer if isawaitable(answer) else answer
