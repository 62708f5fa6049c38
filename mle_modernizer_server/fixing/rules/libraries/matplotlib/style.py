"""matplotlib 3.8 removed the seaborn styles under their old names.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.8.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import descendants, like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_FUNCTIONS = frozenset(
    f"matplotlib.{module}.{name}"
    for module in ("style", "pyplot.style")
    for name in ("use", "context")
)


@codemod("matplotlib-style-lists", on=cst.Call, functions=_FUNCTIONS)
def names(context: Context, node: cst.Call) -> Answer:
    """Rewrite `plt.style.use(['seaborn-white'])` as `plt.style.use(['seaborn-v0_8-white'])`."""
    if not node.args:
        return None
    changes = []
    for part in descendants(node.args[0].value):
        if any(isinstance(above, cst.Index) for above in context.cell.ancestors(part)):
            continue
        text = string(part)
        if isinstance(part, cst.SimpleString) and text is not None and _is_old(text):
            new = "seaborn-v0_8" + text[len("seaborn") :]
            changes.append(Change(part, like_quotes(repr(new), part)))
    return Fix(tuple(changes)) if changes else None


def _is_old(text: str) -> bool:
    return text.startswith("seaborn") and not text.startswith("seaborn-v0")
