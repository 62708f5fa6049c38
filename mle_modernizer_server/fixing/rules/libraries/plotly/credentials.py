"""`plotly.tools.set_credentials_file` and `plotly.plotly.sign_in` left plotly in version 4.

https://plotly.com/python/v4-migration/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.removal import without_statement

_NAMES = {
    "plotly.tools.set_credentials_file",
    "plotly.plotly.set_credentials_file",
    "plotly.plotly.sign_in",
    "plotly.offline.sign_in",
}
"""`plotly.offline` never had it; the name is there if another rule renamed the module before."""


@codemod("plotly-credentials", on=cst.Expr)
def statement(context: Context, node: cst.Expr) -> Answer:
    """Remove the call: plots in the notebook need no account."""
    call = node.value
    if isinstance(call, cst.Call) and not _NAMES.isdisjoint(context.qualnames(call.func)):
        return without_statement(context, node)
    return None
