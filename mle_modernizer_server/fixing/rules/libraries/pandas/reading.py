"""`read_csv` lost `squeeze` and `prefix` in pandas 2.0; methods of the table do the same.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, literal, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_READERS = ("read_csv", "read_table", "read_excel")


@codemod("pandas-read-csv-squeeze", on=cst.Call, names=_READERS)
def squeezed(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.read_csv(f, squeeze=True)` as `pd.read_csv(f).squeeze('columns')`."""
    arg = _given(context, node, "squeeze")
    if arg is None:
        return None
    value = literal(arg.value)
    if value in (False, None):
        return one(node, without(node, [arg]))
    if value is not True:
        return Unsure("whether to squeeze is not written out")
    if _in_parts(node):
        return Unsure("the file is read in parts")
    return _called(node, arg, "squeeze", cst.SimpleString("'columns'"))


@codemod("pandas-read-csv-prefix", on=cst.Call, names=_READERS)
def prefixed(context: Context, node: cst.Call) -> Answer:
    """`pd.read_csv(f, header=None, prefix='x')` → `pd.read_csv(f, header=None).add_prefix('x')`."""
    arg = _given(context, node, "prefix")
    if arg is None:
        return None
    if literal(arg.value) in (False, None):
        return one(node, without(node, [arg]))
    header = argument(node, "header")
    if header is None or literal(header.value) is not None:
        return Unsure("a prefix had no effect on columns that have names")
    if _in_parts(node):
        return Unsure("the file is read in parts")
    return _called(node, arg, "add_prefix", arg.value)


@codemod("pandas-read-csv-same-names", on=cst.Call, names=("read_csv", "read_table"))
def numbered(context: Context, node: cst.Call) -> Answer:
    """`names=cols` → names of which the second `x` is `x.1`, if `cols` is a list with a name."""
    names = _given(context, node, "names")
    if names is None or not context.evidence(node):
        return None
    if not isinstance(names.value, cst.Name):
        return Unsure("the names are not in a variable")
    all_ = names.value.value
    text = (
        f"[f'{{name}}.{{{all_}[:at].count(name)}}' if name in {all_}[:at] else name"
        f" for at, name in enumerate({all_})]"
    )
    return one(names.value, cst.parse_expression(text))


@codemod("pandas-read-excel-arguments", on=cst.Call, names=("read_excel",))
def up_to_column(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.read_excel(f, parse_cols=2)` as `pd.read_excel(f, parse_cols=[0, 1, 2])`."""
    last = _given(context, node, "parse_cols")
    if last is None or type(value := literal(last.value)) is not int:
        return None
    return one(last.value, cst.parse_expression(str(list(range(value + 1)))))


def _given(context: Context, node: cst.Call, name: str) -> cst.Arg | None:
    """Return the argument if it is a call of one of pandas' readers."""
    if not context.refers_to(node.func, *[f"pandas.{reader}" for reader in _READERS]):
        return None
    return argument(node, name)


def _in_parts(node: cst.Call) -> bool:
    """Return whether the reader returns an iterator of tables instead of a table."""
    return any(argument(node, name) is not None for name in ("chunksize", "iterator"))


def _called(node: cst.Call, arg: cst.Arg, method: str, value: cst.BaseExpression) -> Answer:
    """Return the call without an argument, and a method called on its result."""
    table = without(node, [arg]).with_changes(lpar=[], rpar=[])
    call = cst.Call(cst.Attribute(table, cst.Name(method)), [cst.Arg(value)])
    return one(node, call.with_changes(lpar=node.lpar, rpar=node.rpar))
