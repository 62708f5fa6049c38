"""Ask a model for the claims of a paper, and again until the answer has the form of one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import openai

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.model_calls import (
    Bound,
    Budget,
    ChatMessage,
    ModelCall,
    Spending,
    Usage,
)
from mle_modernizer_server.domain.paper import ReadClaim
from mle_modernizer_server.fixing.llm.claims import ClaimsBrief, claims_prompt, read_reply
from mle_modernizer_server.fixing.llm.client import ModelClient
from mle_modernizer_server.fixing.llm.endpoint_options import Accepted
from mle_modernizer_server.fixing.llm.failures import (
    BrokenAnswer,
    explain_failure,
    fitting_share,
    is_too_long,
)
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.llm.view import shorten

_QUOTED_REPLY = 4_000
_RETRY = (
    "No line of that answer is a claim. Answer with one JSON object a line, with the keys quote, "
    "number, dataset, method, metric and own, and nothing else; then the line `=== END ===`."
)


@dataclass(frozen=True)
class ReadClaims:
    """Claims that a model named.

    Attributes:
        unreadable: Lines of the answer that are no claim.
    """

    claims: tuple[ReadClaim, ...]
    unreadable: int
    usage: Usage


class ClaimReader:
    """Has a model behind an OpenAI-compatible endpoint read a paper."""

    def __init__(self, settings: LlmSettings) -> None:
        """
        Args:
            settings: Endpoint, model and key.
        """
        self._settings = settings
        self._accepted = Accepted()

    async def read(
        self, brief: ClaimsBrief, budget: Budget, say: Callable[[str], None]
    ) -> ReadClaims:
        """Request the claims of a paper; cancelling the task closes the connection at once.

        Args:
            brief: The paper.
            budget: No request is repeated beyond it.
            say: Called with progress for a waiting user.

        Raises:
            FixerFailed: The endpoint cannot be used, refuses, or returned no usable answer; has the
                usage.
        """
        settings, calls = self._settings, list[ModelCall]()
        prompt = await pools.code.run(claims_prompt, settings, brief)
        messages, mistake = [*prompt.messages], "No answer came."
        shortened = False
        tries = 0
        async with ModelClient(settings, self._accepted, calls.append) as client:
            while tries <= settings.max_retries and not (tries and _spent(budget, calls)):
                try:
                    answer = await client.ask(messages, lambda text: None, say)
                except BrokenAnswer as broken:
                    mistake = broken.message
                    await asyncio.sleep(min(0.25 * 2**tries, 4))
                    tries += 1
                    continue
                except openai.APIError as error:
                    if is_too_long(error) and not shortened:
                        shortened, share = True, fitting_share(error)
                        say("The paper is too long for the model; asking with less of it")
                        prompt = await pools.code.run(claims_prompt, settings, brief, share)
                        messages = [*prompt.messages]
                        continue
                    said = f"LLM failed: {explain_failure(error, settings)}"
                    raise FixerFailed(verbatim(said), usage=_usage(calls)) from error
                tries += 1
                if answer.refusal:
                    mistake = answer.refusal[:300]
                    break
                reply = await pools.code.run(read_reply, answer.text, prompt.redactor)
                if reply.usable:
                    return ReadClaims(reply.claims, reply.unreadable, _usage(calls))
                mistake = "No line of the answer is a claim."
                quoted = shorten(answer.text, _QUOTED_REPLY) or "(empty)"
                messages += [
                    ChatMessage(role="assistant", text=quoted),
                    ChatMessage(role="user", text=_RETRY),
                ]
        raise FixerFailed(
            coded("claims.no-reply", model=repr(settings.model), count=len(calls), mistake=mistake),
            usage=_usage(calls),
        )


def _usage(calls: list[ModelCall]) -> Usage:
    return sum((call.usage for call in calls), Usage())


def _spent(budget: Budget, calls: list[ModelCall]) -> Bound | None:
    usage = _usage(calls)
    return budget.spent(
        Spending(tokens=usage.input_tokens + usage.output_tokens, usd=usage.cost_usd)
    )
