"""Rules that find leaks in code: places where a model or a score uses information it must not have.

Kaufman et al., *Leakage in Data Mining* (ACM TKDD 6, 2012), and scikit-learn's "Common pitfalls"
(https://scikit-learn.org/stable/common_pitfalls.html) describe them. Encoders that only learn the
names of categories are not counted: fitting them on all rows reveals nothing about the target.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from mle_modernizer_server.code import calls
from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.pipeline.estimators import (
    ESTIMATORS,
    IMPUTERS,
    REDUCERS,
    SCALERS,
    SELECTORS,
    WRAPPERS,
)
from mle_modernizer_server.code.pipeline.pipeline import Pipeline, Place
from mle_modernizer_server.code.pipeline.rows import TEST, TRAIN, Rows
from mle_modernizer_server.code.pipeline.statements import root_name
from mle_modernizer_server.code.tree import (
    argument,
    descendants,
    literal,
    method_name,
    receiver,
    same_literal,
    string,
)
from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.domain.improvement import Leak, LeakKind

_WORDS = "sklearn.feature_extraction.text."
_LEARNS = (
    SCALERS
    | IMPUTERS
    | SELECTORS
    | REDUCERS
    | {"sklearn.preprocessing.TargetEncoder", "sklearn.preprocessing.KBinsDiscretizer"}
    | {f"{_WORDS}TfidfVectorizer"}
    | {
        f"category_encoders.{name}Encoder"
        for name in ("Target", "LeaveOneOut", "CatBoost", "JamesStein", "MEstimate", "WOE", "GLMM")
    }
)
"""Transformers that take statistics of the rows they are fitted on."""
_SPLIT = "sklearn.model_selection.train_test_split"
_RANDOM_FOLDS = frozenset(
    f"sklearn.model_selection.{name}"
    for name in ("KFold", "StratifiedKFold", "ShuffleSplit", "StratifiedShuffleSplit")
)
_SCORED_ON_FOLDS = frozenset(f"sklearn.model_selection.{name}" for name in calls.SCORED_ON_FOLDS)
_COPIES = frozenset({"sklearn.utils.resample", "numpy.repeat"})
_AROUND = frozenset(
    f"sklearn.{name}"
    for name in (
        *("pipeline.Pipeline", "pipeline.make_pipeline", "pipeline.FeatureUnion"),
        *("compose.ColumnTransformer", "compose.make_column_transformer"),
    )
)
"""Containers of transformers."""
_DEEPEST = 12


def leaks(
    pipeline: Pipeline,
    targets: Sequence[str],
    split: SplitKind = SplitKind.RANDOM,
    column: str | None = None,
) -> list[Leak]:
    """Return places that may leak, in the order of the code.

    Args:
        pipeline: The analysis of the notebook's code.
        targets: Columns to predict.
        split: The likely split of the competition's own data.
        column: The group's or the time's column.
    """
    rules = _Rules(pipeline, Rows(pipeline, targets))
    found = [*rules.fits(), *rules.filled(), *rules.features(), *rules.target_means()]
    found += [*rules.before_splits(), *rules.trained_on_held_out()]
    if split is SplitKind.GROUP:
        found += rules.random_splits(LeakKind.GROUP_SPLIT, column or "")
    elif split is SplitKind.TIME:
        found += rules.random_splits(LeakKind.TIME_SPLIT, column or "")
        found += rules.future()
    return sorted(dict.fromkeys(found), key=lambda one: (one.cell, one.line, one.kind.value))


class _Rules:
    def __init__(self, pipeline: Pipeline, rows: Rows) -> None:
        self._pipeline = pipeline
        self._rows = rows

    def _leak(self, kind: LeakKind, cell: CellCode, node: cst.CSTNode, name: str = "") -> Leak:
        line = cell.lines(node)[0]
        return Leak(kind=kind, cell_id=cell.cell_id, cell=cell.number, line=line, name=name)

    def _fitted(self) -> Iterator[tuple[CellCode, cst.Call, str, cst.BaseExpression]]:
        """Yield every `x.fit(X)` and `x.fit_transform(X)`: cell, call, address of x's class, X."""
        for cell, call in self._pipeline.calls:
            learner = receiver(call, "fit", "fit_transform")
            if learner is not None:
                made = self._pipeline.origin(learner)
                given = argument(call, "X", 0) or argument(call, "raw_documents", 0)
                if isinstance(made, cst.Call) and given is not None and not given.star:
                    yield cell, call, self._pipeline.address(made.func), given.value

    def fits(self) -> Iterator[Leak]:
        """Report a transformer or model that is fitted on rows of the test data."""
        for cell, call, address, given in self._fitted():
            learner = address if address in ESTIMATORS else self._learning(call)
            if learner and TEST in self._rows.of(given):
                yield self._leak(LeakKind.FIT_ON_TEST, cell, call, _last(learner))

    def _learning(self, call: cst.Call) -> str:
        """Return the address of the learner when a transformer or pipeline is fitted.

        Empty if none.
        """
        assert isinstance(call.func, cst.Attribute)
        made = self._pipeline.origin(call.func.value)
        address = self._pipeline.address(made.func) if isinstance(made, cst.Call) else ""
        if address in WRAPPERS and address not in _AROUND:
            return address
        return self._within(made, _LEARNS | frozenset(ESTIMATORS))

    def filled(self) -> Iterator[Leak]:
        """Report a column filled or scaled with a statistic of training and test rows together."""
        for statement in self._pipeline.statements:
            node = statement.node
            into = isinstance(node, cst.Assign) and isinstance(
                node.targets[0].target, (cst.Name, cst.Subscript, cst.Attribute)
            )
            if not into and not isinstance(node, cst.Expr):
                continue
            for one in statement.nodes():
                value = self._filling(one) or (self._scaling(one) if into else None)
                if value is not None and any(map(self._is_of_both, self._parts(value))):
                    yield self._leak(LeakKind.FIT_ON_TEST, statement.cell, node, method_name(one))
                    break

    def _filling(self, node: cst.CSTNode) -> cst.BaseExpression | None:
        """Return the fill value of `fillna`."""
        if not isinstance(node, cst.Call) or method_name(node) != "fillna":
            return None
        given = argument(node, "value", 0)
        return None if given is None else given.value

    def _scaling(self, node: cst.CSTNode) -> cst.BaseExpression | None:
        """Return the right side of `(a - a.mean()) / a.std()`, of both operations."""
        scales = isinstance(node, cst.BinaryOperation) and isinstance(
            node.operator, (cst.Subtract, cst.Divide)
        )
        if not scales or not isinstance(node, cst.BinaryOperation):
            return None
        return node.right if {TRAIN, TEST} <= self._rows.of(node.left) else None

    def _is_of_both(self, node: cst.CSTNode) -> bool:
        """Return whether a node is a statistic of a whole column over training and test rows."""
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return False
        column = node.func.value
        whole = not any(_is_grouped(one) for one in descendants(column))
        return (
            node.func.attr.value in calls.SCALING
            and whole
            and {TRAIN, TEST} <= self._rows.of(column)
        )

    def features(self) -> Iterator[Leak]:
        """Report a model fitted on features that include the target."""
        made = self._made_of_target()
        for cell, call, address, given in self._fitted():
            if address in ESTIMATORS or address in WRAPPERS:
                for name in sorted(self._rows.telling(given, made, self._pipeline.place(call))):
                    yield self._leak(LeakKind.TARGET_IN_FEATURES, cell, call, name)

    def _made_of_target(self) -> Mapping[str, Place]:
        """Return the columns that a statement fills with the target or values computed from it."""
        found: dict[str, Place] = {}
        for statement in self._pipeline.statements:
            node = statement.node
            if isinstance(node, cst.Assign) and self._reads_target(node.value):
                for target in node.targets:
                    name = _column(target.target)
                    if name and root_name(target.target) in self._pipeline.tables[TRAIN]:
                        found.setdefault(name, self._pipeline.place(node))
        return {name: at for name, at in found.items() if name not in self._rows.targets}

    def _reads_target(self, node: cst.BaseExpression) -> bool:
        if any(_is_grouped(one) for one in descendants(node)):
            return False  # a statistic of many rows is another kind of leak
        return any(
            _column(one) in self._rows.targets and root_name(one) in self._pipeline.tables[TRAIN]
            for one in descendants(node)
        )

    def target_means(self) -> Iterator[Leak]:
        """Report a column of the training data that is a statistic of the target by group."""
        for statement in self._pipeline.statements:
            node = statement.node
            if isinstance(node, cst.Assign) and (
                self._is_column_of_train(node.targets[0].target) or self._joins_into_train(node)
            ):
                for one in self._parts(node.value):
                    if self._is_target_statistic(one):
                        name = _column(node.targets[0].target)
                        yield self._leak(LeakKind.TARGET_MEAN, statement.cell, node, name)
                        break

    def _is_column_of_train(self, target: cst.BaseExpression) -> bool:
        """Return whether the target is `train['a']`, not a selection of its rows."""
        return (
            isinstance(target, cst.Subscript)
            and root_name(target) in self._pipeline.tables[TRAIN]
            and not any(
                isinstance(one, cst.Attribute) and one.attr.value in ("loc", "iloc")
                for one in descendants(target)
            )
        )

    def _joins_into_train(self, node: cst.Assign) -> bool:
        """Return whether it is `train = train.merge(…)` or `train = pd.merge(train, …)`."""
        target, value = node.targets[0].target, node.value
        return (
            isinstance(target, cst.Name)
            and target.value in self._pipeline.tables[TRAIN]
            and isinstance(value, cst.Call)
            and method_name(value) in ("merge", "join")
        )

    def _parts(self, node: cst.BaseExpression) -> Iterator[cst.CSTNode]:
        """Yield all nodes of an expression, and of the values of its names."""
        for one in descendants(node):
            yield one
            if isinstance(one, cst.Name):
                for value, whole in self._rows.values(one):
                    if whole and value is not one:
                        yield from descendants(value)

    def _is_target_statistic(self, node: cst.CSTNode) -> bool:
        """Return whether it is `train.groupby('a')['y'].mean()`, over all training rows."""
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return False
        if node.func.attr.value not in calls.STATISTICS:
            return False
        column = node.func.value
        grouped = [one for one in descendants(column) if _is_grouped(one)]
        return (
            _column(column) in self._rows.targets
            and any(isinstance(one, cst.Attribute) and self._is_all(one.value) for one in grouped)
            and not any(
                isinstance(one, cst.Attribute) and one.attr.value in calls.EARLIER
                for one in descendants(node)
            )
        )

    def _is_all(self, node: cst.BaseExpression) -> bool:
        """Return whether an expression is all training rows: `train`, `train[['a']]`."""
        if isinstance(node, cst.Subscript):
            index = node.slice[0].slice
            listed = isinstance(index, cst.Index) and self._rows.names(index.value) is not None
            return listed and len(node.slice) == 1 and self._is_all(node.value)
        return isinstance(node, cst.Name) and node.value in self._pipeline.tables[TRAIN]

    def before_splits(self) -> Iterator[Leak]:
        """Report a split into training and held-out rows after the data were fitted or copied."""
        for cell, call in self._pipeline.calls:
            address = self._pipeline.address(call.func)
            if address == _SPLIT or address in _SCORED_ON_FOLDS:
                at = 0 if address == _SPLIT else 1
                given = argument(call, "X", at)
                if given is not None and not given.star:
                    yield from self._behind(given.value, cell, call, _DEEPEST)

    def _behind(
        self, node: cst.CSTNode, cell: CellCode, split: cst.Call, depth: int
    ) -> Iterator[Leak]:
        if depth == 0:
            return
        if isinstance(node, cst.Name):
            yield from self._into_columns(node, split)
            for value, whole in self._rows.values(node):
                if value is not node and (whole or self._is_resampled(value)):
                    yield from self._behind(value, cell, split, depth - 1)
        elif isinstance(node, (cst.Attribute, cst.Subscript)):
            yield from self._behind(node.value, cell, split, depth - 1)
        elif isinstance(node, cst.Call):
            yield from self._behind_call(node, cell, split, depth)

    def _behind_call(
        self, node: cst.Call, cell: CellCode, split: cst.Call, depth: int
    ) -> Iterator[Leak]:
        where = self._pipeline.program.cell_of(node)
        address = self._pipeline.address(node.func)
        given = [arg.value for arg in node.args if arg.keyword is None and not arg.star]
        if address in _COPIES or self._is_resampled(node) or self._joins_twice(node, address):
            yield self._leak(LeakKind.COPIES_BEFORE_SPLIT, where, node)
        elif isinstance(node.func, cst.Attribute) and not address:
            method = node.func.attr.value
            if method in ("fit_transform", "transform"):
                learner = self._learner(node.func.value)
                if learner:
                    yield self._leak(LeakKind.FIT_BEFORE_SPLIT, where, node, _last(learner))
                elif given:
                    yield from self._behind(given[0], cell, split, depth - 1)
            else:
                yield from self._behind(node.func.value, cell, split, depth - 1)
        elif len(given) == 1 or (given and address in ("pandas.DataFrame", "numpy.array")):
            yield from self._behind(given[0], cell, split, depth - 1)

    def _into_columns(self, node: cst.Name, split: cst.Call) -> Iterator[Leak]:
        """Report `train[cols] = scaler.fit_transform(train[cols])` before the split."""
        before = self._pipeline.place(split)
        for statement in self._pipeline.statements:
            made = statement.node
            if not isinstance(made, cst.Assign) or self._pipeline.place(made) > before:
                continue
            into = any(
                isinstance(target.target, cst.Subscript) and root_name(target.target) == node.value
                for target in made.targets
            )
            value = made.value
            if not into or not isinstance(value, cst.Call):
                continue
            func = value.func
            if isinstance(func, cst.Attribute) and func.attr.value == "fit_transform":
                learner = self._learner(func.value)
                if learner:
                    name = _last(learner)
                    yield self._leak(LeakKind.FIT_BEFORE_SPLIT, statement.cell, made, name)

    def trained_on_held_out(self) -> Iterator[Leak]:
        """Report a model fitted on all rows and scored on some rows split off from them."""
        for cell, call, address, given in self._fitted():
            if address not in ESTIMATORS and address not in WRAPPERS:
                continue
            if not isinstance(given, cst.Name) or not isinstance(call.func, cst.Attribute):
                continue
            made = self._pipeline.origin(call.func.value)
            if any(self._scores_part(made, call, given, one) for _, one in self._pipeline.calls):
                yield self._leak(LeakKind.TRAINED_ON_HELD_OUT, cell, call, given.value)

    def _scores_part(
        self, made: cst.BaseExpression, fit: cst.Call, given: cst.Name, asked: cst.Call
    ) -> bool:
        """Return whether a call scores the model, as fitted there, on rows split off from those."""
        if method_name(asked) not in ("predict", "predict_proba", "score") or not asked.args:
            return False
        assert isinstance(asked.func, cst.Attribute)
        held = asked.args[0].value
        if not isinstance(held, cst.Name) or self._pipeline.origin(asked.func.value) is not made:
            return False
        of = [value for value, whole in self._rows.values(held) if not whole]
        names = [value for value in of if isinstance(value, cst.Name)]
        same = [value for value in names if self._is_same(value, given)]
        if not same or len(same) != len(self._rows.values(held)):
            return False
        # The last fit before decides; a later one makes a different model.
        before = [
            other
            for _, other, _, _ in self._fitted()
            if isinstance(other.func, cst.Attribute)
            and self._pipeline.origin(other.func.value) is made
            and self._pipeline.place(other) < self._pipeline.place(asked)
        ]
        return bool(before) and max(before, key=self._pipeline.place) is fit

    def _is_same(self, one: cst.Name, other: cst.Name) -> bool:
        """Return whether two uses of a name have the same value."""
        mine, theirs = self._rows.values(one), self._rows.values(other)
        return one.value == other.value and [value for value, _ in mine] == [
            value for value, _ in theirs
        ]

    def _learner(self, node: cst.BaseExpression) -> str:
        """Return the address of a transformer that takes statistics, also in a pipeline.

        Else empty.
        """
        return self._within(self._pipeline.origin(node), _LEARNS)

    def _within(self, made: cst.BaseExpression, wanted: frozenset[str]) -> str:
        """Return the first requested address in a constructor call, including pipeline steps."""
        address = self._pipeline.address(made.func) if isinstance(made, cst.Call) else ""
        if address not in _AROUND:
            return address if address in wanted else ""
        inside = (
            self._pipeline.address(one.func)
            for part in self._parts(made)
            if isinstance(part, (cst.Name, cst.Call))
            for one in descendants(self._pipeline.origin(part))
            if isinstance(one, cst.Call)
        )
        return next((one for one in inside if one in wanted), "")

    def _is_resampled(self, node: cst.CSTNode) -> bool:
        """Return whether it is `sampler.fit_resample(X, y)`, or a sample with replacement."""
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return False
        replace = argument(node, "replace")
        method = node.func.attr.value
        return method == "fit_resample" or (
            method == "sample" and replace is not None and same_literal(replace.value, True)
        )

    def _joins_twice(self, node: cst.Call, address: str) -> bool:
        """Return whether it is `pd.concat([train, train])`, which repeats rows."""
        if address not in ("pandas.concat", "numpy.vstack", "numpy.concatenate") or not node.args:
            return False
        along = argument(node, "axis", 1)
        if along is not None and literal(along.value) not in (0, "index"):
            return False
        listed = node.args[0].value
        names = (
            [root_name(one.value) for one in listed.elements]
            if isinstance(listed, (cst.List, cst.Tuple))
            else []
        )
        return any(name and names.count(name) > 1 for name in names)

    def random_splits(self, kind: LeakKind, column: str) -> Iterator[Leak]:
        """Report rows held out at random although groups or time decide which rows are new."""
        for cell, call in self._pipeline.calls:
            address = self._pipeline.address(call.func)
            shuffle = argument(call, "shuffle")
            ordered = shuffle is not None and same_literal(shuffle.value, False)
            if kind is LeakKind.TIME_SPLIT and (ordered or _keeps_order(address, shuffle)):
                continue
            if address == _SPLIT and call.args and self._is_of_groups(call.args[0].value):
                continue
            random = address == _SPLIT or address in _RANDOM_FOLDS
            if random or (kind is LeakKind.GROUP_SPLIT and self._cuts_by_number(call, address)):
                yield self._leak(kind, cell, call, column)

    def _is_of_groups(self, node: cst.BaseExpression) -> bool:
        """Return whether the split is of the groups themselves: `train['a'].unique()`."""
        return any(
            isinstance(one, cst.Call)
            and (
                method_name(one) in calls.GROUPS
                or self._pipeline.address(one.func) == "builtins.set"
            )
            for one in self._parts(node)
        )

    def _cuts_by_number(self, call: cst.Call, address: str) -> bool:
        """Return whether it is `cross_val_score(…, cv=5)`, whose folds ignore groups."""
        if address not in _SCORED_ON_FOLDS:
            return False
        folds = argument(call, "cv")
        return folds is None or isinstance(folds.value, cst.Integer)

    def future(self) -> Iterator[Leak]:
        """Report `shift(-1)` and `rolling(7, center=True)`, which contain later values of a row."""
        for statement in self._pipeline.statements:
            node = statement.node
            name = _column(node.targets[0].target) if isinstance(node, cst.Assign) else ""
            if not name or name in self._rows.targets or not isinstance(node, cst.Assign):
                continue
            if any(_looks_ahead(one) for one in descendants(node.value)):
                yield self._leak(LeakKind.FUTURE, statement.cell, node, name)


def _looks_ahead(node: cst.CSTNode) -> bool:
    """Return whether a call uses values of later rows."""
    if not isinstance(node, cst.Call):
        return False
    if method_name(node) == "rolling":
        centred = argument(node, "center")
        return centred is not None and same_literal(centred.value, True)
    by = argument(node, "periods", 0)
    steps = None if by is None else literal(by.value)
    ahead = isinstance(steps, int) and steps < 0
    return method_name(node) in ("shift", "diff", "pct_change") and ahead


def _keeps_order(address: str, shuffle: cst.Arg | None) -> bool:
    """Return whether folds are blocks of rows in their order, `KFold`'s default."""
    return address.endswith(".KFold") and shuffle is None


def _column(node: cst.CSTNode) -> str:
    """Return the column of `frame['a']` and `frame.a`, empty for anything else."""
    if isinstance(node, cst.Subscript) and len(node.slice) == 1:
        index = node.slice[0].slice
        return (string(index.value) or "") if isinstance(index, cst.Index) else ""
    return node.attr.value if isinstance(node, cst.Attribute) else ""


def _is_grouped(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == "groupby"


def _last(address: str) -> str:
    return address.rpartition(".")[2]
