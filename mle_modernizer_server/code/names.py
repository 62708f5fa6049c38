"""The names that code binds, reads and deletes: the one definition, with positions.

Python decides scopes so: functions, lambdas, classes and comprehensions have names of their own;
`:=` in a comprehension binds outside of it; `global` binds in the notebook's namespace.
https://docs.python.org/3/reference/executionmodel.html#naming-and-binding
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from mle_modernizer_server.code.cell_syntax import shared_tree
from mle_modernizer_server.code.ipython import parsed, python_only

Position = tuple[int, int]
"""Line from 1 and column from 0, in bytes, as in `ast`."""
Positions = dict[str, list[Position]]

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BOUND = re.compile(
    r"^[ \t]*(?P<names>[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*=(?!=)", re.MULTILINE
)
_DEFINED = re.compile(r"^[ \t]*(?:def|class|for)\s+([A-Za-z_]\w*)", re.MULTILINE)
_IMPORTED = re.compile(r"^[ \t]*(?:from\s+[\w.]+\s+)?import\s+(.+)$", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Names:
    """Names of some code, each with its positions in order.

    Attributes:
        bound: Names that the code binds in its own scope.
        read: Names that it reads from its own scope, also later within its functions.
        deleted: Names that it deletes.
        outer: Names that its functions bind in the notebook's namespace by `global`.
        own: Parameters, if the code is a function.
        star: Whether it imports all names of a module.
    """

    bound: Positions = field(default_factory=dict)
    read: Positions = field(default_factory=dict)
    deleted: Positions = field(default_factory=dict)
    outer: Positions = field(default_factory=dict)
    own: tuple[str, ...] = ()
    star: bool = False

    @property
    def changed(self) -> frozenset[str]:
        """Return the names with another meaning afterwards: bound or deleted."""
        return frozenset(self.bound) | frozenset(self.deleted)


def names(code: ast.AST | Iterable[ast.AST]) -> Names:
    """Return the names of statements or expressions at the level of a cell."""
    return _Walk([code] if isinstance(code, ast.AST) else list(code)).names


def names_of_function(function: Function) -> Names:
    """Return the names of a function: those it binds itself, and those it reads from outside."""
    return _Walk([], function).names


def defaults_of(function: Function) -> dict[str, ast.expr | None]:
    """Return the parameters of a function in order, with their defaults; None for one without.

    `*args` and `**kwargs` are none of them.
    """
    given = function.args
    by_place = [one.arg for one in (*given.posonlyargs, *given.args)]
    without = len(by_place) - len(given.defaults)
    named = (one.arg for one in given.kwonlyargs)
    defaults = (*([None] * without), *given.defaults, *given.kw_defaults)
    return dict(zip((*by_place, *named), defaults, strict=True))


@lru_cache(maxsize=512)
def names_in(source: str) -> Names:
    """Return the names of a cell; of one that is no Python 3, those that its text shows.

    The result is shared: it must not be changed.
    """
    tree = parsed(source)
    return _names_of_text(python_only(source)) if tree is None else names(tree.body)


def defined_names(source: str) -> frozenset[str]:
    """Return the names that a cell binds anywhere otherwise than by an import."""
    tree = shared_tree(source)
    nodes = (one for one in ast.walk(tree) if not isinstance(one, (ast.Import, ast.ImportFrom)))
    return frozenset(name for node in nodes for name, _ in bindings(node))


def bindings(node: ast.AST) -> Iterator[tuple[str, Position]]:
    """Yield the names that a node itself binds, without those of its children."""
    at = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            name = alias.name if isinstance(node, ast.ImportFrom) else alias.name.partition(".")[0]
            if name != "*":
                yield alias.asname or name, (alias.lineno, alias.col_offset)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name, at
    elif isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield node.id, at
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        if node.name:
            yield node.name, at
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest, at


class _Scope:
    """A namespace: of the code itself (no parent), a function, class or comprehension."""

    def __init__(self, parent: _Scope | None, kind: str) -> None:
        self.parent = parent
        self.kind = kind
        self.bound: Positions = {}
        self.read: Positions = {}
        self.deleted: Positions = {}
        self.declared: dict[str, str] = {}


class _Walk:
    """One pass over the code without recursion, as old notebooks nest calls deeply."""

    def __init__(
        self,
        code: list[ast.AST],
        function: Function | None = None,
    ) -> None:
        self.names = Names()
        self._top = _Scope(None, "top")
        self._scopes = [self._top]
        self._waiting: list[tuple[ast.AST, _Scope]] = [(node, self._top) for node in code]
        own = self._top if function is None else self._body(function, self._top)
        while self._waiting:
            self._take(*self._waiting.pop())
        for scope in reversed(self._scopes[1:]):
            self._close(scope)
        self.names.bound, self.names.deleted = _ordered(own.bound), _ordered(own.deleted)
        self.names.read = _ordered(self._top.read)
        if function is not None:
            self.names.own = tuple(defaults_of(function))
        self.names.outer = _ordered(self.names.outer)

    def _take(self, node: ast.AST, scope: _Scope) -> None:
        if isinstance(node, _FUNCTIONS):
            self._bind(node, scope)
            self._function(node, scope)
        elif isinstance(node, ast.ClassDef):
            self._bind(node, scope)
            inner = self._inner(scope, "class")
            self._wait([*node.decorator_list, *node.bases, *node.keywords], scope)
            self._wait(node.body, inner)
        elif isinstance(node, _COMPREHENSIONS):
            self._comprehension(node, scope)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            how = "global" if isinstance(node, ast.Global) else "nonlocal"
            scope.declared.update(dict.fromkeys(node.names, how))
        elif isinstance(node, ast.NamedExpr):
            outer = scope
            while outer.kind == "comprehension" and outer.parent is not None:
                outer = outer.parent
            self._wait([node.target], outer)
            self._wait([node.value], scope)
        elif isinstance(node, ast.AnnAssign) and node.value is None:
            named = isinstance(node.target, ast.Name)
            self._wait([node.annotation, *([] if named else [node.target])], scope)
        else:
            self._bind(node, scope)
            if isinstance(node, ast.ImportFrom):
                self.names.star |= any(alias.name == "*" for alias in node.names)
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                _note(scope.read, node.target.id, node.target)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                _note(scope.read, node.id, node)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
                _note(scope.deleted, node.id, node)
            self._wait(ast.iter_child_nodes(node), scope)

    def _function(self, node: Function, scope: _Scope) -> None:
        """Take a definition: its defaults are evaluated outside of it, and at once."""
        arguments = node.args
        listed = _parameters(arguments)
        self._wait((one.annotation for one in listed if one.annotation), scope)
        self._wait(arguments.defaults, scope)
        self._wait((one for one in arguments.kw_defaults if one is not None), scope)
        if not isinstance(node, ast.Lambda):
            self._wait(node.decorator_list, scope)
        self._body(node, scope)

    def _body(self, node: Function, scope: _Scope) -> _Scope:
        inner = self._inner(scope, "function")
        for one in _parameters(node.args):
            _note(inner.bound, one.arg, one)
        self._wait([node.body] if isinstance(node, ast.Lambda) else node.body, inner)
        return inner

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: _Scope
    ) -> None:
        inner = self._inner(scope, "comprehension")
        first, *others = node.generators
        self._wait([first.iter], scope)  # Python evaluates it outside
        self._wait([first.target, *first.ifs], inner)
        for one in others:
            self._wait([one.iter, one.target, *one.ifs], inner)
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._wait(results, inner)

    def _inner(self, scope: _Scope, kind: str) -> _Scope:
        inner = _Scope(scope, kind)
        self._scopes.append(inner)
        return inner

    def _wait(self, nodes: Iterable[ast.AST], scope: _Scope) -> None:
        self._waiting += [(node, scope) for node in nodes]

    def _bind(self, node: ast.AST, scope: _Scope) -> None:
        for name, at in bindings(node):
            scope.bound.setdefault(name, []).append(at)

    def _close(self, scope: _Scope) -> None:
        """Pass the outer names of a scope, whose inner ones are closed, on to the outer scopes."""
        assert scope.parent is not None
        for name, how in scope.declared.items():
            bound, deleted = scope.bound.pop(name, []), scope.deleted.pop(name, [])
            if how == "global":
                _add(self.names.outer, name, [*bound, *deleted])
                _add(self._top.read, name, scope.read.pop(name, []))
            else:
                _add(_holder(scope.parent).bound, name, bound)
                _add(_holder(scope.parent).deleted, name, deleted)
        for name, places in scope.read.items():
            if name not in scope.bound:
                _add(_visible_from(scope).read, name, places)


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    """Return the parameters of a function, not those of a lambda in its defaults."""
    listed = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return [*listed, *(one for one in (arguments.vararg, arguments.kwarg) if one is not None)]


def _holder(scope: _Scope) -> _Scope:
    """Return the nearest function around code that declares `nonlocal`."""
    while scope.kind != "function" and scope.parent is not None:
        scope = scope.parent
    return scope


def _visible_from(scope: _Scope) -> _Scope:
    """Return the next scope in which Python looks for a name: inner scopes skip classes."""
    outer = scope.parent
    assert outer is not None
    while scope.kind != "class" and outer.kind == "class" and outer.parent is not None:
        outer = outer.parent
    return outer


def _note(places: Positions, name: str, node: ast.AST) -> None:
    at = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    places.setdefault(name, []).append(at)


def _add(places: Positions, name: str, more: list[Position]) -> None:
    if more:
        places.setdefault(name, []).extend(more)


def _ordered(places: Positions) -> Positions:
    return {name: sorted(every) for name, every in sorted(places.items(), key=lambda one: one[0])}


def _names_of_text(text: str) -> Names:
    """Return the names of a cell that is no Python 3, such as one with `print x`."""
    found = Names()

    def note(places: Positions, name: str, at: int) -> None:
        line = text.count("\n", 0, at) + 1
        places.setdefault(name, []).append((line, at - text.rfind("\n", 0, at) - 1))

    for match in _BOUND.finditer(text):
        for name in match["names"].split(","):
            note(found.bound, name.strip(), match.start("names"))
    for match in _DEFINED.finditer(text):
        note(found.bound, match[1], match.start(1))
    for match in _IMPORTED.finditer(text):
        found.star |= match[1].strip() == "*"
        for part in match[1].strip("() ").split(","):
            words = part.split()
            if words and words[-1] != "*":
                note(found.bound, words[-1].partition(".")[0], match.start(1))
    for match in _WORD.finditer(text):
        note(found.read, match[0], match.start())
    return found
