"""`DataFrame.append` and `Series.append` were removed in pandas 2.0; `pandas.concat` does both.

https://pandas.pydata.org/docs/whatsnew/v1.4.0.html#deprecated-dataframe-append-and-series-append

A dict or a Series appended to a DataFrame was a row; a list was one row or table per element.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import args_text, argument, keyword_arg, literal, same_literal
from mle_modernizer_server.code.types.type import FRAME, LABEL, SCALAR, SERIES, TEXT, Type
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, rewritten
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key, owner
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    method_matches,
    undecided,
)

_ROWS = ("builtins.dict", "pandas.Series")
_NAMED_AS_ROW = re.compile(r"(?i)(^|_)(r|row|rec|record|entry|line|s|ser|series)\d*$")
_NAMES_ROWS = re.compile(r"set_index|index_col|\.index\.names?\s*=|rename_axis|groupby|pivot_table")


@codemod("pandas-append", on=cst.Call, names=("append",))
def concat(context: Context, node: cst.Call) -> Answer:
    """Rewrite `a.append(b, ignore_index=True)` as `pd.concat([a, b], ignore_index=True)`."""
    if not isinstance(node.func, cst.Attribute) or not node.args:
        return None
    on = (FRAME.name, SERIES.name)
    match = method_matches(context, node.func, ("append",), on)
    if match is not Match.YES:
        return undecided(context, node.func, match)
    other = argument(node, "other", 0) or argument(node, "to_append", 0)
    if other is None or any(arg.star for arg in node.args):
        return Unsure("its arguments cannot be told apart")
    if isinstance(context.parent(node), cst.Expr):
        return Unsure("its result is thrown away: it never changed anything")
    receiver = node.func.value
    to_series = context.type_of(receiver) == SERIES or _on_series(context, node)
    pd, imports = context.module(node, "pandas", "pd")
    left = context.code(receiver)
    rest = [arg for arg in node.args if arg is not other]
    ignore = argument(node, "ignore_index", 1)
    ignored = ignore is not None and same_literal(ignore.value, True)
    parts = _parts(context, other.value, left, pd, to_series, ignored)
    if isinstance(parts, Unsure):
        return parts
    names = ("ignore_index", "verify_integrity", "sort")
    for index, arg in enumerate(rest):
        if arg.keyword is None:
            rest[index] = keyword_arg(names[index], arg.value)
    more = [arg for arg in rest if literal(arg.value) is not False or _is(arg, "sort")]
    tail = f", {args_text(more)}" if more else ""
    inferred = ".infer_objects()" if _may_be_empty(context, receiver) else ""
    return rewritten(node, f"{pd}.concat({parts}{tail}){inferred}", imports)


def _is(arg: cst.Arg, name: str) -> bool:
    return arg.keyword is not None and arg.keyword.value == name


def _may_be_empty(context: Context, table: cst.BaseExpression) -> bool:
    """Return whether it begins as columns, or a Series, without rows.

    These have the type object, which decides the type of the rows below them since pandas 3.0.
    """
    return any(
        isinstance(one, Assigned)
        and isinstance(one.value, cst.Call)
        and _is_without_rows(argument(one.value, "data", 0))
        and _is_of_objects(context, one.value)
        for one in context.bounds(table)
    )


def _is_of_objects(context: Context, made: cst.Call) -> bool:
    if context.refers_to(made.func, "pandas.Series"):
        return argument(made, "dtype", 2) is None
    return (
        context.refers_to(made.func, "pandas.DataFrame")
        and argument(made, "columns", 2) is not None
    )


def _is_without_rows(data: cst.Arg | None) -> bool:
    return data is None or literal(data.value) in (None, [], {})


def _on_series(context: Context, node: cst.Call) -> bool:
    return any("'Series'" in error.evalue for error in context.failing()) and context.evidence(node)


def _parts(
    context: Context, other: cst.BaseExpression, left: str, pd: str, to_series: bool, ignored: bool
) -> str | Unsure:
    """Return the list that `concat` gets, as code."""
    code = context.code(other)
    inferred = context.type_of(other)
    if inferred is None and _is_given_a_name(context, other):
        inferred = SERIES
    if isinstance(other, cst.List):
        return _parts_of_list(context, other, left, pd, to_series)
    if inferred is not None and inferred.name == "builtins.list":
        return _parts_of_named_list(context, other, inferred, left, pd, to_series)
    if to_series:
        return f"[{left}, {code}]"
    if inferred is not None and inferred.name == "builtins.dict":
        return f"[{left}, {pd}.DataFrame([{code}])]"
    if inferred == SERIES:
        if ignored:
            return f"[{left}, {pd}.DataFrame([{code}])]"
        named = f".rename_axis({left}.index.names)" if _has_named_index(context, left) else ""
        return f"[{left}, {code}.to_frame().T.infer_objects(){named}]"
    row = _one_row(context, other)
    if inferred is None and row is not None:
        return f"[{left}, {row}]" if row else Unsure(f"`{code}` may be a table or a row")
    if inferred is None and not isinstance(other, cst.Name) and not _is_made_as_row(context, other):
        inferred = context.guess(other)
    if inferred is None:
        return _parts_of_unknown(context, other, left, pd, ignored)
    return f"[{left}, {code}]"


def _is_given_a_name(context: Context, other: cst.BaseExpression) -> bool:
    """Return whether `row.name = …` is assigned somewhere: a table has no name."""
    return isinstance(other, cst.Name) and any(
        isinstance(row := owner(node.target, "name"), cst.Name) and row.value == other.value
        for node in context.nodes(cst.AssignTarget)
    )


def _has_named_index(context: Context, table: str) -> bool:
    """Return whether a line names the table's index, which `append` retained and `concat` drops."""
    return table.isidentifier() and any(
        re.search(rf"\b{table}\b", line) and _NAMES_ROWS.search(line)
        for cell in context.program.cells
        for line in cell.source.splitlines()
    )


def _parts_of_unknown(
    context: Context, other: cst.BaseExpression, left: str, pd: str, ignored: bool
) -> str | Unsure:
    """Return the same for an object that may be a table or a row."""
    code = context.code(other)
    may_be_row = ignored or _may_be_row(context, other)
    if _looks_like_frame(other) and not _is_made_as_row(context, other):
        context.assume(f"`{code}` is a table, as its name says")
    elif not may_be_row:
        context.assume(f"`{code}` is a table, not a row")
    elif context.evidence(other) and isinstance(other, cst.Name):
        row = f"{pd}.DataFrame([{code}])" if ignored else f"{code}.to_frame().T.infer_objects()"
        return f"[{left}, {code} if isinstance({code}, {pd}.DataFrame) else {row}]"
    else:
        return Unsure(f"`{code}` may be a table or a row")
    return f"[{left}, {code}]"


def _parts_of_named_list(
    context: Context,
    other: cst.BaseExpression,
    inferred: Type,
    left: str,
    pd: str,
    to_series: bool,
) -> str | Unsure:
    """Return the same for a list with a name: infer its element type from the appended values."""
    code = context.code(other)
    put = [*inferred.items, *_put_into(context, other)]
    if not to_series and any(_is_sequence(item) or (item and item.name in _ROWS) for item in put):
        rows = all(_is_sequence(item) or (item and item.name in _ROWS) for item in put)
        return f"[{left}, {pd}.DataFrame({code})]" if rows else Unsure(f"`{code}` may hold both")
    return f"[{left}] + {code}" if isinstance(other, cst.Name) else f"[{left}] + ({code})"


def _put_into(context: Context, listed: cst.BaseExpression) -> list[Type | None]:
    """Return the types of a list's first elements and of those appended with `rows.append(…)`."""
    if not isinstance(listed, cst.Name):
        return []
    written = context.written(listed)
    first = written.elements if isinstance(written, cst.List) else ()
    return [context.type_of(element.value) for element in first] + [
        context.type_of(node.args[0].value)
        for node in context.nodes(cst.Call)
        if len(node.args) == 1
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value == "append"
        and isinstance(node.func.value, cst.Name)
        and node.func.value.value == listed.value
    ]


def _may_be_row(context: Context, other: cst.BaseExpression) -> bool:
    """Return whether its name or its value suggests a row rather than a table."""
    named = isinstance(other, cst.Name) and _NAMED_AS_ROW.search(other.value) is not None
    return named or _is_made_as_row(context, other)


def _is_made_as_row(context: Context, other: cst.BaseExpression) -> bool:
    """Return whether it is mostly one row of a table: `df.loc[i]`, `df.iloc[i, :]`, `df.xs(i)`."""
    return any(
        value.func.attr.value in ("xs", "squeeze")
        if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute)
        else _one_row(context, value) is not None
        for value in context.all_written(other)
    )


def _parts_of_list(
    context: Context, other: cst.List, left: str, pd: str, to_series: bool
) -> str | Unsure:
    """Return the same for a list display: of tables, or of rows."""
    code = context.code(other)
    candidates = {context.type_of(element.value) for element in other.elements}
    if not to_series and candidates and all(_is_sequence(inferred) for inferred in candidates):
        return f"[{left}, {pd}.DataFrame({code})]"
    if not to_series and any(one is not None and one.name in _ROWS for one in candidates):
        if len(candidates) == 1:
            return f"[{left}, {pd}.DataFrame({code})]"
        return Unsure("rows and tables are appended together")
    return f"[{left}, {code.strip()[1:-1].strip()}]"


def _one_row(context: Context, other: cst.BaseExpression) -> str | None:
    """Return a row as a table of one row: `df.loc[i]` → `df.loc[[i]]`.

    Returns:
        None if it is no row; "" if it may be one or several.
    """
    if not isinstance(other, cst.Subscript) or not isinstance(other.value, cst.Attribute):
        return None
    located, row = other.value, key(other)
    if located.attr.value not in ("loc", "iloc", "ix"):
        return None
    if row is None:
        return None if isinstance(other.slice[0].slice, cst.Slice) else ""
    inferred = context.guess(row)
    if inferred in (SCALAR, TEXT, LABEL):
        return f"{context.code(located)}[[{context.code(row)}]]"
    several = inferred is not None or not isinstance(row, cst.Name)
    return None if several else ""


def _is_sequence(inferred: Type | None) -> bool:
    return inferred is not None and inferred.name in ("builtins.list", "builtins.tuple")


def _looks_like_frame(other: cst.BaseExpression) -> bool:
    """Return whether the name is a usual name of a table: `df`, `…_df`."""
    return isinstance(other, cst.Name) and (
        other.value.lower().startswith(("df", "data", "train", "test"))
        or other.value.lower().endswith(("df", "data", "frame", "train", "test"))
    )
