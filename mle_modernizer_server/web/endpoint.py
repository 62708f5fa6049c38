"""What every REST handler has: who may ask, a body that is checked, errors as sentences."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from pydantic import BaseModel, ValidationError
from tornado import web

from mle_modernizer_server.domain.errors import BadInput, BadSetting, ModernizerError
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.web import messages
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.service import Modernizer

NAMESPACE = "mle-modernizer"
RESOURCE = "mle-modernizer"
"""What a user must be authorised for."""

_Body = TypeVar("_Body", bound=BaseModel)
_Method = Callable[..., Awaitable[None]]


def endpoint(action: str) -> Callable[[_Method], _Method]:
    """A handler's method behind authentication and authorisation, with our errors translated.

    This is the only place where an error becomes a status, a stable code and a sentence.

    Args:
        action: What the user must be allowed to do with the resource: `read`, `write`, `execute`.
    """

    def decorate(method: _Method) -> _Method:
        @functools.wraps(method)
        async def answering(self: ModernizerHandler, *args: str) -> None:
            try:
                await method(self, *args)
            except ModernizerError as error:
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

    @property
    def modernizer(self) -> Modernizer:
        """The workflow."""
        return cast(Modernizer, self.settings["mle_modernizer"])

    def body(self, model: type[_Body]) -> _Body:
        """The request's body as a message.

        Raises:
            BadInput: It is no JSON or not that message; the sentence names the field.
        """
        try:
            data = json.loads(self.request.body or b"null")
        except ValueError as error:
            raise BadInput(f"The request's body is no JSON: {error}") from error
        try:
            return model.model_validate(data)
        except ValidationError as error:
            raise _refused(error) from error

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


def _refused(error: ValidationError) -> BadInput:
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"])) or "the body"
    kind = BadSetting if first["loc"][:1] == ("settings",) else BadInput
    return kind(f"{where}: {first['msg']}.")
