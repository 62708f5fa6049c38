"""`add_pipe` takes a component's name since spaCy 3, not the component.

https://spacy.io/usage/v3#migrating
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("spacy-create-pipe", on=cst.Call, names=("add_pipe",))
def by_name(context: Context, node: cst.Call) -> Answer:
    """Rewrite `nlp.add_pipe(nlp.create_pipe('sentencizer'))` as `nlp.add_pipe('sentencizer')`."""
    if not isinstance(node.func, cst.Attribute) or not node.args:
        return None
    made = node.args[0].value
    if isinstance(made, cst.Call) and isinstance(made.func, cst.Attribute):
        if made.func.attr.value == "create_pipe" and len(made.args) == 1:
            return one(node, node.with_deep_changes(node.args[0], value=made.args[0].value))
        return None
    if isinstance(made, cst.Name) and string(made) is None and context.evidence(node):
        return Unsure("the component is used before it is added")
    return None
