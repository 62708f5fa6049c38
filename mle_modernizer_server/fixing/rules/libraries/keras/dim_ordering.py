"""`K.image_dim_ordering` became `K.image_data_format` in Keras 2, with other words.

https://github.com/keras-team/keras/wiki/Keras-2.0-release-notes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, dotted_name, like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_aliases
from mle_modernizer_server.fixing.rules.libraries.keras.names import addresses

_WORDS = {"tf": "channels_last", "th": "channels_first"}
_NAMES = {
    "image_dim_ordering": "image_data_format",
    "set_image_dim_ordering": "set_image_data_format",
}


@codemod("keras-image-dim-ordering", on=cst.Call, names=("set_image_dim_ordering",))
def setting(context: Context, node: cst.Call) -> Answer:
    """Rewrite `K.set_image_dim_ordering('tf')` as `K.set_image_data_format('channels_last')`."""
    if "keras.backend.set_image_dim_ordering" not in addresses(context, node.func):
        return None
    given = argument(node, "dim_ordering", 0)
    word = string(given.value) if given is not None else None
    if given is None or word not in _WORDS:
        return Unsure("the order is not written out")
    func = _renamed(node.func, "set_image_data_format")
    return one(node, node.with_changes(func=func, args=[cst.Arg(_word(given.value, word))]))


@codemod("keras-image-dim-ordering", on=cst.Comparison)
def compared(context: Context, node: cst.Comparison) -> Answer:
    """Rewrite `K.image_dim_ordering() == 'th'` as `K.image_data_format() == 'channels_first'`."""
    call = node.left
    if not isinstance(call, cst.Call) or len(node.comparisons) != 1:
        return None
    if "keras.backend.image_dim_ordering" not in addresses(context, call.func):
        return None
    other = node.comparisons[0].comparator
    word = string(other)
    if word not in _WORDS:
        return Unsure("what it is compared with is not written out")
    new = cst.Call(_renamed(call.func, "image_data_format"))
    return Fix((Change(call, new), Change(other, _word(other, word))))


@codemod("keras-image-dim-ordering", on=cst.ImportFrom)
def imported(context: Context, node: cst.ImportFrom) -> Answer:
    """`from keras.backend import set_image_dim_ordering`."""
    if dotted_name(node.module) not in ("keras.backend", "tensorflow.keras.backend"):
        return None
    return with_aliases(
        node,
        lambda alias: (
            alias.with_changes(name=cst.Name(_NAMES[name]))
            if (name := dotted_name(alias.name)) in _NAMES
            else alias
        ),
    )


def _word(old: cst.BaseExpression, word: str) -> cst.BaseExpression:
    return like_quotes(repr(_WORDS[word]), old)


def _renamed(func: cst.BaseExpression, name: str) -> cst.BaseExpression:
    return (
        func.with_changes(attr=cst.Name(name))
        if isinstance(func, cst.Attribute)
        else cst.Name(name)
    )
