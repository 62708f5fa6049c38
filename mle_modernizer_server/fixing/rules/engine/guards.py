"""Branches that authors wrote for older versions: they do not run, and stay as they are."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.tree import descendants, dotted_name, literal

_BELOW = (cst.LessThan, cst.LessThanEqual)
_ABOVE = (cst.GreaterThan, cst.GreaterThanEqual)
_PYTHON2 = "PY2"


def for_older_versions(node: cst.If) -> Iterator[cst.CSTNode]:
    """Parts of an `if` that only an older version of Python or of a library gets to.

    `if Version(sklearn.__version__) < '0.18': … else: …` and `if sys.version_info[0] < 3: …`; what
    is compared must be named a version, and there must be another branch for newer ones.
    """
    test = node.test
    if dotted_name(test).endswith(_PYTHON2) and node.orelse is not None:
        yield node.body
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return
    comparison = test.comparisons[0]
    if not _is_version(test.left) or not _is_fixed(comparison.comparator):
        return
    if isinstance(comparison.operator, _BELOW) and node.orelse is not None:
        yield node.body
    elif isinstance(comparison.operator, _ABOVE) and isinstance(node.orelse, cst.Else):
        yield node.orelse.body


def _is_version(node: cst.BaseExpression) -> bool:
    return any(
        isinstance(part, cst.Name) and "version" in part.value.lower() for part in descendants(node)
    )


def _is_fixed(node: cst.BaseExpression) -> bool:
    """A version written out, perhaps in a call such as `LooseVersion('0.18')`."""
    if isinstance(node, cst.Call) and len(node.args) == 1:
        node = node.args[0].value
    return isinstance(literal(node), (str, int, float, tuple))
