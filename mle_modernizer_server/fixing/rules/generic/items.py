"""Items of a dict of arguments: `params = {'silent': 1}`, which a call takes as `**params`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import libcst as cst

from mle_modernizer_server.code.ipython import literal_value
from mle_modernizer_server.code.tree import (
    argument,
    like_quotes,
    literal,
    same_literal,
    string,
    with_keyword,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.shapes import index
from mle_modernizer_server.fixing.rules.rule import CallFix

IsOurs = Callable[[cst.Call], bool]
_LOOKS = frozenset({"print", "len", "sorted", "list"})
"""Functions that only look at a dict."""


def dict_keys(value: cst.CSTNode) -> set[str] | None:
    """Return the keys of a dict display or a `dict(a=1)` call; None if some are not literals."""
    keys: set[str] = set()
    if isinstance(value, cst.Dict):
        for element in value.elements:
            key = literal(element.key) if isinstance(element, cst.DictElement) else None
            if not isinstance(key, str):
                return None
            keys.add(key)
        return keys
    if (
        isinstance(value, cst.Call)
        and isinstance(value.func, cst.Name)
        and value.func.value == "dict"
    ):
        for arg in value.args:
            if arg.keyword is None:
                return None
            keys.add(arg.keyword.value)
        return keys
    return None


def change_items(
    context: Context, value: cst.BaseExpression, fix: CallFix, is_ours: IsOurs
) -> Answer:
    """Rename, remove and re-value items of the dict that an expression refers to.

    Unsure if other calls take the same dict as well.
    """
    source = context.written(value)
    if isinstance(source, cst.Dict):
        changed: cst.BaseExpression = _display(source, fix)
    elif isinstance(source, cst.Call) and _is_dict_call(context, source):
        changed = _dict_call(source, fix)
    else:
        return None
    if changed is source:
        return None
    if isinstance(value, cst.Name) and not _only_ours(context, value.value, source, is_ours):
        return Unsure(f"`{value.value}` is given to other calls too")
    return one(source, changed)


def _is_dict_call(context: Context, node: cst.Call) -> bool:
    return (
        isinstance(node.func, cst.Name)
        and node.func.value == "dict"
        and not context.program.lookup("dict", node).bindings
    )


def _only_ours(context: Context, name: str, source: cst.CSTNode, is_ours: IsOurs) -> bool:
    """Return whether every call that takes the dict is a concerned one."""
    for cell in context.program.cells:
        for use in cell.places:
            if not isinstance(use, cst.Name) or use.value != name:
                continue
            arg = cell.places[use].parent
            if not isinstance(arg, cst.Arg):
                continue
            found = context.program.lookup(name, use)
            if not any(getattr(one.bound, "value", None) is source for one in found.bindings):
                continue
            call = cell.places[arg].parent
            if not isinstance(call, cst.Call):
                return False
            if isinstance(call.func, cst.Name) and call.func.value in _LOOKS:
                continue
            if not is_ours(call):
                return False
    return True


def _removed(name: str, value: cst.BaseExpression, fix: CallFix) -> bool:
    if name in fix.remove:
        return True
    old = fix.remove_values.get(name)
    return old is not None and same_literal(value, literal_value(old))


def _new_value(name: str, value: cst.BaseExpression, fix: CallFix) -> cst.BaseExpression:
    for old, new in fix.values.get(name, {}).items():
        if same_literal(value, literal_value(old)):
            return like_quotes(new, value)
    return value


def _display(node: cst.Dict, fix: CallFix) -> cst.Dict:
    keys = {
        name: part.value
        for part in node.elements
        if isinstance(part, cst.DictElement) and (name := string(part.key)) is not None
    }
    if not _holds(fix, keys):
        return node
    elements: list[cst.BaseDictElement] = []
    changed = False
    for element in node.elements:
        name = string(element.key) if isinstance(element, cst.DictElement) else None
        if name is None or not isinstance(element, cst.DictElement):
            elements.append(element)
            continue
        if _removed(name, element.value, fix):
            changed = True
            continue
        new = fix.rename.get(name)
        key = element.key if new is None or new in keys else like_quotes(repr(new), element.key)
        value = _new_value(name, element.value, fix)
        if key is not element.key or value is not element.value:
            element = element.with_changes(key=key, value=value)
            changed = True
        elements.append(element)
    if not changed:
        return node
    if elements and node.elements[-1] is not elements[-1]:
        last = node.elements[-1]
        elements[-1] = elements[-1].with_changes(comma=last.comma)
    return node.with_changes(elements=elements)


def _dict_call(node: cst.Call, fix: CallFix) -> cst.Call:
    values = {arg.keyword.value: arg.value for arg in node.args if arg.keyword is not None}
    if not _holds(fix, values):
        return node
    changed = node
    for name, value in values.items():
        arg = argument(changed, name)
        assert arg is not None
        if _removed(name, value, fix):
            changed = without(changed, [arg])
            continue
        new = fix.rename.get(name)
        if new is not None and new not in values:
            changed = changed.with_deep_changes(arg, keyword=cst.Name(new))
            arg = argument(changed, new)
            assert arg is not None
        other = _new_value(name, value, fix)
        if other is not value:
            changed = changed.with_deep_changes(arg, value=other)
    return changed


def _holds(fix: CallFix, values: Mapping[str, cst.BaseExpression]) -> bool:
    """Return whether the items meet the conditions of the fix (`when`, `unless`)."""
    if any(name in values for name in fix.unless) or any(name not in values for name in fix.given):
        return False
    return all(
        name in values and same_literal(values[name], literal_value(text))
        for name, text in fix.when.items()
    )


def add_items(context: Context, value: cst.BaseExpression, items: Mapping[str, str]) -> Answer:
    """Add missing items to the dict that an expression refers to.

    Args:
        items: Code of the values by key.
    """
    source = context.written(value)
    keys = dict_keys(source)
    if keys is None:
        return None
    if isinstance(value, cst.Name):
        keys |= _keys_set_later(context, value.value)
    missing = {name: code for name, code in items.items() if name not in keys}
    if not missing:
        return None
    if isinstance(source, cst.Call):
        changed: cst.Call = source
        for name, code in missing.items():
            changed = with_keyword(changed, name, cst.parse_expression(code))
        return one(source, changed)
    assert isinstance(source, cst.Dict)
    shape = cst.Call(
        cst.Name("dict"),
        [cst.Arg(cst.Name("x"), comma=_comma(part)) for part in source.elements],
        whitespace_before_args=source.lbrace.whitespace_after,
    )
    for name, code in missing.items():
        shape = with_keyword(shape, name, cst.parse_expression(code))
    old = list(source.elements)
    if old and not isinstance(old[-1].comma, cst.Comma):
        end = source.rbrace.whitespace_before
        last = shape.args[len(old) - 1].comma
        assert isinstance(last, cst.Comma)
        old[-1] = old[-1].with_changes(comma=last)
    else:
        end = source.rbrace.whitespace_before
        old = [
            part.with_changes(comma=arg.comma) for part, arg in zip(old, shape.args, strict=False)
        ]
    old, end = _with_comment(old, end)
    quote = '"' if '"' in context.code(source) else "'"
    new = []
    for (name, code), arg in zip(missing.items(), shape.args[len(old) :], strict=True):
        comma = arg.comma
        new.append(
            cst.DictElement(
                cst.SimpleString(f"{quote}{name}{quote}"), cst.parse_expression(code), comma=comma
            )
        )
    return one(
        source,
        source.with_changes(
            elements=[*old, *new], rbrace=source.rbrace.with_changes(whitespace_before=end)
        ),
    )


def _with_comment(
    items: list[cst.BaseDictElement], end: cst.BaseParenthesizableWhitespace
) -> tuple[list[cst.BaseDictElement], cst.BaseParenthesizableWhitespace]:
    """Return the items, the last one with its line's comment, and the rest before the brace."""
    comma = items[-1].comma if items else None
    if (
        not isinstance(end, cst.ParenthesizedWhitespace)
        or end.first_line.comment is None
        or not isinstance(comma, cst.Comma)
        or not isinstance(after := comma.whitespace_after, cst.ParenthesizedWhitespace)
    ):
        return items, end
    comma = comma.with_changes(whitespace_after=after.with_changes(first_line=end.first_line))
    items = [*items[:-1], items[-1].with_changes(comma=comma)]
    return items, end.with_changes(first_line=cst.TrailingWhitespace())


def _comma(part: cst.BaseDictElement) -> cst.Comma | cst.MaybeSentinel:
    return part.comma


def _keys_set_later(context: Context, name: str) -> set[str]:
    """Return the keys of `params['key'] = …` anywhere in the notebook."""
    keys: set[str] = set()
    for cell in context.program.cells:
        for node in cell.places:
            if (
                isinstance(node, cst.Subscript)
                and isinstance(node.value, cst.Name)
                and node.value.value == name
                and (text := string(index(node.slice[0].slice))) is not None
            ):
                keys.add(text)
    return keys
