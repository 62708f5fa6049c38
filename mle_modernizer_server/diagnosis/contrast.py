"""Compare a notebook's results today with those of the original libraries, cell by cell.

Both runs describe each cell's variables in short texts (`execution/kernel/inside/digest.py`). Two
that only differ in how a library stores the same are the same: text as `object` or as `str`, times
in nanoseconds or in seconds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mle_modernizer_server.diagnosis.saved_outputs.compare import Output, compare_outputs
from mle_modernizer_server.domain.era import (
    CellContrast,
    ContrastKind,
    OwnTimeContrast,
    ValueContrast,
)
from mle_modernizer_server.domain.execution import CellStatus, Execution
from mle_modernizer_server.domain.notebook import (
    Notebook,
    OutputDifference,
    OutputMatch,
    notebook_hash,
)
from mle_modernizer_server.domain.text import same_text

Facts = Sequence[tuple[str, str]]

_MOST_CELLS = 20
_MOST_VALUES = 8
_SETTING = re.compile(r"\w+(?:\.\w+)+")
"""How the parameter of an estimator is named."""
_NOT_SET = ("'deprecated'", "'warn'")
"""Placeholders of unset settings in old and new versions."""
_TEXT = re.compile(r"object|str|string(?:\[\w+\])?")
_TIME = re.compile(r"(?P<kind>(?:datetime|timedelta)64)\[\w+(?P<zone>, [^\]]+)?\]")
_TOLD_BY_ALL = " fingerprint"


@dataclass(frozen=True)
class RunLeft:
    """Results of a run by cell.

    Attributes:
        values: Facts by the id of the cell, of the cells that ended well.
        outputs: Outputs by the id of the cell, as nbformat 4 has them.
        unsteady: Names of the facts that differ from run to run, by the id of the cell.
    """

    values: Mapping[str, Facts]
    outputs: Mapping[str, Sequence[Output]]
    unsteady: Mapping[str, Sequence[str]] = field(default_factory=dict)


def contrast(
    notebook: Notebook,
    execution: Execution,
    then: RunLeft,
    now: RunLeft,
    iteration: int | None = None,
) -> OwnTimeContrast:
    """Compare a run of today with the one in the original libraries.

    Args:
        notebook: The notebook that ran today; its cells have the ids of their originals.
        execution: Today's run.
        then: Results of the other run.
        now: Results of today's run.
        iteration: Number of today's run.
    """
    statuses = {cell.cell_id: cell.status for cell in execution.cells}
    errors = {error.cell_id: error for error in execution.raised}
    printed = _printed(notebook, then, now)
    found: list[CellContrast] = []
    compared = agreeing = unsteady = 0
    for ordinal, cell in enumerate(notebook.code_cells(), start=1):
        if cell.id not in then.values or not cell.runs:
            continue  # it is new, or failed then
        if statuses.get(cell.id) is not CellStatus.OK:
            compared += 1
            error = errors.get(cell.id)
            named = "" if error is None else f"{error.ename}: {error.evalue}"[:200]
            failing = CellContrast(
                cell_id=cell.id, ordinal=ordinal, kind=ContrastKind.FAILS, error=named
            )
            found.append(failing)
            continue
        moving = now.unsteady.get(cell.id, ())
        unsteady += len(moving)
        steady = [fact for fact in now.values.get(cell.id, ()) if fact[0] not in moving]
        values, known = differing(then.values[cell.id], steady)
        output, has_output = (None, False) if moving else printed.get(cell.id, (None, False))
        compared += known > 0 or has_output
        one = _cell(cell.id, ordinal, values, output)
        agreeing += (known > 0 or has_output) and (one is None or one.kind is ContrastKind.SETTINGS)
        found += [one] if one is not None else []
    return OwnTimeContrast(
        notebook_hash=notebook_hash(notebook),
        iteration=iteration,
        cells=tuple(found[:_MOST_CELLS]),
        compared=compared,
        agreeing=agreeing,
        unsteady=unsteady,
    )


def unsteady_values(
    before: Notebook,
    notebook: Notebook,
    earlier: Mapping[str, Facts],
    values: Mapping[str, Facts],
) -> dict[str, tuple[str, ...]]:
    """Return the facts that differ between two runs of today although the code up to their cell is
    the same.

    Args:
        before: The notebook that ran first.
        notebook: The notebook that ran second.
        earlier: Facts of the first run, by the id of the cell.
        values: Facts of the second run.

    Returns: Names of facts by the id of the cell.
    """
    found: dict[str, tuple[str, ...]] = {}
    for old, new in zip(before.code_cells(), notebook.code_cells(), strict=False):
        if (old.id, old.source) != (new.id, new.source):
            break
        moving, _ = differing(earlier.get(old.id, ()), values.get(new.id, ()))
        if moving:
            found[new.id] = tuple(one.name for one in moving)
    return found


def _cell(
    cell_id: str, ordinal: int, values: Sequence[ValueContrast], output: OutputDifference | None
) -> CellContrast | None:
    """Return the differences of a cell that ran twice; None if there are none."""
    results = [one for one in values if not _SETTING.fullmatch(one.name)]
    if results:
        kind = ContrastKind.VALUES
    elif output is not None:
        kind = ContrastKind.PRINTED
    elif values:
        kind = ContrastKind.SETTINGS
    else:
        return None
    listed = [*_for_people(results), *(one for one in values if one not in results)]
    return CellContrast(
        cell_id=cell_id,
        ordinal=ordinal,
        kind=kind,
        values=tuple(listed[:_MOST_VALUES]),
        unlisted=max(0, len(listed) - _MOST_VALUES),
        output=output,
    )


def _for_people(values: Sequence[ValueContrast]) -> list[ValueContrast]:
    """Return the values without the fingerprints of values that also differ in readable form."""
    told = {one.name.rpartition(" ")[0] for one in values if not one.name.endswith(_TOLD_BY_ALL)}
    return [
        one
        for one in values
        if not (one.name.endswith(_TOLD_BY_ALL) and one.name.removesuffix(_TOLD_BY_ALL) in told)
    ]


def _printed(
    notebook: Notebook, then: RunLeft, now: RunLeft
) -> dict[str, tuple[OutputDifference | None, bool]]:
    """Return by cell its first difference in printed output, and if outputs are comparable."""
    saved = [(cell.id, then.outputs.get(cell.id, ())) for cell in notebook.code_cells()]
    agreement = compare_outputs(saved, now.outputs, threshold=0)
    return {
        cell.cell_id: (
            cell.difference if cell.match is not OutputMatch.SAME else None,
            cell.match is not OutputMatch.NOT_COMPARED,
        )
        for cell in agreement.cells
    }


def differing(then: Facts, now: Facts) -> tuple[list[ValueContrast], int]:
    """Return the facts that differ, and how many both runs have."""
    today = dict(now)
    found, compared = [], 0
    for name, old in then:
        new = today.get(name)
        if new is None:
            continue
        compared += 1
        setting_gone = bool(_SETTING.fullmatch(name)) and bool({old, new} & set(_NOT_SET))
        if not setting_gone and not same_value(name, old, new):
            found.append(ValueContrast(name=name, then=old, now=new))
    return found, compared


def same_value(name: str, one: str, other: str) -> bool:
    """Return whether two texts of a fact are the same value."""
    if name.endswith(" dtype"):
        return _stored(one) == _stored(other)
    return same_text(one, other)


def _stored(dtype: str) -> str:
    if _TEXT.fullmatch(dtype):
        return "text"
    match = _TIME.fullmatch(dtype)
    return dtype if match is None else match["kind"] + (match["zone"] or "")
