"""Renamed, removed, added and re-valued arguments; positional arguments made keywords."""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.ipython import literal_value
from mle_modernizer_server.code.tree import (
    argument,
    dotted_name,
    has_double_star,
    keyword_arg,
    like_quotes,
    literal,
    positional,
    same_literal,
    string,
    with_keyword,
    without,
)
from mle_modernizer_server.code.types.type import FRAME
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.shapes import index
from mle_modernizer_server.fixing.rules.generic.items import change_items, dict_keys
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    method_matches,
    undecided,
    unknown_object,
)
from mle_modernizer_server.fixing.rules.rule import CallFix, MethodRename


def fix_method(context: Context, node: cst.Attribute, fix: MethodRename) -> Answer:
    """Rename one use of a method or attribute."""
    parent = context.parent(node)
    called = isinstance(parent, cst.Call) and parent.func is node
    if isinstance(parent, (cst.AssignTarget, cst.Del)) or (fix.attribute and called):
        return None
    match = method_matches(context, node, fix.names, fix.of, fix.distinctive)
    if match is not Match.YES:
        return undecided(context, node, match)
    return one(node, node.with_changes(attr=cst.Name(fix.names[node.attr.value])))


def fix_call(context: Context, node: cst.Call, fix: CallFix) -> Answer:
    """Change the arguments of one call by the rule's data."""
    starred = any(arg.star for arg in node.args)
    if not fix.inside and not starred and _changed(node, fix) is node:
        return None  # the called function is known already
    if not fix.functions or not context.refers_to(node.func, *fix.functions):
        match = _method_match(context, node, fix)
        if match is not Match.YES:
            return _unsure_of_object(context, node, fix) if match is Match.UNKNOWN else None
    if _blocked(node, fix) or _is_ruled_out(context, fix):
        return None
    if fix.not_tables and (unsure := _unsure_of_table(context, node)) is not None:
        return unsure
    if fix.add:
        searched = _searched(context, node)
        left = {name: value for name, value in fix.add.items() if name not in searched}
        fix = fix.model_copy(update={"add": left})

    library = fix.functions[0].partition(".")[0] if fix.inside else ""

    def is_ours(call: cst.Call) -> bool:
        if library and any(name.startswith(f"{library}.") for name in context.qualnames(call.func)):
            return True
        return context.refers_to(call.func, *fix.functions)

    unsure = _unsure_of_arguments(context, node, fix)
    if unsure is not None:
        return unsure
    if fix.inside:
        given = _given(node, fix, fix.inside)
        return None if given is None else change_items(context, given.value, fix, is_ours)
    changed = _changed(node, fix)
    if changed is not node:
        return _with_what_is_read(context, node, changed, fix)
    stars = (arg.value for arg in node.args if arg.star == "**")
    answers = (change_items(context, value, fix, is_ours) for value in stars)
    return next((answer for answer in answers if answer is not None), None)


def _is_ruled_out(context: Context, fix: CallFix) -> bool:
    """Return whether the notebook's code shows that the new arguments do not fit."""
    if not fix.unless_code:
        return False
    pattern = re.compile(fix.unless_code)
    return any(pattern.search(cell.source) for cell in context.program.cells)


def _unsure_of_table(context: Context, node: cst.Call) -> Unsure | None:
    """Return why a call that may get a whole table stays; None if it gets a column or more."""
    given = positional(node)
    if len(given) != 1:
        return None
    value = given[0].value
    if _may_be_several(context, value):
        return Unsure(f"`{context.code(value)}` may be several columns")
    if _may_be_table(context, value):
        return Unsure(f"`{context.code(given[0].value)}` may be a whole table")
    return None


def _may_be_several(context: Context, value: cst.BaseExpression) -> bool:
    """Return whether it is `[a, b]`, `[[1, 2], [3]]`, `df[names]`, `x[:, :2]` or a table's
    `.values`.
    """
    if isinstance(value, (cst.List, cst.Tuple)):
        return any(
            literal(part.value) is NotImplemented or isinstance(part.value, (cst.List, cst.Tuple))
            for part in value.elements
        )
    if isinstance(value, cst.Attribute):
        return value.attr.value in ("values", "T") and _may_be_table(context, value.value)
    if not isinstance(value, cst.Subscript):
        return False
    if len(value.slice) == 1 and _chooses_rows(value.slice[0].slice):
        return _may_be_table(context, value.value)
    return any(_are_several(context, part.slice) for part in value.slice[:1]) or any(
        isinstance(part.slice, cst.Slice) or _are_several(context, part.slice)
        for part in value.slice[1:]
    )


def _may_be_table(context: Context, value: cst.BaseExpression) -> bool:
    inferred = context.guess(value)
    return inferred == FRAME or (inferred is None and isinstance(value, (cst.Name, cst.Call)))


def _chooses_rows(key: cst.BaseSlice) -> bool:
    if not isinstance(key, cst.Index):
        return True
    return isinstance(key.value, (cst.Comparison, cst.BinaryOperation, cst.UnaryOperation))


def _are_several(context: Context, key: cst.BaseSlice) -> bool:
    """Return whether a key is a list of names, or a variable of one."""
    written = context.written(key.value) if isinstance(key, cst.Index) else None
    if isinstance(written, cst.Attribute):
        return written.attr.value == "columns"
    return isinstance(written, (cst.List, cst.ListComp))


def _method_match(context: Context, node: cst.Call, fix: CallFix) -> Match:
    """Return whether a call is of one of the rule's methods."""
    if not fix.methods or not isinstance(node.func, cst.Attribute):
        return Match.NO
    match = method_matches(context, node.func, fix.methods, fix.of, fix.distinctive)
    if match is Match.YES and fix.sure and context.type_of(node.func.value) is None:
        return Match.UNKNOWN
    return match


def _unsure_of_object(context: Context, node: cst.Call, fix: CallFix) -> Unsure | None:
    """Return why a method's call is unchanged; None if it needs no change."""
    if _changed(node, fix) is node or not isinstance(node.func, cst.Attribute):
        return None
    return Unsure(unknown_object(context, node.func))


def _unsure_of_arguments(context: Context, node: cst.Call, fix: CallFix) -> Unsure | None:
    """Return why the arguments of a call are ambiguous; None if they are not."""
    if (
        fix.keyword_after is not None
        and len(positional(node)) > fix.keyword_after
        and any(arg.star == "*" for arg in node.args)
    ):
        return Unsure("positional arguments come out of a `*list`")
    if fix.add and has_double_star(node) and not _stars_known(context, node, fix):
        return Unsure("more arguments come out of `**` something that is not known")
    for name in fix.values.keys() & fix.rename.keys():
        given = argument(node, name)
        if given is None:
            continue
        if argument(node, fix.rename[name]) is not None:
            return Unsure(f"`{name}` and `{fix.rename[name]}` are both given")
        if fix.values[name].keys() <= {"True", "False"} and not isinstance(
            literal(given.value), (bool, int)
        ):
            return Unsure(f"whether `{name}` is set is not written out")
    missing = any(_given(node, fix, name) is None for name in fix.add)
    if missing and fix.parameters and len(positional(node)) > len(fix.parameters):
        return Unsure("one of its positional arguments may be the one to be added")
    return None


def _with_what_is_read(context: Context, node: cst.Call, changed: cst.Call, fix: CallFix) -> Answer:
    """Return the call, with its object's attributes renamed: `model.normalize` was `True`."""
    if not fix.functions or not (fix.remove or fix.rename or fix.remove_values):
        return one(node, changed)
    changes = [Change(node, changed)]
    for read in _reads(context, node):
        name = read.attr.value
        given = argument(node, name)
        if given is None or argument(changed, name) is not None:
            continue
        if name in fix.rename:
            changes.append(Change(read, read.with_changes(attr=cst.Name(fix.rename[name]))))
        elif literal(given.value) is not NotImplemented:
            changes.append(Change(read, given.value))
        else:
            return Unsure(f"the notebook asks the object for its `{name}`")
    return Fix(tuple(changes))


def _reads(context: Context, node: cst.Call) -> list[cst.Attribute]:
    """Return the attributes that are read of the object that a class creates."""
    if not dotted_name(node.func).rpartition(".")[2][:1].isupper():
        return []
    reads = []
    for use in context.uses(node):
        cell = context.program.cell_of(use)
        above = cell.places[use].parent
        if not isinstance(above, cst.Attribute) or above.value is not use:
            continue
        if not isinstance(cell.places[above].parent, (cst.AssignTarget, cst.Call)):
            reads.append(above)
    return reads


def _searched(context: Context, node: cst.Call) -> frozenset[str]:
    """Return arguments that are set anyway before the model is used: adding them changes nothing.

    The model is written in the call of a search, is a step of a pipeline there, or has a name that
    is used for nothing else; or `set_params` is the first that is done with it.
    """
    step = _step_of_pipeline(context, node)
    if step is not None:
        name, pipeline = step
        prefix = f"{name}__"
        found = _searched(context, pipeline)
        return frozenset(key.removeprefix(prefix) for key in found if key.startswith(prefix))
    if isinstance(context.parent(node), cst.Assign):
        uses = context.uses(node)[1:]
        read = [use for use in uses if not _is_bound(context, use)]
        if read and (first := _set_at(context, read[0])):
            return first
        searched = [_searched_around(context, use) for use in read]
        return frozenset.intersection(*searched) if searched else frozenset()
    return _set_at(context, node) or _searched_around(context, node)


def _step_of_pipeline(context: Context, node: cst.Call) -> tuple[str, cst.Call] | None:
    """Return name and call of `("name", model)` among the steps of a `Pipeline`."""
    cell, place = context.program.place(node)
    above = [parent for parent, _ in zip(cell.ancestors(node), range(6), strict=False)]
    pair = next((parent for parent in above if isinstance(parent, cst.Tuple)), None)
    call = next((parent for parent in above if isinstance(parent, cst.Call)), None)
    if pair is None or call is None or len(pair.elements) != 2:
        return None
    if not isinstance(place.parent, cst.Element) or pair.elements[1] is not place.parent:
        return None
    name = literal(pair.elements[0].value)
    made = dotted_name(call.func).rpartition(".")[2] == "Pipeline"
    return (name, call) if made and isinstance(name, str) else None


def _set_at(context: Context, model: cst.BaseExpression) -> frozenset[str]:
    """Return the arguments of `model.set_params(…)` if this is the use of a model at this place."""
    cell, place = context.program.place(model)
    method = place.parent
    call = cell.places[method].parent if isinstance(method, cst.Attribute) else None
    if not isinstance(call, cst.Call) or not isinstance(method, cst.Attribute):
        return frozenset()
    if method.attr.value != "set_params" or call.func is not method:
        return frozenset()
    keys = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    for arg in call.args:
        if arg.star == "**":
            keys.update(dict_keys(context.written(arg.value)) or ())
    return frozenset(keys)


def _is_bound(context: Context, name: cst.BaseExpression) -> bool:
    above = context.parent(name)
    return isinstance(above, cst.AssignTarget)


def _searched_around(context: Context, node: cst.BaseExpression) -> frozenset[str]:
    """Return the arguments that the search sets to which a model, or its name, is passed."""
    cell, place = context.program.place(node)
    arg = place.parent
    call = cell.places[arg].parent if isinstance(arg, cst.Arg) else None
    if not isinstance(call, cst.Call) or not dotted_name(call.func).endswith("SearchCV"):
        return frozenset()
    grid = argument(call, "param_grid", 1) or argument(call, "param_distributions", 1)
    if grid is None or argument(call, "estimator", 0) is not arg:
        return frozenset()
    value: cst.BaseExpression = grid.value
    if isinstance(value, cst.Name):
        bound = context.only_bound(value)
        value = getattr(bound, "value", value)
    parts = [part.value for part in value.elements] if isinstance(value, cst.List) else [value]
    keys = [frozenset(dict_keys(part) or ()) for part in parts]
    return frozenset.intersection(*keys) if keys else frozenset()


def _given(node: cst.Call, fix: CallFix, name: str) -> cst.Arg | None:
    position = fix.parameters.index(name) if name in fix.parameters else None
    return argument(node, name, position)


def _blocked(node: cst.Call, fix: CallFix) -> bool:
    if any(_given(node, fix, name) for name in fix.unless):
        return True
    if any(_given(node, fix, name) is None for name in fix.given):
        return True
    for name, text in fix.unless_values.items():
        arg = _given(node, fix, name)
        if arg is not None and same_literal(arg.value, literal_value(text)):
            return True
    for name, text in fix.when.items():
        arg = _given(node, fix, name)
        if arg is None or not same_literal(arg.value, literal_value(text)):
            return True
    return False


def _stars_known(context: Context, node: cst.Call, fix: CallFix) -> bool:
    """Return whether no `**mapping` sets an argument to add: all are literals without them."""
    for arg in node.args:
        if arg.star != "**":
            continue
        value: cst.BaseExpression = arg.value
        if isinstance(value, cst.Name):
            bound = context.only_bound(value)
            value = getattr(bound, "value", value)
            if _gets_more(context, arg.value, fix):
                return False
        keys = dict_keys(value)
        if keys is None or any(name in keys for name in (*fix.add, *fix.unless)):
            return False
        if any(_holds_value(value, name, text) for name, text in fix.unless_values.items()):
            return False
    return True


def _gets_more(context: Context, mapping: cst.BaseExpression, fix: CallFix) -> bool:
    """Return whether concerned items are put into a named mapping after its creation."""
    for cell in context.program.cells:
        for node, place in cell.places.items():
            if not isinstance(node, cst.Name) or node.value != getattr(mapping, "value", None):
                continue
            above = place.parent
            if isinstance(above, cst.Attribute) and above.value is node:
                if above.attr.value in ("update", "setdefault"):
                    return True
            elif isinstance(above, cst.Subscript) and above.value is node:
                key = string(index(above.slice[0].slice))
                if key is None or key in (*fix.add, *fix.unless, *fix.unless_values):
                    return True
    return False


def _holds_value(mapping: cst.BaseExpression, name: str, text: str) -> bool:
    """Return whether an item of a literal dict has this value."""
    if isinstance(mapping, cst.Dict):
        return any(
            isinstance(part, cst.DictElement)
            and string(part.key) == name
            and same_literal(part.value, literal_value(text))
            for part in mapping.elements
        )
    given = argument(mapping, name) if isinstance(mapping, cst.Call) else None
    return given is not None and same_literal(given.value, literal_value(text))


def _changed(node: cst.Call, fix: CallFix) -> cst.Call:
    changed = node
    if fix.keyword_after is not None:
        changed = _keyworded(changed, fix.parameters, fix.keyword_after)
    changed = _with_values(changed, fix)
    for name, text in fix.remove_values.items():
        arg = _given(changed, fix, name)
        if arg is not None and same_literal(arg.value, literal_value(text)):
            changed = _removed(changed, arg)
    for name in fix.remove:
        arg = _given(changed, fix, name)
        if arg is not None:
            changed = _removed(changed, arg)
    for old, new in fix.rename.items():
        arg = argument(changed, old)
        if arg is not None and argument(changed, new) is None:
            changed = changed.with_deep_changes(arg, keyword=cst.Name(new))
    for name, text in fix.add.items():
        if _given(changed, fix, name) is None:
            changed = with_keyword(changed, name, cst.parse_expression(text))
    return changed


def _with_values(call: cst.Call, fix: CallFix) -> cst.Call:
    """Return the arguments with new spellings of values, and wrapped in calls if needed."""
    changed = call
    for name, table in fix.values.items():
        arg = _given(changed, fix, name)
        if arg is None:
            continue
        for old, new in table.items():
            if same_literal(arg.value, literal_value(old)):
                value = arg.with_changes(value=like_quotes(new, arg.value))
                changed = changed.with_deep_changes(arg, value=value.value)
                break
    for name, function in fix.wrap.items():
        arg = _given(changed, fix, name)
        if arg is not None and not _is_plain(arg.value, function):
            code = cst.Module([]).code_for_node(arg.value)
            wrapped = cst.parse_expression(f"{function}({code})")
            changed = changed.with_deep_changes(arg, value=wrapped)
    return changed


def _is_plain(value: cst.BaseExpression, function: str) -> bool:
    """Return whether there is nothing to wrap: a literal, a list, or a call of that function."""
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Name):
        return value.func.value == function
    return isinstance(value, cst.List) or literal(value) is not NotImplemented


def _removed(call: cst.Call, arg: cst.Arg) -> cst.Call:
    """Return the arguments without one; a positional one only if none follows it."""
    if arg.keyword is None and arg is not positional(call)[-1]:
        return call
    return without(call, [arg])


_AXES = (0, 1, -1, 2, "index", "columns", "rows", None)
_TRUTHS = ("inplace", "ignore_index", "dropna", "skipna", "as_index", "numeric_only")


def _fits(parameter: str, value: cst.BaseExpression) -> bool:
    """Return whether a parameter can have a value, as far as the value is a literal."""
    given = literal(value)
    if given is NotImplemented:
        return True
    if parameter == "axis":
        return not isinstance(given, (list, float)) and given in _AXES
    return parameter not in _TRUTHS or given is None or isinstance(given, (bool, int))


def _keyworded(call: cst.Call, parameters: tuple[str, ...], after: int) -> cst.Call:
    args = list(call.args)
    if len(positional(call)) > len(parameters):
        return call
    changed = False
    for at, arg in enumerate(args):
        if arg.keyword is None and not arg.star and at >= after:
            if argument(call, parameters[at]) is not None:
                return call
            if not _fits(parameters[at], arg.value):
                return call  # the called function has other parameters: another class's method
            new = keyword_arg(parameters[at], arg.value)
            args[at] = arg.with_changes(keyword=new.keyword, equal=new.equal)
            changed = True
    return call.with_changes(args=args) if changed else call
