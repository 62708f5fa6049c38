"""`read_csv` lost `date_parser` and the joining of columns to dates in pandas 3.0.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Defined
from mle_modernizer_server.code.tree import (
    argument,
    keyword_arg,
    literal,
    string,
    with_keyword,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NAMES = ("read_csv", "read_table", "read_excel")
_READERS = tuple(f"pandas.{name}" for name in _NAMES)
_STRPTIME = ("datetime.datetime.strptime", "pandas.datetime.strptime")
_TO_DATETIME = ("pandas.to_datetime",)


@codemod("pandas-read-csv-date-parser", on=cst.Call, functions=_READERS)
def dates(context: Context, node: cst.Call) -> Answer:
    """Rewrite `date_parser=lambda x: datetime.strptime(x, '%Y')` as `date_format='%Y'`."""
    parser = argument(node, "date_parser")
    if parser is None:
        return None
    if literal(parser.value) is None or context.refers_to(parser.value, *_TO_DATETIME):
        return one(node, without(node, [parser]))
    made = _format(context, parser.value)
    if made is None:
        return Unsure("the function that reads the dates is not a plain format")
    if isinstance(made, bool):
        return one(node, without(node, [parser]))
    new = keyword_arg("date_format", made)
    return one(
        node, node.with_deep_changes(parser, keyword=new.keyword, equal=new.equal, value=made)
    )


def _format(context: Context, parser: cst.BaseExpression) -> cst.BaseExpression | bool | None:
    """Return the format a function parses dates with; True for any; None for other functions."""
    made = _function(context, parser)
    if made is None or len(made[0].params) != 1:
        return None
    params, body = made
    if not isinstance(body, cst.Call) or not body.args:
        return None
    read = body.args[0].value
    if not isinstance(read, cst.Name) or read.value != params.params[0].name.value:
        return None  # the text is changed before it is read
    if context.refers_to(body.func, *_STRPTIME) and len(body.args) == 2:
        text = body.args[1].value
        return text.deep_clone() if string(text) is not None else None
    if context.refers_to(body.func, *_TO_DATETIME):
        given = argument(body, "format")
        if given is None:
            return True if len(body.args) == 1 else None
        alone = len(body.args) == 2 and string(given.value) is not None
        return given.value.deep_clone() if alone else None
    return None


def _function(
    context: Context, parser: cst.BaseExpression
) -> tuple[cst.Parameters, cst.BaseExpression | None] | None:
    """Return the parameters and the result of a lambda or a function of one line."""
    if isinstance(parser, cst.Lambda):
        return parser.params, parser.body
    if not isinstance(parser, cst.Name):
        return None
    bound = context.only_bound(parser)
    if isinstance(bound, Assigned) and not bound.path and isinstance(bound.value, cst.Lambda):
        return bound.value.params, bound.value.body
    if isinstance(bound, Defined) and isinstance(bound.node, cst.FunctionDef):
        lines = bound.node.body.body
        line = lines[0] if len(lines) == 1 else None
        if isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Return):
            return bound.node.params, line.body[0].value
    return None


@codemod("pandas-read-csv-nested-dates", on=cst.Call, functions=_READERS)
def joined(context: Context, node: cst.Call) -> Answer:
    """`x = pd.read_csv(f, parse_dates=[['a', 'b']])` → the columns joined in the next line."""
    dates = argument(node, "parse_dates")
    value = literal(dates.value) if dates else None
    groups: dict[str, list[str]] = {}
    if isinstance(value, dict):
        groups = value
    elif isinstance(value, list) and any(isinstance(item, list) for item in value):
        if not all(isinstance(item, list) for item in value):
            return Unsure("single and joined dates are mixed")
        groups = {"_".join(map(str, item)): item for item in value}
    if not groups or dates is None:
        return None
    if not all(isinstance(name, str) for names in groups.values() for name in names):
        return Unsure("the columns of the dates are given by number")
    assign = context.parent(node)
    line = context.parent(assign)
    odd = [argument(node, name) for name in ("date_parser", "dtype", "index_col", "keep_date_col")]
    if (
        not isinstance(assign, cst.Assign)
        or not isinstance(assign.targets[0].target, cst.Name)
        or not isinstance(line, cst.SimpleStatementLine)
        or any(odd)
    ):
        return Unsure("the table is not simply assigned, or read with further wishes")
    table = assign.targets[0].target.value
    every = [name for names in groups.values() for name in names]
    texts = cst.parse_expression(repr(dict.fromkeys(every, "str")))
    call = with_keyword(without(node, [dates]), "dtype", texts)
    new: list[cst.BaseStatement] = [line.with_changes(body=[assign.with_changes(value=call)])]
    for name, names in reversed(list(groups.items())):
        parts = " + ' ' + ".join(f"{table}.pop({part!r})" for part in names)
        new.append(cst.parse_statement(f"{table}.insert(0, {name!r}, pd.to_datetime({parts}))"))
    pd, imports = context.module(node, "pandas", "pd")
    if pd != "pd":
        return Unsure("pandas goes by another name here")
    return Fix((Change(line, cst.FlattenSentinel(new)),), imports)
