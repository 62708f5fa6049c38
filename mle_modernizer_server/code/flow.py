"""Which bindings of its names may reach each statement, over branches, loops and exceptions.

The statements of a scope are carried out with sets of bindings for values: `if` joins its
branches, a loop is repeated until nothing new comes round, an exception may come out of any
statement of a `try`. Code that runs later than its position (the body of a function) starts with
its parameters alone; names from outside are the caller's matter, see `Program.lookup`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from mle_modernizer_server.code.cell_code import Binding, CellCode, Scope
from mle_modernizer_server.code.tree import descendants

Bindings = frozenset[Binding]
State = dict[str, Bindings]
"""Possible bindings of each name; immutable."""

_MAX_TURNS = 12
"""Of a loop: each but the last brought a binding further along, nested loops included."""
_SWALLOWS = frozenset({"suppress", "raises", "assertRaises"})
"""Context managers that go on behind the `with` after an exception."""


class Flow:
    """The states before the statements of cells, as far as the cells were walked through."""

    def __init__(self) -> None:
        self._before: dict[cst.CSTNode, State] = {}

    def before(self, cell: CellCode, node: cst.CSTNode, scope: Scope) -> State | None:
        """Return the state of a scope's names before the statement of that scope that contains a
        node.

        Returns:
            None if the statement is never reached, or the node belongs to no statement.
        """
        at: cst.CSTNode | None = node
        while at is not None:
            place = cell.places.get(at)
            if place is None:
                return None
            if place.scope is scope and at in self._before:
                return self._before[at]
            at = place.parent
        return None

    def walk(self, cell: CellCode, state: State) -> State:
        """Process the cell's own code and all functions in it; return the state behind it."""
        walk = _Walk(cell, cell.top, self._before)
        return walk.block(cell.module.body, state) or state


class _Loop:
    """Targets of `break` and `continue` of a loop."""

    def __init__(self) -> None:
        self.broken: list[State] = []
        self.continued: list[State] = []


class _Walk:
    """Carries out the statements of one scope."""

    def __init__(self, cell: CellCode, scope: Scope, before: dict[cst.CSTNode, State]) -> None:
        self._cell = cell
        self._scope = scope
        self._before = before
        self._loops: list[_Loop] = []
        self._tries: list[list[State]] = []

    def block(self, statements: Sequence[cst.CSTNode], state: State | None) -> State | None:
        """Return the state behind some statements; None if their end is not reached."""
        for statement in statements:
            if state is None:
                return None
            if isinstance(statement, cst.SimpleStatementLine):
                state = self.block(statement.body, state)
            else:
                self._reach(statement, state)
                state = self._statement(statement, state)
        return state

    def _suite(self, suite: cst.CSTNode | None, state: State | None) -> State | None:
        body = getattr(suite, "body", ())
        return self.block(body, state)

    def _statement(self, node: cst.CSTNode, state: State) -> State | None:
        if isinstance(node, (cst.Return, cst.Raise)):
            return None
        if isinstance(node, (cst.Break, cst.Continue)):
            if self._loops:
                loop = self._loops[-1]
                (loop.broken if isinstance(node, cst.Break) else loop.continued).append(state)
            return None
        if isinstance(node, cst.If):
            state = self._assigned_in(node.test, state)
            return _either(self._suite(node.body, state), self._otherwise(node.orelse, state))
        if isinstance(node, (cst.For, cst.While)):
            return self._loop(node, state)
        if isinstance(node, (cst.Try, cst.TryStar)):
            return self._try(node, state)
        if isinstance(node, cst.With):
            return self._with(node, state)
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            self._inner(node)
            return self._made(node, state)
        if isinstance(node, cst.Match):
            return self._match(node, state)
        if isinstance(node, cst.Del):
            return self._unbound(node.target, state)
        return self._made(node, self._assigned_in(node, state))

    def _otherwise(self, node: cst.If | cst.Else | None, state: State) -> State | None:
        if node is None:
            return state
        if isinstance(node, cst.If):
            return self.block([node], state)
        return self._suite(node.body, state)

    def _loop(self, node: cst.For | cst.While, state: State) -> State | None:
        head = state
        if isinstance(node, cst.For):
            self._reach(node.iter, state)
        for _ in range(_MAX_TURNS):
            loop = _Loop()
            self._loops.append(loop)
            self._reach(node, head)
            if isinstance(node, cst.For):
                turn: State | None = self._made(node, head)
            else:
                turn = self._assigned_in(node.test, head)
            end = self._suite(node.body, turn)
            self._loops.pop()
            back = _join([head, *loop.continued, *([end] if end is not None else [])])
            if back == head:
                break
            head = back
        else_end = self._suite(node.orelse.body, head) if node.orelse is not None else head
        return _either(else_end, _join(loop.broken) if loop.broken else None)

    def _try(self, node: cst.Try | cst.TryStar, state: State) -> State | None:
        seen = [state]
        self._tries.append(seen)
        end = self._suite(node.body, state)
        self._tries.pop()
        raised = _join(seen)
        if end is not None and node.orelse is not None:
            end = self._suite(node.orelse.body, end)
        ends = [end]
        for handler in node.handlers:
            after = self._suite(handler.body, self._made(handler, raised))
            name = handler.name
            if after is not None and name is not None:
                after = self._unbound(name.name, after)
            ends.append(after)
        behind = _either(*ends)
        if node.finalbody is None:
            return behind
        if node.handlers or behind is None:
            self._suite(node.finalbody.body, _either(raised, *ends))
        else:
            self._suite(node.finalbody.body, _join([raised, behind]))
        return None if behind is None else self._suite(node.finalbody.body, behind)

    def _with(self, node: cst.With, state: State) -> State | None:
        start = state
        for item in node.items:
            state = self._made(item, self._assigned_in(item.item, state))
        if not any(_swallows(item.item) for item in node.items):
            return self._suite(node.body, state)
        seen = [start, state]
        self._tries.append(seen)
        end = self._suite(node.body, state)
        self._tries.pop()
        return _either(_join(seen), end)

    def _match(self, node: cst.Match, state: State) -> State | None:
        ends: list[State | None] = [state]
        for case in node.cases:
            bound = state
            for part in descendants(case.pattern):
                bound = self._made(part, bound)
            ends.append(self._suite(case.body, bound))
        return _either(*ends)

    def _inner(self, node: cst.FunctionDef | cst.ClassDef) -> None:
        """Process the bindings inside a function or class; its own scope is that of its first
        statement.
        """
        body = node.body.body
        if not body:
            return
        scope = self._cell.places[body[0]].scope
        inner = _Walk(self._cell, scope, self._before)
        start: State = {}
        if isinstance(node, cst.FunctionDef):
            start = inner._made(node.params, start)
        inner.block(body, start)

    def _made(self, node: cst.CSTNode, state: State) -> State:
        made = [one for one in self._cell.made.get(node, ()) if one.scope is self._scope]
        if not made:
            return state
        new: State = dict(state)
        for one in made:
            new[one.name] = frozenset((one.binding,))
        self._note(new)
        return new

    def _assigned_in(self, node: cst.CSTNode, state: State) -> State:
        """Process the `:=` of an expression, which may not be evaluated."""
        if not self._cell.has_assigning_expressions:
            return state
        for part in descendants(node):
            if isinstance(part, cst.NamedExpr):
                state = _join([state, self._made(part, state)])
        return state

    def _unbound(self, target: cst.CSTNode, state: State) -> State:
        if isinstance(target, cst.Name):
            names: set[str] = {target.value}
        elif isinstance(target, (cst.Tuple, cst.List)):
            parts = (element.value for element in target.elements)
            names = {part.value for part in parts if isinstance(part, cst.Name)}
        else:
            names = set()
        if not names & state.keys():
            return state
        new = {name: bindings for name, bindings in state.items() if name not in names}
        self._note(new)
        return new

    def _note(self, state: State) -> None:
        for seen in self._tries:
            seen.append(state)

    def _reach(self, node: cst.CSTNode, state: State) -> None:
        known = self._before.get(node)
        self._before[node] = state if known is None else _join([known, state])


def _either(*states: State | None) -> State | None:
    reached = [state for state in states if state is not None]
    return _join(reached) if reached else None


def _join(states: Iterable[State]) -> State:
    first, *others = states
    if all(other is first for other in others):
        return first
    joined = dict(first)
    for other in others:
        if other is first:
            continue
        for name, bindings in other.items():
            known = joined.get(name)
            if known is not bindings:
                joined[name] = bindings if known is None else known | bindings
    return joined


def _swallows(node: cst.BaseExpression) -> bool:
    func = node.func if isinstance(node, cst.Call) else node
    last = func.attr if isinstance(func, cst.Attribute) else func
    return isinstance(last, cst.Name) and last.value in _SWALLOWS
