"""`read_csv` lost `squeeze` and `prefix` in pandas 2.0; methods of the table do the same.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Scene, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, literal, without
from mle_modernizer_server.fixing.rules.generic.target import function_matches

_READERS = ("read_csv", "read_table", "read_excel")


@codemod(cst.Call, *_READERS)
def afterwards(scene: Scene, node: cst.Call) -> Answer:
    """`pd.read_csv(f, squeeze=True)` → `pd.read_csv(f).squeeze('columns')`."""
    if not function_matches(scene, node.func, [f"pandas.{name}" for name in _READERS]):
        return None
    squeezing = scene.entry.id == "pandas-read-csv-squeeze"
    arg = argument(node, "squeeze" if squeezing else "prefix")
    if arg is None:
        return None
    rest = without(node, [arg]).with_changes(lpar=[], rpar=[])
    value = literal(arg.value)
    if value in (False, None):
        return one(node, rest.with_changes(lpar=node.lpar, rpar=node.rpar))
    if squeezing:
        if value is not True:
            return Unsure("whether to squeeze is not written out")
        new = _call(rest, "squeeze", cst.SimpleString("'columns'"))
    else:
        header = argument(node, "header")
        if header is None or literal(header.value) is not None:
            return Unsure("a prefix had no effect on columns that have names")
        new = _call(rest, "add_prefix", arg.value)
    return one(node, new.with_changes(lpar=node.lpar, rpar=node.rpar))


def _call(table: cst.BaseExpression, method: str, value: cst.BaseExpression) -> cst.Call:
    return cst.Call(cst.Attribute(table, cst.Name(method)), [cst.Arg(value)])
