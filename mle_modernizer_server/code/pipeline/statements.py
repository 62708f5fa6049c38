"""The statements that contribute to a notebook's submission."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.ipython import parse_python
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.slices import backward_slice
from mle_modernizer_server.code.statements import Statement as Analysed
from mle_modernizer_server.code.statements import statements as analyse
from mle_modernizer_server.code.tree import children, descendants

_DEFINITIONS = (cst.FunctionDef, cst.ClassDef)
_STATEMENTS = (cst.BaseSmallStatement, cst.BaseCompoundStatement)
_BLOCKS = (
    *(cst.BaseSuite, cst.SimpleStatementLine, cst.Else, cst.Finally, cst.MatchCase),
    *(cst.ExceptHandler, cst.ExceptStarHandler),
)
"""Parts of compound statements that contain statements."""


@dataclass(frozen=True)
class Statement:
    """A statement without the statements inside of it.

    Attributes:
        cell: Its cell.
        node: Its tree; of a loop or `with` the whole.
        parts: The trees that count: all, or the head.
        binds: Names it binds or changes.
        uses: Names it reads.
        submits: Whether it writes rows to a file.
    """

    cell: CellCode
    node: cst.CSTNode
    parts: tuple[cst.CSTNode, ...]
    binds: frozenset[str]
    uses: frozenset[str]
    submits: bool

    def nodes(self) -> Iterator[cst.CSTNode]:
        """Yield every node that counts."""
        for part in self.parts:
            yield from descendants(part)

    @property
    def line(self) -> int:
        """Return its first line in the cell, from 1."""
        return self.cell.lines(self.node)[0]


class Statements:
    """The statements of a program outside of functions and classes; a definition is one.

    Attributes:
        every: All of them, in order.
        submitting: Those that contribute to the written file, in order.
    """

    def __init__(self, program: Program) -> None:
        cells = analyse(_tree(cell) for cell in program.cells)
        self.every: list[Statement] = []
        self.submitting: list[Statement] = []
        tops = [
            (cell, node, one)
            for cell, analysed in zip(program.cells, cells, strict=True)
            for node, one in zip(_top(cell), analysed, strict=bool(analysed))
        ]
        every = [one for _, _, one in tops]
        ends = [at for at, one in enumerate(every) if one.effects.submits]
        needed = backward_slice(every, ends)
        for at, (cell, node, one) in enumerate(tops):
            inner = list(_made(cell, node, one))
            self.every += inner
            if at in needed:
                self.submitting += _within(inner, needed[at], at in ends)


def _tree(cell: CellCode) -> ast.Module:
    """Return Python's own tree of a cell; empty for the little that libcst alone can parse."""
    try:
        return parse_python(cell.masked.text)
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])


def _top(cell: CellCode) -> list[cst.CSTNode]:
    """Return the statements of a cell that are in no other; a line may have several."""
    lines = (
        node.body if isinstance(node, cst.SimpleStatementLine) else [node]
        for node in cell.module.body
    )
    return list(chain.from_iterable(lines))


def _within(inner: Sequence[Statement], wanted: frozenset[str], is_end: bool) -> list[Statement]:
    """Return the statements of a compound one that take part; a loop may use earlier results."""
    names = set(wanted)
    taken = {at for at, one in enumerate(inner) if is_end and one.submits}
    names.update(name for at in taken for name in inner[at].uses)
    size = -1
    while size != len(taken):
        size = len(taken)
        for at in range(len(inner) - 1, -1, -1):
            if at not in taken and (inner[at].binds & names or len(inner) == 1):
                taken.add(at)
                names |= inner[at].uses
    return [inner[at] for at in sorted(taken)]


def _made(cell: CellCode, node: cst.CSTNode, analysed: Analysed) -> Iterator[Statement]:
    """Yield a statement and those inside of it, in the order of their analysis."""
    parts = analysed.inner or (analysed,)
    for one, part in zip(_flat(node), parts, strict=True):
        effects = part.effects
        binds, uses = effects.names, frozenset(effects.read)
        yield Statement(cell, one, _head(one), binds, uses, effects.submits)


def _flat(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the statements in a statement or a block, in order: itself first; none of a
    definition."""
    if isinstance(node, _STATEMENTS):
        yield node
    if not isinstance(node, (*_DEFINITIONS, cst.BaseSmallStatement)):
        for one in children(node):
            if isinstance(one, (*_STATEMENTS, *_BLOCKS)):
                yield from _flat(one)


def _head(node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    """Return the parts of a statement that are in no block of it: all but of a compound one."""
    if isinstance(node, (*_DEFINITIONS, cst.BaseSmallStatement)):
        return (node,)
    return tuple(one for one in children(node) if not isinstance(one, (*_STATEMENTS, *_BLOCKS)))


def root_name(node: cst.CSTNode) -> str:
    """Return the name at the very left of `a.b[c].d(…)`; empty if it is another expression."""
    while not isinstance(node, cst.Name):
        if isinstance(node, (cst.Attribute, cst.Subscript)):
            node = node.value
        elif isinstance(node, cst.Call):
            node = node.func
        else:
            return ""
    return node.value
