"""Since matplotlib 3.5 `tight_layout` of a figure takes nothing by position; a GridSpec's does.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.5.0.html
https://matplotlib.org/stable/api/_as_gen/matplotlib.gridspec.GridSpec.html#matplotlib.gridspec.GridSpec.tight_layout
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import literal, positional
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.calls import fix_call
from mle_modernizer_server.fixing.rules.rule import CallFix

_FIX = CallFix(
    do="call",
    methods=("tight_layout",),
    distinctive=True,
    parameters=("pad", "h_pad", "w_pad", "rect"),
    keyword_after=0,
)


@codemod("matplotlib-tight-layout-pad", on=cst.Call, names=("tight_layout",))
def padded(context: Context, node: cst.Call) -> Answer:
    """Rewrite `fig.tight_layout(2)` as `fig.tight_layout(pad=2)`, not `gs.tight_layout(fig)`."""
    given = positional(node)
    if not given:
        return None
    if not isinstance(literal(given[0].value), (int, float)) and not context.evidence(node):
        return None
    return fix_call(context, node, _FIX)
