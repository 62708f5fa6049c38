"""`wv.vocab[word].count` and `.index` of gensim 3 are in other places since gensim 4.

https://github.com/piskvorky/gensim/wiki/Migrating-from-Gensim-3.x-to-4
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import expression


@codemod("gensim-vocab", on=cst.Attribute, names=("count", "index"))
def of_a_word(context: Context, node: cst.Attribute) -> Answer:
    """`wv.vocab[w].count` → `wv.get_vecattr(w, 'count')`; `.index` → `wv.key_to_index[w]`."""
    part = node.value
    if not isinstance(part, cst.Subscript) or not _is_vocab(part.value) or len(part.slice) != 1:
        return None
    assert isinstance(part.value, cst.Attribute)
    vectors = context.code(part.value.value)
    word = context.code(part.slice[0])
    if node.attr.value == "index":
        return one(node, expression(f"{vectors}.key_to_index[{word}]"))
    return one(node, expression(f"{vectors}.get_vecattr({word}, 'count')"))


@codemod("gensim-vocab", on=cst.Attribute, names=("vocab",))
def words(context: Context, node: cst.Attribute) -> Answer:
    """`model.wv.vocab` → `model.wv.key_to_index`, whatever `model` is."""
    if not _is_vocab(node) or isinstance(context.parent(node), cst.AssignTarget):
        return None
    return one(node, node.with_changes(attr=cst.Name("key_to_index")))


def _is_vocab(node: cst.BaseExpression) -> bool:
    return (
        isinstance(node, cst.Attribute)
        and node.attr.value == "vocab"
        and isinstance(node.value, cst.Attribute)
        and node.value.attr.value == "wv"
    )
