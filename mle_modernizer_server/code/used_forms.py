"""Forms that a cell uses: imported addresses, attributes of packages, methods and syntax."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import imported


class FormKind(str, Enum):
    """Kind of a form."""

    ADDRESS = "address"
    METHOD = "method"
    SYNTAX = "syntax"


@dataclass(frozen=True)
class Form:
    """A form in the code: an address, the name of a method, or a piece of syntax."""

    kind: FormKind
    name: str


_SYNTAX: dict[type[cst.CSTNode], str] = {
    cst.FormattedString: "f-string",
    cst.NamedExpr: "walrus",
    cst.Match: "match",
}
"""Name of a piece of syntax by its node."""


def forms_of(program: Program, cell: CellCode, attributes: Collection[str]) -> Iterator[Form]:
    """Yield the forms in a cell, in the order of the code.

    Args:
        program: The notebook.
        cell: One of its cells.
        attributes: Last parts of the addresses of attributes; others are not resolved.
    """
    for node in cell.places:
        kind = type(node)  # isinstance takes long
        if kind in _SYNTAX:
            yield Form(FormKind.SYNTAX, _SYNTAX[kind])
        elif isinstance(node, (cst.Import, cst.ImportFrom)):
            yield from (Form(FormKind.ADDRESS, name) for name in imported(node))
        elif isinstance(node, cst.Attribute) and node.attr.value in attributes:
            yield from (Form(FormKind.ADDRESS, name) for name in program.qualnames(node))
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            yield Form(FormKind.METHOD, node.func.attr.value)
