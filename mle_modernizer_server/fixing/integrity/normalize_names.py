"""Remove new names from a patch for comparison: names are no change of the experiment.

Neither the name of a variable nor a name for an intermediate value changes a result. The plain form
of a patch has the notebook's names, and no name for a value that is used once right after.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mle_modernizer_server.code.cell_syntax import parse_cell, shared_tree
from mle_modernizer_server.code.code_names import has_name
from mle_modernizer_server.code.names import bindings
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.proposal import CellEdit, EditKind
from mle_modernizer_server.fixing.integrity.lineage import patched_sources

_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
_APART = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def in_plain_form(notebook: Notebook, edits: Sequence[CellEdit]) -> tuple[CellEdit, ...]:
    """Return the edits in their plain form, for comparison only; each keeps its meaning.

    - A variable that is in no cell any more, and another that was in none before, are one: the
      first of those that went and the first of those that came, and so on.
    - A name in only one version of an edit that is bound and used once, in statements of one block
      between which none of its dependences is bound, becomes its value.

    Args:
        notebook: The notebook without the patch.
        edits: The patch.
    """
    names = _renamed(notebook, edits)
    elsewhere = _used_by_cell(notebook, edits)
    return tuple(_plain(edit, names, elsewhere) for edit in edits)


def _renamed(notebook: Notebook, edits: Sequence[CellEdit]) -> dict[str, str]:
    """Return the old name of each variable, by its name in the patch."""
    changed = [one for one in edits if one.kind is EditKind.MODIFY]
    before = [shared_tree(cell.source) for cell in notebook.code_cells()]
    after = [shared_tree(source) for _, source in patched_sources(notebook, edits)]
    had, has = spoken_of(before), spoken_of(after)
    removed, added = (
        dict.fromkeys(
            name
            for edit in changed
            if edit.cell_type is CellType.CODE
            for name in _bound(shared_tree(getattr(edit, source)))
            if name not in others
        )
        for source, others in (("base_source", has), ("new_source", had))
    )
    return dict(zip(added, removed, strict=True)) if len(added) == len(removed) else {}


def _used_by_cell(notebook: Notebook, edits: Sequence[CellEdit]) -> dict[str, set[str]]:
    """Return the names in the cells, before or after the patch, by the cell's id."""
    names: dict[str, set[str]] = {}
    cells = [(cell.id, cell.source) for cell in notebook.code_cells()]
    for name, source in (*cells, *patched_sources(notebook, edits)):
        names.setdefault(name, set()).update(spoken_of([shared_tree(source)]))
    return names


def _plain(edit: CellEdit, names: dict[str, str], used_by_cell: dict[str, set[str]]) -> CellEdit:
    if edit.cell_type is not CellType.CODE or edit.kind is not EditKind.MODIFY:
        return edit
    try:
        old, new = parse_cell(edit.base_source), parse_cell(edit.new_source)
    except SyntaxError:
        return edit
    elsewhere = {
        name for cell, used in used_by_cell.items() if cell != edit.cell_id for name in used
    }
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
