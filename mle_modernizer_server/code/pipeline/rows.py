"""The tables whose rows an expression contains, and its columns that reveal the target.

Only certain facts count: a selection of rows from training and test data together contains
unknown rows, and columns chosen by an expression may be any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from mle_modernizer_server.code import calls
from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.pipeline.origins import part
from mle_modernizer_server.code.pipeline.pipeline import Pipeline, Place
from mle_modernizer_server.code.pipeline.statements import root_name
from mle_modernizer_server.code.tree import argument, descendants, literal, string

NOTHING: frozenset[str] = frozenset()
TRAIN, TEST = "train", "test"
_DEEPEST = 20
_JOINS = frozenset(
    {"pandas.concat", *(f"numpy.{name}" for name in ("concatenate", "vstack", "append"))}
)
_NO_ROWS = frozenset({"columns", "shape", "dtypes", "index", "size"})
_TAKES_ROWS = frozenset(
    {
        *("pandas.DataFrame", "pandas.get_dummies", "numpy.array", "numpy.asarray"),
        *("sklearn.preprocessing.scale", "sklearn.model_selection.train_test_split"),
    }
)


class Rows:
    """Answers for one notebook.

    Args:
        pipeline: The analysis of its code.
        targets: Columns to predict.
    """

    def __init__(self, pipeline: Pipeline, targets: Sequence[str]) -> None:
        self._pipeline = pipeline
        self.targets = frozenset(targets)
        self._tables = pipeline.tables

    def values(self, node: cst.CSTNode) -> list[tuple[cst.BaseExpression, bool]]:
        """Return the possible values of a name, each with whether it is the whole of that value.

        Anything but a name is itself.
        """
        if not isinstance(node, cst.Name):
            return [(node, True)] if isinstance(node, cst.BaseExpression) else []
        found = self._pipeline.program.lookup(node.value, node).bindings
        return [
            self._part(one.bound)
            for one in found
            if isinstance(one.bound, Assigned) and None not in one.bound.path
        ]

    def _part(self, bound: Assigned) -> tuple[cst.BaseExpression, bool]:
        """Return the bound expression, and whether the name gets all of it."""
        value, path = part(bound)
        assert value is not None
        at = path[0] if path else None
        if (
            at is not None
            and isinstance(value, cst.Call)
            and at // 2 < len(value.args)
            and self._pipeline.address(value.func) == "sklearn.model_selection.train_test_split"
        ):
            return value.args[at // 2].value, False  # some of the rows
        return value, not path

    def of(self, node: cst.CSTNode, depth: int = _DEEPEST) -> frozenset[str]:
        """Return the tables (`train`, `test`) whose rows the expression certainly contains."""
        if depth == 0:
            return NOTHING
        if isinstance(node, cst.Name):
            if node.value in self._tables[TRAIN] and node.value not in self._tables[TEST]:
                reads = {TRAIN}
            elif node.value in self._tables[TEST] and node.value not in self._tables[TRAIN]:
                reads = {TEST}
            else:
                reads = set()
            known = [
                self.of(value, depth - 1)
                for value, whole in self.values(node)
                if whole or not isinstance(value, cst.Call)  # not one of several results
            ]
            return frozenset(reads).union(*known)
        if isinstance(node, cst.Attribute):
            return NOTHING if node.attr.value in _NO_ROWS else self.of(node.value, depth - 1)
        if isinstance(node, cst.Subscript):
            held = self.of(node.value, depth - 1)
            return held if len(held) < 2 or self._is_of_columns(node) else NOTHING
        if isinstance(node, cst.BinaryOperation):
            held = self.of(node.left, depth - 1)
            joins = isinstance(node.operator, cst.Add) and self._is_listed(node.left)
            return held | self.of(node.right, depth - 1) if joins else held
        if isinstance(node, (cst.List, cst.Tuple)):
            return NOTHING.union(*(self.of(one.value, depth - 1) for one in node.elements))
        return self._of_call(node, depth) if isinstance(node, cst.Call) else NOTHING

    def _is_listed(self, node: cst.BaseExpression) -> bool:
        """Return whether `+` appends to an expression: `list(a)`, `a.tolist()`, `[a]`."""
        if isinstance(node, cst.BinaryOperation):
            return isinstance(node.operator, cst.Add) and self._is_listed(node.left)
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            return node.func.attr.value == "tolist"
        if isinstance(node, cst.Call):
            return self._pipeline.address(node.func) == "builtins.list"
        return isinstance(node, cst.List)

    def _of_call(self, node: cst.Call, depth: int) -> frozenset[str]:
        address = self._pipeline.address(node.func)
        given = [arg.value for arg in node.args if arg.keyword is None and not arg.star]
        if address in _JOINS:
            return NOTHING.union(*(self.of(one, depth - 1) for one in given))
        if address.startswith(("pandas.read_",)):
            return NOTHING  # by its name, if it has one
        if isinstance(node.func, cst.Attribute) and not address:
            method, receiver = node.func.attr.value, node.func.value
            if method in calls.TRANSFORMERS:
                return self.of(given[0], depth - 1) if given else NOTHING
            if method in calls.NO_ROWS:
                return NOTHING
            held = self.of(receiver, depth - 1)
            if method == "append":
                return held.union(*(self.of(one, depth - 1) for one in given))
            return NOTHING if method in calls.CHOOSERS and len(held) > 1 else held
        if address in _TAKES_ROWS or len(given) == 1:
            return self.of(given[0], depth - 1) if given else NOTHING
        return NOTHING

    def _is_of_columns(self, node: cst.Subscript) -> bool:
        """Return whether a subscript chooses columns of all rows, and not rows."""
        first = node.slice[0].slice
        if len(node.slice) == 2:
            return isinstance(first, cst.Slice) and first.lower is None and first.upper is None
        if not isinstance(first, cst.Index) or self._chooses_rows(node.value):
            return False
        return self.names(first.value) is not None or self._lists_columns(first.value)

    def _lists_columns(self, node: cst.BaseExpression, depth: int = _DEEPEST) -> bool:
        """Return whether it lists column names: `a.columns`, `[c for c in a.columns if …]`."""
        if depth == 0:
            return False
        if isinstance(node, cst.Name):
            bound = self.values(node)
            return bool(bound) and all(
                whole and value is not node and self._lists_columns(value, depth - 1)
                for value, whole in bound
            )
        if isinstance(node, cst.Attribute):
            of_types = node.attr.value == "index" and any(
                isinstance(one, cst.Attribute) and one.attr.value == "dtypes"
                for one in descendants(node.value)
            )
            return node.attr.value == "columns" or of_types
        if isinstance(node, (cst.Subscript, cst.BinaryOperation)):
            inner = node.value if isinstance(node, cst.Subscript) else node.left
            return self._lists_columns(inner, depth - 1)
        if isinstance(node, cst.ListComp):
            return self._lists_columns(node.for_in.iter, depth - 1) and is_loop_variable(node)
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            return self._lists_columns(node.func.value, depth - 1)
        if isinstance(node, cst.Call) and len(node.args) == 1:
            return self._lists_columns(node.args[0].value, depth - 1)
        return False

    def _chooses_rows(self, node: cst.BaseExpression) -> bool:
        return isinstance(node, cst.Attribute) and node.attr.value in calls.CHOOSERS

    def names(self, node: cst.BaseExpression) -> frozenset[str] | None:
        """Return the column names an expression lists; None if unknown."""
        for value, whole in self.values(node):
            text = string(value)
            if text is not None and whole:
                return frozenset({text})
            listed = literal(value) if whole else NotImplemented
            if isinstance(listed, (list, tuple)) and all(isinstance(one, str) for one in listed):
                return frozenset(listed) if len(self.values(node)) == 1 else None
        return None

    def telling(
        self, node: cst.CSTNode, made: Mapping[str, Place], at: Place, depth: int = _DEEPEST
    ) -> frozenset[str]:
        """Return the columns of a feature expression that certainly reveal the target.

        Args:
            node: The features.
            made: Columns of the training data computed from the target, each with its place.
            at: Place of the expression's evaluation.
            depth: Levels of names still to follow.
        """
        if depth == 0:
            return NOTHING
        if isinstance(node, cst.Name):
            # A name with several values certainly contains only the columns common to all of them.
            held = [
                self.telling(value, made, self._evaluated(value, at), depth - 1)
                for value, _ in self.values(node)
            ]
            return frozenset.intersection(*held) if held and not self._shrinks(node) else NOTHING
        if isinstance(node, cst.Attribute):
            kept = node.attr.value in ("values", "T")
            return self.telling(node.value, made, at, depth - 1) if kept else NOTHING
        if isinstance(node, cst.Subscript):
            return self._telling_columns(node, made, depth)
        return self._telling_call(node, made, at, depth) if isinstance(node, cst.Call) else NOTHING

    def _evaluated(self, value: cst.BaseExpression, at: Place) -> Place:
        """Return the place that decides a value's columns; a table's alias still gets new ones."""
        if isinstance(value, cst.Name) or self._pipeline.role(value):
            return at
        return self._pipeline.place(value)

    def _telling_columns(
        self, node: cst.Subscript, made: Mapping[str, Place], depth: int
    ) -> frozenset[str]:
        if len(node.slice) > 1 or not isinstance(chosen := node.slice[0].slice, cst.Index):
            return NOTHING
        names = self.names(chosen.value)
        if names is not None and TRAIN in self.of(node.value):
            return names & (self.targets | frozenset(made))
        left = self._left_out(chosen.value)
        if left is None:
            return NOTHING
        comprehension, excluded = left
        source = comprehension.for_in.iter
        assert isinstance(source, cst.Attribute)
        place = self._pipeline.place(comprehension)
        return self.telling(source.value, made, place, depth - 1) - excluded

    def _left_out(self, node: cst.BaseExpression) -> tuple[cst.ListComp, frozenset[str]] | None:
        """Return the names that `[c for c in train.columns if c not in [...]]` leaves out."""
        bound = self.values(node)
        value, whole = bound[0] if len(bound) == 1 else (node, False)
        if not isinstance(value, cst.ListComp) or not whole or not is_loop_variable(value):
            return None
        source = value.for_in.iter
        if not isinstance(source, cst.Attribute) or source.attr.value != "columns":
            return None
        excluded: frozenset[str] = frozenset()
        for condition in value.for_in.ifs:
            names = self._excluded(condition.test)
            if names is None:
                return None
            excluded |= names
        return value, excluded

    def _excluded(self, node: cst.BaseExpression) -> frozenset[str] | None:
        """Return the names of `c != 'a'` and `c not in ['a']`; None for any other condition."""
        if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.And):
            left, right = self._excluded(node.left), self._excluded(node.right)
            return None if left is None or right is None else left | right
        if not isinstance(node, cst.Comparison) or len(node.comparisons) != 1:
            return None
        compared = node.comparisons[0]
        if isinstance(compared.operator, (cst.NotEqual, cst.NotIn)):
            return self.names(compared.comparator)
        return None

    def _telling_call(
        self, node: cst.Call, made: Mapping[str, Place], at: Place, depth: int
    ) -> frozenset[str]:
        given = [arg.value for arg in node.args if arg.keyword is None and not arg.star]
        address = self._pipeline.address(node.func)
        if self._pipeline.role(node) == TRAIN:
            return self.targets | {name for name, place in made.items() if place < at}
        if address in _TAKES_ROWS:
            return self.telling(given[0], made, at, depth - 1) if given else NOTHING
        if address or not isinstance(node.func, cst.Attribute):
            return NOTHING
        method = node.func.attr.value
        if method in calls.TRANSFORMERS:
            return self.telling(given[0], made, at, depth - 1) if given else NOTHING
        if method == "drop":
            dropped = argument(node, "columns") or argument(node, "labels", 0)
            names = None if dropped is None else self.names(dropped.value)
            held = self.telling(node.func.value, made, at, depth - 1)
            return NOTHING if names is None else held - names
        kept = method in calls.SAME_COLUMNS
        return self.telling(node.func.value, made, at, depth - 1) if kept else NOTHING

    def _shrinks(self, node: cst.Name) -> bool:
        """Return whether columns are removed from a name's value, anywhere in the notebook."""
        for statement in self._pipeline.statements:
            if isinstance(statement.node, cst.Del) and node.value in statement.uses:
                return True
            for one in statement.nodes():
                if (
                    isinstance(one, cst.Call)
                    and isinstance(one.func, cst.Attribute)
                    and root_name(one.func.value) == node.value
                    and (
                        one.func.attr.value == "pop"
                        or (one.func.attr.value == "drop" and argument(one, "inplace") is not None)
                    )
                ):
                    return True
        return False


def is_loop_variable(node: cst.ListComp) -> bool:
    """Return whether a comprehension lists its own loop variable: `[c for c in …]`."""
    target = node.for_in.target
    plain = isinstance(node.elt, cst.Name) and isinstance(target, cst.Name)
    return plain and node.for_in.inner_for_in is None and node.elt.deep_equals(target)
