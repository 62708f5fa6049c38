"""`agg` takes no dictionary of new names since pandas 1.0.

https://pandas.pydata.org/docs/user_guide/groupby.html#named-aggregation

A column: `agg({'m': 'mean'})` → `agg(m='mean')`. A table: the columns had two levels, so the names
are set afterwards. Several columns that the dictionary does not name: each function was applied to
all of them.
"""

from __future__ import annotations

import keyword

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    keyword_arg,
    method_name,
    receiver_text,
    string,
)
from mle_modernizer_server.code.types.type import FRAME_GROUPS, SERIES_GROUPS
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    Unsure,
    one,
    rewritten,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key

_PARAMETERS = ("func", "engine", "engine_kwargs")
Pairs = list[tuple[cst.BaseExpression, cst.BaseExpression]]


@codemod("pandas-nested-renamer", on=cst.Call, names=("agg", "aggregate"))
def named(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.groupby('g')['a'].agg({'m': 'mean'})` as `….agg(m='mean')`."""
    if not isinstance(node.func, cst.Attribute) or len(node.args) != 1 or node.args[0].star:
        return None
    pairs = _pairs(node.args[0].value)
    if not pairs:
        return None
    nested = any(_pairs(value) for _, value in pairs)
    inferred = context.type_of(node.func.value)
    if nested and inferred in (None, FRAME_GROUPS):
        return _two_levels(context, node, pairs)
    columns = _columns(node.func.value)
    if columns and not nested and not columns & {string(key) for key, _ in pairs}:
        return _each_column(context, node, pairs)
    if nested or not (inferred == SERIES_GROUPS or _of_column(node.func.value)):
        return None
    if any(isinstance(value, (cst.List, cst.Dict)) for _, value in pairs):
        return Unsure("several functions share a name")
    args = []
    for new, value in pairs:
        name = string(new)
        if name is None:
            return Unsure("the new names are not written out")
        if name in _PARAMETERS:
            return Unsure(f"{name} is a parameter of agg itself")
        if not name.isidentifier() or keyword.iskeyword(name):
            text = ", ".join(f"{context.code(k)}: {context.code(v)}" for k, v in pairs)
            return one(
                node, node.with_changes(args=[cst.Arg(expression(f"{{{text}}}"), star="**")])
            )
        args.append(keyword_arg(name, value))
    return one(node, node.with_changes(args=args))


def _pairs(node: cst.BaseExpression) -> Pairs | None:
    """Return keys and values of a dict display; None for others, such as `OrderedDict([...])`."""
    if not isinstance(node, cst.Dict):
        return None
    found: Pairs = []
    for element in node.elements:
        if not isinstance(element, cst.DictElement):
            return None
        found.append((element.key, element.value))
    return found


def _of_column(node: cst.BaseExpression) -> bool:
    """Return whether it is `….groupby(…)['a']` of any table."""
    of_text = string(key(node)) is not None
    return of_text and isinstance(node, cst.Subscript) and _is_grouped(node.value)


def _is_grouped(node: cst.BaseExpression) -> bool:
    return method_name(node) in ("groupby", "resample", "rolling")


def _columns(node: cst.BaseExpression) -> set[str | None]:
    """Return the columns of `….groupby(…)[['a', 'b']]` or `…['a', 'b']` if they are literal."""
    if not isinstance(node, cst.Subscript) or not _is_grouped(node.value):
        return set()
    indices = [part.slice for part in node.slice]
    values = [index.value for index in indices if isinstance(index, cst.Index)]
    if len(indices) == 1 and values and isinstance(values[0], cst.List):
        values = [element.value for element in values[0].elements]
    elif len(indices) == 1:
        return set()
    return {string(value) for value in values}


def _each_column(context: Context, node: cst.Call, pairs: Pairs) -> Answer:
    """Apply every function to all columns, under its new name: two levels again."""
    pd, imports = context.module(node, "pandas", "pd")
    made = ", ".join(f"{context.code(key)}: g.agg({context.code(how)})" for key, how in pairs)
    text = f"{receiver_text(node.func.with_changes(attr=cst.Name('pipe')))}"
    return rewritten(node, f"{text}(lambda g: {pd}.concat({{{made}}}, axis=1))", imports)


def _two_levels(context: Context, node: cst.Call, pairs: Pairs) -> Answer:
    groups = node.func.value if isinstance(node.func, cst.Attribute) else node.func
    groups = context.written(groups)
    if isinstance(groups, cst.Call) and argument(groups, "as_index") is not None:
        return Unsure("the keys are columns of the result, too")
    functions: list[str] = []
    labels: list[str] = []
    for column, value in pairs:
        inner = _pairs(value)
        if inner is None:
            return Unsure("only some of the columns get new names")
        code = context.code(column)
        functions.append(f"{code}: [{', '.join(context.code(one) for _, one in inner)}]")
        labels.extend(f"({code}, {context.code(name)})" for name, _ in inner)
    pd, imports = context.module(node, "pandas", "pd")
    text = (
        f"{receiver_text(node.func)}({{{', '.join(functions)}}})"
        f".set_axis({pd}.MultiIndex.from_tuples([{', '.join(labels)}]), axis=1)"
    )
    return rewritten(node, text, imports)
