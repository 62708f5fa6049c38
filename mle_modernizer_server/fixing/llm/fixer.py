"""The fixer that asks a language model, and asks again until the answer is a sound patch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import openai

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.model_calls import ChatMessage, ModelCall, Usage
from mle_modernizer_server.domain.proposal import FixerName, Proposal
from mle_modernizer_server.fixing.fixer import FixRequest, NoFix, OnCall, OnText, no_matter
from mle_modernizer_server.fixing.llm.client import ModelClient
from mle_modernizer_server.fixing.llm.draft import Draft
from mle_modernizer_server.fixing.llm.endpoint_options import Accepted
from mle_modernizer_server.fixing.llm.failures import (
    BrokenAnswer,
    explain_failure,
    fitting_share,
    is_too_long,
)
from mle_modernizer_server.fixing.llm.prompting import Prompts
from mle_modernizer_server.fixing.llm.reply import plan_so_far
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.llm.view import shorten

_QUOTED_REPLY = 12_000
_PLAN_SHOWN = 20_000


class LlmFixer:
    """Proposes patches by a model behind an OpenAI-compatible endpoint."""

    def __init__(self, settings: LlmSettings, prompts: Prompts | None = None) -> None:
        """
        Args:
            settings: Endpoint, model and key.
            prompts: Writer of the prompts; None: prompts without breaking changes.
        """
        self._settings = settings
        self._prompts = prompts or Prompts(settings)
        self._accepted = Accepted()

    @property
    def name(self) -> FixerName:
        """Return the name of the LLM fixer."""
        return FixerName.LLM

    async def propose(
        self, request: FixRequest, on_text: OnText, on_call: OnCall = no_matter
    ) -> Proposal | NoFix:
        """Query the model; see `fixing.fixer.Fixer.propose`.

        Raises:
            FixerFailed: The endpoint cannot be used, or returned no usable reply after all retries;
                has the usage.
        """
        if not self._settings.configured:
            raise FixerFailed(verbatim(self._settings.reason))
        if request.notebook.language != "python":
            return NoFix(reason=coded("model.python-only"))
        spent = _Spent(on_call)
        redactor = self._prompts.redactor()
        prompt = await pools.code.run(self._prompts.write, request, redactor)
        messages = [*prompt.messages]
        shortened = False
        draft = Draft(request, self._settings.model)
        tries = 0
        async with ModelClient(self._settings, self._accepted, spent) as client:
            while tries <= self._settings.max_retries:
                try:
                    answer = await client.ask(messages, _PlanFollower(on_text), on_text)
                except BrokenAnswer as broken:
                    draft.broken(broken.message)
                    on_text(f"{broken.message} Asking again")
                    await asyncio.sleep(min(0.25 * 2**tries, 4))
                    tries += 1
                    continue
                except openai.APIError as error:
                    if (
                        is_too_long(error)
                        and not shortened
                        and self._prompts.shrink(prompt, fitting_share(error))
                    ):
                        shortened = True
                        on_text("The prompt is too long for the model; asking with a shorter one")
                        redactor = self._prompts.redactor()
                        prompt = await pools.code.run(self._prompts.write, request, redactor)
                        messages = [*prompt.messages]
                        continue
                    said = f"LLM failed: {explain_failure(error, self._settings)}"
                    if draft.stands:
                        draft.broken(said)
                        break
                    raise FixerFailed(verbatim(said), usage=spent.usage) from error
                tries += 1
                done = await pools.code.run(draft.take, answer, prompt, redactor)
                if done is not None:
                    return done.model_copy(update={"usage": spent.usage})
                quoted = shorten(answer.text, _QUOTED_REPLY) or "(empty)"
                messages += [
                    ChatMessage(role="assistant", text=quoted),
                    ChatMessage(
                        role="user", text=self._prompts.retry(draft.mistakes, draft.standing)
                    ),
                ]
        if draft.stands:
            return draft.proposal(prompt).model_copy(update={"usage": spent.usage})
        calls = spent.usage.calls
        raise FixerFailed(
            coded(
                "llm.no-reply",
                model=repr(self._settings.model),
                count=calls,
                mistakes=" ".join(draft.mistakes),
            ),
            usage=spent.usage,
        )


@dataclass
class _Spent:
    """Sum of the costs of the calls, which are also passed on."""

    on_call: OnCall
    usage: Usage = field(default_factory=Usage)

    def __call__(self, call: ModelCall) -> None:
        self.usage += call.usage
        self.on_call(call)


class _PlanFollower:
    """Hands the plan of a growing reply on, until it is complete."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self._shown = ""
        self._complete = False

    def __call__(self, text: str) -> None:
        if self._complete:
            return
        plan, self._complete = plan_so_far(text[:_PLAN_SHOWN])
        self._complete = self._complete or len(text) > _PLAN_SHOWN
        if plan != self._shown:
            self._shown = plan
            self._on_text(plan)
