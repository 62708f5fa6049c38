"""Remove new names from a change for comparison: names are no change of the experiment.

Neither the name of a variable nor a name for an intermediate value changes a result. The plain form
of a change has the notebook's names, and no name for a value that is used once right after.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mle_modernizer_server.code.cell_syntax import parse_cell, shared_tree
from mle_modernizer_server.code.expressions import has_name
from mle_modernizer_server.code.names import bindings
from mle_modernizer_server.domain.notebook import CellType
from mle_modernizer_server.domain.proposal import CellEdit, EditKind

Cells = Sequence[tuple[str, str]]
"""Id and source of each code cell of a notebook, in order."""
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
_APART = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def with_plain_names(
    before: Cells, after: Cells, edits: Sequence[CellEdit]
) -> tuple[CellEdit, ...]:
    """Return edits in their plain form, for comparison only.

    - A variable that is in no cell any more, and another that was in none before, are one: the
      first of those that went and the first of those that came, and so on.
    - A name in only one version of a cell that is bound and used once, in statements of one block
      between which none of its dependences is bound, becomes its value.

    Args:
        before: The notebook.
        after: The notebook with the edits.
        edits: Those of text and those that add or remove cells stay as they are.
    """
    changed = [
        one for one in edits if one.cell_type is CellType.CODE and one.kind is EditKind.MODIFY
    ]
    names = _renamed(before, after, changed)
    used: dict[str, set[str]] = {}
    for cell_id, source in (*before, *after):
        used.setdefault(cell_id, set()).update(spoken_of([shared_tree(source)]))
    plain = {
        edit.id: _plain(edit, names, set().union(*(used[i] for i in used if i != edit.cell_id)))
        for edit in changed
    }
    return tuple(plain.get(edit.id, edit) for edit in edits)


def _renamed(before: Cells, after: Cells, edits: Sequence[CellEdit]) -> dict[str, str]:
    """Return the old name of each variable, by its new one."""
    had, has = (spoken_of(shared_tree(source) for _, source in cells) for cells in (before, after))
    removed = dict.fromkeys(name for one in edits for name in _bound(shared_tree(one.base_source)))
    added = dict.fromkeys(name for one in edits for name in _bound(shared_tree(one.new_source)))
    gone = [name for name in removed if name not in has]
    come = [name for name in added if name not in had]
    return dict(zip(come, gone, strict=True)) if len(come) == len(gone) else {}


def _plain(edit: CellEdit, names: dict[str, str], elsewhere: set[str]) -> CellEdit:
    try:
        old, new = parse_cell(edit.base_source), parse_cell(edit.new_source)
    except SyntaxError:
        return edit
    renamed = _Renaming(names).visit(new)
    had, has = spoken_of([old]), spoken_of([renamed])
    changed = _inlined(renamed, elsewhere | had) | _inlined(old, elsewhere | has)
    if not changed and not names.keys() & spoken_of([shared_tree(edit.new_source)]):
        return edit
    return edit.model_copy(update={"base_source": _text(old), "new_source": _text(renamed)})


def _text(tree: ast.Module) -> str:
    return ast.unparse(ast.fix_missing_locations(tree))


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node


def spoken_of(trees: Iterable[ast.AST]) -> set[str]:
    """Return the names in some code and, because they may be looked up by name, its texts."""
    names: set[str] = set()
    for tree in trees:
        for node in ast.walk(tree):
            names.update(name for name, _ in bindings(node))
            match node:
                case ast.Name(name) | ast.arg(name) | ast.Constant(str() as name):
                    names.add(name)
    return names


def _bound(tree: ast.AST) -> Iterator[str]:
    """Yield the variables that some code binds, in order."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _inlined(tree: ast.Module, names: set[str]) -> bool:
    """Put values in the place of names that are bound and used once; return whether it did.

    Args:
        tree: Changed in place.
        names: Names that remain.
    """
    counts = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    changed = False
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                while _once(block, counts, names):
                    changed = True
    return changed


def _once(block: list[ast.stmt], counts: Counter[str], names: set[str]) -> bool:
    for at, statement in enumerate(block):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if (
            not isinstance(statement, ast.Assign)
            or not isinstance(target, ast.Name)
            or len(statement.targets) != 1
            or counts[target.id] != 2
            or target.id in names
        ):
            continue
        read = {node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name)}
        for later in block[at + 1 :]:
            put = _Putting(target.id, statement.value)
            if isinstance(later, _SIMPLE) and put.into(later):
                block.remove(statement)
                return True
            passes = isinstance(later, _SIMPLE) and not has_name(later, target.id)
            if not passes or read & set(_bound(later)):
                break
    return False


class _Putting(ast.NodeTransformer):
    """Puts a value in the place of a name, except in code that runs more than once."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self._name, self._value, self._done = name, value, False

    def into(self, statement: ast.stmt) -> bool:
        """Put it into a statement; whether there was a place for it."""
        self.visit(statement)
        return self._done

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, _APART):
            return node
        if isinstance(node, ast.Name) and node.id == self._name:
            if not isinstance(node.ctx, ast.Load):
                return node
            self._done = True
            return self._value
        return super().generic_visit(node)
