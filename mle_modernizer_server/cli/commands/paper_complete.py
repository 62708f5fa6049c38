"""`jupyter modernize paper --complete`: a model completes the claims that rules find."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from mle_modernizer_server.cli.paper_options import PaperOptions
from mle_modernizer_server.cli.terminal.review import ask_to_start
from mle_modernizer_server.cli.terminal.safe_text import harmless, one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.paper import ClaimCompletion, ClaimsQuestion
from mle_modernizer_server.words import label
from mle_modernizer_server.workflow.service import Modernizer

_SHOWN_REFUSED = 20


def complete_claims(modernizer: Modernizer, paper: Path, options: PaperOptions) -> bool:
    """Query the model after the user's consent; return whether there is more to print.

    Raises:
        ModernizerError: No model is configured, or it gave no answer; the message is for the user.
    """
    question = asyncio.run(modernizer.papers.claims_question(paper))
    if options.show_prompt:
        for message in question.messages:
            print(f"--- {message.role}\n{harmless(message.text)}")
        return False
    console = new_console(stderr=True)
    console.print(_question_text(question), soft_wrap=True, markup=False)
    if not options.yes and not ask_to_start(console):
        return True
    budget = options.budget.model_copy(update={"seconds": None})  # that of writing
    asyncio.run(
        modernizer.papers.complete_claims(
            paper, budget, lambda said: print(harmless(said), file=sys.stderr)
        )
    )
    return True


def completion_lines(found: ClaimCompletion) -> list[str]:
    """Return the outcome of the claims that a model named, a line each."""
    usage = found.usage
    cost = "" if usage.cost_usd is None else f", {usage.cost_usd:.4f} USD"
    lines = [
        f"{one_line(found.model, 80)} named {found.confirmed + len(found.refused)} claims: "
        f"{found.confirmed} confirmed by the paper's text, {len(found.refused)} refused"
        + (f", {found.unreadable} lines unreadable" if found.unreadable else "")
        + f" ({usage.input_tokens + usage.output_tokens:,} tokens{cost})."
    ]
    lines += [
        f"  refused: {one_line(one.claim.number, 40)} “{one_line(one.claim.quote, 80)}”: "
        f"{label('refused-claim', one.problem.value)}"
        for one in found.refused[:_SHOWN_REFUSED]
    ]
    if len(found.refused) > _SHOWN_REFUSED:
        lines.append(f"  … and {len(found.refused) - _SHOWN_REFUSED} more")
    return lines


def _question_text(question: ClaimsQuestion) -> str:
    money = "its price is not known"
    if question.cost_usd is not None:
        money = f"about {question.cost_usd:.4f} USD"
    said = (
        f"{question.model} at {question.host} will be sent the paper's text: about "
        f"{question.input_tokens:,} tokens in, {question.output_tokens:,} out; {money}."
    )
    return " ".join([said, *question.left_out])
