"""Backward slices: the cells that the submission, or a result, depends on.

A statement is in the slice if it binds or changes an object that a later one in the slice reads.
The effects of a failed cell before its error are not lost.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from mle_modernizer_server.code import calls
from mle_modernizer_server.code.effects import lost_effects
from mle_modernizer_server.code.ipython import parsed, python_only
from mle_modernizer_server.code.traceback import failed_line
from mle_modernizer_server.domain.execution import CellStatus, Execution
from mle_modernizer_server.domain.notebook import Notebook

_CSV = "|".join(sorted(calls.CSV_WRITERS))
_WRITES = re.compile(
    rf"\.(?:{_CSV})\s*\(|csv\.(?:Dict)?[wW]riter|open\s*\([^)]*['\"][wax]b?\+?t?['\"]"
)
_NAMES_ONE = re.compile(r"submi(?:ssion|t)\w*\.csv", re.IGNORECASE)
_PREDICTS = re.compile(r"\.(?:fit|predict)\w*\s*\(|submi(?:ssion|t)", re.IGNORECASE)
_PART_SET = re.compile(r"^\s*([A-Za-z_]\w*)[\[.][^=\n]*=(?!=)", re.MULTILINE)
_CALLED = re.compile(r"^\s*(?:\w+\s*=\s*)?([A-Za-z_]\w*)\.(\w+)\(", re.MULTILINE)


@dataclass(frozen=True)
class _Statement:
    """A statement of a code cell; a cell that is no Python 3 is one statement.

    Attributes:
        cell_id: Its cell.
        last: Its last line, from 1.
        text: Its source.
        bound: Names it binds or whose values it changes.
        made: Names it binds anew, independent of their earlier values.
        read: Names it reads.
        defines: The function it defines.
        calls: The functions it calls by their name.
    """

    cell_id: str
    last: int
    text: str
    bound: frozenset[str]
    made: frozenset[str]
    read: frozenset[str]
    defines: str = ""
    calls: frozenset[str] = field(default_factory=frozenset)


def failing_on_the_way(
    notebook: Notebook, execution: Execution, submission: str | None = None
) -> tuple[str, ...]:
    """Return ids of failed or skipped cells that the submission depends on, in order.

    Empty if no cell writes anything that looks like a submission.

    Args:
        notebook: The notebook that ran.
        execution: The run.
        submission: The file that was graded, if any.
    """
    failed = _failed(notebook, execution)
    if not failed:
        return ()
    statements = list(_statements(notebook))
    lost = {
        statement.cell_id
        for statement in _on_the_way(statements, _ends(statements, submission))
        if statement.cell_id in failed and statement.last >= (failed[statement.cell_id] or 0)
    }
    return tuple(cell.id for cell in notebook.code_cells() if cell.id in lost)


def changed_names(source: str) -> tuple[str, ...]:
    """Return the names a cell binds or whose values it changes in place; none if not Python 3.

    Functions, classes and modules that it binds are among them.
    """
    tree = parsed(source)
    if tree is None:
        return ()
    names = (name for statement in tree.body for name in sorted(_bound(statement)))
    return tuple(dict.fromkeys(name for name in names if name))


def code_on_the_way(notebook: Notebook) -> tuple[str, ...]:
    """Return the statements that the submission depends on, the last one first."""
    statements = list(_statements(notebook))
    return tuple(one.text for one in _on_the_way(statements, _ends(statements, None)))


def has_predictions(notebook: Notebook) -> bool:
    """Return whether code predicts something or writes or names a file to submit."""
    signs = (_WRITES, _NAMES_ONE, _PREDICTS)
    cells = notebook.code_cells()
    return any(sign.search(cell.source) for cell in cells for sign in signs)


def cells_behind(notebook: Notebook, cells: Collection[str]) -> frozenset[str]:
    """Return ids of the cells that the results of some cells depend on; those are among them.

    Args:
        notebook: The notebook that ran.
        cells: Ids of the cells whose results count.
    """
    statements = list(_statements(notebook))
    ends = {at for at, one in enumerate(statements) if one.cell_id in cells}
    return frozenset(one.cell_id for one in _on_the_way(statements, ends))


def _failed(notebook: Notebook, execution: Execution) -> dict[str, int | None]:
    """Return the cells that failed or did not run, with the failing line; None: no effect."""
    raised = {error.cell_id: error for error in execution.errors if error.raised}
    found: dict[str, int | None] = {}
    for run in execution.cells:
        cell = notebook.cell(run.cell_id)
        if run.status not in (CellStatus.OK, CellStatus.SKIPPED) and cell is not None:
            error = raised.get(run.cell_id)
            found[run.cell_id] = None if error is None else failed_line(error, cell.source)
    return found


def _on_the_way(statements: list[_Statement], ends: set[int]) -> Iterator[_Statement]:
    """Yield the statements at some places and those they depend on, the last one first."""
    needed: set[str] = set()
    for at in range(len(statements) - 1, -1, -1):
        statement = statements[at]
        if at in ends or statement.bound & needed:
            needed -= statement.made
            needed |= statement.read
            yield statement


def _ends(statements: list[_Statement], submission: str | None) -> set[int]:
    """Return the places of the statements that write the submission."""
    writers = {one.defines for one in statements if one.defines and _WRITES.search(one.text)}
    found = {
        at
        for at, one in enumerate(statements)
        if (not one.defines and _WRITES.search(one.text)) or one.calls & writers
    }
    stem = "" if submission is None else PurePosixPath(submission).name
    named = {at for at in found if stem and stem in statements[at].text}
    if named or found:
        return named or found
    return {at for at, one in enumerate(statements) if _NAMES_ONE.search(one.text)}


def _statements(notebook: Notebook) -> Iterator[_Statement]:
    cells = [(cell.id, cell.source, parsed(cell.source)) for cell in notebook.run_cells()]
    modules = {
        alias.asname or alias.name.partition(".")[0]
        for _, _, tree in cells
        for node in ast.walk(tree or ast.Module(body=[], type_ignores=[]))
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    for cell_id, source, tree in cells:
        if tree is None:
            yield _as_a_whole(cell_id, source)
            continue
        lines = python_only(source).split("\n")
        for node in tree.body:
            last = node.end_lineno or node.lineno
            yield _Statement(
                cell_id,
                last,
                "\n".join(lines[node.lineno - 1 : last]),
                frozenset(_bound(node) - ({""} if _imports(node) else modules | {""})),
                frozenset(_made(node)),
                frozenset(_read(node)),
                node.name if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else "",
                frozenset(_called(node)),
            )


def _as_a_whole(cell_id: str, source: str) -> _Statement:
    effects = lost_effects(source, None)
    parts = {match[1] for match in _PART_SET.finditer(source)}
    called = {match[1] for match in _CALLED.finditer(source) if match[2] not in calls.LOOKS}
    return _Statement(
        cell_id,
        source.count("\n") + 1,
        source,
        frozenset(effects.names | parts | called),
        frozenset(),
        frozenset(re.findall(r"[A-Za-z_]\w*", source)),
    )


def _imports(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _read(node: ast.AST) -> set[str]:
    return {
        inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)
    }


def _called(node: ast.AST) -> set[str]:
    return {
        inner.func.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name)
    }


def _made(node: ast.stmt) -> set[str]:
    """Return the names a statement binds anew, independent of their earlier values."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if not isinstance(node, ast.Assign):
        return set()
    targets = [
        one
        for target in node.targets
        for one in (target.elts if isinstance(target, ast.Tuple) else [target])
    ]
    return {one.id for one in targets if isinstance(one, ast.Name)} - _read(node.value)


def _bound(node: ast.stmt) -> set[str]:
    """Return the names a statement binds, or whose values it changes in place."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    found: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.alias):
            found.add(inner.asname or inner.name.partition(".")[0])
        elif isinstance(inner, (ast.Name, ast.Attribute, ast.Subscript)):
            if isinstance(inner.ctx, ast.Store):
                found.add(_root(inner))
        elif isinstance(inner, ast.Call):
            found |= _changed_by(inner)
        elif isinstance(inner, ast.For) and _changes(inner):
            found |= _read(inner.iter)  # for table in [train, test]: table["a"] = …
    return found


def _changes(loop: ast.For) -> bool:
    """Return whether a loop changes the object of its variable."""
    own = {one.id for one in ast.walk(loop.target) if isinstance(one, ast.Name)}
    return any(
        _root(one) in own
        for statement in loop.body
        for one in ast.walk(statement)
        if isinstance(one, (ast.Attribute, ast.Subscript)) and isinstance(one.ctx, ast.Store)
    ) or any(
        _changed_by(one) & own
        for statement in loop.body
        for one in ast.walk(statement)
        if isinstance(one, ast.Call)
    )


def _changed_by(call: ast.Call) -> set[str]:
    """Return the names whose values a call may change."""
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    given = {_root(one) for one in arguments if isinstance(one, (ast.Name, ast.Subscript))}
    if isinstance(call.func, ast.Name):
        name = call.func.id
        pure = (
            name in calls.BUILTINS
            or name[:1].isupper()
            or name.startswith(calls.DISPLAY_BEGINNINGS)
        )
        return set() if pure else given
    if not isinstance(call.func, ast.Attribute):
        return set()
    if call.func.attr[:1].isupper():
        return set()  # a class of a module: `linear_model.Ridge()`
    if call.func.attr in calls.CHANGING_FUNCTIONS - calls.CSV_WRITERS:
        return given | {_root(call.func)}
    in_place = any(keyword.arg == "inplace" for keyword in call.keywords)
    if (call.func.attr in calls.LOOKS and not in_place) or _of_something_new(call.func.value):
        return set()
    return {_root(call.func)}


def _of_something_new(node: ast.expr) -> bool:
    """Return whether a call that changes nothing made an object: `d.groupby("a").mean()`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr in calls.METHODS or _of_something_new(node.func.value)


def _root(node: ast.AST) -> str:
    """Return the name that `a.b[c].d()` begins with; "" if none."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
