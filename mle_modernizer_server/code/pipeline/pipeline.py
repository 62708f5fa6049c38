"""A notebook's models, tables and target, as far as its code shows them.

A model is a call whose value is fitted and asked for predictions, by any name, in a list or dict,
in a loop or in a function. Its class is one of scikit-learn's, or named as a classifier or
regressor. A use that is not understood is noted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.pipeline.estimators import (
    ESTIMATORS,
    GRIDS,
    SPARSE_MAKERS,
    WRAPPERS,
    Estimator,
    named_estimator,
)
from mle_modernizer_server.code.pipeline.origins import Origins, function_of, part
from mle_modernizer_server.code.pipeline.statements import Statement, Statements
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import argument, descendants, method_name, same_literal, string
from mle_modernizer_server.code.types.inference import TypeInference
from mle_modernizer_server.domain.notebook import Notebook

_READERS = frozenset({"pandas.read_csv", "pandas.read_table", "pandas.read_parquet"})
_TRAIN, _TEST = re.compile(r"train", re.IGNORECASE), re.compile(r"test", re.IGNORECASE)
_BETWEEN = (cst.Arg, cst.Element, cst.Tuple, cst.List, cst.ListComp)
_VALUES = (cst.Name, cst.Call, cst.Subscript, cst.Attribute)
_HOLDING = (cst.Element, cst.DictElement)
_TAKING_ELEMENTS = (cst.For, cst.CompFor, cst.Subscript, cst.Assign, cst.AssignTarget)
_OF_CONTAINERS = frozenset({"append", "items", "values", "keys"})
_ITERATING = frozenset(f"builtins.{name}" for name in ("zip", "enumerate", "len", "print"))
_OF_SEARCHES = frozenset({"best_params_", "best_score_", "cv_results_", "best_index_"})
_ASKED = frozenset({"fit", "predict", "predict_proba", "score"})
_LOOKED_AT = frozenset(
    {
        "builtins.print",
        "builtins.display",
        *(f"sklearn.model_selection.{name}" for name in ("cross_val_score", "cross_validate")),
        "sklearn.model_selection.cross_val_predict",
    }
)
_PREDICTS = frozenset({"predict", "predict_proba"})


Place = tuple[int, int]
"""Position of a node: its cell, and its place there; later ones are larger."""


@dataclass(frozen=True)
class Model:
    """A model that is fitted and predicts.

    Attributes:
        cell: Place of its construction.
        estimator: Its class.
        core: The call that constructs the estimator itself.
        outer: The call whose value is fitted: the same, or a pipeline or the like around it.
        grid: The parameters that a search around it tries; None without a search.
        wrappers: Addresses of what stands around it, from the inside.
        fits: Calls of `fit`: often on a split, to score it, then on all rows. The last before the
            submitted prediction makes the submitted model; a model in its place has to take all.
        predictions: Calls of `predict` and `predict_proba`.
        others: Other attributes and functions it is used with; `?` for a use that is not read.
    """

    cell: CellCode
    estimator: Estimator
    core: cst.Call
    outer: cst.Call
    grid: cst.Arg | None
    wrappers: tuple[str, ...]
    fits: tuple[cst.Call, ...]
    predictions: tuple[cst.Call, ...]
    others: frozenset[str]

    @property
    def is_replaceable(self) -> bool:
        """Return whether its use is limited to the methods of every estimator, or search."""
        return not self.others or (self.grid is not None and self.others <= _OF_SEARCHES)

    @property
    def has_plain_fits(self) -> bool:
        """Return whether `fit` gets features and target alone, which all estimators take."""
        return all(
            len(call.args) == 2
            and not any(arg.star for arg in call.args)
            and all(arg.keyword is None or arg.keyword.value in ("X", "y") for arg in call.args)
            for call in self.fits
        )

    def argument(self, name: str) -> cst.Arg | None:
        """Return the keyword argument of the estimator."""
        return argument(self.core, name)

    @property
    def is_plain(self) -> bool:
        """Return whether its use is limited to the methods of every estimator, and no search is
        tuned.
        """
        return not self.others and self.grid is None

    @property
    def is_fixed(self) -> bool:
        """Return whether `**something`, or a search around it, may contain other arguments."""
        return self.grid is not None or any(arg.star for arg in self.core.args)

    def asks(self, method: str) -> bool:
        """Return whether this kind of prediction is used."""
        return any(method_name(call) == method for call in self.predictions)


class Pipeline:
    """Facts that the code of a notebook shows.

    Args:
        notebook: The sources.
    """

    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        self.program = Program(notebook)
        self.types = TypeInference(self.program)

    @cached_property
    def _statements(self) -> Statements:
        return Statements(self.program)

    @property
    def statements(self) -> list[Statement]:
        """Return all statements outside of functions, in order."""
        return self._statements.every

    @property
    def submitting(self) -> list[Statement]:
        """Return those that contribute to the submission."""
        return self._statements.submitting

    @cached_property
    def addresses(self) -> frozenset[str]:
        """Return the addresses of all called functions."""
        return frozenset(
            name for _, call in self.calls for name in self.program.qualnames(call.func)
        )

    @cached_property
    def methods(self) -> frozenset[str]:
        """Return the names of all attributes that are called."""
        return frozenset(
            call.func.attr.value for _, call in self.calls if isinstance(call.func, cst.Attribute)
        )

    @cached_property
    def calls(self) -> list[tuple[CellCode, cst.Call]]:
        """Return all calls, in the order of the code."""
        return [(cell, node) for cell in self.program.cells for node in cell.nodes(cst.Call)]

    def column_of(self, call: cst.Call, number: int) -> cst.Subscript | None:
        """Return `call[:, number]` if a call has that form."""
        above = self.program.place(call)[1].parent
        last = above.slice[-1].slice if isinstance(above, cst.Subscript) else None
        if not isinstance(above, cst.Subscript) or len(above.slice) != 2:
            return None
        is_it = isinstance(last, cst.Index) and same_literal(last.value, number)
        return above if is_it else None

    @property
    def is_sparse(self) -> bool:
        """Return whether features may be sparse matrices."""
        return bool(self.addresses & SPARSE_MAKERS) or any(
            name.startswith("scipy.sparse") for name in self.addresses
        )

    def address(self, node: cst.CSTNode) -> str:
        """Return the address of an expression, empty if there are several or none is known."""
        found = self.program.qualnames(node)
        return found[0] if len(found) == 1 else ""

    def place(self, node: cst.CSTNode) -> Place:
        """Return the position of a node in the program."""
        cell, place = self.program.place(node)
        return self.program.cells.index(cell), place.order

    def origin(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Return the expression whose value this is; itself if it may be one of several."""
        found = self._origins.of(node)
        return found[0] if len(found) == 1 else node

    @cached_property
    def models(self) -> list[Model]:
        """Return the models whose predictions are submitted, in the order of the code."""
        taking_part = {node for one in self.submitting for node in one.nodes()}
        found: list[Model] = []
        for cell, call in self.calls:
            address = self.address(call.func)
            estimator = ESTIMATORS.get(address) or named_estimator(address)
            if estimator is None or address in WRAPPERS or address in GRIDS:
                continue
            model = self._model(cell, estimator, call)
            if model is not None and any(one in taking_part for one in model.predictions):
                found.append(model)
        outers = [model.outer for model in found]
        return [model for model in found if outers.count(model.outer) == 1]

    def _around(self, core: cst.Call) -> tuple[cst.Call, tuple[str, ...]]:
        """Return the call that is fitted in place of an estimator, and the wrappers up to it."""
        outer, wrappers = core, list[str]()
        here: cst.BaseExpression = core
        while True:
            cell = self.program.cell_of(here)
            for above in cell.ancestors(here):
                if isinstance(above, cst.Call):
                    address = self.address(above.func)
                    if address in WRAPPERS or address in GRIDS:
                        here = outer = above
                        wrappers.append(address)
                        continue
                    return outer, tuple(wrappers)
                if not isinstance(above, _BETWEEN):
                    break
            named = [node for _, node in self.uses(outer) if node is not outer]
            if len(named) != 1 or named[0] is here or not isinstance(named[0], cst.Name):
                return outer, tuple(wrappers)
            here = named[0]

    def _model(self, cell: CellCode, estimator: Estimator, core: cst.Call) -> Model | None:
        outer, wrappers = self._around(core)
        fits: list[cst.Call] = []
        predictions: list[cst.Call] = []
        others: set[str] = set()
        for where, node in self.uses(outer):
            parent = where.places[node].parent
            call = where.places[parent].parent if isinstance(parent, cst.Attribute) else None
            if isinstance(parent, cst.Attribute) and isinstance(call, cst.Call):
                method = parent.attr.value
                if method == "fit":
                    fits.append(call)
                elif method in _PREDICTS:
                    predictions.append(call)
                elif method not in _ASKED:
                    others.add(method)
            elif isinstance(parent, cst.Attribute):
                shown = isinstance(call, (cst.Arg, cst.Expr, cst.FormattedStringExpression))
                if parent.attr.value != "best_estimator_":
                    others.add(parent.attr.value if shown else f"{parent.attr.value} ?")
            else:
                others.update(self._other_use(where, node, parent))
        if not fits or not predictions:
            return None
        grid = None
        if wrappers and wrappers[-1] in GRIDS:
            grid = argument(outer, GRIDS[wrappers[-1]], 1)
        elif not GRIDS.keys().isdisjoint(wrappers):
            others.add("?")
        return Model(
            cell,
            estimator,
            core,
            outer,
            grid,
            wrappers,
            tuple(fits),
            tuple(predictions),
            frozenset(others),
        )

    def _other_use(
        self, cell: CellCode, node: cst.CSTNode, parent: cst.CSTNode | None
    ) -> Iterator[str]:
        """Yield a name for a use of a model that is no attribute; nothing if it is followed."""
        if isinstance(parent, cst.Arg):
            yield from self._passed(cell, cell.places[parent].parent)
        elif isinstance(parent, cst.Return):
            if not self._origins.is_followed(function_of(cell, parent)):
                yield "?"
        elif isinstance(parent, _HOLDING):
            container: cst.CSTNode = parent
            for above in cell.ancestors(parent):
                if not isinstance(above, (*_HOLDING, cst.Tuple, cst.List, cst.Dict)):
                    break
                container = above
            yield from self._uses_of_container(cell, container)
        elif isinstance(parent, cst.Assign):
            for target in (one.target for one in parent.targets):
                if isinstance(target, cst.Subscript):
                    yield from self._uses_of_container(*self._located(target.value))
                elif isinstance(target, cst.Attribute):
                    yield "?"
        elif not isinstance(parent, cst.Expr):
            yield "?"

    def _passed(self, cell: CellCode, function: cst.CSTNode | None) -> Iterator[str]:
        name = self.address(function.func) if isinstance(function, cst.Call) else ""
        if isinstance(function, cst.Call) and method_name(function) == "append":
            yield from self._uses_of_container(*self._appended_to(function))
        elif isinstance(function, cst.Call) and name == "builtins.dict":
            yield from self._uses_of_container(cell, function)
        elif name not in _LOOKED_AT and not self._origins.is_followed(function):
            yield name or "?"

    def _uses_of_container(
        self,
        cell: CellCode,
        container: cst.CSTNode,
        within: frozenset[cst.CSTNode] = frozenset(),
    ) -> Iterator[str]:
        """Yield `?` if a list or dict of models is used otherwise than by its elements."""
        if container in within:
            return  # a container that contains itself
        for where, node in [(cell, container), *self.uses(container)]:
            parent = where.places[node].parent
            if isinstance(parent, cst.Arg):
                call = where.places[parent].parent
                if isinstance(call, cst.Call) and method_name(call) == "append":
                    above, outer = self._appended_to(call)
                    yield from self._uses_of_container(above, outer, within | {container})
                elif not isinstance(call, cst.Call) or self.address(call.func) not in _ITERATING:
                    yield "?"
            elif isinstance(parent, cst.Attribute):
                if parent.attr.value not in _OF_CONTAINERS:
                    yield "?"
            elif not isinstance(parent, _TAKING_ELEMENTS):
                yield "?"

    def _appended_to(self, call: cst.Call) -> tuple[CellCode, cst.CSTNode]:
        assert isinstance(call.func, cst.Attribute)
        return self._located(call.func.value)

    def _located(self, node: cst.BaseExpression) -> tuple[CellCode, cst.CSTNode]:
        """Return the list or dict that an expression is, with its cell."""
        container = self._origins.of(node)[0]
        return self.program.cell_of(container), container

    @cached_property
    def _origins(self) -> Origins:
        return Origins(self.program)

    @cached_property
    def _by_origin(self) -> dict[cst.CSTNode, list[tuple[CellCode, cst.BaseExpression]]]:
        """Return by call every expression with its value."""
        found: dict[cst.CSTNode, list[tuple[CellCode, cst.BaseExpression]]] = {}
        for cell in self.program.cells:
            for node, place in cell.places.items():
                if isinstance(node, _VALUES) and _is_read(node, place.parent):
                    for origin in self._origins.of(node):
                        found.setdefault(origin, []).append((cell, node))
        return found

    def uses(self, made: cst.CSTNode) -> list[tuple[CellCode, cst.BaseExpression]]:
        """Return every expression with a call's value, the call itself included."""
        return self._by_origin.get(made, [])

    @cached_property
    def tables(self) -> dict[str, set[str]]:
        """Return the names of the tables that are read from files of training and of test data."""
        found: dict[str, set[str]] = {"train": set(), "test": set()}
        for cell in self.program.cells:
            for name, bindings in cell.top.names.items():
                for binding in bindings:
                    value, path = part(binding.bound)
                    role = "" if value is None or path else self.role(value)
                    if role:
                        found[role].add(name)
        return found

    def role(self, value: cst.BaseExpression) -> str:
        """Return whether an expression reads training or test data, by the file's own name."""
        if not isinstance(value, cst.Call) or self.address(value.func) not in _READERS:
            return ""
        given = argument(value, "filepath_or_buffer", 0)
        texts = [
            node.value if isinstance(node, cst.FormattedStringText) else string(node) or ""
            for node in (() if given is None else _strings(given))
        ]
        last = texts[-1].rpartition("/")[2] if texts else ""
        if _TRAIN.search(last) and not _TEST.search(last):
            return "train"
        return "test" if _TEST.search(last) and not _TRAIN.search(last) else ""


def _is_read(node: cst.CSTNode, parent: cst.CSTNode | None) -> bool:
    """Return whether a node is a value, and no target, attribute or keyword."""
    if isinstance(parent, (cst.AssignTarget, cst.Param)):
        return False
    if isinstance(parent, (cst.For, cst.CompFor)):
        return parent.target is not node
    if isinstance(parent, cst.Attribute):
        return parent.value is node
    return not (isinstance(parent, cst.Arg) and parent.keyword is node)


def _strings(node: cst.CSTNode) -> list[cst.SimpleString | cst.FormattedStringText]:
    return [
        one
        for one in descendants(node)
        if isinstance(one, (cst.SimpleString, cst.FormattedStringText))
    ]
