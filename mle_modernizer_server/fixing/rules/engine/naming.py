"""Names for library objects in inserted code, and their imports."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from mle_modernizer_server.code.cell_code import Imported
from mle_modernizer_server.code.program import Program


@dataclass(frozen=True)
class NewImport:
    """An import line a cell needs."""

    cell_id: str
    module: str
    name: str = ""
    """For `from module import name`."""
    alias: str = ""

    @property
    def line(self) -> str:
        """Return the import statement."""
        alias = f" as {self.alias}" if self.alias and self.alias != self.name else ""
        if self.name:
            return f"from {self.module} import {self.name}{alias}"
        return f"import {self.module}" + ("" if self.alias == self.module else alias)


def imported(
    program: Program,
    node: cst.CSTNode,
    module: str,
    name: str,
    alias: str,
    promised: dict[tuple[str, str], str],
) -> tuple[str, tuple[NewImport, ...]]:
    """Return the name of `module` or `module.name` at a node, and the import needed for it.

    Args:
        program: The notebook.
        node: Place of the use.
        module: The module.
        name: An attribute of it; empty for the module itself.
        alias: Its new name, if that is free.
        promised: Names by (module, name) that will be imported; a new one is added.
    """
    wanted = f"{module}.{name}" if name else module
    known = known_as(program, node, wanted)
    if known is not None:
        return known, ()
    if (module, name) in promised and not _shadowed(program, alias, node):
        return promised[module, name], ()
    local = alias
    while not _means(program, local, wanted) or _shadowed(program, local, node):
        local = f"{local}_"
    promised[module, name] = local
    return local, (NewImport(program.cell_of(node).cell_id, module, name, local),)


def known_as(program: Program, node: cst.CSTNode, wanted: str) -> str | None:
    """Name under which the notebook has imported something before the node, if it has."""
    here, place = program.place(node)
    for cell in program.cells[: program.cells.index(here) + 1]:
        for local, bindings in cell.top.names.items():
            bound = bindings[-1].bound
            if not isinstance(bound, Imported) or bound.qualname != wanted:
                continue
            if cell is here and bindings[0].order > place.order:
                continue
            if _means(program, local, wanted) and not _shadowed(program, local, node):
                return local
    return None


def _means(program: Program, local: str, wanted: str) -> bool:
    return all(
        isinstance(binding.bound, Imported) and binding.bound.qualname == wanted
        for _, binding in program.top_bindings(local)
    )


def _shadowed(program: Program, local: str, node: cst.CSTNode) -> bool:
    scope = program.place(node)[1].scope
    while not scope.is_top and scope.parent is not None:
        if local in scope.names:
            return True
        scope = scope.parent
    return False
