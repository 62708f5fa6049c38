"""Parts of common expressions and statements, and small changes of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name, keyword_arg
from mle_modernizer_server.fixing.rules.engine.context import Fix, one


def key(node: cst.CSTNode | None) -> cst.BaseExpression | None:
    """Return the only key of a subscript: `a` of `x[a]`; None for slices and other nodes."""
    if not isinstance(node, cst.Subscript) or len(node.slice) != 1:
        return None
    return index(node.slice[0].slice)


def index(part: cst.BaseSlice) -> cst.BaseExpression | None:
    """Return the expression of one part of a subscript; None for a slice such as `1:2`."""
    return part.value if isinstance(part, cst.Index) else None


def is_everything(part: cst.BaseSlice) -> bool:
    """Return whether a part of a subscript is `:`."""
    return isinstance(part, cst.Slice) and not (part.lower or part.upper or part.step)


def owner(node: cst.CSTNode | None, *attributes: str) -> cst.BaseExpression | None:
    """Return the object of which one of these attributes is read: `df` of `df.loc`; else None."""
    if isinstance(node, cst.Attribute) and node.attr.value in attributes:
        return node.value
    return None


def only_target(node: cst.CSTNode | None) -> cst.BaseExpression | None:
    """Return the target of an assignment; None if it has several, and for any other node."""
    if not isinstance(node, cst.Assign) or len(node.targets) != 1:
        return None
    return node.targets[0].target


def arguments(call: cst.Call, parameters: Sequence[str]) -> dict[str, cst.BaseExpression] | None:
    """Return the arguments by name; None if they cannot be told apart.

    Args:
        call: The call.
        parameters: Names of its parameters, in order; further ones may be passed by keyword.
    """
    given: dict[str, cst.BaseExpression] = {}
    for at, arg in enumerate(call.args):
        if arg.star or (arg.keyword is None and at >= len(parameters)):
            return None
        given[arg.keyword.value if arg.keyword else parameters[at]] = arg.value
    return given


def named(arg: cst.Arg, keyword: str, value: cst.BaseExpression | None = None) -> cst.Arg:
    """Return the argument as a keyword argument, with the new value if there is one."""
    new = keyword_arg(keyword, arg.value if value is None else value)
    return arg.with_changes(keyword=new.keyword, equal=new.equal, value=new.value, star="")


def with_arg(call: cst.Call, old: cst.Arg, new: cst.Arg) -> cst.Call:
    """Return the call with another argument in the place of one; the others are the same nodes."""
    return call.with_changes(args=[new if arg is old else arg for arg in call.args])


def with_value(call: cst.Call, arg: cst.Arg, value: cst.BaseExpression) -> cst.Call:
    """Return the call with another value of one argument."""
    return with_arg(call, arg, arg.with_changes(value=value))


def without_elements(node: cst.Dict, unwanted: Collection[cst.BaseDictElement]) -> cst.Dict:
    """Return a dict display without some of its items; the comma at its end stays."""
    kept = [element for element in node.elements if element not in unwanted]
    if kept:
        kept[-1] = kept[-1].with_changes(comma=node.elements[-1].comma)
    return node.with_changes(elements=kept)


def local_name(alias: cst.ImportAlias) -> str:
    """Return the name that an import binds; of `import a.b`, the whole address."""
    return dotted_name(alias.asname.name if alias.asname else alias.name)


def aliases(node: cst.CSTNode) -> Sequence[cst.ImportAlias]:
    """Return the names in an import statement; none for a star import and other nodes."""
    if not isinstance(node, (cst.Import, cst.ImportFrom)) or isinstance(node.names, cst.ImportStar):
        return ()
    return node.names


def imported_modules(statement: cst.CSTNode) -> list[str]:
    """Return the modules that a line imports, or imports names of."""
    found: list[str] = []
    for part in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
        if isinstance(part, cst.Import):
            found += [dotted_name(alias.name) for alias in part.names]
        elif isinstance(part, cst.ImportFrom) and not part.relative:
            found.append(dotted_name(part.module))
    return found


def with_aliases(
    node: cst.Import | cst.ImportFrom, change: Callable[[cst.ImportAlias], cst.ImportAlias]
) -> Fix | None:
    """Return a fix that changes names in an import statement; None if none changes."""
    old = aliases(node)
    new = [change(alias) for alias in old]
    if all(after is before for after, before in zip(new, old, strict=True)):
        return None
    return one(node, node.with_changes(names=new))
