"""Answers of the REST interface's endpoints, without a server."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest
from tornado.web import HTTPError

from mle_modernizer_server.domain.errors import Busy, Conflict, ModernizerError
from mle_modernizer_server.domain.message import verbatim
from mle_modernizer_server.web.endpoint import endpoint


def answered(error: ModernizerError, *, is_allowed: bool = True) -> Any:
    """Return the handler after an endpoint that raised an error."""
    handler = Mock(current_user="me")
    handler.authorizer.is_authorized.return_value = is_allowed

    @endpoint("write")
    async def failing(self: Any) -> None:
        raise error

    asyncio.run(failing(handler))
    return handler


def test_busy_answer_names_the_time_to_wait() -> None:
    handler = answered(Busy(verbatim("Wait."), retry_after=7))
    handler.set_header.assert_called_once_with("Retry-After", "7")
    handler.set_status.assert_called_once_with(503)
    assert handler.reply.call_args.args[0].code == "busy"


def test_error_becomes_status_code_and_sentence() -> None:
    handler = answered(Conflict(verbatim("It is running.")))
    handler.set_status.assert_called_once_with(409)
    answer = handler.reply.call_args.args[0]
    assert (answer.code, answer.message) == ("conflict", "It is running.")
    handler.set_header.assert_not_called()


def test_unauthorised_request_never_reaches_the_method() -> None:
    with pytest.raises(HTTPError) as refusal:
        answered(Conflict(verbatim("It is running.")), is_allowed=False)
    assert refusal.value.status_code == 403
