"""Base of every REST handler: authorisation, a body that is checked, errors as sentences."""

from __future__ import annotations

import asyncio
import functools
import json
import re
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, cast

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from pydantic import BaseModel, ValidationError
from tornado import web

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import (
    BadInput,
    Busy,
    ModernizerError,
    TooLarge,
    first_problem,
)
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.settings import refused_setting
from mle_modernizer_server.untrusted.parsing import read_json
from mle_modernizer_server.web import messages
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.service import Modernizer

NAMESPACE = "mle-modernizer"
RESOURCE = "mle-modernizer"
"""The resource that a user must be authorised for."""

_MOST_BYTES = 1_000_000
"""Default limit of a request's body."""
MOST_WITH_NOTEBOOK = 20_000_000
"""Of a body that holds the sources of a notebook."""
_MOST_AT_ONCE = 200_000
"""Bytes that are parsed in the event loop; more would be felt by everybody else."""

_Body = TypeVar("_Body", bound=BaseModel)
_Result = TypeVar("_Result")
_Method = Callable[..., Coroutine[Any, Any, None]]


def endpoint(action: str, *, droppable: bool | None = None) -> Callable[[_Method], _Method]:
    """Put a handler's method behind authentication and authorisation, and translate our errors.

    This is the only place where an error becomes a status, a stable code and a sentence.

    Args:
        action: The action on the resource that the user must be authorised for: `read`, `write`,
            `execute`.
        droppable: Whether the request may be refused while too many wait, and stopped when its
            client leaves, because nothing is half done then. None: if it only reads.
    """
    may_drop = action == "read" if droppable is None else droppable

    def decorate(method: _Method) -> _Method:
        @functools.wraps(method)
        async def answering(self: ModernizerHandler, *args: str) -> None:
            try:
                self.check_size()
                if may_drop:
                    pools.refuse_if_full()
                    await self.unless_client_leaves(method(self, *args))
                else:
                    await method(self, *args)
            except ModernizerError as error:
                if isinstance(error, Busy):
                    self.set_header("Retry-After", str(error.retry_after))
                self.set_status(error.status)
                self.reply(
                    messages.ErrorAnswer(
                        code=error.code,
                        message=text(error.message),
                        reason=error.message,
                        cell_id=error.cell_id,
                    )
                )

        allowed: _Method = authorized(action=action, resource=RESOURCE)(answering)
        return cast(_Method, web.authenticated(allowed))

    return decorate


class ModernizerHandler(APIHandler):
    """Base of all handlers."""

    auth_resource = RESOURCE
    most_bytes = _MOST_BYTES
    """Of the request's body."""
    # The attribute that tornado's decorator `stream_request_body` sets: the body comes in pieces,
    # after the authorisation, so that one that is too large is never stored.
    _stream_request_body = True

    def initialize(self) -> None:
        """Begin with an empty body."""
        self._work: asyncio.Future[Any] | None = None
        self._client_left = False
        self._pieces: list[bytes] = []
        self._length = 0

    def data_received(self, chunk: bytes) -> None:
        """Take a piece of the body; discard one that is too large."""
        self._length += len(chunk)
        if self._length > self.most_bytes:
            self._pieces.clear()
        else:
            self._pieces.append(chunk)

    def check_size(self) -> None:
        """Make sure that the body was not too large.

        Raises:
            TooLarge: It was.
        """
        if self._length > self.most_bytes:
            raise TooLarge(
                coded(
                    "request.too-large",
                    length=format(self._length / 1000000.0, ".1f"),
                    most_bytes=self.most_bytes / 1000000.0,
                )
            )

    async def unless_client_leaves(self, work: Coroutine[Any, Any, _Result]) -> _Result | None:
        """Return the result of some work, or None if the client left before: it is stopped then."""
        task = asyncio.ensure_future(work)
        self._work = task
        try:
            return await task
        except asyncio.CancelledError:
            if not self._client_left:
                raise
            return None
        finally:
            task.cancel()

    def on_connection_close(self) -> None:
        """Stop work that nobody waits for any more."""
        self._client_left = True
        if self._work is not None:
            self._work.cancel()

    @property
    def modernizer(self) -> Modernizer:
        """Return the workflow."""
        return cast(Modernizer, self.settings["mle_modernizer"])

    async def body(self, model: type[_Body]) -> _Body:
        """Return the request's body as a message.

        Raises:
            BadInput: It is no JSON or not that message; the sentence names the field.
        """
        content = self.content()
        if len(content) <= _MOST_AT_ONCE:
            return _parsed(content, model)
        return await pools.code.run(_parsed, content, model)

    def content(self) -> bytes:
        """Return the request's body, once."""
        content = b"".join(self._pieces)
        self._pieces.clear()
        return content

    def reply(self, answer: BaseModel) -> None:
        """Finish with a JSON body."""
        self.finish(answer.model_dump_json())

    def reply_session(self, session: Session, status: int = 200) -> None:
        """Finish with a session; for new things and started work with its address."""
        self.set_status(status)
        if status in (201, 202):
            self.set_header(
                "Location", url_path_join(self.base_url, NAMESPACE, "api", "sessions", session.id)
            )
        self.reply(session)


_HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")
"""A surrogate: half of a pair, or no character at all."""


def _parsed(content: bytes, model: type[_Body]) -> _Body:
    try:
        given = read_json(content or b"null")
        if _HALF_CHARACTER.search(content):
            # A half on its own is no text: neither the store nor an answer could hold it.
            json.dumps(given, ensure_ascii=False).encode()
        return model.model_validate(given)
    except ValidationError as error:
        raise _refused(error) from error
    except ValueError as error:
        raise BadInput(coded("request.no-json", error=str(error))) from error


def _refused(error: ValidationError) -> BadInput:
    where, why = first_problem(error)
    first, _, setting = where.partition(".")
    if first == "settings":
        return refused_setting(setting or first, why)
    return BadInput(coded("request.wrong", name=where or "the body", why=why))
