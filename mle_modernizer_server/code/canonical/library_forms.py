"""Convert equivalent code to one form, so that comparisons only show differences in meaning."""

from __future__ import annotations

import ast
import re

from mle_modernizer_server.code.canonical.equal_scales import scaled_itself
from mle_modernizer_server.code.code_names import called_name, dotted, literal, tail
from mle_modernizer_server.code.ipython import parse_python

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
    """
    pins = not _trains_against_rest(old)
    return canonical(old), canonical(new, pins_solver=pins)


def canonical(tree: ast.Module, *, pins_solver: bool = False) -> ast.Module:
    """Return the tree with one form for the ways to write into a part of a column.

    `df["T"][i] = v`, `df.T[i] = v` (of a column that the code writes in this way elsewhere),
    `df.ix[i, "T"] = v`, `df.at[i, "T"] = v` and `df.set_value(i, "T", v)` all become `df.loc[i,
    "T"] = v`; see https://pandas.pydata.org/docs/user_guide/copy_on_write.html#chained-assignment.
    The argument is not changed. Arguments and types that documented changes spell otherwise have
    one form as well, see `_with_equal_forms`.
    """
    copied = parse_python("")
    copied.body = [_copy(node) for node in tree.body]
    changed = _with_equal_forms(_Canonical().visit(copied), pins_solver=pins_solver)
    return ast.fix_missing_locations(changed)


def _copy(node: ast.stmt) -> ast.stmt:
    copied = _Copier().visit(node)
    assert isinstance(copied, ast.stmt)
    return copied


class _Copier(ast.NodeTransformer):
    """Copies a tree; `copy.deepcopy` is several times slower."""

    def visit(self, node: ast.AST) -> ast.AST:
        fields = {name: self._field(value) for name, value in ast.iter_fields(node)}
        return ast.copy_location(type(node)(**fields), node)

    def _field(self, value: object) -> object:
        if isinstance(value, ast.AST):
            return self.visit(value)
        if isinstance(value, list):
            return [self._field(item) for item in value]
        return value


class _Canonical(ast.NodeTransformer):
    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        node.targets = [_located(target) for target in node.targets]
        written = _set_value(node.value)
        if written is not None:
            return ast.copy_location(written, node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        target = _located(node.target)
        if isinstance(target, ast.Subscript):
            node.target = target
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        written = _set_value(node.value)
        return node if written is None else ast.copy_location(written, node)


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
    return any(
        name == ONE_VS_REST or (name == "LogisticRegression" and _against_rest(call))
        for call in calls
        for name in (called_name(call),)
    )


def _with_equal_forms(tree: ast.Module, *, pins_solver: bool = False) -> ast.Module:
    """Return the tree with one form of each setting that documented changes spell otherwise.

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
    changed = _Equal(pins_solver=pins_solver).visit(tree)
    assert isinstance(changed, ast.Module)
    return changed


class _Equal(ast.NodeTransformer):
    def __init__(self, *, pins_solver: bool) -> None:
        self._pins_solver = pins_solver

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


def _magic(node: ast.Call) -> None:
    """Convert `% pwd` to `%pwd` (IPython 8)."""
    texts = [literal(one) for one in node.args]
    if len(texts) == 2 and texts[0] == "" and isinstance(texts[1], str):
        name, _, rest = texts[1].partition(" ")
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
    for keyword in node.keywords:
        steps = keyword.value
        if (
            keyword.arg == "steps_per_epoch"
            and isinstance(steps, ast.BinOp)
            and isinstance(steps.op, ast.FloorDiv)
            and "batch" in tail(dotted(steps.right, {}))
        ):
            keyword.arg, keyword.value = "samples_per_epoch", steps.left


def _decay(node: ast.Call) -> None:
    """Convert `learning_rate=InverseTimeDecay(rate, 1, decay)` to `learning_rate=rate,
    decay=decay`."""
    for keyword in [one for one in node.keywords if one.arg in ("learning_rate", "lr")]:
        schedule = keyword.value
        if (
            isinstance(schedule, ast.Call)
            and called_name(schedule) == "InverseTimeDecay"
            and len(schedule.args) == 3
            and literal(schedule.args[1]) == 1
        ):
            keyword.value = schedule.args[0]
            node.keywords.append(ast.keyword("decay", schedule.args[2]))


def _optimizer(node: ast.Call) -> None:
    """Convert `optimizer=Adam(…)` to `optimizer="adam", …`."""
    for keyword in list(node.keywords):
        optimizer = keyword.value
        if keyword.arg != "optimizer" or not isinstance(optimizer, ast.Call):
            continue
        name = called_name(optimizer).removesuffix(_OF_TENSORFLOW_1)
        if name in _OPTIMIZERS and len(optimizer.args) <= 1:
            rate = [ast.keyword("learning_rate", one) for one in optimizer.args]
            node.keywords += [*rate, *optimizer.keywords]
            keyword.value = ast.copy_location(ast.Constant(name.lower()), optimizer)


def _in_seconds(node: ast.Call) -> None:
    unit = literal(node.args[1]) if len(node.args) == 2 else None
    number = literal(node.args[0]) if node.args else None
    if isinstance(unit, str) and isinstance(number, int) and unit in _SECONDS:
        node.args = [ast.Constant(number * _SECONDS[unit]), ast.Constant("s")]


def _counted(node: ast.Call) -> ast.Call:
    """Convert `d.astype("timedelta64[D]")` to a whole number of days."""
    kind = literal(node.args[0]) if len(node.args) == 1 else None
    match = _TIMEDELTA.match(kind) if isinstance(kind, str) else None
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "astype" or match is None:
        return node
    day = ast.Attribute(ast.Name("np", ast.Load()), "timedelta64", ast.Load())
    unit = ast.Call(day, [ast.Constant(1), ast.Constant(match["unit"])], [])
    count = ast.BinOp(node.func.value, ast.FloorDiv(), unit)
    return ast.Call(
        ast.Attribute(count, "astype", ast.Load()), [ast.Constant("float64")], node.keywords
    )
