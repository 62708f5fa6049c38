"""The fixer that asks a language model, and asks again until the answer is a sound patch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import uuid4

import openai

from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.exchange import Message, ModelCall
from mle_modernizer_server.domain.proposal import (
    FixerName,
    IntegritySeverity,
    Proposal,
    Usage,
)
from mle_modernizer_server.fixing.fixer import FixRequest, NoFix, OnCall, OnText, no_matter
from mle_modernizer_server.fixing.integrity import check_patch
from mle_modernizer_server.fixing.llm.accepted import Accepted
from mle_modernizer_server.fixing.llm.client import Answer, BrokenAnswer, ModelClient
from mle_modernizer_server.fixing.llm.failures import (
    explain_failure,
    fitting_share,
    is_too_long,
)
from mle_modernizer_server.fixing.llm.patch import PatchRules, build_patch
from mle_modernizer_server.fixing.llm.prompt import Prompt
from mle_modernizer_server.fixing.llm.prompting import Prompts
from mle_modernizer_server.fixing.llm.redaction import Redactor
from mle_modernizer_server.fixing.llm.reply import UnusableReply, parse_reply, plan_so_far
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
            prompts: What is asked; None: prompts that know nothing of breaking changes.
        """
        self._settings = settings
        self._prompts = prompts or Prompts(settings)
        self._accepted = Accepted()

    @property
    def name(self) -> FixerName:
        """The LLM fixer."""
        return FixerName.LLM

    async def propose(
        self, request: FixRequest, on_text: OnText, on_call: OnCall = no_matter
    ) -> Proposal | NoFix:
        """Ask the model; see `fixing.fixer.Fixer.propose`.

        Raises:
            FixerFailed: The endpoint cannot be used, or gave no usable reply after all retries;
                holds what was spent.
        """
        if not self._settings.configured:
            raise FixerFailed(self._settings.reason)
        if request.notebook.language != "python":
            return NoFix(reason="The model is asked about Python notebooks only.")
        spent = _Spent(on_call)
        redactor = self._prompts.redactor()
        prompt = await asyncio.to_thread(self._prompts.write, request, redactor)
        messages = [*prompt.messages]
        shortened = False
        reason = ""
        tries = 0
        async with ModelClient(self._settings, self._accepted, spent) as client:
            while tries <= self._settings.max_retries:
                try:
                    answer = await client.ask(messages, _PlanFollower(on_text), on_text)
                except BrokenAnswer as broken:
                    reason = broken.message
                    on_text(f"{reason} Asking again")
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
                        prompt = await asyncio.to_thread(self._prompts.write, request, redactor)
                        messages = [*prompt.messages]
                        continue
                    raise FixerFailed(
                        f"LLM failed: {explain_failure(error, self._settings)}", usage=spent.usage
                    ) from error
                tries += 1
                try:
                    return await asyncio.to_thread(
                        self._read, answer, prompt, request, redactor, spent.usage
                    )
                except UnusableReply as unusable:
                    reason = str(unusable)
                    quoted = shorten(answer.text, _QUOTED_REPLY) or "(empty)"
                    messages += [
                        Message(role="assistant", text=quoted),
                        Message(role="user", text=self._prompts.retry(reason)),
                    ]
        calls = spent.usage.calls
        raise FixerFailed(
            f"LLM failed: no usable reply from {self._settings.model!r} in {calls} "
            f"{'try' if calls == 1 else 'tries'}. The last one: {reason} The notebook is "
            "unchanged; ask again, change the scope or use another model.",
            usage=spent.usage,
        )

    def _read(
        self, answer: Answer, prompt: Prompt, request: FixRequest, redactor: Redactor, usage: Usage
    ) -> Proposal | NoFix:
        """The proposal an answer makes.

        Raises:
            UnusableReply: It makes none; the message is for the model.
        """
        if answer.refusal:
            raise UnusableReply(
                "You declined to answer. The task is to repair the user's own notebook."
            )
        reply = parse_reply(answer.text, complete=answer.complete)
        if reply.no_fix:
            return NoFix(reason=f"The model proposes no change: {reply.no_fix}", usage=usage)
        rules = PatchRules(
            ids=prompt.view.ids,
            cut=prompt.view.cut,
            editable=prompt.editable,
            restore=redactor.restore,
        )
        patch = build_patch(reply, request.notebook, rules)
        notes = check_patch(request.notebook, patch.edits, competition=request.competition)
        blockers = [note for note in notes if note.severity is IntegritySeverity.BLOCKER]
        if blockers:
            names = {cell_id: name for name, cell_id in prompt.view.ids.items()}
            said = " ".join(
                f"(cell {names.get(note.cell_id or '', 'that is new')}) {note.message}"
                for note in blockers
            )
            raise UnusableReply(f"The patch breaks the rules. {said} Find a faithful repair.")
        return Proposal(
            id=uuid4().hex,
            fixer=FixerName.LLM,
            model=self._settings.model,
            fix_type=request.fix_type,
            scope=prompt.scope,
            plan=reply.plan or ("The model gave no plan.",),
            edits=patch.edits,
            notes=notes,
            usage=usage,
            remarks=patch.remarks,
        )


@dataclass
class _Spent:
    """Adds up what the calls cost, and hands them on."""

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
