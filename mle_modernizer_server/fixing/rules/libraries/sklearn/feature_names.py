"""`get_feature_names` returned a list until scikit-learn 1.2; `get_feature_names_out` an array.

https://scikit-learn.org/stable/whats_new/v1.0.html

`names + ['length']` would add text to each name of an array instead of one name to a list.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Defined
from mle_modernizer_server.code.tree import argument, expression
from mle_modernizer_server.code.types.type import ARRAY
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, NewImport, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches

_OLD = "get_feature_names"
_OF = (
    "sklearn.feature_extraction.text.CountVectorizer",
    "sklearn.feature_extraction.text.TfidfVectorizer",
    "sklearn.feature_extraction.text.TfidfTransformer",
    "sklearn.feature_extraction.DictVectorizer",
    "sklearn.preprocessing.OneHotEncoder",
    "sklearn.preprocessing.PolynomialFeatures",
    "sklearn.compose.ColumnTransformer",
    "sklearn.pipeline.FeatureUnion",
)
_LIST_METHODS = frozenset(
    {"append", "count", "extend", "index", "insert", "pop", "remove", "reverse"}
)

_EQUALITIES = (cst.Equal, cst.NotEqual)
_OF_BOOSTERS = ("feature_name", "feature_names")
"""Arguments for which LightGBM and XGBoost refuse an array."""


@codemod("sklearn-get-feature-names", on=cst.Call, names=(_OLD,))
def names_as_list(context: Context, node: cst.Call) -> Answer:
    """Rewrite `v.get_feature_names() + ['a']` as `list(v.get_feature_names_out()) + ['a']`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    if method_matches(context, node.func, (_OLD,), _OF, distinctive=True) is not Match.YES:
        return None
    if not node.args and (numbered := _numbered(context, node.func.value)) is not None:
        names, imports = numbered
        return one(node, names, imports)
    if not any(_used_as_list(context, use) for use in context.whole_uses(node)):
        return None
    renamed = node.with_changes(func=node.func.with_changes(attr=cst.Name(f"{_OLD}_out")))
    return one(node, cst.Call(cst.Name("list"), [cst.Arg(renamed)]))


_ENCODED = (
    '{np}.array([f"x{{i}}_{{v}}" for i, of in enumerate({made}.categories_) for v in of], object)'
)
_FITTING = ("fit", "fit_transform")
_POWERS = (
    '[" ".join(f"x{{i}}^{{n}}" if n > 1 else f"x{{i}}" for i, n in enumerate(row) if n) or "1" '
    "for row in {made}.powers_]"
)


def _numbered(
    context: Context, made: cst.BaseExpression
) -> tuple[cst.BaseExpression, tuple[NewImport, ...]] | None:
    """Return the old names of a model fitted to a table: `x0_a`, without the table's columns."""
    inferred = context.type_of(made)
    last = inferred.name.rpartition(".")[2] if inferred is not None else ""
    if last not in ("OneHotEncoder", "PolynomialFeatures") or not isinstance(made, cst.Name):
        return None
    calls = [value for value in context.all_written(made) if isinstance(value, cst.Call)]
    fits = [call for value in calls for call, _ in context.method_calls(value, *_FITTING)]
    for value in calls:
        if isinstance(value.func, cst.Attribute) and value.func.attr.value == "fit":
            fits.append(value)
            if isinstance(value.func.value, cst.Call):
                calls.append(value.func.value)
    fits = [call for call in fits if call.args]
    if not fits or all(context.type_of(call.args[0].value) == ARRAY for call in fits):
        return None
    if last == "PolynomialFeatures":
        return expression(_POWERS.format(made=made.value)), ()
    if any(argument(value, "drop") is not None for value in calls):
        return None
    numpy, imports = context.module(made, "numpy", "np")
    return expression(_ENCODED.format(np=numpy, made=made.value)), imports


@codemod("sklearn-too-many-feature-names", on=cst.Call, names=(f"{_OLD}_out",))
def first_names(context: Context, node: cst.Call) -> Answer:
    """`p.get_feature_names_out(names)` → `p.get_feature_names_out(names[:p.n_features_in_])`."""
    if not isinstance(node.func, cst.Attribute) or len(node.args) != 1 or node.args[0].star:
        return None
    names, fitted = node.args[0].value, node.func.value
    if not context.evidence(node) or not isinstance(names, (cst.Name, cst.Attribute)):
        return None
    if not isinstance(fitted, cst.Name):
        return None
    return one(names, expression(f"{context.code(names)}[:{fitted.value}.n_features_in_]"))


def _used_as_list(context: Context, use: cst.CSTNode) -> bool:
    """Return whether the names are used as only a list can be, or differently than an array."""
    cell = context.program.cell_of(use)
    parent = cell.places[use].parent
    if isinstance(parent, cst.Arg):
        return _taken_as_list(context, parent, cell.places[parent].parent)
    if isinstance(parent, (cst.If, cst.While, cst.IfExp)):
        return parent.test is use
    if isinstance(parent, cst.UnaryOperation):
        return isinstance(parent.operator, cst.Not)
    if isinstance(parent, (cst.BinaryOperation, cst.AugAssign)):
        return isinstance(parent.operator, (cst.Add, cst.AddAssign, cst.Multiply))
    if isinstance(parent, cst.Comparison):
        return parent.left is use and isinstance(parent.comparisons[0].operator, _EQUALITIES)
    if isinstance(parent, cst.Subscript) and parent.value is use:
        part = isinstance(parent.slice[0].slice, cst.Slice)
        return part and _used_as_list(context, parent)
    if isinstance(parent, cst.Attribute):
        return parent.value is use and parent.attr.value in _LIST_METHODS
    return False


def _taken_as_list(context: Context, arg: cst.Arg, call: cst.CSTNode | None) -> bool:
    """Return whether LightGBM, XGBoost, `json` or a function of the notebook gets the names."""
    if arg.keyword is not None and arg.keyword.value in _OF_BOOSTERS:
        return True
    if not isinstance(call, cst.Call):
        return False
    if context.refers_to(call.func, "json.dump", "json.dumps"):
        return True
    return isinstance(call.func, cst.Name) and any(
        isinstance(one, Defined) for one in context.bounds(call.func)
    )
