"""Check whether a cell that failed half-way may run again in the same kernel.

It may if its executed part has only bound names: a second run binds them again. It may not if it
changed an existing object (a column, a model, a file, the state of a random generator): then a
second run would start from another state than a clean run does. In doubt it may not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from mle_modernizer_server.code.call_effects import Calls, Changed, Names
from mle_modernizer_server.code.calls import MAGICS
from mle_modernizer_server.code.ipython import escapes, is_python, parsed
from mle_modernizer_server.code.names import names
from mle_modernizer_server.code.traceback import Failure
from mle_modernizer_server.domain.message import Messages, coded

_COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try)


@dataclass(frozen=True)
class SideEffects:
    """Effects of a failing cell.

    Attributes:
        names: The names it may have bound.
        reason: Why it must not be run again in the same kernel, as the rest of a sentence that
            begins with the cell ("had changed `df` before it failed"); `()` if it may.
    """

    names: frozenset[str] = frozenset()
    reason: Messages = ()


def side_effects_of(
    source: str,
    failure: Failure,
    *,
    before: Iterable[str] = (),
    once: Iterable[str] = (),
    own: Iterable[str] = (),
) -> SideEffects:
    """Return the effects of a failing cell's source up to the failing statement.

    Args:
        source: The cell.
        failure: The place of the failure.
        before: Sources of the code cells before it: their imports and definitions.
        once: Names that hold iterators, generators and open files.
        own: Names that hold functions, classes and their objects of the notebook itself.
    """
    if not failure.compiled:
        return SideEffects()
    tree = parsed(source)
    if not is_python(source) or tree is None:
        return SideEffects(reason=coded("effect.no-python"))
    if failure.line is None:
        return SideEffects(reason=coded("effect.no-line"))
    for escape in escapes(source):
        harmless = escape.text.startswith("%") and _magic(escape.text) in MAGICS
        if escape.first < failure.line and not harmless and not escape.text.endswith("?"):
            return SideEffects(reason=coded("effect.ran", text=escape.text[:60]))
    trees = [known for text in before if (known := parsed(text)) is not None]
    calls = Calls(Names.of([*trees, tree], once=frozenset(once), own=frozenset(own)))
    try:
        _read(calls, tree.body, failure)
    except Changed as changed:
        return SideEffects(reason=changed.reason)
    except RecursionError:
        return SideEffects(reason=coded("effect.nested"))
    return SideEffects(names=frozenset(calls.bound))


def _magic(text: str) -> str:
    return text.lstrip("%").split(maxsplit=1)[0] if text.strip("% ") else ""


def _read(calls: Calls, body: list[ast.stmt], failure: Failure) -> None:
    """Read the statements up to the failing one.

    Raises:
        Changed: One of them changed something.
    """
    for statement in body:
        last = statement.end_lineno or statement.lineno
        if failure.line is not None and last >= failure.line:
            _read_failing(calls, statement, failure)
            return
        calls.statement(statement)
    raise Changed(coded("effect.no-line"))


def _read_failing(calls: Calls, statement: ast.stmt, failure: Failure) -> None:
    """Read the failing statement: its parts ran, its own last operation did not."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        calls.bound |= names(statement).changed
        return
    value = getattr(statement, "value", None)
    if isinstance(statement, _COMPOUND) or not isinstance(value, ast.expr):
        calls.statement(statement)
        return
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        targets = [statement.target]
    else:
        targets = []
    for target in targets:
        for child in ast.iter_child_nodes(target):
            if isinstance(child, ast.expr):
                calls.expression(child)
    _last_operation(calls, value, failure)
    if not all(isinstance(target, ast.Name) for target in targets):
        # A single name is bound only on success; several may have been bound in part.
        calls.bound |= names(statement).changed


def _last_operation(calls: Calls, value: ast.expr, failure: Failure) -> None:
    if not isinstance(value, ast.Call):
        calls.expression(value)
        return
    for part in (*value.args, *(keyword.value for keyword in value.keywords)):
        calls.expression(part)
    if isinstance(value.func, ast.Attribute):
        calls.expression(value.func.value)
    looked_up = isinstance(value.func, ast.Attribute) and value.func.attr == failure.missing
    if not failure.shallow and not looked_up:
        # The called function failed: its effects until then count.
        calls.entered(value)
