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

_MODULE = "keras.wrappers.scikit_learn"
_START = '''class {name}({BaseEstimator}):
    """Makes an estimator of a function that builds a model, as Keras did before 2.12."""

    def __init__(self, build_fn=None, **sk_params):
        self.build_fn = build_fn
        self.sk_params = sk_params

    def get_params(self, deep=True):
        return {**self.sk_params, 'build_fn': self.build_fn}

    def set_params(self, **params):
        self.build_fn = params.pop('build_fn', self.build_fn)
        self.sk_params.update(params)
        return self

    def _given(self, function, **more):
        known = {inspect}.signature(function).parameters
        return {**{key: value for key, value in self.sk_params.items() if key in known}, **more}

'''
_CLASSIFIER = """    def _encoded(self, y):
        y = {np}.array(y)
        if y.ndim == 1 or y.shape[1] == 1:
            y = {np}.searchsorted(self.classes_, y)
        if self.model.loss == 'categorical_crossentropy' and y.ndim != 2:
            y = {to_categorical}(y)
        return y

    def fit(self, X, y, **kwargs):
        y = {np}.array(y)
        many = y.ndim == 2 and y.shape[1] > 1
        self.classes_ = {np}.arange(y.shape[1]) if many else {np}.unique(y)
        self.n_classes_ = len(self.classes_)
        self.model = self.build_fn(**self._given(self.build_fn))
        return self.model.fit(X, self._encoded(y), **self._given(self.model.fit, **kwargs))

    def predict(self, X, **kwargs):
        given = {'verbose': 0, **self._given(self.model.predict, **kwargs)}
        p = self.model.predict(X, **given)
        return self.classes_[p.argmax(axis=-1) if p.shape[-1] > 1 else (p > 0.5).astype('int32')]

    def predict_proba(self, X, **kwargs):
        given = {'verbose': 0, **self._given(self.model.predict, **kwargs)}
        p = self.model.predict(X, **given)
        return {np}.hstack([1 - p, p]) if p.shape[1] == 1 else p

    def score(self, X, y, **kwargs):
        given = self._given(self.model.evaluate, **kwargs)
        told = self.model.evaluate(X, self._encoded(y), return_dict=True, **given)
        return told['accuracy' if 'accuracy' in told else 'acc']
"""
_REGRESSOR = """    def fit(self, X, y, **kwargs):
        self.model = self.build_fn(**self._given(self.build_fn))
        return self.model.fit(X, y, **self._given(self.model.fit, **kwargs))

    def predict(self, X, **kwargs):
        given = {'verbose': 0, **self._given(self.model.predict, **kwargs)}
        return {np}.squeeze(self.model.predict(X, **given), axis=-1)

    def score(self, X, y, **kwargs):
        given = self._given(self.model.evaluate, **kwargs)
        return -self.model.evaluate(X, y, return_dict=True, **given)['loss']
"""
_BLANK = [cst.EmptyLine(indent=False)] * 2
_TEXTS = {"KerasClassifier": _START + _CLASSIFIER, "KerasRegressor": _START + _REGRESSOR}


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
