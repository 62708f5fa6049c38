"""Execute a notebook's cells and report results. Must run on Python 3.6.

It uses only the standard library and none of our modules. Its argument is the path of a request;
it answers in lines of JSON: first the versions of the installed packages, then each cell as it
ends. Values are described by the functions of `kernel/inside/digest.py`, which are passed in.
"""

import ast
import builtins
import contextlib
import io
import json
import os
import random
import sys
import types
from typing import Any, Callable, Tuple  # noqa: UP035  # as Python 3.6 knows them

MOST_NAMES = 60
MOST_LINES = 40

Fact = Tuple[str, str]  # noqa: UP006  # Python 3.6 has no tuple[str, str]


Describe = Callable[[str, Any], "list[Fact]"]


def main(request_path: str, describe: Describe, short: Callable[[str], str]) -> None:
    """Run the cells of a request.

    Args:
        request_path: The request.
        describe: Returns the comparable facts of a named value.
        short: Bounds a text.
    """
    with open(request_path, encoding="utf-8") as stream:  # noqa: PTH123  # as old as the rest
        request = json.load(stream)
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.environ.setdefault("MPLBACKEND", "Agg")
    _answer(wire, _versions(request["libraries"]))
    space = _namespace()
    for number, cell in enumerate(request["cells"]):
        _seed(number)
        _answer(wire, _run(cell, space, describe, short))


def _answer(wire: Any, answer: "dict[str, Any]") -> None:
    wire.write(json.dumps(answer) + "\n")
    wire.flush()


def _versions(libraries: "list[str]") -> "dict[str, Any]":
    packages = {}
    for name in libraries:
        try:
            version = getattr(__import__(name), "__version__", None)
        except Exception:  # noqa: BLE001, S112  # whatever an import raises: it cannot be used
            continue
        if isinstance(version, str):
            packages[name] = version
    return {"python": ".".join(map(str, sys.version_info[:3])), "packages": packages}


def _namespace() -> "dict[str, Any]":
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    space = vars(module)
    space.update({"__builtins__": builtins, "display": _nothing})
    return space


def _nothing(*_: Any, **__: Any) -> None:
    """Replace IPython's `display`."""


def _seed(number: int) -> None:
    """Seed the random numbers equally in every Python, unless the notebook sets its own seed."""
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number)


def _run(
    cell: "dict[str, Any]",
    space: "dict[str, Any]",
    describe: Describe,
    short: Callable[[str], str],
) -> "dict[str, Any]":
    def raised(failure: BaseException) -> str:
        return short(f"{type(failure).__name__}: {str(failure).strip()}")

    printed = io.StringIO()
    error = ""
    missing: list[str] = []
    value = None
    try:
        tree = ast.parse(cell["source"])
    except (SyntaxError, ValueError, RecursionError) as failure:
        return {"cell": cell["id"], "error": raised(failure), "missing": [], "facts": []}
    with contextlib.redirect_stdout(printed):
        for statement in tree.body:
            try:
                value = _execute(statement, space)
            except ImportError as failure:
                if isinstance(statement, (ast.Import, ast.ImportFrom)):
                    missing.append(raised(failure))
                    continue
                error = raised(failure)
                break
            except (Exception, SystemExit) as failure:  # noqa: BLE001  # the notebook's own
                error = raised(failure)
                break
    facts: list[Fact] = []
    if cell["concerned"]:
        with contextlib.redirect_stdout(io.StringIO()):
            facts = _facts(tree, space, value, describe)
        lines = [line.rstrip() for line in printed.getvalue().splitlines()]
        for number, line in enumerate(lines[:MOST_LINES], start=1):
            facts.append((f"printed line {number}", short(line)))
    return {"cell": cell["id"], "error": error, "missing": missing, "facts": facts}


def _execute(statement: ast.stmt, space: "dict[str, Any]") -> Any:
    """Run one statement; the value of an expression, None of all others."""
    if isinstance(statement, ast.Expr):
        return eval(compile(ast.Expression(statement.value), "<cell>", "eval"), space)
    module = ast.parse("")
    module.body = [statement]
    exec(compile(module, "<cell>", "exec"), space)
    return None


def _facts(
    tree: ast.Module, space: "dict[str, Any]", value: Any, describe: Describe
) -> "list[Fact]":
    """Return all facts that can be compared after a cell: its variables and its value."""
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in space and node.id not in names:
            names.append(node.id)
    facts: list[Fact] = []
    for name in names[:MOST_NAMES]:
        facts.extend(describe(name, space[name]))
    if value is not None:
        facts.extend(describe("value of the cell", value))
    return facts
