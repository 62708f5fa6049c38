"""A light inference of the type of an expression: DataFrame, Series, estimator, …

The answer of `Kinds.of` holds on every way through the program: all bindings that may reach a name
agree, all calls of a function pass such an argument. A merely likely type (a parameter with a
column that is filled) is the answer of `Kinds.guess`: enough to report a doubt, not to be certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from mle_modernizer_server.code.calls import facts
from mle_modernizer_server.code.cell_code import (
    Assigned,
    Augmented,
    Binding,
    Defined,
    Parameter,
)
from mle_modernizer_server.code.program import Program, usable
from mle_modernizer_server.code.tree import (
    argument,
    children,
    descendants,
    dotted_name,
    same_literal,
    string,
)
from mle_modernizer_server.code.types import returns
from mle_modernizer_server.code.types.observed import Observed
from mle_modernizer_server.code.types.selection import selected
from mle_modernizer_server.code.types.type import (
    ARRAY,
    FRAME,
    FRAME_GROUPS,
    INDEX,
    LABEL,
    NONE,
    SCALAR,
    SERIES,
    SERIES_GROUPS,
    TEXT,
    Type,
)

_OF_FRAMES = facts("types", "of_frames")
"""Attributes by which a parameter is guessed to be a DataFrame."""
_OF_COLUMNS = facts("types", "of_columns")
"""Attributes of `parameter['column']` by which the parameter is guessed to be a DataFrame."""
_LOCATORS = facts("types", "locators")
_GROUPERS = facts("types", "groupers")
_REDUCTIONS = facts("types", "reductions")
_ARRAY_REDUCTIONS = facts("types", "array_reductions")
_GROUPWISE = facts("types", "groupwise")
_KEEPS_PANDAS = facts("types", "keeps_pandas")
_OTHER_ESTIMATORS = facts("types", "other_estimators")
_ESTIMATOR_ARRAYS = facts("types", "estimator_arrays")
_COPIES = frozenset({"sklearn.base.clone", "copy.copy", "copy.deepcopy"})
_PANDAS_OUTPUT = frozenset({"set_output", "transform_output"})
_LISTS = ("builtins.list", "builtins.tuple")
_MUTATORS = frozenset({"append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse"})
_READERS = {"pandas.read_csv", "pandas.read_table"}
SEARCHES = frozenset(
    f"sklearn.{module}.{name}"
    for module in ("model_selection", "grid_search")
    for name in ("GridSearchCV", "RandomizedSearchCV")
)
"""Classes that fit copies of a model with other parameters."""
_DEEPEST = 200
"""Questions within questions; deeper ones are not answered."""
_MOST_STEPS = 600
"""Limit of one question: names that depend on each other in circles are evaluated repeatedly."""
_CIRCULAR = Type("circular")
"""The answer to a question in progress."""
_PANDAS = (FRAME, SERIES, INDEX)


class TypeInference:
    """Cached answers for one state of a program.

    Args:
        program: The notebook.
        observed: Types of its globals that a run has seen.
        guesses: Whether merely likely types count.
    """

    def __init__(
        self, program: Program, observed: Observed | None = None, *, guesses: bool = False
    ) -> None:
        self._program = program
        self._observed = observed
        self._guesses = guesses
        self._likely = None if guesses else TypeInference(program, observed, guesses=True)
        self._answers: dict[cst.CSTNode, Type | None] = {}
        self._order: list[cst.CSTNode] = []
        self._asking: dict[cst.CSTNode, int] = {}
        self._round = _DEEPEST
        self._steps = 0
        self._attributes: dict[cst.ClassDef, dict[str, list[cst.BaseExpression]]] = {}
        self._frames: dict[cst.CSTNode, frozenset[str]] = {}

    def of(self, node: cst.CSTNode) -> Type | None:
        """Return the type of an expression of the program; None if unknown.

        A name that a loop computes from itself has the type that results from the incoming type,
        provided that this then holds all the way round.
        """
        if node in self._answers:
            return self._answers[node]
        depth = self._asking.get(node)
        if depth is not None:
            self._round = min(self._round, depth)
            return _CIRCULAR
        if not self._asking:
            self._steps = 0
        self._steps += 1
        if len(self._asking) >= _DEEPEST or self._steps > _MOST_STEPS:
            return None
        depth = self._asking[node] = len(self._asking)
        outside, self._round = self._round, _DEEPEST
        try:
            answer = self._infer(node)
            if self._round == depth:
                answer = self._confirmed(node, answer)
        finally:
            del self._asking[node]
            comes_back = self._round
            self._round = min(outside, comes_back if comes_back < depth else _DEEPEST)
        if self._steps > _MOST_STEPS:
            # Dependency cycle too large: these types stay unknown.
            answer, comes_back = None, _DEEPEST
            self._round = outside
        if comes_back >= depth:
            answer = None if answer is _CIRCULAR else answer
            self._answers[node] = answer
            self._order.append(node)
        return answer

    def _confirmed(self, node: cst.CSTNode, answer: Type | None) -> Type | None:
        """Return a type that was found while evaluating itself, if the assumption confirms it."""
        if answer is None or answer is _CIRCULAR:
            return None
        start = len(self._order)
        self._answers[node] = answer
        again = self._infer(node)
        del self._answers[node]
        if again == answer and self._steps <= _MOST_STEPS:
            return answer
        for dependent in self._order[start:]:
            self._answers.pop(dependent, None)
        del self._order[start:]
        return None

    def guess(self, node: cst.CSTNode) -> Type | None:
        """Return the type an expression has, or else the probable one."""
        sure = self.of(node)
        return sure if sure is not None or self._likely is None else self._likely.of(node)

    def _infer(self, node: cst.CSTNode) -> Type | None:
        if isinstance(node, cst.Name):
            return self._name(node)
        if isinstance(node, cst.Call):
            return self._call(node)
        if isinstance(node, cst.Attribute):
            return self._attribute(node)
        if isinstance(node, cst.Subscript):
            receiver = self.of(node.value)
            if receiver is None or receiver is _CIRCULAR:
                return receiver
            return selected(receiver, node.slice, self.of)
        if isinstance(node, (cst.BinaryOperation, cst.Comparison, cst.UnaryOperation)):
            return self._operation(node)
        if isinstance(node, cst.BooleanOperation):
            return _common([self.of(node.left), self.of(node.right)])
        if isinstance(node, cst.IfExp):
            return _common([self.of(node.body), self.of(node.orelse)])
        return self._display(node)

    def _display(self, node: cst.CSTNode) -> Type | None:
        if isinstance(node, cst.SimpleString) and "b" in node.prefix:
            return Type("builtins.bytes")
        if isinstance(node, (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString)):
            return TEXT
        if isinstance(node, (cst.Integer, cst.Float, cst.Imaginary)):
            return SCALAR
        if isinstance(node, (cst.List, cst.Tuple)):
            name = "builtins.list" if isinstance(node, cst.List) else "builtins.tuple"
            if any(isinstance(element, cst.StarredElement) for element in node.elements):
                return Type(name)
            return Type(name, tuple(self.of(element.value) for element in node.elements))
        if isinstance(node, cst.ListComp):
            return Type("builtins.list", (self.of(node.elt),))
        if isinstance(node, (cst.Dict, cst.DictComp)):
            return Type("builtins.dict")
        if isinstance(node, (cst.Set, cst.SetComp)):
            return Type("builtins.set")
        return None

    def _name(self, node: cst.Name) -> Type | None:
        found = self._program.lookup(node.value, node)
        if self._observed is not None and self._observed.cells:
            seen = self._observed.at(self._program, node, found)
            if seen is not None:
                return seen
        inferred = _common([self._bound(binding) for binding in usable(found.bindings)])
        if inferred is not None and inferred.name == "builtins.list" and inferred.items:
            return Type(inferred.name) if self._is_mutated(node.value) else inferred
        return inferred

    def _is_mutated(self, name: str) -> bool:
        """Return whether something of that name has items added or removed anywhere."""
        for use in self._uses_of(name):
            _, place = self._program.place(use)
            above = place.parent
            if isinstance(above, cst.Attribute) and above.attr.value in _MUTATORS:
                return True
            if isinstance(above, (cst.Subscript, cst.AugAssign)):
                _, upper = self._program.place(above)
                if isinstance(upper.parent, (cst.AssignTarget, cst.AugAssign, cst.Del)):
                    return True
                if isinstance(above, cst.AugAssign) and above.target is use:
                    return True
        return False

    def _bound(self, binding: Binding) -> Type | None:
        bound = binding.bound
        if isinstance(bound, Assigned):
            inferred = self.of(bound.value)
            for step in bound.path:
                inferred = _part(inferred, step)
            if inferred is None and bound.path == (None,):
                return self._iterated(bound.value)
            if inferred is None and len(bound.path) == 2 and bound.path[0] is None:
                return self._iterated_pair(bound.value, bound.path[1])
            return inferred
        if isinstance(bound, Augmented):
            return self._augmented(bound.node)
        if isinstance(bound, Parameter):
            return self._parameter(bound)
        return None

    def _augmented(self, node: cst.AugAssign) -> Type | None:
        if isinstance(node.operator, cst.MatrixMultiplyAssign):
            return None
        target = self.of(node.target)
        if target is None and not self._guesses:
            return None  # an object of a class of the user's own may be unchanged
        return self._combined([target, self.of(node.value)])

    def _iterated(self, value: cst.BaseExpression) -> Type | None:
        """Return the type of a loop variable over anything but a list of known things."""
        if isinstance(value, cst.Call) and self._program.qualnames(value.func) == (
            "builtins.range",
        ):
            return SCALAR
        if self._reads_in_chunks(value):
            return FRAME
        return LABEL if self.of(value) in (FRAME, INDEX) else None

    def _reads_in_chunks(self, value: cst.BaseExpression) -> bool:
        """Return whether it is `pd.read_csv(f, chunksize=1000)`, or a name for it."""
        if isinstance(value, cst.Name):
            bounds = [one.bound for one in self._program.lookup(value.value, value).bindings]
            return bool(bounds) and all(
                isinstance(bound, Assigned)
                and not bound.path
                and isinstance(bound.value, cst.Call)
                and self._reads_in_chunks(bound.value)
                for bound in bounds
            )
        return (
            isinstance(value, cst.Call)
            and bool(_READERS & set(self._program.qualnames(value.func)))
            and argument(value, "chunksize") is not None
        )

    def _iterated_pair(self, value: cst.BaseExpression, position: int | None) -> Type | None:
        """Return the type of one of two loop variables: `enumerate`, `iterrows`, `items`."""
        if not isinstance(value, cst.Call):
            return None
        if self._program.qualnames(value.func) == ("builtins.enumerate",) and value.args:
            if position == 0:
                return SCALAR
            inner = self.of(value.args[0].value)
            return _part(inner, None) or self._iterated(value.args[0].value)
        if (
            isinstance(value.func, cst.Attribute)
            and value.func.attr.value in ("iterrows", "items", "iteritems")
            and self.of(value.func.value) == FRAME
        ):
            return LABEL if position == 0 else SERIES if position == 1 else None
        return None

    def _parameter(self, bound: Parameter) -> Type | None:
        """Return the type from the calls of the function, or a guess from the parameter's use."""
        function = bound.function
        candidates = self._given(bound) if isinstance(function, cst.FunctionDef) else [None]
        sure = _common(candidates)
        if sure is not None or not self._guesses:
            return sure
        told = [inferred for inferred in candidates if inferred is not None]
        if told:
            return _common(told)
        if function not in self._frames:
            self._frames[function] = frozenset(_used_as_frames(function))
        return FRAME if bound.name in self._frames[function] else None

    def _given(self, bound: Parameter) -> list[Type | None]:
        """Return the types of the arguments for a parameter; one None if unknown.

        They are known if the function is only called: not decorated, not passed on.
        """
        function = bound.function
        assert isinstance(function, cst.FunctionDef)
        _, place = self._program.place(function)
        if function.decorators or isinstance(place.scope.owner, cst.ClassDef):
            return [None]
        candidates: list[Type | None] = []
        for use in self._uses_of(function.name.value):
            _, here = self._program.place(use)
            if isinstance(here.parent, (cst.FunctionDef, cst.ClassDef)):
                continue  # defines it, or another one of that name
            meant = self._program.lookup(use.value, use).bindings
            if not any(
                isinstance(one.bound, Defined) and one.bound.node is function for one in meant
            ):
                continue
            call = here.parent
            if not isinstance(call, cst.Call) or call.func is not use:
                candidates.append(None)
                continue
            arg = argument(call, bound.name, bound.position)
            if arg is not None:
                if not self._is_passed_on(arg.value, bound):
                    candidates.append(self.of(arg.value))
            elif any(one.star for one in call.args):
                candidates.append(None)
            else:
                spec = function.params
                listed = (*spec.posonly_params, *spec.params, *spec.kwonly_params)
                default = listed[bound.position].default
                candidates.append(None if default is None else self.of(default))
        return candidates or [None]

    def _is_passed_on(self, value: cst.BaseExpression, bound: Parameter) -> bool:
        """Return whether a function calls itself with its own parameter."""
        if not isinstance(value, cst.Name) or value.value != bound.name:
            return False
        bindings = self._program.lookup(value.value, value).bindings
        return bool(bindings) and all(
            isinstance(one.bound, Parameter) and one.bound.function is bound.function
            for one in bindings
        )

    def _uses_of(self, name: str) -> list[cst.Name]:
        return [
            use
            for cell in self._program.cells
            for use in cell.uses_of([name])
            if not isinstance(parent := self._program.place(use)[1].parent, (cst.Param, cst.Arg))
            or (isinstance(parent, cst.Arg) and parent.value is use)
            if not (isinstance(parent, cst.Attribute) and parent.attr is use)
        ]

    def _call(self, node: cst.Call) -> Type | None:
        for name in self._program.qualnames(node.func):
            inferred = self._function(name, node)
            if inferred is not None:
                return inferred
        if isinstance(node.func, cst.Attribute):
            receiver = self.of(node.func.value)
            if receiver is None or receiver is _CIRCULAR:
                return receiver
            return self._method(receiver, node, node.func.attr.value)
        if isinstance(node.func, cst.Name):
            found = self._program.lookup(node.func.value, node.func)
            return _common([self._made(binding) for binding in found.bindings])
        return None

    def _made(self, binding: Binding) -> Type | None:
        """Return the type of the result of a function or class of the notebook."""
        if not isinstance(binding.bound, Defined):
            return None
        node = binding.bound.node
        if isinstance(node, cst.FunctionDef):
            return self._returned(node)
        makes = any(
            isinstance(part, cst.FunctionDef) and part.name.value == "__new__"
            for part in node.body.body
        )
        return None if makes else Type(f"notebook.{node.name.value}")

    def _returned(self, function: cst.FunctionDef) -> Type | None:
        if function.decorators or function.asynchronous is not None:
            return None
        own = tuple(_own_code(function))
        if any(isinstance(node, cst.Yield) for node in own):
            return None
        returns = [node for node in own if isinstance(node, cst.Return)]
        return _common([None if one.value is None else self.of(one.value) for one in returns])

    def _function(self, name: str, node: cst.Call) -> Type | None:
        if (made := returns.of_other_library(name)) is not None:
            return made
        library, _, last = name.rpartition(".")
        if library == "pandas":
            return self._pandas_function(name, node)
        if name.startswith("pandas.DataFrame."):
            return FRAME
        if name in _COPIES and node.args:
            return self.of(node.args[0].value)
        if name in (
            "sklearn.model_selection.train_test_split",
            "sklearn.cross_validation.train_test_split",
        ):
            given = [self.of(arg.value) for arg in node.args if not arg.keyword and not arg.star]
            if any(arg.star for arg in node.args):
                return None
            return Type("builtins.tuple", tuple(inferred for inferred in given for _ in range(2)))
        if library == "numpy":
            return self._numpy_function(last, node)
        if library == "builtins":
            return self._builtin(last, node)
        return Type(name) if last[:1].isupper() else None

    def _builtin(self, last: str, node: cst.Call) -> Type | None:
        if last in ("list", "sorted", "reversed") and node.args:
            inner = self.of(node.args[0].value)
            return Type("builtins.list", (LABEL if inner in (FRAME, INDEX) else None,))
        if last in ("str", "dict", "set"):
            return Type(f"builtins.{last}")
        if last in ("len", "int", "float", "bool"):
            return SCALAR
        return None

    def _numpy_function(self, last: str, node: cst.Call) -> Type | None:
        first = self.of(node.args[0].value) if node.args else None
        if returns.is_ufunc(last) or last in _KEEPS_PANDAS:
            candidates = [self.of(arg.value) for arg in node.args if arg.keyword is None]
            return self._combined(candidates)
        if last in _ARRAY_REDUCTIONS and (argument(node, "axis", 1) is None or self._guesses):
            return SCALAR if first in (SERIES, INDEX, ARRAY) or _is_list(first) else None
        if returns.hands_over(last) and not (first == ARRAY or _is_list(first) or self._guesses):
            return None
        return returns.of_function(f"numpy.{last}", node, self._guesses)

    def _pandas_function(self, name: str, node: cst.Call) -> Type | None:
        last = name.rpartition(".")[2]
        if last in ("DataFrame", "Series", "Index"):
            return Type(name)
        first = self.of(node.args[0].value) if node.args else None
        if last in ("read_csv", "read_table"):
            odd = ("chunksize", "iterator", "squeeze")
            return None if any(argument(node, word) for word in odd) else FRAME
        if last in ("to_datetime", "to_numeric", "to_timedelta", "cut", "qcut"):
            return SERIES if first == SERIES and argument(node, "retbins", None) is None else None
        if last == "concat":
            return self._concatenated(first, node)
        if last in ("isnull", "isna", "notnull", "notna"):
            return first if first in (FRAME, SERIES) else None
        if last == "value_counts":
            return SERIES
        given = returns.of_function(name, node, self._guesses)
        return given or (Type(name) if last[:1].isupper() else None)

    def _concatenated(self, parts: Type | None, node: cst.Call) -> Type | None:
        """Return the type of `concat`: a table, except for Series one below the other."""
        axis = argument(node, "axis", 1)
        if axis is not None and (
            same_literal(axis.value, 1) or same_literal(axis.value, "columns")
        ):
            return FRAME
        if parts is _CIRCULAR:
            return parts
        candidates = parts.items if parts is not None else ()
        if FRAME in candidates:
            return FRAME
        if candidates and all(inferred == SERIES for inferred in candidates):
            return SERIES if axis is None else None
        return FRAME if self._guesses else None

    def _method(self, receiver: Type, node: cst.Call, method: str) -> Type | None:
        inplace = argument(node, "inplace")
        if inplace is not None and receiver in (FRAME, SERIES):
            if same_literal(inplace.value, True):
                return NONE
            if not same_literal(inplace.value, False) and not self._guesses:
                return None
        if receiver in (FRAME, SERIES) and method in _GROUPERS:
            return FRAME_GROUPS if receiver == FRAME else SERIES_GROUPS
        if receiver == SERIES and method in _REDUCTIONS:
            return None if argument(node, "level") else SCALAR
        if receiver == FRAME and method == "quantile":
            share = argument(node, "q", 0)
            if share is None or isinstance(share.value, (cst.Float, cst.Integer)):
                return SERIES  # a DataFrame only for several quantiles
        if receiver in (*_PANDAS, FRAME_GROUPS, SERIES_GROUPS):
            return self._of_pandas(receiver, node, method)
        if receiver.name in ("pandas.str", "pandas.dt"):
            expand = argument(node, "expand")
            return FRAME if expand and same_literal(expand.value, True) else SERIES
        if receiver == ARRAY:
            return self._of_array(node, method)
        if receiver == TEXT:
            return Type("builtins.list", (TEXT,)) if method == "split" else TEXT
        return self._of_estimator(receiver, node, method)

    def _of_array(self, node: cst.Call, method: str) -> Type | None:
        if method in _ARRAY_REDUCTIONS:
            return SCALAR if argument(node, "axis", 0) is None else None
        return returns.of_method(ARRAY, method, node, self._guesses)

    def _of_pandas(self, receiver: Type, node: cst.Call, method: str) -> Type | None:
        if receiver in (FRAME_GROUPS, SERIES_GROUPS):
            if method in ("size", "ngroup", "cumcount"):
                return SERIES
            if receiver == SERIES_GROUPS and _keeps_keys(node.func):
                return None
            if self._guesses and method in _GROUPWISE:
                return FRAME if receiver == FRAME_GROUPS else SERIES
            if method in ("agg", "aggregate") and receiver == SERIES_GROUPS:
                how = self.of(node.args[0].value) if node.args else None
                return SERIES if how == TEXT else FRAME if _is_list(how) else None
        return returns.of_method(receiver, method, node, self._guesses)

    def _of_estimator(self, receiver: Type, node: cst.Call, method: str) -> Type | None:
        library = receiver.name.split(".")[0]
        if library == "sklearn":
            given = returns.of_method(receiver, method, node)
            if given == ARRAY and "transform" in method and not self._gives_arrays():
                return None
            if method == "fit" and given is None:
                return receiver
            return given
        if library in _OTHER_ESTIMATORS:
            if method == "fit":
                return receiver
            return ARRAY if method in _ESTIMATOR_ARRAYS else None
        return None

    def _gives_arrays(self) -> bool:
        """Return whether transformers return arrays: nothing in the notebook requests tables."""
        return not any(cell.uses_of(_PANDAS_OUTPUT) for cell in self._program.cells)

    def _attribute(self, node: cst.Attribute) -> Type | None:
        names = self._program.qualnames(node)
        if names:
            return None
        receiver = self.of(node.value)
        name = node.attr.value
        if receiver is None:
            if name in ("str", "dt") and self._guesses:
                return Type(f"pandas.{name}")
            if isinstance(node.value, cst.Name) and node.value.value == "self":
                return self._own_attribute(node)
            return None
        if receiver is _CIRCULAR:
            return receiver
        part = returns.of_other_library(f"{receiver.name}.{name}")
        if part is not None:
            return part
        if receiver == FRAME:
            return self._of_frame(node, name)
        if receiver == SERIES:
            return self._of_series(name)
        if receiver == INDEX and name in ("str", "values"):
            return Type("pandas.index.str") if name == "str" else ARRAY
        if receiver.name == "pandas.dt":
            return SERIES
        if receiver == FRAME_GROUPS and not self._is_called(node):
            return None if returns.has(FRAME_GROUPS, name) else SERIES_GROUPS
        best = name == "best_estimator_" and receiver.name in SEARCHES
        return self.searched(node.value) if best else None

    def searched(
        self, search: cst.BaseExpression, asked: set[cst.CSTNode] | None = None
    ) -> Type | None:
        """Return the type of the model in a search, which is that of the best one it finds.

        Args:
            asked: Names in progress: an object computed from itself stays unknown.
        """
        asked = set() if asked is None else asked
        if isinstance(search, cst.Name):
            if search in asked:
                return None
            asked.add(search)
            bounds = [one.bound for one in self._program.lookup(search.value, search).bindings]
            return _common(
                [
                    self.searched(bound.value, asked)
                    if isinstance(bound, Assigned) and not bound.path and bound.value is not search
                    else None
                    for bound in bounds
                ]
            )
        if not isinstance(search, cst.Call):
            return None
        if set(self._program.qualnames(search.func)) & SEARCHES:
            given = argument(search, "estimator", 0)
            return None if given is None else self.of(given.value)
        if not isinstance(search.func, cst.Attribute) or search.func.attr.value != "fit":
            return None
        return self.searched(search.func.value, asked)

    def _of_series(self, name: str) -> Type | None:
        if name in _LOCATORS:
            return Type(f"pandas.{name}", (SERIES,))
        if name in ("str", "dt", "cat"):
            return Type(f"pandas.{name}")
        if name == "values":
            return ARRAY
        return INDEX if name == "index" else None

    def _of_frame(self, node: cst.Attribute, name: str) -> Type | None:
        if name in _LOCATORS:
            return Type(f"pandas.{name}", (FRAME,))
        if name in ("columns", "index"):
            return INDEX
        if name == "values":
            return ARRAY
        if returns.has(FRAME, name) or self._is_called(node):
            return returns.of_attribute(FRAME, name)
        return SERIES

    def _own_attribute(self, node: cst.Attribute) -> Type | None:
        """Return the type of `self.model`, from its assignments in the notebook."""
        cell, _ = self._program.place(node)
        for above in cell.ancestors(node):
            if not isinstance(above, cst.ClassDef):
                continue
            if above.bases and not self._guesses:
                return None  # another class may assign it as well
            if above not in self._attributes:
                self._attributes[above] = _assigned_to_self(above)
            values = list(self._attributes[above].get(node.attr.value, ()))
            values += self._assigned_from_outside(node.attr.value)
            return _common([self.of(value) for value in values])
        return None

    def _assigned_from_outside(self, name: str) -> Iterator[cst.BaseExpression]:
        """Yield the values assigned to an attribute of that name of other objects than `self`."""
        for cell in self._program.cells:
            for node in cell.nodes(cst.Assign):
                for target in node.targets:
                    owner = target.target
                    if (
                        isinstance(owner, cst.Attribute)
                        and owner.attr.value == name
                        and dotted_name(owner.value) != "self"
                    ):
                        yield node.value

    def _is_called(self, node: cst.Attribute) -> bool:
        _, place = self._program.place(node)
        return isinstance(place.parent, cst.Call) and place.parent.func is node

    def _operation(
        self, node: cst.BinaryOperation | cst.Comparison | cst.UnaryOperation
    ) -> Type | None:
        if isinstance(node, cst.BinaryOperation):
            if isinstance(node.operator, cst.MatrixMultiply):
                return None
            if isinstance(node.operator, cst.Modulo) and self.of(node.left) == TEXT:
                return TEXT
            return self._combined([self.of(node.left), self.of(node.right)])
        if isinstance(node, cst.UnaryOperation):
            return SCALAR if isinstance(node.operator, cst.Not) else self.of(node.expression)
        candidates = [self.of(node.left), *(self.of(part.comparator) for part in node.comparisons)]
        if any(
            isinstance(part.operator, (cst.In, cst.NotIn, cst.Is, cst.IsNot))
            for part in node.comparisons
        ):
            return SCALAR
        combined = self._combined(candidates)
        return SCALAR if combined == TEXT or _is_list(combined) else combined

    def _combined(self, candidates: Sequence[Type | None]) -> Type | None:
        """Return the type of an operator's result for these operands, element by element."""
        candidates = [
            inferred for inferred in candidates if inferred is not _CIRCULAR
        ] or candidates
        if any(
            inferred is not None and inferred.name.startswith("notebook.")
            for inferred in candidates
        ):
            return None
        if FRAME in candidates:
            return FRAME
        unknown = None in candidates and not self._guesses
        if not candidates or unknown:
            return None
        if SERIES in candidates:
            return SERIES
        if INDEX in candidates or ARRAY in candidates:
            return ARRAY
        for inferred in candidates:
            if inferred is not None and _is_list(inferred):
                return Type(inferred.name)
        common = _common(candidates)
        return common if common in (TEXT, SCALAR, _CIRCULAR) else None


def _keeps_keys(node: cst.CSTNode) -> bool:
    """Return whether groups have `as_index=False`: then the result contains their keys."""
    while isinstance(node, (cst.Attribute, cst.Subscript, cst.Call)):
        if isinstance(node, cst.Call):
            keeps = argument(node, "as_index")
            if keeps is not None and not same_literal(keeps.value, True):
                return True
        node = node.func if isinstance(node, cst.Call) else node.value
    return False


def _own_code(function: cst.FunctionDef) -> Iterator[cst.CSTNode]:
    """Yield everything in a function but the functions and classes in it."""
    waiting: list[cst.CSTNode] = [function.body]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(
            child
            for child in children(node)
            if not isinstance(child, (cst.FunctionDef, cst.Lambda, cst.ClassDef))
        )


def _assigned_to_self(owner: cst.ClassDef) -> dict[str, list[cst.BaseExpression]]:
    """Return the values that a class assigns to each attribute of its objects."""
    found: dict[str, list[cst.BaseExpression]] = {}
    for node in descendants(owner):
        if isinstance(node, cst.Assign):
            for target in node.targets:
                own, _, name = dotted_name(target.target).partition(".")
                if own == "self" and name:
                    found.setdefault(name, []).append(node.value)
    return found


def _used_as_frames(function: cst.CSTNode) -> Iterator[str]:
    """Return the names that a function uses as tables are used mostly."""
    for node in descendants(function):
        if not isinstance(node, cst.Attribute):
            continue
        base, names = node.value, _OF_FRAMES
        if isinstance(base, cst.Subscript):
            index = base.slice[0].slice
            if not isinstance(index, cst.Index) or string(index.value) is None:
                continue
            base, names = base.value, _OF_COLUMNS
        if isinstance(base, cst.Name) and node.attr.value in names:
            yield base.value


def _common(candidates: Sequence[Type | None]) -> Type | None:
    """Return the one type they all have."""
    candidates = [inferred for inferred in candidates if inferred is not _CIRCULAR] or candidates
    return candidates[0] if len(set(candidates)) == 1 else None


def _is_list(inferred: Type | None) -> bool:
    return inferred is not None and inferred.name in _LISTS


def _part(inferred: Type | None, step: int | None) -> Type | None:
    if inferred is _CIRCULAR:
        return inferred
    if inferred is None or not inferred.items:
        return None
    if step is None:
        return inferred.each
    return inferred.items[step] if step < len(inferred.items) else None
