"""Check whether the rest of a notebook would read names that a half-run cell has bound."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from mle_modernizer_server.code.calls import RANDOM
from mle_modernizer_server.code.ipython import parsed
from mle_modernizer_server.code.names import names, names_of_function


def read_before_bound(names: Iterable[str], before: Iterable[str], rest: Iterable[str]) -> str:
    """Return the first name that the rest of a notebook reads before it binds it; "" for none.

    Args:
        names: The names a half-run cell has bound. A module's `seed` function represents
            its random numbers: the rest has to seed them before anything else.
        before: Sources of the cells that ran: their functions may read global names.
        rest: Sources of the cells that are still to run, in order.
    """
    left = set(names)
    for source in before:
        tree = parsed(source)
        for node in ast.walk(tree or ast.Module(body=[], type_ignores=[])):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                read = sorted(left & names_of_function(node).read.keys())
                if read:
                    return read[0]
    for source in rest:
        if not left:
            return ""
        tree = parsed(source)
        if tree is None:
            found = left & set(re.findall(r"\w+", source))
            if found:
                return min(found)
            continue
        order = _Order(left)
        for statement in tree.body:
            order.visit(statement)
            if order.read is not None:
                return order.read
    # A name that is never read is harmless; random numbers that are not reseeded are not.
    seeds = sorted(left & {f"{module}.seed" for module in RANDOM})
    return seeds[0] if seeds else ""


class _Order(ast.NodeVisitor):
    """Follows the order of evaluation and drops from `left` names bound before they are read."""

    def __init__(self, left: set[str]) -> None:
        self._left = left
        self.read: str | None = None

    def visit(self, node: ast.AST) -> None:
        if self.read is None:
            super().visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in self._left:
            if isinstance(node.ctx, ast.Store):
                self._left.discard(node.id)
            else:
                self.read = node.id

    def visit_Assign(self, node: ast.Assign) -> None:
        self._all(node.value, *node.targets)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._all(node.value, node.target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        if isinstance(node.target, ast.Name) and node.target.id in self._left:
            self.read = node.target.id
        self.visit(node.target)

    def visit_For(self, node: ast.For) -> None:
        self._all(node.iter, node.target, *node.body, *node.orelse)

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        before = set(self._left)
        for statement in node.body:
            self.visit(statement)
        after_body = set(self._left)
        self._left.clear()
        self._left |= before
        for statement in node.orelse:
            self.visit(statement)
        self._left |= after_body

    def visit_Import(self, node: ast.Import) -> None:
        self._left -= names(node).changed

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self._left -= names(node).changed

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._all(*node.decorator_list, *node.args.defaults)
        self._inner(names_of_function(node).read.keys())
        self._left.discard(node.name)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._inner(names_of_function(node).read.keys())

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._all(*node.decorator_list, *node.bases, *node.body)
        self._left.discard(node.name)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node, node.elt)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._comprehension(node, node.elt)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node, node.elt)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node, node.key, node.value)

    def visit_Call(self, node: ast.Call) -> None:
        text = ast.unparse(node.func)
        for module in RANDOM:
            seed = f"{module}.seed"
            if seed in self._left and _is_seed(text, module):
                self._left.discard(seed)
        self.generic_visit(node)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, *parts: ast.expr
    ) -> None:
        for generator in node.generators:
            self.visit(generator.iter)
        own = names([generator.target for generator in node.generators]).bound
        tests = [test for generator in node.generators for test in generator.ifs]
        self._inner(names([*parts, *tests]).read.keys() - own.keys())

    def _inner(self, read: AbstractSet[str]) -> None:
        found = self._left & read
        if found and self.read is None:
            self.read = min(found)

    def _all(self, *nodes: ast.AST) -> None:
        for node in nodes:
            self.visit(node)


def _is_seed(text: str, module: str) -> bool:
    """Return whether `np.random.seed` or `random.seed` is called, under its usual names."""
    if module == "random":
        return text == "random.seed"
    return text in ("np.random.seed", "numpy.random.seed")
