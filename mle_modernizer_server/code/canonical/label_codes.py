"""Remove the codes that a change substitutes for class labels and decodes from predictions.

Since XGBoost 1.6 the classes must be 0, 1, …: https://xgboost.readthedocs.io/en/stable/changes/.
Labels in codes during a training, and predictions decoded after it, are the same experiment. The
codes may come from a `LabelEncoder`, a number that is subtracted, a dictionary, `pd.factorize` or
`np.unique`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mle_modernizer_server.code.canonical.plain_names import Cells, spoken_of
from mle_modernizer_server.code.canonical.roles import Roles
from mle_modernizer_server.code.cell_syntax import parse_what_can_be_read, shared_tree
from mle_modernizer_server.code.data_flow import trace
from mle_modernizer_server.code.data_flow.traces import SinkKind
from mle_modernizer_server.code.data_flow.values import CODES, Origin
from mle_modernizer_server.code.expressions import (
    called_name,
    dotted,
    function_name,
    import_aliases,
    literal,
    tail,
)
from mle_modernizer_server.code.ipython import parse_python
from mle_modernizer_server.domain.notebook import CellType
from mle_modernizer_server.domain.proposal import CellEdit

_ENCODER = "sklearn.preprocessing.LabelEncoder"
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.expr_context)
_ENCODES = re.compile(
    r"LabelEncoder|factorize|return_inverse|\.(?:map|replace|apply)\(|vectorize|-=?\s*\d|\bfor\b"
)
_RELATIVE = re.compile(r"log_error|rmsle|mape|percentage|deviance")
"""Metrics that differ if a number is added to labels and predictions."""
_DISTANCES = re.compile(
    r"error|rms|mae\b|mse|mape|percentage|r2|deviance|kappa|spearman|pearson|explained"
)
"""Metrics that differ for labels in other codes."""
_SAME_SEQUENCE = frozenset({"list", "array", "asarray", "Index", "Series", "tolist", "to_numpy"})


@dataclass(frozen=True)
class _Coding:
    """A one-to-one relation of labels and codes.

    Attributes:
        key: Equal for equal relations.
        is_sorted: Whether the codes have the order of the labels, as a model's columns of
            probabilities have.
    """

    key: str
    is_sorted: bool


@dataclass(frozen=True)
class _Helper:
    """The value of an expression or a variable that encodes or decodes.

    Attributes:
        names: Variables of the patch that it is made from.
        encode: The relation, if indexing or calling it returns codes.
        decode: The relation, if indexing or calling it returns labels.
        is_encoder: Whether it is a `LabelEncoder`.
    """

    names: frozenset[str] = frozenset()
    encode: _Coding | None = None
    decode: _Coding | None = None
    is_encoder: bool = False

    def called(self, name: str) -> _Helper:
        """Return the helper as the value of a variable; each encoder is a relation of its own."""
        own = _Coding(f"encoder {name}", is_sorted=True)
        coding = own if self.is_encoder and self.encode else None
        return replace(
            self,
            names=self.names | {name},
            encode=coding or self.encode,
            decode=coding or self.decode,
        )


def without_label_codes(
    before: Cells, after: Cells, edits: Sequence[CellEdit]
) -> tuple[CellEdit, ...]:
    """Return edits for comparison, without codes of class labels.

    All codes must be of one relation, labels be the notebook's own, no regressor learn them, and
    no code reach a submission or a metric of distances; otherwise return the edits as they are.

    Args:
        before: The notebook.
        after: The notebook with the edits.
        edits: The edits.
    """
    if not any(_may_encode(edit) for edit in edits):
        return tuple(edits)
    patch = _Patch(before, after, edits)
    removal = _Removal(patch, patch.trees())
    if not removal.is_round_trip() or _leaves_codes(patch, removal.coding):
        return tuple(edits)
    new = patch.with_trees(removal.trees)
    return tuple(
        edit.model_copy(update={"new_source": new.get(edit.cell_id, edit.new_source)})
        for edit in edits
    )


def _may_encode(edit: CellEdit) -> bool:
    """Return whether an edit adds words that every encoding has: a cheap question to ask first."""
    old, new = (_ENCODES.findall(source) for source in (edit.base_source, edit.new_source))
    return len(new) > len(old)


def _leaves_codes(patch: _Patch, coding: _Coding) -> bool:
    """Return whether codes reach a submission, or a metric that they change.

    A submission must not have predictions of a model of codes that are not decoded. A metric of
    distances, as the mean absolute error, differs for codes; any metric does if only its labels
    are codes.
    """
    probe = _Removal(patch, patch.trees(), probe=coding)
    new = patch.with_trees(probe.trees)
    distances = _RELATIVE if coding.key.startswith("shift") else _DISTANCES
    if any(distances.search(name) for name in probe.scorers()):
        return True
    coded = Origin.PREDICTED | Origin.CODED
    for sink in trace((name, new.get(name, source)) for name, source in patch.after).sinks:
        values = (sink.value.origins, *sink.value.columns.values())
        if sink.kind is SinkKind.SUBMISSION and any(one & coded == coded for one in values):
            return True
        has_codes = sink.kind is SinkKind.METRIC and bool(sink.value.all & Origin.CODED)
        if has_codes and (distances.search(sink.name) or not sink.value.all & Origin.PREDICTED):
            return True
    return False


class _Patch:
    """A changed notebook.

    Attributes:
        after: Its cells.
        had: Names in the notebook before.
        aliases: Full names by the notebook's names of imported modules and functions.
        is_encoder_known: Whether `LabelEncoder` is scikit-learn's.
        old: The code that a changed cell had, by the cell's id.
    """

    def __init__(self, before: Cells, after: Cells, edits: Sequence[CellEdit]) -> None:
        self.after = after
        self.had = spoken_of(shared_tree(source) for _, source in before)
        every = [shared_tree(source) for _, source in after]
        self.aliases = import_aliases(every)
        self.is_encoder_known = not any(
            isinstance(node, ast.ClassDef) and node.name == "LabelEncoder"
            for tree in every
            for node in ast.walk(tree)
        )
        self.old = {
            edit.cell_id: {ast.dump(node) for node in ast.walk(shared_tree(edit.base_source))}
            for edit in edits
            if edit.cell_type is CellType.CODE
        }

    def trees(self) -> dict[str, ast.Module]:
        """Return new trees of all cells, by the cell's id, in order."""
        return {name: parse_what_can_be_read(source) for name, source in self.after}

    def with_trees(self, trees: dict[str, ast.Module]) -> dict[str, str]:
        """Return the sources of the changed cells with other trees."""
        return {
            name: ast.unparse(ast.fix_missing_locations(tree))
            for name, tree in trees.items()
            if name in self.old
        }


class _Removal(ast.NodeTransformer):
    """Replaces codes by labels, and decoded predictions by predictions.

    Args:
        patch: The changed notebook.
        trees: Its cells; changed in place.
        probe: Replace codes by `CODES` and decoded predictions by a constant instead, and the
            probabilities of a model too if the order of the codes is that of the labels.

    Attributes:
        trees: The cells without the codes.
    """

    def __init__(
        self, patch: _Patch, trees: dict[str, ast.Module], *, probe: _Coding | None = None
    ) -> None:
        self.trees = trees
        self._patch, self._probe = patch, probe
        self._roles = Roles(trees.values(), patch.aliases)
        self._codings: list[_Coding] = []
        self._encoded: list[ast.expr] = []
        self._is_decoded = False
        self._helpers: dict[str, _Helper] = {}
        self._used: set[str] = set()
        self._definitions: list[tuple[str, ast.stmt]] = []
        self._labels: dict[str, ast.expr] = {}
        self._coded: set[str] = set()
        self._old: Collection[str] = ()
        self._is_ambiguous = False
        for name, tree in trees.items():
            if name in patch.old:
                self._old = patch.old[name]
                self.visit(tree)
        if self._codings:
            unused = [node for name, node in self._definitions if name in self._used]
            for name in patch.old.keys() & trees.keys():
                _Dropping(unused, {} if probe else self._labels).visit(trees[name])

    @property
    def coding(self) -> _Coding:
        """Return the relation of labels and codes."""
        return self._codings[0]

    def is_round_trip(self) -> bool:
        """Return whether all codes are of one relation, and decoded, and no helper remains."""
        if len({one.key for one in self._codings}) != 1 or self._is_ambiguous:
            return False
        remaining = spoken_of(self.trees[name] for name in self._patch.old.keys() & self.trees)
        return (
            bool(self._encoded)
            and self._is_decoded
            and not self._used & remaining
            and not self._roles.has_regressor(self._encoded, self._coded)
        )

    def scorers(self) -> Iterator[str]:
        """Yield the names of metrics that functions on folds compute with codes."""
        for node in (node for tree in self.trees.values() for node in ast.walk(tree)):
            if isinstance(node, ast.Call):
                names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
                texts = [literal(one.value) for one in node.keywords if one.arg == "scoring"]
                if names & {CODES, *self._coded}:
                    yield from (text for text in texts if isinstance(text, str))

    # -- statements ------------------------------------------------------------------------------

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        target = node.targets[0]
        if len(node.targets) == 1:
            self._unpack(node)
            target = node.targets[0]
        if isinstance(target, ast.Name) and self._is_new(target.id):
            helper = self._helper(node.value)
            if helper.encode or helper.decode:
                self._helpers[target.id] = helper.called(target.id)
                self._definitions.append((target.id, node))
                return node
        count = len(self._encoded)
        self.generic_visit(node)
        if len(self._encoded) > count:
            self._bind_codes(target, node.value)
        same = len(node.targets) == 1 and ast.unparse(target) == ast.unparse(node.value)
        return None if same else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | None:
        written = ast.dump(node)
        (target,) = parse_python(ast.unparse(node.target)).body
        assert isinstance(target, ast.Expr)
        value = ast.BinOp(target.value, node.op, node.value)
        if id(node) in self._roles.labels:
            self._roles.labels.add(id(value))
        replaced = value if written in self._old else self._replaced(value)
        if replaced is value:
            return self.generic_visit(node)
        self._bind_codes(node.target, replaced)
        same = ast.unparse(node.target) == ast.unparse(replaced)
        return None if same else ast.copy_location(ast.Assign([node.target], replaced), node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        match node.value:
            case ast.Call(ast.Attribute(_, "fit"), [_], []) as call:
                helper = self._helper(call)
                if helper.is_encoder:
                    self._used |= helper.names
                    return None
        return self.generic_visit(node)

    def _unpack(self, node: ast.Assign) -> None:
        """Reduce `codes, classes = pd.factorize(y)` to its first target; bind the other one."""
        target, call = node.targets[0], node.value
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return
        coding = self._unpacked(call)
        if coding is None or not isinstance(call, ast.Call):
            return
        at = 1 if called_name(call) == "unique" else 0
        codes, classes = target.elts[at], target.elts[1 - at]
        if isinstance(classes, ast.Name) and (classes.id == "_" or self._is_new(classes.id)):
            self._helpers[classes.id] = _Helper(frozenset({classes.id}), decode=coding)
            node.targets = [codes]
            node.value = ast.Subscript(call, ast.Constant(at), ast.Load())
            self._roles.labels |= {id(node.value)} if id(call) in self._roles.labels else set()

    def _bind_codes(self, target: ast.expr, labels: ast.expr) -> None:
        """Remember a variable with codes, and the labels that a new one replaces."""
        for one in target.elts if isinstance(target, ast.Tuple) else [target]:
            self._coded.add(ast.unparse(one))
        if isinstance(target, ast.Name) and target.id not in self._patch.had:
            self._is_ambiguous |= self._roles.bindings[target.id] > 1
            self._labels[target.id] = labels

    def _is_new(self, name: str) -> bool:
        """Return whether a variable is the patch's own and has one value."""
        return name not in self._patch.had and self._roles.bindings[name] == 1

    # -- expressions -----------------------------------------------------------------------------

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr):
            is_new = ast.dump(node) not in self._old
            replaced = self._replaced(node) if is_new else node
            if replaced is not node:
                return replaced
            if (
                self._probe is not None
                and self._probe.is_sorted
                and called_name(node) == "predict_proba"
            ):
                return ast.Constant(0)
        visited: ast.AST = super().visit(node)
        return visited

    def _replaced(self, node: ast.expr) -> ast.expr:
        """Return the labels of codes, the prediction that is decoded, or the node itself."""
        helper, argument = self._applied(node)
        if argument is None:
            return node
        if helper.encode and id(node) in self._roles.labels and self._is_labels(argument):
            self._encoded.append(node)
            return self._counted_in(helper, helper.encode, argument, ast.Name(CODES, ast.Load()))
        predicted = _converted(argument)
        if helper.decode and self._roles.predicts(predicted):
            self._is_decoded = True
            return self._counted_in(helper, helper.decode, predicted, ast.Constant(0))
        return node

    def _counted_in(
        self, helper: _Helper, coding: _Coding, value: ast.expr, probe: ast.expr
    ) -> ast.expr:
        self._codings.append(coding)
        self._used |= helper.names
        return value if self._probe is None else probe

    def _applied(self, node: ast.expr) -> tuple[_Helper, ast.expr | None]:
        """Return the helper that is applied to a value, and the value; None if there is none."""
        match node:
            case ast.BinOp(value, ast.Sub() | ast.Add() as operator, ast.Constant(int() as number)):
                coding = _Coding(f"shift {number}", is_sorted=True)
                is_coding = isinstance(operator, ast.Sub)
                return (_Helper(encode=coding) if is_coding else _Helper(decode=coding)), value
            case ast.Subscript(ast.Call(args=[labels, *_]) as call, ast.Constant(int() as at)) if (
                at == (called_name(call) == "unique")
            ):
                return _Helper(encode=self._unpacked(call)), labels
            case ast.Subscript(owner, value) | ast.Call(ast.Attribute(owner, "take"), [value], []):
                helper = self._helper(owner)
                return _Helper(helper.names, decode=helper.decode), value
            case ast.Call(ast.Attribute(owner, "transform" | "fit_transform"), [value], []):
                helper = self._helper(owner)
                return _Helper(
                    helper.names, encode=helper.encode if helper.is_encoder else None
                ), value
            case ast.Call(ast.Attribute(owner, "inverse_transform"), [value], []):
                helper = self._helper(owner)
                return _Helper(
                    helper.names, decode=helper.decode if helper.is_encoder else None
                ), value
            case ast.Call(ast.Attribute(value, "map" | "replace" | "apply"), [table], []):
                return self._table(table), value
            case ast.Call(ast.Call(func, [table], []), [value], []) if (
                function_name(func) == "vectorize"
            ):
                return self._table(table), value
            case ast.ListComp(
                ast.Subscript(table, ast.Name(one)),
                [ast.comprehension(target=ast.Name(other), iter=value, ifs=[])],
            ) if one == other:
                return self._table(table), value
            case ast.Call(args=[ast.ListComp() as inner], keywords=[]) if (
                called_name(node) in _SAME_SEQUENCE
            ):
                return self._applied(inner)
        return _Helper(), None

    def _table(self, node: ast.expr) -> _Helper:
        """Return the helper of a dictionary, or of its method `get`."""
        match node:
            case ast.Attribute(owner, "get" | "__getitem__"):
                node = owner
        helper = self._helper(node)
        return _Helper() if helper.is_encoder else helper

    def _helper(self, node: ast.expr) -> _Helper:
        """Return the helper that an expression is; an empty one if it is none."""
        match node:
            case ast.Name(name):
                return self._helpers.get(name, _Helper())
            case ast.Call(func, [], []) if dotted(func, self._patch.aliases) == _ENCODER:
                coding = (
                    _Coding("encoder", is_sorted=True) if self._patch.is_encoder_known else None
                )
                return _Helper(encode=coding, decode=coding, is_encoder=True)
            case ast.Call(ast.Attribute(owner, "fit"), [labels], []) if self._is_labels(labels):
                helper = self._helper(owner)
                return helper if helper.is_encoder else _Helper()
            case ast.Attribute(owner, "classes_"):
                helper = self._helper(owner)
                return _Helper(helper.names, decode=helper.decode)
            case ast.Dict() | ast.DictComp():
                return self._dictionary(node)
        return self._classes(node)

    def _dictionary(self, node: ast.Dict | ast.DictComp) -> _Helper:
        """Return the helper of a dictionary of literals, of counted classes or of another one."""
        match node:
            case ast.Dict():
                return _written_out(node)
            case ast.DictComp(
                ast.Name(key),
                ast.Name(value),
                [
                    ast.comprehension(
                        target=ast.Tuple([ast.Name(first), ast.Name(second)]),
                        iter=ast.Call(func, arguments, []),
                        ifs=[],
                    )
                ],
            ) if {key, value} == {first, second} and key != value:
                match func, arguments:
                    case ast.Attribute(table, "items"), []:
                        helper = self._helper(table)
                    case ast.Name("enumerate"), [classes]:  # code → label
                        helper = self._helper(classes)
                        helper = _Helper(helper.names, decode=helper.decode)
                    case _:
                        return _Helper()
                if key == second:
                    return _Helper(helper.names, encode=helper.decode, decode=helper.encode)
                return helper
        return _Helper()

    def _classes(self, node: ast.expr) -> _Helper:
        """Return the helper of an expression that lists the labels in the order of their codes."""
        match node:
            case ast.List(items) | ast.Tuple(items):
                values = [literal(item) for item in items]
                return _Helper(decode=_pairs(values, range(len(values))))
            case ast.Call(func, [inner], []) if dotted(func, self._patch.aliases) in (
                "sorted",
                "numpy.sort",
            ) and (found := _distinct(inner)):
                return self._learned(found, is_sorted=True)
            case ast.Call(ast.Attribute(inner, _), [], []) if called_name(node) in _SAME_SEQUENCE:
                return self._helper(inner)
            case ast.Call(func, [inner], []):
                name = dotted(func, self._patch.aliases)
                if name in ("numpy.unique", "pandas.unique"):
                    return self._learned(inner, is_sorted=name == "numpy.unique")
                return self._helper(inner) if tail(name) in _SAME_SEQUENCE else _Helper()
            case ast.Call(ast.Attribute(labels, "unique"), [], []):
                return self._learned(labels, is_sorted=False)
        return _Helper()

    def _learned(self, labels: ast.expr, *, is_sorted: bool) -> _Helper:
        """Return the helper that lists the labels in the order of their codes."""
        order = "sorted" if is_sorted else "as they appear"
        coding = _Coding(f"{order}: {ast.unparse(labels)}", is_sorted)
        return _Helper(decode=coding) if self._is_labels(labels) else _Helper()

    def _unpacked(self, node: ast.expr) -> _Coding | None:
        """Return the relation of `pd.factorize(y)` or `np.unique(y, return_inverse=True)`."""
        if not isinstance(node, ast.Call) or len(node.args) != 1:
            return None
        options = {one.arg: literal(one.value) for one in node.keywords}
        match dotted(node.func, self._patch.aliases), options:
            case "pandas.factorize", {"sort": bool(is_sorted)} if len(options) == 1:
                return self._learned(node.args[0], is_sorted=is_sorted).decode
            case "pandas.factorize", {} if not options:
                return self._learned(node.args[0], is_sorted=False).decode
            case "numpy.unique", {"return_inverse": True} if len(options) == 1:
                return self._learned(node.args[0], is_sorted=True).decode
        return None

    def _is_labels(self, value: ast.expr) -> bool:
        """Return whether a value is a variable or column of the notebook, not in codes yet."""
        nodes = list(ast.walk(value))
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        return (
            bool(names)
            and names <= self._patch.had
            and all(isinstance(one, _PLAIN) for one in nodes)
            and ast.unparse(value) not in self._coded
        )


class _Dropping(ast.NodeTransformer):
    """Removes statements, and replaces variables with codes by the labels."""

    def __init__(self, statements: Iterable[ast.stmt], labels: dict[str, ast.expr]) -> None:
        self._statements = {id(one) for one in statements}
        self._labels = labels

    def visit(self, node: ast.AST) -> ast.AST | None:
        if id(node) in self._statements:
            return None
        match node:
            case ast.Assign([ast.Name(name)]) if name in self._labels:
                return None
            case ast.Name(name) if name in self._labels:
                return self._labels[name]
        visited: ast.AST = super().visit(node)
        return visited


def _distinct(node: ast.expr) -> ast.expr | None:
    """Return the labels of `y.unique()`, `np.unique(y)`, `pd.unique(y)` or `set(y)`."""
    match node:
        case ast.Call(ast.Name("set"), [labels], []):
            return labels
        case ast.Call(ast.Attribute(ast.Name("np" | "pd"), "unique"), [labels], []):
            return labels
        case ast.Call(ast.Attribute(labels, "unique"), [], []):
            return labels
    return None


def _written_out(node: ast.Dict) -> _Helper:
    """Return the table of a dictionary of literals."""
    keys, values = [literal(one) for one in node.keys], [literal(one) for one in node.values]
    return _Helper(encode=_pairs(keys, values), decode=_pairs(values, keys))


def _pairs(labels: Sequence[object], codes: Sequence[object]) -> _Coding | None:
    """Return the relation of literals; None if two labels have one code."""
    if ... in labels or len({*labels}) != len(labels) or len({*codes}) != len(codes):
        return None
    pairs = [(code, label) for code, label in zip(codes, labels, strict=True) if type(code) is int]
    ordered = [label for _, label in sorted(pairs, key=lambda pair: pair[0])]
    numbers = [one for one in ordered if isinstance(one, (int, float))]
    texts = [one for one in ordered if isinstance(one, str)]
    is_sorted = ordered in (sorted(numbers), sorted(texts))
    return _Coding(repr(sorted(map(repr, pairs))), is_sorted) if len(pairs) == len(codes) else None


def _converted(value: ast.expr) -> ast.expr:
    """Return a prediction without a conversion to integers or to a Series."""
    match value:
        case ast.Call(ast.Attribute(inner, "astype"), [_], []):
            return _converted(inner)
        case ast.Call(func, [inner], []) if function_name(func) in ("Series", "array", "asarray"):
            return _converted(inner)
    return value
