"""Reads, writes, folder listings and changes of the folder in a notebook's code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from mle_modernizer_server.child_process import check_wanted
from mle_modernizer_server.code import calls as facts
from mle_modernizer_server.code.expressions import called_name
from mle_modernizer_server.code.ipython import parsed_cells
from mle_modernizer_server.code.paths import (
    PathReader,
    Piece,
    Pieces,
    is_of,
    path_argument,
    text_of,
    written_path,
)
from mle_modernizer_server.domain.diagnosis import is_content
from mle_modernizer_server.domain.files import downloaded_name, seaborn_address
from mle_modernizer_server.domain.notebook import Cell, Notebook


class Role(str, Enum):
    """Kind of access to a path."""

    READ = "read"
    LIST = "list"
    WRITE = "write"
    CHDIR = "chdir"


@dataclass(frozen=True)
class Use:
    """A path in the code.

    Attributes:
        cell: Number of its code cell, from 0.
        role: The kind of access.
        pieces: Its parts.
        node: The expression.
        call: The call it is an argument of; None if only a run showed it.
        unpacks: Whether the reader takes a packed file by its suffix.
        written: Replacement of the expression if the file exists here: `{path}` and
            `{folder}` become literals. Empty if only the path is changed.
        varies: Whether the expression has other paths as well, in a loop over literals.
    """

    cell: int
    role: Role
    pieces: Pieces
    node: ast.expr
    call: ast.Call | None
    unpacks: bool = False
    written: str = ""
    varies: bool = False

    @property
    def text(self) -> str:
        """Return the path, with `/` between its parts."""
        return text_of(self.pieces).replace("\\", "/")

    @property
    def downloaded(self) -> str | None:
        """Return the file's name if the path is a web address; else empty."""
        return downloaded_name(self.text)


@dataclass(frozen=True)
class Code:
    """Parsed code cells of a notebook.

    Attributes:
        cells: The cells.
        trees: Of each; None if it is no Python.
        uses: The paths they use, in order.
    """

    cells: tuple[Cell, ...]
    trees: tuple[ast.Module | None, ...]
    uses: tuple[Use, ...]


def read_code(notebook: Notebook) -> Code:
    """Read the paths that a notebook's code uses; unknown parts are `*`."""
    return _read(notebook.run_cells())


@lru_cache(maxsize=2)
def _read(cells: tuple[Cell, ...]) -> Code:
    """Return the cached result: looking files up and relocating them ask one after the other."""
    trees = tuple(parsed_cells((cell.source for cell in cells), in_place=True))
    return Code(cells, trees, tuple(_uses(trees)))


def _uses(trees: Sequence[ast.Module | None]) -> Iterator[Use]:
    reader = PathReader(trees, latest=True)
    for number, tree in enumerate(trees):
        check_wanted()
        calls = [] if tree is None else [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
        yield from _responses(number, tree, reader)
        for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
            found = _use_of(call)
            if found is None:
                yield from _from_network(number, call, reader)
                continue
            role, node = found
            every = reader.alternatives(node)
            for pieces in every:
                if not any(piece.literal for piece in pieces):
                    continue
                text = text_of(pieces)
                above = role is Role.CHDIR and text == ".."
                if above or is_path(text) or (role is Role.READ and downloaded_name(text)):
                    unpacks, varies = called_name(call) in facts.UNPACKING, len(every) > 1
                    yield Use(number, role, pieces, node, call, unpacks, varies=varies)


_RESPONSES = {
    "content": "open({path}, 'rb').read()",
    "text": "open({path}, encoding='utf-8').read()",
}
"""Attributes of a response of `requests`, and the equal expression on a file."""


_OF_NO_CONTENT = frozenset({"timeout", "verify", "headers", "stream", "allow_redirects"})


def _from_network(cell: int, call: ast.Call, reader: PathReader) -> Iterator[Use]:
    """Return a call's read of the network without a path: seaborn's data sets, web addresses."""
    name, first = called_name(call), call.args[0] if call.args else None
    if first is None:
        return
    if name == "load_dataset" and is_of(call, "sns", "seaborn"):
        elsewhere = any(item.arg in ("data_home", None) for item in call.keywords)
        address = None
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and not elsewhere:
            address = seaborn_address(first.value)
        if address is not None:
            quote = repr(first.value) if isinstance(first, ast.Constant) else ""
            written = f"{quote}, data_home={{folder}}"
            yield Use(cell, Role.READ, (Piece(address),), first, call, written=written)
    elif name == "urlopen" and len(call.args) == 1 and not call.keywords:
        yield from _web(cell, first, call, reader, "open({path}, 'rb')")


def _responses(cell: int, tree: ast.Module | None, reader: PathReader) -> Iterator[Use]:
    """Return the use of `requests.get(address).content`."""
    for node in () if tree is None else ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Call):
            continue
        call = node.value
        gets = called_name(call) == "get" and is_of(call, "requests") and len(call.args) == 1
        gets = gets and all(item.arg in _OF_NO_CONTENT for item in call.keywords)
        if gets and node.attr in _RESPONSES:
            yield from _web(cell, call.args[0], node, reader, _RESPONSES[node.attr])


def _web(
    cell: int, address: ast.expr, node: ast.expr, reader: PathReader, written: str
) -> Iterator[Use]:
    pieces = reader.pieces(address)
    text = "" if pieces is None else text_of(pieces)
    if downloaded_name(text):
        yield Use(cell, Role.READ, (Piece(text),), node, None, written=written)


def is_path(text: str) -> bool:
    """Return whether a text may be a path: no address, no content, something of it known."""
    known = bool(text.strip("*./\\ ")) and "\n" not in text and "://" not in text
    return known and not is_content(text)


def _use_of(call: ast.Call) -> tuple[Role, ast.expr] | None:
    name = called_name(call)
    written = written_path(call)
    if written is not None:
        return Role.WRITE, written
    role = _role(call, name)
    if role is None:
        return None
    argument = path_argument(call)
    if argument is None and name == "open" and isinstance(call.func, ast.Attribute):
        argument = call.func.value  # Path("x").open()
    return None if argument is None else (role, argument)


def _role(call: ast.Call, name: str) -> Role | None:
    if name == "chdir":
        return Role.CHDIR
    if name in facts.UNPACKERS and call.args:
        return Role.WRITE
    if name in facts.OPENERS or (name in facts.LOADERS and is_of(call, *facts.LOADING_MODULES)):
        return Role.READ
    for names, role in ((facts.READERS, Role.READ), (facts.LISTERS, Role.LIST)):
        if name in names:
            return role
    return None
