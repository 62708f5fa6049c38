"""Endpoints that are one call of the workflow, without a server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine
from typing import Any
from unittest.mock import AsyncMock, Mock, create_autospec

import pytest

from mle_modernizer_server.web.handlers import OF_A_SESSION
from mle_modernizer_server.workflow.service.runs import Runs
from mle_modernizer_server.workflow.service.sessions import Sessions
from mle_modernizer_server.workflow.service.studies import Studies

CALLS = {
    route: handler
    for route, handler in OF_A_SESSION.items()
    if handler.__module__ == "mle_modernizer_server.web.calls"
}


async def waited(work: Coroutine[Any, Any, Any]) -> Any:
    return await work


@pytest.mark.parametrize("route", CALLS)
def test_fields_of_a_message_are_arguments_of_the_call(route: str) -> None:
    services = (Runs, Sessions, Studies)
    runs, sessions, studies = (create_autospec(one, instance=True) for one in services)
    handler = Mock(
        current_user="me",
        modernizer=Mock(runs=runs, sessions=sessions, studies=studies),
        body=AsyncMock(return_value=Mock()),
        unless_client_leaves=waited,
    )
    kind = CALLS[route]
    method = kind.post if "post" in vars(kind) else kind.get
    ids = ["0" * 32] * (1 + re.compile(route).groups)
    asyncio.run(method(handler, *ids))  # a call with other arguments raises a TypeError
    called = [*runs.mock_calls, *sessions.mock_calls, *studies.mock_calls]
    assert [call.args for call in called] == [tuple(ids)]


def test_calls_of_every_kind_are_tested() -> None:
    assert len(CALLS) > 15
