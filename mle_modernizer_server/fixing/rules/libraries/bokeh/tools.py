"""The tool that saves a plot was also called `previewsave` until bokeh 1.

https://docs.bokeh.org/en/latest/docs/releases.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_OLD = "previewsave"


@codemod("bokeh-previewsave", on=cst.SimpleString)
def save(context: Context, node: cst.SimpleString) -> Answer:
    """Rewrite `tools='pan,previewsave'` as `tools='pan,save'`."""
    if _OLD not in node.value or "bokeh" not in _imports(context):
        return None
    return one(node, node.with_changes(value=node.value.replace(_OLD, "save")))


def _imports(context: Context) -> str:
    return "\n".join(cell.source for cell in context.program.cells if "import" in cell.source)
