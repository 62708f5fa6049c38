"""A column does not change its type to take a value that does not fit, since pandas 3.0.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.types.type import SERIES

_REFUSED = re.compile(r"Invalid value '(.*?)' for dtype '(\w+)'", re.DOTALL)
_NUMBER = r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|nan|[-+]?inf"
_NUMBERS = re.compile(rf"\[?\s*({_NUMBER})([\s,]+({_NUMBER}|\.\.\.))*\s*\]?")


@codemod("pandas-upcasting-setitem", on=cst.Assign)
def converted(context: Context, node: cst.Assign) -> Answer:
    """`df.loc[m, 'a'] = 0.5` → `df['a'] = df['a'].astype('float64')` in the line before."""
    return _converted(context, node, node.targets[0].target)


@codemod("pandas-upcasting-setitem", on=cst.AugAssign)
def converted_for_update(context: Context, node: cst.AugAssign) -> Answer:
    """`df.loc[m, 'a'] *= 0.5` in the same way."""
    return _converted(context, node, node.target)


def _converted(context: Context, node: cst.CSTNode, target: cst.CSTNode) -> Answer:
    if not isinstance(target, cst.Subscript) or not context.evidence(node):
        return None
    refused = [found for error in context.failing() if (found := _REFUSED.search(error.evalue))]
    if not refused:
        return None
    value, dtype = refused[0].groups()
    number = _NUMBERS.fullmatch(value) is not None and dtype != "bool"
    new_type = "'float64'" if number else "object"
    column = _column(context, target)
    if column is None:
        return Unsure("the column cannot be told")
    line = context.parent(node)
    block = context.parent(line) if line is not None else None
    if not isinstance(line, cst.SimpleStatementLine) or line.body[0] is not node:
        return Unsure("the line holds more than the assignment")
    text = f"{column} = {column}.astype({new_type})"
    body = list(getattr(block, "body", ()))
    before = body[: body.index(line)] if line in body else []
    last = before[-1] if before else None
    if isinstance(last, cst.SimpleStatementLine) and _text(context, last) == text:
        return None
    new = cst.parse_statement(text)
    assert isinstance(new, cst.SimpleStatementLine)
    first = new.with_changes(leading_lines=line.leading_lines)
    rest = line.with_changes(leading_lines=[])
    return Fix((Change(line, cst.FlattenSentinel([first, rest])),))


def _column(context: Context, target: cst.Subscript) -> str | None:
    """Code of what is written into: `df['a']`, or a Series by its name."""
    base = target.value
    if isinstance(base, cst.Attribute) and base.attr.value in ("loc", "at", "iloc", "iat"):
        if len(target.slice) == 2:
            by_label = base.attr.value in ("loc", "at")
            return (
                f"{context.code(base.value)}[{context.code(target.slice[1].slice)}]"
                if by_label
                else None
            )
        base = base.value
    known = isinstance(base, (cst.Name, cst.Subscript)) and context.type_of(base) == SERIES
    return context.code(base) if known else None


def _text(context: Context, line: cst.SimpleStatementLine) -> str:
    return context.code(line.with_changes(leading_lines=[])).strip()
