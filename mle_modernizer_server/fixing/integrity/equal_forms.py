"""Old and new forms of one setting that differ by more than a name, brought to one form."""

from __future__ import annotations

import ast
import re

from mle_modernizer_server.code.code_names import dotted, literal, tail
from mle_modernizer_server.fixing.integrity.equal_scales import scaled_itself

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


def trains_against_rest(tree: ast.Module) -> bool:
    """Return whether some code trains a logistic regression for each class against the rest."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return any(
        name == ONE_VS_REST or (name == "LogisticRegression" and _against_rest(call))
        for call in calls
        for name in (tail(dotted(call.func, {})),)
    )


def with_equal_forms(tree: ast.Module, *, pins_solver: bool = False) -> ast.Module:
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
      `optimizer` an optimizer is its name beside what it is given;
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
        name = tail(dotted(node.func, {}))
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
    """`% pwd` as `%pwd` (IPython 8)."""
    texts = [literal(one) for one in node.args]
    if len(texts) == 2 and texts[0] == "" and isinstance(texts[1], str):
        name, _, rest = texts[1].partition(" ")
        node.args = [ast.Constant(name), ast.Constant(rest)]


def _is_call(nodes: list[ast.expr], name: str) -> bool:
    return any(isinstance(one, ast.Call) and tail(dotted(one.func, {})) == name for one in nodes)


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
    if isinstance(inner, ast.Call) and _is_call([inner], ONE_VS_REST):
        node.args = inner.args
    elif pins_solver and isinstance(inner, ast.Call) and _is_call([inner], "LogisticRegression"):
        return inner if _against_rest(inner) == [_LIBLINEAR] and not node.keywords else node
    return node


def _frozen(node: ast.Call) -> None:
    prefit = [one for one in node.keywords if one.arg == "cv" and literal(one.value) == "prefit"]
    if prefit and node.args:
        node.keywords.remove(prefit[0])
        frozen = ast.Call(ast.Name("FrozenEstimator", ast.Load()), node.args[:1], [])
        node.args[0] = ast.copy_location(frozen, node)


def _kernel(node: ast.Call) -> None:
    given = {keyword.arg: keyword for keyword in node.keywords}
    if "nb_row" in given and "nb_col" in given:
        rows, columns = given["nb_row"], given["nb_col"]
        rows.arg = "kernel_size"
        rows.value = ast.Tuple([rows.value, columns.value], ast.Load())
        node.keywords.remove(columns)
    elif "filter_length" in given:
        given["filter_length"].arg = "kernel_size"


def _samples(node: ast.Call) -> None:
    """`steps_per_epoch=n // batch_size` as `samples_per_epoch=n`: by no other number."""
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
    """`learning_rate=InverseTimeDecay(rate, 1, decay)` as `learning_rate=rate, decay=decay`."""
    for keyword in [one for one in node.keywords if one.arg in ("learning_rate", "lr")]:
        schedule = keyword.value
        if (
            isinstance(schedule, ast.Call)
            and _is_call([schedule], "InverseTimeDecay")
            and len(schedule.args) == 3
            and literal(schedule.args[1]) == 1
        ):
            keyword.value = schedule.args[0]
            node.keywords.append(ast.keyword("decay", schedule.args[2]))


def _optimizer(node: ast.Call) -> None:
    """`optimizer=Adam(…)` as `optimizer="adam", …`."""
    for keyword in list(node.keywords):
        made = keyword.value
        if keyword.arg != "optimizer" or not isinstance(made, ast.Call):
            continue
        name = tail(dotted(made.func, {})).removesuffix(_OF_TENSORFLOW_1)
        if name in _OPTIMIZERS and len(made.args) <= 1:
            rate = [ast.keyword("learning_rate", one) for one in made.args]
            node.keywords += [*rate, *made.keywords]
            keyword.value = ast.copy_location(ast.Constant(name.lower()), made)


def _in_seconds(node: ast.Call) -> None:
    unit = literal(node.args[1]) if len(node.args) == 2 else None
    number = literal(node.args[0]) if node.args else None
    if isinstance(unit, str) and isinstance(number, int) and unit in _SECONDS:
        node.args = [ast.Constant(number * _SECONDS[unit]), ast.Constant("s")]


def _counted(node: ast.Call) -> ast.Call:
    """`d.astype("timedelta64[D]")` as a whole number of days."""
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
