"""Find new changes of predictions, scores and measured data, over all cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from mle_modernizer_server.code.canonical.plain_names import Cells
from mle_modernizer_server.code.cell_syntax import shared_tree
from mle_modernizer_server.code.data_flow import trace
from mle_modernizer_server.code.data_flow.meanings import is_metric
from mle_modernizer_server.code.data_flow.traces import Trace
from mle_modernizer_server.code.experiment.learning import MODEL_NAME
from mle_modernizer_server.code.experiment.rows import (
    measured,
    name_bindings,
    narrowed,
    tables_read,
)
from mle_modernizer_server.code.expressions import import_aliases, tail
from mle_modernizer_server.code.names import defined_names
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.proposal import CellEdit
from mle_modernizer_server.fixing.integrity.comparison import patched_sources
from mle_modernizer_server.fixing.integrity.equivalences import is_rename

_WEIGHTED = ("Mult ", "Add ")
_MOVING = re.compile(r"call (rolling|expanding)_(\w+)")
"""`pd.rolling_mean(x, 3)`, now `x.rolling(3).mean()`."""


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
    edited = {edit.cell_id for edit in suspects}
    changed = set(_newly_computed(trace(old), trace(new), edited))
    changed |= set(_other_under_the_name(old, new, edited))
    for edit in suspects:
        if edit.cell_id not in changed and _bound_anew(edit, old, new):
            changed.add(edit.cell_id)
    return frozenset(changed & edited)


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
    old, new = (
        import_aliases(shared_tree(source) for _, source in cells) for cells in (before, after)
    )
    had = dict(before)
    for cell_id, source in after:
        if cell_id not in edited:
            continue
        imported = import_aliases([shared_tree(source)])
        defined = defined_names(source) - defined_names(had.get(cell_id, ""))
        for bound, name in new.items():
            one, other = tail(old.get(bound, name)), tail(name)
            own = bound != other and bound.endswith(other)  # a class that adds to the library's
            replaced = bound in defined and not own and _counts(other)
            another = one != other and not is_rename(one, other)
            if replaced or (another and bound in imported and (_counts(one) or _counts(other))):
                yield cell_id


def _counts(name: str) -> bool:
    """Return whether a name is that of a model, a metric or a splitter."""
    return bool(
        MODEL_NAME.search(name)
        or is_metric(name)
        or name.endswith(("_split", "Fold", "ShuffleSplit"))
        or name.startswith("cross_val")
    )


def _bound_anew(edit: CellEdit, before: Cells, after: Cells) -> bool:
    tables = tables_read(source for _, source in before)
    old, new = edit.base_source, edit.new_source
    if Counter(narrowed(new, tables)) - Counter(narrowed(old, tables)):
        return True
    names = measured(source for _, source in after)
    if not names:
        return False
    elsewhere = {one.name for _, source in before for one in name_bindings(source)}
    had = name_bindings(old)
    fresh = Counter(one.name for one in had if not one.from_itself)
    chosen = Counter(choice for one in had for choice in one.chosen)
    known = {(one.name, one.value) for one in had}
    for one in name_bindings(new):
        if one.name not in names or (one.name, one.value) in known:
            continue
        if one.from_itself:
            if Counter(one.chosen) - chosen:
                return True
            chosen -= Counter(one.chosen)
        elif fresh[one.name]:
            fresh[one.name] -= 1  # it replaces an existing one
        elif one.name in elsewhere:
            return True
    return False
