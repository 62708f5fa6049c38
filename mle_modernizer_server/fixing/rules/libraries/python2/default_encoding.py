"""`reload(sys); sys.setdefaultencoding('utf8')`, with which many Python 2 notebooks began.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("python2-default-encoding", on=cst.SimpleStatementLine)
def default_encoding_gone(context: Context, node: cst.SimpleStatementLine) -> Answer:
    """Remove the statements; a block that would be empty gets `pass`."""
    kept = [part for part in node.body if not _sets_it(context, part)]
    if len(kept) == len(node.body):
        return None
    if kept:
        kept[-1] = kept[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
        return Fix((Change(node, node.with_changes(body=kept)),))
    commented = node.trailing_whitespace.comment or any(line.comment for line in node.leading_lines)
    parent = context.parent(node)
    if isinstance(parent, cst.Module) and len(parent.body) > 1 and not commented:
        return Fix((Change(node, cst.FlattenSentinel([])),))
    return Fix((Change(node, node.with_changes(body=[cst.Pass()])),))


def _sets_it(context: Context, part: cst.BaseSmallStatement) -> bool:
    if not isinstance(part, cst.Expr) or not isinstance(part.value, cst.Call):
        return False
    names = context.qualnames(part.value.func)
    if "sys.setdefaultencoding" in names:
        return True
    if not {"builtins.reload", "importlib.reload", "imp.reload"} & set(names):
        return False
    args = part.value.args
    if len(args) != 1 or not context.refers_to(args[0].value, "sys"):
        return False
    return any("setdefaultencoding" in cell.source for cell in context.program.cells)
