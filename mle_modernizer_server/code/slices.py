"""Backward slices: the cells that the submission, or a result, depends on.

A statement is in the slice if it binds or changes an object that a later one in the slice reads.
The effects of a failed cell before its error are not lost.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from mle_modernizer_server.code import calls
from mle_modernizer_server.code.ipython import parsed_in_place, python_only
from mle_modernizer_server.code.names import names_in
from mle_modernizer_server.code.statements import Effects, Statement, statements
from mle_modernizer_server.code.traceback import failed_line
from mle_modernizer_server.domain.execution import CellStatus, Execution
from mle_modernizer_server.domain.notebook import Cell, Notebook

_CSV = "|".join(sorted(calls.CSV_WRITERS))
_WRITES = re.compile(
    rf"\.(?:{_CSV})\s*\(|csv\.(?:Dict)?[wW]riter|open\s*\([^)]*['\"][wax]b?\+?t?['\"]"
)
_NAMES_ONE = re.compile(r"submi(?:ssion|t)\w*\.csv", re.IGNORECASE)
_PREDICTS = re.compile(r"\.(?:fit|predict)\w*\s*\(|submi(?:ssion|t)", re.IGNORECASE)


@dataclass(frozen=True)
class _Place:
    """A statement with its place.

    Attributes:
        cell_id: Its cell.
        last: Its last line, from 1.
        text: Its source.
        statement: Its effects.
    """

    cell_id: str
    last: int
    text: str
    statement: Statement


def backward_slice(
    program: Sequence[Statement], targets: Collection[int]
) -> dict[int, frozenset[str]]:
    """Return the statements that some statements depend on, and these.

    Args:
        program: The statements of a notebook in order.
        targets: Places of those whose results count.

    Returns:
        For each place in the slice the names that later statements in it read, the last one first.
    """
    found: dict[int, frozenset[str]] = {}
    needed: set[str] = set()
    known = {name for one in program for name in one.effects.changed} | set(dir(builtins))
    for at in range(len(program) - 1, -1, -1):
        effects = program[at].effects
        unknown = effects.star and not {one for one in needed if one.isidentifier()} <= known
        if at in targets or effects.unsure or unknown or effects.changed & needed:
            found[at] = frozenset(needed)
            needed -= program[at].made
            needed |= effects.read
    return found if targets else {}


def failing_on_the_way(
    notebook: Notebook, execution: Execution, submission: str | None = None
) -> tuple[str, ...]:
    """Return ids of failed or skipped cells that the submission depends on, in order.

    Empty if no cell writes anything that looks like a submission.

    Args:
        notebook: The notebook that ran.
        execution: The run.
        submission: The file that was graded, if any.
    """
    failed = _failed(notebook, execution)
    if not failed:
        return ()
    program = _program(notebook)
    lost = {
        one.cell_id
        for one in _behind(program, _ends(program, submission))
        if one.cell_id in failed and one.last >= (failed[one.cell_id] or 0)
    }
    return tuple(cell.id for cell in notebook.code_cells() if cell.id in lost)


def changed_names(source: str) -> tuple[str, ...]:
    """Return the names a cell binds or whose values it changes in place; none if not Python.

    Functions, classes and modules that it binds are among them.
    """
    tree = parsed_in_place(source)
    if tree is None:
        return ()
    (cell,) = statements([tree])
    return tuple(dict.fromkeys(name for one in cell for name in sorted(one.effects.names)))


def code_on_the_way(notebook: Notebook) -> tuple[str, ...]:
    """Return the statements that the submission depends on, the last one first."""
    program = _program(notebook)
    return tuple(one.text for one in _behind(program, _ends(program, None)))


def has_predictions(notebook: Notebook) -> bool:
    """Return whether code predicts something or writes or names a file to submit."""
    signs = (_WRITES, _NAMES_ONE, _PREDICTS)
    cells = notebook.code_cells()
    return any(sign.search(cell.source) for cell in cells for sign in signs)


def cells_behind(
    notebook: Notebook, cells: Collection[str], failed: Collection[str] = ()
) -> frozenset[str]:
    """Return ids of the cells that the results of some cells depend on; those are among them.

    Args:
        notebook: The notebook that ran.
        cells: Ids of the cells whose results count.
        failed: Ids of the cells whose dependent results are left out.
    """
    program = _program(notebook)
    found: set[str] = set()
    for counted in [{cell} for cell in cells] if failed else [set(cells)]:
        ends = {at for at, one in enumerate(program) if one.cell_id in counted}
        behind = {one.cell_id for one in _behind(program, ends)}
        found |= set() if behind & set(failed) else behind
    return frozenset(found)


def _failed(notebook: Notebook, execution: Execution) -> dict[str, int | None]:
    """Return the cells that failed or did not run, with the failing line; None: no effect."""
    raised = {error.cell_id: error for error in execution.raised}
    found: dict[str, int | None] = {}
    for run in execution.cells:
        cell = notebook.cell(run.cell_id)
        if run.status not in (CellStatus.OK, CellStatus.SKIPPED) and cell is not None:
            error = raised.get(run.cell_id)
            found[run.cell_id] = None if error is None else failed_line(error, cell.source)
    return found


def _behind(program: Sequence[_Place], ends: Collection[int]) -> list[_Place]:
    return [program[at] for at in backward_slice([one.statement for one in program], ends)]


def _ends(program: Sequence[_Place], submission: str | None) -> set[int]:
    """Return the places of the statements that write the submission."""
    found = {at for at, one in enumerate(program) if one.statement.effects.submits}
    stem = "" if submission is None else PurePosixPath(submission).name
    named = {at for at in found if stem and stem in program[at].text}
    if named or found:
        return named or found
    return {at for at, one in enumerate(program) if _NAMES_ONE.search(one.text)}


def _program(notebook: Notebook) -> list[_Place]:
    """Return the statements of a notebook; a cell that is no Python is one."""
    cells = notebook.run_cells()
    trees = {cell.id: tree for cell in cells if (tree := parsed_in_place(cell.source)) is not None}
    parts = dict(zip(trees, statements(trees.values()), strict=True))
    found: list[_Place] = []
    for cell in cells:
        if cell.id not in trees:
            found.append(_as_a_whole(cell))
            continue
        lines = python_only(cell.source).split("\n")
        for one in parts[cell.id]:
            assert one.node is not None
            last = one.node.end_lineno or one.node.lineno
            found.append(_Place(cell.id, last, "\n".join(lines[one.node.lineno - 1 : last]), one))
    return found


def _as_a_whole(cell: Cell) -> _Place:
    own = names_in(cell.source)
    effects = Effects({*own.bound, *own.read}, set(own.read), bool(_WRITES.search(cell.source)))
    last = cell.source.count("\n") + 1
    return _Place(cell.id, last, cell.source, Statement(None, frozenset(), effects))
