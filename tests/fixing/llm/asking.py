"""Asks the fixer through a stand-in endpoint."""

from __future__ import annotations

from typing import Any

import pytest

from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.proposal import (
    Proposal,
)
from mle_modernizer_server.fixing.fixer import FixRequest, NoFix
from mle_modernizer_server.fixing.llm.fixer import LlmFixer
from mle_modernizer_server.words import text
from tests.fixing.llm.material import KEY, fix_request, settings
from tests.llm_server import LlmServer


async def propose(
    server: LlmServer, request: FixRequest | None = None, **more: Any
) -> Proposal | NoFix:
    fixer = LlmFixer(settings(server, **more))
    return await fixer.propose(request or fix_request(), lambda text: None)


async def proposal(server: LlmServer, request: FixRequest | None = None, **more: Any) -> Proposal:
    answer = await propose(server, request, **more)
    assert isinstance(answer, Proposal)
    return answer


async def failure(server: LlmServer, **more: Any) -> FixerFailed:
    with pytest.raises(FixerFailed) as caught:
        await propose(server, **more)
    assert KEY not in text(caught.value.message)
    return caught.value
