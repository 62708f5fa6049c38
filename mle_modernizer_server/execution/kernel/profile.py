"""Ask the kernel for the time per line; a busy kernel answers too."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from pydantic import Field, ValidationError

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.execution import GpuUse, HotLine, Profile
from mle_modernizer_server.domain.notebook import Cell, Notebook
from mle_modernizer_server.execution.kernel.inside import profile as kernel_side_profile
from mle_modernizer_server.execution.kernel.kernel import SandboxKernel
from mle_modernizer_server.execution.outputs import clean

_START_LIMIT = 10.0
_LIMIT = 2.0
"""Seconds; a library that lets no other thread run may keep the answer back longer."""
_MOST_LINES = 12
_LONGEST_LINE = 200
_LEAST_SHARE = 0.01

_SETUP = (
    inspect.getsource(kernel_side_profile)
    + """
from IPython import get_ipython
Sampler(get_ipython()).start()
answer = "true"
"""
)


class _Answer(Value):
    """The kernel's answer; hostile like every message of a kernel."""

    lines: tuple[tuple[int, int, str, float], ...] = Field(max_length=1_000)
    seconds: float = Field(ge=0, le=1e9)
    gpu: GpuUse
    processors: int | None = Field(default=None, ge=1, le=1_000_000)


async def start_profile(kernel: SandboxKernel) -> None:
    """Let a kernel look on at its own cells from now on, fifty times a second."""
    await kernel.ask_json(_SETUP, {}, limit=_START_LIMIT)


async def ask_profile(
    kernel: SandboxKernel, notebook: Notebook, ran: Sequence[str]
) -> Profile | None:
    """Return the time of a run so far, by cell and line.

    Args:
        kernel: The run's kernel; it may be busy.
        notebook: The sources.
        ran: Ids of the cells sent to it, in order; other texts are skipped.

    Returns:
        None if the kernel does not answer soon, or not usefully.
    """
    content = await kernel.ask_control(kernel_side_profile.REQUEST, limit=_LIMIT)
    try:
        answer = _Answer.model_validate(content)
    except ValidationError:
        return None
    return _profile(answer, notebook, ran)


def _profile(answer: _Answer, notebook: Notebook, ran: Sequence[str]) -> Profile:
    places = {cell.id: (index, cell) for index, cell in enumerate(notebook.cells)}
    by_line: dict[tuple[int, int], tuple[float, str]] = {}
    for ordinal, number, call, seconds in sorted(answer.lines, key=lambda line: -line[3]):
        so_far, longest = by_line.get((ordinal, number), (0.0, call))
        by_line[ordinal, number] = (so_far + seconds, longest)
    lines = []
    for (ordinal, number), (seconds, call) in by_line.items():
        share = seconds / answer.seconds if answer.seconds > 0 else 0.0
        place = places.get(ran[ordinal - 1]) if 0 < ordinal <= len(ran) else None
        if place is None or not _LEAST_SHARE <= share <= 1:
            continue
        index, cell = place
        text = _line(cell, number)
        lines.append(
            HotLine(
                cell_id=cell.id,
                index=index,
                line=0 if text is None else number,
                source=text or "",
                seconds=seconds,
                share=share,
                call="".join(filter(str.isprintable, clean(call)))[:_LONGEST_LINE],
            )
        )
    lines.sort(key=lambda line: -line.seconds)
    return Profile(
        lines=tuple(lines[:_MOST_LINES]),
        seconds=answer.seconds,
        gpu=answer.gpu,
        processors=answer.processors,
    )


def _line(cell: Cell, number: int) -> str | None:
    lines = cell.source.splitlines()
    return lines[number - 1].strip()[:_LONGEST_LINE] if 0 < number <= len(lines) else None
