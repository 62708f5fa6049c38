"""The axes of a polar chart are parts of `polar` since plotly 4.

https://plotly.com/python/v4-migration/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, with_keyword, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_LAYOUTS = ("plotly.graph_objs.Layout", "plotly.graph_objects.Layout")


@codemod("plotly-polar-layout", on=cst.Call, functions=_LAYOUTS)
def in_polar(context: Context, node: cst.Call) -> Answer:
    """`go.Layout(radialaxis=r, orientation=270)` → `polar=dict(radialaxis=r, angularaxis=…)`."""
    radial, angular = argument(node, "radialaxis"), argument(node, "angularaxis")
    turned = argument(node, "orientation")
    given = [arg for arg in (radial, angular, turned) if arg is not None]
    if not given:
        return None
    if argument(node, "polar") is not None or (angular is not None and turned is not None):
        return Unsure("the axes of a polar chart are said twice")
    words = []
    if radial is not None:
        words.append(f"radialaxis={context.code(radial.value)}")
    if angular is not None:
        words.append(f"angularaxis={context.code(angular.value)}")
    if turned is not None:
        words.append(f"angularaxis=dict(rotation={context.code(turned.value)})")
    polar = expression(f"dict({', '.join(words)})")
    return one(node, with_keyword(without(node, given), "polar", polar))
