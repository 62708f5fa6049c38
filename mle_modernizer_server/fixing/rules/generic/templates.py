"""Calls that are written anew from a template."""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.fixing.rules.entry import Template
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    function_matches,
    method_matches,
    unknown_object,
)
from mle_modernizer_server.fixing.rules.scene import Answer, NewImport, Scene, Unsure, one
from mle_modernizer_server.fixing.rules.tree import args_text, expression, receiver_text

_FIELD = re.compile(r"\{(\w+)\}(?=(\.|\[)?)")


def fix_template(scene: Scene, node: cst.Call | cst.Attribute, fix: Template) -> Answer:
    """Write one call (or attribute) anew."""
    func = node.func if isinstance(node, cst.Call) else node
    values: dict[str, cst.BaseExpression] = {}
    if fix.functions and function_matches(scene, func, fix.functions):
        pass
    elif fix.methods and isinstance(func, cst.Attribute):
        match = method_matches(scene, func, fix.methods, fix.of, fix.distinctive)
        if match is Match.NO:
            return None
        if match is Match.UNKNOWN:
            return Unsure(unknown_object(scene, func))
        values["self"] = func.value
    else:
        return None
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
        locals_[alias], new = scene.module(node, module, alias)
        imports.extend(new)
    missing = needed - values.keys() - locals_.keys() - {"rest"}
    if missing or (rest and "rest" not in needed):
        return Unsure("its arguments are not the ones the replacement knows")

    def written(found: re.Match[str]) -> str:
        name = found[1]
        if name == "rest":
            return rest
        if name in locals_:
            return locals_[name]
        value = values[name]
        return receiver_text(value) if found[2] else scene.code(value)

    text = _FIELD.sub(written, fix.write)
    new_node = expression(re.sub(r"\(\s*,\s*", "(", text))
    brackets = {
        "lpar": [*node.lpar, *new_node.lpar],
        "rpar": [*new_node.rpar, *node.rpar],
    }
    return one(node, new_node.with_changes(**brackets), imports)


def _arguments(call: cst.Call, fix: Template) -> tuple[dict[str, cst.BaseExpression], str] | None:
    """The arguments the template names, and the code of all others."""
    named: dict[str, cst.BaseExpression] = {}
    others: list[cst.Arg] = []
    for index, arg in enumerate(call.args):
        if arg.star:
            return None
        name = arg.keyword.value if arg.keyword else None
        if name is None and index < len(fix.parameters):
            name = fix.parameters[index]
        if name is not None and f"{{{name}}}" in fix.write:
            named[name] = arg.value
        elif name is not None and arg.keyword is None and index < len(fix.parameters):
            others.append(arg.with_changes(keyword=cst.Name(name), equal=_EQUAL))
        else:
            others.append(arg)
    return named, f", {args_text(others)}" if others else ""


_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
