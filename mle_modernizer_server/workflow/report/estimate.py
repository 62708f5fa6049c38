"""Estimate the cost of an auto run before it starts.

The notebook determines the size of a model request; the number of requests and the length of the
replies come from this user's earlier sessions with the model, or else from the paper's figures
(section 4.4 and Table 5: 7,402 notebooks, whole-notebook replies).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import quantiles

from mle_modernizer_server.domain.errors import Conflict
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.model_calls import Basis, Estimate, Range, Usage
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.domain.statistics import SessionFacts
from mle_modernizer_server.fixing.llm.settings import (
    LONGEST_CELL,
    LONGEST_DESCRIPTION,
    LONGEST_TEXT,
    LlmSettings,
)
from mle_modernizer_server.grading.data_preview import data_preview
from mle_modernizer_server.workflow.report.statistics import total
from mle_modernizer_server.workflow.services import Services

ENOUGH = 5
"""Sessions with the model from which on they count, and not the paper's figures."""
NEWEST = 40
"""Sessions to examine."""
_CHARS_PER_TOKEN = 4
_FRAME = 3_600
"""Characters of a prompt besides the notebook, the task and the data: rules, errors, facts."""
_CELL_FRAME = 50
_LONGEST_PROMPT: int = LlmSettings.model_fields["max_prompt_chars"].default
_LONGEST_QUOTE = _LONGEST_PROMPT // 20
# The paper's: error-repair, a mean notebook's 18,244 / 5.70, runtime-reduction.
_PUBLISHED_OUTPUT = Range(low=2_877, likely=3_201, high=3_706)
_PUBLISHED_FIXES = 5.7
_PUBLISHED_CACHED = 18_533 / (28_805 + 18_533)
_ONCE = Range(low=1, likely=1, high=1)


@dataclass(frozen=True)
class _Habit:
    """Typical figures of a session with a model.

    Attributes:
        fixes: Fixes requested from a model.
        calls: For one fix, retries included.
        output: Tokens of one fix.
        cached: Share of the input tokens read from a cache.
    """

    fixes: Range
    calls: Range
    output: Range
    cached: Range
    basis: Basis
    sessions: int
    sentence: str


def estimate(
    services: Services, notebook: Notebook, settings: SessionSettings, past: Sequence[SessionFacts]
) -> Estimate:
    """Return the probable cost of modernizing the notebook in auto mode.

    Args:
        services: For the model, its price and the competitions.
        settings: The user's choices: competition, fixers, maximum of fixes.
        past: Earlier sessions, the newest first.

    Raises:
        Conflict: No model will be used.
        UnknownCompetition: No such competition.
    """
    if FixerName.LLM not in services.fixers:
        raise Conflict(verbatim(services.missing[FixerName.LLM]))
    if FixerName.LLM not in settings.fixers:
        raise Conflict(coded("conflict.no-model-chosen"))
    prompt = _prompt_tokens(services, notebook, settings.competition)
    habit = _habit(services.model, past, settings.max_fixes)
    # The most is in a cache where the cost is low.
    cached = Range(low=habit.cached.high, likely=habit.cached.likely, high=habit.cached.low)
    price = services.price

    def spread(part: Callable[[Usage], float]) -> Range:
        def number(*figures: float) -> float:
            return part(_spend(prompt, *figures))

        return Range.of(number, habit.fixes, habit.calls, habit.output, cached)

    return Estimate(
        model=services.model,
        prompt_tokens=prompt,
        fixes=habit.fixes,
        input_tokens=spread(lambda usage: usage.input_tokens),
        cached_input_tokens=spread(lambda usage: usage.cached_input_tokens),
        output_tokens=spread(lambda usage: usage.output_tokens),
        cost_usd=None
        if price is None
        else spread(lambda usage: usage.priced(price).cost_usd or 0.0),
        price=price,
        basis=habit.basis,
        sessions=habit.sessions,
        rests_on=habit.sentence,
    )


def _spend(prompt: int, fixes: float, calls: float, output: float, cached: float) -> Usage:
    sent = fixes * calls * prompt
    return Usage(
        input_tokens=round(sent),
        # The first question of a session is in no cache.
        cached_input_tokens=round(max(sent - prompt, 0) * cached),
        output_tokens=round(fixes * output),
    )


def _prompt_tokens(services: Services, notebook: Notebook, slug: str | None) -> int:
    chars = _FRAME + sum(
        min(len(cell.source), LONGEST_CELL if cell.type is CellType.CODE else LONGEST_TEXT)
        + _CELL_FRAME
        for cell in notebook.cells
    )
    if slug is not None:
        competitions = services.competitions
        chars += min(len(competitions.description(slug)), LONGEST_DESCRIPTION)
        chars += min(len(data_preview(competitions.public_dir(slug))), _LONGEST_QUOTE)
    return min(chars, _LONGEST_PROMPT) // _CHARS_PER_TOKEN


def _habit(model: str, past: Iterable[SessionFacts], most: int) -> _Habit:
    own = [session for session in past if any(fix.model == model for fix in session.fixes)]
    asked = [part for part in map(_asked, own) if part]
    if len(asked) < ENOUGH:
        return _published(model, most)
    usages = [total(part) for part in asked]
    fixes = _middle([len(part) for part in asked])
    output = _middle(
        [use.output_tokens / len(part) for use, part in zip(usages, asked, strict=True)]
    )
    return _Habit(
        fixes=_capped(fixes, most),
        calls=_middle([use.calls / len(part) for use, part in zip(usages, asked, strict=True)]),
        output=output,
        cached=_middle([use.cached_input_tokens / max(use.input_tokens, 1) for use in usages]),
        basis=Basis.HISTORY,
        sessions=len(asked),
        sentence=(
            f"It rests on your last {len(asked)} sessions with {model}: in the middle "
            f"{fixes.likely:.3g} fixes by the model a notebook and {output.likely:,.0f} output "
            f"tokens a fix."
        ),
    )


def _published(model: str, most: int) -> _Habit:
    return _Habit(
        fixes=_capped(Range(low=1, likely=_PUBLISHED_FIXES, high=max(most, 1)), most),
        calls=_ONCE,
        output=_PUBLISHED_OUTPUT,
        cached=Range(low=0, likely=_PUBLISHED_CACHED, high=_PUBLISHED_CACHED),
        basis=Basis.PUBLISHED,
        sessions=0,
        sentence=(
            f"There are fewer than {ENOUGH} sessions with {model} here to go by, so it rests on "
            f"the figures of the paper behind MLE Modernizer: {_PUBLISHED_FIXES} fixes a notebook "
            f"and {_PUBLISHED_OUTPUT.likely:,.0f} output tokens a fix, at most all you allow."
        ),
    )


def _asked(session: SessionFacts) -> list[Usage]:
    """Return the cost of each fix requested from a model."""
    usages = [fix.usage for fix in session.fixes] + [item.usage for item in session.spent]
    return [usage for usage in usages if usage.calls]


def _middle(numbers: Sequence[float]) -> Range:
    """Return the middle four fifths, and the median."""
    tenths = quantiles(numbers, n=10, method="inclusive")
    return Range(low=tenths[0], likely=tenths[4], high=tenths[8])


def _capped(fixes: Range, most: int) -> Range:
    """Not more than are allowed."""
    return Range.of(lambda number: min(number, most), fixes)
