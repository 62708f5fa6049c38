"""The roles of expressions in some code: labels, predictions, models."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from mle_modernizer_server.code.data_flow.meanings import (
    FITTING_AND_PREDICTING,
    is_metric,
    is_predicting,
    is_training,
)
from mle_modernizer_server.code.expressions import assignments, called_name, dotted, tail
from mle_modernizer_server.code.pipeline.estimators import ESTIMATORS, Task

_REGRESSORS = {one.name for one in ESTIMATORS.values() if one.task is Task.REGRESSION}
_DATA_WITH_LABELS = frozenset({"DMatrix", "Dataset", "Pool"})
_LABEL_KEYWORDS = frozenset({"y", "label", "y_true", "stratify"})


class Roles:
    """The roles of expressions in some code: labels, predictions, models.

    Attributes:
        labels: Identities of the expressions whose value is used as labels.
        bindings: Number of bindings by name.
    """

    def __init__(self, trees: Iterable[ast.Module], aliases: Mapping[str, str]) -> None:
        nodes = [node for tree in trees for node in ast.walk(tree)]
        self._assigned = list(assignments(nodes))
        self.bindings = Counter(
            node.id
            for node in nodes
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )
        self._trainings = [
            (call, list(_label_arguments(call, aliases)))
            for call in nodes
            if isinstance(call, ast.Call)
        ]
        places = [one for _, arguments in self._trainings for one in arguments]
        self.labels = {id(one) for one in places}
        expressions = {ast.unparse(one) for one in places}
        updates = [node for node in nodes if isinstance(node, ast.AugAssign)]
        grows = True
        while grows:
            grows = False
            for target, value in self._assigned:
                if ast.unparse(target) in expressions and id(value) not in self.labels:
                    self.labels.add(id(value))
                    expressions.add(ast.unparse(value))
                    grows = True
        self.labels |= {id(one) for one in updates if ast.unparse(one.target) in expressions}

    def predicts(self, value: ast.expr, visited: frozenset[str] = frozenset()) -> bool:
        """Return whether a value is a model's prediction, or a variable with one."""
        if isinstance(value, ast.Name) and value.id not in visited:
            return any(
                self.predicts(bound, visited | {value.id})
                for target, bound in self._assigned
                if isinstance(target, ast.Name) and target.id == value.id
            )
        return any(
            isinstance(node, ast.Call) and is_predicting(called_name(node))
            for node in ast.walk(value)
        )

    def has_regressor(self, encoded: Sequence[ast.expr], coded: Collection[str]) -> bool:
        """Return whether a regressor is trained on codes.

        Args:
            encoded: The expressions with codes.
            coded: The variables with codes.
        """
        names, ids = set(coded), {id(one) for one in encoded}
        for _ in range(2):  # `train_test_split`, then its parts
            for target, value in self._assigned:
                if names & {
                    ast.unparse(one) for one in ast.walk(value) if isinstance(one, ast.Name)
                }:
                    names.add(ast.unparse(target))
        return any(
            id(one) in ids or ast.unparse(one) in names
            for call, arguments in self._trainings
            if self._is_regressor(call)
            for one in arguments
        )

    def _is_regressor(self, call: ast.Call) -> bool:
        """Return whether the model that a call trains is a regressor."""
        model: ast.expr | None = call.func.value if isinstance(call.func, ast.Attribute) else None
        if called_name(call) in FITTING_AND_PREDICTING and call.args:
            model = call.args[0]
        constructors = [model] if isinstance(model, ast.Call) else []
        if isinstance(model, ast.Name):
            constructors = [
                bound
                for target, bound in self._assigned
                if isinstance(target, ast.Name) and target.id == model.id
                if isinstance(bound, ast.Call)
            ]
        return any(
            called_name(one) in _REGRESSORS or called_name(one).endswith("Regressor")
            for one in constructors
        )


def _label_arguments(call: ast.Call, aliases: Mapping[str, str]) -> Iterator[ast.expr]:
    """Yield the arguments of a call that are labels."""
    name = tail(dotted(call.func, aliases))
    if name in FITTING_AND_PREDICTING:
        yield from call.args[2:3]
    elif name == "train_test_split":
        yield from call.args[1:]
    elif is_metric(name):
        yield from call.args
    elif (
        name in _DATA_WITH_LABELS or name == "split" or (name != "train" and is_training(call, {}))
    ):
        yield from call.args[1:2]
    else:
        return
    for keyword in call.keywords:
        if keyword.arg in _LABEL_KEYWORDS:
            yield keyword.value
        elif keyword.arg == "eval_set" and isinstance(keyword.value, ast.List):
            pairs = [one.elts for one in keyword.value.elts if isinstance(one, ast.Tuple)]
            yield from (pair[1] for pair in pairs if len(pair) == 2)
