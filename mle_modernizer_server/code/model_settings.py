"""Parameters that models get elsewhere than in their calls: by grids, `set_params`, tables.

A grid belongs to the model of its search, or to the model next to it: in one tuple, list,
dict or call (`('forest', RandomForestClassifier(), {'max_features': ['auto']})`), or under the
same key of two dicts, or at the same place of two lists that are zipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Binding, CellCode
from mle_modernizer_server.code.tree import argument, dotted_name, string

Entry = cst.DictElement | cst.Arg
"""An item of a dict, or an argument of `dict(…)` or `set_params(…)`."""
Owner = cst.Dict | cst.Call
"""Containers of entries."""

_GRIDS = ("param_grid", "param_distributions", "search_spaces")
_TOLD_BY = frozenset({cst.Call, cst.Dict, cst.List, cst.Tuple})
"""Containers of settings, or of a model and its settings."""
_SAME_MODEL = ("fit", "set_params")
"""Methods that return the object itself."""
_NESTED = ("estimator", "base_estimator")
"""Names of the model within another one, which some take as their first argument."""
_STEPS = ("steps", "estimators", "transformers", "transformer_list")
_DEEPEST = 6


class _Found(Protocol):
    @property
    def bindings(self) -> tuple[Binding, ...]: ...


@dataclass(frozen=True)
class Setting:
    """A parameter of a model, set in an entry."""

    model: tuple[str, ...]
    """Addresses the model's class may have."""
    parameter: str
    part: int
    """Which of the words between `__` in the entry's name it is."""
    is_last: bool
    """The entry's value belongs to it, not to a parameter of the parameter."""
    entry: Entry


class Settings:
    """The settings of a notebook.

    Args:
        cells: Its code.
        qualnames: Address of an expression.
        lookup: Return the possible bindings of a name at a node.

    Attributes:
        draws: Whether a search draws its candidates, so that each entry of a grid counts.
    """

    def __init__(
        self,
        cells: Sequence[CellCode],
        qualnames: Callable[[cst.CSTNode], tuple[str, ...]],
        lookup: Callable[[str, cst.CSTNode], _Found],
    ) -> None:
        self._qualnames = qualnames
        self._lookup = lookup
        self._by_owner: dict[cst.CSTNode, dict[Setting, None]] = {}
        self.draws = False
        grids: list[tuple[dict[str, cst.BaseExpression], cst.Dict]] = []
        for cell in cells:
            for node in cell.places:
                if type(node) not in _TOLD_BY:  # isinstance takes long
                    continue
                if isinstance(node, cst.Call):
                    self._of_call(node)
                elif isinstance(node, cst.Dict):
                    items = _items(node)
                    self._of_siblings(list(items.values()))
                    if len(items) == len(node.elements) > 0:
                        grids.append((items, node))
                elif isinstance(node, (cst.List, cst.Tuple)):
                    self._of_siblings([element.value for element in node.elements])
        self._of_same_keys([items for items, _ in grids])

    def of(self, owner: cst.CSTNode) -> tuple[Setting, ...]:
        """Return the settings in a dict, or in a call of `dict` or `set_params`."""
        return tuple(self._by_owner.get(owner, ()))

    def every(self) -> Iterator[Setting]:
        """Return all settings."""
        return chain.from_iterable(self._by_owner.values())

    def _of_call(self, node: cst.Call) -> None:
        name = _last(node.func)
        if name.endswith("SearchCV"):
            self.draws = self.draws or "Random" in name
            estimator = argument(node, "estimator", 0)
            given = (argument(node, word, 1) for word in _GRIDS)
            grid = next((arg for arg in given if arg is not None), None)
            if estimator is not None and grid is not None:
                self._note(estimator.value, grid.value)
        elif name == "set_params" and isinstance(node.func, cst.Attribute):
            self._note_entries(list(self._models(node.func.value)), node)
            for arg in node.args:
                if arg.star == "**":
                    self._note(node.func.value, arg.value)
        elif name == "zip":
            lists = [list(self._elements(arg.value)) for arg in node.args if not arg.star]
            for row in zip(*lists, strict=False):
                self._of_siblings(row)
        elif not self._qualnames(node.func):
            self._of_siblings([arg.value for arg in node.args if not arg.star])

    def _of_siblings(self, values: Sequence[cst.BaseExpression]) -> None:
        """Pair a single model with a single grid next to it."""
        if not 2 <= len(values) <= 6:
            return
        grids = [value for value in values if _is_grid(value)]
        if len(grids) != 1:
            return
        models = [value for value in values if self._is_model(value)]
        if len(models) == 1:
            self._note(models[0], grids[0])

    def _of_same_keys(self, dicts: Sequence[dict[str, cst.BaseExpression]]) -> None:
        """Pair grids by the names of their models with the models of the same names."""
        by_keys: dict[frozenset[str], list[dict[str, cst.BaseExpression]]] = {}
        for items in dicts:
            by_keys.setdefault(frozenset(items), []).append(items)
        for same in by_keys.values():
            models = [one for one in same if any(map(self._is_model, one.values()))]
            if len(models) != 1:
                continue
            for items in same:
                if items is not models[0] and all(map(_is_grid, items.values())):
                    for key, grid in items.items():
                        self._note(models[0][key], grid)

    def _elements(self, value: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
        for written in self._written(value):
            if isinstance(written, (cst.List, cst.Tuple)):
                yield from (element.value for element in written.elements)

    def _is_model(self, value: cst.BaseExpression) -> bool:
        if isinstance(value, (cst.Call, cst.Name, cst.Attribute)):
            return any(True for _ in self._models(value))
        return False

    def _note(self, estimator: cst.BaseExpression, grid: cst.BaseExpression) -> None:
        models = list(self._models(estimator))
        for owner in self._owners(grid, _DEEPEST):
            self._note_entries(models, owner)

    def _note_entries(self, models: Sequence[cst.BaseExpression], owner: Owner) -> None:
        for entry in _entries(owner):
            parts = _name(entry).split("__")
            within = list(models)
            for place, part in enumerate(parts):
                for model in within:
                    address = self._class_of(model)
                    if address:
                        is_last = place == len(parts) - 1
                        setting = Setting(address, part, place, is_last, entry)
                        self._by_owner.setdefault(owner, {})[setting] = None
                within = [inner for model in within for inner in self._inside(model, part)]

    def _models(
        self, value: cst.BaseExpression, depth: int = _DEEPEST
    ) -> Iterator[cst.BaseExpression]:
        """Return the calls, or the classes, that create the object an expression refers to."""
        if depth == 0:
            return
        if isinstance(value, cst.Call):
            if isinstance(value.func, cst.Attribute) and value.func.attr.value in _SAME_MODEL:
                yield from self._models(value.func.value, depth - 1)
            elif self._class_of(value):
                yield value
        elif self._class_of(value):
            yield value
        else:
            for written in self._written(value):
                if written is not value:
                    yield from self._models(written, depth - 1)

    def _class_of(self, value: cst.BaseExpression) -> tuple[str, ...]:
        """Return the addresses of a class that is called, or that an expression refers to."""
        names = self._qualnames(value.func if isinstance(value, cst.Call) else value)
        good = (name for name in names if "." in name)
        return tuple(
            name
            for name in good
            if name.rpartition(".")[2][:1].isupper() or name.endswith(".make_pipeline")
        )

    def _inside(self, model: cst.BaseExpression, name: str) -> Iterator[cst.BaseExpression]:
        """Yield the models that are a parameter, or a step, of a model."""
        if not isinstance(model, cst.Call):
            return
        if dotted_name(model.func).endswith("make_pipeline"):
            for step_model in model.args:
                for inner in self._models(step_model.value):
                    if _last(inner).lower() == name:
                        yield inner
            return
        given: cst.Arg | None = argument(model, name, 0 if name in _NESTED else None)
        if given is None and name in _NESTED:
            given = argument(model, _NESTED[1 - _NESTED.index(name)])
        if given is not None:
            yield from self._models(given.value)
        lists = [arg for word in _STEPS if (arg := argument(model, word, 0)) is not None]
        for step in self._elements(lists[0].value) if lists else ():
            if isinstance(step, cst.Tuple) and len(step.elements) >= 2:
                first, second = step.elements[0].value, step.elements[1].value
                if string(first) == name:
                    yield from self._models(second)

    def _owners(self, grid: cst.BaseExpression, depth: int) -> Iterator[Owner]:
        """Yield the dicts that a grid, or a list of grids, consists of."""
        if depth == 0:
            return
        for written in self._written(grid):
            if isinstance(written, cst.Dict) or _is_dict_call(written):
                assert isinstance(written, (cst.Dict, cst.Call))
                yield written
            elif isinstance(written, (cst.List, cst.Tuple)):
                for element in written.elements:
                    yield from self._owners(element.value, depth - 1)

    def _written(self, value: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
        """Return the value bound to a name, or under a key of a dict; any other expression
        unchanged.
        """
        if isinstance(value, cst.Name):
            for binding in self._lookup(value.value, value).bindings:
                if isinstance(binding.bound, Assigned) and not binding.bound.path:
                    yield binding.bound.value
        elif isinstance(value, cst.Subscript) and isinstance(value.value, cst.Name):
            key = value.slice[0].slice
            label = string(key.value) if isinstance(key, cst.Index) else None
            for whole in self._written(value.value) if label is not None else ():
                if isinstance(whole, cst.Dict) and label in (items := _items(whole)):
                    yield items[label or ""]
        else:
            yield value


def values(entry: Entry) -> Iterable[cst.BaseExpression]:
    """Return the literal values of an entry: the elements of a list, or the value itself."""
    value = entry.value
    if isinstance(value, cst.Call) and dotted_name(value.func).endswith("array") and value.args:
        value = value.args[0].value
    if isinstance(value, (cst.List, cst.Tuple)):
        return [element.value for element in value.elements]
    return [value]


def _name(entry: Entry) -> str:
    if isinstance(entry, cst.Arg):
        return entry.keyword.value if entry.keyword is not None else ""
    return string(entry.key) or ""


def _entries(owner: Owner) -> list[Entry]:
    every = chain(owner.elements) if isinstance(owner, cst.Dict) else chain(owner.args)
    return [
        entry
        for entry in every
        if isinstance(entry, (cst.DictElement, cst.Arg)) and _name(entry) != ""
    ]


def _items(node: cst.Dict) -> dict[str, cst.BaseExpression]:
    return {
        key: element.value
        for element in node.elements
        if isinstance(element, cst.DictElement) and (key := string(element.key)) is not None
    }


def _is_dict_call(value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Call) and dotted_name(value.func) == "dict"


def _is_grid(value: cst.BaseExpression) -> bool:
    """Return whether it is written as a grid, or as a list of grids."""
    if isinstance(value, cst.List):
        return bool(value.elements) and all(_is_grid(element.value) for element in value.elements)
    if isinstance(value, cst.Dict):
        return bool(value.elements) and len(_items(value)) == len(value.elements)
    return _is_dict_call(value)


def _last(node: cst.BaseExpression) -> str:
    called = node.func if isinstance(node, cst.Call) else node
    if isinstance(called, cst.Attribute):
        return called.attr.value
    return called.value if isinstance(called, cst.Name) else ""
