"""distutils compared a version with a text; the versions of packaging are compared with each other.

https://packaging.pypa.io/en/stable/version.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.types.type import TEXT
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_VERSIONS = {"distutils.version.LooseVersion", "distutils.version.StrictVersion"}


@codemod("python-distutils-version", on=cst.Comparison)
def with_version(context: Context, node: cst.Comparison) -> Answer:
    """Rewrite `LooseVersion(v) < '1.0'` as `LooseVersion(v) < LooseVersion('1.0')`."""
    sides = [node.left, *(part.comparator for part in node.comparisons)]
    made = next((call for side in sides if (call := _made(context, side)) is not None), None)
    if made is None:
        return None
    changes = tuple(
        Change(side, cst.Call(made.func.deep_clone(), [cst.Arg(side)]))
        for side in sides
        if context.type_of(side) == TEXT
    )
    return Fix(changes) if changes else None


def _made(context: Context, node: cst.BaseExpression) -> cst.Call | None:
    """Return the call that makes a version of distutils, here or in the name's assignment."""
    made = context.written(node)
    if isinstance(made, cst.Call) and context.refers_to(made.func, *_VERSIONS):
        return made
    return None
