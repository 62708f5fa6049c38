"""The expressions whose values names, elements, arguments and results of a notebook may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Bound, CellCode, Defined, Parameter
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import argument, called_name, literal

_DEEPEST = 12
_Values = Sequence[cst.BaseExpression]
_Path = tuple[int | None, ...]


class Origins:
    """Follows values through names, containers and the notebook's own functions.

    Args:
        program: The notebook.
    """

    def __init__(self, program: Program) -> None:
        self._program = program

    def of(self, node: cst.BaseExpression, depth: int = _DEEPEST) -> _Values:
        """Return the expressions whose value this may be: itself if nothing else is known."""
        found: list[cst.BaseExpression] = []
        seen = {node}
        waiting = [(node, depth)]
        while waiting:
            one, left = waiting.pop()
            values = self._behind(one, left) if left else ()
            if not values:
                found.append(one)
            fresh = [value for value in dict.fromkeys(values) if value not in seen]
            seen.update(fresh)
            waiting += [(value, left - 1) for value in reversed(fresh)]
        return tuple(found) or (node,)

    def is_followed(self, node: cst.CSTNode | None) -> bool:
        """Return whether all values passed to, or returned by, a function can be followed."""
        function: cst.CSTNode | None = node
        if isinstance(node, cst.Call):
            function = self._defined(node.func)
        return isinstance(function, cst.FunctionDef) and function not in self._called_otherwise

    def _behind(self, node: cst.BaseExpression, depth: int) -> _Values:
        if isinstance(node, cst.Name):
            found = self._program.lookup(node.value, node).bindings
            bound = found[0].bound if len(found) == 1 else None
            if isinstance(bound, Parameter):
                return self._passed(bound)
            value, path = part(bound)
            return () if value is None else self._items(value, path, depth)
        if isinstance(node, cst.Attribute) and node.attr.value == "best_estimator_":
            return (node.value,)
        if isinstance(node, cst.Subscript) and len(node.slice) == 1:
            index = node.slice[0].slice
            key = literal(index.value) if isinstance(index, cst.Index) else None
            return self._at(node.value, key, depth) if isinstance(key, (str, int)) else ()
        if isinstance(node, cst.Call):
            if isinstance(node.func, cst.Attribute) and node.func.attr.value == "fit":
                return (node.func.value,)
            return self._returned.get(self._defined(node.func), ())
        return ()

    def _items(self, value: cst.BaseExpression, path: _Path, depth: int) -> _Values:
        """Return the expressions at a path of indexes; None is any element of an iteration."""
        if not path or depth == 0:
            return () if path else (value,)
        at, rest = path[0], path[1:]
        if at is not None:
            return self._each(self._at(value, at, depth), rest, depth)
        of_pair = rest[0] if rest else None
        name = called_name(value) if isinstance(value, cst.Call) else ""
        if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
            if name == "values" or (name == "items" and of_pair == 1):
                values = self._elements(value.func.value, depth)
                return self._each(values, rest[name == "items" :], depth)
        elif isinstance(value, cst.Call) and name in ("zip", "enumerate") and of_pair is not None:
            index = of_pair - (name == "enumerate")
            given = value.args[index : index + 1] if index >= 0 else ()
            values = [one for arg in given for one in self._elements(arg.value, depth)]
            return self._each(values, rest[1:], depth)
        return self._each(self._elements(value, depth, of_dicts=False), rest, depth)

    def _each(self, values: _Values, path: _Path, depth: int) -> _Values:
        return tuple(one for value in values for one in self._items(value, path, depth - 1))

    def _elements(self, value: cst.BaseExpression, depth: int, of_dicts: bool = True) -> _Values:
        return [
            one
            for container in self.of(value, depth - 1)
            if of_dicts or isinstance(container, (cst.List, cst.Tuple))
            for _, one in self._entries(container)
        ]

    def _at(self, value: cst.BaseExpression, key: object, depth: int) -> _Values:
        return tuple(
            one
            for container in self.of(value, depth - 1)
            for at, one in self._entries(container)
            if at == key
        )

    def _entries(self, container: cst.CSTNode) -> Iterator[tuple[object, cst.BaseExpression]]:
        """Yield the elements of a literal list or dict by index or key, and those added later."""
        if isinstance(container, (cst.List, cst.Tuple)):
            yield from enumerate(element.value for element in container.elements)
        elif isinstance(container, cst.Dict):
            for element in container.elements:
                if isinstance(element, cst.DictElement):
                    yield literal(element.key), element.value
        elif isinstance(container, cst.Call) and called_name(container) == "dict":
            yield from ((arg.keyword.value, arg.value) for arg in container.args if arg.keyword)
        yield from self._added.get(container, ())

    @cached_property
    def _added(self) -> dict[cst.CSTNode, list[tuple[object, cst.BaseExpression]]]:
        """Return the elements that `append` and `table[key] = …` add, by the literal."""
        found: dict[cst.CSTNode, list[tuple[object, cst.BaseExpression]]] = {}
        for cell in self._program.cells:
            for node in cell.places:
                if (
                    isinstance(node, cst.Call)
                    and called_name(node) == "append"
                    and len(node.args) == 1
                ):
                    into = node.func.value if isinstance(node.func, cst.Attribute) else None
                    key, value = None, node.args[0].value
                elif isinstance(node, cst.Assign) and isinstance(
                    target := node.targets[0].target, cst.Subscript
                ):
                    index = target.slice[0].slice
                    into, value = target.value, node.value
                    key = literal(index.value) if isinstance(index, cst.Index) else None
                else:
                    continue
                if isinstance(into, cst.Name):
                    bound = self._program.lookup(into.value, into).bindings
                    literal_, path = part(bound[0].bound if len(bound) == 1 else None)
                    if literal_ is not None and not path:
                        found.setdefault(literal_, []).append((key, value))
        return found

    # -- functions -------------------------------------------------------------------------------

    def _defined(self, function: cst.CSTNode) -> cst.CSTNode | None:
        """Return the definition of one of the notebook's own functions."""
        if not isinstance(function, cst.Name) or function.value not in self._functions:
            return None
        found = self._program.lookup(function.value, function).bindings
        bound = found[0].bound if len(found) == 1 else None
        return bound.node if isinstance(bound, Defined) else None

    @cached_property
    def _functions(self) -> frozenset[str]:
        return frozenset(
            node.name.value
            for cell in self._program.cells
            for node in cell.made
            if isinstance(node, cst.FunctionDef)
        )

    @cached_property
    def _calls(self) -> dict[cst.CSTNode | None, list[cst.Call]]:
        """Return the calls of the notebook's own functions."""
        found: dict[cst.CSTNode | None, list[cst.Call]] = {}
        for cell in self._program.cells:
            for node in cell.places:
                if isinstance(node, cst.Call) and (function := self._defined(node.func)):
                    found.setdefault(function, []).append(node)
        return found

    @cached_property
    def _called_otherwise(self) -> set[cst.CSTNode | None]:
        """Return the functions that something else than a call in the notebook may call."""
        return {
            self._defined(node)
            for cell in self._program.cells
            for node, place in cell.places.items()
            if isinstance(node, cst.Name)
            and not isinstance(place.parent, cst.FunctionDef)
            and not (isinstance(place.parent, cst.Call) and place.parent.func is node)
        }

    def _passed(self, bound: Parameter) -> _Values:
        if bound.function in self._called_otherwise:
            return ()
        given = [
            argument(call, bound.name, bound.position)
            for call in self._calls.get(bound.function, ())
        ]
        return tuple(arg.value for arg in given if arg is not None)

    @cached_property
    def _returned(self) -> dict[cst.CSTNode | None, _Values]:
        """Return the values that the notebook's own functions return."""
        found: dict[cst.CSTNode | None, list[cst.BaseExpression]] = {}
        for cell in self._program.cells:
            for node in cell.places:
                if isinstance(node, cst.Return) and node.value is not None:
                    found.setdefault(function_of(cell, node), []).append(node.value)
        return {function: tuple(values) for function, values in found.items()}


def function_of(cell: CellCode, node: cst.CSTNode) -> cst.FunctionDef | None:
    """Return the innermost function around a node."""
    above = (one for one in cell.ancestors(node) if isinstance(one, cst.FunctionDef))
    return next(above, None)


def part(bound: Bound | None) -> tuple[cst.BaseExpression | None, _Path]:
    """Return the expression a name is bound to, and the part of its value; None if absent.

    Of `a, b = x, y` the name `b` is bound to `y`, and to all of it.
    """
    if not isinstance(bound, Assigned):
        return None, ()
    value, path = bound.value, bound.path
    while path and isinstance(value, (cst.Tuple, cst.List)):
        at = path[0]
        if at is None or at >= len(value.elements):
            break
        value, path = value.elements[at].value, path[1:]
    return value, path
