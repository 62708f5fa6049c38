"""`jupyter modernize paper --complete`: a model completes the claims that rules find."""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

from mle_modernizer_server.cli.setting_options import add_setting
from mle_modernizer_server.cli.terminal.review import ask_to_start
from mle_modernizer_server.cli.terminal.safe_text import harmless, one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.cost import Budget
from mle_modernizer_server.domain.paper import ClaimCompletion, ClaimsQuestion
from mle_modernizer_server.words import label
from mle_modernizer_server.workflow.service import Modernizer

_SHOWN_REFUSED = 20


@dataclass(frozen=True)
class CompleteOptions:
    """Options of completing the claims with a model.

    Attributes:
        yes: Send the paper without a question.
        show_prompt: Print the prompt, and send nothing.
        budget: Of tokens and money.
    """

    yes: bool
    show_prompt: bool
    budget: Budget


def add_complete(parser: argparse.ArgumentParser) -> None:
    """Add the options of completing claims, and those of every question to a model."""
    group = parser.add_argument_group("let a model complete the claims")
    group.add_argument(
        "--complete",
        action="store_true",
        default=None,
        help="have the model name claims that the rules miss, each with a quote. Quotes that "
        "do not occur literally in the paper are refused; the other claims are kept in "
        "FILE.claims.json",
    )
    group.add_argument(
        "--show-prompt",
        action="store_true",
        default=None,
        help="print what --complete would send, without sending it",
    )
    asking = parser.add_argument_group("limits of a model (--complete, --write)")
    asking.add_argument(
        "--yes", action="store_true", default=None, help="do not ask for confirmation"
    )
    add_setting(asking, "max_tokens")
    add_setting(asking, "max_usd")


def take_complete(
    parser: argparse.ArgumentParser, given: argparse.Namespace
) -> CompleteOptions | None:
    """Return the options of completing; pop those that belong to it alone from all others.

    Returns:
        None if nothing has to be completed.

    Raises:
        SystemExit: With 2, if they are not compatible with the others.
    """
    wanted, show = given.__dict__.pop("complete"), given.__dict__.pop("show_prompt")
    if wanted is None:
        if show is not None:
            parser.error("--show-prompt needs --complete")
        return None
    return CompleteOptions(
        yes=bool(given.yes),
        show_prompt=bool(show),
        budget=Budget(tokens=given.max_tokens, usd=given.max_usd),
    )


def complete_claims(modernizer: Modernizer, paper: Path, options: CompleteOptions) -> bool:
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
    asyncio.run(
        modernizer.papers.complete_claims(
            paper, options.budget, lambda said: print(harmless(said), file=sys.stderr)
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
