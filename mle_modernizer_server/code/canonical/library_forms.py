"""Convert equivalent code to one form, so that comparisons only show differences in meaning."""

from __future__ import annotations

import ast
import re

from mle_modernizer_server.code.canonical.equal_scales import scaled_itself
from mle_modernizer_server.code.expressions import (
    called_name,
    dotted,
    function_name,
    literal,
    tail,
)

ONE_VS_REST = "OneVsRestClassifier"
"""A way to train a model, no model of its own."""
_LIBLINEAR = ("solver", "liblinear")
_ONE_AGAINST_REST = (("multi_class", "ovr"), _LIBLINEAR)
_OPTIMIZERS = frozenset(
    {"Adadelta", "Adagrad", "Adam", "Adamax", "Ftrl", "Nadam", "RMSProp", "RMSprop", "SGD"}
)
_OF_TENSORFLOW_1 = "Optimizer"  # tf.train.AdamOptimizer
# NumPy's mean month and mean year in seconds; pandas 2 no longer counts in them
_SECONDS = {"M": 2_629_746, "Y": 31_556_952}
_TIMEDELTA = re.compile(r"timedelta64\[(?P<unit>[A-Za-z]{1,2})\]\Z")
_INDEXERS = frozenset({"loc", "ix", "at", "iloc", "iat"})


def canonical_pair(old: ast.Module, new: ast.Module) -> tuple[ast.Module, ast.Module]:
    """Return the canonical forms of two versions of a cell, see `canonical`.

    `solver="liblinear"` stays if only the new version trains one class against the rest: it was
    the default of scikit-learn before 0.22, so that the new version pins it.

    Args:
        old: Changed in place.
        new: Changed in place.
    """
    pins = not _trains_against_rest(old)
    return canonical(old, pins_solver=False), canonical(new, pins_solver=pins)


def canonical(tree: ast.Module, *, pins_solver: bool) -> ast.Module:
    """Return the tree with one form of what documented changes spell otherwise.

    - `df["T"][i] = v`, `df.T[i] = v` (of a column that the code writes in this way elsewhere),
      `df.ix[i, "T"] = v`, `df.at[i, "T"] = v` and `df.set_value(i, "T", v)` are
      `df.loc[i, "T"] = v`, see
      https://pandas.pydata.org/docs/user_guide/copy_on_write.html#chained-assignment;
    - `LogisticRegression(multi_class="ovr")` is `OneVsRestClassifier(LogisticRegression())`, and so
      is `LogisticRegression(solver="liblinear")`, because it always means it (scikit-learn 1.5) and
      was the solver of those who named none (scikit-learn 0.22);
    - `Ridge(normalize=True)` is `make_pipeline(StandardScaler(), Ridge(alpha=len(X)))`, see
      `equal_scales.py` (scikit-learn 1.2);
    - `CalibratedClassifierCV(m, cv="prefit")` has `FrozenEstimator(m)` (scikit-learn 1.6);
    - `Convolution2D(nb_row=3, nb_col=2)` is `Convolution2D(kernel_size=(3, 2))`, and
      `Convolution1D(filter_length=3)` has `kernel_size=3` (Keras 2);
    - `Adam(lr, decay=d)` is `Adam(InverseTimeDecay(lr, 1, d))` (Keras 3), and as an argument
      `optimizer` an optimizer is its name, with its arguments next to it;
    - `fit_generator(samples_per_epoch=n)` has `steps_per_epoch=n // batch_size` (Keras 2);
    - `d.astype("timedelta64[D]")` is `(d // np.timedelta64(1, "D")).astype("float64")`, and a
      month or a year of `np.timedelta64` its seconds (pandas 2).

    Args:
        tree: Changed in place.
        pins_solver: Keep `LogisticRegression(solver="liblinear")`, wrapped or not.
    """
    changed = _Canonical(pins_solver=pins_solver).visit(tree)
    assert isinstance(changed, ast.Module)
    return ast.fix_missing_locations(changed)


class _Canonical(ast.NodeTransformer):
    def __init__(self, *, pins_solver: bool) -> None:
        self._pins_solver = pins_solver

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        node.targets = [_located(target) for target in node.targets]
        return ast.copy_location(_set_value(node.value) or node, node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        target = _located(node.target)
        if isinstance(target, ast.Subscript):
            node.target = target
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        return ast.copy_location(_set_value(node.value) or node, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = called_name(node)
        if name == "LogisticRegression":
            return _one_against_rest(node, pins_solver=self._pins_solver)
        if name == "run_line_magic":
            _magic(node)
        if name == ONE_VS_REST:
            return _wrapped_once(node, pins_solver=self._pins_solver)
        if name in ("make_pipeline", "Pipeline"):
            return scaled_itself(node)
        if name == "CalibratedClassifierCV":
            _frozen(node)
        elif name.startswith("Conv"):
            _kernel(node)
        elif name.startswith("fit"):
            _samples(node)
        elif name in _OPTIMIZERS:
            _decay(node)
        elif name == "timedelta64":
            _in_seconds(node)
        elif name == "astype" or (isinstance(node.func, ast.Attribute) and node.args):
            return _counted(node)
        _optimizer(node)
        return node


def _located(target: ast.expr) -> ast.expr:
    """Return `df["T"][i]`, `df["T"].iloc[i]` or `df.ix[i, "T"]` as `df.loc[i, "T"]`."""
    if not isinstance(target, ast.Subscript):
        return target
    owner = target.value
    if isinstance(owner, ast.Attribute) and owner.attr in _INDEXERS:
        if isinstance(owner.value, ast.Subscript) and isinstance(literal(owner.value.slice), str):
            owner = owner.value  # df["T"].loc[i]
        elif isinstance(target.slice, ast.Tuple):
            return _loc(owner.value, target.slice.elts[0], target.slice.elts[-1], target)
    if isinstance(owner, ast.Subscript) and isinstance(literal(owner.slice), str):
        return _loc(owner.value, target.slice, owner.slice, target)
    if isinstance(owner, ast.Attribute) and owner.attr not in _INDEXERS | {"values", "environ"}:
        column = ast.copy_location(ast.Constant(owner.attr), owner)
        return _loc(owner.value, target.slice, column, target)
    return target


def _loc(owner: ast.expr, rows: ast.expr, column: ast.expr, at: ast.expr) -> ast.Subscript:
    loc = ast.Attribute(owner, "loc", ast.Load())
    key = ast.Tuple([rows, column], ast.Load())
    return ast.copy_location(ast.Subscript(loc, key, ast.Store()), at)


def _set_value(node: ast.expr) -> ast.Assign | None:
    match node:
        case ast.Call(ast.Attribute(owner, "set_value"), [rows, column, value]):
            return ast.Assign([_loc(owner, rows, column, node)], value)
    return None


def _trains_against_rest(tree: ast.Module) -> bool:
    """Return whether some code trains a logistic regression for each class against the rest."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    models = (one for one in calls if called_name(one) == "LogisticRegression")
    return any(map(_against_rest, models)) or ONE_VS_REST in map(called_name, calls)


def _magic(node: ast.Call) -> None:
    """Convert `% pwd` to `%pwd` (IPython 8)."""
    match node.args:
        case [ast.Constant(""), ast.Constant(str() as text)]:
            name, _, rest = text.partition(" ")
            node.args = [ast.Constant(name), ast.Constant(rest)]


def _against_rest(node: ast.Call) -> list[tuple[str, str]]:
    """Return the arguments of a logistic regression that train each class against the rest."""
    texts = {keyword.arg: literal(keyword.value) for keyword in node.keywords}
    return [pair for pair in _ONE_AGAINST_REST if texts.get(pair[0]) == pair[1]]


def _one_against_rest(node: ast.Call, *, pins_solver: bool) -> ast.Call:
    pairs = _against_rest(node)
    if not pairs or (pins_solver and pairs == [_LIBLINEAR]):
        return node
    node.keywords = [one for one in node.keywords if (one.arg, literal(one.value)) not in pairs]
    return ast.copy_location(ast.Call(ast.Name(ONE_VS_REST, ast.Load()), [node], []), node)


def _wrapped_once(node: ast.Call, *, pins_solver: bool) -> ast.Call:
    node.args += [one.value for one in node.keywords if one.arg == "estimator"]
    node.keywords = [one for one in node.keywords if one.arg != "estimator"]
    inner = node.args[0] if len(node.args) == 1 else None
    if isinstance(inner, ast.Call) and called_name(inner) == ONE_VS_REST:
        node.args = inner.args
    elif pins_solver and isinstance(inner, ast.Call) and called_name(inner) == "LogisticRegression":
        return inner if _against_rest(inner) == [_LIBLINEAR] and not node.keywords else node
    return node


def _frozen(node: ast.Call) -> None:
    prefit = [one for one in node.keywords if one.arg == "cv" and literal(one.value) == "prefit"]
    if prefit and node.args:
        node.keywords.remove(prefit[0])
        frozen = ast.Call(ast.Name("FrozenEstimator", ast.Load()), node.args[:1], [])
        node.args[0] = ast.copy_location(frozen, node)


def _kernel(node: ast.Call) -> None:
    arguments = {keyword.arg: keyword for keyword in node.keywords}
    if "nb_row" in arguments and "nb_col" in arguments:
        rows, columns = arguments["nb_row"], arguments["nb_col"]
        rows.arg = "kernel_size"
        rows.value = ast.Tuple([rows.value, columns.value], ast.Load())
        node.keywords.remove(columns)
    elif "filter_length" in arguments:
        arguments["filter_length"].arg = "kernel_size"


def _samples(node: ast.Call) -> None:
    """Convert `steps_per_epoch=n // batch_size` to `samples_per_epoch=n`: by no other number."""
    for one in node.keywords:
        match one:
            case ast.keyword("steps_per_epoch", ast.BinOp(samples, ast.FloorDiv(), size)):
                if "batch" in tail(dotted(size, {})):
                    one.arg, one.value = "samples_per_epoch", samples


def _decay(node: ast.Call) -> None:
    """Convert `learning_rate=InverseTimeDecay(rate, 1, decay)` to `learning_rate=rate,
    decay=decay`."""
    for one in list(node.keywords):
        match one:
            case ast.keyword(
                "learning_rate" | "lr", ast.Call(func, [rate, ast.Constant(1), decay])
            ) if function_name(func) == "InverseTimeDecay":
                one.value = rate
                node.keywords.append(ast.keyword("decay", decay))


def _optimizer(node: ast.Call) -> None:
    """Convert `optimizer=Adam(…)` to `optimizer="adam", …`."""
    for one in list(node.keywords):
        match one:
            case ast.keyword("optimizer", ast.Call(func, [] | [_] as arguments, keywords)):
                name = function_name(func).removesuffix(_OF_TENSORFLOW_1)
                if name in _OPTIMIZERS:
                    rate = [ast.keyword("learning_rate", argument) for argument in arguments]
                    node.keywords += [*rate, *keywords]
                    one.value = ast.copy_location(ast.Constant(name.lower()), one.value)


def _in_seconds(node: ast.Call) -> None:
    match [literal(one) for one in node.args]:
        case [int() as number, str() as unit] if unit in _SECONDS:
            node.args = [ast.Constant(number * _SECONDS[unit]), ast.Constant("s")]


def _counted(node: ast.Call) -> ast.Call:
    """Convert `d.astype("timedelta64[D]")` to a whole number of days."""
    match node:
        case ast.Call(ast.Attribute(value, "astype"), [ast.Constant(str() as kind)]) if (
            found := _TIMEDELTA.match(kind)
        ):
            day = ast.Attribute(ast.Name("np", ast.Load()), "timedelta64", ast.Load())
            unit = ast.Call(day, [ast.Constant(1), ast.Constant(found["unit"])], [])
            count = ast.BinOp(value, ast.FloorDiv(), unit)
            method = ast.Attribute(count, "astype", ast.Load())
            return ast.Call(method, [ast.Constant("float64")], node.keywords)
    return node
