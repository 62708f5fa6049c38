"""The paths, patterns and modules that code names, found without running it."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mle_modernizer_server.code.calls import MAKERS, NAME_LISTERS
from mle_modernizer_server.code.expressions import called_name, keyword
from mle_modernizer_server.code.ipython import cell_magic, escapes, is_python, parsed_cells
from mle_modernizer_server.code.paths import UNKNOWN, PathReader, written_path
from mle_modernizer_server.code.python_path import python_path_folders
from mle_modernizer_server.domain.diagnosis import is_content

_LONGEST = 300
_LONGEST_LINE = 10_000
_MOST = 5_000
"""Paths looked at; a notebook that names more has them made up."""
_SHELL_CELLS = frozenset({"bash", "sh", "system", "sx"})
_CHDIR = re.compile(r"^%?cd\s+(?P<folder>\S+)\s*$")
_HERE = frozenset({"", ".", "./", "*", "./*", "*.*", "./*.*"})
_ENDING = re.compile(r"\.[A-Za-z]\w{0,5}")
_OF_DATA = (".csv", ".tsv", ".txt", ".dat", ".data", ".json", ".xls", ".xlsx", ".h5", ".parquet")
_JOINERS = frozenset({"join", "joinpath", "format"})


@dataclass
class Named:
    """Paths and modules that code names.

    Attributes:
        paths: Paths and glob patterns as written, relative or absolute.
        modules: Top-level names of the modules it imports.
        folders: Folders it writes files into and does not make itself.
        bases: Folders it makes the current one, by a literal.
        places: Folders it puts on Python's path, relative to the notebook's.
    """

    paths: dict[str, None] = field(default_factory=dict)
    modules: dict[str, None] = field(default_factory=dict)
    folders: dict[str, None] = field(default_factory=dict)
    bases: dict[str, None] = field(default_factory=dict)
    places: dict[str, None] = field(default_factory=dict)


def find_named(sources: Iterable[str]) -> Named:
    """Return the paths and modules that code names.

    Args:
        sources: Of code cells, or of Python files; those that cannot be parsed are skipped.
    """
    cells = list(sources)
    trees = [tree for tree in parsed_cells(cells) if tree is not None]
    reader = _Reader(PathReader(trees))
    for tree in trees:
        reader.read(tree)
    for source in cells:
        for line in _shell_lines(source):
            reader.read_shell(line)
    named = reader.named
    if reader.lists_here:
        for ending in reader.endings or dict.fromkeys(_OF_DATA):
            named.paths[f"*{ending}"] = None
    if not reader.makes_unknown:
        for folder in reader.written:
            made = any(folder == one or one.startswith(f"{folder}/") for one in reader.made)
            if not made:
                named.folders[folder] = None
    return named


def _shell_lines(source: str) -> Iterator[str]:
    if cell_magic(source) in _SHELL_CELLS:
        yield from source.split("\n")[1:]
    elif is_python(source):
        for escape in escapes(source):
            yield escape.text.lstrip("!")


class _Reader:
    def __init__(self, paths: PathReader) -> None:
        self.named = Named()
        self.written: dict[str, None] = {}
        self.made: set[str] = set()
        self.makes_unknown = False
        self.lists_here = False
        """It goes through the files of its folder, of which it may name none."""
        self.endings: dict[str, None] = {}
        """Of files, as it compares them."""
        self._text = paths.text
        self._texts = paths.texts

    def read(self, tree: ast.Module) -> None:
        self.named.places.update(dict.fromkeys(python_path_folders(tree, self._text)))
        parts = {id(part) for node in ast.walk(tree) for part in _parts(node)}
        for node in ast.walk(tree):
            if id(node) in parts:
                continue  # it is a part of a path, which is looked at as a whole
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.named.modules[alias.name.partition(".")[0]] = None
            elif isinstance(node, ast.ImportFrom):
                if node.module:
                    self.named.modules[node.module.partition(".")[0]] = None
                for alias in node.names if node.level else ():
                    self.named.modules[alias.name] = None
            elif isinstance(node, ast.Call):
                self._call(node)
                self._add_all(node)
                for argument in node.args[:1]:
                    if isinstance(argument, (ast.Name, ast.Subscript, ast.Attribute)):
                        self._add_all(argument)
            elif isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                self._add_all(node)

    def read_shell(self, line: str) -> None:
        if len(line) > _LONGEST_LINE:
            return
        if moved := _CHDIR.match(line.strip()):
            self.named.bases[moved["folder"].strip("'\"")] = None
        try:
            words = shlex.split(line, comments=True)
        except ValueError:  # an open quote
            words = line.split()
        if "mkdir" in words:
            self.made.update(_normal(word) for word in words[words.index("mkdir") + 1 :])
        for word in words:
            self._add(word)

    def _add_all(self, node: ast.expr) -> None:
        for text in self._texts(node):
            self._add(text)

    def _add(self, text: str | None) -> None:
        if text is None or not 0 < len(text) <= _LONGEST or len(self.named.paths) >= _MOST:
            return
        if "\n" in text or "\0" in text or "://" in text or not text.strip("*./ "):
            return
        if is_content(text):
            return
        self.named.paths[text.strip()] = None

    def _call(self, node: ast.Call) -> None:
        name = called_name(node)
        first = self._text(node.args[0]) if node.args else None
        if name == "chdir" and first:
            self.named.bases[first] = None
        elif name == "endswith" or name in NAME_LISTERS:
            self._listed(node, name, first)
        elif name in MAKERS:
            own = first
            if isinstance(node.func, ast.Attribute) and own is None:
                own = self._text(node.func.value)  # Path("out").mkdir()
            if own is None:
                self.makes_unknown = True
            else:
                self.made.add(_normal(own))
        elif name == "load_dataset" and first:  # of seaborn, which looks for a table there
            home = keyword(node, "data_home")
            folder = None if home is None else self._text(home)
            if folder:
                self._add(f"{folder}/{first}.csv")
        elif (written := written_path(node)) is not None:
            self._writes(self._text(written))

    def _listed(self, node: ast.Call, name: str, first: str | None) -> None:
        if name in NAME_LISTERS:
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            of_path = None if owner is None else self._text(owner)
            if of_path is not None or name == "iterdir":  # `Path(".").iterdir()`
                self.lists_here |= of_path in _HERE and (first is None or first in _HERE)
            else:
                self.lists_here |= not node.args or first in _HERE
            return
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and _ENDING.fullmatch(str(part.value)):
                self.endings[str(part.value)] = None

    def _writes(self, path: str | None) -> None:
        folder = _normal(path).rpartition("/")[0] if path else ""
        if folder and UNKNOWN not in folder and not folder.startswith(("/", "..", "~")):
            self.written[folder] = None


def _parts(node: ast.AST) -> list[ast.expr]:
    """Return the literals that an expression concatenates."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.JoinedStr):
        parts = node.values
    elif isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, ast.Call) and called_name(node) in _JOINERS:
        receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        parts = [*node.args, *receiver]
    return [part for part in parts if isinstance(part, ast.Constant)]


def _normal(path: str) -> str:
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    return ("/" if path.startswith("/") else "") + "/".join(parts)
