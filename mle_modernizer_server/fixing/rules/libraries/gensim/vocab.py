"""`wv.vocab[word].count` and `.index` of gensim 3 are in other places since gensim 4.

https://github.com/piskvorky/gensim/wiki/Migrating-from-Gensim-3.x-to-4
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_VECTORS = ("gensim.models.KeyedVectors", "gensim.models.keyedvectors.KeyedVectors")


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
    """Rewrite `model.wv.vocab` as `model.wv.key_to_index` for any `model`."""
    inferred = context.type_of(node.value)
    known = inferred is not None and inferred.name in _VECTORS
    if not (known or _is_vocab(node)) or isinstance(context.parent(node), cst.AssignTarget):
        return None
    trained = context.written(node.value)
    if (
        isinstance(trained, cst.Attribute)
        and trained.attr.value == "wv"
        and _some_in_order(context, node)
    ):
        return Unsure(
            "vocab had the words as the texts have them, key_to_index has the most frequent first"
        )
    return one(node, node.with_changes(attr=cst.Name("key_to_index")))


def _some_in_order(context: Context, node: cst.Attribute) -> bool:
    """Return whether it is used as `list(wv.vocab)[:100]`, also through a name for the list."""
    made: cst.BaseExpression = node
    while (above := _the_same_words(context, made)) is not None:
        made = above
    if made is node:
        return False
    for use in context.uses(made):
        parent = context.parent(use)
        if isinstance(parent, cst.Subscript) and parent.value is use:
            place = parent.slice[0].slice
            if not isinstance(place, cst.Index) or isinstance(place.value, cst.Integer):
                return True
    return False


def _the_same_words(context: Context, node: cst.BaseExpression) -> cst.Call | None:
    """Return the call around the node if it is `list(node)` or `node.keys()`, else None."""
    parent = context.parent(node)
    call = context.parent(parent) if isinstance(parent, (cst.Arg, cst.Attribute)) else None
    if not isinstance(call, cst.Call):
        return None
    if isinstance(parent, cst.Attribute):
        return call if call.func is parent and parent.attr.value in ("keys", "items") else None
    return call if context.refers_to(call.func, "builtins.list") else None


def _is_vocab(node: cst.BaseExpression) -> bool:
    return (
        isinstance(node, cst.Attribute)
        and node.attr.value == "vocab"
        and isinstance(node.value, cst.Attribute)
        and node.value.attr.value == "wv"
    )
