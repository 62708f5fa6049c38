"""`df['2015']` picks no rows by their dates since pandas 2.0: `df.loc['2015']` does.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import string
from mle_modernizer_server.code.types.type import SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key, owner

_DATE = re.compile(r"(19|20)\d\d([-/]\d\d?){0,2}( \d\d?(:\d\d){0,2})?")


@codemod("pandas-row-dates", on=cst.Subscript)
def by_loc(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `df['2015-02']` as `df.loc['2015-02']` if the run found no such column."""
    text = string(key(node))
    if text is None or not _DATE.fullmatch(text) or not context.evidence(node):
        return None
    parent = context.parent(node)
    is_loc = owner(node.value, "loc", "iloc") is not None
    if is_loc or isinstance(parent, cst.AssignTarget) or context.type_of(node.value) == SERIES:
        return None
    if not any(error.evalue.strip("'\"") == text for error in context.failing()):
        return None
    return one(node, node.with_changes(value=cst.Attribute(node.value, cst.Name("loc"))))
