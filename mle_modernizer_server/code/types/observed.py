"""Types of a notebook's globals that the kernel reported after each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from mle_modernizer_server.code.program import Found, Program
from mle_modernizer_server.code.types.type import (
    ARRAY,
    FRAME,
    FRAME_GROUPS,
    INDEX,
    NONE,
    SCALAR,
    SERIES,
    SERIES_GROUPS,
    TEXT,
    Type,
)
from mle_modernizer_server.domain.execution import CellRun, CellStatus

_USUAL = {
    ("pandas", "DataFrame"): FRAME,
    ("pandas", "Series"): SERIES,
    ("pandas", "DataFrameGroupBy"): FRAME_GROUPS,
    ("pandas", "SeriesGroupBy"): SERIES_GROUPS,
    ("pandas", "Index"): INDEX,
    ("pandas", "RangeIndex"): INDEX,
    ("numpy", "ndarray"): ARRAY,
    ("builtins", "str"): TEXT,
    ("builtins", "NoneType"): NONE,
    ("builtins", "int"): SCALAR,
    ("builtins", "float"): SCALAR,
    ("builtins", "bool"): SCALAR,
}
_TOP = "__main__."


@dataclass(frozen=True)
class Seen:
    """Types of the globals behind one cell, by name."""

    cell_id: str
    ok: bool
    """The cell ran to its end."""
    types: Mapping[str, Type]


@dataclass(frozen=True)
class Observed:
    """Types that a run reported for the cells that ran, in order."""

    cells: Sequence[Seen] = ()

    @classmethod
    def in_run(cls, cells: Sequence[CellRun], addresses: Mapping[tuple[str, str], str]) -> Observed:
        """Return the types that the kernel reported after each cell.

        Args:
            cells: Of the run.
            addresses: Usual address of a class by library and name, if the rules know it.
        """
        types: dict[str, Type] = {}
        seen = []
        if not any(run.types for run in cells):
            return cls()
        for run in cells:
            if run.status not in (CellStatus.OK, CellStatus.ERROR):
                continue
            types = types | {
                name: _type(qualname, addresses) for name, qualname in run.types.items() if qualname
            }
            for name, qualname in run.types.items():
                if not qualname:
                    types.pop(name, None)
            seen.append(Seen(run.cell_id, run.status is CellStatus.OK, types))
        return cls(tuple(seen))

    def at(self, program: Program, node: cst.Name, found: Found) -> Type | None:
        """Return the type of a name's value; None if the run does not show it.

        A cell uses the value after the cells before it, unless it binds the name itself; then the
        value after the cell counts, if it binds the name once. A function may be called from
        anywhere: there, the name must have had one type throughout.
        """
        places = program.top_bindings(node.value)
        bound = {binding for _, binding in places}
        if not found.bindings or not all(one in bound for one in found.bindings):
            return None
        if not found.here:
            candidates = {seen.types[node.value] for seen in self.cells if node.value in seen.types}
            return candidates.pop() if len(candidates) == 1 else None
        cell, _ = program.place(node)
        own = [binding for other, binding in places if other is cell]
        before: Type | None = None
        for seen in self.cells:
            if seen.cell_id == cell.cell_id:
                if any(binding in found.bindings for binding in own):
                    once = len(own) == len(found.bindings) == 1 and seen.ok
                    return seen.types.get(node.value) if once else None
                return before
            before = seen.types.get(node.value)
        return None


def _type(qualname: str, addresses: Mapping[tuple[str, str], str]) -> Type:
    """Return the rules' type for the full name of a class in the kernel."""
    library, last = qualname.partition(".")[0], qualname.rpartition(".")[2]
    if qualname.startswith(_TOP):
        return Type(f"notebook.{qualname[len(_TOP) :]}")
    usual = _USUAL.get((library, last))
    return usual or Type(addresses.get((library, last), qualname))
