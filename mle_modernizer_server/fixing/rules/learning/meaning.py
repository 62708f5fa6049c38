"""The behaviour of a cell, independent of import names."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import cast

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.ipython import parse_python
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import children, dotted


def meaning(program: Program, cell: CellCode) -> str:
    """Return the cell's syntax without imports, with the address of each object for its name.

    Args:
        program: The notebook, which resolves names.
        cell: One of its cells.
    """
    new: dict[cst.CSTNode, cst.CSTNode] = {}
    _find(program, cell.module, new)
    plain = with_new(cell.module, new)
    assert isinstance(plain, cst.Module)
    return ast.dump(parse_python(plain.code))


def _find(program: Program, node: cst.CSTNode, new: dict[cst.CSTNode, cst.CSTNode]) -> None:
    if isinstance(node, (cst.Import, cst.ImportFrom)):
        new[node] = cst.Pass()
        return
    if isinstance(node, (cst.Name, cst.Attribute)):
        addresses = program.qualnames(node)
        address = addresses[0] if len(addresses) == 1 else ""
        if "." in address and not address.startswith("builtins."):
            new[node] = dotted(address)
            return
    if isinstance(node, (cst.Arg, cst.Attribute)):
        _find(program, node.value, new)  # without the keyword or attribute name
        return
    for child in children(node):
        _find(program, child, new)


def with_new(node: cst.CSTNode, new: Mapping[cst.CSTNode, cst.CSTNode]) -> cst.CSTNode:
    """Return a tree with some nodes, compared by identity, replaced by others."""
    replaced = node.visit(_Put(new))
    assert isinstance(replaced, cst.CSTNode)
    return replaced


class _Put(cst.CSTTransformer):
    def __init__(self, new: Mapping[cst.CSTNode, cst.CSTNode]) -> None:
        super().__init__()
        self._new = new

    def on_visit(self, node: cst.CSTNode) -> bool:
        return node not in self._new

    def on_leave(
        self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT
    ) -> cst.CSTNodeT | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNodeT]:
        return cast(cst.CSTNodeT, self._new.get(original_node, updated_node))
