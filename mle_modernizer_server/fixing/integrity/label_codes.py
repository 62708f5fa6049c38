"""A patch without the numbers that it gives to class labels and takes back from predictions.

Since XGBoost 1.6 the classes must be 0, 1, …: https://xgboost.readthedocs.io/en/stable/changes/.
What a `LabelEncoder` encodes before a training and decodes after a prediction is the same label.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mle_modernizer_server.code.cell_syntax import parse_cell, shared_tree
from mle_modernizer_server.code.code_names import dotted, import_aliases, tail
from mle_modernizer_server.code.data_flow.meanings import is_predicting
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.proposal import CellEdit, EditKind
from mle_modernizer_server.fixing.integrity.lineage import patched_sources
from mle_modernizer_server.fixing.integrity.normalize_names import spoken_of

_ENCODER = "sklearn.preprocessing.LabelEncoder"
_FITTING = ("fit", "fit_transform")
_ENCODING = ("transform", "fit_transform")
_DECODING = "inverse_transform"
_OF_THE_NOTEBOOK = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.expr_context)


def without_label_codes(notebook: Notebook, edits: Sequence[CellEdit]) -> tuple[CellEdit, ...]:
    """Return the edits for comparison, without an encoder of labels that they bring.

    It must be the only one, be fitted on labels that the notebook has, and both encode and decode;
    otherwise the edits are returned as they are.

    Args:
        notebook: What the edits were made for.
        edits: The patch.
    """
    had = spoken_of(shared_tree(cell.source) for cell in notebook.code_cells())
    trees = [shared_tree(source) for _, source in patched_sources(notebook, edits)]
    encoders = {name for name in _encoders(trees) if name not in had}
    if len(encoders) != 1 or "LabelEncoder" in _classes(trees):
        return tuple(edits)
    encoder = encoders.pop()
    if not _is_round_trip(trees, encoder, had):
        return tuple(edits)
    removal = _Removal(encoder, had)
    changed = [_changed(edit, removal) for edit in edits]
    return tuple(_renamed(edit, removal.aliases) for edit in changed)


def _classes(trees: Sequence[ast.Module]) -> set[str]:
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {node.name for node in nodes if isinstance(node, ast.ClassDef)}


def _encoders(trees: Sequence[ast.Module]) -> Iterator[str]:
    """Yield the variables that stand for an encoder, once for each time they are bound."""
    aliases = import_aliases(trees)
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Assign) and _made(node.value, aliases):
            yield from (one.id for one in node.targets if isinstance(one, ast.Name))


def _made(value: ast.expr, aliases: dict[str, str]) -> bool:
    """Return whether a value is `LabelEncoder()` or `LabelEncoder().fit(y)`."""
    if not isinstance(value, ast.Call):
        return False
    if isinstance(value.func, ast.Attribute) and value.func.attr == "fit":
        return _made(value.func.value, aliases)
    return dotted(value.func, aliases) == _ENCODER and not (value.args or value.keywords)


def _is_round_trip(trees: Sequence[ast.Module], encoder: str, had: set[str]) -> bool:
    """Return whether an encoder does nothing but encode labels and decode predictions."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    calls = [node for node in nodes if isinstance(node, ast.Call) and _method(node, encoder)]
    methods = [_method(call, encoder) for call in calls]
    uses = sum(isinstance(node, ast.Name) and node.id == encoder for node in nodes)
    bindings = [
        node.value
        for node in nodes
        if isinstance(node, ast.Assign)
        and any(isinstance(one, ast.Name) and one.id == encoder for one in node.targets)
    ]
    fitted = [call.args[0] for call in calls if _method(call, encoder) in _FITTING]
    fitted += [one.args[0] for one in bindings if isinstance(one, ast.Call) and one.args]
    decoded = [call.args[0] for call in calls if _method(call, encoder) == _DECODING]
    return (
        len(bindings) == 1
        and uses == len(calls) + 1
        and all(name in (*_FITTING, *_ENCODING, _DECODING) for name in methods)
        and any(name in _ENCODING for name in methods)
        and bool(decoded and fitted)
        and all(_is_predicted(one, nodes) for one in decoded)
        and all(_is_of_the_notebook(one, had) for one in fitted)
    )


def _is_of_the_notebook(labels: ast.expr, had: set[str]) -> bool:
    """Return whether labels are a variable or a column that the notebook had."""
    nodes = list(ast.walk(labels))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return bool(names) and names <= had and all(isinstance(one, _OF_THE_NOTEBOOK) for one in nodes)


def _is_predicted(value: ast.expr, nodes: Sequence[ast.AST]) -> bool:
    """Return whether a value is what a model predicts, or a variable that is bound to it."""
    if isinstance(value, ast.Name):
        bound = [
            node.value
            for node in nodes
            if isinstance(node, ast.Assign)
            and any(isinstance(one, ast.Name) and one.id == value.id for one in node.targets)
        ]
        return any(_is_predicted(one, nodes) for one in bound if not isinstance(one, ast.Name))
    return any(
        isinstance(node, ast.Call) and is_predicting(tail(dotted(node.func, {})))
        for node in ast.walk(value)
    )


def _method(call: ast.Call, encoder: str) -> str:
    """Return the method of an encoder that is called with one argument; empty for other calls."""
    func = call.func
    of_it = isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name)
    if not of_it or len(call.args) != 1 or call.keywords:
        return ""
    assert isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name)
    return func.attr if func.value.id == encoder else ""


@dataclass
class _Removal(ast.NodeTransformer):
    """Puts labels and predictions in the place of what an encoder makes of them.

    Attributes:
        encoder: Name of the encoder.
        had: Names of the notebook without the patch.
        aliases: Name of the notebook's labels by the name that the patch gives their codes.
    """

    encoder: str
    had: set[str]
    aliases: dict[str, str] = field(default_factory=dict)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return node.args[0] if _method(node, self.encoder) not in ("", "fit") else node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        if isinstance(node.value, ast.Call) and _method(node.value, self.encoder):
            return None
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id == self.encoder:
            return None
        coded = isinstance(node.value, ast.Call) and bool(_method(node.value, self.encoder))
        self.generic_visit(node)
        if not coded or len(node.targets) != 1:
            return node
        if ast.unparse(target) == ast.unparse(node.value):
            return None
        new = isinstance(target, ast.Name) and target.id not in self.had
        if new and isinstance(target, ast.Name) and isinstance(node.value, ast.Name):
            self.aliases[target.id] = node.value.id
            return None
        return node


def _changed(edit: CellEdit, removal: _Removal) -> CellEdit:
    if edit.cell_type is not CellType.CODE or edit.kind is EditKind.DELETE:
        return edit
    try:
        tree = parse_cell(edit.new_source)
    except SyntaxError:
        return edit
    if removal.encoder not in spoken_of([tree]):
        return edit
    changed = removal.visit(tree)
    return edit.model_copy(update={"new_source": ast.unparse(ast.fix_missing_locations(changed))})


def _renamed(edit: CellEdit, aliases: dict[str, str]) -> CellEdit:
    """Return an edit with the notebook's names of the labels."""
    if edit.cell_type is not CellType.CODE or not aliases.keys() & spoken_of(
        [shared_tree(edit.new_source)]
    ):
        return edit
    tree = parse_cell(edit.new_source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = aliases.get(node.id, node.id)
    return edit.model_copy(update={"new_source": ast.unparse(tree)})
