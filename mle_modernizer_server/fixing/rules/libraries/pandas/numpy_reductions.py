"""NumPy's functions on a whole table: one number, or arrays, where there were columns and tables.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html
https://pandas.pydata.org/docs/whatsnew/v3.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import descendants, expression, receiver_text
from mle_modernizer_server.fixing.rules.generic.target import function_matches
from mle_modernizer_server.fixing.rules.types.type import FRAME, SERIES

_SKIPPING = {"mean": "mean()", "max": "max()", "min": "min()", "amax": "max()"}
_SUMMING = {"sum": "sum()", "prod": "prod()", "std": "std(ddof=0)", "var": "var(ddof=0)"}


@codemod("pandas-numpy-mean", on=cst.Call, names=_SKIPPING, methods=_SKIPPING)
@codemod("pandas-numpy-reductions", on=cst.Call, names=_SUMMING, methods=_SUMMING)
def by_column(context: Context, node: cst.Call, methods: dict[str, str]) -> Answer:
    """`np.std(df)` → `df.std(ddof=0)`."""
    for name, method in methods.items():
        if function_matches(context, node.func, (f"numpy.{name}",)):
            if len(node.args) != 1 or node.args[0].keyword or node.args[0].star:
                return None
            table = node.args[0].value
            if context.type_of(table) != FRAME:
                return None
            new = expression(f"{receiver_text(table)}.{method}")
            return one(node, new.with_changes(lpar=node.lpar, rpar=node.rpar))
    return None


@codemod("pandas-argmax-label", on=cst.Call, names=("argmax", "argmin"))
def label(context: Context, node: cst.Call) -> Answer:
    """`np.argmax(s)` → `s.idxmax()`: NumPy asked the Series, which gave the label."""
    for name in ("argmax", "argmin"):
        if not function_matches(context, node.func, (f"numpy.{name}",)):
            continue
        if len(node.args) != 1 or node.args[0].keyword or node.args[0].star:
            return None
        column = node.args[0].value
        if context.type_of(column) != SERIES:
            return None
        new = expression(f"{receiver_text(column)}.idx{name[3:]}()")
        return one(node, new.with_changes(lpar=node.lpar, rpar=node.rpar))
    return None


@codemod("pandas-array-split", on=cst.Call, names=("array_split", "split"))
def by_rows(context: Context, node: cst.Call) -> Answer:
    """`np.array_split(df, 4)` → `[df.iloc[rows] for rows in np.array_split(…, 4)]`.

    A table that an expression makes is made once: `df.sample(frac=1)` is another one each time.
    """
    if len(node.args) != 2:
        return None
    if not function_matches(context, node.func, ("numpy.array_split", "numpy.split")):
        return None
    table, parts = node.args
    if table.keyword or table.star or parts.star:
        return None
    if context.type_of(table.value) != FRAME:
        plain = isinstance(table.value, cst.Name) and context.type_of(table.value) is None
        return (
            Unsure(f"`{context.code(table.value)}` may be a table or an array") if plain else None
        )
    np, imports = context.module(node, "numpy", "np")
    words = {np} | {word.value for word in descendants(node) if isinstance(word, cst.Name)}
    rows = _not_among(words, "rows")
    if isinstance(table.value, cst.Name):
        name, made = table.value.value, ""
    else:
        name = _not_among(words, "table")
        made = f"for {name} in [{context.code(table.value)}] "
    split = f"{context.code(node.func)}({np}.arange(len({name})), {context.code(parts.value)})"
    text = f"[{name}.iloc[{rows}] {made}for {rows} in {split}]"
    return one(node, expression(text).with_changes(lpar=node.lpar, rpar=node.rpar), imports)


def _not_among(words: set[str], name: str) -> str:
    """Return the name, with as many underscores behind it as none of the words has."""
    while name in words:
        name += "_"
    return name
