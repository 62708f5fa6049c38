"""Runs a notebook's cells and tells what came of them. This file runs in Pythons of other times.

It therefore uses the standard library of Python 3.6 only and none of our modules. It is started
with the path of a request and answers in lines of JSON: first the versions of what is installed,
then each cell as it ends. Objects of a notebook may do anything when touched, so every look at
one is guarded, and what fails is told as not told.
"""

import ast
import builtins
import contextlib
import io
import json
import math
import os
import random
import sys
import types
from typing import Any, Iterator, Tuple  # noqa: UP035  # as Python 3.6 knows them

MOST_COLUMNS = 60
MOST_NAMES = 60
MOST_LINES = 40
MOST_PARAMETERS = 200
HEAD = 5
LONGEST = 160

Fact = Tuple[str, str]  # noqa: UP006  # Python 3.6 has no tuple[str, str]


def main(request_path: str) -> None:
    """Run the cells of a request."""
    with open(request_path, encoding="utf-8") as stream:  # noqa: PTH123  # as old as the rest
        request = json.load(stream)
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.environ.setdefault("MPLBACKEND", "Agg")
    _answer(wire, _versions(request["libraries"]))
    space = _namespace()
    for number, cell in enumerate(request["cells"]):
        _seed(number)
        _answer(wire, _run(cell, space))


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
    """What stands for IPython's `display`."""


def _seed(number: int) -> None:
    """The same random numbers in every Python, where the notebook sets no seed of its own."""
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number)


def _run(cell: "dict[str, Any]", space: "dict[str, Any]") -> "dict[str, Any]":
    printed = io.StringIO()
    error = ""
    missing: list[str] = []
    value = None
    try:
        tree = ast.parse(cell["source"])
    except (SyntaxError, ValueError, RecursionError) as failure:
        return {"cell": cell["id"], "error": _raised(failure), "missing": [], "facts": []}
    with contextlib.redirect_stdout(printed):
        for statement in tree.body:
            try:
                value = _execute(statement, space)
            except ImportError as failure:
                if isinstance(statement, (ast.Import, ast.ImportFrom)):
                    missing.append(_raised(failure))
                    continue
                error = _raised(failure)
                break
            except (Exception, SystemExit) as failure:  # noqa: BLE001  # the notebook's own
                error = _raised(failure)
                break
    facts: list[Fact] = []
    if cell["concerned"]:
        with contextlib.redirect_stdout(io.StringIO()):
            facts = _facts(tree, space, value, printed.getvalue())
    return {"cell": cell["id"], "error": error, "missing": missing, "facts": facts}


def _execute(statement: ast.stmt, space: "dict[str, Any]") -> Any:
    """Run one statement; the value of an expression, None of all others."""
    if isinstance(statement, ast.Expr):
        return eval(compile(ast.Expression(statement.value), "<cell>", "eval"), space)
    module = ast.parse("")
    module.body = [statement]
    exec(compile(module, "<cell>", "exec"), space)
    return None


def _raised(failure: BaseException) -> str:
    return _short(f"{type(failure).__name__}: {str(failure).strip()}")


def _facts(tree: ast.Module, space: "dict[str, Any]", value: Any, printed: str) -> "list[Fact]":
    """All that can be compared after a cell: its variables, its value and what it printed."""
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in space and node.id not in names:
            names.append(node.id)
    facts: list[Fact] = []
    for name in names[:MOST_NAMES]:
        _describe(facts, name, space[name])
    if value is not None:
        _describe(facts, "value of the cell", value)
    lines = [line.rstrip() for line in printed.splitlines()]
    for number, line in enumerate(lines[:MOST_LINES], start=1):
        facts.append((f"printed line {number}", _short(line)))
    return facts


def _describe(facts: "list[Fact]", name: str, value: Any) -> None:
    try:
        found = list(_digest(name, value))
    except Exception as failure:  # noqa: BLE001  # a notebook's object may raise anything
        found = [(name, f"not told ({type(failure).__name__})")]
    facts.extend(found)


def _digest(name: str, value: Any) -> "Iterator[Fact]":
    kind = type(value)
    library = str(kind.__module__).partition(".")[0]
    if isinstance(value, (types.ModuleType, type)) or kind.__name__ in _UNTOLD:
        return
    if library == "pandas" and kind.__name__ == "DataFrame":
        yield name + " shape", str(tuple(value.shape))
        for place in range(min(value.shape[1], MOST_COLUMNS)):
            label = f"{name}[{_short(repr(value.columns[place]))}]"
            yield from _column(label, value.iloc[:, place])
    elif library == "pandas" and kind.__name__ == "Series":
        yield name + " length", str(len(value))
        yield from _column(name, value)
    elif library == "numpy" and hasattr(value, "shape") and value.shape:
        yield from _array(name, value)
    elif callable(getattr(value, "get_params", None)):
        yield name, kind.__name__
        for parameter, given in sorted(value.get_params(deep=True).items())[:MOST_PARAMETERS]:
            yield f"{name}.{parameter}", _text(given)
    elif isinstance(value, dict):
        yield name + " length", str(len(value))
        for key in list(value)[:HEAD]:
            yield f"{name}[{_short(repr(key))}]", _text(value[key])
    elif isinstance(value, (list, tuple)):
        yield name + " length", str(len(value))
        yield name + " first", _texts(value[:HEAD])
    else:
        yield name, _text(value)


_UNTOLD = ("function", "builtin_function_or_method", "method", "ufunc", "generator")


def _column(label: str, series: Any) -> "Iterator[Fact]":
    yield label + " dtype", str(series.dtype)
    yield label + " NaN", str(int(series.isnull().sum()))
    if getattr(series.dtype, "kind", "O") in "iufb":
        yield label + " mean", _number(float(series.mean()))
    yield label + " first", _texts(list(series.iloc[:HEAD]))


def _array(name: str, array: Any) -> "Iterator[Fact]":
    yield name + " shape", str(tuple(array.shape))
    yield name + " dtype", str(array.dtype)
    if array.dtype.kind in "iufb" and array.size:
        values = array.astype(float)
        yield name + " NaN", str(int((values != values).sum()))  # NaN is not NaN
        yield name + " mean", _number(float(values.mean()))
    yield name + " first", _texts(array.ravel()[:HEAD].tolist())


def _texts(values: Any) -> str:
    return _short(", ".join(_text(item) for item in values))


def _text(value: Any) -> str:
    """A short text that is the same in every Python for the same plain value."""
    if isinstance(value, bool) or value is None or type(value).__name__ in ("bool_", "bool"):
        return str(value)
    if isinstance(value, float):
        return _number(float(value))
    if isinstance(value, str):
        return _short(repr(str(value)))
    if type(value).__module__ == "numpy" and not getattr(value, "shape", None):
        plain = value.item()
        return _text(plain) if type(plain).__module__ == "builtins" else _short(str(value))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (list, tuple)):
        return "(" + _texts(value[:HEAD]) + ")"
    if type(value).__name__ in ("Timestamp", "Timedelta", "NaTType", "NAType"):
        return _short(str(value))
    return type(value).__name__


def _number(value: float) -> str:
    if math.isnan(value):
        return "nan"
    return f"{value:.10g}"


def _short(text: str) -> str:
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


if __name__ == "__main__":
    main(sys.argv[1])
