"""Where the time of a run went, as lines for a model."""

from __future__ import annotations

from mle_modernizer_server.domain.execution import CellStatus
from mle_modernizer_server.domain.profile import GpuUse, HotLine
from mle_modernizer_server.fixing.fixer import FixRequest

_SLOWEST = 12
_GPU = {
    GpuUse.NONE: "There is no GPU.",
    GpuUse.UNUSED: "There is a GPU, and the run did not use it.",
    GpuUse.USED: "The run used the GPU.",
}


def slowest(request: FixRequest) -> list[str]:
    """Ids of the cells that took time, the slowest first."""
    runs = sorted(request.execution.cells, key=lambda run: -run.seconds)
    return [run.cell_id for run in runs if run.seconds > 0]


def seconds_by_cell(request: FixRequest, cell_names: dict[str, str]) -> list[str]:
    """The slowest cells, and whether the run used a GPU.

    Args:
        request: With the run.
        cell_names: What the cells are called in the prompt, by id.
    """
    by_id = {run.cell_id: run for run in request.execution.cells}
    lines = []
    for cell_id in slowest(request)[:_SLOWEST]:
        run = by_id[cell_id]
        ending = " (not finished)" if run.status is CellStatus.UNFINISHED else ""
        lines.append(f"cell {cell_names.get(cell_id, '?')}: {run.seconds:.1f} s{ending}")
    skipped = sum(run.status is CellStatus.NOT_RUN for run in request.execution.cells)
    if skipped:
        lines.append(f"{skipped} cells were not reached")
    if request.execution.profile is not None:
        lines.append(_GPU[request.execution.profile.gpu])
    return lines


def hot_lines(request: FixRequest, cell_names: dict[str, str]) -> str:
    """The lines at which the kernel was seen most, with what they waited for; others' text."""
    profile = request.execution.profile
    return "" if profile is None else "\n".join(_hot(line, cell_names) for line in profile.lines)


def _hot(line: HotLine, cell_names: dict[str, str]) -> str:
    place = f"cell {cell_names.get(line.cell_id, '?')}"
    if line.line:
        place += f", line {line.line} `{line.source}`"
    waiting = f", in {line.call}" if line.call else ""
    return f"{line.share:.0%} ({line.seconds:.1f} s) {place}{waiting}"
