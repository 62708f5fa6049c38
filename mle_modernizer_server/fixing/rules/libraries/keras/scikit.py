"""`keras.wrappers.scikit_learn` was removed in Keras 2.13; its two classes go into the notebook.

https://github.com/keras-team/keras/blob/v2.11.0/keras/wrappers/scikit_learn.py

They behave like the removed ones: scikit-learn does not regard them as classifiers and does not
stratify folds for them.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    NewImport,
    Unsure,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.definitions import blank_before, use_class
from mle_modernizer_server.fixing.rules.libraries.keras.aliases import keras_address
from mle_modernizer_server.fixing.rules.tables import table

_MODULE = "keras.wrappers.scikit_learn"
_PARTS = table("keras", "scikit-wrappers", dict[str, str])
_BLANK = [cst.EmptyLine(indent=False)] * 2
_START = _PARTS.pop("start")
_TEXTS = {name: f"{_START}\n{text}" for name, text in _PARTS.items()}


@codemod("keras-wrappers-scikit-learn", on=cst.ImportFrom)
def imported(context: Context, node: cst.ImportFrom) -> Answer:
    """Rewrite `from keras.wrappers.scikit_learn import KerasClassifier` as the class itself."""
    if not _is_wrappers(node):
        return None
    line = context.parent(node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return Unsure("the import does not stand in a line of its own")
    if isinstance(node.names, cst.ImportStar):
        wanted = [(name, name) for name in _TEXTS if _is_used(context, name)]
    else:
        wanted = [
            (dotted_name(alias.name), alias.evaluated_alias or dotted_name(alias.name))
            for alias in node.names
        ]
    if any(name not in _TEXTS for name, _ in wanted):
        return None
    new: list[cst.BaseStatement] = []
    imports: list[NewImport] = []
    for name, local in wanted:
        if _is_imported_before(context, node, name):
            continue
        text, needed = _text(context, node, name)
        definition = cst.parse_statement(text.replace("{name}", local))
        imports.extend(needed)
        new.append(definition.with_changes(leading_lines=_BLANK))
    if new:
        _set_apart(context, line, new, bool(imports))
    return Fix((Change(line, cst.FlattenSentinel(new)),), tuple(imports))


def _set_apart(
    context: Context, line: cst.SimpleStatementLine, new: list[cst.BaseStatement], imports: bool
) -> None:
    """Put two blank lines before and after the classes; leave a comment above the import."""
    block = context.parent(line)
    body = list(getattr(block, "body", ()))
    at = body.index(line)
    above = [*blank_before(line), *line.leading_lines] if at or imports else line.leading_lines
    new[0] = new[0].with_changes(leading_lines=above)
    if at + 1 < len(body):
        last = new[-1]
        assert isinstance(last, cst.ClassDef)
        new[-1] = last.with_deep_changes(last.body, footer=blank_before(body[at + 1]))


@codemod("keras-wrappers-scikit-learn", on=cst.Call, names=_TEXTS)
def spelled_out(context: Context, node: cst.Call) -> Answer:
    """`tf.keras.wrappers.scikit_learn.KerasClassifier(…)`: insert the class before its use."""
    for address in context.qualnames(node.func):
        module, _, name = keras_address(address).rpartition(".")
        if module == _MODULE and isinstance(node.func, cst.Attribute):
            text, imports = _text(context, node, name)
            return use_class(
                context, node, address, name, text.replace("{name}", name), imports=imports
            )
    return None


def _text(context: Context, node: cst.CSTNode, name: str) -> tuple[str, tuple[NewImport, ...]]:
    text = _TEXTS[name]
    imports: list[NewImport] = []
    for module, what, field in (
        ("numpy", "", "np"),
        ("inspect", "", "inspect"),
        ("sklearn.base", "BaseEstimator", "BaseEstimator"),
        ("keras.utils", "to_categorical", "to_categorical"),
    ):
        if f"{{{field}}}" in text:
            local, needed = context.imported(node, module, what, field)
            imports.extend(needed)
            text = text.replace(f"{{{field}}}", local)
    return text, tuple(imports)


def _is_wrappers(node: cst.ImportFrom) -> bool:
    return keras_address(dotted_name(node.module)) == _MODULE


def _is_used(context: Context, name: str) -> bool:
    return any(
        isinstance(node, cst.Name) and node.value == name
        for cell in context.program.cells
        for node in cell.places
    )


def _is_imported_before(context: Context, node: cst.ImportFrom, name: str) -> bool:
    """Return whether the class is defined or imported before, so that this import did nothing."""
    for cell in context.program.cells:
        for other in cell.places:
            if other is node:
                return False
            if isinstance(other, cst.ClassDef) and other.name.value == name:
                return True
            if (
                isinstance(other, cst.ImportFrom)
                and _is_wrappers(other)
                and not isinstance(other.names, cst.ImportStar)
                and any(dotted_name(one.name) == name and not one.asname for one in other.names)
                and cell.places[other].scope.is_top
            ):
                return True
    return False
