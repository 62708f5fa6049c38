"""`index2word` of gensim 3 is called `index_to_key` since gensim 4.

https://github.com/piskvorky/gensim/wiki/Migrating-from-Gensim-3.x-to-4

Classes of translation tutorials have an attribute of that name too (`output_lang.index2word`).
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import unknown_object

_OF_TUTORIALS = re.compile(r"lang|voc|dict|^self$", re.IGNORECASE)
"""Names of a notebook's own vocabulary classes, which have an attribute of the same name."""


@codemod("gensim-index2word", on=cst.Attribute, names=("index2word", "index2entity"))
def words_by_rank(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `wv.index2word` as `wv.index_to_key`."""
    if context.qualnames(node) or isinstance(context.parent(node), cst.AssignTarget):
        return None
    if not _is_vectors(context, node.value) and not context.evidence(node):
        if context.type_of(node.value) is not None:
            return None
        if not _may_be_vectors(context, node.value):
            return Unsure(unknown_object(context, node))
        context.assume(f"`{context.code(node.value)}` are word vectors of gensim")
    return one(node, node.with_changes(attr=cst.Name("index_to_key")))


def _is_vectors(context: Context, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Attribute) and node.attr.value == "wv":
        return True
    return context.type_name(node).endswith(".KeyedVectors")


def _may_be_vectors(context: Context, node: cst.BaseExpression) -> bool:
    if context.program.own_classes.may_have("index2word"):
        return False
    if not any("gensim" in cell.source for cell in context.program.cells):
        return False
    name = node.attr if isinstance(node, cst.Attribute) else node
    if isinstance(name, cst.Name) and _OF_TUTORIALS.search(name.value):
        return False
    calls = (value for value in context.all_written(node) if isinstance(value, cst.Call))
    made_by = [context.qualnames(call.func) for call in calls]
    return not any(names and not names[0].startswith("gensim") for names in made_by)
