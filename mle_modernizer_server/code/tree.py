"""Small questions to and changes of libcst trees that the rest of the rules is written in."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import lru_cache

import libcst as cst

from mle_modernizer_server.code.ipython import literal_value

_SKIPPED = frozenset(
    {"lpar", "rpar", "semicolon", "comma", "operator", "dot", "equal", "asynchronous"}
)
_CHILD_FIELDS: dict[type[cst.CSTNode], tuple[str, ...]] = {}
_NODE_TYPES: dict[type, bool] = {}

_NO_LITERALS = frozenset(
    {cst.Call, cst.Attribute, cst.Subscript, cst.Comparison, cst.BooleanOperation, cst.Lambda}
    | {cst.IfExp, cst.FormattedString, cst.ListComp, cst.DictComp, cst.SetComp, cst.GeneratorExp}
)
_TEXTS_AND_NUMBERS = frozenset({cst.SimpleString, cst.Integer, cst.Float})

_CONSTANTS: dict[str, object] = {"None": None, "True": True, "False": False}

_ATOMS = (
    cst.Name,
    cst.Attribute,
    cst.Call,
    cst.Subscript,
    cst.List,
    cst.Dict,
    cst.Set,
    cst.SimpleString,
    cst.FormattedString,
    cst.ListComp,
)


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Return child nodes without whitespace, commas and brackets, in the order of the fields."""
    kind = type(node)
    names = _CHILD_FIELDS.get(kind)
    if names is None:
        names = tuple(
            field.name
            for field in fields(node)
            if field.name not in _SKIPPED
            and not field.name.startswith(("whitespace", "leading", "lines_after"))
        )
        _CHILD_FIELDS[kind] = names
    for name in names:
        value = getattr(node, name)
        if isinstance(value, (list, tuple)):
            for item in value:
                if _is_node(item):
                    yield item
        elif _is_node(value):
            yield value


def _is_node(value: object) -> bool:
    """Return the same as `isinstance`, which takes long with libcst's abstract class, from a
    cache.
    """
    kind = type(value)
    known = _NODE_TYPES.get(kind)
    if known is None:
        known = _NODE_TYPES[kind] = issubclass(kind, cst.CSTNode)
    return known


Node = cst.CSTNode
"""A place in a cell, for those who only hold it."""


def called_name(node: cst.CSTNode | None) -> str:
    """Return the last part of the name of a called function or method; empty if it is no call."""
    if not isinstance(node, cst.Call):
        return ""
    named = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
    return named.value if isinstance(named, cst.Name) else ""


def method_name(node: cst.CSTNode | None) -> str:
    """Return the name of a called method; empty if it is no call of one."""
    is_method = isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute)
    return called_name(node) if is_method else ""


def receiver(node: cst.CSTNode, *methods: str) -> cst.BaseExpression | None:
    """Return the expression on which one of these methods is called; None for another node."""
    if method_name(node) not in methods:
        return None
    assert isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute)
    return node.func.value


def names_in(node: cst.CSTNode) -> set[str]:
    """Return the names in some code."""
    return {one.value for one in descendants(node) if isinstance(one, cst.Name)}


def code_of(node: cst.CSTNode) -> str:
    """Return the code of a node that may be in no cell."""
    return cst.Module([]).code_for_node(node)


def descendants(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the node and everything below it, in the order of the code."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(tuple(children(node))))


def expression(text: str) -> cst.BaseExpression:
    """Parse an expression; one that runs over several lines gets brackets.

    Raises:
        libcst.ParserSyntaxError: The text is no expression.
    """
    try:
        return cst.parse_expression(text)
    except cst.ParserSyntaxError:
        return cst.parse_expression(f"({text})")


def is_expression(text: str) -> bool:
    """Return whether a text is an expression."""
    try:
        expression(text)
    except cst.ParserSyntaxError:
        return False
    return True


def dotted(name: str) -> cst.Name | cst.Attribute:
    """Return `a.b.c` as a node."""
    first, *rest = name.split(".")
    node: cst.Name | cst.Attribute = cst.Name(first)
    for part in rest:
        node = cst.Attribute(node, cst.Name(part))
    return node


def dotted_name(node: cst.CSTNode | None) -> str:
    """Return the text of a plain dotted name, empty for anything else."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        left = dotted_name(node.value)
        return f"{left}.{node.attr.value}" if left else ""
    return ""


def imported(node: cst.Import | cst.ImportFrom) -> list[str]:
    """Return all addresses in an import statement, with the modules above them."""
    if isinstance(node, cst.Import):
        names = [dotted_name(alias.name) for alias in node.names]
    else:
        module = dotted_name(node.module)
        names = [module]
        if not isinstance(node.names, cst.ImportStar):
            names = [f"{module}.{dotted_name(alias.name)}" for alias in node.names]
    every: list[str] = []
    for name in names:
        parts = name.split(".")
        every.extend(".".join(parts[:end]) for end in range(1, len(parts) + 1))
    return list(dict.fromkeys(every))


def literal(node: cst.CSTNode | None) -> object:
    """Return the value of a literal expression; `NotImplemented` for any other."""
    if isinstance(node, cst.Name):
        return _CONSTANTS.get(node.value, NotImplemented)
    kind = type(node)
    if node is None or kind in _NO_LITERALS:
        return NotImplemented
    if kind in _TEXTS_AND_NUMBERS:
        assert isinstance(node, (cst.SimpleString, cst.Integer, cst.Float))
        return _evaluated_once(node.value)
    if any(map(_is_variable, descendants(node))):
        return NotImplemented  # sooner than by its text
    return _evaluated(cst.Module([]).code_for_node(node).strip())


def _is_variable(node: cst.CSTNode) -> bool:
    """Return whether a name is none of those in literals, of which `set()` is one."""
    return type(node) is cst.Name and node.value not in _CONSTANTS and node.value != "set"


@lru_cache(maxsize=4096)
def _evaluated_once(text: str) -> object:
    """Return the same as `_evaluated`, cached for texts and numbers, which many rules request."""
    return _evaluated(text)


def _evaluated(text: str) -> object:
    with warnings.catch_warnings():
        # Old code is full of strings such as '\\d', which Python warns of when it reads them.
        warnings.simplefilter("ignore")
        try:
            return literal_value(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return NotImplemented


def same_literal(node: cst.CSTNode, value: object) -> bool:
    """Return whether the node is a literal of that type and value (`1` is not `True`)."""
    found = literal(node)
    return type(found) is type(value) and found == value


def string(node: cst.CSTNode | None) -> str | None:
    """Return the text of a plain string literal, or None."""
    if isinstance(node, cst.SimpleString):
        found = _evaluated_once(node.value)
        return found if isinstance(found, str) else None
    return None


def like_quotes(text: str, model: cst.CSTNode) -> cst.BaseExpression:
    """Return the literal `text`; a string gets the quotes of the string it replaces."""
    value = literal_value(text)
    if isinstance(value, str) and isinstance(model, cst.SimpleString) and "\\" not in value:
        quote = model.quote
        if quote not in value:
            return cst.SimpleString(f"{quote}{value}{quote}")
    return cst.parse_expression(text)


def receiver_text(node: cst.BaseExpression) -> str:
    """Return the code of the object of a call, in brackets if needed."""
    code = cst.Module([]).code_for_node(node)
    return code if isinstance(node, _ATOMS) or node.lpar else f"({code})"


def binds_less(node: cst.BaseExpression) -> bool:
    """Return whether an operator outside of brackets needs them next to another operator."""
    return not isinstance(node, _ATOMS) and not isinstance(
        node, (cst.Integer, cst.Float, cst.Tuple, cst.SetComp, cst.DictComp, cst.ConcatenatedString)
    )


def argument(call: cst.Call, keyword: str, position: int | None = None) -> cst.Arg | None:
    """Return the argument passed by keyword, or at that position if no star precedes it."""
    for index, arg in enumerate(call.args):
        if arg.keyword is not None:
            if arg.keyword.value == keyword:
                return arg
        elif arg.star:
            position = None
        elif index == position:
            return arg
    return None


def has_double_star(call: cst.Call) -> bool:
    """Return whether `**something` may contain more keywords."""
    return any(arg.star == "**" for arg in call.args)


def positional(call: cst.Call) -> list[cst.Arg]:
    """Return the positional arguments (stars included)."""
    return [arg for arg in call.args if arg.keyword is None and arg.star != "**"]


def without(call: cst.Call, unwanted: Sequence[cst.Arg]) -> cst.Call:
    """Return the call without some of its arguments; commas and line breaks stay in order."""
    kept = [arg for arg in call.args if arg not in unwanted]
    if kept and call.args[-1] not in kept:
        last = call.args[-1]
        comma = kept[-1].comma
        space = last.whitespace_after_arg
        if isinstance(comma, cst.Comma) and not isinstance(last.comma, cst.Comma):
            space = _commented(space, comma.whitespace_after)
        kept[-1] = kept[-1].with_changes(comma=last.comma, whitespace_after_arg=space)
    return call.with_changes(args=kept)


def with_keyword(call: cst.Call, name: str, value: cst.BaseExpression) -> cst.Call:
    """Return the call with one more keyword argument at its end, laid out like the ones before."""
    new = keyword_arg(name, value)
    args = list(call.args)
    at = len(args)
    while at and args[at - 1].star == "**":
        at -= 1
    if not args:
        return call.with_changes(args=[new])
    space = _space_between(call)
    if at < len(args):
        args.insert(at, new.with_changes(comma=cst.Comma(whitespace_after=space)))
        return call.with_changes(args=args)
    last = args[-1]
    if isinstance(last.comma, cst.Comma):
        after = last.comma.whitespace_after
        new = new.with_changes(comma=cst.Comma(whitespace_after=_plain(after)))
    else:
        after = last.whitespace_after_arg
        new = new.with_changes(whitespace_after_arg=_plain(after))
    args[-1] = last.with_changes(
        comma=cst.Comma(whitespace_after=_commented(space, after)),
        whitespace_after_arg=cst.SimpleWhitespace(""),
    )
    return call.with_changes(args=[*args, new])


def _space_between(call: cst.Call) -> cst.BaseParenthesizableWhitespace:
    """Return the text between two arguments, without comments."""
    for arg in call.args[:-1]:
        if isinstance(arg.comma, cst.Comma):
            return _plain(arg.comma.whitespace_after)
    if isinstance(call.whitespace_before_args, cst.ParenthesizedWhitespace):
        return _plain(call.whitespace_before_args)
    return cst.SimpleWhitespace(" ")


def _plain(space: cst.BaseParenthesizableWhitespace) -> cst.BaseParenthesizableWhitespace:
    """Return the same line break without comments and empty lines."""
    if isinstance(space, cst.ParenthesizedWhitespace):
        return space.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=[])
    return space


def _commented(
    space: cst.BaseParenthesizableWhitespace, before: cst.BaseParenthesizableWhitespace
) -> cst.BaseParenthesizableWhitespace:
    """Return `space` with the comment behind the last argument, at the same line."""
    if isinstance(before, cst.ParenthesizedWhitespace) and before.first_line.comment is not None:
        if isinstance(space, cst.ParenthesizedWhitespace):
            return space.with_changes(first_line=before.first_line)
        return before
    return space


def keyword_arg(name: str, value: cst.BaseExpression) -> cst.Arg:
    """Return `name=value` without spaces around the equals sign."""
    return cst.Arg(
        keyword=cst.Name(name),
        value=value,
        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
    )


def args_text(args: Sequence[cst.Arg]) -> str:
    """Return the arguments as code, joined by `, `."""
    module = cst.Module([])
    return ", ".join(
        module.code_for_node(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)).strip()
        for arg in args
    )
