"""A notebook's code as one program: names resolved across its cells."""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import libcst as cst

from mle_modernizer_server.code.calls import facts
from mle_modernizer_server.code.cell_code import (
    Assigned,
    Binding,
    Bound,
    CellCode,
    Imported,
    Place,
    Scope,
    code_of_cell,
)
from mle_modernizer_server.code.flow import Flow, State
from mle_modernizer_server.code.ipython import (
    MOST_TOKENS_OF_ALL,
    count_tokens,
)
from mle_modernizer_server.code.masking import mask
from mle_modernizer_server.code.model_settings import Settings
from mle_modernizer_server.code.own_classes import OwnClasses
from mle_modernizer_server.code.time_limit import is_over
from mle_modernizer_server.domain.notebook import Notebook

TOO_LARGE = "it is too large"
_FOR_PARSING = 0.5
"""Share of the time in which cells are parsed; the rest is for their examination."""
_SAME_THING = (
    ("xgboost.sklearn.", "xgboost."),
    ("lightgbm.sklearn.", "lightgbm."),
    ("lightgbm.basic.", "lightgbm."),
    ("matplotlib.pylab.", "matplotlib.pyplot."),
    ("pylab.", "matplotlib.pyplot."),
    ("pandas.core.frame.", "pandas."),
    ("pandas.core.series.", "pandas."),
)
"""Other addresses of the same objects."""

_DEPTH = 8
"""Names for names that are followed."""
_PYLAB_NAMES = {"np": "numpy", "plt": "matplotlib.pyplot"}
_PYLAB_STARS = ("matplotlib.pyplot", "numpy")
_STARRED_NAMES = {**_PYLAB_NAMES, "pd": "pandas", "sns": "seaborn"}
"""Usual names of a library that a module next to the notebook imports for it."""
_OTHER_TABLES = facts("types", "other_tables")
"""Libraries whose tables have methods of the same names as pandas'."""
BUILTINS = frozenset(dir(builtins)) | facts("types", "python2_builtins")
"""Names that Python 3 or Python 2 binds itself."""


def canonical(name: str) -> str:
    """Return the usual address of a thing that can be imported from several."""
    for old, new in _SAME_THING:
        if name.startswith(old):
            return new + name[len(old) :]
    return name


@dataclass(frozen=True)
class Unparsed:
    """A code cell the rules leave alone."""

    cell_id: str
    number: int
    why: str


@dataclass(frozen=True)
class Found:
    """Bindings that a name may refer to at some place."""

    bindings: tuple[Binding, ...]
    here: bool
    """Exact: found in the scope of the place itself (or of the notebook, for top-level code)."""


class Program:
    """All parsable code cells of a notebook that are run, in order.

    Args:
        notebook: The sources.
        known: Cells parsed before; those whose source is unchanged are used again.
        python2: Whether it was written in Python 2 (and parses as Python 3 by now).
    """

    def __init__(
        self, notebook: Notebook, known: Program | None = None, python2: bool = False
    ) -> None:
        self.python2 = python2
        self.first: Program = known.first if known else self
        """The notebook before anything was changed."""
        self.cells: list[CellCode] = []
        self.unparsed: list[Unparsed] = []
        self.unread: dict[str, int] = {}
        """By id, the numbers of the cells that were not parsed, because half of the time was up."""
        earlier = {cell.cell_id: cell for cell in known.cells} if known else {}
        room = MOST_TOKENS_OF_ALL
        for number, cell in enumerate(notebook.code_cells(), start=1):
            if not cell.source.strip() or not cell.runs:
                continue
            if cell.id not in earlier and is_over(_FOR_PARSING):
                self.unread[cell.id] = number
                continue
            code = earlier.get(cell.id)
            if code is not None and code.source != cell.source:
                code = None
            tokens = count_tokens(cell.source) if code is None else code.tokens
            if tokens is None or tokens > room:
                self.unparsed.append(Unparsed(cell.id, number, TOO_LARGE))
                continue
            room -= tokens
            if code is None:
                code = code_of_cell(cell.id, number, cell.source)
            if code is not None:
                self.cells.append(code)
            elif (masked := mask(cell.source)) is not None:
                self.unparsed.append(Unparsed(cell.id, number, _why_unparsed(masked.text)))
        self._top: dict[str, list[tuple[CellCode, Binding]]] = {}
        for code in self.cells:
            for name, bindings in code.top.names.items():
                self._top.setdefault(name, []).extend((code, one) for one in bindings)
        self._flow = Flow()
        state: State = {}
        for code in self.cells:
            state = self._flow.walk(code, state)
        self._from_functions = _bound_by_functions(self.cells)
        self._qualnames: dict[cst.CSTNode, tuple[str, ...]] = {}
        self._ordered_bindings: dict[tuple[Scope | None, str], dict[Binding, int]] = {}
        self._cell_of: dict[cst.CSTNode, CellCode] = {
            node: cell for cell in self.cells for node in cell.places
        }
        self.pylab = any(
            text.lstrip().startswith("%pylab")
            for cell in self.cells
            for text in cell.masked.magics.values()
        )
        stars = [star for cell in self.cells for star in cell.star_imports]
        self.stars = tuple(dict.fromkeys([*stars, *(_PYLAB_STARS if self.pylab else ())]))

    @cached_property
    def own_classes(self) -> OwnClasses:
        """Return the classes that the notebook defines."""
        return OwnClasses(self.cells, self.qualnames)

    @cached_property
    def settings(self) -> Settings:
        """Return the parameters that models get by grids and by `set_params`."""
        return Settings(self.cells, self.qualnames, self.lookup)

    @cached_property
    def has_other_tables(self) -> bool:
        """Return whether a library is imported whose tables have methods of the same names as
        pandas'.
        """
        names = {
            binding.bound.qualname
            for bindings in self._top.values()
            for _, binding in bindings
            if isinstance(binding.bound, Imported)
        }
        return any(name.partition(".")[0] in _OTHER_TABLES for name in (*names, *self.stars))

    def cell_of(self, node: cst.CSTNode) -> CellCode:
        """Return the cell of a node.

        Raises:
            KeyError: The node is not part of this program.
        """
        return self._cell_of[node]

    def place(self, node: cst.CSTNode) -> tuple[CellCode, Place]:
        """Return the cell and the place of a node of this program."""
        cell = self.cell_of(node)
        return cell, cell.places[node]

    def top_bindings(self, name: str) -> Sequence[tuple[CellCode, Binding]]:
        """Return the places that bind a name in the notebook's own namespace, in order."""
        return self._top.get(name, ())

    def lookup(self, name: str, at: cst.CSTNode) -> Found:
        """Return all bindings that a name may refer to at the node `at`, in the order of the code.

        In its own scope a name has the bindings that reach the statement, whichever branches were
        taken. Seen from inside a function, all bindings of the outer scope count, because nobody
        knows when it is called; so do those of functions that declare `global`. If none reaches the
        statement (cells that were run in another order), all bindings of the scope count.
        """
        cell, place = self.place(at)
        scope: Scope | None = place.scope
        first = True
        while scope is not None and not scope.is_top:
            how = scope.declared.get(name)
            if how is not None:
                first = False
                scope = scope.parent if how == "nonlocal" else None
                continue
            if scope.names.get(name) and (first or not isinstance(scope.owner, cst.ClassDef)):
                return self._in_scope(cell, scope, name, at, first)
            first = first and not scope.is_deferred
            scope = scope.parent
        every = self._in_order(None, name)
        if not every or not first:
            return Found(tuple(every), first)
        reaching = self._reaching(cell, cell.top, name, at)
        if not reaching:
            return Found(tuple(every), True)
        changed = self._from_functions.get(name, frozenset())
        return Found(_ordered(reaching | changed, every), True)

    def _in_scope(
        self, cell: CellCode, scope: Scope, name: str, at: cst.CSTNode, here: bool
    ) -> Found:
        every = self._in_order(scope, name)
        reaching = self._reaching(cell, scope, name, at) if here else frozenset()
        if not reaching:
            return Found(tuple(every), here)
        changed = cell.from_inside.get((scope, name), frozenset())
        return Found(_ordered(reaching | changed, every), True)

    def _in_order(self, scope: Scope | None, name: str) -> dict[Binding, int]:
        """Return the bindings of a name in a scope (None: the notebook's own), in order, with
        places.
        """
        known = self._ordered_bindings.get((scope, name))
        if known is None:
            every = (
                [binding for _, binding in self.top_bindings(name)]
                if scope is None
                else scope.names[name]
            )
            known = {binding: place for place, binding in enumerate(every)}
            self._ordered_bindings[scope, name] = known
        return known

    def _reaching(
        self, cell: CellCode, scope: Scope, name: str, at: cst.CSTNode
    ) -> frozenset[Binding]:
        state = self._flow.before(cell, at, scope)
        return frozenset() if state is None else state.get(name, frozenset())

    def qualnames(self, node: cst.CSTNode) -> tuple[str, ...]:
        """Return the addresses (`pandas.read_csv`) an expression may refer to; empty if unknown.

        There is more than one only for a name that several star imports could have brought.
        """
        known = self._qualnames.get(node)
        if known is None:
            known = self._qualnames[node] = self._addresses(node, _DEPTH)
        return known

    def _addresses(self, node: cst.CSTNode, depth: int) -> tuple[str, ...]:
        if depth == 0:
            return ()
        if isinstance(node, cst.Attribute):
            return tuple(
                canonical(f"{base}.{node.attr.value}")
                for base in self._addresses(node.value, depth - 1)
            )
        if not isinstance(node, cst.Name):
            return ()
        found = self.lookup(node.value, node)
        meant = {self._bound_names(binding, depth) for binding in usable(found.bindings)}
        if len(meant) == 1 and (names := meant.pop()):
            return names
        if found.bindings:
            return ()
        if self.pylab and node.value in _PYLAB_NAMES:
            return (_PYLAB_NAMES[node.value],)
        if node.value in BUILTINS:
            return (f"builtins.{node.value}",)
        if self.stars and node.value in _STARRED_NAMES:
            return (_STARRED_NAMES[node.value],)
        return tuple(canonical(f"{star}.{node.value}") for star in self.stars)

    def _bound_names(self, binding: Binding, depth: int) -> tuple[str, ...]:
        bound = binding.bound
        if isinstance(bound, Imported):
            return (canonical(bound.qualname),)
        if (
            isinstance(bound, Assigned)
            and not bound.path
            and isinstance(bound.value, (cst.Name, cst.Attribute))
        ):
            return self._addresses(bound.value, depth - 1)
        return ()


def _ordered(wanted: frozenset[Binding], places: dict[Binding, int]) -> tuple[Binding, ...]:
    """Yield those of the requested bindings that have a place, in order."""
    return tuple(sorted((one for one in wanted if one in places), key=places.__getitem__))


def usable(bindings: Sequence[Binding]) -> Sequence[Binding]:
    """Return the bindings without `name = None`, if there are others: None has no use."""
    others = [one for one in bindings if not _is_none(one.bound)]
    return others or bindings


def _is_none(bound: Bound) -> bool:
    return (
        isinstance(bound, Assigned)
        and not bound.path
        and isinstance(bound.value, cst.Name)
        and bound.value.value == "None"
    )


def _bound_by_functions(cells: Sequence[CellCode]) -> dict[str, frozenset[Binding]]:
    """Return the bindings of functions in the notebook's own namespace."""
    found: dict[str, frozenset[Binding]] = {}
    for cell in cells:
        for (scope, name), bindings in cell.from_inside.items():
            if scope is cell.top:
                found[name] = found.get(name, frozenset()) | bindings
    return found


def _why_unparsed(text: str) -> str:
    if re.search(r"^[ \t]*print[ \t]+[\"'\w(]", text, re.MULTILINE) or re.search(
        r"\bexcept\s+\w+\s*,\s*\w+\s*:", text
    ):
        return "it is written in Python 2"
    return "it is not valid Python"
