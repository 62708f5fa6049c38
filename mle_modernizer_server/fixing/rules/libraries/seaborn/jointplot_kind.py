"""Until seaborn 0.11 a prefix of `kind` determined how `jointplot` draws.

https://seaborn.pydata.org/whatsnew/v0.11.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_KINDS = ("scatter", "hex", "kde", "reg", "resid")
_NEWER = "hist"
_POSITION = 3


@codemod("seaborn-jointplot-kind", on=cst.Call, functions=("seaborn.jointplot",))
def exact(context: Context, node: cst.Call) -> Answer:
    """Rewrite `sns.jointplot(x=a, y=b, kind='regplot')` as `…, kind='reg')`."""
    kind = argument(node, "kind", _POSITION)
    text = None if kind is None else string(kind.value)
    if kind is None or text is None or text in (*_KINDS, _NEWER):
        return None
    meant = next((one for one in _KINDS if text.startswith(one)), None)
    return None if meant is None else one(kind.value, like_quotes(repr(meant), kind.value))
