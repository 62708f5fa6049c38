"""Whether code reads a file that was there before the run, or only writes it anew.

In doubt it reads it: an unknown path may be any file's.
"""

from __future__ import annotations

import ast
import posixpath
from enum import Enum
from fnmatch import fnmatch

from mle_modernizer_server.code import calls
from mle_modernizer_server.code.expressions import called_name, keyword, literal
from mle_modernizer_server.code.ipython import escapes, is_python, parsed_cells
from mle_modernizer_server.code.paths import UNKNOWN, PathReader
from mle_modernizer_server.domain.execution import CellStatus, Execution
from mle_modernizer_server.domain.notebook import Notebook

_ANEW = frozenset({"w", "wb", "wt", "x", "xb", "xt"})
_PRINTING = frozenset({"print", "join", "len", "sorted", "format", "input"}) | calls.NAME_LISTERS
"""A loop that calls nothing else only shows which files there are."""
_READERS = ("read_", "load", "open", "copy", "genfromtxt", "fromfile", "scan_")


class FileUse(Enum):
    """How code uses a file."""

    NONE = "none"
    READ = "read"
    """It may read a file from before the run."""
    WRITTEN = "written"
    """It writes the file anew before it could read it."""


def file_use(notebook: Notebook, execution: Execution, name: str) -> FileUse:
    """Return how a notebook's code used a file in a run.

    Args:
        notebook: The notebook that ran.
        execution: The run: a cell that did not succeed may have left its file unwritten.
        name: The file's name, without its folder.
    """
    succeeded = {run.cell_id for run in execution.cells if run.status is CellStatus.OK}
    cells = notebook.code_cells()
    trees = parsed_cells(cell.source for cell in cells)
    search = _Search(PathReader(trees, latest=True), name)
    use = FileUse.NONE
    for cell, tree in zip(cells, trees, strict=True):
        lines = [escape.text for escape in escapes(cell.source)] if is_python(cell.source) else []
        if tree is None:
            lines = [cell.source]
        if any(name in line for line in lines):
            return FileUse.READ
        for statement in () if tree is None else tree.body:
            found = search.use(statement)
            if found is FileUse.READ:
                return found
            if found is FileUse.WRITTEN and use is FileUse.NONE:
                if cell.id in succeeded and isinstance(statement, (ast.Expr, ast.With)):
                    return found
                return FileUse.READ  # it is not certain that it was written
    return use


class _Search:
    """Search for uses of files of one name in statements."""

    def __init__(self, reader: PathReader, name: str) -> None:
        self._text = reader.text
        self._name = name

    def use(self, statement: ast.stmt) -> FileUse:
        """Return how a statement uses the file; reading counts more than writing."""
        if _only_prints(statement):
            return FileUse.NONE
        written: set[int] = set()
        use = FileUse.NONE
        for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
            path = _written_path(call)
            if path is not None and self._is_meant(self._text(path)):
                written |= {id(node) for node in ast.walk(path)}
                use = FileUse.WRITTEN
        bound = _bound_path(statement)
        for node in ast.walk(statement):
            if id(node) in written:
                continue
            if isinstance(node, ast.Call) and self._may_read_any(node):
                return FileUse.READ
            if bound is None and isinstance(node, ast.expr) and self._names_it(node):
                return FileUse.READ
        return use

    def _names_it(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return self._name in str(node.value)
        return _is_path(node) and self._is_meant(self._text(node))

    def _is_meant(self, text: str | None) -> bool:
        last = posixpath.basename((text or "").replace("\\", "/"))
        return bool(last.strip(f"{UNKNOWN}.")) and fnmatch(self._name, last)

    def _may_read_any(self, call: ast.Call) -> bool:
        """Return whether a call reads a file of unknown name, or has unknown effects."""
        name = called_name(call)
        if name in calls.NAME_LISTERS or name in calls.HIDDEN:
            return True
        if not name.startswith(_READERS) or not call.args or _written_path(call) is not None:
            return False
        text = self._text(call.args[0])
        last = posixpath.basename((text or UNKNOWN).replace("\\", "/"))
        return not last.strip(f"{UNKNOWN}.")


def _only_prints(statement: ast.stmt) -> bool:
    """Return whether a statement does no more than show which files there are."""
    nodes = list(ast.walk(statement))
    if any(isinstance(node, (ast.Assign, ast.AugAssign, ast.Yield)) for node in nodes):
        return False
    names = {called_name(node) for node in nodes if isinstance(node, ast.Call)}
    return "print" in names and names <= _PRINTING


def _written_path(call: ast.Call) -> ast.expr | None:
    """Return the path that a call writes anew; None if it writes none, or may read it."""
    name = called_name(call)
    if name == "open":
        modes = [*call.args[1:2], keyword(call, "mode")]
        anew = any(literal(mode) in _ANEW for mode in modes)
    else:
        anew = name in calls.CSV_WRITERS and keyword(call, "mode") is None
    if not anew:
        return None
    return next(iter(call.args), None) or keyword(call, "path_or_buf") or keyword(call, "file")


def _bound_path(statement: ast.stmt) -> ast.expr | None:
    """Return the path that a statement only binds to a name; None for any other statement."""
    if isinstance(statement, ast.Assign) and all(
        isinstance(target, ast.Name) for target in statement.targets
    ):
        value = statement.value
        if not _is_path(value):
            return None
        called_names = {called_name(node) for node in ast.walk(value) if isinstance(node, ast.Call)}
        return value if called_names <= {"join", "format", "Path", "joinpath"} else None
    return None


def _is_path(node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        return isinstance(node.ctx, ast.Load)
    return isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call))
