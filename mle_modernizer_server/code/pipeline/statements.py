"""Which statements take part in what a notebook submits: a slice backwards from its CSV.

The slice is taken by names: a statement takes part where it binds or changes a name that a later
one uses which takes part. It may hold too much, never too little of plain code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import libcst as cst

from mle_modernizer_server.code import calls
from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import descendants

_WRITERS = calls.CSV_WRITERS | calls.ROW_WRITERS
_IN_PLACE = calls.IN_PLACE | calls.CONTAINER_CHANGES | calls.FITTERS | calls.MODEL_CHANGES
"""Methods that may change their receiver if nothing takes their result."""


@dataclass(frozen=True)
class Statement:
    """A statement without the statements inside of it.

    Attributes:
        cell: Where it stands.
        node: It; of a loop or `with` the whole.
        parts: What of it counts: all, or the head.
        binds: Names it binds or changes.
        uses: Names it reads.
    """

    cell: CellCode
    node: cst.CSTNode
    parts: tuple[cst.CSTNode, ...]
    binds: frozenset[str]
    uses: frozenset[str]

    def nodes(self) -> Iterator[cst.CSTNode]:
        """Every node that counts."""
        for part in self.parts:
            yield from descendants(part)

    @property
    def line(self) -> int:
        """Its first line in the cell, from 1."""
        return self.cell.lines(self.node)[0]


def statements(program: Program) -> list[Statement]:
    """All statements outside of functions and classes, in order; a definition is one."""
    return [one for cell in program.cells for one in _within(cell, cell.module.body)]


def _within(cell: CellCode, body: Sequence[cst.CSTNode]) -> Iterator[Statement]:
    for node in body:
        if isinstance(node, cst.SimpleStatementLine):
            for small in node.body:
                yield _made(cell, small, (small,))
        elif isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            yield _made(cell, node, (node,))
        else:
            yield _made(cell, node, _head(node))
            variables, tables = _looped(node)
            for one in _within(cell, _inner(node)):
                # What is done to the variable of a loop is done to what it runs over.
                also = tables if one.binds & variables else frozenset()
                yield replace(one, binds=one.binds | also)


def _looped(node: cst.CSTNode) -> tuple[frozenset[str], frozenset[str]]:
    """The variables of a loop over listed names, and these names."""
    if not isinstance(node, cst.For) or not isinstance(node.iter, (cst.List, cst.Tuple)):
        return frozenset(), frozenset()
    listed = {one.value.value for one in node.iter.elements if isinstance(one.value, cst.Name)}
    return frozenset(_names(node.target)), frozenset(listed)


def _head(node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    if isinstance(node, cst.For):
        return (node.target, node.iter)
    if isinstance(node, (cst.If, cst.While)):
        return (node.test,)
    return tuple(node.items) if isinstance(node, cst.With) else ()


def _inner(node: cst.CSTNode) -> list[cst.CSTNode]:
    found: list[cst.CSTNode] = []
    body = getattr(node, "body", None)
    if isinstance(body, (cst.IndentedBlock, cst.SimpleStatementSuite)):
        found += body.body if isinstance(body, cst.IndentedBlock) else [_line(body)]
    for other in (getattr(node, "orelse", None), getattr(node, "finalbody", None)):
        if isinstance(other, cst.If):
            found.append(other)
        elif other is not None:
            found += _inner(other)
    for handler in getattr(node, "handlers", ()):
        found += _inner(handler)
    return found


def _line(suite: cst.SimpleStatementSuite) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine(list(suite.body))


def _made(cell: CellCode, node: cst.CSTNode, parts: tuple[cst.CSTNode, ...]) -> Statement:
    binds: set[str] = set()
    uses: set[str] = set()
    for part in parts:
        for one in descendants(part):
            if isinstance(one, cst.Name):
                uses.add(one.value)
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        binds.add(node.name.value)
    elif isinstance(node, cst.For):
        binds.update(_names(node.target))
    elif isinstance(node, (cst.Import, cst.ImportFrom)):
        binds.update(made.name for made in cell.made.get(node, ()))
    elif isinstance(node, (cst.Assign, cst.AnnAssign, cst.AugAssign)):
        targets = (
            [one.target for one in node.targets] if isinstance(node, cst.Assign) else [node.target]
        )
        for target in targets:
            binds.update(_names(target))
    elif isinstance(node, cst.Expr) and (changed := _changed(node.value)):
        binds.add(changed)
    return Statement(cell, node, parts, frozenset(binds), frozenset(uses))


def _names(target: cst.CSTNode) -> set[str]:
    """What an assignment binds or changes: `a`, `a[…]`, `a.b`, `(a, b)`."""
    if isinstance(target, (cst.Tuple, cst.List)):
        return {name for one in target.elements for name in _names(one.value)}
    name = root_name(target)
    return {name} if name else set()


def root_name(node: cst.CSTNode) -> str:
    """The name at the very left of `a.b[c].d(…)`, empty where there is none."""
    while True:
        if isinstance(node, cst.Name):
            return node.value
        if isinstance(node, (cst.Attribute, cst.Subscript)):
            node = node.value
        elif isinstance(node, cst.Call):
            node = node.func
        else:
            return ""


def _changed(node: cst.BaseExpression) -> str:
    """What a statement that is a call may change."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return ""
    return root_name(node.func) if node.func.attr.value in _IN_PLACE else ""


def is_submission(statement: Statement) -> bool:
    """Whether a statement writes a CSV."""
    return any(
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value in _WRITERS
        for node in statement.nodes()
    ) and not isinstance(statement.node, (cst.FunctionDef, cst.ClassDef))


def submitting(every: Sequence[Statement]) -> list[Statement]:
    """The statements that take part in what is written, in order."""
    wanted: set[str] = set()
    taken: set[int] = set()
    for number, statement in enumerate(every):
        if is_submission(statement):
            taken.add(number)
            wanted |= statement.uses
    size = -1
    while size != len(taken):
        size = len(taken)
        for number in range(len(every) - 1, -1, -1):
            if number not in taken and every[number].binds & wanted:
                taken.add(number)
                wanted |= every[number].uses
    return [every[number] for number in sorted(taken)]
