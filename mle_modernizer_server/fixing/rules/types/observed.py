"""Types of a notebook's globals as the kernel saw them after each cell: what a run knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.program import Found, Program
from mle_modernizer_server.fixing.rules.types.type import (
    ARRAY,
    FRAME,
    FRAME_GROUPS,
    INDEX,
    NONE,
    SCALAR,
    SERIES,
    SERIES_GROUPS,
    TEXT,
    Kind,
)

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


def observed_kind(qualname: str, addresses: Mapping[tuple[str, str], str]) -> Kind:
    """The rules' type for the full name of a class in the kernel.

    Args:
        qualname: Such as `pandas.core.frame.DataFrame`, `__main__.Bag`.
        addresses: Usual address of a class by library and name, where the rules know it.
    """
    library, last = qualname.partition(".")[0], qualname.rpartition(".")[2]
    if qualname.startswith(_TOP):
        return Kind(f"notebook.{qualname[len(_TOP) :]}")
    usual = _USUAL.get((library, last))
    return usual or Kind(addresses.get((library, last), qualname))


@dataclass(frozen=True)
class Observed:
    """What a run saw: types of globals by name, by cell that ran to its end, in order."""

    cells: Sequence[tuple[str, Mapping[str, Kind]]]

    def at(self, program: Program, node: cst.Name, found: Found) -> Kind | None:
        """Type of what a name stands for; None where the run does not tell.

        What a cell uses is what the cells before it left, unless it binds the name itself; then
        it is what the cell left, if it binds the name once. A function may be called from
        anywhere: there, the name must have had one type throughout.
        """
        places = program.top_bindings(node.value)
        bound = {binding for _, binding in places}
        if not found.bindings or not all(one in bound for one in found.bindings):
            return None
        if not found.here:
            kinds = {types[node.value] for _, types in self.cells if node.value in types}
            return kinds.pop() if len(kinds) == 1 else None
        cell, _ = program.place(node)
        own = [binding for other, binding in places if other is cell]
        reaching = [binding for binding in own if binding in found.bindings]
        if reaching:
            here = dict(self.cells).get(cell.cell_id, {})
            return here.get(node.value) if len(own) == len(found.bindings) == 1 else None
        before: Kind | None = None
        for cell_id, types in self.cells:
            if cell_id == cell.cell_id:
                break
            before = types.get(node.value, before)
        return before
