"""`torch._six.string_classes` was a tuple of two types, which no module has.

https://github.com/pytorch/pytorch/releases/tag/v2.0.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NAME = "string_classes"


@codemod("torch-six", on=cst.ImportFrom)
def texts(context: Context, node: cst.ImportFrom) -> Answer:
    """Rewrite `from torch._six import string_classes` as `string_classes = (str, bytes)`."""
    if dotted_name(node.module) != "torch._six" or isinstance(node.names, cst.ImportStar):
        return None
    alias = next((one for one in node.names if dotted_name(one.name) == _NAME), None)
    line = context.parent(node)
    if alias is None or not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return None
    local = dotted_name(alias.asname.name) if alias.asname else _NAME
    new = cst.parse_statement(f"{local} = (str, bytes)")
    rest = [one for one in node.names if one is not alias]
    if not rest:
        assert isinstance(new, cst.SimpleStatementLine)
        return Fix((Change(line, line.with_changes(body=new.body)),))
    rest[-1] = rest[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    first = line.with_changes(body=[node.with_changes(names=rest)])
    return Fix((Change(line, cst.FlattenSentinel([first, new])),))
