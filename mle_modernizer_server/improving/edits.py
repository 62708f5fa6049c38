"""A changed version of a notebook: nodes replaced, imports added, everything else unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import Node, expression
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.engine.context import Change
from mle_modernizer_server.fixing.rules.engine.engine import rewritten
from mle_modernizer_server.fixing.rules.engine.naming import NewImport, imported


@dataclass(frozen=True)
class Edits:
    """Changes of a notebook, all of them or none.

    Attributes:
        changes: Nodes and their replacements.
        imports: Imports of the new code.
    """

    changes: tuple[Change, ...]
    imports: tuple[NewImport, ...] = ()


class Writer:
    """Writes new code for places of a notebook, and keeps the imports it needs.

    Args:
        program: The notebook.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._promised: dict[tuple[str, str], str] = {}
        self._changes: list[Change] = []
        self._imports: dict[NewImport, None] = {}

    def name(self, at: Node, address: str, alias: str = "") -> str:
        """Return the code for an address at a node; `alias` for a module."""
        module, _, name = ("", "", "") if alias else address.rpartition(".")
        found, imports = imported(
            self._program, at, module or address, name, alias or name, self._promised
        )
        self._imports.update(dict.fromkeys(imports))
        return found

    def replace(self, node: Node, code: str | Node) -> None:
        """Put an expression in the place of another."""
        self._changes.append(Change(node, expression(code) if isinstance(code, str) else code))

    def code(self, node: Node) -> str:
        """Return the source of a node."""
        return self._program.cell_of(node).code(node)

    def edits(self) -> Edits:
        """Return all written edits."""
        return Edits(tuple(self._changes), tuple(self._imports))


def changed(notebook: Notebook, program: Program, edits: Edits) -> Notebook | None:
    """Return the notebook with the edits; None if they cannot be applied or change nothing."""
    sources: dict[str, str] = {}
    cells = {program.cell_of(change.node).cell_id for change in edits.changes}
    for cell in program.cells:
        if cell.cell_id not in cells:
            continue
        here = {
            change.node: change.new
            for change in edits.changes
            if program.cell_of(change.node) is cell
        }
        needed: Sequence[NewImport] = [one for one in edits.imports if one.cell_id == cell.cell_id]
        source = rewritten(cell, here, needed)
        if source is None:
            return None
        sources[cell.cell_id] = source
    new = tuple(
        cell.model_copy(update={"source": sources.get(cell.id, cell.source)})
        for cell in notebook.cells
    )
    return None if new == notebook.cells else notebook.model_copy(update={"cells": new})
