"""Builds runs by hand for the tests of the diagnosis."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mle_modernizer_server.domain.execution import (
    CellError,
    CellRun,
    CellStatus,
    Ending,
    Environment,
    Execution,
    ExecutionStatus,
)
from mle_modernizer_server.domain.notebook import Cell, CellTag, CellType, Notebook

Failure = tuple[str, str, int] | tuple[str, str]


def _error(index: int, failure: Failure) -> CellError:
    ename, evalue = failure[:2]
    line = failure[2] if len(failure) == 3 else 1
    return CellError(
        cell_id=f"c{index}",
        index=index,
        ename=ename,
        evalue=evalue,
        traceback=(
            f"\x1b[36mCell\x1b[39m \x1b[32mIn[{index + 1}]\x1b[39m\x1b[32m, line {line}\x1b[39m",
        ),
        raised=True,
        line=line,
    )


@pytest.fixture
def ran() -> Callable[..., tuple[Notebook, Execution]]:
    """A notebook and its run, from `source` or `(source, (ename, evalue[, line]))` a cell."""

    def build(
        *cells: str | tuple[str, Failure],
        ending: Ending = Ending.COMPLETED,
        skipped: tuple[int, ...] = (),
    ) -> tuple[Notebook, Execution]:
        sources = [cell if isinstance(cell, str) else cell[0] for cell in cells]
        notebook = Notebook(
            cells=tuple(
                Cell(
                    id=f"c{index}",
                    type=CellType.CODE,
                    source=source,
                    tags=(CellTag.SKIP_EXECUTION,) if index in skipped else (),
                )
                for index, source in enumerate(sources)
            )
        )
        errors = tuple(
            _error(index, cell[1]) for index, cell in enumerate(cells) if not isinstance(cell, str)
        )
        failed = {error.cell_id for error in errors}
        statuses = [
            CellStatus.ERROR if cell.id in failed else CellStatus.OK for cell in notebook.cells
        ]
        for index in skipped:
            statuses[index] = CellStatus.SKIPPED
        if ending is not Ending.COMPLETED:
            statuses[-1] = CellStatus.UNFINISHED
        status = ExecutionStatus.ERROR if errors else ExecutionStatus.ERROR_FREE
        if ending is Ending.TIMED_OUT:
            status = ExecutionStatus.TIMEOUT
        return notebook, Execution(
            status=status,
            ending=ending,
            sandbox="process",
            seconds=1.0,
            time_limit=600.0,
            environment=Environment(python="3.11.7", packages={}),
            cells=tuple(
                CellRun(cell_id=cell.id, index=index, status=statuses[index], seconds=0.1)
                for index, cell in enumerate(notebook.cells)
            ),
            errors=errors,
        )

    return build
