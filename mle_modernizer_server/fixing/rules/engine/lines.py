"""Lines of a notebook, and code that is inserted before or behind one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from mle_modernizer_server.code.cell_code import Imported
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    NewImport,
)


def bare(context: Context, line: cst.CSTNode | None) -> str:
    """Return the code of a simple line without the comments above it; empty for other nodes."""
    if not isinstance(line, cst.SimpleStatementLine):
        return ""
    return context.code(line.with_changes(leading_lines=[])).strip()


def own_line(context: Context, node: cst.CSTNode | None) -> cst.SimpleStatementLine | None:
    """Return the line that consists of a small statement alone; None if it shares its line."""
    line = context.parent(node)
    return line if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None


def around(
    context: Context, line: cst.CSTNode | None
) -> tuple[list[cst.CSTNode], list[cst.CSTNode]]:
    """Return the statements before and behind a line in its block; none if it is in no block."""
    body = list(getattr(context.parent(line), "body", ()))
    if line not in body:
        return [], []
    at = body.index(line)
    return body[:at], body[at + 1 :]


def line_of(text: str) -> cst.SimpleStatementLine:
    """Parse a simple line of code.

    Raises:
        libcst.ParserSyntaxError: The text is no statement.
    """
    line = cst.parse_statement(text)
    assert isinstance(line, cst.SimpleStatementLine)
    return line


def small_statement(text: str) -> cst.BaseSmallStatement:
    """Parse a simple statement.

    Raises:
        libcst.ParserSyntaxError: The text is no statement.
    """
    return line_of(text).body[0]


def behind(line: cst.CSTNode, *texts: str, imports: Sequence[NewImport] = ()) -> Fix:
    """Return a fix that inserts lines behind a line."""
    new = [line, *map(cst.parse_statement, texts)]
    return Fix((Change(line, cst.FlattenSentinel(new)),), tuple(imports))


def before(
    line: cst.SimpleStatementLine | cst.BaseCompoundStatement,
    *texts: str,
    imports: Sequence[NewImport] = (),
) -> Fix:
    """Return a fix that inserts lines before a statement, below the comments above it."""
    new = [line_of(text) for text in texts]
    new[0] = new[0].with_changes(leading_lines=line.leading_lines)
    rest = line.with_changes(leading_lines=[])
    return Fix((Change(line, cst.FlattenSentinel([*new, rest])),), tuple(imports))


def behind_import(context: Context, module: str, text: Callable[[str], str]) -> Answer:
    """Insert a line behind the notebook's first import of a module; None if there is none.

    Args:
        context: Any node of the notebook.
        module: The module, imported as a whole.
        text: Return the line for the local name of the module.
    """
    for cell in context.program.cells:
        for line in cell.module.body:
            for part in line.body if isinstance(line, cst.SimpleStatementLine) else ():
                for alias in part.names if isinstance(part, cst.Import) else ():
                    local = alias.evaluated_alias or alias.evaluated_name
                    bound = [one.bound for one in cell.top.names.get(local, ())]
                    if alias.evaluated_name == module and Imported(module) in bound:
                        return behind(line, text(local))
    return None
