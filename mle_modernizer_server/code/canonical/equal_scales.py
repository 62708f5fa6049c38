"""Linear models that scaled their columns themselves, and those behind a StandardScaler.

`normalize=True` (removed in scikit-learn 1.2) divided each centred column by its length, which is
the standard deviation times the root of the number of rows. A penalty of absolute values counts
that root once, a penalty of squares twice; both together (ElasticNet) have no such form.
"""

from __future__ import annotations

import ast

from mle_modernizer_server.code.expressions import called_name, dotted, literal, tail

_SQUARED = frozenset({"Ridge", "RidgeCV", "RidgeClassifier", "RidgeClassifierCV"})
_ABSOLUTE = frozenset({"Lasso", "LassoLars", "MultiTaskLasso"})
_SEARCHED = frozenset({"LassoCV", "LassoLarsCV", "LassoLarsIC", "MultiTaskLassoCV"})
"""They find their own penalties, on any scale, unless `alphas` lists them."""
_WITHOUT = frozenset({"LinearRegression", "Lars"})
_BOTH = frozenset({"ElasticNet", "ElasticNetCV", "MultiTaskElasticNet", "MultiTaskElasticNetCV"})
_PENALISED = _SQUARED | _ABSOLUTE | _SEARCHED | _BOTH


def scaling(node: ast.Call) -> str:
    """Return the arguments of a model that scales its columns, if its result depends on that.

    Listed penalties are among them, as they count on the scale of the columns. Empty for others.
    """
    arguments = {one.arg: literal(one.value) for one in node.keywords}
    if called_name(node) not in _PENALISED or arguments.get("normalize") is not True:
        return ""
    return "normalize=True, alphas" if "alphas" in arguments else "normalize=True"


def scaled_itself(node: ast.Call) -> ast.AST:
    """Return `make_pipeline(StandardScaler(), Ridge(alpha=a * len(X)))` as `Ridge(a,
    normalize=True)`.

    Return the call itself if its scaler and its model do not belong together in this way.

    Args:
        node: A call of `make_pipeline` or `Pipeline`; it is not changed.
    """
    is_named = called_name(node) == "Pipeline"
    steps = _steps(node, is_named)
    calls = [_called(step, is_named) for step in steps]
    if len(calls) < 2 or None in calls[-2:]:
        return node
    scaler, model = calls[-2], calls[-1]
    assert scaler is not None and model is not None
    if called_name(scaler) != "StandardScaler" or scaler.args or scaler.keywords:
        return node
    own = _own(model)
    if own is None:
        return node
    before = steps[:-2]
    if not before:
        return ast.copy_location(own, node)
    last: ast.expr = own
    if is_named:
        pair = steps[-1]
        assert isinstance(pair, ast.Tuple)
        last = ast.Tuple([pair.elts[0], own], ast.Load())
    arguments: list[ast.expr] = [*before, last]
    if is_named:
        arguments = [ast.List(arguments, ast.Load())]
    return ast.copy_location(ast.Call(node.func, arguments, node.keywords), node)


def _steps(node: ast.Call, is_named: bool) -> list[ast.expr]:
    if not is_named:
        return node.args
    lists = [*node.args[:1], *(one.value for one in node.keywords if one.arg == "steps")]
    return lists[0].elts if lists and isinstance(lists[0], ast.List) else []


def _called(step: ast.expr, is_named: bool) -> ast.Call | None:
    """Return the call that constructs a step of a pipeline."""
    if is_named:
        pair = step.elts if isinstance(step, ast.Tuple) else []
        step = pair[1] if len(pair) == 2 else step
    return step if isinstance(step, ast.Call) else None


def _own(model: ast.Call) -> ast.Call | None:
    """Return the model that scales its columns itself; None if the penalty is not of such a
    model."""
    name = called_name(model)
    if name not in _SQUARED | _ABSOLUTE | _SEARCHED | _WITHOUT:
        return None
    if any(one.arg in (None, "normalize") for one in model.keywords):
        return None
    if any(one.arg == "fit_intercept" and literal(one.value) is not True for one in model.keywords):
        return None  # without an intercept they did not scale
    keywords, penalised = [], False
    for one in model.keywords:
        value: ast.expr | None = one.value
        if _is_count(name, one):
            one = ast.keyword("n_alphas", one.value)
        elif one.arg in ("alpha", "alphas"):
            value, penalised = _divided(one.value, squared=name in _SQUARED), True
        if value is None:
            return None
        keywords.append(ast.keyword(one.arg, value))
    if name in _SQUARED | _ABSOLUTE and (model.args or not penalised):
        return None
    keywords.append(ast.keyword("normalize", ast.Constant(True)))
    return ast.copy_location(ast.Call(model.func, model.args, keywords), model)


def _is_count(name: str, argument: ast.keyword) -> bool:
    """Return whether `alphas` is a number of penalties (scikit-learn 1.7), no list of them."""
    return (
        name in _SEARCHED
        and argument.arg == "alphas"
        and (isinstance(argument.value, ast.Name) or type(literal(argument.value)) is int)
    )


def _divided(value: ast.expr, *, squared: bool) -> ast.expr | None:
    """Return a penalty without its factor, the number of rows; None if it has none."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Mult):
        return None
    for one, other in ((value.left, value.right), (value.right, value.left)):
        if _is_rows(other) if squared else _is_root(other):
            array = isinstance(one, ast.Call) and called_name(one) in ("array", "asarray")
            return one.args[0] if array and isinstance(one, ast.Call) and one.args else one
    return None


def _is_root(node: ast.expr) -> bool:
    """Return whether it is `np.sqrt(len(X))` or `len(X) ** 0.5`."""
    match node:
        case ast.Call(args=[rows]):
            return called_name(node) == "sqrt" and _is_rows(rows)
        case ast.BinOp(rows, ast.Pow(), exponent):
            return literal(exponent) == 0.5 and _is_rows(rows)
    return False


def _is_rows(node: ast.expr) -> bool:
    """Return whether it is `len(X)` or `X.shape[0]`: the number of rows that a model learns
    from."""
    match node:
        case ast.Call(ast.Name("len"), [table]) | ast.Subscript(
            ast.Attribute(table, "shape"), ast.Constant(0)
        ):
            return _is_learnt_from(table)
    return False


def _is_learnt_from(node: ast.expr) -> bool:
    """Return whether a table's name indicates so."""
    name = tail(dotted(node, {})).lower()
    return name.startswith(("x", "y", "train", "features", "data")) and "test" not in name
