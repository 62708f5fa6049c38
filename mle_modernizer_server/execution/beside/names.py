"""The paths, patterns and modules that code names, found without running it.

A path is a literal, or put together from literals: an f-string, `+`, `%`, `.format`,
`os.path.join`, `Path(…) / …`, a variable that is bound to such a value once. What is not known
becomes `*`.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mle_modernizer_server.domain.cell_source import cell_magic, escapes, is_python, parsed

_LONGEST = 300
_LONGEST_LINE = 10_000
_MOST = 5_000
"""Paths looked at; a notebook that names more has them made up."""
_DEEPEST = 20
_UNKNOWN = "*"
_SHELL_CELLS = frozenset({"bash", "sh", "system", "sx"})
_CHDIR = re.compile(r"^%?cd\s+(?P<folder>\S+)\s*$")
_WRITERS = frozenset(
    {
        *("to_csv", "to_pickle", "to_json", "to_parquet", "to_feather", "to_hdf", "to_excel"),
        *("savefig", "save", "save_weights", "save_model", "savez", "savez_compressed", "savetxt"),
        *("imsave", "imwrite", "write_html", "write_image"),
    }
)
"""Methods and functions whose first argument is a path they write."""
_DUMPERS = frozenset({"dump"})
"""The second one is: `joblib.dump(model, path)`."""
_MAKERS = frozenset({"mkdir", "makedirs"})
_JOINERS = frozenset({"join", "joinpath", "format"})


@dataclass
class Named:
    """What code names.

    Attributes:
        paths: Paths and glob patterns as written, relative or absolute.
        modules: Top-level names of the modules it imports.
        folders: Folders it writes files into and does not make itself.
        bases: Folders it makes the current one, by a literal.
    """

    paths: dict[str, None] = field(default_factory=dict)
    modules: dict[str, None] = field(default_factory=dict)
    folders: dict[str, None] = field(default_factory=dict)
    bases: dict[str, None] = field(default_factory=dict)


def find_named(sources: Iterable[str]) -> Named:
    """Return what code names.

    Args:
        sources: Of code cells, or of Python files; what cannot be parsed names nothing.
    """
    cells = list(sources)
    reader = _Reader()
    trees = [tree for source in cells if (tree := parsed(source)) is not None]
    for tree in trees:
        reader.bind(tree)
    for tree in trees:
        reader.read(tree)
    for source in cells:
        for line in _shell_lines(source):
            reader.read_shell(line)
    named = reader.named
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
    def __init__(self) -> None:
        self.named = Named()
        self.written: dict[str, None] = {}
        self.made: set[str] = set()
        self.makes_unknown = False
        self._values: dict[str, str | None] = {}

    def bind(self, tree: ast.Module) -> None:
        """Note the names that are bound once, to a text; a second value makes one unknown."""
        for node in ast.walk(tree):
            targets: list[ast.expr] = []
            value: ast.expr | None = None
            if isinstance(node, ast.Assign):
                targets, value = node.targets, node.value
            elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For)):
                targets = [node.target]
                value = node.value if isinstance(node, ast.AnnAssign) else None
            for name in targets:
                for target in ast.walk(name):
                    if isinstance(target, ast.Name):
                        text = self._text(value) if value is not None and target is name else None
                        again = target.id in self._values and self._values[target.id] != text
                        self._values[target.id] = None if again else text

    def read(self, tree: ast.Module) -> None:
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
                self._add(self._text(node))
            elif isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                self._add(self._text(node))

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

    def _add(self, text: str | None) -> None:
        if text is None or not 0 < len(text) <= _LONGEST or len(self.named.paths) >= _MOST:
            return
        if "\n" in text or "\0" in text or "://" in text or not text.strip("*./ "):
            return
        self.named.paths[text.strip()] = None

    def _call(self, node: ast.Call) -> None:
        name = _called(node)
        first = self._text(node.args[0]) if node.args else None
        if name == "chdir" and first:
            self.named.bases[first] = None
        elif name in _MAKERS:
            own = first
            if isinstance(node.func, ast.Attribute) and own is None:
                own = self._text(node.func.value)  # Path("out").mkdir()
            if own is None:
                self.makes_unknown = True
            else:
                self.made.add(_normal(own))
        elif name in _WRITERS:
            self._writes(first)
        elif name in _DUMPERS and len(node.args) > 1:
            self._writes(self._text(node.args[1]))
        elif name == "open" and first:
            mode = node.args[1] if len(node.args) > 1 else None
            mode = next((item.value for item in node.keywords if item.arg == "mode"), mode)
            if isinstance(mode, ast.Constant) and set(str(mode.value)) & set("wax"):
                self._writes(first)

    def _writes(self, path: str | None) -> None:
        folder = _normal(path).rpartition("/")[0] if path else ""
        if folder and _UNKNOWN not in folder and not folder.startswith(("/", "..", "~")):
            self.written[folder] = None

    def _text(self, node: ast.expr, depth: int = 0) -> str | None:
        """The text of an expression, `*` for unknown parts; None where nothing of it is known."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            return self._values.get(node.id)
        if isinstance(node, ast.JoinedStr):
            parts = [self._piece(part, depth) for part in node.values]
            return _known("".join(parts))
        if isinstance(node, ast.BinOp):
            return self._operation(node, depth)
        if isinstance(node, ast.Call):
            return self._composed(node, depth)
        return None

    def _piece(self, node: ast.expr, depth: int) -> str:
        inner = node.value if isinstance(node, ast.FormattedValue) else node
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            return _UNKNOWN
        return self._text(inner, depth + 1) or _UNKNOWN

    def _operation(self, node: ast.BinOp, depth: int) -> str | None:
        left = self._text(node.left, depth + 1)
        if isinstance(node.op, ast.Mod) and left is not None:
            return re.sub(r"%[-#0 +]*\d*(?:\.\d+)?[sdifrxeg]", _UNKNOWN, left)
        right = self._text(node.right, depth + 1)
        if isinstance(node.op, ast.Add):
            return _known((left or _UNKNOWN) + (right or _UNKNOWN))
        if isinstance(node.op, ast.Div) and right is not None:
            return _join([left or ".", right])
        return None

    def _composed(self, node: ast.Call, depth: int) -> str | None:
        name = _called(node)
        if name == "format" and isinstance(node.func, ast.Attribute):
            text = self._text(node.func.value, depth + 1)
            return None if text is None else re.sub(r"\{[^{}]*\}", _UNKNOWN, text)
        if name in ("join", "joinpath", "Path", "PurePath", "PosixPath") and node.args:
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            if name == "join" and not (isinstance(owner, ast.Attribute) or _is_path_module(owner)):
                return None  # "".join(…)
            parts = [self._text(part, depth + 1) for part in node.args]
            if name == "joinpath" and owner is not None:
                parts.insert(0, self._text(owner, depth + 1))
            if parts[0] is None:
                parts = parts[1:]  # an unknown folder: most often the notebook's own
            return _join([part or _UNKNOWN for part in parts]) if any(parts) else None
        if name in ("abspath", "realpath", "expanduser", "normpath", "str", "fspath", "resolve"):
            return self._text(node.args[0], depth + 1) if node.args else None
        return None


def _parts(node: ast.AST) -> list[ast.expr]:
    """The literals an expression puts together."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.JoinedStr):
        parts = node.values
    elif isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, ast.Call) and _called(node) in _JOINERS:
        receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        parts = [*node.args, *receiver]
    return [part for part in parts if isinstance(part, ast.Constant)]


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _is_path_module(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Name) and node.id in ("path", "osp"))


def _join(parts: list[str]) -> str:
    joined = ""
    for part in parts:
        joined = part if part.startswith("/") or not joined else f"{joined.rstrip('/')}/{part}"
    return joined


def _known(text: str) -> str | None:
    return text if text.strip("*") else None


def _normal(path: str) -> str:
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    return ("/" if path.startswith("/") else "") + "/".join(parts)
