"""`Series.str.replace` takes its pattern literally since pandas 2.0, unless told otherwise.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes

A pattern of one character was literal before, too; one without special characters is no different.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, string, with_keyword
from mle_modernizer_server.fixing.rules.generic.target import unknown_object


@codemod("pandas-str-replace-regex", on=cst.Call, names=("replace",))
def as_pattern(context: Context, node: cst.Call) -> Answer:
    r"""`s.str.replace(r'\d+', '')` → `s.str.replace(r'\d+', '', regex=True)`."""
    if not isinstance(node.func, cst.Attribute) or argument(node, "regex", 5):
        return None
    inferred = context.guess(node.func.value)
    if inferred is None or inferred.name != "pandas.str":
        return None
    if context.type_of(node.func.value) is None:
        if context.program.own_classes.may_have("str"):
            return Unsure(unknown_object(context, node.func))
        context.assume(f"`{context.code(node.func.value)}` belongs to a column")
    pattern = argument(node, "pat", 0)
    if pattern is None or any(arg.star for arg in node.args):
        return None
    text = string(pattern.value)
    if text is not None and (len(text) == 1 or re.escape(text) == text.replace(" ", "\\ ")):
        return None
    return one(node, with_keyword(node, "regex", cst.Name("True")))
