"""Rules that find leaks in code: places where a score learns what it must not know.

Kaufman et al., *Leakage in Data Mining* (ACM TKDD 6, 2012), and scikit-learn's "Common pitfalls"
(https://scikit-learn.org/stable/common_pitfalls.html) describe them. Encoders that only learn the
names of categories are not counted: fitting them on all rows tells nothing of the target.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from mle_modernizer_server.domain.improvement import Leak, LeakKind
from mle_modernizer_server.domain.own_competition import SplitKind
from mle_modernizer_server.fixing.rules.engine.cell_code import CellCode
from mle_modernizer_server.fixing.rules.engine.tree import (
    argument,
    descendants,
    literal,
    same_literal,
    string,
)
from mle_modernizer_server.improving.code.estimators import (
    ESTIMATORS,
    IMPUTERS,
    REDUCERS,
    SCALERS,
    SELECTORS,
    WRAPPERS,
)
from mle_modernizer_server.improving.code.pipeline import Pipeline
from mle_modernizer_server.improving.code.slices import root_name
from mle_modernizer_server.improving.guards.rows import TEST, TRAIN, Rows

_WORDS = "sklearn.feature_extraction.text."
_LEARNS = (
    SCALERS
    | IMPUTERS
    | SELECTORS
    | REDUCERS
    | {"sklearn.preprocessing.TargetEncoder", "sklearn.preprocessing.KBinsDiscretizer"}
    | {f"{_WORDS}TfidfVectorizer"}
)
"""Transformers that take statistics of the rows they are fitted on."""
_SPLIT = "sklearn.model_selection.train_test_split"
_RANDOM_FOLDS = frozenset(
    f"sklearn.model_selection.{name}"
    for name in ("KFold", "StratifiedKFold", "ShuffleSplit", "StratifiedShuffleSplit")
)
_SCORED_ON_FOLDS = frozenset(
    f"sklearn.model_selection.{name}"
    for name in ("cross_val_score", "cross_validate", "cross_val_predict")
)
_COPIES = frozenset({"sklearn.utils.resample", "numpy.repeat"})
_STATISTICS = frozenset({"mean", "median", "transform", "agg", "std", "sum"})
_DEEPEST = 12


def leaks(
    pipeline: Pipeline,
    targets: Sequence[str],
    split: SplitKind = SplitKind.RANDOM,
    column: str | None = None,
) -> list[Leak]:
    """Places that may leak, in the order of the code.

    Args:
        pipeline: What the notebook's code shows.
        targets: Columns that are to be predicted.
        split: How the competition's own data seem split.
        column: The group's or the time's column.
    """
    rules = _Rules(pipeline, Rows(pipeline, targets))
    found = [*rules.fits(), *rules.features(), *rules.target_means(), *rules.before_splits()]
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
        """Every `x.fit(X)` and `x.fit_transform(X)`: cell, call, address of x's class, X."""
        for cell, call in self._pipeline.calls:
            if isinstance(call.func, cst.Attribute) and call.func.attr.value in (
                "fit",
                "fit_transform",
            ):
                made = self._pipeline.origin(call.func.value)
                given = argument(call, "X", 0) or argument(call, "raw_documents", 0)
                if isinstance(made, cst.Call) and given is not None and not given.star:
                    yield cell, call, self._pipeline.address(made.func), given.value

    def fits(self) -> Iterator[Leak]:
        """Something that learns from rows is fitted on those of the test data."""
        for cell, call, address, given in self._fitted():
            learns = address in _LEARNS or address in ESTIMATORS or address in WRAPPERS
            if learns and TEST in self._rows.of(given):
                yield self._leak(LeakKind.FIT_ON_TEST, cell, call, _last(address))

    def features(self) -> Iterator[Leak]:
        """A model is fitted on features among which the target is."""
        made = self._made_of_target()
        for cell, call, address, given in self._fitted():
            if address in ESTIMATORS or address in WRAPPERS:
                for name in sorted(self._rows.telling(given, made)):
                    yield self._leak(LeakKind.TARGET_IN_FEATURES, cell, call, name)

    def _made_of_target(self) -> frozenset[str]:
        """Columns that a statement fills with the target or what is computed of it."""
        found = set()
        for statement in self._pipeline.statements:
            node = statement.node
            if isinstance(node, cst.Assign) and self._reads_target(node.value):
                for target in node.targets:
                    name = _column(target.target)
                    if name and root_name(target.target) in self._pipeline.tables[TRAIN]:
                        found.add(name)
        return frozenset(found) - self._rows.targets

    def _reads_target(self, node: cst.BaseExpression) -> bool:
        if any(_is_grouped(one) for one in descendants(node)):
            return False  # a statistic of many rows is another matter
        return any(
            _column(one) in self._rows.targets and root_name(one) in self._pipeline.tables[TRAIN]
            for one in descendants(node)
        )

    def target_means(self) -> Iterator[Leak]:
        """A column of the training data is a statistic of the target by group."""
        for statement in self._pipeline.statements:
            node = statement.node
            if not isinstance(node, cst.Assign) or not any(
                isinstance(target.target, cst.Subscript)
                and root_name(target.target) in self._pipeline.tables[TRAIN]
                for target in node.targets
            ):
                continue
            for one in self._parts(node.value):
                if self._is_target_statistic(one):
                    name = _column(node.targets[0].target)
                    yield self._leak(LeakKind.TARGET_MEAN, statement.cell, node, name)
                    break

    def _parts(self, node: cst.BaseExpression) -> Iterator[cst.CSTNode]:
        """All of an expression, and of what its names stand for."""
        for one in descendants(node):
            yield one
            if isinstance(one, cst.Name):
                for value, whole in self._rows.values(one):
                    if whole and value is not one:
                        yield from descendants(value)

    def _is_target_statistic(self, node: cst.CSTNode) -> bool:
        """`train.groupby('a')['y'].mean()`, over all rows of the training data."""
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return False
        if node.func.attr.value not in _STATISTICS:
            return False
        column = node.func.value
        return (
            _column(column) in self._rows.targets
            and any(_is_grouped(one) for one in descendants(column))
            and root_name(column) in self._pipeline.tables[TRAIN]
        )

    def before_splits(self) -> Iterator[Leak]:
        """What is split into rows to train on and rows held out was fitted or copied before."""
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
        elif len(given) == 1 or address in ("pandas.DataFrame", "numpy.array"):
            yield from self._behind(given[0], cell, split, depth - 1)

    def _into_columns(self, node: cst.Name, split: cst.Call) -> Iterator[Leak]:
        """`train[cols] = scaler.fit_transform(train[cols])` before the split."""
        before = self._place(split)
        for statement in self._pipeline.statements:
            made = statement.node
            if not isinstance(made, cst.Assign) or self._place(made) > before:
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

    def _place(self, node: cst.CSTNode) -> tuple[int, int]:
        cell, place = self._pipeline.program.place(node)
        return self._pipeline.program.cells.index(cell), place.order

    def _learner(self, node: cst.BaseExpression) -> str:
        """Address of a transformer that takes statistics, empty for anything else."""
        made = self._pipeline.origin(node)
        address = self._pipeline.address(made.func) if isinstance(made, cst.Call) else ""
        return address if address in _LEARNS else ""

    def _is_resampled(self, node: cst.CSTNode) -> bool:
        """`sampler.fit_resample(X, y)`, or a sample with replacement."""
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return False
        replace = argument(node, "replace")
        method = node.func.attr.value
        return method == "fit_resample" or (
            method == "sample" and replace is not None and same_literal(replace.value, True)
        )

    def _joins_twice(self, node: cst.Call, address: str) -> bool:
        """`pd.concat([train, train])`: rows, each more than once."""
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
        """Rows are held out by chance, where groups or time decide what is new."""
        for cell, call in self._pipeline.calls:
            address = self._pipeline.address(call.func)
            shuffle = argument(call, "shuffle")
            ordered = shuffle is not None and same_literal(shuffle.value, False)
            if kind is LeakKind.TIME_SPLIT and (ordered or _keeps_order(address, shuffle)):
                continue
            if address == _SPLIT or address in _RANDOM_FOLDS:
                yield self._leak(kind, cell, call, column)

    def future(self) -> Iterator[Leak]:
        """`shift(-1)`: what a row is given of a later one."""
        for statement in self._pipeline.statements:
            node = statement.node
            if not isinstance(node, cst.Assign) or not _column(node.targets[0].target):
                continue
            if _column(node.targets[0].target) in self._rows.targets:
                continue
            for one in descendants(node.value):
                if not isinstance(one, cst.Call) or not isinstance(one.func, cst.Attribute):
                    continue
                by = argument(one, "periods", 0)
                steps = None if by is None else literal(by.value)
                if one.func.attr.value == "shift" and isinstance(steps, int) and steps < 0:
                    name = _column(node.targets[0].target)
                    yield self._leak(LeakKind.FUTURE, statement.cell, node, name)


def _keeps_order(address: str, shuffle: cst.Arg | None) -> bool:
    """Whether folds are blocks of rows in their order, as `KFold` makes them unless told."""
    return address.endswith(".KFold") and shuffle is None


def _column(node: cst.CSTNode) -> str:
    """The column of `frame['a']` and `frame.a`, empty for anything else."""
    if isinstance(node, cst.Subscript) and len(node.slice) == 1:
        index = node.slice[0].slice
        return (string(index.value) or "") if isinstance(index, cst.Index) else ""
    return node.attr.value if isinstance(node, cst.Attribute) else ""


def _is_grouped(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == "groupby"


def _last(address: str) -> str:
    return address.rpartition(".")[2]
