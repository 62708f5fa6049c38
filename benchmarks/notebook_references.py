"""What of a notebook's imports and calls is not there in an environment, asked from it.

Nothing here knows a breaking change: addresses and arguments are read from the code and looked up
in the installed libraries, so it can judge rules and other tools alike. Methods of objects are not
seen, because the code alone does not tell what the objects are; only runs show them.
"""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mle_modernizer_server.domain.cell_source import is_python, parsed
from mle_modernizer_server.domain.notebook import Notebook

_LOOK_UP = r"""
import importlib, inspect, json, os, sys, warnings
answers = os.fdopen(os.dup(1), "w"); os.dup2(2, 1)
warnings.simplefilter("ignore")
missing = object()
known = {}
def find(address):
    if address in known:
        return known[address]
    parts = address.split(".")
    known[address] = missing
    try:
        found = importlib.import_module(parts[0])
    except Exception:  # whatever it raises: this library cannot be asked
        known[address] = None
        return None
    for end, part in enumerate(parts[1:], 2):
        try:
            found = getattr(found, part)
        except Exception:  # lazy attributes raise what they like: it may still be a module
            try:
                found = importlib.import_module(".".join(parts[:end]))
            except Exception:  # not to be had in any way: gone
                return missing
    known[address] = found
    return found
def wrong(address, positional, keywords):
    found = find(address)
    if found is None:
        return False
    if found is missing:
        return True
    if positional is None:
        return False
    try:
        parameters = inspect.signature(found).parameters.values()
    except Exception:  # no signature to be had: nothing can be said against the call
        return False
    kinds = [one.kind for one in parameters]
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        names = {one.name for one in parameters}
        if not set(keywords) <= names:
            return True
    if inspect.Parameter.VAR_POSITIONAL not in kinds:
        return positional > sum(kind.value <= 1 for kind in kinds)
    return False
asked = json.load(sys.stdin)
json.dump([wrong(*one) for one in asked], answers)
"""


@dataclass(frozen=True)
class Reference:
    """Something of a library that the code names, and how it is called (`None`: it is not)."""

    cell_id: str
    address: str
    positional: int | None = None
    keywords: tuple[str, ...] = ()


def references(notebook: Notebook) -> tuple[list[Reference], int]:
    """All references, and the number of cells that Python 3 cannot parse."""
    names: dict[str, str] = {}
    found: dict[Reference, None] = {}
    unparsed = 0
    for cell in notebook.code_cells():
        if not is_python(cell.source):
            continue
        tree = parsed(cell.source)
        if tree is None:
            unparsed += 1
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for address in _imported(node, names):
                    found[Reference(cell.id, address)] = None
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                address = _address(node.func, names)
                plain = not any(isinstance(arg, ast.Starred) for arg in node.args)
                if address and plain:
                    keywords = tuple(one.arg for one in node.keywords if one.arg)
                    found[Reference(cell.id, address, len(node.args), keywords)] = None
            elif isinstance(node, ast.Attribute):
                address = _address(node, names)
                if address:
                    found[Reference(cell.id, address)] = None
    return list(found), unparsed


def _imported(node: ast.Import | ast.ImportFrom, names: dict[str, str]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            names[alias.asname or alias.name.split(".")[0]] = (
                alias.name if alias.asname else alias.name.split(".")[0]
            )
            yield alias.name
    elif node.module and not node.level:
        for alias in node.names:
            if alias.name == "*":
                yield node.module
                continue
            names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            yield f"{node.module}.{alias.name}"


def _address(node: ast.expr, names: dict[str, str]) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in names:
        return ""
    return ".".join([names[node.id], *reversed(parts)])


def broken(python: Path, asked: list[Reference]) -> list[bool]:
    """For each reference whether it is gone from an environment (a missing library is not)."""
    questions = [(one.address, one.positional, one.keywords) for one in asked]
    answer = subprocess.run(
        [str(python), "-c", _LOOK_UP],
        input=json.dumps(questions),
        check=True,
        capture_output=True,
        text=True,
    )
    told = json.loads(answer.stdout)
    assert isinstance(told, list)
    return [bool(one) for one in told]
