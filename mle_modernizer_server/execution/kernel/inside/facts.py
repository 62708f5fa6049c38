"""Collect the facts about a failure. This file's text runs inside the kernel.

It therefore uses only the standard library and the syntax of Python 3.6, and none of our modules.
It changes nothing: it reads the exception that the kernel stores (`sys.last_value`), the frames
of its traceback and their objects. A notebook's objects may run any code on access, so every
access is guarded, and failures are omitted.
"""

import ast
import builtins
import difflib
import importlib.util
import inspect
import linecache
import os
import pkgutil
import re
import sys
import types
from pathlib import Path
from typing import (  # noqa: UP035  # as Python 3.6 knows them
    Any,
    Callable,
    Iterable,
    Iterator,
    Tuple,
)

MOST_FACTS = 14
LONGEST_VALUE = 1200
MOST_NAMES = 60
MOST_LOCALS = 20
MOST_AROUND = 40
"""Lines of a module around the failing one."""

Fact = Tuple[str, str]  # noqa: UP006


def facts_of_last_error(ename: str) -> "list[Fact]":
    """Return facts about the exception that was raised last, if its type has that name."""
    error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    if error is None or type(error).__name__ != ename:
        return []
    found: list[Fact] = []
    for tell in _tellers(error):
        try:
            for name, value in tell(error):
                if value and len(found) < MOST_FACTS:
                    found.append((name, _short(value)))
        except Exception as failure:  # noqa: BLE001  # a notebook's object may raise anything
            found.append(("not told", _short(f"{tell.__name__}: {type(failure).__name__}")))
    return found


def _tellers(error: BaseException) -> "list[Callable[[Any], Iterator[Fact]]]":
    by_type: list[tuple[type[BaseException], Callable[[Any], Iterator[Fact]]]] = [
        (ModuleNotFoundError, _missing_module),
        (ImportError, _missing_name_in_module),
        (AttributeError, _attribute),
        (NameError, _name),
        (KeyError, _key),
        (FileNotFoundError, _file),
        (TypeError, _signature),
        (IndexError, _shapes),
        (ValueError, _shapes),
    ]
    chosen = [teller for kind, teller in by_type if isinstance(error, kind)][:1]
    return [*chosen, _code_beside, _where]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def _frames(error: BaseException) -> "list[tuple[types.FrameType, int]]":
    frames: list[tuple[types.FrameType, int]] = []
    trace = error.__traceback__
    while trace is not None and len(frames) < 500:
        frames.append((trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    return frames


def _user_frame(error: BaseException) -> "tuple[types.FrameType, int] | None":
    """Return the innermost frame of the notebook's own code."""
    own = [item for item in _frames(error) if item[0].f_globals.get("__name__") == "__main__"]
    return own[-1] if own else None


def _statement(error: BaseException) -> "ast.AST | None":
    """Return the innermost statement of the notebook that raised the error."""
    frame = _user_frame(error)
    if frame is None:
        return None
    source = "".join(linecache.getlines(frame[0].f_code.co_filename))
    around = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt)
        and node.lineno <= frame[1] <= (getattr(node, "end_lineno", None) or frame[1])
    ]
    return max(around, key=lambda node: node.lineno, default=None)


def _resolve(node: ast.AST, frame: types.FrameType) -> Any:
    """Return the object of a name or a chain of attributes; call nothing.

    Raises:
        LookupError: It is neither, or has no value.
    """
    if isinstance(node, ast.Name):
        for scope in (frame.f_locals, frame.f_globals, vars(builtins)):
            if node.id in scope:
                return scope[node.id]
        raise LookupError(node.id)
    if isinstance(node, ast.Attribute):
        owner = _resolve(node.value, frame)
        if isinstance(owner, (types.ModuleType, type)):
            return getattr(owner, node.attr)
        found = inspect.getattr_static(type(owner), node.attr, None)
        if callable(found):
            return getattr(owner, node.attr)
    raise LookupError(type(node).__name__)


def _near(name: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the names similar to `name`, the most similar first; ignore case."""
    candidates = [item for item in dict.fromkeys(names) if isinstance(item, str) and item != name]
    by_lower: dict[str, list[str]] = {}
    for item in candidates:
        by_lower.setdefault(item.lower(), []).append(item)
    lower = name.lower()
    found = []
    for close in difflib.get_close_matches(lower, by_lower, n=6, cutoff=cutoff):
        found += by_lower[close]
    if len(lower.strip("_")) > 2:
        found += [
            item for item in candidates if lower.strip("_") in item.lower() and item not in found
        ]
    return ", ".join(found[:10])


def _version(module: str) -> str:
    top = module.partition(".")[0]
    version = getattr(sys.modules.get(top), "__version__", None)
    if isinstance(version, str):
        return f"{top} {version}"
    for distribution in _distributions().get(top, ()):
        return f"{top} {importlib.import_module('importlib.metadata').version(distribution)}"
    return ""


def _distributions() -> "dict[str, list[str]]":
    """Return installed distributions by import name; empty before Python 3.10."""
    try:
        found = importlib.import_module("importlib.metadata").packages_distributions()
    except (ImportError, AttributeError):
        return {}
    return dict(found)


def _type_name(value: object) -> str:
    return _type_name_of(type(value))


def _attribute(error: AttributeError) -> Iterator[Fact]:
    name = getattr(error, "name", None)  # known to the error since Python 3.10
    owner = getattr(error, "obj", None)
    if name is None:
        owner, name = _attribute_by_message(error)
    if name is None:
        return
    if isinstance(owner, types.ModuleType):
        yield "object", f"module {owner.__name__}"
        yield "version", _version(owner.__name__)
        yield "near attributes", _near(name, dir(owner))
        yield "found in", _found_elsewhere(owner.__name__, name)
        return
    kind = owner if isinstance(owner, type) else type(owner)
    yield "object", f"class {_type_name_of(kind)}" if kind is owner else f"a {_type_name_of(kind)}"
    yield "version", _version(kind.__module__)
    own = [] if kind is owner else list(getattr(owner, "__dict__", {}))
    yield "near attributes", _near(name, [*dir(kind), *own])
    yield "shape", _describe(owner)


def _type_name_of(kind: type) -> str:
    name = f"{kind.__module__}.{kind.__qualname__}"
    return name[len("builtins.") :] if name.startswith("builtins.") else name


def _attribute_by_message(error: AttributeError) -> "tuple[object, str | None]":
    text = str(error)
    match = re.search(r"module '([\w.]+)' has no attribute '(\w+)'", text)
    if match:
        return sys.modules.get(match[1]), match[2]
    match = re.search(r"'(\w+)' object has no attribute '(\w+)'", text)
    frame = _user_frame(error)
    if match and frame is not None:
        for value in frame[0].f_locals.values():
            if type(value).__name__ == match[1]:
                return value, match[2]
    return None, None


def _found_elsewhere(module: str, name: str) -> str:
    """Return loaded modules of the same package that do have the name."""
    top = module.partition(".")[0]
    found = []
    for loaded, value in list(sys.modules.items()):
        own = loaded == top or loaded.startswith(top + ".")
        public = own and loaded != module and "._" not in loaded
        if public and isinstance(value, types.ModuleType) and name in vars(value):
            found.append(f"{loaded}.{name}")
    return ", ".join(sorted(found, key=lambda item: (item.count("."), item))[:5])


def _missing_module(error: ModuleNotFoundError) -> Iterator[Fact]:
    name = error.name or ""
    top, _, rest = name.partition(".")
    if rest and importlib.util.find_spec(top) is not None:
        yield "version", _version(top)
        parent = name.rpartition(".")[0]
        while parent and parent not in sys.modules:
            parent = parent.rpartition(".")[0]
        package = sys.modules.get(parent)
        names = [item.name for item in pkgutil.iter_modules(getattr(package, "__path__", []))]
        yield f"modules of {parent}", _near(name.rpartition(".")[2], names, 0.5)
        wanted = rest.rpartition(".")[2]
        installed = importlib.util.find_spec(wanted) is not None
        yield "installed on its own", _version(wanted) if installed else ""
        return
    yield "installed", "no"
    near = difflib.get_close_matches(top, list(_distributions()), n=4, cutoff=0.7)
    yield "near installed modules", ", ".join(_version(item) or item for item in near)
    listed = list(getattr(sys, "stdlib_module_names", ()))
    standard = difflib.get_close_matches(top, listed, n=2, cutoff=0.8)
    yield "near standard modules", ", ".join(standard)


def _missing_name_in_module(error: ImportError) -> Iterator[Fact]:
    match = re.search(
        r"cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'", str(error)
    )
    if match is None:
        yield "version", _version(error.name) if error.name else ""
        return
    name, module = match[1], match[2]
    yield "version", _version(module)
    yield f"near names in {module}", _near(name, dir(sys.modules.get(module)))
    yield "found in", _found_elsewhere(module, name)


def _name(error: NameError) -> Iterator[Fact]:
    frame = _user_frame(error)
    match = re.match(
        r"(?:free variable |local variable |cannot access .*?)?(?:name )?'(\w+)'", str(error)
    )
    name = getattr(error, "name", None) or (match.group(1) if match else None)
    if frame is None or name is None:
        return
    scopes = [*frame[0].f_locals, *frame[0].f_globals, *vars(builtins)]
    yield "near names", _near(name, (item for item in scopes if not item.startswith("_")), 0.7)
    yield "installed module of that name", _version(name) if importlib.util.find_spec(name) else ""


def _key(error: KeyError) -> Iterator[Fact]:
    frame = _user_frame(error)
    statement = _statement(error)
    key = error.args[0] if error.args else None
    if frame is None or statement is None:
        return
    seen = set()
    for node in ast.walk(statement):
        owner = node.value if isinstance(node, (ast.Subscript, ast.Attribute)) else None
        chain = _chain(owner)
        if owner is None or not chain or chain in seen:
            continue
        seen.add(chain)
        try:
            value = _resolve(owner, frame[0])
        except (LookupError, AttributeError):
            continue
        for kind, names in _keys(value):
            if isinstance(key, str):
                yield f"near {kind} of {chain}", _near(key, names)
            listed = ", ".join(repr(item) for item in names[:MOST_NAMES])
            yield f"{kind} of {chain}", listed


def _chain(node: "ast.AST | None") -> str:
    """Return a name or a chain of attributes as text; "" for anything else."""
    if isinstance(node, ast.Attribute):
        owner = _chain(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return node.id if isinstance(node, ast.Name) else ""


def _keys(value: Any) -> "Iterator[tuple[str, list[Any]]]":
    if isinstance(value, dict):
        yield "keys", list(value)[:1000]
        return
    if type(value).__module__.partition(".")[0] in ("pandas", "polars", "geopandas"):
        if getattr(value, "columns", None) is not None:
            yield "columns", [str(item) for item in list(value.columns)[:1000]]
        elif getattr(value, "index", None) is not None:
            yield "index", list(value.index[:20])


def _file(error: FileNotFoundError) -> Iterator[Fact]:
    if not isinstance(error.filename, str):
        return
    wanted = error.filename.rstrip("/")
    folder, name = os.path.split(os.path.abspath(wanted))  # noqa: PTH100, a plain string is due
    while folder != os.path.dirname(folder) and not os.path.isdir(folder):  # noqa: PTH112, PTH120
        folder, name = os.path.split(folder)
    entries = sorted(os.listdir(folder))[:1000]  # noqa: PTH208
    yield "nearest directory that exists", folder
    yield "near entries", _near(name, entries)
    yield "its entries", ", ".join(entries[:MOST_NAMES])


def _signature(error: TypeError) -> Iterator[Fact]:
    frame = _user_frame(error)
    statement = _statement(error)
    if frame is None or statement is None:
        return
    match = re.match(r"([\w.<>]+)\(\)", str(error))
    wanted = re.sub(r"\.__(?:init|new)__$", "", match[1]) if match else ""
    last = wanted.rpartition(".")[2]
    told = False
    for node in ast.walk(statement):
        if not isinstance(node, ast.Call):
            continue
        try:
            callee = _resolve(node.func, frame[0])
        except (LookupError, AttributeError):
            continue
        if not callable(callee):
            continue
        called = getattr(callee, "__name__", "")
        if last and called != last and _chain(node.func).rpartition(".")[2] != last:
            continue
        told = True
        yield f"signature of {_chain(node.func)}", _signature_of(callee)
        yield "version", _version(getattr(callee, "__module__", None) or "")
    if not told:
        yield from _called_frame(error, last)
    if not re.search(r"(?:keyword|positional) argument|multiple values", str(error)):
        yield from _shapes(error)


def _called_frame(error: TypeError, name: str) -> Iterator[Fact]:
    """Yield facts of the function of that name, found in the traceback's frames."""
    for frame, _ in reversed(_frames(error)):
        for scope in (frame.f_locals, frame.f_globals):
            callee = scope.get(name)
            if callable(callee):
                yield f"signature of {name}", _signature_of(callee)
                return


def _signature_of(callee: Any) -> str:
    try:
        return str(inspect.signature(callee))
    except (ValueError, TypeError):
        return (inspect.getdoc(callee) or "").partition("\n")[0]


def _shapes(error: BaseException) -> Iterator[Fact]:
    frame = _user_frame(error)
    if frame is None:
        return
    statement = _statement(error)
    used = (
        [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)] if statement else []
    )
    scope = {**frame[0].f_globals, **frame[0].f_locals}
    for name in list(dict.fromkeys(used))[:MOST_LOCALS]:
        if name in scope:
            yield f"`{name}`", _describe(scope[name])


def _describe(value: Any) -> str:
    """Return type, shape and data types of an array, table or collection; "" for all else."""
    if isinstance(value, (list, tuple, dict, set)):
        inner = sorted({_type_name(item) for item in list(value)[:50]})
        return f"{type(value).__name__} of {len(value)}: {', '.join(inner[:5])}"
    shape = getattr(value, "shape", None)
    if not isinstance(shape, tuple) or isinstance(value, type):
        return ""
    text = f"{_type_name(value)}, shape {shape}"
    dtypes = getattr(value, "dtypes", None)
    if dtypes is not None and hasattr(dtypes, "items") and len(shape) == 2:
        columns: dict[str, list[str]] = {}
        for name, kind in list(dtypes.items())[:30]:
            columns.setdefault(str(kind), []).append(str(name))
        kinds = [f"{kind}: {', '.join(names)}" for kind, names in columns.items()]
        return f"{text}, dtypes {{{'; '.join(kinds)}}}"
    return f"{text}, dtype {getattr(value, 'dtype', 'unknown')}"


def _code_beside(error: BaseException) -> Iterator[Fact]:
    """Yield the lines around the failing one in a module of the notebook's author."""
    beside = [
        (frame.f_code.co_filename, line)
        for frame, line in _frames(error)
        if frame.f_globals.get("__name__") != "__main__" and _is_own(frame.f_code.co_filename)
    ]
    if isinstance(error, SyntaxError) and error.lineno and _is_own(error.filename or ""):
        beside.append((str(error.filename), error.lineno))
    if not beside:
        return
    path, line = beside[-1]
    lines = linecache.getlines(path)
    first, last = line - 1, line  # as a slice
    length = sum(map(len, lines[first:last]))
    while last - first < MOST_AROUND:
        above, below = lines[max(first - 1, 0) : first], lines[last : last + 1]
        length += sum(map(len, above + below))
        if length > LONGEST_VALUE - 1 or not above + below:
            break
        first, last = first - len(above), last + len(below)
    yield (
        f"{Path(path).name}, lines {first + 1} to {last} (it stops in line {line})",
        "\n" + "".join(lines[first:last]).rstrip(),
    )


def _is_own(path: str) -> bool:
    """Return whether a Python file belongs to neither a library nor Python itself."""
    folders = Path(path).parents
    libraries = [Path(os.__file__).parent, Path(sys.prefix), Path(sys.base_prefix)]
    installed = any(one.name in ("site-packages", "dist-packages") for one in folders)
    if installed or any(one in folders for one in libraries):
        return False
    return path.endswith(".py") and Path(path).is_file()  # a cell has the name of a file only


def _where(error: BaseException) -> Iterator[Fact]:
    """Yield the library code the error was raised in."""
    frames = _frames(error)
    if not frames:
        return
    frame, line = frames[-1]
    module = frame.f_globals.get("__name__")
    if isinstance(module, str) and module.partition(".")[0] not in ("__main__", "IPython"):
        version = _version(module)
        yield (
            "raised in",
            f"{module}.{frame.f_code.co_name}, line {line}" + (f" ({version})" if version else ""),
        )
