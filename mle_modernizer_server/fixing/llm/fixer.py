"""The fixer that asks a language model, and asks again until the answer is a sound patch."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from uuid import uuid4

import openai
from openai.types.chat import ChatCompletionMessageParam

from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import (
    FixerName,
    IntegritySeverity,
    Proposal,
    Usage,
)
from mle_modernizer_server.fixing.fixer import (
    FixRequest,
    NoFix,
    OnText,
    OnUsage,
    count_nothing,
)
from mle_modernizer_server.fixing.integrity import check_patch
from mle_modernizer_server.fixing.llm.client import Answer, BrokenAnswer, ChatClient
from mle_modernizer_server.fixing.llm.failures import explain_failure
from mle_modernizer_server.fixing.llm.patch import PatchRules, build_patch
from mle_modernizer_server.fixing.llm.prompt import (
    Explain,
    KnowledgeEntry,
    Prompt,
    PromptWriter,
    Relevant,
)
from mle_modernizer_server.fixing.llm.redaction import Redactor
from mle_modernizer_server.fixing.llm.reply import UnusableReply, parse_reply, plan_so_far
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.llm.view import shorten

_QUOTED_REPLY = 12_000
_PLAN_SHOWN = 20_000


def _nothing_known(error: CellError, environment: Environment) -> tuple[str, str] | None:
    return None


def _nothing_relevant(
    notebook: Notebook, environment: Environment, era: Era
) -> tuple[KnowledgeEntry, ...]:
    return ()


class LlmFixer:
    """Proposes patches by a model behind an OpenAI-compatible endpoint."""

    def __init__(
        self,
        settings: LlmSettings,
        *,
        explain: Explain = _nothing_known,
        relevant: Relevant = _nothing_relevant,
    ) -> None:
        """
        Args:
            settings: Endpoint, model and key.
            explain: What is known of an error; goes into the prompt.
            relevant: The breaking changes a notebook touches; go into the prompt.
        """
        self._settings = settings
        self._writer = PromptWriter(
            secrets.token_hex(4),
            explain=explain,
            relevant=relevant,
            max_chars=settings.max_prompt_chars,
            send_scores=settings.send_scores,
        )

    @property
    def name(self) -> FixerName:
        """The LLM fixer."""
        return FixerName.LLM

    async def propose(
        self, request: FixRequest, on_text: OnText, on_usage: OnUsage = count_nothing
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
        key = self._settings.api_key
        redactor = Redactor([key.get_secret_value()] if key else [])
        prompt = await asyncio.to_thread(self._writer.write, request, redactor)
        messages: list[ChatCompletionMessageParam] = [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.request},
        ]
        usage = Usage()
        reason = ""
        async with ChatClient(self._settings) as client:
            for attempt in range(1 + self._settings.max_retries):
                try:
                    answer = await client.ask(messages, _PlanFollower(on_text))
                except BrokenAnswer as broken:
                    usage, reason = usage + broken.usage, broken.message
                    on_usage(usage)
                    await asyncio.sleep(min(0.25 * 2**attempt, 4))
                    continue
                except openai.APIError as error:
                    raise FixerFailed(
                        f"LLM failed: {explain_failure(error, self._settings)}", usage=usage
                    ) from error
                usage += answer.usage
                on_usage(usage)
                try:
                    return await asyncio.to_thread(
                        self._read, answer, prompt, request, redactor, usage
                    )
                except UnusableReply as unusable:
                    reason = str(unusable)
                    messages += [
                        {
                            "role": "assistant",
                            "content": shorten(answer.text, _QUOTED_REPLY) or "(empty)",
                        },
                        {"role": "user", "content": self._writer.retry(reason)},
                    ]
        raise FixerFailed(
            f"LLM failed: no usable reply from {self._settings.model!r} in {usage.calls} "
            f"{'try' if usage.calls == 1 else 'tries'}. The last one: {reason} The notebook is "
            "unchanged; ask again, change the scope or use another model.",
            usage=usage,
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
