"""Taking things away: an imported name, a whole statement."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, one


def without_names(context: Context, node: cst.ImportFrom, unwanted: Collection[str]) -> Answer:
    """Return the import without some names; the whole statement is removed if none is left."""
    if isinstance(node.names, cst.ImportStar):
        return None
    kept = [alias for alias in node.names if dotted_name(alias.name) not in unwanted]
    if len(kept) == len(node.names):
        return None
    if not kept:
        return without_statement(context, node)
    kept[-1] = kept[-1].with_changes(comma=node.names[-1].comma)
    return one(node, node.with_changes(names=kept))


def without_statement(context: Context, node: cst.BaseSmallStatement) -> Answer:
    """Return the cell without a simple statement; `pass` replaces it if a block would be empty."""
    line = context.parent(node)
    if not isinstance(line, cst.SimpleStatementLine):
        return None
    block = context.parent(line)
    if len(line.body) > 1:
        kept = [part for part in line.body if part is not node]
        if line.body[-1] is node:
            kept[-1] = kept[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
        return one(line, line.with_changes(body=kept))
    if isinstance(block, cst.Module) and not _has_comment(line):
        return Fix((Change(line, cst.FlattenSentinel([])),))
    if isinstance(block, cst.IndentedBlock) and len(block.body) > 1 and not _has_comment(line):
        return Fix((Change(line, cst.FlattenSentinel([])),))
    return one(node, cst.Pass(semicolon=node.semicolon))


def _has_comment(line: cst.SimpleStatementLine) -> bool:
    return line.trailing_whitespace.comment is not None or any(
        empty.comment is not None for empty in line.leading_lines
    )


def used(context: Context, address: str) -> bool:
    """Return whether anything in the notebook but its import statements refers to the address."""
    last = address.rpartition(".")[2]
    for cell in context.program.cells:
        for node, place in cell.places.items():
            if isinstance(node, cst.Attribute):
                asked = node.attr.value == last
            else:
                asked = isinstance(node, cst.Name) and not isinstance(
                    place.parent, (cst.ImportAlias, cst.AsName)
                )
            if asked and address in context.program.qualnames(node):
                return True
    return False
