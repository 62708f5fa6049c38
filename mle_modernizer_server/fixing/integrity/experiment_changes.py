"""Find new changes of predictions, scores and measured data, over all cells."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from mle_modernizer_server.code.cell_syntax import shared_tree
from mle_modernizer_server.code.code_names import (
    assignments,
    called_name,
    has_name,
    import_aliases,
    root_name,
    tail,
)
from mle_modernizer_server.code.data_flow import trace
from mle_modernizer_server.code.data_flow.meanings import (
    PART_OF,
    READERS,
    is_metric,
    is_predicting,
    is_training,
)
from mle_modernizer_server.code.data_flow.traces import Trace
from mle_modernizer_server.code.names import bindings
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.proposal import CellEdit
from mle_modernizer_server.fixing.integrity.code_facts import MODEL_NAME
from mle_modernizer_server.fixing.integrity.comparison import patched_sources
from mle_modernizer_server.fixing.integrity.equivalences import is_rename

_ROWS = PART_OF | {"dropna", "query"}
_CHOOSERS = _ROWS | {"drop", "filter", "mask", "where", "clip"}
_WEIGHTED = ("Mult ", "Add ")
_MOVING = re.compile(r"call (rolling|expanding)_(\w+)")
"""`pd.rolling_mean(x, 3)`, now `x.rolling(3).mean()`."""

Cells = list[tuple[str, ast.Module]]


def changes_over_cells(notebook: Notebook, edits: Sequence[CellEdit]) -> frozenset[str]:
    """Return the ids of edited cells with a change of the experiment that no cell shows by itself.

    - something is computed with predictions or scores that was not before, other than their form;
    - the name of a model, a metric or a splitter means another one;
    - a variable that is trained on, predicted for or measured is bound anew, or its rows are
      chosen.

    Args:
        notebook: The notebook without the patch.
        edits: The patch; changes by rules are known and do not count.
    """
    suspects = [one for one in edits if one.cell_type is CellType.CODE and not one.known]
    if not suspects:
        return frozenset()
    old = [(cell.id, cell.source) for cell in notebook.code_cells()]
    new = patched_sources(notebook, edits)
    before, after = _trees(old), _trees(new)
    edited = {edit.cell_id for edit in suspects}
    changed = set(_newly_computed(trace(old), trace(new), edited))
    changed |= set(_other_under_the_name(before, after, edited))
    for edit in suspects:
        if edit.cell_id not in changed and _bound_anew(edit, before, after):
            changed.add(edit.cell_id)
    return frozenset(changed & edited)


def _trees(cells: Sequence[tuple[str, str]]) -> Cells:
    return [(name, shared_tree(source)) for name, source in cells]


def _newly_computed(before: Trace, after: Trace, edited: set[str]) -> Iterator[str]:
    """Yield the cells with new computations, however they are distributed among the cells.

    Args:
        before: The notebook as it was.
        after: The notebook with the edits.
        edited: Ids of the cells that may be named.
    """
    if not (before.complete and after.complete):
        return
    had, has = (Counter(one.what for one in where.computed) for where in (before, after))
    added, removed = has - had, had - has
    for moved in filter(None, map(_MOVING.fullmatch, removed)):
        added -= Counter({f"call {part}": removed[moved[0]] for part in moved.groups()})
    for what in list(added):
        twin = next((old for old in removed if _renamed(old, what)), None)
        if twin is not None:
            added[what] -= removed.pop(twin)
    # a weighted sum that lost its parts
    lost = {what for what in removed if what.startswith(_WEIGHTED)} if not +added else set()
    for where, names in ((after, +added), (before, lost)):
        yield from (
            one.cell_id for one in where.computed if one.what in names and one.cell_id in edited
        )


def _renamed(old: str, new: str) -> bool:
    calls = old.startswith("call ") and new.startswith("call ")
    return calls and is_rename(old.removeprefix("call "), new.removeprefix("call "))


def _other_under_the_name(before: Cells, after: Cells, edited: set[str]) -> Iterator[str]:
    old, new = (import_aliases(tree for _, tree in cells) for cells in (before, after))
    for bound, name in new.items():
        one, other = tail(old.get(bound, name)), tail(name)
        another = one != other and not is_rename(one, other) and (_counts(one) or _counts(other))
        for cell_id, tree in after:
            if cell_id not in edited:
                continue
            if another and bound in import_aliases([tree]):
                yield cell_id
            own = bound != other and bound.endswith(other)  # a class that adds to the library's
            if own or not _counts(other):
                continue
            had = (old_tree for other_id, old_tree in before if other_id == cell_id)
            if _defines(tree, bound) and not any(_defines(one, bound) for one in had):
                yield cell_id


def _counts(name: str) -> bool:
    """Return whether a name is that of a model, a metric or a splitter."""
    return bool(
        MODEL_NAME.search(name)
        or is_metric(name)
        or name.endswith(("_split", "Fold", "ShuffleSplit"))
        or name.startswith("cross_val")
    )


def _defines(tree: ast.Module, name: str) -> bool:
    """Return whether some code defines a name otherwise than by an import."""
    return any(
        bound == name
        for node in ast.walk(tree)
        if not isinstance(node, (ast.Import, ast.ImportFrom))
        for bound, _ in bindings(node)
    )


def _bound_anew(edit: CellEdit, before: Cells, after: Cells) -> bool:
    if _fewer_rows(edit, before):
        return True
    names = _measured(after)
    if not names:
        return False
    elsewhere = {name for _, tree in before for name, _ in _bindings(tree)}
    old = shared_tree(edit.base_source)
    new = shared_tree(edit.new_source)
    had = {(name, ast.dump(value)) for name, value in _bindings(old)}
    fresh = Counter(name for name, value in _bindings(old) if not has_name(value, name))
    chosen = Counter(one for name, value in _bindings(old) for one in _choices(value, name))
    for name, value in _bindings(new):
        if name not in names or (name, ast.dump(value)) in had:
            continue
        if has_name(value, name):
            choices = Counter(_choices(value, name))
            if choices - chosen:
                return True
            chosen -= choices
        elif fresh[name]:
            fresh[name] -= 1  # it replaces an existing one
        elif name in elsewhere:
            return True
    return False


def _fewer_rows(edit: CellEdit, before: Cells) -> bool:
    """Return whether rows of a table that is read from a file are selected more often than
    before."""
    tables = {
        name
        for _, tree in before
        for name, value in _bindings(tree)
        if isinstance(value, ast.Call) and called_name(value) in READERS
    }
    old, new = (
        Counter(_narrowed(shared_tree(source), tables))
        for source in (edit.base_source, edit.new_source)
    )
    return bool(new - old)


def _narrowed(tree: ast.Module, tables: set[str]) -> Iterator[str]:
    """Yield the tables that are bound to some of their own rows, or lose some in place."""
    for name, value in _bindings(tree):
        if name in tables and _takes_rows(value, name):
            yield name
    for node in ast.walk(tree):
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and any(one.arg == "inplace" for one in call.keywords):
            yield from (name for name in tables if _takes_rows(call, name))


def _takes_rows(value: ast.expr, name: str) -> bool:
    """Return whether a condition, or a method for it, selects rows of a table."""
    for node in ast.walk(value):
        if isinstance(node, ast.Subscript) and root_name(node.value) == name:
            condition = (ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp)
            if isinstance(node.slice, condition) or _asks(node.slice):
                return True
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _ROWS
            and _is_table(node.func.value, name)
        ):
            return True
    return False


def _is_table(node: ast.expr, name: str) -> bool:
    """Return whether an expression is the table of a name, or one that it reads from a file."""
    if isinstance(node, ast.Call):
        return called_name(node) in READERS
    return isinstance(node, ast.Name) and node.id == name


def _asks(node: ast.expr) -> bool:
    match node:
        case ast.Call(ast.Attribute(_, method)):
            return method.startswith(("is", "not", "between", "duplicated"))
    return False


def _measured(cells: Cells) -> set[str]:
    """Return the variables that are trained on, predicted for or measured."""
    names: set[str] = set()
    for _, tree in cells:
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = called_name(node)
            if is_metric(name) or is_predicting(name) or is_training(node, {}):
                names |= {one.id for one in node.args if isinstance(one, ast.Name)}
    return names


def _bindings(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield every name that an assignment binds, with its value."""
    for target, value in assignments(ast.walk(tree)):
        if isinstance(target, ast.Name):
            yield target.id, value


def _choices(value: ast.expr, name: str) -> Iterator[str]:
    """Yield the selections of some rows or columns of a variable in an expression."""
    for node in ast.walk(value):
        if isinstance(node, ast.Subscript) and root_name(node.value) == name:
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            if not all(isinstance(part, (ast.Slice, ast.Constant)) for part in parts):
                yield ast.dump(node)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _CHOOSERS
            and root_name(node.func.value) == name
        ):
            yield ast.dump(node)
