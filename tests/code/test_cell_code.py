"""Positions in a parsed cell."""

from __future__ import annotations

import libcst as cst
import pytest

from mle_modernizer_server.code.cell_code import code_of_cell


@pytest.mark.parametrize("above", ["", "\n\n", "# first\n\n", "%matplotlib inline\n"])
def test_lines_are_those_of_the_source(above: str) -> None:
    source = f"""{above}import a; b = 1
# of the function
def f(x):
    # inside
    return (x +
            y)


for i in c:

    d = f(
        i)
"""
    cell = code_of_cell("c", 1, source)
    assert cell is not None
    rows = source.split("\n")
    starts = {
        "import a": cst.Import,
        "def f(x):": cst.FunctionDef,
        "return (x +": cst.Return,
        "for i in c:": cst.For,
    }
    for text, kind in starts.items():
        (node,) = cell.nodes(kind)
        assert text in rows[cell.lines(node)[0] - 1]
    (call,) = cell.nodes(cst.Call)
    first, last = cell.lines(call)
    assert rows[first - 1 : last] == ["    d = f(", "        i)"]
    (result,) = cell.nodes(cst.Return)
    assert cell.lines(result)[1] == rows.index("            y)") + 1
