"""Resolve path expressions in code: to their text, the literals it is built from, and the call
that writes it.

A path is a literal, or built from literals: an f-string, `+`, `%`, `.format`, `os.path.join`,
`Path(…) / …`, a variable that is bound to such a value; the working directory and the folders above
it are `.`, `..`. Unknown parts are `*`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mle_modernizer_server.code import calls

UNKNOWN = "*"
_DEEPEST = 20
_MOST = 2000
"""Largest number of expressions read for one path: each name may lead to many others."""
_PERCENT = re.compile(r"%[-#0 +]*\d*(?:\.\d+)?[sdifrxeg]")
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
            return self._of_name(node, depth)
        if isinstance(node, ast.JoinedStr):
            return _known(self._of_f_string(node, depth))
        if isinstance(node, ast.BinOp):
            return self._of_operation(node, depth)
        if isinstance(node, ast.Call):
            return self._of_call(node, depth)
        if isinstance(node, ast.Attribute) and node.attr == "parent":
            return _above(self.pieces(node.value, depth + 1))
        return None

    def text(self, node: ast.expr) -> str | None:
        """Return the path that an expression evaluates to as text; None if no part is known."""
        pieces = self.pieces(node)
        return None if pieces is None else text_of(pieces)

    def _own(self, tree: ast.Module, number: int) -> None:
        """Record the cell of each node and the bindings of the cell."""
        waiting: list[tuple[ast.AST, bool, frozenset[str]]] = [(tree, False, frozenset())]
        while waiting:
            node, nested, shadow = waiting.pop()
            self._owner[id(node)] = number
            if nested:
                self._nested.add(id(node))
            if isinstance(node, ast.Name) and node.id in shadow:
                self._shadowed.add(id(node))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                arguments = node.args
                names = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
                shadow = shadow | {one.arg for one in names}
            self._bind(node, number, nested)
            inner = nested or isinstance(
                node,
                (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.While, ast.If),
            )
            waiting += [(child, inner, shadow) for child in ast.iter_child_nodes(node)]

    def _bind(self, node: ast.AST, number: int, nested: bool) -> None:
        targets: list[ast.expr] = []
        value: ast.expr | None = None
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For)):
            targets = [node.target]
            value = node.value if isinstance(node, ast.AnnAssign) else None
        for target in targets:
            for name in ast.walk(target):
                if isinstance(name, ast.Name):
                    place = (number, name.lineno)
                    made = _Binding(place, value if name is target else None, nested)
                    self._bindings.setdefault(name.id, []).append(made)

    def _literal(self, node: ast.Constant | ast.JoinedStr) -> Literal | None:
        cell = self._owner.get(id(node))
        return None if cell is None else Literal(cell, node)

    def _of_name(self, node: ast.Name, depth: int) -> Pieces | None:
        bindings = self._bindings.get(node.id, [])
        if not bindings or id(node) in self._shadowed:
            return None
        chosen = self._binding(node, sorted(bindings, key=lambda one: one.place), depth)
        if chosen is None or chosen.value is None:
            return None
        return self.pieces(chosen.value, depth + 1)

    def _binding(self, node: ast.Name, bindings: list[_Binding], depth: int) -> _Binding | None:
        """Return the binding in effect at the use of a name; None if it is not known."""
        if len(bindings) == 1:
            return bindings[0]
        plain = not any(one.nested for one in bindings) and id(node) not in self._nested
        if self._latest and plain:
            here = (self._owner.get(id(node), 0), node.lineno)
            return next((one for one in reversed(bindings) if one.place < here), None)
        if node.id in self._asked:
            return None
        self._asked.add(node.id)
        texts = {
            None if one.value is None else _text(self.pieces(one.value, depth + 1))
            for one in bindings
        }
        self._asked.discard(node.id)
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
            given = next(values, None) if shown in ("%s", "{}") else named.get(shown.strip("{}"))
            if shown not in ("%s", "{}") and blank is _PERCENT:
                next(values, None)
            found = None if given is None else self.pieces(given, depth + 1)
            return found or (_NOT_KNOWN,)

        return tuple(part for piece in template for part in _parts(piece, blank, value))

    def _of_call(self, node: ast.Call, depth: int) -> Pieces | None:
        name = called(node)
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
            if name == "join" and not (isinstance(owner, ast.Attribute) or _is_path_module(owner)):
                return None  # "".join(…)
            parts = [self.pieces(part, depth + 1) for part in node.args]
            if name == "joinpath" and owner is not None:
                parts.insert(0, self.pieces(owner, depth + 1))
            if parts[0] is None:
                parts = parts[1:]  # an unknown folder: most often the notebook's own
            return _join([part or (_NOT_KNOWN,) for part in parts]) if any(parts) else None
        if name in _HERE or (name == "Path" and not node.args):
            return (Piece("."),)
        if name == "dirname" and node.args:
            return _above(self.pieces(node.args[0], depth + 1))
        if name in _SAME_PATH:
            return self.pieces(node.args[0], depth + 1) if node.args else None
        if name in ("resolve", "absolute", "expanduser") and owner is not None:
            return self.pieces(owner, depth + 1)
        return None


def text_of(pieces: Pieces) -> str:
    """Return the text of a path's parts."""
    return "".join(piece.text for piece in pieces)


def called(node: ast.Call) -> str:
    """Return the last part of the name of the called function; empty if it has no name."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


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
    name = called(call)
    if name == "open" or (name == "File" and is_of(call, "h5py")):
        mode = call.args[1] if len(call.args) > 1 else None
        mode = next((item.value for item in call.keywords if item.arg == "mode"), mode)
        writes = isinstance(mode, ast.Constant) and bool(set(str(mode.value)) & set("wax"))
        return path_argument(call) if writes else None
    modules = calls.WRITERS_OF_SECOND.get(name, frozenset())
    if modules is None or is_of(call, *modules):
        return path_argument(call, 1)
    return path_argument(call) if name in calls.WRITERS else None


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


def _is_path_module(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Name) and node.id in ("path", "osp"))
