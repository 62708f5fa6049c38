"""Groups of a table's rows: `df.groupby('a')`, and columns of them."""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import method_name


def grouped(groups: cst.BaseExpression, *, attributes: bool = True) -> cst.Call | None:
    """Return the call of `groupby` that makes groups, or columns of them; None for others.

    Args:
        groups: The expression, such as `df.groupby('a')[['b', 'c']]`.
        attributes: Whether a column may be an attribute: `df.groupby('a').b`.
    """
    columns = (cst.Subscript, cst.Attribute) if attributes else (cst.Subscript,)
    while isinstance(groups, columns):
        groups = groups.value
    is_made = isinstance(groups, cst.Call) and method_name(groups) == "groupby"
    return groups if is_made and isinstance(groups, cst.Call) else None
