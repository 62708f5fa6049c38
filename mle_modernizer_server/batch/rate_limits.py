"""Limits on cost and rate of model calls over all workers: counted once, checked before a call.

`Account` decides, and is part of the scheduler (`cluster.py`); a worker asks it through a `Gate`;
`Rationed` is the layer between auto mode and the model's fixer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from mle_modernizer_server.batch.study import Limits
from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import verbatim
from mle_modernizer_server.domain.model_calls import ModelCall, Price, Usage
from mle_modernizer_server.domain.proposal import FixerName, Proposal
from mle_modernizer_server.fixing.fixer import (
    Fixer,
    FixRequest,
    NoFix,
    OnCall,
    OnText,
    no_matter,
)

_CHARS_PER_TOKEN = 4
_FRAME = 8_000
"""Characters of a prompt besides the notebook."""
_ANSWER = 4_000
"""Tokens of an answer."""
_BURST = 10.0
"""Seconds' worth of requests that may be made at once after a pause."""
_LOOK = 1.0
"""Seconds until the next request while others' calls decide the remaining budget."""


class Answer(Value):
    """Decision about a call: go ahead, wait, or refused."""

    ticket: int | None = None
    wait: float = 0.0
    refused: str = ""


@dataclass
class _Bucket:
    """A token bucket; it may go into debt, which later requests wait for."""

    per_second: float
    capacity: float
    level: float
    at: float

    def wait(self, now: float, needed: float) -> float:
        self.level = min(self.capacity, self.level + (now - self.at) * self.per_second)
        self.at = now
        needed = min(needed, self.capacity)
        return max(0.0, (needed - self.level) / self.per_second)


@dataclass(frozen=True)
class _Reserved:
    tokens: int
    usd: float
    worker: str


@dataclass
class Account:
    """Budgets and rates of a batch.

    Attributes:
        limits: The bounds.
        spent_usd: Confirmed cost.
        spent_tokens: Input and output.
    """

    limits: Limits
    spent_usd: float = 0.0
    spent_tokens: int = 0
    _reserved: dict[int, _Reserved] = field(default_factory=dict)
    _last: int = 0
    _requests: _Bucket | None = None
    _tokens: _Bucket | None = None

    def reserve(self, now: float, tokens: int, usd: float, worker: str) -> Answer:
        """Reserve the probable cost of a call.

        Args:
            now: Seconds of a monotonic clock.
            tokens: Input and output.
            usd: 0 if the price is unknown.
            worker: The caller; its reservations count as spent if it dies.
        """
        answer = self._budget(tokens, usd)
        if answer is not None:
            return answer
        requests, volume = self._buckets(now)
        wait = max(
            0.0 if requests is None else requests.wait(now, 1.0),
            0.0 if volume is None else volume.wait(now, float(tokens)),
        )
        if wait > 0:
            return Answer(wait=wait)
        if requests is not None:
            requests.level -= 1
        if volume is not None:
            volume.level -= tokens
        self._last += 1
        self._reserved[self._last] = _Reserved(tokens, usd, worker)
        return Answer(ticket=self._last)

    def settle(self, ticket: int, tokens: int, usd: float, calls: int) -> None:
        """Settle a call at its actual cost; an unknown ticket was counted already."""
        held = self._reserved.pop(ticket, None)
        if held is None:
            return
        self.spent_tokens += tokens
        self.spent_usd += usd
        if self._tokens is not None:
            self._tokens.level -= tokens - held.tokens
        if self._requests is not None:
            self._requests.level -= max(0, calls - 1)

    def gone(self, worker: str) -> None:
        """Count a dead worker's reservations as spent: their actual cost is unknown."""
        for ticket, held in list(self._reserved.items()):
            if held.worker == worker:
                self.settle(ticket, held.tokens, held.usd, 1)

    @property
    def used_up(self) -> bool:
        """Return whether a budget is spent."""
        limits = self.limits
        return (limits.usd is not None and self.spent_usd >= limits.usd) or (
            limits.tokens is not None and self.spent_tokens >= limits.tokens
        )

    def _budget(self, tokens: int, usd: float) -> Answer | None:
        out = sum(held.usd for held in self._reserved.values())
        out_tokens = sum(held.tokens for held in self._reserved.values())
        limits = self.limits
        for bound, spent, reserved, needed, unit in (
            (limits.usd, self.spent_usd, out, usd, "USD"),
            (limits.tokens, self.spent_tokens, out_tokens, tokens, "tokens"),
        ):
            if bound is None or spent + reserved + needed <= bound:
                continue
            if reserved and spent + needed <= bound:
                return Answer(wait=_LOOK)  # the others may cost less than they reserved
            return Answer(
                refused=f"The batch's budget of {bound:,g} {unit} does not cover another question "
                f"({spent:,.4g} are spent)."
            )
        return None

    def _buckets(self, now: float) -> tuple[_Bucket | None, _Bucket | None]:
        rate, volume = self.limits.requests_per_minute, self.limits.tokens_per_minute
        if rate is not None and self._requests is None:
            capacity = max(1.0, rate / 60 * _BURST)
            self._requests = _Bucket(rate / 60, capacity, capacity, now)
        if volume is not None and self._tokens is None:
            self._tokens = _Bucket(volume / 60, volume, volume, now)
        return self._requests, self._tokens


class Gate(Protocol):
    """A worker's access to the account."""

    async def reserve(self, tokens: int, usd: float) -> Answer:
        """Ask once."""

    async def settle(self, ticket: int, tokens: int, usd: float, calls: int) -> None:
        """Report the call's actual cost."""


class OpenGate:
    """A gate without limits."""

    async def reserve(self, tokens: int, usd: float) -> Answer:
        """Grant every call."""
        return Answer(ticket=0)

    async def settle(self, ticket: int, tokens: int, usd: float, calls: int) -> None:
        """Ignore the cost."""


class Rationed:
    """Puts a gate before a fixer that costs money.

    Attributes:
        refused: Whether a call was refused since the batch's budget is spent.
    """

    def __init__(self, gate: Gate, price: Price | None, note: Callable[[Usage], None]) -> None:
        """
        Args:
            gate: Checked before each fix.
            price: Of the model; None if unknown.
            note: Called with the cost of each fix, also of an interrupted one.
        """
        self._gate = gate
        self._price = price
        self._note = note
        self.refused = False

    def around(self, fixer: Fixer) -> Fixer:
        """Return the fixer behind the gate."""
        return _RationedFixer(self, fixer)

    async def propose(
        self, fixer: Fixer, request: FixRequest, on_text: OnText, on_call: OnCall
    ) -> Proposal | NoFix:
        """Ask for a fix when it is this worker's turn and there is money for it."""
        chars = _FRAME + sum(len(cell.source) for cell in request.notebook.cells)
        given, written = chars // _CHARS_PER_TOKEN, _ANSWER
        price = self._price
        usd = (
            0.0
            if price is None
            else price.cost(input_tokens=given, cached_input_tokens=0, output_tokens=written)
        )
        while True:
            answer = await self._gate.reserve(given + written, usd)
            if answer.refused:
                self.refused = True
                return NoFix(reason=verbatim(answer.refused))
            if answer.ticket is not None:
                break
            on_text("Waiting for the batch's rate limit")
            await asyncio.sleep(answer.wait)
        spent = Usage()

        def count(call: ModelCall) -> None:
            nonlocal spent
            spent += call.usage
            on_call(call)

        try:
            return await fixer.propose(request, on_text, count)
        finally:
            if spent.calls:
                self._note(spent)
            tokens = spent.input_tokens + spent.output_tokens
            await asyncio.shield(
                self._gate.settle(answer.ticket, tokens, spent.cost_usd or 0.0, spent.calls)
            )


class _RationedFixer:
    def __init__(self, rationed: Rationed, fixer: Fixer) -> None:
        self._rationed = rationed
        self._fixer = fixer

    @property
    def name(self) -> FixerName:
        """Return the fixer's own name."""
        return self._fixer.name

    async def propose(
        self, request: FixRequest, on_text: OnText, on_call: OnCall = no_matter
    ) -> Proposal | NoFix:
        """Call the fixer once the gate is open."""
        return await self._rationed.propose(self._fixer, request, on_text, on_call)
