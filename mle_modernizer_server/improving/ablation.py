"""Versions of a notebook without one of its parts; the loss of score is the part's contribution.

A part is removed so that the notebook still runs: a column becomes a constant, a preprocessing
step passes its input through, tuned parameters become the defaults, a member of a blend is
replaced by the others. Only code that contributes to the submission is changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.pipeline.blocks import block_of, blocks
from mle_modernizer_server.code.pipeline.estimators import IMPUTERS, REDUCERS, SCALERS
from mle_modernizer_server.code.pipeline.pipeline import Pipeline
from mle_modernizer_server.code.pipeline.rows import TEST, TRAIN, Rows
from mle_modernizer_server.code.pipeline.statements import root_name
from mle_modernizer_server.code.tree import (
    argument,
    descendants,
    literal,
    method_name,
    receiver_text,
    string,
    without,
)
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.improving.candidates.version import Version
from mle_modernizer_server.improving.edits import Edits, Writer, changed

MOST = 10
"""Parts to remove from one notebook."""
KIND = "ablation"

_IDENTITY = "sklearn.preprocessing.FunctionTransformer"
_ONE_HOT = "sklearn.preprocessing.OneHotEncoder"
_ORDINAL = "sklearn.preprocessing.OrdinalEncoder"
_SIMPLE = "sklearn.impute.SimpleImputer"
_TARGET_WRAPPER = "sklearn.compose.TransformedTargetRegressor"
_VOTING = frozenset({"sklearn.ensemble.VotingClassifier", "sklearn.ensemble.VotingRegressor"})
_MAKE_FEATURES = frozenset(
    f"sklearn.preprocessing.{name}"
    for name in ("PolynomialFeatures", "SplineTransformer", "KBinsDiscretizer")
)
_ASKED_OF_STEPS = frozenset({"fit", "transform", "fit_transform", "inverse_transform"})
_NO_TUNING = frozenset(
    {
        *("random_state", "n_jobs", "verbose", "verbosity", "probability", "loss", "objective"),
        *("criterion", "max_iter", "base_estimator", "estimator", "handle_unknown"),
    }
)
_STATISTICS = frozenset({"mean", "median"})


@dataclass(frozen=True)
class _Part:
    """A part that can be removed: its name, its description and the edit."""

    name: str
    what: Messages
    edits: Edits


_Parts = Iterator[_Part]


def knockouts(notebook: Notebook, targets: Sequence[str]) -> list[Version]:
    """Return versions without one part each, at most ten, alternating the kinds of parts.

    Args:
        notebook: The sources.
        targets: Columns that are to be predicted; they are no features.
    """
    pipeline = Pipeline(notebook)
    sorts = (
        _columns(pipeline, targets),
        _steps(pipeline),
        _parameters(pipeline),
        _members(pipeline),
        _filters(pipeline),
        _fillings(pipeline),
        _target_transforms(pipeline),
        _listed(pipeline, targets),
    )
    known = blocks(pipeline)
    found: list[Version] = []
    for part in chain.from_iterable(zip_longest(*sorts)):
        if part is None:
            continue
        new = changed(notebook, pipeline.program, part.edits)
        if new is None or any(new == one.notebook for one in found):
            continue
        number = block_of(known, pipeline.program, part.edits.changes[0].node)
        taken = [one.name for one in found]
        name = part.name if part.name not in taken else f"{part.name} (block {number})"
        if name not in taken:
            found.append(Version(name, new, KIND, part.what, number))
        if len(found) == MOST:
            break
    return found


def _columns(pipeline: Pipeline, targets: Sequence[str]) -> _Parts:
    """Find `table['column'] = …` in training and test data, if computed from other columns."""
    rows = Rows(pipeline, targets)
    made: dict[str, dict[_Table, list[cst.Assign]]] = {}
    for table, node in _assigned_columns(pipeline):
        name = _column(node.targets[0].target)
        if name and name not in targets:
            made.setdefault(name, {}).setdefault(table, []).append(node)
    for name, by_table in made.items():
        held: frozenset[str] = frozenset()
        for (function, _), assigned in by_table.items():
            target = assigned[0].targets[0].target
            assert isinstance(target, cst.Subscript)
            given = [target.value] if function is None else _given(pipeline, function, target.value)
            for one in given:
                held |= _tables(pipeline, rows, one)
        firsts = [assigned[0].value for assigned in by_table.values()]
        if not {TRAIN, TEST} <= held or any(name in _names_of(value) for value in firsts):
            continue
        writer = Writer(pipeline.program)
        for assigned in by_table.values():
            writer.replace(assigned[-1].value, "0")
        what = coded("change.column-zero", column=name)
        yield _Part(f"without {name}", what, writer.edits())


_Table = tuple[cst.FunctionDef | None, str]
"""The function that contains an assignment, and the name of the table in it."""


def _assigned_columns(pipeline: Pipeline) -> Iterator[tuple[_Table, cst.Assign]]:
    """Yield the assignments to columns that reach the submission, also those in functions."""
    for statement in pipeline.submitting:
        function = statement.node if isinstance(statement.node, cst.FunctionDef) else None
        for node in statement.nodes() if function is not None else (statement.node,):
            if isinstance(node, cst.Assign) and len(node.targets) == 1:
                target = node.targets[0].target
                if isinstance(target, cst.Subscript):
                    yield (function, root_name(target)), node


def _given(
    pipeline: Pipeline, function: cst.FunctionDef, table: cst.BaseExpression
) -> list[cst.BaseExpression]:
    """Return the arguments of a function's calls for the parameter of that table."""
    names = [one.name.value for one in function.params.params]
    name = root_name(table)
    if name not in names:
        return []
    found = (
        argument(call, name, names.index(name))
        for _, call in pipeline.calls
        if isinstance(call.func, cst.Name) and call.func.value == function.name.value
    )
    return [arg.value for arg in found if arg is not None]


def _tables(pipeline: Pipeline, rows: Rows, node: cst.BaseExpression) -> frozenset[str]:
    """Return whose rows a table contains; of a loop variable over tables, those of all of them."""
    held = rows.of(node)
    if isinstance(node, cst.Name) and not held:
        for one in pipeline.program.lookup(node.value, node).bindings:
            if isinstance(one.bound, Assigned) and one.bound.path == (None,):
                held |= rows.of(one.bound.value)
    return held


def _column(target: cst.CSTNode) -> str:
    """Return the column that `table['column']` names; empty if the target is anything else."""
    if not isinstance(target, cst.Subscript) or len(target.slice) != 1:
        return ""
    index = target.slice[0].slice
    return (string(index.value) or "") if isinstance(index, cst.Index) else ""


def _names_of(node: cst.CSTNode) -> set[str]:
    """Return the columns that an expression names, as `table['column']` or `table.column`."""
    found = {_column(one) for one in descendants(node)}
    return found | {one.attr.value for one in descendants(node) if isinstance(one, cst.Attribute)}


def _steps(pipeline: Pipeline) -> _Parts:
    """Find scalers, decompositions, encoders and imputers, as steps or alone."""
    for _, call in _submitted_calls(pipeline):
        address = pipeline.address(call.func)
        name = address.rpartition(".")[2]
        if not _is_only_a_step(pipeline, call):
            continue
        writer = Writer(pipeline.program)
        if address in SCALERS | REDUCERS | _MAKE_FEATURES:
            writer.replace(call, f"{writer.name(call, _IDENTITY)}()")
            what = coded("change.passes-through", step=name)
        elif address == _ONE_HOT:
            ordinal = writer.name(call, _ORDINAL)
            writer.replace(call, f"{ordinal}(handle_unknown='use_encoded_value', unknown_value=-1)")
            what = coded("change.category-numbers")
        elif address in IMPUTERS and not _is_constant(call):
            simple = writer.name(call, _SIMPLE)
            writer.replace(call, f"{simple}(strategy='constant')")
            what = coded("change.fills-constant", step=name)
        else:
            continue
        yield _Part(f"without {name}", what, writer.edits())


def _is_constant(call: cst.Call) -> bool:
    strategy = argument(call, "strategy")
    return strategy is not None and string(strategy.value) == "constant"


def _is_only_a_step(pipeline: Pipeline, call: cst.Call) -> bool:
    """Return whether the notebook only fits and transforms with a transformer."""
    for where, node in pipeline.uses(call):
        parent = where.places[node].parent
        if isinstance(parent, cst.Attribute) and parent.attr.value not in _ASKED_OF_STEPS:
            return False
    return True


def _submitted_calls(pipeline: Pipeline) -> list[tuple[cst.CSTNode, cst.Call]]:
    """Return the calls that contribute to the submission, in order, with their statements."""
    return [
        (statement.node, node)
        for statement in pipeline.submitting
        for node in statement.nodes()
        if isinstance(node, cst.Call)
    ]


def _parameters(pipeline: Pipeline) -> _Parts:
    """Find parameters of a model that the notebook sets."""
    for model in pipeline.models:
        tuned = [
            arg
            for arg in model.core.args
            if not arg.star and (arg.keyword is None or arg.keyword.value not in _NO_TUNING)
        ]
        if not tuned or model.is_fixed:
            continue
        writer = Writer(pipeline.program)
        writer.replace(model.core, without(model.core, tuned))
        name = model.estimator.name
        what = coded("change.defaults", model=name)
        yield _Part(f"defaults of {name}", what, writer.edits())


def _members(pipeline: Pipeline) -> _Parts:
    """Find members of a blend: of a voting, and of arithmetic on predictions."""
    for _, call in _submitted_calls(pipeline):
        listed = argument(call, "estimators", 0)
        if pipeline.address(call.func) not in _VOTING or argument(call, "weights") is not None:
            continue
        if listed is None or not isinstance(listed.value, cst.List):
            continue
        elements = listed.value.elements
        for element in elements if len(elements) > 1 else ():
            writer = Writer(pipeline.program)
            kept = [one for one in elements if one is not element]
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            writer.replace(listed.value, listed.value.with_changes(elements=kept))
            name = _short(writer.code(element))
            what = coded("change.no-member", member=name)
            yield _Part(f"without {name}", what, writer.edits())
    predictions = _predictions(pipeline)
    for statement in pipeline.submitting:
        if not isinstance(statement.node, cst.Assign):
            continue
        value = statement.node.value
        nodes = [
            node
            for node in descendants(value)
            if isinstance(node, cst.Name) and node.value in predictions
        ]
        names = list(dict.fromkeys(node.value for node in nodes))
        if len(names) < 2 or not _is_arithmetic(value):
            continue
        for name in names:
            others = [one for one in names if one != name]
            rest = others[0] if len(others) == 1 else f"(({' + '.join(others)}) / {len(others)})"
            writer = Writer(pipeline.program)
            for node in nodes:
                if node.value == name:
                    writer.replace(node, rest)
            what = coded("change.others-for-member", member=name)
            yield _Part(f"without {name}", what, writer.edits())


def _predictions(pipeline: Pipeline) -> set[str]:
    """Return the names that are bound to a model's predictions."""
    found: set[str] = set()
    for statement in pipeline.statements:
        node = statement.node
        if not isinstance(node, cst.Assign) or len(node.targets) != 1:
            continue
        target = node.targets[0].target
        asked = any(
            method_name(one) in ("predict", "predict_proba", "decision_function")
            for one in descendants(node.value)
        )
        if asked and isinstance(target, cst.Name):
            found.add(target.value)
    return found


def _is_arithmetic(node: cst.CSTNode) -> bool:
    return any(isinstance(one, cst.BinaryOperation) for one in descendants(node)) and not any(
        isinstance(one, (cst.Comparison, cst.Lambda)) for one in descendants(node)
    )


def _short(code: str) -> str:
    """Return the short name of a member, `('ridge', Ridge())` → `ridge`."""
    value = cst.parse_expression(code.strip().rstrip(","))
    if isinstance(value, cst.Tuple) and value.elements:
        return string(value.elements[0].value) or code[:40]
    return code[:40]


def _filters(pipeline: Pipeline) -> _Parts:
    """Find `train = train[condition]`, which drops rows of the training data."""
    train = pipeline.tables[TRAIN] - pipeline.tables[TEST]
    for statement in pipeline.submitting:
        node = statement.node
        if not isinstance(node, cst.Assign) or len(node.targets) != 1:
            continue
        target, value = node.targets[0].target, node.value
        if not isinstance(target, cst.Name) or target.value not in train:
            continue
        if not isinstance(value, cst.Subscript) or len(value.slice) != 1:
            continue
        index = value.slice[0].slice
        own = isinstance(value.value, cst.Name) and value.value.value == target.value
        if own and isinstance(index, cst.Index) and _is_condition(index.value):
            writer = Writer(pipeline.program)
            writer.replace(value, target.value)
            line = statement.line
            name = f"all rows (line {line})"
            yield _Part(name, coded("change.all-rows"), writer.edits())


def _is_condition(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.UnaryOperation):
        return _is_condition(node.expression)
    if isinstance(node, cst.BinaryOperation):
        return _is_condition(node.left) and _is_condition(node.right)
    return isinstance(node, cst.Comparison)


def _fillings(pipeline: Pipeline) -> _Parts:
    """Find `fillna` of a mean or median: of a column in all tables, or of all columns at once."""
    calls: dict[str, list[tuple[cst.Call, cst.BaseExpression]]] = {}
    for _, call in _submitted_calls(pipeline):
        func = call.func
        if not isinstance(func, cst.Attribute) or func.attr.value != "fillna":
            continue
        value = argument(call, "value", 0)
        if value is not None and _is_statistic(pipeline, value.value):
            where = _column(func.value) or _short_receiver(receiver_text(func.value))
            if isinstance(value.value, cst.Name):
                where = f"what {value.value.value} fills"
            calls.setdefault(where, []).append((call, value.value))
    for where, found in calls.items():
        writer = Writer(pipeline.program)
        for _, filler in found:
            writer.replace(filler, "0")
        what = coded("change.fills-zero", where=where)
        yield _Part(f"0 in {where}", what, writer.edits())


def _is_statistic(pipeline: Pipeline, value: cst.BaseExpression) -> bool:
    """Return whether an expression, or the value of its name, is a mean or median."""
    return any(
        isinstance(one, cst.Attribute) and one.attr.value in _STATISTICS
        for part in (value, pipeline.origin(value))
        for one in descendants(part)
    )


def _short_receiver(code: str) -> str:
    return code if len(code) <= 40 else f"{code[:37]}..."


def _target_transforms(pipeline: Pipeline) -> _Parts:
    """Find the transformation of the target around a model."""
    for _, call in _submitted_calls(pipeline):
        inner = argument(call, "regressor", 0)
        if pipeline.address(call.func) == _TARGET_WRAPPER and inner is not None:
            writer = Writer(pipeline.program)
            writer.replace(call, inner.value)
            what = coded("change.plain-target")
            yield _Part("the target as it is", what, writer.edits())


def _listed(pipeline: Pipeline, targets: Sequence[str]) -> _Parts:
    """Find the columns in a list that defines the features."""
    for statement in pipeline.submitting:
        node = statement.node
        if not isinstance(node, cst.Assign) or not isinstance(node.value, cst.List):
            continue
        names = literal(node.value)
        target = node.targets[0].target
        if not isinstance(names, list) or len(names) < 3 or not isinstance(target, cst.Name):
            continue
        if not all(isinstance(name, str) for name in names) or set(names) & set(targets):
            continue
        if not _selects(pipeline, target.value):
            continue
        made = {part.name for part in _columns(pipeline, targets)}
        for element, name in zip(node.value.elements, names, strict=True):
            if f"without {name}" in made:
                continue  # is removed as a column
            kept = [one for one in node.value.elements if one is not element]
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            writer = Writer(pipeline.program)
            writer.replace(node.value, node.value.with_changes(elements=kept))
            what = coded("change.no-feature", column=name)
            yield _Part(f"without {name}", what, writer.edits())


def _selects(pipeline: Pipeline, name: str) -> bool:
    """Return whether a name selects columns of training and of test data."""
    roots = {
        root_name(node)
        for statement in pipeline.submitting
        for node in statement.nodes()
        if isinstance(node, cst.Subscript)
        and len(node.slice) == 1
        and isinstance(index := node.slice[0].slice, cst.Index)
        and isinstance(index.value, cst.Name)
        and index.value.value == name
    }
    return bool(roots & pipeline.tables[TRAIN]) and bool(roots & pipeline.tables[TEST])
