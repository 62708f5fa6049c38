"""A parsed `tabular` → rows of cells; a cell over several columns or rows is repeated in each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pylatexenc.latexwalker import (
    LatexGroupNode,
    LatexMacroNode,
    LatexNode,
    LatexSpecialsNode,
)

from mle_modernizer_server.domain.paper import TableCell
from mle_modernizer_server.papers.latex.text import plain_line
from mle_modernizer_server.papers.parts import rectangular

_MOST_SPAN = 60
_PARTS_OF_LONG_TABLES = ("endfirsthead", "endhead", "endfoot", "endlastfoot")
_BOLD = re.compile(r"\\(?:textbf|mathbf|bf|bfseries|boldsymbol|bm|pmb|B)\b")


def cells_of(nodes: Sequence[LatexNode]) -> tuple[tuple[TableCell, ...], ...]:
    """Return the rows of a table from the nodes within its environment."""
    rows: list[list[TableCell]] = []
    below: dict[int, tuple[int, TableCell]] = {}
    for row in _split_rows(nodes):
        cells: list[TableCell] = []
        for cell_nodes in row:
            cells += _cells(cell_nodes, len(cells), below)
        rows.append(cells)
    return rectangular(rows)


def _split_rows(nodes: Sequence[LatexNode]) -> list[list[list[LatexNode]]]:
    """Return the rows of cells; skip a `longtable`'s repeated heads and feet."""
    rows: list[list[list[LatexNode]]] = [[[]]]
    head = 0
    for node in nodes:
        if isinstance(node, LatexMacroNode) and node.macroname in _PARTS_OF_LONG_TABLES:
            if node.macroname != "endfirsthead" and (head or node.macroname != "endhead"):
                del rows[head:]
            rows = [*rows, [[]]] if rows[-1:] != [[[]]] else rows
            head = len(rows) - 1
        elif isinstance(node, LatexMacroNode) and node.macroname == "caption":
            continue  # a `longtable` has its caption among its rows
        elif isinstance(node, LatexSpecialsNode) and node.specials_chars == "&":
            rows[-1].append([])
        elif isinstance(node, LatexMacroNode) and node.macroname in ("\\", "tabularnewline", "cr"):
            rows.append([[]])
        else:
            rows[-1][-1].append(node)
    return rows


def _cells(
    nodes: list[LatexNode], column: int, below: dict[int, tuple[int, TableCell]]
) -> list[TableCell]:
    """Return the cells for one cell of the source: several if it spans columns."""
    inner, columns, down = _unwrapped(nodes)
    verbatim = "".join(str(node.latex_verbatim()) for node in inner)
    text = plain_line(inner)
    cell = TableCell(text=text, bold=bool(_BOLD.search(verbatim)), spans=columns > 1)
    cells: list[TableCell] = []
    for offset in range(columns):
        here = column + offset
        rest, above = below.get(here, (0, cell))
        if rest > 0 and not text:
            cells.append(above)
            below[here] = (rest - 1, above)
        else:
            cells.append(cell)
            below[here] = (down - 1, cell)
    return cells


def _unwrapped(nodes: list[LatexNode]) -> tuple[list[LatexNode], int, int]:
    r"""Return a cell's nodes without `\multicolumn` and `\multirow`, and both its spans."""
    columns = down = 1
    for _ in range(4):
        spans = [
            node
            for node in nodes
            if isinstance(node, LatexMacroNode)
            and node.macroname in ("multicolumn", "multirow")
            and node.nodeargd
            and node.nodeargd.argnlist
        ]
        if not spans:
            break
        span = spans[0]
        arguments = span.nodeargd.argnlist
        if span.macroname == "multicolumn":
            columns = max(columns, _number(arguments[0]))
        else:
            down = max(down, _number(arguments[1]))
        last = arguments[-1]
        inner = list(last.nodelist) if isinstance(last, LatexGroupNode) else [last]
        place = nodes.index(span)
        nodes = [*nodes[:place], *inner, *nodes[place + 1 :]]
    return nodes, columns, down


def _number(node: LatexNode | None) -> int:
    found = re.search(r"\d+", str(node.latex_verbatim())) if node is not None else None
    return min(_MOST_SPAN, max(1, int(found.group()))) if found else 1
