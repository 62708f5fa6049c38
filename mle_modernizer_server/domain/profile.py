"""Run time by line of the notebook."""

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
    """A line of the notebook that many samples hit."""

    cell_id: str
    index: int
    """Position of the cell in the notebook, from 0 (Markdown cells count)."""
    line: int
    """Line in the cell's source, from 1; 0 if only the cell is known."""
    source: str
    """The line's text."""
    seconds: float = Field(ge=0)
    share: float = Field(ge=0, le=1)
    """Fraction of all sampled time."""
    call: str = ""
    """The call that the line waited for longest: module and name of the function."""


class Profile(Value):
    """Samples of a run: the line of the notebook that the kernel executes, at intervals."""

    lines: tuple[HotLine, ...]
    """The slowest lines first."""
    seconds: float = Field(ge=0)
    """Sampled time; the time of libraries counts for the line that called them."""
    gpu: GpuUse = GpuUse.NONE
    processors: int | None = None
    """Number of processors the run could use; None: unknown, as in old sessions."""
