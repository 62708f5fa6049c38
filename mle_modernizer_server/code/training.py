"""Shortens the training in a notebook's code, for a rehearsal.

Expressions are changed in their place: every line keeps its number. A variable that is bound once
to a number is changed there, so that all code that uses it still agrees.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mle_modernizer_server.code.calls import table
from mle_modernizer_server.code.expressions import (
    called_name,
    dotted,
    function_name,
    literal,
    targets,
)
from mle_modernizer_server.code.ipython import parsed_in_place
from mle_modernizer_server.code.names import defaults_of, names
from mle_modernizer_server.code.string_edits import CellText

SHORT = 2
"""Number of rounds, steps, trees and folds that are left."""
_FACTS = table(__file__)
_ROUNDS = frozenset(_FACTS["rounds"].split())
_PARTS = frozenset(_FACTS["parts"].split())
_COUNTERS = frozenset(_FACTS["counters"].split())
_RANGES = frozenset(_FACTS["ranges"].split())
_TRAINS = frozenset(_FACTS["trains"].split())
_FITS = frozenset(_FACTS["fits"].split())
_COUNTS = frozenset(_FACTS["counts"].split())
_OF_FUNCTION: Mapping[str, frozenset[str]] = {
    argument: frozenset(names.split()) for argument, names in _FACTS["of_function"].items()
}
_AT_PLACE: Mapping[str, int] = {
    name: place for place, names in _FACTS["at_place"].items() for name in names.split()
}
_NOT_OF_NAME = re.compile(r"[_\d-]")
_LOADER = re.compile(r"loader|_dls?$|^dls?$", re.IGNORECASE)
_OPTIMIZES = re.compile(r"train|optim", re.IGNORECASE)
_OF_KERAS = re.compile(r"\b(?:keras|tensorflow)\b")


@dataclass(frozen=True)
class Cut:
    """A number of a training that was reduced.

    Attributes:
        cell: Index of its cell.
        name: Of the argument, variable or function: `epochs`.
        was: Its expression; empty if there was none.
        number: Its value, if the expression is a number.
    """

    cell: int
    name: str
    was: str
    number: int | None


@dataclass(frozen=True)
class ShortTraining:
    """The cells of a notebook with a short training.

    Attributes:
        sources: Of all cells, in their order.
        cuts: The reduced numbers.
        conditional: Names that only a branch within a reduced loop binds.
    """

    sources: tuple[str, ...]
    cuts: tuple[Cut, ...]
    conditional: frozenset[str]


def shorten_training(sources: Sequence[str]) -> ShortTraining:
    """Return the cells with epochs, steps, trees and folds reduced to `SHORT`.

    A cell that is no Python, nor nearly so, stays as it is.
    """
    work = _Shortening(sources)
    for cell, tree in enumerate(work.trees):
        for node in ast.walk(tree) if tree is not None else ():
            work.visit(cell, node)
    return ShortTraining(
        tuple(text.changed() for text in work.texts),
        tuple(sorted(work.cuts, key=lambda cut: cut.cell)),
        frozenset(work.conditional),
    )


@dataclass
class _Shortening:
    """The changes of a notebook's cells."""

    sources: Sequence[str]
    cuts: list[Cut] = field(default_factory=list)
    conditional: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.texts = [CellText(source) for source in self.sources]
        self.trees = [parsed_in_place(source) for source in self.sources]
        self._reduced: set[int] = set()
        self._bound: dict[str, list[tuple[int, ast.expr | None]]] = {}
        for cell, tree in enumerate(self.trees):
            for node in ast.walk(tree) if tree is not None else ():
                for name, value in _bindings(node):
                    self._bound.setdefault(name, []).append((cell, value))
        self._keras = any(_OF_KERAS.search(source) for source in self.sources)

    def visit(self, cell: int, node: ast.AST) -> None:
        """Reduce the numbers of a call, dictionary, loop or binding."""
        if isinstance(node, ast.Call):
            self._call(cell, node)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and _is_count(key.value):
                    self._reduce(cell, value, str(key.value))
        elif isinstance(node, ast.For | ast.AsyncFor):
            self._loop(cell, node)
        else:
            for name, bound in (*_bindings(node), *_settings(node)):
                if _is_count(name) and bound is not None:
                    self._reduce(cell, bound, name)

    def _call(self, cell: int, node: ast.Call) -> None:
        name = called_name(node)
        keywords = {one.arg: one.value for one in node.keywords if one.arg}
        if self._keras and name in ("fit", "fit_generator") and "epochs" in keywords:
            self._fit_of_keras(cell, keywords)
        if "initial_epoch" in keywords:  # then `epochs` is the number of the last one
            keywords.pop("epochs", None)
        for argument, value in keywords.items():
            if _is_count(argument) or name in _OF_FUNCTION.get(argument, ()):
                self._reduce(cell, value, argument, whatever=_plain(argument) in _ROUNDS)
        if name == "add_argument" and "default" in keywords and node.args:
            option = getattr(node.args[0], "value", None)
            if _is_count(option):
                self._reduce(cell, keywords["default"], str(option))
        place = _AT_PLACE.get(name, _AT_PLACE.get(dotted(node.func, {})))
        if place is None and name in _FITS and node.args and _whole(node.args[0]) is not None:
            place = 0
        if place is not None and len(node.args) > place:
            self._reduce(cell, node.args[place], name)

    def _fit_of_keras(self, cell: int, keywords: Mapping[str, ast.expr]) -> None:
        """Limit the epochs of a call and their steps, unless the call limits the steps."""
        if keywords.keys() & {"steps_per_epoch", "samples_per_epoch", "initial_epoch"}:
            return
        epochs = keywords["epochs"]
        segment, number = self.texts[cell].segment(epochs), _whole(epochs)
        short = f"min({SHORT}, {segment})" if number is None else str(min(SHORT, number))
        if segment is None or "min" in self._bound:
            return
        if self.texts[cell].replace(epochs, f"{short}, steps_per_epoch={SHORT}"):
            self._reduced.add(id(epochs))
            self.cuts.append(Cut(cell, "steps_per_epoch", "", None))
            if number is None or number > SHORT:
                self.cuts.append(Cut(cell, "epochs", segment, number))

    def _loop(self, cell: int, node: ast.For | ast.AsyncFor) -> None:
        counter = node.target.id if isinstance(node.target, ast.Name) else ""
        body = [inner for part in node.body for inner in ast.walk(part)]
        calls = [inner for inner in body if isinstance(inner, ast.Call)]
        trains = any(called_name(call) in _TRAINS or _runs_optimizer(call) for call in calls)
        for call in _calls_of(node.iter):
            if called_name(call) in _RANGES and 0 < len(call.args) <= 2:
                end = call.args[-1]
                if trains or _plain(counter) in _COUNTERS or _is_count(function_name(end)):
                    self._range(cell, call, counter)
                    self.conditional |= _conditional_names(body)
        if any(called_name(call) == "backward" for call in calls):
            for part in _loaders(node.iter):
                text = self.texts[cell].segment(part)
                few = f"__import__('itertools').islice({text}, {SHORT})"
                if text is not None and self.texts[cell].replace(part, few):
                    self.cuts.append(Cut(cell, text, "", None))

    def _range(self, cell: int, call: ast.Call, counter: str) -> None:
        if len(call.args) == 1:
            self._reduce(cell, call.args[0], counter, whatever=True)
            return
        start, end = (self.texts[cell].segment(one) for one in call.args)
        first, last = (_whole(one) for one in call.args)
        if start is None or end is None or "min" in self._bound:
            return
        if first is None or last is None:
            short = f"min({start} + {SHORT}, {end})"
        elif last > first + SHORT:
            short = str(first + SHORT)
        else:
            return
        if self.texts[cell].replace(call.args[1], short):
            self.cuts.append(Cut(cell, counter, end, last))

    def _reduce(self, cell: int, value: ast.expr, name: str, *, whatever: bool = False) -> None:
        """Reduce a number, the numbers of a list, or the number a variable is bound to.

        Args:
            cell: Index of the cell.
            value: The expression.
            name: Of the number.
            whatever: Reduce what the expression gives, if it is neither.
        """
        if id(value) in self._reduced:
            return
        self._reduced.add(id(value))
        number = _whole(value)
        if number is not None:
            if number > SHORT and self.texts[cell].replace(value, str(SHORT)):
                self.cuts.append(Cut(cell, name, str(number), number))
            return
        if isinstance(value, ast.List | ast.Tuple):
            for item in value.elts:
                self._reduce(cell, item, name)
            return
        if isinstance(value, ast.Name):
            bound = self._bound.get(value.id, [])
            numbers = [one for _, one in bound if one is not None and _whole(one) is not None]
            if bound and len(numbers) == len(bound) and (len(bound) == 1 or _is_count(value.id)):
                for where, one in bound:
                    self._reduce(where, numbers[0] if one is None else one, value.id)
                return
        segment = self.texts[cell].segment(value)
        if segment is None or not whatever or not self._is_number(value):
            return
        if self.texts[cell].replace(value, f"min({SHORT}, {segment})"):
            self.cuts.append(Cut(cell, name, segment, None))

    def _is_number(self, value: ast.expr) -> bool:
        """Return whether an expression is likely a number, as far as its form tells."""
        if isinstance(value, ast.Constant) or "min" in self._bound:
            return False
        if isinstance(value, ast.Name):
            bound = [one for _, one in self._bound.get(value.id, [])]
            return not any(isinstance(one, ast.Constant) and one.value is None for one in bound)
        return all(
            called_name(inner) in _COUNTS
            for inner in ast.walk(value)
            if isinstance(inner, ast.Call)
        ) and not isinstance(value, ast.IfExp | ast.Dict | ast.Lambda | ast.Starred)


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the names that a node binds, with their values; None if the value is not written."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _unpacked(target, node.value)
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id, node.value
    elif isinstance(node, ast.AugAssign | ast.For | ast.AsyncFor | ast.NamedExpr):
        yield from _unpacked(node.target, None)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for name, default in defaults_of(node).items():
            yield name, default
            yield name, None  # the value of a call


def _unpacked(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    return ((one.id, of) for one, of in targets(target, value) if isinstance(one, ast.Name))


def _settings(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the attributes and keys that an assignment sets: `config.epochs = 5`."""
    if not isinstance(node, ast.Assign):
        return
    for target in node.targets:
        if isinstance(target, ast.Attribute):
            yield target.attr, node.value
        elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
            yield str(target.slice.value), node.value


def _plain(name: object) -> str:
    return _NOT_OF_NAME.sub("", name).lower() if isinstance(name, str) else ""


def _is_count(name: object) -> bool:
    return _plain(name) in _ROUNDS | _PARTS


def _whole(node: ast.expr) -> int | None:
    """Return the whole number that an expression is; None if it is none."""
    value = literal(node)
    return value if type(value) is int else None


def _calls_of(node: ast.expr) -> Iterator[ast.Call]:
    """Yield a call and those in its positional arguments: `tqdm(range(5))`."""
    if isinstance(node, ast.Call):
        yield node
        for argument in node.args:
            yield from _calls_of(argument)


def _runs_optimizer(call: ast.Call) -> bool:
    """Return whether a call is `session.run(train_op)` or the like."""
    return called_name(call) == "run" and any(
        isinstance(node, ast.Name) and _OPTIMIZES.search(node.id)
        for argument in call.args[:1]
        for node in ast.walk(argument)
    )


def _conditional_names(body: Iterable[ast.AST]) -> set[str]:
    """Return the names that branches in a loop bind."""
    return {name for node in body if isinstance(node, ast.If) for name in names(node).bound}


def _loaders(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the data loaders that a loop goes through, within `enumerate`, `tqdm` and `zip`."""
    if isinstance(node, ast.Call):
        for argument in node.args:
            yield from _loaders(argument)
        return
    if _LOADER.search(function_name(node.value if isinstance(node, ast.Subscript) else node)):
        yield node
