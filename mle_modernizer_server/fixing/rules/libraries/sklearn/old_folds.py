"""Since scikit-learn 0.20 `KFold` and its sisters do not hold the data they split.

https://scikit-learn.org/stable/whats_new/v0.18.html#model-selection-enhancements-and-api-changes

`for train, test in KFold(len(X), n_folds=5)` → `for train, test in KFold(n_splits=5).split(X)`.
The constructor and every loop over its object change together.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.cell_code import Assigned
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import (
    argument,
    expression,
    has_double_star,
    keyword_arg,
    literal,
    same_literal,
    without,
)

_OLD = {
    "KFold": ("n", "n_folds", "shuffle", "random_state"),
    "StratifiedKFold": ("y", "n_folds", "shuffle", "random_state"),
    "LabelKFold": ("labels", "n_folds"),
    "ShuffleSplit": ("n", "n_iter", "test_size", "train_size", "random_state"),
    "StratifiedShuffleSplit": ("y", "n_iter", "test_size", "train_size", "random_state"),
    "LeaveOneOut": ("n",),
}
_MODULES = ("sklearn.cross_validation.", "sklearn.model_selection.")
_OLD_DEFAULT = {"n_folds": "3", "n_iter": "10"}


@codemod("sklearn-old-folds", on=cst.Call, names=_OLD)
def without_data(context: Context, node: cst.Call) -> Answer:
    """Move the data from the constructor to `split`, wherever the folds are taken."""
    name = _old_class(context, node)
    if name is None:
        return None
    parameters = _OLD[name]
    if has_double_star(node) or any(arg.star for arg in node.args):
        return Unsure("its arguments cannot be told apart")
    data = argument(node, parameters[0], 0)
    if data is None:
        return None
    new = _constructor(node, data, parameters)
    code = context.code(data.value)
    parent = context.parent(node)
    remark = (
        "The folds of StratifiedKFold are chosen by another algorithm since scikit-learn 0.22: "
        "cross-validation scores differ a little."
        if name == "StratifiedKFold"
        else ""
    )
    if _iterated(context, node, parent):
        text = f"{cst.Module([]).code_for_node(new)}.split({_split_arguments(name, code)})"
        return Fix((Change(node, expression(text)),), remark=remark)
    changes = [Change(node, new)]
    if isinstance(parent, cst.Assign):
        for use in _uses(context, node):
            cell = context.program.cell_of(use)
            above = cell.places[use].parent
            if _iterated(context, use, above):
                text = f"{cell.code(use)}.split({_split_arguments(name, code)})"
                changes.append(Change(use, expression(text)))
    return Fix(tuple(changes), remark=remark)


def _old_class(context: Context, node: cst.Call) -> str | None:
    """Name of the class if the call is in the old manner."""
    for address in context.qualnames(node.func):
        for module in _MODULES:
            name = address.removeprefix(module)
            if name == address or name not in _OLD:
                continue
            parameters = _OLD[name]
            if any(argument(node, word) for word in (parameters[0], "n_folds", "n_iter")):
                return name
            given = [arg for arg in node.args if arg.keyword is None]
            if len(given) >= 2 and type(literal(given[1].value)) is not bool:
                return name
            if len(given) == 1 and argument(node, "n_splits") is not None:
                return name
            if given and name != "LeaveOneOut" and not _is_count(context, given[0].value):
                return name
            if given and name == "LeaveOneOut":
                return name
    return None


def _is_count(context: Context, node: cst.BaseExpression) -> bool:
    """Whether the only argument may be a number of folds."""
    if isinstance(literal(node), int):
        return True
    if isinstance(node, cst.Name):
        found = context.program.lookup(node.value, node)
        return (
            any(
                isinstance(binding.bound, Assigned)
                and isinstance(literal(binding.bound.value), int)
                for binding in found.bindings
            )
            or not found.bindings
            or context.type_of(node) is None
        )
    return False


def _constructor(node: cst.Call, data: cst.Arg, parameters: tuple[str, ...]) -> cst.Call:
    """The call without its data, everything else by keyword."""
    call = node
    args = []
    for index, arg in enumerate(call.args):
        if arg is data:
            args.append(arg)
            continue
        name = arg.keyword.value if arg.keyword else parameters[index]
        new = keyword_arg("n_splits" if name in _OLD_DEFAULT else name, arg.value)
        args.append(
            arg.with_changes(keyword=new.keyword, equal=arg.equal if arg.keyword else new.equal)
        )
    call = call.with_changes(args=args)
    shuffle = argument(call, "shuffle")
    gone = [arg for arg in call.args if arg is data]
    for name in ("indices", "random_state"):
        given = argument(call, name)
        unshuffled = "shuffle" in parameters and (
            shuffle is None or same_literal(shuffle.value, False)
        )
        if given is not None and (name == "indices" or unshuffled):
            gone.append(given)
    call = without(call, gone)
    count = next((parameter for parameter in parameters if parameter in _OLD_DEFAULT), None)
    if count is not None and argument(call, "n_splits") is None:
        default = keyword_arg("n_splits", cst.Integer(_OLD_DEFAULT[count]))
        rest = list(call.args)
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        first = default.with_changes(comma=comma) if rest else default
        call = call.with_changes(args=[first, *rest])
    return call


def _split_arguments(name: str, code: str) -> str:
    """What `split` needs: something of the right length, and the labels."""
    if name.startswith("Stratified"):
        return f"{code}, {code}"
    if name == "LabelKFold":
        return f"{code}, groups={code}"
    if code.startswith("len(") and code.endswith(")") and code.count("(") == 1:
        return code[4:-1]
    if code.endswith(".shape[0]"):
        return code.removesuffix(".shape[0]")
    return f"range({code})"


def _iterated(context: Context, node: cst.CSTNode, parent: cst.CSTNode | None) -> bool:
    if isinstance(parent, (cst.For, cst.CompFor)):
        return parent.iter is node
    if isinstance(parent, cst.Arg):
        cell = context.program.cell_of(node)
        call = cell.places[parent].parent
        return (
            isinstance(call, cst.Call)
            and isinstance(call.func, cst.Name)
            and call.func.value in ("enumerate", "list", "iter", "zip")
            and call.args[0] is parent
        )
    return False


def _uses(context: Context, node: cst.Call) -> Iterator[cst.Name]:
    """Names in the notebook that stand for the object this call makes."""
    for cell in context.program.cells:
        for use in cell.places:
            if not isinstance(use, cst.Name):
                continue
            parent = cell.places[use].parent
            if not isinstance(parent, (cst.For, cst.CompFor, cst.Arg)):
                continue
            found = context.program.lookup(use.value, use)
            if any(
                isinstance(binding.bound, Assigned) and binding.bound.value is node
                for binding in found.bindings
            ):
                yield use
