"""Since pandas 2.0 `read_csv(parse_dates=…)` leaves dates of several formats as texts.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#datetimes-are-now-parsed-with-a-consistent-format
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.traceback import failing_lines
from mle_modernizer_server.code.tree import argument, keyword_arg, literal
from mle_modernizer_server.code.types.type import TEXT
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.lines import around, bare, behind, own_line
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import only_target, with_arg
from mle_modernizer_server.fixing.rules.generic.reaching import names_at_errors, names_made_of
from mle_modernizer_server.fixing.rules.libraries.pandas.mixed_dates import both_ways

_READERS = ("pandas.read_csv", "pandas.read_table")


@codemod("pandas-parse-dates-mixed", on=cst.Call, functions=_READERS)
def one_by_one(context: Context, node: cst.Call) -> Answer:
    """`df = pd.read_csv(f, parse_dates=['d'])` → `format='mixed'` for `df['d']` behind it."""
    parsed = argument(node, "parse_dates")
    errors = [error for error in context.run.errors if context.rule.matches(error)]
    if parsed is None or not errors:
        return None
    assign = context.parent(node)
    line, target = own_line(context, assign), only_target(assign)
    if line is None or not isinstance(target, cst.Name):
        return Unsure("the table is not simply given a name")
    pd = context.code(node.func).rpartition(".")[0]
    name, wanted = target.value, literal(parsed.value)
    index = argument(node, "index_col")
    key = literal(index.value) if index is not None else None
    if not pd:
        return Unsure("pandas itself is not imported")
    days = argument(node, "dayfirst")
    day_first = days is not None and literal(days.value) is not False
    lines = []
    listed = wanted if isinstance(wanted, list) else []
    if wanted is True or (isinstance(key, str) and key in listed):
        dates = f"{name}.index.to_series()" if day_first else f"{name}.index"
        lines.append(f"{name}.index = {_read(dates, pd, day_first)}")
    failing = "\n".join(line for error in errors for line in failing_lines(error))
    for label in listed:
        if isinstance(label, str) and label != key and (not failing or label in failing):
            lines.append(f"{name}[{label!r}] = {_read(f'{name}[{label!r}]', pd, day_first)}")
    there = around(context, line)[1][: len(lines)]
    if not lines or [bare(context, one) for one in there] == lines:
        return None
    return behind(line, *lines)


@codemod("pandas-dates-with-year-first", on=cst.Call, functions=_READERS)
def year_first(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.read_csv(f, parse_dates=['d'], dayfirst=True)` as `date_format='ISO8601'`.

    Only if the run failed to infer a frequency of the result: months taken for days have none.
    """
    day_first = argument(node, "dayfirst")
    if day_first is None or literal(day_first.value) is not True:
        return None
    if argument(node, "parse_dates") is None or argument(node, "date_format") is not None:
        return None
    if not names_at_errors(context) & names_made_of(context, node):
        return None
    context.assume("the dates begin with the year, so that their second number is the month")
    iso = keyword_arg("date_format", cst.SimpleString("'ISO8601'"))
    changed = day_first.with_changes(keyword=iso.keyword, value=iso.value)
    return one(node, with_arg(node, day_first, changed))


@codemod("pandas-parse-dates-text", on=cst.Call, names=("read_csv", "read_table"))
def listed(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.read_csv(f, parse_dates='d')` as `parse_dates=['d']`."""
    dates = argument(node, "parse_dates")
    if dates is None or not context.refers_to(node.func, *_READERS):
        return None
    if context.type_of(dates.value) != TEXT:
        return None
    return one(dates.value, cst.List([cst.Element(dates.value)]))


def _read(dates: str, pd: str, day_first: bool) -> str:
    read = f"{pd}.to_datetime"
    return both_ways(dates, read) if day_first else f"{read}({dates}, format='mixed')"
