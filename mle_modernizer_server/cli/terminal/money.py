"""Tokens and money, in words for the terminal."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mle_modernizer_server.cli.terminal.safe_text import note
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.model_calls import Estimate, Price, Range, Usage
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.domain.text import counted
from mle_modernizer_server.untrusted.files import is_file
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.service import Modernizer


def usage_text(usage: Usage) -> str:
    """Return tokens and cost on one line; empty if no model was queried."""
    if usage.failed and not usage.calls:
        return f"asked {_times(usage.asked)}, {usage.failed} failed"
    if not usage.calls:
        return ""
    about = "about " if usage.estimated else ""
    share = usage.cached_input_tokens / max(usage.input_tokens, 1)
    cached = f" ({share:.0%} from the cache)" if usage.cached_input_tokens else ""
    thought = f" ({usage.reasoning_tokens:,} of them reasoning)" if usage.reasoning_tokens else ""
    calls = "1 call" if usage.calls == 1 else f"{usage.calls} calls"
    if usage.failed:
        calls = f"asked {_times(usage.asked)}, {usage.failed} failed"
    return (
        f"{calls}, {about}{usage.input_tokens:,} tokens in{cached}, {usage.output_tokens:,} "
        f"out{thought}, {cost_text(usage)}"
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def cost_text(usage: Usage) -> str:
    """Return the cost, and the day of the prices behind it."""
    if usage.cost_usd is None:
        return "cost unknown: there is no price for the model"
    day = "" if usage.prices_as_of is None else f" (prices of {usage.prices_as_of})"
    rest = ""
    if usage.unpriced_calls:
        rest = f" and {counted(usage.unpriced_calls, 'call')} without a known price"
    return f"{usage.cost_usd:.4f} USD{rest}{day}"


def estimate_text(found: Estimate) -> str:
    """Return the estimate as a sentence or two, with its basis."""
    if not found.fixes.high:
        return "No fixes are allowed (--max-fixes 0): the model is not asked."
    tokens = f"{_range(found.input_tokens)} tokens in and {_range(found.output_tokens)} out"
    if found.cost_usd is None or found.price is None:
        money = f"cost unknown: there is no price for {found.model} (MLE_MODERNIZER_PRICES)"
    else:
        money = f"{_dollars(found.cost_usd)}{_day(found.price)}"
    fixes = f"{_count(found.fixes.low)} to {_count(found.fixes.high)} fixes by {found.model}"
    return f"Estimate for {fixes}: {money}; {tokens}. {found.rests_on} Fixes by rules cost nothing."


def estimate_before(
    modernizer: Modernizer, notebook: Notebook, settings: SessionSettings, database: Path
) -> str:
    """Return the estimate for an auto run; empty if no model will be queried.

    It rests on the sessions of the server's store. A store that cannot be used stops no run: it is
    reported, and the estimate rests on other figures.
    """
    if FixerName.LLM not in modernizer.services.fixers or FixerName.LLM not in settings.fixers:
        return ""
    history = database if is_file(database) else None
    try:
        found = asyncio.run(modernizer.runs.estimate(notebook, settings, history))
    except ModernizerError as error:
        note(text(error.message))
        found = asyncio.run(modernizer.runs.estimate(notebook, settings))
    return estimate_text(found)


def _range(numbers: Range) -> str:
    return f"{_count(numbers.low)} to {_count(numbers.high)} (likely {_count(numbers.likely)})"


def _dollars(cost: Range) -> str:
    return f"{cost.low:.3f} to {cost.high:.2f} USD (likely {cost.likely:.2f})"


def _day(price: Price) -> str:
    return " at your own price" if price.as_of is None else f" at prices of {price.as_of}"


def _count(number: float) -> str:
    """Return a number in readable form: `950`, `18.2k`, `1.4M`."""
    for size, sign in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{sign}"
    return f"{number:.3g}"
