"""Evaluates a notebook's cells on values of which only the origins are known."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from mle_modernizer_server.code.cell_syntax import separate_trees
from mle_modernizer_server.code.data_flow import computed
from mle_modernizer_server.code.data_flow.calls import evaluate_call
from mle_modernizer_server.code.data_flow.meanings import INDEXERS, SHAPES
from mle_modernizer_server.code.data_flow.scope import root_names
from mle_modernizer_server.code.data_flow.traces import Recorder, SinkKind, Trace
from mle_modernizer_server.code.data_flow.values import (
    NOTHING,
    PLAIN,
    Origin,
    Value,
    constant,
    joined,
    of,
    together,
)
from mle_modernizer_server.code.expressions import imported, literal, root_name
from mle_modernizer_server.code.ipython import nodes

_MOST_STEPS = 120_000
_LONGEST_TEXT = 500
_SAME_AS = {
    **{"AsyncFor": "For", "AsyncWith": "With", "AsyncFunctionDef": "FunctionDef"},
    **{"ImportFrom": "Import", "Tuple": "List", "YieldFrom": "Yield"},
}
"""Syntax that is evaluated as another one."""
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class TooMuch(Exception):
    """The code is too much to be followed."""


def trace(cells: Iterable[tuple[str, str]]) -> Trace:
    """Follow the values of a notebook.

    Args:
        cells: Id and source of each code cell, in order. The last notebooks are remembered: a
            patch is judged in several ways, each time against the same notebook.
    """
    return _trace(tuple(cells))


@lru_cache(maxsize=16)
def _trace(cells: tuple[tuple[str, str], ...]) -> Trace:
    trees = separate_trees(source for _, source in cells)
    interpreter = _Interpreter([(name, tree) for (name, _), tree in zip(cells, trees, strict=True)])
    try:
        interpreter.run()
    except (TooMuch, RecursionError):
        return Trace(complete=False)
    return Trace(
        tuple(interpreter.sinks.values()),
        tuple(interpreter.trainings.values()),
        tuple(interpreter.computed.values()),
    )


class _Interpreter(Recorder, ast.NodeVisitor):
    """Evaluates statements and expressions; `calls.py` evaluates calls."""

    def __init__(self, cells: Sequence[tuple[str, ast.Module]]) -> None:
        super().__init__({node: name for name, tree in cells for node in nodes(tree)})
        self._cells = cells
        self._steps = 0
        self._loops = 0

    def run(self) -> None:
        """Evaluate all cells.

        Raises:
            TooMuch, RecursionError: It cannot be followed.
        """
        for _, tree in self._cells:
            self.block(tree.body)
            if tree.body and isinstance(tree.body[-1], ast.Expr):
                last = tree.body[-1].value
                self.sink(SinkKind.SHOWN, "", last, self.evaluate(last))

    # -- statements ------------------------------------------------------------------------------

    def block(self, body: Iterable[ast.stmt]) -> bool:
        """Evaluate statements; whether the function ends within them."""
        return any(self._statement(node) for node in body)

    def _statement(self, node: ast.stmt) -> bool:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise TooMuch
        return bool(self._visitor(node)(node))

    def _visitor(self, node: ast.AST) -> Callable[[ast.AST], object]:
        """Return the method for a node; `visit` itself would be one more call at each level."""
        kind = type(node).__name__
        name = f"visit_{_SAME_AS.get(kind, kind)}"
        found: Callable[[ast.AST], object] = getattr(self, name, self.generic_visit)
        return found

    def generic_visit(self, node: ast.AST) -> Value | None:
        """Evaluate the parts of a statement; return their origins together for an expression."""
        children = (one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr))
        origins = together(*map(self.evaluate, children))
        return of(origins) if isinstance(node, ast.expr) else None

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self.evaluate(node.value)
        for target in node.targets:
            self.bind(target, value, root_names(node.value))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.bind(node.target, self.evaluate(node.value), root_names(node.value))

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        value = self.visit_BinOp(node)
        if isinstance(node.target, ast.Name):
            self.scope.bind(node.target.id, value)
        else:
            self.bind(node.target, value, ())

    def visit_If(self, node: ast.If) -> bool:
        truth = self.truth(node.test)
        if truth is not None:
            return self.block(node.body if truth else node.orelse)
        return self._branches([node.body, node.orelse])

    def _branches(self, bodies: Sequence[Sequence[ast.stmt]]) -> bool:
        """Evaluate alternatives; return whether the function ends in all of them."""
        before = self.scope.snapshot()
        after = []
        for body in bodies:
            self.scope.restore(before)
            if not self.block(body):
                after.append(self.scope.snapshot())
        if after:
            self.scope.join(after)
        return not after

    def visit_For(self, node: ast.For | ast.AsyncFor) -> bool:
        values = self.evaluate(node.iter)
        if values.items == () or _empty_range(node.iter):
            return self.block(node.orelse)
        roots = root_names(node.iter)

        def bind() -> None:
            self.bind_elements(node.target, node.iter, values, roots)

        return self._loop([*node.body, *node.orelse], bind)

    def visit_While(self, node: ast.While) -> bool:
        if self.truth(node.test) is False:
            return self.block(node.orelse)
        return self._loop([*node.body, *node.orelse], lambda: None)

    def _loop(self, body: Sequence[ast.stmt], bind: Callable[[], None]) -> bool:
        self._loops += 1
        try:
            for _ in range(2 if self._loops < 3 else 1):
                bind()
                self.block(body)
        finally:
            self._loops -= 1
        return False

    def visit_Try(self, node: ast.Try) -> bool:
        before = self.scope.snapshot()
        ended = self.block([*node.body, *node.orelse])
        after = [] if ended else [self.scope.snapshot()]
        for handler in node.handlers:
            self.scope.join([before, *after])
            if handler.name:
                self.scope.bind(handler.name, PLAIN)
            if not self.block(handler.body):
                after.append(self.scope.snapshot())
        if after:
            self.scope.join(after)
        return self.block(node.finalbody) or not after

    def visit_With(self, node: ast.With | ast.AsyncWith) -> bool:
        for item in node.items:
            value = self.evaluate(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value, root_names(item.context_expr))
        return self.block(node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.scope.bind(node.name, Value(function=node))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
        bases = together(*(self.evaluate(base) for base in node.bases))
        self.scope.bind(node.name, Value(bases | Origin.OBJECT, methods=methods, is_class=True))

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        for name, module in imported(node).items():
            self.scope.bind(name, Value(module=module))

    def visit_Return(self, node: ast.Return) -> bool:
        if self.returned:
            value = PLAIN if node.value is None else self.evaluate(node.value)
            self.returned[-1].append(value)
        return True

    def visit_Raise(self, node: ast.Raise) -> bool:
        return True

    # -- binding ---------------------------------------------------------------------------------

    def bind(self, target: ast.expr, value: Value, roots: Iterable[str]) -> None:
        """Bind a target to a value."""
        if isinstance(target, ast.Name):
            if target.id in self.scope and computed.overwritten(self.scope[target.id], value.all):
                self.compute(target, "overwritten")
            self.scope.bind(target.id, value, roots)
        elif isinstance(target, (ast.Tuple, ast.List)):
            fits = value.items is not None and len(value.items) == len(target.elts)
            for at, item in enumerate(target.elts):
                part = value.items[at] if fits and value.items is not None else of(value.all)
                self.bind(item, part, roots)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, of(value.all), roots)
        elif isinstance(target, ast.Attribute):
            self.scope.write_column(root_name(target), target.attr, value.all, whole=True)
        elif isinstance(target, ast.Subscript):
            self._store(target, value)

    def bind_elements(
        self, target: ast.expr, iterable: ast.expr, values: Value, roots: Iterable[str]
    ) -> None:
        """Bind a loop's target to an element of its iterable."""
        element = of(values.all)
        if values.items:
            element = values.items[0]
            for item in values.items[1:]:
                element = joined(element, item)
        elif isinstance(iterable, (ast.Name, ast.Attribute)):
            element = replace(values, items=None, constant=..., text="")
        self.bind(target, element, roots)

    def _store(self, target: ast.Subscript, value: Value) -> None:
        """Write into a part of something."""
        owner: ast.expr = target.value
        key: ast.expr = target.slice
        self.evaluate(key)
        whole, columns = True, _texts(key)
        if isinstance(owner, ast.Attribute) and owner.attr in INDEXERS:
            rows, columns = _rows_and_columns(key)
            whole, owner = _is_all(rows), owner.value
        if isinstance(owner, ast.Attribute) and owner.attr == "values":
            owner = owner.value
        if isinstance(owner, ast.Subscript) and _texts(owner.slice):
            whole, columns, owner = _is_all(key), _texts(owner.slice), owner.value
        name = root_name(owner)
        if name in self.scope:
            owned = self.scope[name]
            had = [owned.column(column) for column in columns] or [owned.all]
            if any(computed.overwritten(origins, value.all) for origins in had):
                self.compute(target, "overwritten")
        if columns:
            for column in columns:
                self.scope.write_column(name, column, value.all, whole=whole)
        elif _is_all(key) and isinstance(owner, ast.Name):
            self.scope.change(name, of(value.all))
        else:
            self.scope.mutate(name, value.all)

    # -- expressions -----------------------------------------------------------------------------

    def evaluate(self, node: ast.expr) -> Value:
        """Return the value of an expression, as far as it is known."""
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise TooMuch
        value = self._visitor(node)(node)
        assert isinstance(value, Value)
        return value

    def truth(self, node: ast.expr) -> bool | None:
        """Return whether a condition always or never holds; None if unknown."""
        certain = _about_length(node)
        if certain is not None:
            return certain
        value = self.evaluate(node)
        return bool(value.constant) if value.constant is not ... else None

    def visit_Constant(self, node: ast.Constant) -> Value:
        return PLAIN if node.value is ... else constant(node.value)

    def visit_Name(self, node: ast.Name) -> Value:
        return self.scope[node.id]

    def visit_Attribute(self, node: ast.Attribute) -> Value:
        owner = self.evaluate(node.value)
        if owner.module and not owner.origins:
            return Value(module=f"{owner.module}.{node.attr}")
        if node.attr in owner.columns and node.attr not in INDEXERS:
            return of(owner.columns[node.attr])
        if node.attr in SHAPES:
            return PLAIN
        if node.attr in INDEXERS:
            return owner
        return of(owner.all if node.attr in ("values", "T") else owner.origins)

    def visit_Subscript(self, node: ast.Subscript) -> Value:
        owner, key = self.evaluate(node.value), self.evaluate(node.slice)
        self.compute(node, computed.by_subscript(node, owner))
        at, items = key.constant, owner.items
        if isinstance(at, int) and items is not None and -len(items) <= at < len(items):
            return items[at]
        columns = _texts(node.slice)
        rows: ast.expr = node.slice
        if isinstance(node.value, ast.Attribute) and node.value.attr in INDEXERS:
            rows, columns = _rows_and_columns(node.slice)
        part = self._part(owner, rows, node.value)
        if isinstance(key.constant, str) or (len(columns) == 1 and not isinstance(rows, ast.List)):
            return of(owner.column(columns[0]) | part if columns else owner.all)
        more = key.all | part
        selected = {name: owner.column(name) for name in columns} if columns else owner.columns
        return Value(
            owner.origins | more,
            {name: origins | more for name, origins in selected.items()},
            methods=owner.methods,
        )

    def _part(self, owner: Value, rows: ast.expr, base: ast.expr) -> Origin:
        """Return `PART` if a slice takes a part of the training data."""
        if self.elementwise or not owner.all & Origin.TRAIN:
            return NOTHING
        if isinstance(base, ast.Attribute) and base.attr in ("str", "columns", "index", "shape"):
            return NOTHING
        first = rows.elts[0] if isinstance(rows, ast.Tuple) and rows.elts else rows
        return Origin.PART if isinstance(first, ast.Slice) and self._bounded(first) else NOTHING

    def _bounded(self, node: ast.Slice) -> bool:
        for bound, least in ((node.upper, 1), (node.lower, 20)):
            if bound is None:
                continue
            value = self.evaluate(bound).constant
            if isinstance(value, int) and abs(value) >= least:
                return True
            if bound is node.upper and _is_share(bound):
                return True
        step = PLAIN if node.step is None else self.evaluate(node.step)
        return isinstance(step.constant, int) and step.constant > 1

    def visit_BinOp(self, node: ast.BinOp | ast.AugAssign) -> Value:
        if isinstance(node, ast.BinOp):
            first, other = node.left, node.right
        else:  # the target is read here
            first, other = node.target, node.value
        left, right = self.evaluate(first), self.evaluate(other)
        if left.constant is not ... and right.constant is not ...:
            return _folded(node.op, left, right)
        self.compute(node, computed.by_operator(node, left, right))
        if isinstance(node.op, ast.Mult) and 0 in (left.constant, right.constant):
            return PLAIN
        if isinstance(node.op, ast.Pow) and right.constant == 0:
            return PLAIN
        if isinstance(node.op, ast.Sub) and ast.dump(first) == ast.dump(other):
            return PLAIN
        text = ""
        if left.text or right.text:
            separator = "/" if isinstance(node.op, ast.Div) else ""
            mod = isinstance(node.op, ast.Mod)
            text = left.text if mod else separator.join((left.text or "*", right.text or "*"))
        return Value(left.all | right.all, text=text[:_LONGEST_TEXT])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Value:
        value = self.evaluate(node.operand)
        if isinstance(node.op, ast.Not) and value.constant is not ...:
            return constant(not value.constant)
        if isinstance(node.op, ast.USub) and isinstance(value.constant, (int, float)):
            return constant(-value.constant)
        return of(value.all)

    def visit_Compare(self, node: ast.Compare) -> Value:
        values = [self.evaluate(node.left), *map(self.evaluate, node.comparators)]
        self.compute(node, computed.by_comparison(node, values))
        compare = _COMPARISONS.get(type(node.ops[0])) if len(node.ops) == 1 else None
        first, second = values[0].constant, values[1].constant
        if compare and isinstance(first, (int, float)) and isinstance(second, (int, float)):
            return constant(compare(first, second))
        return of(together(*values))

    def visit_BoolOp(self, node: ast.BoolOp) -> Value:
        values = [self.evaluate(item) for item in node.values]
        decides = isinstance(node.op, ast.Or)
        truths = [bool(value.constant) for value in values if value.constant is not ...]
        if decides in truths:
            return constant(decides)
        return constant(not decides) if len(truths) == len(values) else of(together(*values))

    def visit_IfExp(self, node: ast.IfExp) -> Value:
        truth = self.truth(node.test)
        if truth is not None:
            return self.evaluate(node.body if truth else node.orelse)
        chosen = joined(self.evaluate(node.body), self.evaluate(node.orelse))
        self.compute(node, "choice" if chosen.all & Origin.PREDICTED else "")
        return chosen

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Value:
        values = [self.evaluate(part) for part in node.values]
        text = "".join(value.text or "*" for value in values)
        return Value(together(*values), text=text[:_LONGEST_TEXT])

    def visit_List(self, node: ast.List | ast.Tuple) -> Value:
        values = tuple(self.evaluate(item) for item in node.elts)
        starred = any(isinstance(item, ast.Starred) for item in node.elts)
        return Value(together(*values), items=None if starred else values)

    def visit_Dict(self, node: ast.Dict) -> Value:
        columns: dict[str, Origin] = {}
        rest = NOTHING
        for key, item in zip(node.keys, node.values, strict=True):
            value = self.evaluate(item)
            name = None if key is None else self.evaluate(key).constant
            if isinstance(name, str):
                columns[name] = value.all
            else:
                rest |= value.all
        return Value(rest, columns)

    def visit_Lambda(self, node: ast.Lambda) -> Value:
        return Value(function=node)

    def visit_ListComp(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> Value:
        origins = NOTHING
        for generator in node.generators:
            values = self.evaluate(generator.iter)
            origins |= values.all
            self.bind_elements(generator.target, generator.iter, values, root_names(generator.iter))
        self.elementwise += 1
        try:
            for generator in node.generators:
                origins |= together(*(self.evaluate(test) for test in generator.ifs))
            if isinstance(node, ast.DictComp):
                origins |= self.evaluate(node.value).all | self.evaluate(node.key).all
            else:
                origins = self.evaluate(node.elt).all | (origins & ~Origin.OBJECT)
        finally:
            self.elementwise -= 1
        return of(origins)

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp  # noqa: N815  # `ast`'s names

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Value:
        value = self.evaluate(node.value)
        self.bind(node.target, value, root_names(node.value))
        return value

    def visit_Yield(self, node: ast.Yield | ast.YieldFrom) -> Value:
        value = PLAIN if node.value is None else self.evaluate(node.value)
        if self.returned:
            self.returned[-1].append(of(value.all))
        return PLAIN

    def visit_Slice(self, node: ast.Slice) -> Value:
        return PLAIN

    def visit_Call(self, node: ast.Call) -> Value:
        return evaluate_call(self, node)


def _texts(key: ast.expr) -> list[str]:
    """Return the names of columns that a subscript writes out."""
    items = key.elts if isinstance(key, ast.List) else [key]
    constants = [item.value for item in items if isinstance(item, ast.Constant)]
    names = [value for value in constants if isinstance(value, str)]
    return names if len(names) == len(items) else []


def _rows_and_columns(key: ast.expr) -> tuple[ast.expr, list[str]]:
    if isinstance(key, ast.Tuple) and len(key.elts) == 2:
        return key.elts[0], _texts(key.elts[1])
    return key, []


def _is_all(rows: ast.expr) -> bool:
    if isinstance(rows, ast.Constant):
        return rows.value is ...
    return isinstance(rows, ast.Slice) and (rows.lower, rows.upper, rows.step) == (None,) * 3


def _is_share(node: ast.expr) -> bool:
    """Return whether a bound is a share of a length: `len(x) // 10`, `int(0.1 * len(x))`."""
    parts = list(ast.walk(node))
    number = any(isinstance(literal(part), (int, float)) for part in parts)
    shares = any(
        isinstance(part, ast.BinOp) and isinstance(part.op, (ast.FloorDiv, ast.Mult, ast.Div))
        for part in parts
    )
    length = any(
        (isinstance(part, ast.Name) and part.id == "len")
        or (isinstance(part, ast.Attribute) and part.attr in ("shape", "size"))
        for part in parts
    )
    return number and shares and length


def _empty_range(node: ast.expr) -> bool:
    match node:
        case ast.Call(ast.Name("range"), [ast.Constant(0)]):
            return True
    return False


def _about_length(node: ast.expr) -> bool | None:
    """Return the result of comparing a length with 0 or less, if it is certain."""
    match node:
        case ast.Compare(ast.Call(ast.Name("len")), [operator], [ast.UnaryOp(ast.USub())]):
            never = isinstance(operator, (ast.Lt, ast.LtE, ast.Eq))
            always = isinstance(operator, (ast.Gt, ast.GtE, ast.NotEq))
        case ast.Compare(ast.Call(ast.Name("len")), [operator], [ast.Constant(0)]):
            never, always = isinstance(operator, ast.Lt), isinstance(operator, ast.GtE)
        case _:
            return None
    return always if always or never else None


def _folded(op: ast.operator, left: Value, right: Value) -> Value:
    """Return the result of an operation on two literals, if it is a small one."""
    one, other = left.constant, right.constant
    if isinstance(one, str) and isinstance(other, str) and isinstance(op, ast.Add):
        return constant((one + other)[:_LONGEST_TEXT])
    operate = _OPERATORS.get(type(op))
    if operate is None or not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
        return Value(text=left.text)
    try:
        return constant(operate(one, other))
    except (ArithmeticError, ValueError):
        return PLAIN
