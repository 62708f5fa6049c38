"""`read_csv` takes the text None for a missing value since pandas 2.0.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, has_double_star, literal, string, with_keyword
from mle_modernizer_server.domain.text import BEFORE_PANDAS_2, holds_none
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_value

_READERS = frozenset({"pandas.read_csv", "pandas.read_table"})


@codemod("pandas-read-csv-none", on=cst.Call, functions=_READERS)
def kept(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.read_csv(f)` as `pd.read_csv(f, keep_default_na=False, na_values=[…])`."""
    source = argument(node, "filepath_or_buffer", 0)
    if source is None or not _holds_none(context, source.value):
        return None
    if argument(node, "keep_default_na") or argument(node, "na_filter"):
        return None
    if has_double_star(node):
        return Unsure("what else counts as a missing value is unknown")
    missing = argument(node, "na_values")
    added = [] if missing is None else literal(missing.value)
    if not isinstance(added, list) or "None" in added:
        return Unsure("what else counts as a missing value is unknown") if missing else None
    values = cst.parse_expression(repr([*BEFORE_PANDAS_2, *added]))
    if missing is not None:
        return one(
            node,
            with_keyword(with_value(node, missing, values), "keep_default_na", _FALSE),
        )
    changed = with_keyword(node, "keep_default_na", _FALSE)
    return one(node, with_keyword(changed, "na_values", values))


_FALSE = cst.Name("False")


def _holds_none(context: Context, source: cst.BaseExpression) -> bool:
    """Return whether what is read is known to hold the text None."""
    if (context.cell.cell_id, context.code(source)) in context.run.none_texts:
        return True
    opened = context.written(source)
    if not isinstance(opened, cst.Call) or len(opened.args) != 1:
        return False
    if not context.refers_to(opened.func, "io.StringIO"):
        return False
    text = string(context.written(opened.args[0].value))
    return text is not None and holds_none(text.encode("utf-8", "surrogatepass"))
