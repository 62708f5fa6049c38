"""One form for code that means the same, so that only what differs in meaning is compared."""

from __future__ import annotations

import ast

from mle_modernizer_server.code.ipython import parse_python
from mle_modernizer_server.fixing.integrity.equal_forms import trains_against_rest, with_equal_forms

_INDEXERS = frozenset({"loc", "ix", "at", "iloc", "iat"})


def canonical_pair(old: ast.Module, new: ast.Module) -> tuple[ast.Module, ast.Module]:
    """Return the canonical forms of two versions of a cell, see `canonical`.

    `solver="liblinear"` stays if only the new version trains one class against the rest: it was
    the default of scikit-learn before 0.22, so that the new version pins it.
    """
    pins = not trains_against_rest(old)
    return canonical(old), canonical(new, pins_solver=pins)


def canonical(tree: ast.Module, *, pins_solver: bool = False) -> ast.Module:
    """Return the tree with one form for the ways to write into a part of a column.

    `df["T"][i] = v`, `df.T[i] = v` (of a column that is written so elsewhere), `df.ix[i, "T"] = v`,
    `df.at[i, "T"] = v` and `df.set_value(i, "T", v)` all become `df.loc[i, "T"] = v`; see
    https://pandas.pydata.org/docs/user_guide/copy_on_write.html#chained-assignment. The tree
    handed in is not changed. What documented changes made of an argument or a type has one form
    as well, see `equal_forms.py`.
    """
    copied = parse_python("")
    copied.body = [_copy(node) for node in tree.body]
    changed = with_equal_forms(_Canonical().visit(copied), pins_solver=pins_solver)
    return ast.fix_missing_locations(changed)


def _copy(node: ast.stmt) -> ast.stmt:
    copied = _Copier().visit(node)
    assert isinstance(copied, ast.stmt)
    return copied


class _Copier(ast.NodeTransformer):
    """Copies a tree; `copy.deepcopy` is several times slower."""

    def visit(self, node: ast.AST) -> ast.AST:
        fields = {name: self._field(value) for name, value in ast.iter_fields(node)}
        return ast.copy_location(type(node)(**fields), node)

    def _field(self, value: object) -> object:
        if isinstance(value, ast.AST):
            return self.visit(value)
        if isinstance(value, list):
            return [self._field(item) for item in value]
        return value


class _Canonical(ast.NodeTransformer):
    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        node.targets = [_located(target) for target in node.targets]
        written = _set_value(node.value)
        if written is not None:
            return ast.copy_location(written, node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        target = _located(node.target)
        if isinstance(target, ast.Subscript):
            node.target = target
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        written = _set_value(node.value)
        return node if written is None else ast.copy_location(written, node)


def _located(target: ast.expr) -> ast.expr:
    """`df["T"][i]`, `df["T"].iloc[i]`, `df.ix[i, "T"]` as `df.loc[i, "T"]`."""
    if not isinstance(target, ast.Subscript):
        return target
    owner = target.value
    if isinstance(owner, ast.Attribute) and owner.attr in _INDEXERS:
        if isinstance(owner.value, ast.Subscript) and _is_text(owner.value.slice):
            owner = owner.value  # df["T"].loc[i]
        elif isinstance(target.slice, ast.Tuple):
            return _loc(owner.value, target.slice.elts[0], target.slice.elts[-1], target)
    if isinstance(owner, ast.Subscript) and _is_text(owner.slice):
        return _loc(owner.value, target.slice, owner.slice, target)
    if isinstance(owner, ast.Attribute) and owner.attr not in _INDEXERS | {"values", "environ"}:
        column = ast.copy_location(ast.Constant(owner.attr), owner)
        return _loc(owner.value, target.slice, column, target)
    return target


def _loc(owner: ast.expr, rows: ast.expr, column: ast.expr, at: ast.expr) -> ast.Subscript:
    loc = ast.Attribute(owner, "loc", ast.Load())
    key = ast.Tuple([rows, column], ast.Load())
    return ast.copy_location(ast.Subscript(loc, key, ast.Store()), at)


def _set_value(node: ast.expr) -> ast.Assign | None:
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "set_value"
        and len(node.args) == 3
    ):
        target = _loc(node.func.value, node.args[0], node.args[1], node)
        return ast.Assign([target], node.args[2])
    return None


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
