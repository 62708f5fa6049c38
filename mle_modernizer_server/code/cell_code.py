"""A parsed code cell: its tree, the positions of its nodes, and its bindings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TypeVar, cast
from weakref import WeakValueDictionary

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from mle_modernizer_server.code.ipython import count_tokens, is_too_large
from mle_modernizer_server.code.masking import MaskedSource, mask, nests_too_deeply
from mle_modernizer_server.code.tree import children, dotted_name, imported

_Node = TypeVar("_Node", bound=cst.CSTNode)


@dataclass(frozen=True)
class Imported:
    """The name refers to a module or to something in one."""

    qualname: str


@dataclass(frozen=True)
class Assigned:
    """The name refers to an expression, or for a part of its value.

    `path` is that part: a number is the item of a tuple, `None` each element of an iterable.
    """

    value: cst.BaseExpression
    path: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Augmented:
    """The name refers to the result of `name += value`."""

    node: cst.AugAssign


@dataclass(frozen=True)
class Parameter:
    """The name is a parameter of a function."""

    function: cst.FunctionDef | cst.Lambda
    name: str
    position: int


@dataclass(frozen=True)
class Defined:
    """The name is a function or class of the notebook."""

    node: cst.FunctionDef | cst.ClassDef


@dataclass(frozen=True)
class Opaque:
    """The name is bound to something that is not looked into."""


Bound = Imported | Assigned | Augmented | Parameter | Defined | Opaque


@dataclass(frozen=True)
class Binding:
    """One place that binds a name."""

    order: int
    bound: Bound


@dataclass(eq=False)
class Scope:
    """Names of a function, class, comprehension, or of the cell's top level (`parent` None)."""

    parent: Scope | None
    owner: cst.CSTNode
    names: dict[str, list[Binding]] = field(default_factory=dict)
    declared: dict[str, str] = field(default_factory=dict)
    """Names that are `global` or `nonlocal` here."""

    @property
    def is_deferred(self) -> bool:
        """Return whether its code runs later than its position: a function or lambda."""
        return isinstance(self.owner, (cst.FunctionDef, cst.Lambda))

    @property
    def is_top(self) -> bool:
        """Return whether this is the notebook's own namespace."""
        return self.parent is None

    def bind(self, name: str, binding: Binding) -> None:
        """Note a place where the name is bound."""
        self.names.setdefault(name, []).append(binding)


@dataclass(frozen=True)
class Place:
    """Position of a node."""

    parent: cst.CSTNode | None
    scope: Scope
    order: int


@dataclass(frozen=True)
class Made:
    """A binding with the scope it goes to."""

    scope: Scope
    name: str
    binding: Binding


def _parameters(made: Made) -> cst.CSTNode | None:
    owner = made.scope.owner
    return owner.params if isinstance(owner, (cst.FunctionDef, cst.Lambda)) else None


@dataclass(eq=False)
class CellCode:
    """A cell that Python can parse."""

    cell_id: str
    number: int
    """Which code cell of the notebook this is, from 1."""
    source: str
    masked: MaskedSource
    module: cst.Module
    places: dict[cst.CSTNode, Place]
    made: dict[cst.CSTNode, list[Made]]
    """Bindings of each statement, `for`, `with` item, `except` and pattern."""
    top: Scope
    star_imports: tuple[str, ...]
    """Modules of `from module import *`."""

    def code(self, node: cst.CSTNode) -> str:
        """Return the node's source text."""
        return self.module.code_for_node(node)

    @cached_property
    def tokens(self) -> int | None:
        """Return the approximate number of its tokens."""
        return count_tokens(self.source)

    @cached_property
    def _starts(self) -> dict[cst.CSTNode, int]:
        """Return the number of lines before each statement of the module, and its comments."""
        found: dict[cst.CSTNode, int] = {}
        line = len(self.module.header)
        for statement in self.module.body:
            found[statement] = line
            line += self.module.code_for_node(statement).count("\n")
        return found

    @cached_property
    def _positions(self) -> dict[cst.CSTNode, dict[cst.CSTNode, tuple[int, int]]]:
        """Return the lines of the nodes, by the statement of the module that contains them."""
        return {}

    @cached_property
    def _by_type(self) -> dict[type[cst.CSTNode], list[cst.CSTNode]]:
        found: dict[type[cst.CSTNode], list[cst.CSTNode]] = {}
        for node in self.places:
            found.setdefault(type(node), []).append(node)
        return found

    def nodes(self, kind: type[_Node]) -> Sequence[_Node]:
        """Return the nodes of a type, in order."""
        return cast("Sequence[_Node]", self._by_type.get(kind, ()))

    @cached_property
    def imported(self) -> frozenset[str]:
        """Return the addresses that it imports, with the modules above them."""
        found = chain(
            *map(imported, self.nodes(cst.Import)), *map(imported, self.nodes(cst.ImportFrom))
        )
        return frozenset(found)

    @cached_property
    def _names(self) -> dict[str, list[cst.Name]]:
        found: dict[str, list[cst.Name]] = {}
        for node in self.nodes(cst.Name):
            found.setdefault(node.value, []).append(node)
        return found

    def uses_of(self, names: Iterable[str]) -> list[cst.Name]:
        """Return the places of some names, in order."""
        found = [node for name in names for node in self._names.get(name, ())]
        return sorted(found, key=lambda node: self.places[node].order)

    @cached_property
    def named(self) -> dict[cst.CSTNode, set[str]]:
        """Return the names that refer to an expression or to a part of its value."""
        found: dict[cst.CSTNode, set[str]] = {}
        for made in (one for each in self.made.values() for one in each):
            if isinstance(bound := made.binding.bound, Assigned):
                found.setdefault(bound.value, set()).add(made.name)
        return found

    @cached_property
    def has_assigning_expressions(self) -> bool:
        """Return whether there is a `:=`."""
        return any(type(node) is cst.NamedExpr for node in self.made)

    @cached_property
    def from_inside(self) -> dict[tuple[Scope, str], frozenset[Binding]]:
        """Return the bindings of inner scopes in a scope (`global`, `nonlocal`), whose time is
        unknown.
        """
        found: dict[tuple[Scope, str], frozenset[Binding]] = {}
        for site, all_made in self.made.items():
            for made in all_made:
                if self.places[site].scope is not made.scope and site is not _parameters(made):
                    known = found.get((made.scope, made.name), frozenset())
                    found[made.scope, made.name] = known | {made.binding}
        return found

    def lines(self, node: cst.CSTNode) -> tuple[int, int]:
        """Return the first and last line of the node, from 1."""
        statement = next(
            (one for one in (node, *self.ancestors(node)) if one in self._starts), None
        )
        if statement is None:
            return (0, 0)
        if statement not in self._positions:
            self._positions[statement] = self._lines_in(statement)
        return self._positions[statement].get(node, (0, 0))

    def _lines_in(self, statement: cst.CSTNode) -> dict[cst.CSTNode, tuple[int, int]]:
        alone = self.module.with_changes(header=(), body=[statement], footer=())
        ranges = MetadataWrapper(alone, unsafe_skip_copy=True).resolve(PositionProvider)
        above = self._starts[statement]
        return {
            node: (above + span.start.line, above + span.end.line) for node, span in ranges.items()
        }

    def may_not_have_run(self, node: cst.CSTNode) -> bool:
        """Return whether a place may not have been reached in a cell that ran to its end."""
        return any(isinstance(above, _MAY_NOT_RUN) for above in self.ancestors(node))

    def calls_around(self, node: cst.CSTNode) -> Iterator[cst.Call]:
        """Yield the calls that contain a node, from the inside."""
        return (above for above in self.ancestors(node) if isinstance(above, cst.Call))

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """Yield parent, its parent, … up to the module."""
        place = self.places.get(node)
        while place is not None and place.parent is not None:
            yield place.parent
            place = self.places.get(place.parent)


_IN_USE: WeakValueDictionary[tuple[str, int, str], CellCode] = WeakValueDictionary()


def code_of_cell(cell_id: str, number: int, source: str) -> CellCode | None:
    """Parse a code cell; None if it is no Python 3, in another language or too large.

    While another program has the same cell, it is that one's.
    """
    found = _IN_USE.get((cell_id, number, source))
    if found is None:
        found = _parse(cell_id, number, source)
        if found is not None:
            _IN_USE[cell_id, number, source] = found
    return found


def _parse(cell_id: str, number: int, source: str) -> CellCode | None:
    if is_too_large(source):
        return None
    masked = mask(source)
    if masked is None or is_too_large(masked.text) or nests_too_deeply(masked.text):
        return None
    try:
        module = _module(masked.text)
        if module is None:
            return None
        walk = _Walk(module)
    except (cst.ParserSyntaxError, SyntaxError, RecursionError, ValueError):
        return None
    return CellCode(
        cell_id=cell_id,
        number=number,
        source=source,
        masked=masked,
        module=module,
        places=walk.places,
        made=walk.made,
        top=walk.top,
        star_imports=tuple(walk.stars),
    )


def _module(text: str) -> cst.Module | None:
    """Parse a cell with all of its blank lines: libcst loses one before a last line of blanks.

    None if the tree would not be written as the same text.
    """
    module = cst.parse_module(text)
    if module.code == text:
        return module
    behind, *blank = text[len(text.rstrip()) :].split("\n")
    module = cst.parse_module(f"{text.rstrip()}{behind}\n")
    lines = [cst.EmptyLine(False, cst.SimpleWhitespace(line)) for line in blank[:-1]]
    module = module.with_changes(footer=[*module.footer, *lines])
    return module if module.code == text else None


_MAY_NOT_RUN = (cst.FunctionDef, cst.Lambda, cst.If, cst.Try, cst.IfExp)
_SCOPED = frozenset(
    {
        cst.FunctionDef,
        cst.Lambda,
        cst.ClassDef,
        cst.ListComp,
        cst.SetComp,
        cst.GeneratorExp,
        cst.DictComp,
        cst.For,
        cst.CompFor,
    }
)
_BINDS = frozenset(
    {
        cst.Assign,
        cst.AnnAssign,
        cst.AugAssign,
        cst.NamedExpr,
        cst.WithItem,
        cst.ExceptHandler,
        cst.ExceptStarHandler,
        cst.MatchAs,
        cst.MatchStar,
        cst.MatchMapping,
        cst.Import,
        cst.ImportFrom,
    }
)


class _Walk:
    """One pass over the tree that notes places and bindings."""

    def __init__(self, module: cst.Module) -> None:
        self.places: dict[cst.CSTNode, Place] = {}
        self.made: dict[cst.CSTNode, list[Made]] = {}
        self.top = Scope(None, module)
        self.stars: list[str] = []
        self._order = 0
        self._visit(module, None, self.top)

    def _visit(self, node: cst.CSTNode, parent: cst.CSTNode | None, scope: Scope) -> None:
        self._order += 1
        self.places[node] = Place(parent, scope, self._order)
        if type(node) in _SCOPED:
            self._scoped(node, scope)
            return
        for child in children(node):
            self._visit(child, node, scope)
        if type(node) in _BINDS:
            self._bindings(node, scope)

    def _scoped(self, node: cst.CSTNode, scope: Scope) -> None:
        """Return whether it has names of its own, or binds its names in another order than it
        is written.
        """
        if isinstance(node, (cst.FunctionDef, cst.Lambda)):
            self._function(node, scope)
            return
        if isinstance(node, cst.ClassDef):
            inner = Scope(scope, node)
            _declare(inner, node.body)
            for child in children(node):
                self._visit(child, node, inner if child is node.body else scope)
            self._bind(node, scope, node.name.value, Defined(node))
            return
        if isinstance(node, (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)):
            inner = Scope(scope, node)
            for child in children(node):
                self._visit(child, node, inner)
            return
        if isinstance(node, (cst.For, cst.CompFor)):
            self._visit(node.iter, node, scope)
            self._target(node, scope, node.target, Assigned(node.iter, (None,)))
            for child in children(node):
                if child is not node.iter:
                    self._visit(child, node, scope)

    def _function(self, node: cst.FunctionDef | cst.Lambda, scope: Scope) -> None:
        inner = Scope(scope, node)
        _declare(inner, node.body)
        parameters = node.params
        listed = (*parameters.posonly_params, *parameters.params, *parameters.kwonly_params)
        for position, parameter in enumerate(listed):
            bound = Parameter(node, parameter.name.value, position)
            self._bind(node.params, inner, parameter.name.value, bound)
        for star in (parameters.star_arg, parameters.star_kwarg):
            if isinstance(star, cst.Param):
                self._bind(node.params, inner, star.name.value, Opaque())
        if isinstance(node, cst.FunctionDef):
            self._bind(node, scope, node.name.value, Defined(node))
        for child in children(node):
            self._visit(child, node, inner if child is node.body else scope)

    def _bindings(self, node: cst.CSTNode, scope: Scope) -> None:
        if isinstance(node, cst.Assign):
            for target in node.targets:
                self._target(node, scope, target.target, Assigned(node.value))
        elif isinstance(node, cst.AnnAssign):
            if node.value is not None:
                self._target(node, scope, node.target, Assigned(node.value))
        elif isinstance(node, cst.AugAssign):
            self._target(node, scope, node.target, Augmented(node))
        elif isinstance(node, cst.NamedExpr):
            while isinstance(scope.owner, _COMPREHENSIONS) and scope.parent is not None:
                scope = scope.parent
            self._target(node, scope, node.target, Assigned(node.value))
        elif isinstance(node, cst.Import):
            self._import(node, scope)
        elif isinstance(node, cst.ImportFrom):
            self._from_import(node, scope)
        else:
            self._opaque(node, scope)

    def _opaque(self, node: cst.CSTNode, scope: Scope) -> None:
        """Bind names to values that the code does not show: `with`, `except`, patterns."""
        match node:
            case (
                cst.WithItem(asname=given)
                | cst.MatchMapping(rest=given)
                | cst.ExceptHandler(name=given)
                | cst.ExceptStarHandler(name=given)
                | cst.MatchAs(name=given)
                | cst.MatchStar(name=given)
            ):
                pass
            case _:
                return
        if given is not None:
            name = given.name if isinstance(given, cst.AsName) else given
            self._target(node, scope, name, Opaque())

    def _import(self, node: cst.Import, scope: Scope) -> None:
        for alias in node.names:
            name = dotted_name(alias.name)
            if alias.asname is not None:
                self._bind(node, scope, dotted_name(alias.asname.name), Imported(name))
            else:
                root = name.split(".")[0]
                self._bind(node, scope, root, Imported(root))

    def _from_import(self, node: cst.ImportFrom, scope: Scope) -> None:
        module = "." * len(node.relative) + dotted_name(node.module)
        if isinstance(node.names, cst.ImportStar):
            self.stars.append(module)
            return
        for alias in node.names:
            name = dotted_name(alias.name)
            local = dotted_name(alias.asname.name) if alias.asname else name
            self._bind(node, scope, local, Imported(f"{module}.{name}"))

    def _target(self, site: cst.CSTNode, scope: Scope, target: cst.CSTNode, bound: Bound) -> None:
        if isinstance(target, cst.Name):
            self._bind(site, scope, target.value, bound)
        elif isinstance(target, (cst.Tuple, cst.List)):
            starred = False
            for position, element in enumerate(target.elements):
                starred = starred or isinstance(element, cst.StarredElement)
                inner: Bound = Opaque()
                if isinstance(bound, Assigned) and not starred:
                    inner = Assigned(bound.value, (*bound.path, position))
                self._target(site, scope, element.value, inner)

    def _bind(self, site: cst.CSTNode, scope: Scope, name: str, bound: Bound) -> None:
        self._order += 1
        scope = _home(scope, name)
        binding = Binding(self._order, bound)
        scope.bind(name, binding)
        self.made.setdefault(site, []).append(Made(scope, name, binding))


_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)


def _home(scope: Scope, name: str) -> Scope:
    """Return the scope of a name bound in `scope`: `global` and `nonlocal` lead out."""
    how = scope.declared.get(name)
    if how is None:
        return scope
    above, nearest = scope.parent, None
    while above is not None and above.parent is not None:
        if how == "nonlocal" and above.is_deferred:
            if name in above.names:
                return _home(above, name)
            nearest = nearest or above
        above = above.parent
    return nearest or above or scope


def _declare(scope: Scope, body: cst.CSTNode) -> None:
    """Note the `global` and `nonlocal` statements of a function's or class's own code."""
    waiting = [body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (cst.Global, cst.Nonlocal)):
            how = "global" if isinstance(node, cst.Global) else "nonlocal"
            scope.declared.update((item.name.value, how) for item in node.names)
        elif not isinstance(
            node, (cst.FunctionDef, cst.ClassDef, cst.BaseExpression, cst.BaseSmallStatement)
        ):
            waiting.extend(children(node))
