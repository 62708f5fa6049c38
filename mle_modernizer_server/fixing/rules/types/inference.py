"""A light inference of what kind of thing an expression is: DataFrame, Series, estimator, …"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.cell_code import (
    Assigned,
    Binding,
    Defined,
    Parameter,
)
from mle_modernizer_server.fixing.rules.engine.program import Program
from mle_modernizer_server.fixing.rules.engine.tree import (
    argument,
    descendants,
    dotted_name,
    same_literal,
    string,
)
from mle_modernizer_server.fixing.rules.types import pandas as known
from mle_modernizer_server.fixing.rules.types.deep_learning import MADE_BY, PARTS
from mle_modernizer_server.fixing.rules.types.selection import selected
from mle_modernizer_server.fixing.rules.types.type import (
    ARRAY,
    FRAME,
    FRAME_GROUPS,
    INDEX,
    NONE,
    SCALAR,
    SERIES,
    SERIES_GROUPS,
    TEXT,
    Kind,
)

_BY_NAME = {"frame": FRAME, "series": SERIES, "array": ARRAY, "index": INDEX, "scalar": SCALAR}


class Kinds:
    """Answers for one state of a program, remembered."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._answers: dict[cst.CSTNode, Kind | None] = {}
        self._asking: set[cst.CSTNode] = set()
        self._calls: dict[str, list[cst.Call]] | None = None
        self._attributes: dict[cst.ClassDef, dict[str, list[cst.BaseExpression]]] = {}
        self._frames: dict[cst.CSTNode, frozenset[str]] = {}

    def of(self, node: cst.CSTNode) -> Kind | None:
        """Kind of an expression of the program; None where it cannot be told."""
        if node in self._answers:
            return self._answers[node]
        if node in self._asking:
            return None
        self._asking.add(node)
        try:
            answer = self._infer(node)
        finally:
            self._asking.discard(node)
        self._answers[node] = answer
        return answer

    def _infer(self, node: cst.CSTNode) -> Kind | None:
        if isinstance(node, cst.Name):
            found = self._program.lookup(node.value, node)
            return _common([self._bound(binding) for binding in found.bindings])
        if isinstance(node, cst.Call):
            return self._call(node)
        if isinstance(node, cst.Attribute):
            return self._attribute(node)
        if isinstance(node, cst.Subscript):
            receiver = self.of(node.value)
            return None if receiver is None else selected(receiver, node.slice, self.of)
        if isinstance(node, cst.SimpleString) and "b" in node.prefix:
            return Kind("builtins.bytes")
        if isinstance(node, (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString)):
            return TEXT
        if isinstance(node, (cst.Integer, cst.Float, cst.Imaginary)):
            return SCALAR
        if isinstance(node, (cst.List, cst.Tuple)):
            name = "builtins.list" if isinstance(node, cst.List) else "builtins.tuple"
            return Kind(name, tuple(self.of(element.value) for element in node.elements))
        if isinstance(node, cst.ListComp):
            return Kind("builtins.list", (self.of(node.elt),))
        if isinstance(node, (cst.Dict, cst.DictComp)):
            return Kind("builtins.dict")
        if isinstance(node, (cst.Set, cst.SetComp)):
            return Kind("builtins.set")
        if isinstance(node, (cst.BinaryOperation, cst.Comparison, cst.UnaryOperation)):
            return self._operation(node)
        if isinstance(node, cst.IfExp):
            return _common([self.of(node.body), self.of(node.orelse)])
        return None

    def _bound(self, binding: Binding) -> Kind | None:
        bound = binding.bound
        if isinstance(bound, Assigned):
            kind = self.of(bound.value)
            for step in bound.path:
                kind = _part(kind, step)
            if kind is None and bound.path == (None,):
                return self._iterated(bound.value)
            if kind is None and len(bound.path) == 2 and bound.path[0] is None:
                return self._iterated_pair(bound.value, bound.path[1])
            return kind
        if isinstance(bound, Parameter):
            return self._parameter(bound)
        return None

    def _iterated(self, value: cst.BaseExpression) -> Kind | None:
        """Kind of a loop variable over something that is no list of known things."""
        kind = self.of(value)
        if kind in (FRAME, INDEX):
            return TEXT
        return None

    def _iterated_pair(self, value: cst.BaseExpression, position: int | None) -> Kind | None:
        """Kind of one of two loop variables: `enumerate`, `iterrows`, `items`."""
        if not isinstance(value, cst.Call):
            return None
        if isinstance(value.func, cst.Name) and value.func.value == "enumerate" and value.args:
            if position == 0:
                return SCALAR
            inner = self.of(value.args[0].value)
            return _part(inner, None) or self._iterated(value.args[0].value)
        if isinstance(value.func, cst.Attribute) and self.of(value.func.value) == FRAME:
            if value.func.attr.value in ("iterrows", "items", "iteritems") and position == 1:
                return SERIES
            if value.func.attr.value in ("items", "iteritems") and position == 0:
                return TEXT
        return None

    def _parameter(self, bound: Parameter) -> Kind | None:
        """From the notebook's calls of the function, else from how the parameter is used."""
        function = bound.function
        kinds: list[Kind | None] = []
        if isinstance(function, cst.FunctionDef):
            for call in self._calls_of(function.name.value):
                given = argument(call, bound.name, bound.position)
                if given is not None:
                    kinds.append(self.of(given.value))
        told = [kind for kind in kinds if kind is not None]
        if told:
            return _common(told)
        if function not in self._frames:
            self._frames[function] = frozenset(_used_as_frames(function))
        return FRAME if bound.name in self._frames[function] else None

    def _calls_of(self, name: str) -> list[cst.Call]:
        if self._calls is None:
            self._calls = {}
            for cell in self._program.cells:
                for node in cell.places:
                    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
                        self._calls.setdefault(node.func.value, []).append(node)
        return self._calls.get(name, [])

    def _call(self, node: cst.Call) -> Kind | None:
        for name in self._program.qualnames(node.func):
            kind = self._function(name, node)
            if kind is not None:
                return kind
        if isinstance(node.func, cst.Attribute):
            receiver = self.of(node.func.value)
            return None if receiver is None else self._method(receiver, node, node.func.attr.value)
        if isinstance(node.func, cst.Name):
            found = self._program.lookup(node.func.value, node.func)
            bound = found.bindings[-1].bound if found.bindings else None
            if isinstance(bound, Defined):
                if isinstance(bound.node, cst.ClassDef):
                    return Kind(f"notebook.{bound.node.name.value}")
                return self._returned(bound.node)
        return None

    def _returned(self, function: cst.FunctionDef) -> Kind | None:
        values = [
            node.value
            for node in descendants(function.body)
            if isinstance(node, cst.Return) and node.value is not None
        ]
        return _common([self.of(value) for value in values])

    def _function(self, name: str, node: cst.Call) -> Kind | None:
        if name in MADE_BY:
            return MADE_BY[name]
        library, _, last = name.rpartition(".")
        if library == "pandas":
            return self._pandas_function(last, node)
        if name.startswith("pandas.DataFrame."):
            return FRAME
        if name in known.MAKES:
            return Kind(known.MAKES[name])
        if name in known.COPIES and node.args:
            return self.of(node.args[0].value)
        if name == "sklearn.model_selection.train_test_split" or name == (
            "sklearn.cross_validation.train_test_split"
        ):
            given = [self.of(arg.value) for arg in node.args if not arg.keyword and not arg.star]
            return Kind("builtins.tuple", tuple(kind for kind in given for _ in range(2)))
        if library == "numpy":
            if last in known.KEEPS_PANDAS and node.args:
                kind = self.of(node.args[0].value)
                return kind if kind in (FRAME, SERIES) else ARRAY
            return SCALAR if last in known.NUMPY_SCALARS else ARRAY
        if library == "builtins":
            if last in ("list", "sorted", "reversed") and node.args:
                inner = self.of(node.args[0].value)
                each = TEXT if inner in (FRAME, INDEX) else None
                return Kind("builtins.list", (each,))
            if last in ("str", "dict", "set", "int", "float", "bool"):
                return Kind(f"builtins.{last}")
            return SCALAR if last in ("len", "max", "min", "sum", "round", "abs") else None
        if last[:1].isupper():
            return Kind(name)
        return None

    def _pandas_function(self, last: str, node: cst.Call) -> Kind | None:
        if last == "read_csv":
            odd = ("chunksize", "iterator", "squeeze")
            return None if any(argument(node, word) for word in odd) else FRAME
        if last in known.FRAME_FUNCTIONS:
            return FRAME
        if last in known.SERIES_FUNCTIONS:
            return SERIES
        if last in ("to_datetime", "to_numeric", "to_timedelta", "cut", "qcut") and node.args:
            return SERIES if self.of(node.args[0].value) == SERIES else None
        if last == "concat" and node.args:
            parts = self.of(node.args[0].value)
            each = parts.each if parts else None
            axis = argument(node, "axis", 1)
            if each == SERIES and axis is None:
                return SERIES
            return FRAME
        if last in ("isnull", "isna", "notnull", "notna") and node.args:
            return self.of(node.args[0].value)
        return Kind(f"pandas.{last}") if last[:1].isupper() else None

    def _method(self, receiver: Kind, node: cst.Call, method: str) -> Kind | None:
        inplace = argument(node, "inplace")
        if inplace is not None and same_literal(inplace.value, True):
            return NONE
        if receiver == FRAME:
            if method in known.GROUPERS:
                return FRAME_GROUPS
            return _BY_NAME.get(known.FRAME_METHODS.get(method, ""))
        if receiver == SERIES:
            if method in known.GROUPERS:
                return SERIES_GROUPS
            if method == "reset_index":
                drop = argument(node, "drop", 1)
                return SERIES if drop and same_literal(drop.value, True) else FRAME
            return _BY_NAME.get(known.SERIES_METHODS.get(method, ""))
        if receiver in (FRAME_GROUPS, SERIES_GROUPS):
            if method in ("size", "ngroup", "cumcount"):
                return SERIES
            if method in known.GROUP_METHODS:
                return FRAME if receiver == FRAME_GROUPS else SERIES
            return None
        if receiver.name in ("pandas.str", "pandas.dt"):
            expand = argument(node, "expand")
            return FRAME if expand and same_literal(expand.value, True) else SERIES
        if receiver == ARRAY:
            return SCALAR if method in known.NUMPY_SCALARS else ARRAY
        if receiver == TEXT:
            return Kind("builtins.list", (TEXT,)) if method == "split" else TEXT
        if receiver.name.split(".")[0] in known.ESTIMATOR_LIBRARIES:
            if method == "fit":
                return receiver
            return ARRAY if method in known.ESTIMATOR_ARRAYS else None
        if method == "copy":
            return receiver
        return None

    def _attribute(self, node: cst.Attribute) -> Kind | None:
        names = self._program.qualnames(node)
        if names:
            return None
        receiver = self.of(node.value)
        name = node.attr.value
        if receiver is not None and (receiver.name, name) in PARTS:
            return PARTS[receiver.name, name]
        if receiver == FRAME:
            if name in ("columns", "index"):
                return INDEX
            if name in ("loc", "iloc", "ix", "at", "iat"):
                return Kind(f"pandas.{name}", (FRAME,))
            if name == "values":
                return ARRAY
            if name == "T":
                return FRAME
            if name == "dtypes":
                return SERIES
            if name in known.FRAME_ATTRIBUTES or self._is_called(node):
                return None
            return None if name in known.FRAME_METHODS else SERIES
        if receiver == SERIES:
            if name in ("loc", "iloc", "ix", "at", "iat"):
                return Kind(f"pandas.{name}", (SERIES,))
            if name in ("str", "dt", "cat"):
                return Kind(f"pandas.{name}")
            if name == "values":
                return ARRAY
            return INDEX if name == "index" else None
        if receiver is None and name in ("str", "dt"):
            return Kind(f"pandas.{name}")
        if receiver is not None and receiver.name == "pandas.dt":
            return SERIES
        if receiver == FRAME_GROUPS and not self._is_called(node):
            return SERIES_GROUPS
        if receiver is None and isinstance(node.value, cst.Name) and node.value.value == "self":
            return self._own_attribute(node)
        return None

    def _own_attribute(self, node: cst.Attribute) -> Kind | None:
        """Kind of `self.model`, from what the class assigns to it."""
        cell, _ = self._program.place(node)
        for above in cell.ancestors(node):
            if not isinstance(above, cst.ClassDef):
                continue
            if above not in self._attributes:
                self._attributes[above] = _assigned_to_self(above)
            values = self._attributes[above].get(node.attr.value, [])
            return _common([self.of(value) for value in values])
        return None

    def _is_called(self, node: cst.Attribute) -> bool:
        _, place = self._program.place(node)
        return isinstance(place.parent, cst.Call) and place.parent.func is node

    def _operation(
        self, node: cst.BinaryOperation | cst.Comparison | cst.UnaryOperation
    ) -> Kind | None:
        if isinstance(node, cst.BinaryOperation):
            kinds = [self.of(node.left), self.of(node.right)]
        elif isinstance(node, cst.Comparison):
            kinds = [self.of(node.left), *(self.of(part.comparator) for part in node.comparisons)]
            if any(isinstance(part.operator, (cst.In, cst.NotIn)) for part in node.comparisons):
                return SCALAR
        else:
            kinds = [self.of(node.expression)]
        if any(kind is not None and kind.name == "builtins.list" for kind in kinds):
            return Kind("builtins.list")
        for kind in (FRAME, SERIES, INDEX, ARRAY):
            if kind in kinds:
                return ARRAY if kind == INDEX else kind
        if kinds and all(kind == TEXT for kind in kinds):
            return TEXT
        return SCALAR if kinds and all(kind == SCALAR for kind in kinds) else None


def _assigned_to_self(owner: cst.ClassDef) -> dict[str, list[cst.BaseExpression]]:
    """What a class assigns to each attribute of its objects."""
    found: dict[str, list[cst.BaseExpression]] = {}
    for node in descendants(owner):
        if isinstance(node, cst.Assign):
            for target in node.targets:
                own, _, name = dotted_name(target.target).partition(".")
                if own == "self" and name:
                    found.setdefault(name, []).append(node.value)
    return found


def _used_as_frames(function: cst.CSTNode) -> Iterator[str]:
    """Names that a function uses as only tables can be used."""
    for node in descendants(function):
        if not isinstance(node, cst.Attribute):
            continue
        base, names = node.value, known.ONLY_FRAMES_HAVE
        if isinstance(base, cst.Subscript):
            index = base.slice[0].slice
            if not isinstance(index, cst.Index) or string(index.value) is None:
                continue
            base, names = base.value, known.ONLY_COLUMNS_HAVE
        if isinstance(base, cst.Name) and node.attr.value in names:
            yield base.value


def _common(kinds: Sequence[Kind | None]) -> Kind | None:
    """The one kind they all have."""
    return kinds[0] if kinds and all(kind == kinds[0] for kind in kinds) else None


def _part(kind: Kind | None, step: int | None) -> Kind | None:
    if kind is None or not kind.items:
        return None
    if step is None:
        return kind.each
    return kind.items[step] if step < len(kind.items) else None
