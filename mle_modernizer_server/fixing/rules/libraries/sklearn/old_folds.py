"""Since scikit-learn 0.20 `KFold` and similar classes do not store the data they split.

https://scikit-learn.org/stable/whats_new/v0.18.html#model-selection-enhancements-and-api-changes

`for train, test in KFold(len(X), n_folds=5)` → `for train, test in KFold(n_splits=5).split(X)`. The
constructor and every loop over its object change together. If the data are reassigned in between,
the folds are made at once: `list(KFold(n_splits=5).split(X))`.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.code.cell_code import Defined, Parameter
from mle_modernizer_server.code.tree import (
    argument,
    descendants,
    expression,
    has_double_star,
    keyword_arg,
    literal,
    same_literal,
    with_keyword,
    without,
)
from mle_modernizer_server.code.types.type import ARRAY, FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_OLD = {
    "KFold": ("n", "n_folds", "shuffle", "random_state"),
    "StratifiedKFold": ("y", "n_folds", "shuffle", "random_state"),
    "LabelKFold": ("labels", "n_folds"),
    "LeaveOneLabelOut": ("labels",),
    "LeavePLabelOut": ("labels", "p"),
    "LeavePOut": ("n", "p"),
    "ShuffleSplit": ("n", "n_iter", "test_size", "train_size", "random_state"),
    "StratifiedShuffleSplit": ("y", "n_iter", "test_size", "train_size", "random_state"),
    "LeaveOneOut": ("n",),
}
_GONE = "sklearn.cross_validation."
_HERE = "sklearn.model_selection."
_GROUPED = ("LabelKFold", "LeaveOneLabelOut", "LeavePLabelOut")
"""Folds by groups; searches and scores do not get the groups."""
_SHUFFLED_ONCE = ("KFold", "StratifiedKFold")
"""Folds that were shuffled in the constructor; now they are shuffled in each iteration."""
_LOOPS = (cst.For, cst.While, cst.FunctionDef, cst.Lambda)
_COMPREHENSIONS = (cst.ListComp, cst.GeneratorExp, cst.DictComp, cst.SetComp)
_OLD_DEFAULT = {"n_folds": "3", "n_iter": "10"}
_TESTED = "0.1"
"""Test share of the rows, also with a `train_size`; all other rows are test rows now."""


@codemod("sklearn-old-folds", on=cst.Call, names=_OLD)
def without_data(context: Context, node: cst.Call) -> Answer:
    """Move the data from the constructor to `split` in each use of the folds."""
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
    if _iterated(context, node, parent):
        text = f"{cst.Module([]).code_for_node(new)}.split({_split_arguments(name, code)})"
        return Fix((Change(node, expression(text)),))
    changes = [Change(node, new)]
    uses = list(_uses(context, node)) if isinstance(parent, cst.Assign) else []
    if (
        _must_be_dealt_here(context, node, name, new, uses)
        or _rebound(context, data.value, uses)
        or _of_so_many(context, data.value, uses)
    ):
        split = f"{cst.Module([]).code_for_node(new)}.split({_split_arguments(name, code)})"
        return Fix((Change(node, expression(f"list({split})")),))
    if isinstance(parent, cst.Assign):
        for use in uses:
            cell = context.program.cell_of(use)
            above = cell.places[use].parent
            if _iterated(context, use, above):
                text = f"{cell.code(use)}.split({_split_arguments(name, code)})"
                changes.append(Change(use, expression(text)))
        changes.extend(_counted(context, node, _split_arguments(name, code)))
    return Fix(tuple(changes))


def _must_be_dealt_here(
    context: Context, node: cst.Call, name: str, new: cst.Call, uses: list[cst.Name]
) -> bool:
    """Return whether the folds must be made here because their users would make others.

    Groups are known here only, and so are the data if a function of the notebook takes the folds.
    Folds that are shuffled without a seed were the same in each iteration.
    """
    if any(_is_gone_through(context, use) for use in (node, *uses)):
        return True
    if isinstance(context.parent(node), cst.Assign) and not uses:
        return False
    if name in _GROUPED:
        places = [(use, context.parent(use)) for use in uses]
        return not uses or any(not _iterated(context, use, above) for use, above in places)
    shuffle, seed = argument(new, "shuffle"), argument(new, "random_state")
    if name not in _SHUFFLED_ONCE or shuffle is None or same_literal(shuffle.value, False):
        return False
    if seed is not None and not same_literal(seed.value, None):
        return False
    return len(uses) > 1 or any(_repeated(context, use, node) for use in uses)


def _of_so_many(context: Context, data: cst.BaseExpression, uses: list[cst.Name]) -> bool:
    """Return whether the number of rows is literal and so may differ from that of the data.

    `GridSearchCV(…, cv=KFold(10))` searched in the first ten rows.
    """
    places = ((use, context.parent(use)) for use in uses)
    handed_on = any(not _iterated(context, use, above) for use, above in places)
    return type(literal(context.written(data))) is int and (handed_on or not uses)


def _repeated(context: Context, use: cst.Name, node: cst.Call) -> bool:
    """Return whether a loop or a function repeats a use with the same object."""
    above = list(context.program.cell_of(use).ancestors(use))
    around = set(context.program.cell_of(node).ancestors(node))
    first = above[0]
    if isinstance(first, (cst.For, cst.CompFor)) and first.iter is use:
        above = above[2:] if isinstance(first, cst.CompFor) else above[1:]
    return any(isinstance(one, (*_LOOPS, *_COMPREHENSIONS)) and one not in around for one in above)


def _old_class(context: Context, node: cst.Call) -> str | None:
    """Return the name of the class if the call is in the old style.

    Under the old address it always is. Under the new one it needs evidence: an argument that only
    the old class had, or data in place of a number of folds.
    """
    for address in context.qualnames(node.func):
        name = address.removeprefix(_GONE).removeprefix(_HERE)
        if name == address or name not in _OLD:
            continue
        if address.startswith(_GONE) or _is_old(context, node, name):
            return name
    return None


def _is_old(context: Context, node: cst.Call, name: str) -> bool:
    if any(argument(node, word) for word in (_OLD[name][0], "n_folds", "n_iter")):
        return True
    given = [arg for arg in node.args if arg.keyword is None]
    if not given:
        return False
    if name == "LeaveOneOut" or argument(node, "n_splits") is not None:
        return True
    return _is_data(context, given[0].value) or (
        len(given) >= 2 and type(literal(given[1].value)) is int
    )


def _is_data(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether an argument is evidently the data, or their number of rows."""
    if isinstance(node, cst.Call):
        return context.refers_to(node.func, "builtins.len")
    if isinstance(node, cst.Subscript):
        node = node.value
        if isinstance(node, cst.Attribute) and node.attr.value == "shape":
            return True
    return context.type_of(node) in (ARRAY, SERIES, FRAME)


def _constructor(node: cst.Call, data: cst.Arg, parameters: tuple[str, ...]) -> cst.Call:
    """Return the call without its data, everything else by keyword."""
    call = node
    args = []
    for index, arg in enumerate(call.args):
        if arg is data:
            args.append(arg)
            continue
        name = arg.keyword.value if arg.keyword else parameters[index]
        new = keyword_arg(_new_name(name, parameters), arg.value)
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
    if argument(call, "train_size") is not None and argument(call, "test_size") is None:
        call = with_keyword(call, "test_size", cst.Float(_TESTED))
    return call


def _new_name(parameter: str, parameters: tuple[str, ...]) -> str:
    if parameter in _OLD_DEFAULT:
        return "n_splits"
    return "n_groups" if parameter == "p" and parameters[0] == "labels" else parameter


def _split_arguments(name: str, code: str) -> str:
    """Return the arguments of `split`: an object of the right length, and the labels."""
    if name.startswith("Stratified"):
        return f"{code}, {code}"
    if name in _GROUPED:
        return f"{code}, groups={code}"
    if code.startswith("len(") and code.endswith(")") and code.count("(") == 1:
        return code[4:-1]
    if code.endswith(".shape[0]"):
        return code.removesuffix(".shape[0]")
    return f"range({code})"


def _rebound(context: Context, data: cst.BaseExpression, uses: list[cst.Name]) -> bool:
    """Return whether a name in the data may be rebound before the folds are used."""
    names = [node for node in (data, *descendants(data)) if isinstance(node, cst.Name)]
    return any(
        set(context.program.lookup(name.value, name).bindings)
        != set(context.program.lookup(name.value, use).bindings)
        for name in names
        for use in uses
    )


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


def _is_gone_through(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether a function of the notebook gets it and iterates over it."""
    cell = context.program.cell_of(node)
    arg = cell.places[node].parent
    call = cell.places[arg].parent if isinstance(arg, cst.Arg) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name):
        return False
    bound = context.bounds(call.func)
    functions = (one.node for one in bound if isinstance(one, Defined))
    return any(
        isinstance(use, cst.Name)
        and _iterated(context, use, context.parent(use))
        and any(
            isinstance(one, Parameter)
            and one.function is function
            and argument(call, one.name, one.position) is arg
            for one in context.bounds(use)
        )
        for function in functions
        if isinstance(function, cst.FunctionDef)
        for use in descendants(function.body)
    )


def _counted(context: Context, node: cst.Call, data: str) -> Iterator[Change]:
    """Yield changes of `len(folds)` and `folds.n_folds`."""
    for cell in context.program.cells:
        for use, place in cell.places.items():
            if not isinstance(use, cst.Name) or not context.is_made_by(use, node):
                continue
            above = place.parent
            call = cell.places[above].parent if isinstance(above, cst.Arg) else None
            if isinstance(above, cst.Attribute) and above.attr.value in ("n_folds", "n_iter"):
                yield Change(above, expression(f"{use.value}.get_n_splits({data})"))
            elif (
                isinstance(call, cst.Call)
                and isinstance(call.func, cst.Name)
                and call.func.value == "len"
            ):
                yield Change(call, expression(f"{use.value}.get_n_splits({data})"))


def _uses(context: Context, node: cst.Call) -> Iterator[cst.Name]:
    """Yield names in the notebook that are bound to the object this call makes."""
    for use in context.nodes(cst.Name):
        parent = context.parent(use)
        if not isinstance(parent, (cst.For, cst.CompFor, cst.Arg)):
            continue
        if context.is_made_by(use, node):
            yield use
