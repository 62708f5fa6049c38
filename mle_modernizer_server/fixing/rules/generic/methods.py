"""Methods and attributes that have another name now."""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches, unknown_object
from mle_modernizer_server.fixing.rules.rule import MethodRename


def fix_method(context: Context, node: cst.Attribute, fix: MethodRename) -> Answer:
    """Rename one use of a method or attribute."""
    parent = context.parent(node)
    called = isinstance(parent, cst.Call) and parent.func is node
    if isinstance(parent, (cst.AssignTarget, cst.Del)) or (fix.attribute and called):
        return None
    match = method_matches(context, node, fix.names, fix.of, fix.distinctive)
    if match is Match.NO:
        return None
    if match is Match.UNKNOWN:
        return Unsure(unknown_object(context, node))
    return one(node, node.with_changes(attr=cst.Name(fix.names[node.attr.value])))
