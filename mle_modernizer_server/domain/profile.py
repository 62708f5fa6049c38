"""Where the time of a run went."""

from __future__ import annotations

from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value


class GpuUse(str, Enum):
    """Whether a run worked on a GPU."""

    NONE = "none"
    """The kernel sees none."""
    UNUSED = "unused"
    """There is one, and the run did not open it."""
    USED = "used"


class HotLine(Value):
    """A line of the notebook that the kernel was seen at, again and again."""

    cell_id: str
    index: int
    """Position of the cell in the notebook, from 0 (Markdown cells count)."""
    line: int
    """Line in the cell's source, from 1; 0 where only the cell is known."""
    source: str
    """The line's text."""
    seconds: float = Field(ge=0)
    share: float = Field(ge=0, le=1)
    """Of all time that was looked at."""
    call: str = ""
    """What the line was waiting for longest: module and name of the function called."""


class Profile(Value):
    """Samples of a run: every so often, which line of the notebook the kernel is at."""

    lines: tuple[HotLine, ...]
    """Those that took the most time first."""
    seconds: float = Field(ge=0)
    """Time that was looked at; the time of libraries counts for the line that called them."""
    gpu: GpuUse = GpuUse.NONE
    processors: int | None = None
    """How many processors the run could use; None: not asked, as in old sessions."""
