"""Effects of a cell's statements and calls besides binding names; in doubt, there are some."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from mle_modernizer_server.code import calls as known
from mle_modernizer_server.code.expressions import (
    called_name,
    dotted,
    full_name,
    imported,
    root_name,
)
from mle_modernizer_server.code.names import names
from mle_modernizer_server.code.statements import blocks
from mle_modernizer_server.domain.message import Messages, coded

_DISPLAYS = (
    *(ast.Constant, ast.JoinedStr, ast.List, ast.Set, ast.Tuple, ast.Dict),
    *(ast.ListComp, ast.SetComp, ast.DictComp),
)
"""Expressions that create an object."""
_LARGEST_FUNCTION = 200
"""Statements of a function that are looked at."""


class Changed(Exception):
    """An object was changed, or may have been.

    Attributes:
        reason: The change, as the rest of a sentence that begins with the cell.
    """

    def __init__(self, reason: Messages) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Names:
    """Meanings of the notebook's names.

    Attributes:
        imported: Dotted path by name.
        defined: The notebook's own functions.
        assigned: All names it binds otherwise, which may hide a builtin.
        once: Iterators, generators, open files.
        own: The notebook's own functions, classes and their objects.
    """

    imported: dict[str, str] = field(default_factory=dict)
    defined: dict[str, ast.FunctionDef] = field(default_factory=dict)
    assigned: frozenset[str] = frozenset()
    once: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()

    @classmethod
    def of(cls, trees: Iterable[ast.Module], *, once: frozenset[str], own: frozenset[str]) -> Names:
        """Read from the cells' syntax trees."""
        paths: dict[str, str] = {}
        defined: dict[str, ast.FunctionDef] = {}
        assigned: set[str] = set()
        for tree in trees:
            for node in ast.walk(tree):
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    paths |= imported(node)
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    assigned.add(node.id)
            defined.update(
                {item.name: item for item in tree.body if isinstance(item, ast.FunctionDef)}
            )
        return cls(paths, defined, frozenset(assigned), once, own)

    def path(self, node: ast.expr) -> str | None:
        """Return the dotted path of a library's attribute; None if it is none."""
        first = full_name(node).partition(".")[0]
        known = first in self.imported and first not in self.assigned
        return dotted(node, self.imported) if known else None


class Calls:
    """Reads executed statements in order, and stores the names they bind.

    Attributes:
        bound: Names bound so far.
    """

    def __init__(self, names: Names, *, within: tuple[str, ...] = ()) -> None:
        self.bound: set[str] = set()
        self._names = names
        self._within = within
        self._new: set[str] = set()
        self._seeded: set[str] = set()
        self._random: set[str] = set()

    def statement(self, statement: ast.stmt) -> None:
        """Read an executed statement.

        Raises:
            Changed: It changed more than the meaning of its names.
        """
        if isinstance(statement, ast.Assign):
            self._assign(statement.targets, statement.value)
        elif isinstance(statement, ast.AnnAssign):
            if statement.value is not None:
                self._assign([statement.target], statement.value)
        elif isinstance(statement, ast.AugAssign):
            self.expression(statement.value)
            self._change(statement.target)
        elif isinstance(statement, ast.Delete):
            self._delete(statement)
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            self._import(statement)
        elif isinstance(statement, ast.FunctionDef):
            self._definition(statement)
        elif isinstance(statement, (ast.Expr, ast.Return)):
            if statement.value is not None:
                self._evaluated(statement.value)
        elif isinstance(statement, (ast.Pass, ast.Break, ast.Continue)):
            return
        elif isinstance(statement, (ast.If, ast.While, ast.For, ast.With, ast.Try)):
            self._block(statement)
        else:
            raise Changed(coded("effect.ran", text=_text(statement)))

    def _delete(self, statement: ast.Delete) -> None:
        for target in statement.targets:
            if not isinstance(target, ast.Name) or target.id not in self.bound:
                raise Changed(coded("effect.deleted", name=_text(target)))

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        if any(alias.name == "*" for alias in statement.names):
            raise Changed(coded("effect.imported"))
        self.bound |= names(statement).changed

    def _block(self, statement: ast.If | ast.While | ast.For | ast.With | ast.Try) -> None:
        if isinstance(statement, ast.With):
            for item in statement.items:
                self.expression(item.context_expr)
                if item.optional_vars is not None:
                    self._bind(item.optional_vars)
        elif isinstance(statement, ast.For):
            self.expression(statement.iter)
            self._bind(statement.target)
        elif isinstance(statement, (ast.If, ast.While)):
            self.expression(statement.test)
        for inner in blocks(statement):
            self.statement(inner)
        self.bound |= names(statement).changed

    def expression(self, node: ast.expr) -> None:
        """Read one that was evaluated.

        Raises:
            Changed: It may have changed something.
        """
        if isinstance(node, ast.Call):
            self._call(node)
            return
        if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom)):
            raise Changed(coded("effect.waited"))
        if isinstance(node, ast.NamedExpr):
            self._assign([node.target], node.value)
            return
        if isinstance(node, ast.Name) and node.id in self._names.once:
            raise Changed(coded("effect.read-once", name=node.id))
        self._parts(node)
        for one in getattr(node, "generators", ()):
            for part in (one.iter, *one.ifs):
                self.expression(part)

    def _parts(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child)

    def entered(self, node: ast.Call) -> None:
        """Read a call that was entered and failed within.

        Raises:
            Changed: It may have changed something until then.
        """
        self._call(node, failed=True)

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        self.expression(value)
        for target in targets:
            self._bind(target)
            if isinstance(target, ast.Name):
                self._new.discard(target.id)
                self._seeded.discard(target.id)
                if self._is_new(value):
                    self._new.add(target.id)
                if self._is_seeded(value):
                    self._seeded.add(target.id)

    def _bind(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.bound.add(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self._bind(part)
        elif isinstance(target, ast.Starred):
            self._bind(target.value)
        else:
            self._parts(target)
            self._change(target)

    def _change(self, target: ast.expr) -> None:
        """Check an in-place change of a target: allowed if this cell created the object."""
        root = root_name(target, calls=True)
        if root not in self._new:
            raise Changed(coded("effect.changed", name=root or _text(target)))

    def _is_new(self, value: ast.expr) -> bool:
        """Return whether an expression creates an object that shares nothing with earlier ones."""
        if isinstance(value, ast.Call):
            shallow = any(keyword.arg in ("deep", "copy") for keyword in value.keywords)
            return called_name(value) in known.BUILDING and not shallow
        return isinstance(value, _DISPLAYS)

    def _is_seeded(self, value: ast.expr) -> bool:
        """Return whether it creates an estimator that learns the same again."""
        if not isinstance(value, ast.Call):
            return False
        path = self._names.path(value.func) or ""
        last = path.rpartition(".")[2]
        return _known(path) and (last in known.UNSEEDED or (last[:1].isupper() and _seeded(value)))

    def _evaluated(self, value: ast.expr) -> None:
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            path = self._names.path(value.func) or ""
            module, _, last = path.rpartition(".")
            constant = value.args and all(isinstance(arg, ast.Constant) for arg in value.args)
            if constant and last == "seed" and module in known.RANDOM:
                self._random.add(module)
                self.bound.add(path)  # no name: it has to be seeded again, see `liveness.py`
                return
        self.expression(value)

    def _definition(self, node: ast.FunctionDef) -> None:
        arguments = node.args
        defaults = [*arguments.defaults, *(item for item in arguments.kw_defaults if item)]
        for part in (*node.decorator_list, *defaults):
            self.expression(part)
        self.bound.add(node.name)

    def _call(self, node: ast.Call, *, failed: bool = False) -> None:
        if not failed:
            for part in (*node.args, *(keyword.value for keyword in node.keywords)):
                self._argument(part)
        function = node.func
        path = self._names.path(function)
        if path is not None:
            self._library(path, node)
        elif isinstance(function, ast.Name):
            self._named(function.id)
        elif isinstance(function, ast.Attribute):
            if not failed:
                self.expression(function.value)
            self._method(function, node, failed=failed)
        else:
            raise Changed(coded("effect.called", name=_text(function)))

    def _argument(self, node: ast.expr) -> None:
        """Read an argument, which may be a function that is called."""
        if isinstance(node, ast.Name) and node.id in self._names.defined:
            self._named(node.id)
            return
        if isinstance(node, ast.Lambda):
            self.expression(node.body)
            return
        self.expression(node)

    def _named(self, name: str) -> None:
        function = self._names.defined.get(name)
        if function is not None:
            self._function(function)
        elif name in self._names.assigned or name in self._names.own or name not in known.BUILTINS:
            raise Changed(coded("effect.called-unknown", name=name))

    def _function(self, function: ast.FunctionDef) -> None:
        """Read the body of one of the notebook's own functions; its parameters are not its own."""
        if function.name in self._within:
            return
        if function.decorator_list or len(list(ast.walk(function))) > 40 * _LARGEST_FUNCTION:
            raise Changed(coded("effect.called-unread", name=function.name))
        inside = Calls(self._names, within=(*self._within, function.name))
        try:
            for statement in function.body:
                inside.statement(statement)
        except Changed as changed:
            why = coded("effect.called-which", name=function.name, effect=changed.reason)
            raise Changed(why) from None

    def _library(self, path: str, node: ast.Call) -> None:
        module, _, last = path.rpartition(".")
        if module in known.RANDOM and last not in known.GENERATORS:
            if module not in self._random:
                raise Changed(coded("effect.random"))
            return
        of_system = path.startswith("os.") and module != "os.path" and last not in known.OS
        if of_system or not _known(path) or last in known.CHANGING_FUNCTIONS:
            raise Changed(coded("effect.called", name=_text(node.func)))
        if last in (known.SEEDED_FUNCTIONS | known.GENERATORS) and not _seeded(node):
            raise Changed(coded("effect.random"))

    def _method(self, function: ast.Attribute, node: ast.Call, *, failed: bool) -> None:
        root, name = root_name(function.value, calls=True), function.attr
        if root in self._names.own:
            raise Changed(coded("effect.called", name=_text(function)))
        if any(keyword.arg in ("inplace", "out") for keyword in node.keywords):
            if not failed or name not in known.METHODS:  # pandas sets the new values last
                self._change(function.value)
        elif name in known.SEEDED_FUNCTIONS:
            if not _seeded(node):
                raise Changed(coded("effect.random"))
        elif name in known.RESETTING and isinstance(function.value, ast.Name):
            if function.value.id not in self._seeded:
                raise Changed(coded("effect.trained", name=function.value.id))
        elif name in known.RESETTING and self._is_seeded(function.value):
            return
        elif name in known.METHODS and not (name == "insert" or name == "update"):
            if name in ("add", "pop") or (name == "index" and not node.args):
                self._change(function.value)
        elif name in known.CONTAINER_CHANGES:
            self._change(function.value)
        else:
            raise Changed(coded("effect.called", name=_text(function)))


def _known(path: str) -> bool:
    first = path.partition(".")[0]
    return first in known.MODULES or path.rpartition(".")[0] in known.MODULES


def _seeded(node: ast.Call) -> bool:
    """Return whether a call has a seed that is the same every time."""
    given = [keyword.value for keyword in node.keywords if keyword.arg in known.SEEDS]
    callee = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if callee in ("RandomState", "default_rng", "Random"):
        given += node.args[:1]
    return any(isinstance(value, ast.Constant) and value.value is not None for value in given)


def _text(node: ast.AST) -> str:
    text = ast.unparse(node).partition("\n")[0]
    return text if len(text) <= 60 else f"{text[:59]}…"
