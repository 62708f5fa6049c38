"""Position of a new import in a cell: after its imports, else at the top."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mle_modernizer_server.code.masking import MaskedSource


def with_imports(module: cst.Module, lines: Sequence[str], masked: MaskedSource) -> cst.Module:
    """Return the cell with import lines added, each once, unless it has them already."""
    wanted = [line for line in dict.fromkeys(lines) if not _has(module, line)]
    if not wanted:
        return module
    body = list(module.body)
    at = _place(body, masked)
    new = [cst.parse_statement(line) for line in wanted]
    if at == 0 and body and not module.header:
        # Comments above the first statement belong to the cell, not to that statement.
        first = body[0]
        if isinstance(first, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            new[0] = new[0].with_changes(leading_lines=first.leading_lines)
            body[0] = first.with_changes(leading_lines=[])
    body[at:at] = new
    return module.with_changes(body=body)


def _has(module: cst.Module, line: str) -> bool:
    return any(
        isinstance(statement, cst.SimpleStatementLine)
        and module.code_for_node(statement.with_changes(leading_lines=[])).strip() == line
        for statement in module.body
    )


def _place(body: Sequence[cst.CSTNode], masked: MaskedSource) -> int:
    """Return the place behind the first block of imports, below magics, docstring and comments."""
    at = 0
    for position, statement in enumerate(body):
        if _is_import(statement):
            at = position + 1
        elif at and not _is_magic(statement, masked):
            break
        elif not at and position == 0 and _is_docstring(statement):
            at = 1
        elif not at and _is_magic(statement, masked):
            at = position + 1
        elif not at:
            break
    return at


def _is_import(statement: cst.CSTNode) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(part, (cst.Import, cst.ImportFrom)) for part in statement.body
    )


def _is_docstring(statement: cst.CSTNode) -> bool:
    return (
        isinstance(statement, cst.SimpleStatementLine)
        and isinstance(statement.body[0], cst.Expr)
        and isinstance(statement.body[0].value, (cst.SimpleString, cst.ConcatenatedString))
    )


def _is_magic(statement: cst.CSTNode, masked: MaskedSource) -> bool:
    return (
        isinstance(statement, cst.SimpleStatementLine)
        and isinstance(statement.body[0], cst.Expr)
        and isinstance(statement.body[0].value, cst.Name)
        and statement.body[0].value.value in masked.magics
    )
