"""Names of pandas options: abbreviations are ambiguous since 1.4, and some were removed.

https://pandas.pydata.org/docs/user_guide/options.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import like_quotes, same_literal, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.removal import without_statement
from mle_modernizer_server.fixing.rules.engine.shapes import only_target

_FUNCTIONS = ("set_option", "get_option", "reset_option", "option_context", "describe_option")
_FULL = {
    "max_rows": "display.max_rows",
    "max_row": "display.max_rows",
    "max.rows": "display.max_rows",
    "max_columns": "display.max_columns",
    "max_column": "display.max_columns",
    "max_cols": "display.max_columns",
    "max.columns": "display.max_columns",
    "precision": "display.precision",
    "display.line_width": "display.width",
    "line_width": "display.width",
}
_GONE = ("display.height", "height", "display.mpl_style", "mpl_style", "display.latex.repr")


@codemod("pandas-option-names", on=cst.Call, functions=[f"pandas.{name}" for name in _FUNCTIONS])
def full_names(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.set_option('max_rows', 9)` as `pd.set_option('display.max_rows', 9)`."""
    args = list(node.args)
    for index, arg in enumerate(args):
        text = string(arg.value)
        if text in _GONE:
            return _dropped(context, node)
        if text in _FULL and (index % 2 == 0 or arg.keyword is not None):
            args[index] = arg.with_changes(value=like_quotes(repr(_FULL[text]), arg.value))
    if all(new is old for new, old in zip(args, node.args, strict=True)):
        return None
    return one(node, node.with_changes(args=args))


def _dropped(context: Context, node: cst.Call) -> Answer:
    """Remove the line; leave `pass` if the block would be empty."""
    expr = context.parent(node)
    if not isinstance(expr, cst.Expr) or len(node.args) > 2:
        return Unsure("more than this option is set in the line")
    return without_statement(context, expr)


@codemod("pandas-option-names", on=cst.Assign)
def gone(context: Context, node: cst.Assign) -> Answer:
    """Remove `pd.options.display.mpl_style = 'default'`, which only changed the look of plots."""
    target = only_target(node)
    (name, *more) = (context.qualnames(target) if target else ()) or ("",)
    if more or name.removeprefix("pandas.options.") not in _GONE:
        return None
    return without_statement(context, node)


@codemod("pandas-max-colwidth-attribute", on=cst.Assign)
def without_limit(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `pd.options.display.max_colwidth = -1` as `… = None`."""
    target = only_target(node)
    if target is None or not same_literal(node.value, -1):
        return None
    if context.qualnames(target) != ("pandas.options.display.max_colwidth",):
        return None
    return one(node.value, cst.Name("None"))
