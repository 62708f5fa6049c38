"""Bindings, changes and reads of each statement of a notebook, including its own functions'.

In doubt a statement changes an object: a method that no table names, an argument of a function of
unknown origin, `exec`. Objects have several names: `e = d`, `for t in [d, e]`, `tables['a'] = d`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mle_modernizer_server.code import calls
from mle_modernizer_server.code.expressions import called_name, full_name, function_name, imported
from mle_modernizer_server.code.names import Function, names, names_of_function
from mle_modernizer_server.code.paths import path_argument, written_path


@dataclass(frozen=True)
class _Relation:
    """Relation of an expression to the object of a name.

    Attributes:
        direct: The expression is the object, or a part of it; otherwise it only contains that.
        whole: It is all of the object.
    """

    direct: bool = True
    whole: bool = True

    def __or__(self, other: _Relation) -> _Relation:
        return _Relation(self.direct or other.direct, self.whole or other.whole)


Roots = dict[str, _Relation]
"""Names whose objects an expression may be, contain or be a part of."""
_SAME = _Relation()
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPED = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_PARAMETER = "@"
"""Begins the root that represents a parameter of a function; its position follows."""
_FILE = "file:"
"""Begins the root that represents a file, which a later statement may read."""
_TURNS = 3
"""Passes over the bodies of functions that call each other."""


@dataclass
class Effects:
    """Effects of some code.

    Attributes:
        changed: Names that it binds, deletes, or whose objects it changes; files as `file:name`.
        read: Names and files that it reads.
        submits: Whether it writes a file of rows.
        unsure: Whether it may change anything.
        star: Whether it binds all names of a module.
    """

    changed: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    submits: bool = False
    unsure: bool = False
    star: bool = False

    @property
    def names(self) -> frozenset[str]:
        """Return the changed names, without files."""
        return frozenset(name for name in self.changed if name.isidentifier())

    def add(self, other: Effects) -> None:
        """Add the effects of other code."""
        self.changed |= other.changed
        self.read |= other.read
        self.submits |= other.submits
        self.unsure |= other.unsure


@dataclass
class _Summary(Effects):
    """Effects of a call of a function: `changed` has `@0` for its first parameter."""

    returned: set[str] = field(default_factory=set)
    """Parameters that it may return."""


@dataclass(frozen=True)
class Statement:
    """A statement of a notebook.

    Attributes:
        node: Its tree; None for a cell that is no Python.
        made: Names that it binds anew, independent of their earlier values.
        effects: Its effects.
        inner: The statements in it, if it is compound, with its head as the first.
    """

    node: ast.stmt | None
    made: frozenset[str]
    effects: Effects
    inner: tuple[Statement, ...] = ()


def statements(trees: Iterable[ast.Module]) -> list[list[Statement]]:
    """Return the statements of a notebook's cells, by cell.

    Args:
        trees: Of the cells, in order.
    """
    cells = list(trees)
    notebook = _Notebook(cells)
    return [[notebook.statement(node) for node in tree.body] for tree in cells]


class _Notebook:
    """The functions and modules of a notebook, and the objects that its names share."""

    def __init__(self, trees: Sequence[ast.Module]) -> None:
        self.functions: dict[str, list[Function | ast.ClassDef]] = {}
        self.methods: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        self.modules: dict[str, str] = {}
        self.imported: dict[str, str] = {}
        self.shares: dict[str, Roots] = {}
        self._summaries: dict[str, _Summary] = {}
        for tree in trees:
            for node in ast.walk(tree):
                self._define(node)
        for tree in trees:
            for node in ast.walk(tree):
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
                    same = self.functions.get(node.value.id, [])
                    for target in node.targets:
                        if same and isinstance(target, ast.Name):
                            self.functions.setdefault(target.id, []).extend(same)
        keys = [*self.functions, *(f".{name}" for name in self.methods)]
        for _ in range(_TURNS):
            before = {key: (set(one.changed), one.unsure) for key, one in self._summaries.items()}
            for key in keys:
                self._summaries[key] = self._summarize(key)
            if before == {k: (one.changed, one.unsure) for k, one in self._summaries.items()}:
                break

    def _define(self, node: ast.AST) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.functions.setdefault(node.name, []).append(node)
            for one in _methods(node) if isinstance(node, ast.ClassDef) else ():
                self.methods.setdefault(one.name, []).append(one)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.functions.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.Import):
            self.modules |= imported(node)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            own = dict.fromkeys(imported(node), node.module)
            self.imported |= own
            if self.is_known(node.module):
                self.modules |= own  # modules, or objects that nothing changes

    def summary(self, name: str) -> _Summary | None:
        """Return the effects of a call of a function; of a method for `.name`. None if unknown."""
        if name not in self.functions and name[1:] not in self.methods:
            return None
        return self._summaries.get(name, _Summary())

    def is_known(self, module: str) -> bool:
        """Return whether functions of a module leave their arguments unchanged."""
        root = module.partition(".")[0]
        return root in calls.LIBRARIES or root in sys.stdlib_module_names

    def _summarize(self, key: str) -> _Summary:
        found = _Summary()
        own = self.methods[key[1:]] if key.startswith(".") else self.functions[key]
        for node in own:
            part = self._class(node) if isinstance(node, ast.ClassDef) else self._body(node)
            found.add(part)
            found.returned |= part.returned
        return found

    def _class(self, node: ast.ClassDef) -> _Summary:
        """Return the effects of making an object: its methods may run, unseen, at any time."""
        found = _Summary()
        for one in _methods(node):
            body = self._body(one)
            found.add(body)
            found.changed -= {name for name in body.changed if name.startswith(_PARAMETER)}
            if one.name == "__init__":
                found.changed |= {
                    f"{_PARAMETER}{int(name[1:]) - 1}" if name[1:].isdigit() else name
                    for name in body.changed
                    if name.startswith(_PARAMETER) and name != f"{_PARAMETER}0"
                }
        return found

    def _body(self, node: Function) -> _Summary:
        own = names_of_function(node)
        local: dict[str, Roots] = {name: {} for name in own.bound}
        local.update({name: {f"{_PARAMETER}{at}": _SAME} for at, name in enumerate(own.own)})
        for star in (node.args.vararg, node.args.kwarg):
            if star is not None:
                local[star.arg] = {f"{_PARAMETER}*": _SAME}
        reader = _Reader(self, local)
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        for _ in range(2):  # the names of its objects are complete after the first pass
            for part in body:
                reader.visit_safely(part)
        found = _Summary(set(own.outer), set(own.read))
        found.add(reader.effects)
        results = [node.body] if isinstance(node, ast.Lambda) else _results(node)
        found.returned = {
            root for one in results for root in reader.roots(one) if root.startswith(_PARAMETER)
        }
        return found

    def statement(self, node: ast.stmt) -> Statement:
        """Return a statement at the top level of a cell, and note the objects it names."""
        whole = self._part([node], node)
        inner = tuple(self._inner(node)) if blocks(node) else ()
        if not inner and isinstance(node, (ast.Assign, ast.AnnAssign)):
            self._rebind(node)
        return Statement(node, _made(node, whole.read), whole, inner)

    def _inner(self, node: ast.stmt) -> Iterator[Statement]:
        yield Statement(node, frozenset(), self._part(head(node), node))
        for one in blocks(node):
            if blocks(one):
                yield from self._inner(one)
            else:
                yield Statement(one, frozenset(), self._part([one], one))

    def _part(self, nodes: Sequence[ast.AST], statement: ast.stmt) -> Effects:
        """Return the effects of a statement, or of its head."""
        own = names(nodes)
        found = Effects(set(own.changed), set(own.read) | set(own.deleted), star=own.star)
        if isinstance(statement, _FUNCTIONS):
            # the reads and changes of its body belong to its calls
            body = names_of_function(statement).read
            found.read = {n for n, at in own.read.items() if len(at) > len(body.get(n, ()))}
        reader = _Reader(self, {})
        for node in nodes:
            reader.visit_safely(node)
        found.add(reader.effects)
        if isinstance(statement, ast.ClassDef):
            found.read -= set().union(*(names_of_function(f).read for f in _methods(statement)))
        return found

    def _rebind(self, node: ast.Assign | ast.AnnAssign) -> None:
        """Forget the earlier objects of names that are bound anew."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if not isinstance(target, ast.Name) or node.value is None:
                continue
            roots = _Reader(self, {}).roots(node.value)
            earlier = self.shares.pop(target.id, {})
            for name, other in self.shares.items():
                if target.id in other and target.id not in roots:
                    del other[target.id]
                    _join(other, {one: how for one, how in earlier.items() if one != name})
            self.shares[target.id] = {n: how for n, how in roots.items() if n != target.id}


class _Reader:
    """Collector of the changes of some code.

    Args:
        notebook: The functions around it.
        local: Objects of the names that are its own.
    """

    def __init__(self, notebook: _Notebook, local: dict[str, Roots]) -> None:
        self._notebook = notebook
        self._local = local
        self.effects = Effects()

    def visit_safely(self, node: ast.AST) -> None:
        """Visit a node; code that nests too deeply may change anything that it names."""
        try:
            self._visit(node)
        except RecursionError:
            own = names(node)
            self.effects.changed |= own.changed | set(own.read)

    def roots(self, node: ast.AST | None) -> Roots:
        """Return the names whose objects an expression may be, contain or be a part of."""
        if isinstance(node, ast.Name):
            if node.id in self._local:
                return self._local[node.id]
            return {**self._notebook.shares.get(node.id, {}), node.id: _SAME}
        if isinstance(node, ast.Attribute):
            return {} if node.attr in calls.VALUES else _accessed(self.roots(node.value))
        if isinstance(node, ast.Subscript):
            if isinstance(node.slice, ast.Slice):  # another list of the same objects
                return _held(_accessed(self.roots(node.value)))
            return {} if _selects(node.slice) else _accessed(self.roots(node.value))
        if isinstance(node, ast.Call):
            return self._roots_of_call(node)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return _held(self._roots_of(node.elts))
        if isinstance(node, ast.Dict):
            return _held(self._roots_of(node.values))
        if isinstance(node, (ast.IfExp, ast.BoolOp)):
            parts = node.values if isinstance(node, ast.BoolOp) else (node.body, node.orelse)
            return self._roots_of(parts)
        if isinstance(node, (ast.NamedExpr, ast.Starred, ast.Await)):
            return self.roots(node.value)
        if isinstance(node, _SCOPED):
            inner = self._within(node)
            return _held(inner.roots(node.value if isinstance(node, ast.DictComp) else node.elt))
        return {}

    def _roots_of(self, nodes: Iterable[ast.AST]) -> Roots:
        found: Roots = {}
        for node in nodes:
            _join(found, self.roots(node))
        return found

    def _roots_of_call(self, node: ast.Call) -> Roots:
        name = function_name(node.func)
        given = _arguments(node)
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        summary = self._notebook.summary(name) if receiver is None else None
        if summary is not None:
            if any(isinstance(f, ast.ClassDef) for f in self._notebook.functions.get(name, ())):
                return _held(self._roots_of(given))
            return self._roots_of(self._passed(node, summary.returned))
        if name in calls.OPENERS and (written := written_path(node)) is not None:
            return {_file(written): _SAME}
        if receiver is None or self._is_module(receiver):
            return self._roots_of(given) if name in calls.SHARING else {}
        pure = name in calls.METHODS - calls.VIEWS and name not in self._notebook.methods
        return {} if pure else _accessed(self.roots(receiver))

    def _visit(self, node: ast.AST) -> None:
        if isinstance(node, _FUNCTIONS):
            decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
            for default in (*decorators, *node.args.defaults, *node.args.kw_defaults):
                if default is not None:
                    self._visit(default)
            return
        if isinstance(node, _SCOPED):
            inner = self._within(node)
            for part in ast.iter_child_nodes(node):
                inner._visit(part)
            self.effects.add(inner.effects)
            return
        self._name_objects(node)
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            if not isinstance(node.ctx, ast.Load):
                self._store(node)
        elif isinstance(node, ast.AugAssign):
            self._change(self.roots(node.target))
        elif isinstance(node, ast.Name):
            self._refer(node)
        elif isinstance(node, ast.Call):
            self._call(node)
        for part in ast.iter_child_nodes(node):
            self._visit(part)

    def _name_objects(self, node: ast.AST) -> None:
        """Note the objects that a node binds names to."""
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._share(target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            self._share(node.target, node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            for name in names(node.target).bound:
                self._note(name, _accessed(self.roots(node.iter)))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._share(node.optional_vars, node.context_expr)
        elif isinstance(node, ast.Match):
            for name in names([case.pattern for case in node.cases]).bound:
                self._note(name, _accessed(self.roots(node.subject)))

    def _within(self, node: ast.AST) -> _Reader:
        """Return a reader for the inside of a comprehension."""
        inner = _Reader(self._notebook, dict(self._local))
        for one in ast.iter_child_nodes(node):
            if isinstance(one, ast.comprehension):
                for name in names(one.target).bound:
                    inner._local[name] = _accessed(inner.roots(one.iter))
        return inner

    def _share(self, target: ast.AST, value: ast.AST | None) -> None:
        """Note that names may have the objects of an expression."""
        if isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            pairs = zip(target.elts, values, strict=False)
            for one, part in pairs if len(values) == len(target.elts) else ():
                self._share(one, part)
            if len(values) != len(target.elts):
                for name in names(target).bound:
                    self._note(name, _accessed(self.roots(value)))
        elif isinstance(target, ast.Starred):
            self._share(target.value, value)
        elif isinstance(target, ast.Name):
            self._note(target.id, self.roots(value))
        elif isinstance(target, (ast.Attribute, ast.Subscript)):
            for name, how in self.roots(target.value).items():
                if how.direct:
                    self._note(name, _held(self.roots(value)))

    def _note(self, name: str, roots: Roots) -> None:
        local = name in self._local
        kept = {
            root: how
            for root, how in roots.items()
            if root != name and (local or not root.startswith(_PARAMETER))
        }
        if local or not name.startswith(_PARAMETER):
            _join(self._local[name] if local else self._notebook.shares.setdefault(name, {}), kept)

    def _change(self, roots: Roots) -> None:
        """Note a change of the objects themselves, not of those they contain."""
        for root, how in roots.items():
            if how.direct:
                self._change_root(root, parts=not how.whole)

    def _change_all(self, roots: Iterable[str]) -> None:
        """Note a change of the objects, or of those they contain or are a part of."""
        for root in roots:
            self._change_root(root, parts=True)

    def _change_root(self, root: str, *, parts: bool) -> None:
        """Note a change of a name's object, and of all that have or contain it.

        Args:
            root: The name.
            parts: Whether a part of it is changed that another name may have.
        """
        waiting, known = [root], {root}
        while waiting:
            one = waiting.pop()
            if one not in self._notebook.modules:
                self.effects.changed.add(one)
                more = {
                    name
                    for name, of in self._notebook.shares.items()
                    if one in of and (parts or of[one].whole)
                }
                waiting += more - known
                known |= more

    def _store(self, node: ast.Attribute | ast.Subscript) -> None:
        holder = node.value
        if called_name(holder) in ("globals", "locals", "vars"):
            key = node.slice if isinstance(node, ast.Subscript) else None
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                self.effects.changed.add(key.value)
            else:
                self.effects.unsure = True
            return
        self._change(self.roots(holder))

    def _refer(self, node: ast.Name) -> None:
        """Take a function of the notebook's own that is named: it may be called."""
        summary = self._notebook.summary(node.id) if node.id not in self._local else None
        if summary is not None and isinstance(node.ctx, ast.Load):
            self._effects(summary)

    def _effects(self, summary: _Summary) -> None:
        for name in summary.changed:
            if name.startswith(_FILE):
                self.effects.changed.add(name)
            elif not name.startswith(_PARAMETER):
                self._change({**self._notebook.shares.get(name, {}), name: _SAME})
        self.effects.read |= summary.read
        self.effects.submits |= summary.submits
        self.effects.unsure |= summary.unsure

    def _call(self, node: ast.Call) -> None:
        name, given = function_name(node.func), _arguments(node)
        if name in calls.UNSURE or (name == "update" and _is_namespace(node.func)):
            self.effects.unsure = True
        self.effects.submits |= _submits(node)
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        self._files(node, name)
        self._callbacks(given, receiver)
        if any(item.arg == "out" for item in node.keywords):
            self._change_all(
                self._roots_of(item.value for item in node.keywords if item.arg == "out")
            )
        if isinstance(node.func, ast.Name):
            self._named(name, node, given)
        elif isinstance(node.func, ast.Lambda):
            self._inside(node.func, self._roots_of(given))
        elif receiver is None:
            self._change_all(self._roots_of(given))  # a function out of a list, or made by another
        elif self._is_module(receiver):
            module = self._notebook.modules.get(_first(receiver), _first(receiver))
            if name in calls.CHANGES_ARGUMENTS or not self._notebook.is_known(module):
                self._change_all(self._roots_of(given))
        else:
            self._method(name, node, receiver, given)

    def _files(self, node: ast.Call, name: str) -> None:
        """Take the file that a call reads or writes as an object of that name."""
        file = _file(path_argument(node))
        written = written_path(node)
        if written is not None:
            self.effects.changed.add(_file(written))
            self._change(self.roots(written))  # an open file
        elif name in calls.READERS | calls.LOADERS | calls.OPENERS:
            self.effects.read.add(file)

    def _named(self, name: str, node: ast.Call, given: list[ast.expr]) -> None:
        summary = self._notebook.summary(name) if name not in self._local else None
        if summary is not None:
            positions = {one for one in summary.changed if one.startswith(_PARAMETER)}
            self._change_all(self._roots_of(self._passed(node, positions)))
            return
        if name in calls.CHANGES_ARGUMENTS:
            first = given[:1] if name in ("setattr", "delattr", "next") else given
            self._change_all(self._roots_of(first))
            return
        module = self._notebook.imported.get(name)
        pure = name in calls.BUILTINS or name[:1].isupper() or name in calls.LOOKS
        pure = pure or name.startswith(calls.DISPLAY_BEGINNINGS) or name in calls.SHARING
        if not pure and (module is None or not self._notebook.is_known(module)):
            self._change_all(self._roots_of(given))

    def _method(self, name: str, node: ast.Call, receiver: ast.expr, given: list[ast.expr]) -> None:
        in_place = any(
            item.arg == "inplace"
            and not (isinstance(item.value, ast.Constant) and not item.value.value)
            for item in node.keywords
        )
        own = self._notebook.summary(f".{name}")
        if own is not None:
            self._effects(own)
            bound = ast.Call(func=node.func, args=[receiver, *node.args], keywords=node.keywords)
            positions = {one for one in own.changed if one.startswith(_PARAMETER)}
            self._change_all(self._roots_of(self._passed(bound, positions)))
        if name in calls.FILLS:
            for root in self.roots(receiver):
                self._note(root, _held(self._roots_of(given)))
        if name in calls.CHANGES_ARGUMENTS:
            self._change_all(self._roots_of(given))
        doubtful = name in calls.CONTAINER_CHANGES
        pure = name in calls.LOOKS or name[:1].isupper() or name in calls.CSV_WRITERS
        if in_place or doubtful or not pure:
            self._change(self.roots(receiver))

    def _callbacks(self, given: list[ast.expr], receiver: ast.expr | None) -> None:
        """Take arguments that are functions: they may get all others, and parts of the receiver."""
        others = [one for one in given if not isinstance(one, ast.Lambda)]
        objects = self._roots_of([*others, *([] if receiver is None else [receiver])])
        for one in given:
            if isinstance(one, ast.Lambda):
                self._inside(one, objects)
            elif isinstance(one, ast.Name) and one.id not in self._local:
                summary = self._notebook.summary(one.id)
                if summary and any(name.startswith(_PARAMETER) for name in summary.changed):
                    self._change_all(objects)

    def _inside(self, function: ast.Lambda, objects: Roots) -> None:
        """Visit a function that is called with some objects."""
        given = _accessed(objects)
        inner = _Reader(self._notebook, dict(self._local))
        inner._local.update({one.arg: dict(given) for one in _parameters(function)})
        inner._visit(function.body)
        self.effects.add(inner.effects)

    def _passed(self, node: ast.Call, positions: set[str]) -> list[ast.expr]:
        """Return the arguments at some positions of a function; all if that is not known."""
        starred = any(isinstance(arg, ast.Starred) for arg in node.args)
        starred = starred or any(item.arg is None for item in node.keywords)
        if not positions or starred or f"{_PARAMETER}*" in positions:
            return _arguments(node) if positions else []
        wanted = {int(one[1:]) for one in positions}
        found = [arg for at, arg in enumerate(node.args) if at in wanted]
        return found + [item.value for item in node.keywords]

    def _is_module(self, node: ast.AST) -> bool:
        return _first(node) in self._notebook.modules and _first(node) not in self._local


def _file(path: ast.expr | None) -> str:
    """Return the name that represents a file: its own, or the code of its path."""
    text = path.value if isinstance(path, ast.Constant) else None
    if isinstance(text, str):
        return _FILE + text.replace("\\", "/").rpartition("/")[2]
    return _FILE + ("" if path is None else ast.unparse(path))


def _accessed(roots: Roots) -> Roots:
    """Return the relations of a part of an expression, or of what it contains."""
    return {name: _Relation(True, how.whole and not how.direct) for name, how in roots.items()}


def _held(roots: Roots) -> Roots:
    """Return the relations of an object that contains an expression's value."""
    return {name: _Relation(False, how.whole) for name, how in roots.items()}


def _join(roots: Roots, more: Roots) -> None:
    for name, how in more.items():
        roots[name] = roots[name] | how if name in roots else how


def _first(node: ast.AST) -> str:
    """Return the name that a dotted name begins with; "" for other expressions."""
    return full_name(node).partition(".")[0]


def _arguments(node: ast.Call) -> list[ast.expr]:
    given = [arg.value if isinstance(arg, ast.Starred) else arg for arg in node.args]
    return [*given, *(item.value for item in node.keywords)]


def _parameters(node: Function) -> list[ast.arg]:
    return [one for one in ast.walk(node.args) if isinstance(one, ast.arg)]


def _selects(key: ast.AST) -> bool:
    """Return whether an index makes a new object: a list or a condition."""
    return isinstance(key, (ast.List, ast.Compare, ast.BinOp, ast.BoolOp))


def _is_namespace(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and called_name(node.value) in ("globals", "locals")


def _submits(node: ast.Call) -> bool:
    """Return whether a call writes a file of rows, or opens one to write it."""
    name = function_name(node.func)
    if name in calls.CSV_WRITERS:
        return isinstance(node.func, ast.Attribute) or name == "savetxt"
    if name in ("writer", "DictWriter"):
        return _first(node.func) in ("csv", name)
    return name in calls.OPENERS and written_path(node) is not None


def _results(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    found = (node for node in ast.walk(function) if isinstance(node, (ast.Return, ast.Yield)))
    return [node.value for node in found if node.value is not None]


def _methods(node: ast.ClassDef) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [one for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]


def blocks(node: ast.stmt) -> list[ast.stmt]:
    """Return the statements of a compound statement's blocks; none of a definition."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return []
    found: list[ast.stmt] = list(getattr(node, "body", ()))
    for case in getattr(node, "cases", ()):
        found += case.body
    for handler in getattr(node, "handlers", ()):
        found += handler.body
    return [*found, *getattr(node, "orelse", ()), *getattr(node, "finalbody", ())]


def head(node: ast.stmt) -> list[ast.AST]:
    """Return the parts of a compound statement besides its blocks."""
    inside = {id(one) for one in blocks(node)}
    return [
        one
        for one in ast.iter_child_nodes(node)
        if id(one) not in inside and not isinstance(one, (ast.ExceptHandler, ast.match_case))
    ]


def _made(node: ast.stmt, read: set[str]) -> frozenset[str]:
    """Return the names that a statement binds anew, independent of their earlier values."""
    simple = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    if isinstance(node, (*simple, ast.Assign)):
        return frozenset(names(node).bound) - read
    return frozenset()
