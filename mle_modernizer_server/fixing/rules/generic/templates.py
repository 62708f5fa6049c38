"""Calls that are written anew from a template."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import libcst as cst

from mle_modernizer_server.code.ipython import literal_value
from mle_modernizer_server.code.tree import (
    args_text,
    binds_less,
    descendants,
    dotted_name,
    expression,
    receiver_text,
    same_literal,
)
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.removal import without_names
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    method_matches,
    undecided,
)
from mle_modernizer_server.fixing.rules.rule import Template

_BINDING = (
    cst.Attribute,
    cst.Await,
    cst.BinaryOperation,
    cst.Call,
    cst.Comparison,
    cst.ComparisonTarget,
    cst.Subscript,
    cst.UnaryOperation,
)
"""Around these an expression with operators needs brackets."""
_FIELD = re.compile(r"\{(\w+)\}(?=(\.|\[)?)")
_NEW_EACH_TIME = re.compile(
    r"\brandom\.|\b(choice|get_chunk|input|next|permutation|pop|popitem|popleft|randint|random"
    r"|raw_input|read|readlines?|rvs|sample|shuffle)$"
)
"""Functions and methods that go on in something, or draw from chance."""
_OPENING = ("(", ",", "[", "{", "=", "(*", ",*")
_CLOSING = (")", ",", "]", "}", "{")
_NAMED_BEFORE = re.compile(r"=[^()]*\{rest\}")


def fix_template(context: Context, node: cst.Call | cst.Attribute, fix: Template) -> Answer:
    """Write one call (or attribute) anew."""
    func = node.func if isinstance(node, cst.Call) else node
    values = _concerned(context, func, fix)
    if values is None or isinstance(values, Unsure):
        return values
    rest = ""
    if isinstance(node, cst.Call):
        given = _arguments(node, fix)
        if given is None:
            return Unsure("its arguments cannot be told apart")
        values.update(given[0])
        rest = given[1]
    needed = {name for name, _ in _FIELD.findall(fix.write)}
    locals_: dict[str, str] = {}
    imports: list[NewImport] = []
    for module, alias in fix.imports.items():
        locals_[alias], new = context.module(node, module, alias)
        imports.extend(new)
    missing = needed - values.keys() - locals_.keys() - {"rest"}
    if missing or (rest and "rest" not in needed):
        return Unsure("its arguments are not the ones the replacement knows")
    twice = _written_twice(context, values, fix)
    if twice is not None:
        return twice

    def written(found: re.Match[str]) -> str:
        name = found[1]
        if name == "rest":
            return rest
        if name in locals_:
            return locals_[name]
        value = values[name]
        if found[2] or _is_torn(value, fix.write[: found.start()], fix.write[found.end() :]):
            return receiver_text(value)
        return context.code(value)

    text = _FIELD.sub(written, fix.write)
    new_node = expression(re.sub(r"\(\s*,\s*", "(", text))
    lpar, rpar = [*node.lpar, *new_node.lpar], [*new_node.rpar, *node.rpar]
    if not lpar and binds_less(new_node) and isinstance(context.parent(node), _BINDING):
        lpar, rpar = [cst.LeftParen()], [cst.RightParen()]
    return one(node, new_node.with_changes(lpar=lpar, rpar=rpar), imports)


def _written_twice(
    context: Context, values: dict[str, cst.BaseExpression], fix: Template
) -> Unsure | None:
    """Return the doubt about an argument that a template repeats and that differs at each
    evaluation.
    """
    fields = [name for name, _ in _FIELD.findall(fix.write)]
    for name, value in values.items():
        calls = (part for part in descendants(value) if isinstance(part, cst.Call))
        if fields.count(name) > 1 and any(
            _NEW_EACH_TIME.search(context.code(call.func)) for call in calls
        ):
            return Unsure(f"`{context.code(value)}` would be written twice and differ each time")
    return None


def _is_torn(value: cst.BaseExpression, before: str, after: str) -> bool:
    """Return whether an operator that the template writes next to an argument would split it."""
    before, after = before.rstrip(), after.lstrip()
    operators = ("" if not before or before.endswith(_OPENING) else before[-1:]) + (
        "" if not after or after.startswith(_CLOSING) else after[:1]
    )
    if not operators or not binds_less(value):
        return False
    counts = isinstance(value, cst.BinaryOperation) or (
        isinstance(value, cst.UnaryOperation) and not isinstance(value.operator, cst.Not)
    )
    return not counts or any(one in "+-*/%&|^@" for one in operators)


def _concerned(
    context: Context, func: cst.BaseExpression, fix: Template
) -> dict[str, cst.BaseExpression] | Unsure | None:
    """Return the object of a concerned method, by its name in the template; None: not concerned.

    A function that is concerned has none.
    """
    if fix.functions and context.refers_to(func, *fix.functions):
        return {}
    if not fix.methods or not isinstance(func, cst.Attribute):
        return None
    match = method_matches(context, func, fix.methods, fix.of, fix.distinctive)
    if match is not Match.YES:
        return undecided(context, func, match)
    if any(
        own.fullmatch(context.code(func.value))
        for own in written_receivers(fix.write, func.attr.value)
    ):
        return None
    return {"self": func.value}


def fix_template_import(context: Context, node: cst.ImportFrom, fix: Template) -> Answer:
    """Remove a function from an import if nothing calls it any more."""
    return leave_out_of_import(context, node, fix.functions)


def leave_out_of_import(
    context: Context, node: cst.ImportFrom, functions: tuple[str, ...]
) -> Answer:
    """Take those of some functions out of an import that nothing in the notebook calls.

    Args:
        context: The import with its surroundings.
        node: The import.
        functions: Their addresses.
    """
    if not isinstance(node, cst.ImportFrom) or isinstance(node.names, cst.ImportStar):
        return None
    if any(isinstance(above, cst.Try) for above in context.cell.ancestors(node)):
        return None
    module = dotted_name(node.module)
    gone = [one for one in node.names if f"{module}.{dotted_name(one.name)}" in functions]
    names = {dotted_name(one.asname.name if one.asname else one.name) for one in gone}
    if not gone or any(
        other.value in names
        and not isinstance(context.parent(other), (cst.ImportAlias, cst.AsName))
        and not _is_attribute(context.parent(other), other)
        and context.refers_to(other, *functions)
        for other in context.nodes(cst.Name)
    ):
        return None
    return without_names(context, node, {dotted_name(alias.name) for alias in gone})


def _is_attribute(parent: cst.CSTNode | None, name: cst.Name) -> bool:
    """Return whether it is the last part of `tf.layers.flatten`: no use of a name `flatten`."""
    return isinstance(parent, cst.Attribute) and parent.attr is name


@cache
def written_receivers(write: str, method: str) -> tuple[re.Pattern[str], ...]:
    """Return whether the new code itself calls the method on it: it must not be rewritten again."""
    found = []
    text = _FIELD.sub("__field__", write.replace("{rest}", ""))
    for node in descendants(expression(text)):
        if isinstance(node, cst.Attribute) and node.attr.value == method:
            code = cst.Module([]).code_for_node(node.value)
            if code != "__field__":
                found.append(re.compile(re.escape(code).replace("__field__", ".+"), re.DOTALL))
    return tuple(found)


def _arguments(call: cst.Call, fix: Template) -> tuple[dict[str, cst.BaseExpression], str] | None:
    """Return the arguments that the template names, and the code of all others."""
    named: dict[str, cst.BaseExpression] = {}
    others: list[cst.Arg] = []
    for index, arg in enumerate(call.args):
        if arg.star:
            return None
        name = arg.keyword.value if arg.keyword else None
        if name is None and index < len(fix.parameters):
            name = fix.parameters[index]
        if name in fix.drop and _among(arg.value, fix.drop[name]):
            continue
        if name in fix.unless:
            return None
        if name is not None and f"{{{name}}}" in fix.write:
            named[name] = arg.value
        elif name is not None and arg.keyword is None and index < len(fix.parameters):
            others.append(arg.with_changes(keyword=cst.Name(name), equal=_EQUAL))
        else:
            others.append(arg)
    if any(
        later.keyword is None and _is_named(fix, others[:at]) for at, later in enumerate(others)
    ):
        return None
    return named, f", {args_text(others)}" if others else ""


def _is_named(fix: Template, before: Sequence[cst.Arg]) -> bool:
    """Return whether a named argument precedes those that the template does not name."""
    return _NAMED_BEFORE.search(fix.write) is not None or any(one.keyword for one in before)


def _among(value: cst.BaseExpression, literals: tuple[str, ...]) -> bool:
    return any(same_literal(value, literal_value(text)) for text in literals)


_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
