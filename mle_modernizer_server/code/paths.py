"""Resolve path expressions in code: to their text, the literals it is built from, and the call
that writes it.

A path is a literal, or built from literals: an f-string, `+`, `%`, `.format`, `'/'.join`,
`os.path.join`, `Path(…) / …`, a variable, attribute or item of a dict that is bound to such a
value, the variable of a loop over literals; the working directory and the folders above it are
`.`, `..`. Unknown parts are `*`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from mle_modernizer_server.code import calls
from mle_modernizer_server.code.expressions import called_name, full_name, keyword, literal, targets

UNKNOWN = "*"
_DEEPEST = 20
_MOST = 2000
"""Largest number of expressions read for one path: each name may lead to many others."""
_PERCENT = re.compile(r"%[-#0 +]*\d*(?:\.\d+)?[sdifrxeg]")
_MOST_ALTERNATIVES = 50
"""Largest number of paths that one expression in loops may have."""
_NAMED_PERCENT = re.compile(r"%\((\w+)\)[sdifrxeg]")
_BRACES = re.compile(r"\{[^{}]*\}")
_SAME_PATH = frozenset({"abspath", "realpath", "expanduser", "normpath", "str", "fspath"})
_HERE = frozenset({"getcwd", "getcwdu", "cwd"})
_DOTS = re.compile(r"\.{1,2}(?:/\.\.)*")
"""The working directory, and the folders above it."""
_PATH_CLASSES = frozenset({"Path", "PurePath", "PosixPath", "WindowsPath", "PureWindowsPath"})


@dataclass(frozen=True)
class Literal:
    """A string literal, or an f-string, in a cell.

    Attributes:
        cell: Index of its tree in the reader, from 0.
        node: Its syntax node.
    """

    cell: int
    node: ast.Constant | ast.JoinedStr


@dataclass(frozen=True)
class Piece:
    """A part of a path.

    Attributes:
        text: Its text; `*` if unknown.
        literal: Literal that contains it; None if unknown or implicit (the slash that `join`
            inserts between two parts).
        start: Offset in the literal's text at which it begins.
    """

    text: str
    literal: Literal | None = None
    start: int = 0


Pieces = tuple[Piece, ...]
_NOT_KNOWN = Piece(UNKNOWN)


@dataclass(frozen=True)
class _Binding:
    place: tuple[int, int]
    value: ast.expr | None
    """None: not a stand-alone expression."""
    nested: bool
    """Within a function, a class, a loop or a condition."""
    each: ast.expr | None = None
    """The name is each item of this expression, or a part of each."""
    part: tuple[int, ...] = ()
    """Positions that lead to the name in an item that is unpacked."""


class PathReader:
    """Reads the paths of some cells or files, in order.

    Args:
        trees: Trees of the cells; None for a cell that cannot be parsed.
        latest: Use the last value assigned to a name before its use. Otherwise a name that is
            assigned two different values has none.
    """

    def __init__(self, trees: Sequence[ast.Module | None], *, latest: bool = False) -> None:
        self._latest = latest
        self._bindings: dict[str, list[_Binding]] = {}
        self._owner: dict[int, int] = {}
        self._shadowed: set[int] = set()
        self._nested: set[int] = set()
        self._local: dict[int, _Binding] = {}
        """Bindings of the names of comprehensions, by the node that reads them."""
        self._options: dict[int, Sequence[ast.expr]] = {}
        """Choices that the latest question met: items of a loop, by its identity."""
        self._chosen: dict[int, ast.expr] = {}
        self._asked: set[str] = set()
        self._left = _MOST
        for number, tree in enumerate(trees):
            if tree is not None:
                self._own(tree, number)

    def pieces(self, node: ast.expr, depth: int = 0) -> Pieces | None:
        """Return the parts of the path that an expression evaluates to; None if no part is
        known."""
        if depth == 0:
            self._left = _MOST
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            return None
        if isinstance(node, ast.Constant):
            return (
                (Piece(node.value, self._literal(node)),) if isinstance(node.value, str) else None
            )
        if isinstance(node, ast.Name):
            return self._of_name(node.id, node, depth)
        if isinstance(node, ast.Subscript):
            return self._of_item(node, depth)
        if isinstance(node, ast.JoinedStr):
            return _known(self._of_f_string(node, depth))
        if isinstance(node, ast.BinOp):
            return self._of_operation(node, depth)
        if isinstance(node, ast.Call):
            return self._of_call(node, depth)
        return self._of_attribute(node, depth) if isinstance(node, ast.Attribute) else None

    def alternatives(self, node: ast.expr) -> list[Pieces]:
        """Return the paths that an expression may evaluate to: several in a loop over literals."""
        self._options, self._chosen = {}, {}
        found = [self.pieces(node)]
        if self._options:
            met = dict(self._options)
            choices = islice(product(*met.values()), _MOST_ALTERNATIVES)
            found = []
            for choice in choices:
                self._chosen = dict(zip(met, choice, strict=True))
                found.append(self.pieces(node))
            self._chosen = {}
        by_text = {text_of(pieces): pieces for pieces in found if pieces is not None}
        return list(by_text.values())

    def texts(self, node: ast.expr) -> tuple[str, ...]:
        """Return the paths that an expression may evaluate to as texts."""
        return tuple(text_of(pieces) for pieces in self.alternatives(node))

    def text(self, node: ast.expr) -> str | None:
        """Return the path that an expression evaluates to as text; None if no part is known."""
        pieces = self.pieces(node)
        return None if pieces is None else text_of(pieces)

    def _own(self, tree: ast.Module, number: int) -> None:
        """Record the cell of each node and the bindings of the cell."""
        local: dict[str, _Binding] = {}
        waiting: list[tuple[ast.AST, bool, frozenset[str], dict[str, _Binding]]]
        waiting = [(tree, False, frozenset(), local)]
        while waiting:
            node, nested, shadow, local = waiting.pop()
            self._owner[id(node)] = number
            if nested:
                self._nested.add(id(node))
            if isinstance(node, ast.Name) and node.id in local:
                self._local[id(node)] = local[node.id]
            elif isinstance(node, ast.Name) and node.id in shadow:
                self._shadowed.add(id(node))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                arguments = node.args
                names = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
                shadow = shadow | {one.arg for one in names}
            for generator in getattr(node, "generators", ()):
                local = {**local, **dict(_each(generator.target, generator.iter, (number, 0)))}
            self._bind(node, number, nested)
            inner = nested or isinstance(
                node,
                (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.While, ast.If),
            )
            children = ast.iter_child_nodes(node)
            waiting += [(child, inner, shadow, local) for child in children]

    def _bind(self, node: ast.AST, number: int, nested: bool) -> None:
        if isinstance(node, ast.For):
            place = (number, node.lineno)
            for name, binding in _each(node.target, node.iter, place, nested=nested):
                self._bindings.setdefault(name, []).append(binding)
        elif isinstance(node, ast.ClassDef):
            for one in node.body:
                if isinstance(one, (ast.Assign, ast.AnnAssign)):
                    self._assign(one, number, nested, f"{node.name}.")
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            self._assign(node, number, nested)

    def _assign(
        self,
        node: ast.Assign | ast.AnnAssign | ast.AugAssign,
        number: int,
        nested: bool,
        owner: str = "",
    ) -> None:
        value = None if isinstance(node, ast.AugAssign) else node.value
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for part, bound in targets(target, value):
                if name := full_name(part):
                    made = _Binding((number, part.lineno), bound, nested)
                    self._bindings.setdefault(owner + name, []).append(made)

    def _literal(self, node: ast.Constant | ast.JoinedStr) -> Literal | None:
        cell = self._owner.get(id(node))
        return None if cell is None else Literal(cell, node)

    def _of_name(self, name: str, node: ast.expr, depth: int) -> Pieces | None:
        value = self._value(name, node, depth)
        return None if value is None else self.pieces(value, depth + 1)

    def _value(self, name: str, node: ast.expr, depth: int) -> ast.expr | None:
        """Return the expression that a name is bound to; None if it may be several."""
        chosen = self._local.get(id(node))
        if chosen is None:
            bindings = self._bindings.get(name, [])
            if not bindings or id(node) in self._shadowed:
                return None
            chosen = self._binding(name, node, sorted(bindings, key=lambda one: one.place), depth)
        if chosen is None or chosen.each is None:
            return None if chosen is None else chosen.value
        item = self._choice(chosen.each, self._items(chosen.each, depth + 1))
        for position in chosen.part:
            item = _element(item, position)
        return item

    def _choice(self, node: ast.expr, options: Sequence[ast.expr]) -> ast.expr | None:
        """Return the chosen option, or the only one; note several for `alternatives`."""
        if id(node) in self._chosen:
            return self._chosen[id(node)]
        if 1 < len(options) <= _MOST_ALTERNATIVES:
            self._options[id(node)] = options
        return options[0] if len(options) == 1 else None

    def _items(self, node: ast.expr, depth: int) -> Sequence[ast.expr]:
        """Return the expressions that a loop goes over; none if they are not written out."""
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            return ()
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return () if any(isinstance(one, ast.Starred) for one in node.elts) else node.elts
        if isinstance(node, ast.Dict):
            return [key for key in node.keys if key is not None]
        if isinstance(node, (ast.Name, ast.Attribute)):
            value = self._value(full_name(node), node, depth)
            return () if value is None else self._items(value, depth + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = (self._items(one, depth + 1) for one in (node.left, node.right))
            return [*left, *right] if left and right else ()
        return self._items_of_call(node, depth) if isinstance(node, ast.Call) else ()

    def _items_of_call(self, node: ast.Call, depth: int) -> Sequence[ast.expr]:
        name = called_name(node)
        if isinstance(node.func, ast.Attribute) and name in ("items", "keys", "values"):
            table = self._dict(node.func.value, depth)
            if name == "items":
                return [ast.Tuple(elts=[k, v], ctx=ast.Load()) for k, v in table]
            return [pair[name == "values"] for pair in table]
        lists = [self._items(one, depth + 1) for one in node.args]
        if name in ("enumerate", "zip") and lists:
            if name == "enumerate":
                lists.insert(0, [ast.Constant(value=at) for at in range(len(lists[0]))])
            rows = zip(*lists, strict=False)
            return [ast.Tuple(elts=list(row), ctx=ast.Load()) for row in rows]
        return lists[0] if name in ("list", "tuple", "sorted", "reversed", "set") and lists else ()

    def _dict(self, node: ast.expr, depth: int) -> list[tuple[ast.expr, ast.expr]]:
        """Return the keys and values of a dict that is written out."""
        if isinstance(node, (ast.Name, ast.Attribute)):
            value = self._value(full_name(node), node, depth)
            return [] if value is None or depth > _DEEPEST else self._dict(value, depth + 1)
        if isinstance(node, ast.Call) and called_name(node) == "dict" and not node.args:
            return [(ast.Constant(value=one.arg), one.value) for one in node.keywords if one.arg]
        if not isinstance(node, ast.Dict):
            return []
        return [(k, v) for k, v in zip(node.keys, node.values, strict=True) if k is not None]

    def _of_item(self, node: ast.Subscript, depth: int) -> Pieces | None:
        """Return the path of an item of a dict or list that is written out."""
        key, number = node.slice, literal(node.slice)
        item: ast.expr | None
        if isinstance(number, int):
            items = self._items(node.value, depth + 1)
            item = items[number] if -len(items) <= number < len(items) else None
        else:
            table = self._dict(node.value, depth + 1)
            wanted = self.pieces(key, depth + 1)
            text = None if wanted is None else text_of(wanted)
            same = [v for k, v in table if isinstance(k, ast.Constant) and k.value == text]
            item = same[-1] if same else self._choice(node, [v for _, v in table if text is None])
        return None if item is None else self.pieces(item, depth + 1)

    def _of_attribute(self, node: ast.Attribute, depth: int) -> Pieces | None:
        if node.attr == "parent":
            return _above(self.pieces(node.value, depth + 1))
        if node.attr == "sep" and full_name(node) in ("os.sep", "os.path.sep", "path.sep"):
            return (Piece("/"),)
        name = full_name(node)
        return self._of_name(name, node, depth) if name in self._bindings else None

    def _binding(
        self, name: str, node: ast.expr, bindings: list[_Binding], depth: int
    ) -> _Binding | None:
        """Return the binding in effect at the use of a name; None if it is not known."""
        if len(bindings) == 1:
            return bindings[0]
        plain = not any(one.nested for one in bindings) and id(node) not in self._nested
        if self._latest and plain:
            here = (self._owner.get(id(node), 0), node.lineno)
            return next((one for one in reversed(bindings) if one.place < here), None)
        if name in self._asked:
            return None
        self._asked.add(name)
        texts = {
            None if one.value is None else _text(self.pieces(one.value, depth + 1))
            for one in bindings
        }
        self._asked.discard(name)
        return bindings[0] if len(texts) == 1 else None

    def _of_f_string(self, node: ast.JoinedStr, depth: int) -> Pieces:
        pieces: list[Piece] = []
        own = self._literal(node)
        for part in node.values:
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                pieces.append(Piece(part.value, own))
            elif isinstance(part, ast.FormattedValue) and part.format_spec is None:
                pieces += self.pieces(part.value, depth + 1) or (_NOT_KNOWN,)
            else:
                pieces.append(_NOT_KNOWN)
        return tuple(pieces)

    def _of_operation(self, node: ast.BinOp, depth: int) -> Pieces | None:
        left = self.pieces(node.left, depth + 1)
        if isinstance(node.op, ast.Mod) and left is not None:
            if isinstance(node.right, ast.Dict):
                named = {str(getattr(k, "value", "")): v for k, v in self._dict(node.right, depth)}
                return self._filled(left, _NAMED_PERCENT, iter(()), named, depth)
            values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            return self._filled(left, _PERCENT, iter(values), {}, depth)
        right = self.pieces(node.right, depth + 1)
        if isinstance(node.op, ast.Add):
            return _known((*(left or (_NOT_KNOWN,)), *(right or (_NOT_KNOWN,))))
        if isinstance(node.op, ast.Div) and right is not None:
            return _join([left or (Piece("."),), right])
        return None

    def _filled(
        self,
        template: Pieces,
        blank: re.Pattern[str],
        values: Iterator[ast.expr],
        named: Mapping[str, ast.expr],
        depth: int,
    ) -> Pieces:
        """Return a template's parts with its blanks filled, `*` for unknown values."""

        def value(shown: str) -> Pieces:
            key = shown[2:-2] if blank is _NAMED_PERCENT else shown.strip("{}")
            given = next(values, None) if shown in ("%s", "{}") else named.get(key)
            if shown not in ("%s", "{}") and blank is _PERCENT:
                next(values, None)
            found = None if given is None else self.pieces(given, depth + 1)
            return found or (_NOT_KNOWN,)

        return tuple(part for piece in template for part in _parts(piece, blank, value))

    def _of_call(self, node: ast.Call, depth: int) -> Pieces | None:
        name = called_name(node)
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if name == "format" and owner is not None:
            text = self.pieces(owner, depth + 1)
            if text is None:
                return None
            if any(isinstance(value, ast.Starred) for value in node.args):
                return self._filled(text, _BRACES, iter(()), {}, depth)
            named = {one.arg: one.value for one in node.keywords if one.arg}
            named |= {str(number): value for number, value in enumerate(node.args)}
            return self._filled(text, _BRACES, iter(node.args), named, depth)
        if name in (*_PATH_CLASSES, "join", "joinpath") and node.args:
            return self._of_join(name, owner, node, depth)
        if name in _HERE or (name == "Path" and not node.args):
            return (Piece("."),)
        if name == "dirname" and node.args:
            return _above(self.pieces(node.args[0], depth + 1))
        if name in _SAME_PATH:
            return self.pieces(node.args[0], depth + 1) if node.args else None
        if name in ("resolve", "absolute", "expanduser") and owner is not None:
            return self.pieces(owner, depth + 1)
        return None

    def _of_join(
        self, name: str, owner: ast.expr | None, node: ast.Call, depth: int
    ) -> Pieces | None:
        between = None if owner is None else self.pieces(owner, depth + 1)
        if name == "join" and between is not None:
            return self._joined(between, node.args[0], depth)
        of_module = owner is None or full_name(owner) in ("path", "osp")
        if name == "join" and not (of_module or isinstance(owner, ast.Attribute)):
            return None
        parts = [self.pieces(part, depth + 1) for part in node.args]
        if name == "joinpath":
            parts.insert(0, between)
        if parts[0] is None:
            parts = parts[1:]  # an unknown folder: most often the notebook's own
        return _join([part or (_NOT_KNOWN,) for part in parts]) if any(parts) else None

    def _joined(self, between: Pieces, items: ast.expr, depth: int) -> Pieces | None:
        """Return the parts of `'/'.join([…])`."""
        found: list[Piece] = []
        for number, item in enumerate(self._items(items, depth + 1)):
            found += between if number else ()
            found += self.pieces(item, depth + 1) or (_NOT_KNOWN,)
        return _known(tuple(found)) if found else None


def text_of(pieces: Pieces) -> str:
    """Return the text of a path's parts."""
    return "".join(piece.text for piece in pieces)


def is_of(call: ast.Call, *modules: str) -> bool:
    """Return whether a function is called by the name of one of these modules."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id in modules


def path_argument(call: ast.Call, position: int = 0) -> ast.expr | None:
    """Return the argument at a position or the one named like a path; None if absent."""
    if len(call.args) > position:
        return call.args[position]
    return next((item.value for item in call.keywords if item.arg in calls.PATH_PARAMETERS), None)


def written_path(call: ast.Call) -> ast.expr | None:
    """Return the expression of the path that a call writes; None if it writes none."""
    name = called_name(call)
    if name == "open" or (name == "File" and is_of(call, "h5py")):
        mode = literal(keyword(call, "mode") or next(iter(call.args[1:]), None))
        writes = isinstance(mode, str) and bool(set(mode) & set("wax"))
        return path_argument(call) if writes else None
    modules = calls.WRITERS_OF_SECOND.get(name, frozenset())
    if modules is None or is_of(call, *modules):
        return path_argument(call, 1)
    return path_argument(call) if name in calls.WRITERS else None


def _each(
    target: ast.expr,
    items: ast.expr,
    place: tuple[int, int],
    part: tuple[int, ...] = (),
    *,
    nested: bool = False,
) -> Iterator[tuple[str, _Binding]]:
    """Yield the names of a loop's target with their bindings."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for position, one in enumerate(target.elts):
            yield from _each(one, items, place, (*part, position), nested=nested)
    elif isinstance(target, ast.Name):
        yield target.id, _Binding(place, None, nested, items, part)


def _element(node: ast.expr | None, position: int) -> ast.expr | None:
    """Return an element of a tuple or list that is written out."""
    if isinstance(node, (ast.Tuple, ast.List)) and position < len(node.elts):
        return node.elts[position]
    return None


def _text(pieces: Pieces | None) -> str | None:
    return None if pieces is None else text_of(pieces)


def _known(pieces: Pieces) -> Pieces | None:
    return pieces if text_of(pieces).strip(UNKNOWN) else None


def _parts(piece: Piece, blank: re.Pattern[str], value: Callable[[str], Pieces]) -> Iterator[Piece]:
    """Return the parts between a template's blanks and the values that fill the blanks."""
    position = 0
    for found in blank.finditer(piece.text):
        if found.start() > position:
            text = piece.text[position : found.start()]
            yield Piece(text, piece.literal, piece.start + position)
        yield from value(found[0])
        position = found.end()
    if position < len(piece.text) or not position:
        yield Piece(piece.text[position:], piece.literal, piece.start + position)


def _join(parts: list[Pieces]) -> Pieces:
    joined: Pieces = ()
    for part in parts:
        text = text_of(joined)
        if text in ("", ".") or text_of(part).startswith("/"):
            joined = part
        else:
            joined = (*joined, *(() if text.endswith("/") else (Piece("/"),)), *part)
    return joined


def _above(pieces: Pieces | None) -> Pieces | None:
    """Return the parent of the working directory or of one of its parents; None for other paths."""
    text = _text(pieces)
    if text == "__file__":
        return (Piece("."),)
    if text is None or not _DOTS.fullmatch(text):
        return None
    return (Piece(".." if text == "." else f"{text}/.."),)


def literals(trees: Sequence[ast.Module | None]) -> Iterator[tuple[str, Literal]]:
    """Yield the texts that some cells write out, with their places."""
    for number, tree in enumerate(trees):
        for node in () if tree is None else ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value, Literal(number, node)


def written_text(node: ast.expr) -> str | None:
    """Return the text of an expression without names: constants, sums, f-strings, joined paths.

    Unknown parts are `*`. None if no part is known.
    """
    return PathReader(()).text(node)


def texts_in(tree: ast.AST) -> list[tuple[str, int]]:
    """Return all texts that some code writes out, the outermost known form of each, with the
    line."""
    reader = PathReader(())
    texts: list[tuple[str, int]] = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        text = reader.text(node) if isinstance(node, ast.expr) else None
        if text is not None:
            texts.append((text, getattr(node, "lineno", 1)))
            if isinstance(node, ast.Constant):
                continue
        waiting.extend(ast.iter_child_nodes(node))
    return texts
